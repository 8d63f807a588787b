-- +goose Up
-- The payments that officials are to be written about, added up, and how far they were, and when they are again.
CREATE TABLE payment_digests (
    user_id text NOT NULL, group_id text NOT NULL, sub_account_id text NOT NULL, payments bigint NOT NULL, kobo bigint NOT NULL,
    first_pos bigint NOT NULL, last_pos bigint NOT NULL, gathered_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, group_id, sub_account_id)
);
CREATE TABLE payment_digest (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    position bigint NOT NULL,
    next_at timestamptz NOT NULL
);

-- +goose Down
DROP TABLE payment_digest;
DROP TABLE payment_digests;
