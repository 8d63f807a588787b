-- +goose Up

-- Links that undo a change carry the address that they were sent to.
ALTER TABLE email_links DROP CONSTRAINT email_links_purpose_check, DROP CONSTRAINT email_links_moves;
ALTER TABLE email_links
    ADD CONSTRAINT email_links_purpose_check CHECK (purpose IN ('VERIFY_EMAIL', 'RESET_PASSWORD', 'CHANGE_EMAIL', 'UNDO')),
    ADD CONSTRAINT email_links_moves CHECK ((purpose IN ('CHANGE_EMAIL', 'UNDO')) = (new_email IS NOT NULL));

-- The addresses that an account had before, and until when.
CREATE TABLE earlier_emails (
    user_id uuid NOT NULL REFERENCES accounts (id),
    email text NOT NULL CHECK (length(email) BETWEEN 3 AND 320),
    until timestamptz NOT NULL,
    PRIMARY KEY (user_id, email)
);

-- +goose Down
DROP TABLE earlier_emails;
DELETE FROM email_links WHERE purpose = 'UNDO';
ALTER TABLE email_links DROP CONSTRAINT email_links_purpose_check, DROP CONSTRAINT email_links_moves;
ALTER TABLE email_links
    ADD CONSTRAINT email_links_purpose_check CHECK (purpose IN ('VERIFY_EMAIL', 'RESET_PASSWORD', 'CHANGE_EMAIL')),
    ADD CONSTRAINT email_links_moves CHECK ((purpose = 'CHANGE_EMAIL') = (new_email IS NOT NULL));
