-- +goose Up

-- What was committed to beside proofs of reserves. It is made from the ledger's accounts at a position; nothing is decided
-- from it. The salts are nowhere: they come from a key that is not in the database.
CREATE TABLE liabilities (
    id        uuid PRIMARY KEY, -- of the reconciliation
    position  bigint NOT NULL,
    root      bytea NOT NULL,
    sum_kobo  bigint NOT NULL,
    leaves    bigint NOT NULL,
    key_id    text NOT NULL,
    made_at   timestamptz NOT NULL,
    pos       bigint            -- of the event that says so; null until it is recorded
);

-- What the accounts of the latest held, and into how many leaves each is split.
CREATE TABLE liability_accounts (
    id      uuid NOT NULL REFERENCES liabilities ON DELETE CASCADE,
    account text COLLATE "C" NOT NULL,
    kobo    bigint NOT NULL,
    parts   smallint NOT NULL,
    PRIMARY KEY (id, account)
);

-- The nodes of every eighth level of their trees, up to 256 in a row.
CREATE TABLE liability_tiles (
    id    uuid NOT NULL REFERENCES liabilities ON DELETE CASCADE,
    level smallint NOT NULL,
    n     bigint NOT NULL,
    last  bytea NOT NULL, -- the hash of the last node
    nodes bytea NOT NULL,
    PRIMARY KEY (id, level, n)
);
CREATE INDEX liability_tiles_last ON liability_tiles (id, last) WHERE level = 0;

-- +goose Down
DROP TABLE liability_tiles;
DROP TABLE liability_accounts;
DROP TABLE liabilities;
