-- +goose Up

-- The members whose bank account of before a moment a job puts back: they spent a letter's link.
CREATE TABLE bank_restores (
    user_id uuid NOT NULL REFERENCES accounts (id),
    since timestamptz NOT NULL,
    PRIMARY KEY (user_id, since)
);

-- +goose Down
DROP TABLE bank_restores;
