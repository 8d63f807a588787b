-- +goose Up

-- When a gateway is asked about an answer to the bank of a card, and what it said. It is bookkeeping of the asking, not a
-- fact of the ledger.
CREATE TABLE card_answer_asks (
    answer_id   text PRIMARY KEY,
    tries       integer NOT NULL DEFAULT 0,
    next_at     timestamptz NOT NULL,
    waits_since timestamptz,            -- since when the gateway says that it has no answer
    said        text NOT NULL DEFAULT ''
);

-- +goose Down
DROP TABLE card_answer_asks;
