-- +goose Up

-- What a payer chose for a card payment: that the card is kept, and when a saved one was charged.
CREATE TABLE payment_cards (
    payment_id text PRIMARY KEY,
    keep       boolean NOT NULL,
    charged_at timestamptz
);

-- What holding the ledger against the banks came to. Amounts inside are whole kobo.
CREATE TABLE reconciliations (
    id          uuid PRIMARY KEY, -- of version 7: in order of time
    started_at  timestamptz NOT NULL,
    finished_at timestamptz NOT NULL,
    trigger     text NOT NULL CHECK (trigger IN ('DAILY', 'ON_DEMAND')),
    balanced    boolean NOT NULL,
    problem     text NOT NULL,
    reserves    jsonb NOT NULL,
    items       jsonb NOT NULL,
    oldest      timestamptz -- of what stays open
);

-- +goose Down
DROP TABLE reconciliations;
DROP TABLE payment_cards;
