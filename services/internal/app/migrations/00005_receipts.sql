-- +goose Up

-- The receipts that were issued, to hold one against: what each says of its movement. Whose it is stands as an opaque id
-- alone.
CREATE TABLE receipts_issued (
    code        text PRIMARY KEY,
    user_id     text NOT NULL,
    movement_id uuid NOT NULL,
    title       text NOT NULL,
    group_name  text NOT NULL,
    kobo        bigint NOT NULL,
    incoming    boolean NOT NULL,
    at          timestamptz NOT NULL,
    reference   text NOT NULL,
    position    bigint NOT NULL,
    issued_at   timestamptz NOT NULL,
    sha256      bytea NOT NULL
);
CREATE INDEX ON receipts_issued (user_id, issued_at);
