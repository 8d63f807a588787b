-- +goose Up
-- The devices that somebody has shown who they are on, by the hash of a secret that only the device has.
CREATE TABLE known_devices (
    user_id uuid NOT NULL REFERENCES accounts (id),
    secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
    logged_in boolean NOT NULL,
    seen_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, secret_hash)
);
CREATE INDEX known_devices_secret ON known_devices (secret_hash);
CREATE INDEX known_devices_seen ON known_devices (seen_at);

ALTER TABLE accounts ADD COLUMN warned_at timestamptz;

-- Each sign-up of an address that is not verified yet stands beside the others, with its own link.
ALTER TABLE email_links
    ADD COLUMN mailed boolean NOT NULL DEFAULT true,
    ADD COLUMN password text,
    ADD COLUMN first_name text,
    ADD COLUMN last_name text,
    ADD COLUMN phone text,
    ADD COLUMN date_of_birth date;
UPDATE email_links l SET password = a.password, first_name = a.first_name, last_name = a.last_name, phone = a.phone, date_of_birth = a.date_of_birth
FROM accounts a WHERE a.id = l.user_id AND a.email_verified_at IS NULL AND l.purpose = 'VERIFY_EMAIL' AND l.spent_at IS NULL;

-- +goose Down
ALTER TABLE email_links DROP COLUMN mailed, DROP COLUMN password, DROP COLUMN first_name, DROP COLUMN last_name, DROP COLUMN phone, DROP COLUMN date_of_birth;
ALTER TABLE accounts DROP COLUMN warned_at;
DROP TABLE known_devices;
