-- +goose Up

-- The invitation that somebody signed up for: it waits with the sign-up until the address is verified.
ALTER TABLE email_links ADD COLUMN invited jsonb;

-- The invitations that a person came for and has neither used nor put aside.
CREATE TABLE kept_invitations (
    user_id uuid NOT NULL REFERENCES accounts (id),
    kind text NOT NULL CHECK (kind IN ('savings', 'ajo')),
    place uuid NOT NULL,
    code text NOT NULL CHECK (length(code) <= 64),
    kept_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, kind, place)
);

-- +goose Down
DROP TABLE kept_invitations;
ALTER TABLE email_links DROP COLUMN invited;
