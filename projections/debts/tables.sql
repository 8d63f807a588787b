CREATE TABLE rm_debts (
    user_id text PRIMARY KEY, pos bigint NOT NULL, kobo bigint NOT NULL, since timestamptz NOT NULL, -- What they owe, and since when they have owed something.
    proposal_id text NOT NULL, proposed_by text NOT NULL, reason text NOT NULL); -- That it be written off, if somebody says so.
CREATE TABLE rm_locked_cards (user_id text PRIMARY KEY, pos bigint NOT NULL, since timestamptz NOT NULL);
