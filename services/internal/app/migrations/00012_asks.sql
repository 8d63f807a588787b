-- +goose Up

-- How far banks and gateways have been asked about what was sent to them once, and what they said. It is bookkeeping of
-- the asking, not a fact of the ledger.
CREATE TABLE asks (
    kind          text NOT NULL,            -- 'payout' or 'card answer'
    id            text NOT NULL,
    tries         integer NOT NULL DEFAULT 0,
    asked_at      timestamptz,
    next_at       timestamptz,              -- null: no more
    unknown_since timestamptz,              -- since when they say that they know of none
    answer        text NOT NULL DEFAULT '',
    version       bigint NOT NULL DEFAULT 0, -- raised by every note
    PRIMARY KEY (kind, id)
);
CREATE INDEX asks_due ON asks (kind, next_at);
INSERT INTO asks (kind, id, tries, asked_at, next_at, unknown_since, answer)
    SELECT 'payout', withdrawal_id, tries, asked_at, next_at, unknown_since, answer FROM payout_asks
    UNION ALL SELECT 'card answer', answer_id, tries, NULL, next_at, waits_since, said FROM card_answer_asks;
DROP TABLE payout_asks;
DROP TABLE card_answer_asks;

-- +goose Down
CREATE TABLE payout_asks (
    withdrawal_id text PRIMARY KEY,
    tries         integer NOT NULL DEFAULT 0,
    asked_at      timestamptz,
    next_at       timestamptz,                -- null: no more
    unknown_since timestamptz,                -- since when the bank says that it knows of none
    answer        text NOT NULL DEFAULT ''
);
CREATE INDEX payout_asks_due ON payout_asks (next_at);
CREATE TABLE card_answer_asks (
    answer_id   text PRIMARY KEY,
    tries       integer NOT NULL DEFAULT 0,
    next_at     timestamptz NOT NULL,
    waits_since timestamptz,            -- since when the gateway says that it has no answer
    said        text NOT NULL DEFAULT ''
);
INSERT INTO payout_asks SELECT id, tries, asked_at, next_at, unknown_since, answer FROM asks WHERE kind = 'payout';
INSERT INTO card_answer_asks SELECT id, tries, next_at, unknown_since, answer FROM asks WHERE kind = 'card answer' AND next_at IS NOT NULL;
DROP TABLE asks;
