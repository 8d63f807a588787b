-- +goose Up

-- Members who used the link of a letter. A job gives each the bank account back that they had at that moment.
CREATE TABLE bank_restores (
    user_id uuid NOT NULL REFERENCES accounts (id),
    since timestamptz NOT NULL,
    PRIMARY KEY (user_id, since)
);

-- +goose Down
DROP TABLE bank_restores;
