-- +goose Up

-- The authenticator app that a member removed last, for as long as a letter's link may bring it back.
CREATE TABLE removed_totp (
    user_id uuid PRIMARY KEY REFERENCES accounts (id),
    secret bytea NOT NULL,
    begun_at timestamptz NOT NULL,
    enabled_at timestamptz NOT NULL,
    last_step bigint NOT NULL,
    removed_at timestamptz NOT NULL
);
CREATE INDEX removed_totp_removed ON removed_totp (removed_at);

-- +goose Down
DROP TABLE removed_totp;
