-- +goose Up
-- Money that the bank was told to send out of our pool, by either dialect.
CREATE TABLE sandbox_payouts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    rail text NOT NULL CHECK (rail IN ('vfd', 'paystack')),
    reference text NOT NULL,
    session_id text NOT NULL UNIQUE,
    account_number text NOT NULL,
    bank_code text NOT NULL,
    account_name text NOT NULL,
    amount bigint NOT NULL CHECK (amount > 0), -- kobo
    fee bigint NOT NULL DEFAULT 0,             -- kobo, taken from the pool beside the amount
    code text NOT NULL,                        -- the outcome once it settled: 00 left the pool
    remark text NOT NULL DEFAULT '',
    sent_at timestamptz NOT NULL,
    settles_at timestamptz NOT NULL,           -- pending until then
    reversed_at timestamptz,                   -- the receiving bank sent it back
    UNIQUE (rail, reference)
);

-- +goose Down
DROP TABLE sandbox_payouts;
