-- +goose Up

-- What witnesses signed of the ledger's checkpoints. It is evidence about the ledger and no event of it: thousands a day
-- of which each says all that those before it did.
CREATE TABLE witness_cosignatures (
    public_key bytea NOT NULL,                -- Ed25519
    name       text NOT NULL,                 -- of an outsider; empty for a member's device
    user_id    text NOT NULL,                 -- whose device it is; empty for an outsider
    origin     text NOT NULL,
    size       bigint NOT NULL,
    root       bytea NOT NULL,
    signature  bytea NOT NULL,                -- its time, and the signature
    kept_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (public_key, origin, size, root)
);
CREATE INDEX witness_cosignatures_of ON witness_cosignatures (origin, size);
CREATE INDEX witness_cosignatures_by ON witness_cosignatures (user_id);

-- +goose Down
DROP TABLE witness_cosignatures;
