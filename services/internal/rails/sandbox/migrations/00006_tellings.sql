-- +goose Up
-- How the bank tells of money that arrived, where it does not tell of it well.
ALTER TABLE sandbox_transfers
    ADD COLUMN line_bare boolean NOT NULL DEFAULT false,       -- the statement's line names no reference
    ADD COLUMN line_sessionless boolean NOT NULL DEFAULT false, -- nor a session
    ADD COLUMN line_number text NOT NULL DEFAULT '',           -- and a number of the statement's own, where there is one
    ADD COLUMN line_copies int NOT NULL DEFAULT 1,             -- how often the statement has it
    ADD COLUMN line_at timestamptz,                            -- the statement has it from then on
    ADD COLUMN asked_at timestamptz,                           -- the query knows of it from then on
    ADD COLUMN hook_bare boolean NOT NULL DEFAULT false;       -- the webhook names no reference
ALTER TABLE sandbox_charges
    ADD COLUMN line_bare boolean NOT NULL DEFAULT false,
    ADD COLUMN line_copies int NOT NULL DEFAULT 1,
    ADD COLUMN line_at timestamptz,
    ADD COLUMN asked_at timestamptz,
    ADD COLUMN hook_bare boolean NOT NULL DEFAULT false;

-- How the bank answers who asks about an account before it orders a payout: the first time only.
ALTER TABLE sandbox_manners
    ADD COLUMN first_missing boolean NOT NULL DEFAULT false,   -- it knows of no such account
    ADD COLUMN first_hold_ms bigint NOT NULL DEFAULT 0;        -- and takes so long to say so

-- +goose Down
ALTER TABLE sandbox_manners DROP COLUMN first_missing, DROP COLUMN first_hold_ms;
ALTER TABLE sandbox_charges DROP COLUMN line_bare, DROP COLUMN line_copies, DROP COLUMN line_at, DROP COLUMN asked_at, DROP COLUMN hook_bare;
ALTER TABLE sandbox_transfers DROP COLUMN line_bare, DROP COLUMN line_sessionless, DROP COLUMN line_number, DROP COLUMN line_copies, DROP COLUMN line_at,
    DROP COLUMN asked_at, DROP COLUMN hook_bare;
