-- +goose Up

-- Accounts of which a job sees whether they are closed, and finishes that. A closing is put here before it is recorded.
-- The closing of any earlier account may have been cut short, so all of them are put here once.
CREATE TABLE closings (
    user_id uuid PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    begun_at timestamptz NOT NULL
);
INSERT INTO closings (user_id, begun_at) SELECT id, coalesce(email_verified_at, erased_at) FROM accounts WHERE email_verified_at IS NOT NULL OR erased_at IS NOT NULL;

-- +goose Down
DROP TABLE closings;
