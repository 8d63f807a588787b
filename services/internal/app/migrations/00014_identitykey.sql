-- +goose Up

-- What the identity key makes of a fixed text: a start with another key is refused.
CREATE TABLE identity_key (
    one  boolean PRIMARY KEY DEFAULT true CHECK (one),
    mark bytea NOT NULL
);

-- +goose Down
DROP TABLE identity_key;
