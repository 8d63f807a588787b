-- +goose Up
-- What people wrote about a member's dispute, sealed under that member's key: the member's own words, and Support's.
CREATE TABLE papers (
    id         uuid        PRIMARY KEY,
    person     uuid        NOT NULL REFERENCES people (id),
    created_at timestamptz NOT NULL,
    sealed     bytea       NOT NULL
);
CREATE INDEX ON papers (person);

-- +goose Down
DROP TABLE papers;
