-- +goose Up

-- The RFC 6962 tree over all events, as tiles of height 8: tile (level, n) holds the hashes at height 8 × level from
-- offset 256 × n on, 32 bytes each. Leaf i is the event at position i + 1. Only the last tile of a level is ever
-- updated, and only to grow. Hashes do not compress, so Postgres need not try.
CREATE TABLE ledger_tiles (
    level  smallint NOT NULL CHECK (level BETWEEN 0 AND 7),
    n      bigint   NOT NULL CHECK (n >= 0),
    width  smallint NOT NULL CHECK (width BETWEEN 1 AND 256),
    hashes bytea    NOT NULL CHECK (octet_length(hashes) = 32 * width),
    PRIMARY KEY (level, n)
);
ALTER TABLE ledger_tiles ALTER COLUMN hashes SET STORAGE EXTERNAL;

-- Every signed checkpoint; note is its signed text, which alone is to be believed.
CREATE TABLE ledger_checkpoints (
    size      bigint      PRIMARY KEY CHECK (size > 0),
    epoch     integer     NOT NULL,
    root      bytea       NOT NULL CHECK (octet_length(root) = 32),
    note      text        COLLATE "C" NOT NULL,
    sealed_at timestamptz NOT NULL
);

-- +goose StatementBegin
CREATE FUNCTION ledger_proofs_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is never changed or removed', TG_TABLE_NAME;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION ledger_tiles_only_grow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.level, NEW.n) IS DISTINCT FROM (OLD.level, OLD.n) OR NEW.width <= OLD.width
        OR substr(NEW.hashes, 1, octet_length(OLD.hashes)) <> OLD.hashes THEN
        RAISE EXCEPTION 'a tile only grows';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd

CREATE TRIGGER ledger_tiles_grow BEFORE UPDATE ON ledger_tiles FOR EACH ROW EXECUTE FUNCTION ledger_tiles_only_grow();
CREATE TRIGGER ledger_tiles_final BEFORE DELETE ON ledger_tiles FOR EACH ROW EXECUTE FUNCTION ledger_proofs_are_final();
CREATE TRIGGER ledger_tiles_kept BEFORE TRUNCATE ON ledger_tiles FOR EACH STATEMENT EXECUTE FUNCTION ledger_proofs_are_final();
CREATE TRIGGER ledger_checkpoints_final BEFORE UPDATE OR DELETE ON ledger_checkpoints FOR EACH ROW EXECUTE FUNCTION ledger_proofs_are_final();
CREATE TRIGGER ledger_checkpoints_kept BEFORE TRUNCATE ON ledger_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION ledger_proofs_are_final();
