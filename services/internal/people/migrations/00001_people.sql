-- +goose Up
CREATE TABLE accounts (
    id uuid PRIMARY KEY,
    email text NOT NULL UNIQUE CHECK (length(email) BETWEEN 3 AND 320),
    password text NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    phone text NOT NULL,
    date_of_birth date NOT NULL,
    roles text[] NOT NULL,
    email_verified_at timestamptz,
    created_at timestamptz NOT NULL
);

CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    user_id uuid NOT NULL REFERENCES accounts (id),
    created_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id, created_at);

CREATE TABLE email_links (
    token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    user_id uuid NOT NULL REFERENCES accounts (id),
    purpose text NOT NULL CHECK (purpose IN ('VERIFY_EMAIL')),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    spent_at timestamptz
);
CREATE INDEX email_links_user ON email_links (user_id, created_at);

-- +goose Down
DROP TABLE email_links;
DROP TABLE sessions;
DROP TABLE accounts;
