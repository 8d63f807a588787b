-- +goose Up
-- What a person has got ready for a dispute of theirs and not sent: words, and documents that were uploaded. Sealed
-- under their key; nobody else sees it. The ids of the files stand beside it, so that they are not swept away.
CREATE TABLE drafts (
    person   uuid        NOT NULL REFERENCES people (id),
    about    uuid        NOT NULL,
    saved_at timestamptz NOT NULL,
    files    uuid[]      NOT NULL,
    sealed   bytea       NOT NULL,
    PRIMARY KEY (person, about)
);
CREATE INDEX ON drafts (saved_at);

-- +goose Down
DROP TABLE drafts;
