CREATE TABLE rm_notified_requests (id text PRIMARY KEY, group_id text NOT NULL, sub_account_id text NOT NULL, requested_by text NOT NULL, kobo bigint NOT NULL,
    shown boolean NOT NULL DEFAULT false, pays boolean NOT NULL DEFAULT false, payable_from timestamptz);
CREATE TABLE rm_notified_people (group_id text NOT NULL, user_id text NOT NULL, role text NOT NULL, PRIMARY KEY (group_id, user_id));
CREATE INDEX ON rm_notified_people (group_id) WHERE role <> 'MEMBER';
CREATE TABLE rm_notifications (
    user_id text NOT NULL, pos bigint NOT NULL, type smallint NOT NULL, created_at timestamptz NOT NULL, event_id uuid NOT NULL,
    about_id text NOT NULL, group_id text NOT NULL, sub_account_id text NOT NULL, kobo bigint NOT NULL, detail text NOT NULL, subject_id text NOT NULL,
    recorded_at timestamptz NOT NULL); -- When the ledger learned of it: news is as old as that. created_at is when it took effect.
-- Who held an office of a group between two events: to_pos is the largest bigint while they hold it. told is false
-- while the group's owner holds this office too: of payments they are told once.
CREATE TABLE rm_notified_terms (
    group_id text NOT NULL, role text NOT NULL, from_pos bigint NOT NULL, to_pos bigint NOT NULL, user_id text NOT NULL, told boolean NOT NULL,
    PRIMARY KEY (group_id, role, from_pos));
-- The ledger's own state of an ajo's stream, but for the pots that are ready: who is to be told is in it.
CREATE TABLE rm_notified_ajos (ajo_id text PRIMARY KEY, state text NOT NULL) WITH (toast_tuple_target = 4096);
-- Those pots: kobo is what they collected.
CREATE TABLE rm_notified_pots (ajo_id text NOT NULL, cycle integer NOT NULL, seat integer NOT NULL, kobo bigint NOT NULL, missing bigint NOT NULL, PRIMARY KEY (ajo_id, cycle));
-- Who paid somebody else's due, by the payment's position: they are asked about it.
CREATE TABLE rm_notified_covers (pos bigint PRIMARY KEY, paid_by text NOT NULL);
-- Who collects for a card: they are told when somebody else does, or nobody.
CREATE TABLE rm_notified_collectors (card_id text PRIMARY KEY, user_id text NOT NULL);
