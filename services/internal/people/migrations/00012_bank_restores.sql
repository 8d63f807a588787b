-- +goose Up

-- Whose bank account is to be put back to that of before a moment, because a letter's link was spent.
CREATE TABLE bank_restores (
    user_id uuid NOT NULL REFERENCES accounts (id),
    since timestamptz NOT NULL,
    PRIMARY KEY (user_id, since)
);

-- +goose Down
DROP TABLE bank_restores;
