-- +goose Up

-- Cards that people agreed to keep: what they are charged by, and what is shown of them, sealed together.
CREATE TABLE cards (
    id uuid PRIMARY KEY,
    person uuid NOT NULL REFERENCES people (id),
    mac bytea NOT NULL CHECK (length(mac) = 32), -- of the token: one card is kept once
    kept_at timestamptz NOT NULL,
    sealed bytea NOT NULL,
    UNIQUE (person, mac)
);

-- +goose Down
DROP TABLE cards;
