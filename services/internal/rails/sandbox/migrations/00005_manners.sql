-- +goose Up
-- How payouts to an account go wrong; the row of no account is for all others.
CREATE TABLE sandbox_manners (
    account_number text PRIMARY KEY,
    delay_ms bigint NOT NULL DEFAULT 0,      -- pending for so long
    code text NOT NULL DEFAULT '00',         -- the outcome
    answer text NOT NULL DEFAULT 'plain' CHECK (answer IN ('plain', 'silent', 'lost', 'xml')),
    hold_ms bigint NOT NULL DEFAULT 0,       -- how long the answer to the order takes
    twice boolean NOT NULL DEFAULT false,    -- webhooks come twice
    reverse_ms bigint NOT NULL DEFAULT -1,   -- sent back so long after it settled; never when negative
    dead_until timestamptz                   -- answers nobody until then
);

ALTER TABLE sandbox_payouts
    ADD COLUMN orders int NOT NULL DEFAULT 1,    -- how often the same was ordered: more than once is the caller's fault
    ADD COLUMN twice boolean NOT NULL DEFAULT false,
    ADD COLUMN reverses_at timestamptz;          -- when the receiving bank will send it back

CREATE TABLE sandbox_recipients (
    code text PRIMARY KEY,
    account_number text NOT NULL,
    bank_code text NOT NULL,
    account_name text NOT NULL,
    UNIQUE (account_number, bank_code)
);

-- +goose Down
DROP TABLE sandbox_recipients;
ALTER TABLE sandbox_payouts DROP COLUMN orders, DROP COLUMN twice, DROP COLUMN reverses_at;
DROP TABLE sandbox_manners;
