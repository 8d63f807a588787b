-- +goose Up

-- When the bank is asked about a payout, and what it said. It is bookkeeping of the asking, not a fact of the ledger.
CREATE TABLE payout_asks (
    withdrawal_id text PRIMARY KEY,
    tries         integer NOT NULL DEFAULT 0,
    asked_at      timestamptz,
    next_at       timestamptz,                -- null: no more
    unknown_since timestamptz,                -- since when the bank says that it knows of none
    answer        text NOT NULL DEFAULT ''
);
CREATE INDEX payout_asks_due ON payout_asks (next_at);
