-- +goose Up

-- What one of our staff proposes to do with a member's account, and why: to which address it goes, of an account that is
-- given back. What was decided of it the ledger says.
CREATE TABLE remedies (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES accounts (id),
    email text CHECK (length(email) BETWEEN 3 AND 320),
    reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 4000),
    proposed_at timestamptz NOT NULL,
    given_at timestamptz,
    ended_at timestamptz
);
CREATE INDEX remedies_open ON remedies (proposed_at) WHERE ended_at IS NULL;
CREATE INDEX remedies_user ON remedies (user_id);
CREATE INDEX earlier_emails_email ON earlier_emails (email);

-- When the recovery codes were made; null for those that were made before this column was there.
ALTER TABLE recovery_codes ADD COLUMN made_at timestamptz;

-- +goose Down
ALTER TABLE recovery_codes DROP COLUMN made_at;
DROP INDEX earlier_emails_email;
DROP TABLE remedies;
