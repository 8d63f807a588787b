-- +goose Up
CREATE TABLE sandbox_accounts (
    account_number text PRIMARY KEY,
    reference text NOT NULL UNIQUE,
    merchant text NOT NULL,
    amount bigint NOT NULL CHECK (amount > 0), -- kobo
    validation text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);

CREATE TABLE sandbox_transfers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session_id text NOT NULL UNIQUE,
    account_number text NOT NULL REFERENCES sandbox_accounts (account_number),
    amount bigint NOT NULL CHECK (amount > 0), -- kobo
    sender text NOT NULL,
    code text NOT NULL,
    sent_at timestamptz NOT NULL,   -- the bank's timestamp
    settles_at timestamptz NOT NULL -- pending until then
);
CREATE INDEX sandbox_transfers_account ON sandbox_transfers (account_number);

CREATE TABLE sandbox_charges (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    reference text NOT NULL UNIQUE,
    access_code text NOT NULL UNIQUE,
    email text NOT NULL,
    amount bigint NOT NULL CHECK (amount > 0), -- kobo
    fees bigint NOT NULL DEFAULT 0,            -- kobo
    callback_url text NOT NULL,
    status text NOT NULL CHECK (status IN ('abandoned', 'success', 'failed')),
    reason text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL,
    paid_at timestamptz
);

CREATE TABLE sandbox_webhooks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    rail text NOT NULL CHECK (rail IN ('vfd', 'paystack')),
    body bytea NOT NULL,
    attempts int NOT NULL DEFAULT 0,
    next_at timestamptz NOT NULL,
    done_at timestamptz,
    last_error text NOT NULL DEFAULT ''
);
CREATE INDEX sandbox_webhooks_due ON sandbox_webhooks (next_at) WHERE done_at IS NULL;

-- +goose Down
DROP TABLE sandbox_webhooks;
DROP TABLE sandbox_charges;
DROP TABLE sandbox_transfers;
DROP TABLE sandbox_accounts;
