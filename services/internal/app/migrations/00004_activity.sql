-- +goose Up

-- The statements that were issued, to hold a paper against. Whose it is stands as an opaque id alone.
CREATE TABLE statements_issued (
    code         text PRIMARY KEY,
    user_id      text NOT NULL,
    from_day     date NOT NULL,
    to_day       date NOT NULL,
    opening_kobo bigint NOT NULL,
    closing_kobo bigint NOT NULL,
    in_kobo      bigint NOT NULL,
    out_kobo     bigint NOT NULL,
    movements    integer NOT NULL,
    position     bigint NOT NULL,
    issued_at    timestamptz NOT NULL,
    sha256       bytea NOT NULL
);

-- When a standing order's day was last tried in vain. It spares tries; what is paid is the ledger's to say.
CREATE TABLE standing_tries (
    order_id text PRIMARY KEY,
    day      text NOT NULL,
    tried_at timestamptz NOT NULL
);
CREATE INDEX ON standing_tries (tried_at);
