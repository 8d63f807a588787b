-- +goose Up
CREATE TABLE people (
    id uuid PRIMARY KEY,
    master bytea,          -- which master key wraps the data key
    wrapped bytea,         -- null once the data key is destroyed
    avatar uuid,           -- the file that others may see
    closed_at timestamptz, -- when the account was closed
    destroyed_at timestamptz
);

CREATE TABLE records (
    person uuid NOT NULL REFERENCES people (id),
    field text NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (person, field)
);

CREATE TABLE bvns (
    mac bytea PRIMARY KEY CHECK (length(mac) = 32),
    person uuid NOT NULL UNIQUE REFERENCES people (id)
);

-- Checks of BVNs, one row a try.
CREATE TABLE checks (
    id uuid PRIMARY KEY,
    person uuid NOT NULL REFERENCES people (id),
    began_at timestamptz NOT NULL,
    asked_at timestamptz NOT NULL, -- when the bank was last asked
    ended_at timestamptz,
    customer text NOT NULL DEFAULT '' -- the gateway's name for the person
);
CREATE INDEX checks_customer ON checks (customer) WHERE customer <> '';
CREATE INDEX checks_person ON checks (person, began_at);
CREATE INDEX checks_open ON checks (asked_at) WHERE ended_at IS NULL;

CREATE TABLE guardian_links (
    token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    person uuid NOT NULL REFERENCES people (id),
    request uuid NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX guardian_links_person ON guardian_links (person);

CREATE TABLE files (
    id uuid PRIMARY KEY,
    person uuid NOT NULL REFERENCES people (id),
    kind text NOT NULL CHECK (kind IN ('profile', 'document')),
    content_type text NOT NULL,
    bytes int NOT NULL CHECK (bytes > 0),
    kept boolean NOT NULL DEFAULT false, -- an avatar or a document in use; the rest is swept
    created_at timestamptz NOT NULL,
    sealed bytea NOT NULL
);
CREATE INDEX files_person ON files (person);
CREATE INDEX files_loose ON files (created_at) WHERE NOT kept;

-- How far the letters about notifications have come.
CREATE TABLE letters (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    position bigint NOT NULL
);

-- +goose Down
DROP TABLE letters;
DROP TABLE files;
DROP TABLE guardian_links;
DROP TABLE checks;
DROP TABLE bvns;
DROP TABLE records;
DROP TABLE people;
