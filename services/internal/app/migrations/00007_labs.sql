-- +goose Up
-- What Support tried out in a case: what was taken to have been otherwise. It is no fact of the ledger.
CREATE TABLE case_labs (
    id      uuid        PRIMARY KEY, -- Of the case and what was tried, so that the same is kept once.
    case_id text        NOT NULL,
    at      timestamptz NOT NULL,
    lab     jsonb       NOT NULL
);
CREATE INDEX case_labs_of ON case_labs (case_id, at DESC);
