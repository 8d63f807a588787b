CREATE TABLE rm_bank_lines (
    pos bigint PRIMARY KEY, provider text NOT NULL, kobo bigint NOT NULL, provider_ref text NOT NULL, reference text NOT NULL,
    about text NOT NULL, at timestamptz NOT NULL, recorded_at timestamptz NOT NULL,
    also text[] NOT NULL, -- Other names that the bank has for it.
    undone bigint,        -- The position at which it turned out to be a payment's or a return's, which has a line of its own.
    taken_of text,        -- The bank's name of the money in suspense that it took back.
    charge boolean NOT NULL DEFAULT false, -- What the bank took for the payout that it is about,
    charge_of bigint);    -- beside the line at this position: that order's, or its first charge where it paid nothing.
CREATE TABLE rm_bank_payouts (
    pos bigint PRIMARY KEY, withdrawal_id text NOT NULL, reference text NOT NULL, net bigint NOT NULL, status text NOT NULL,
    provider text NOT NULL);
CREATE INDEX ON rm_bank_payouts (withdrawal_id, status, pos);
