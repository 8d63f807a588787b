-- +goose Up
-- Sessions of before have no second secret: they end, and people log in again.
DELETE FROM sessions;
ALTER TABLE sessions
    ADD COLUMN secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
    ADD COLUMN device text NOT NULL CHECK (length(device) <= 60),
    ADD COLUMN stepped_up_until timestamptz;

ALTER TABLE accounts ALTER COLUMN date_of_birth DROP NOT NULL;
ALTER TABLE accounts ADD COLUMN erased_at timestamptz;

ALTER TABLE email_links DROP CONSTRAINT email_links_purpose_check;
ALTER TABLE email_links
    ADD CONSTRAINT email_links_purpose_check CHECK (purpose IN ('VERIFY_EMAIL', 'RESET_PASSWORD', 'CHANGE_EMAIL')),
    ADD COLUMN new_email text CHECK (length(new_email) BETWEEN 3 AND 320),
    ADD CONSTRAINT email_links_moves CHECK ((purpose = 'CHANGE_EMAIL') = (new_email IS NOT NULL));
CREATE INDEX email_links_expires ON email_links (expires_at);

-- The descriptions of devices that an account was ever logged in from.
CREATE TABLE devices (
    user_id uuid NOT NULL REFERENCES accounts (id),
    device text NOT NULL,
    first_seen_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, device)
);

-- The secret is sealed. last_step is the newest 30-second step whose code was used.
CREATE TABLE totp (
    user_id uuid PRIMARY KEY REFERENCES accounts (id),
    secret bytea NOT NULL,
    begun_at timestamptz NOT NULL,
    enabled_at timestamptz,
    last_step bigint NOT NULL DEFAULT 0
);

CREATE TABLE recovery_codes (
    user_id uuid NOT NULL REFERENCES accounts (id),
    code_hash bytea NOT NULL CHECK (length(code_hash) = 32),
    spent_at timestamptz,
    PRIMARY KEY (user_id, code_hash)
);

-- Tries at passwords and codes since the last right one, by a keyed hash of what was tried at.
CREATE TABLE tries (
    key_hash bytea PRIMARY KEY CHECK (length(key_hash) = 32),
    taken int NOT NULL,
    tried_at timestamptz NOT NULL,
    next_at timestamptz NOT NULL
);
CREATE INDEX tries_tried ON tries (tried_at);

-- +goose Down
DROP TABLE tries;
DROP TABLE recovery_codes;
DROP TABLE totp;
DROP TABLE devices;
DELETE FROM email_links WHERE purpose <> 'VERIFY_EMAIL';
ALTER TABLE email_links DROP COLUMN new_email, DROP CONSTRAINT email_links_purpose_check;
ALTER TABLE email_links ADD CONSTRAINT email_links_purpose_check CHECK (purpose IN ('VERIFY_EMAIL'));
DROP INDEX email_links_expires;
UPDATE accounts SET date_of_birth = '1900-01-01' WHERE date_of_birth IS NULL;
ALTER TABLE accounts DROP COLUMN erased_at;
ALTER TABLE accounts ALTER COLUMN date_of_birth SET NOT NULL;
ALTER TABLE sessions DROP COLUMN secret_hash, DROP COLUMN device, DROP COLUMN stepped_up_until;
