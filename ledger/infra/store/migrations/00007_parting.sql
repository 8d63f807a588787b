-- +goose Up

-- Histories part when the stream or the checkpoint file tells of events that this database does not hold, as after a
-- restore to an earlier time. Nothing is appended then until an operator has raised the epoch: an account may hold more
-- here than it did, and what was paid out might be paid again.
ALTER TABLE ledger_gate
    ADD COLUMN parted        text        NOT NULL DEFAULT '', -- Why nothing is appended; empty while it may be.
    ADD COLUMN parted_at     timestamptz,
    ADD COLUMN parted_from   bigint      NOT NULL DEFAULT 0,  -- The last position that both have, as the stream tells.
    ADD COLUMN parted_stream bigint      NOT NULL DEFAULT 0,  -- The last position in the stream.
    ADD COLUMN parted_next   integer     NOT NULL DEFAULT 0;  -- The first epoch that has no stream; 0 when nobody looked.

-- The statement that an epoch began, as the ledger's key signed it; empty until it is acknowledged. Only the one in the
-- checkpoint file counts.
ALTER TABLE ledger_epochs
    ADD COLUMN statement text NOT NULL DEFAULT '',
    ADD COLUMN told_at   timestamptz; -- When those whose records were lost had been told.

-- Stops appends, if the ledger is still in the epoch that was looked at. Only raising the epoch lets them go on.
-- +goose StatementBegin
CREATE FUNCTION ledger_part(seen_epoch integer, why text, from_pos bigint, stream_last bigint, next_epoch integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE ledger_gate SET parted = why, parted_at = now(), parted_from = from_pos, parted_stream = stream_last, parted_next = next_epoch
        WHERE epoch = seen_epoch AND (parted = '' OR parted_next = 0 AND next_epoch > 0);
    RETURN FOUND;
END $$;
-- +goose StatementEnd

-- Takes the lock if the ledger still ends with the event that the caller believes (else AD001), if its history has not
-- parted (else AD004), and if none of the commands that are refused now was recorded before (else AD002).
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION ledger_lock(last_pos bigint, last_leaf bytea, refused uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    why text;
BEGIN
    SELECT parted INTO why FROM ledger_gate FOR UPDATE;
    IF why <> '' THEN
        RAISE EXCEPTION '%', why USING ERRCODE = 'AD004';
    END IF;
    IF EXISTS (SELECT FROM events WHERE pos = last_pos + 1)
        OR last_pos > 0 AND NOT EXISTS (SELECT FROM events WHERE pos = last_pos AND leaf = last_leaf) THEN
        RAISE EXCEPTION 'another process has written since' USING ERRCODE = 'AD001';
    END IF;
    IF cardinality(refused) > 0 AND EXISTS (SELECT FROM commands WHERE command = ANY (refused)) THEN
        RAISE EXCEPTION 'a command came before' USING ERRCODE = 'AD002';
    END IF;
END $$;
-- +goose StatementEnd

-- What every account held after a position, taken when the events up to it were detached. What counts is the digest of
-- it that the ledger's key signed, in the checkpoint file.
CREATE TABLE ledger_closings (
    pos     bigint NOT NULL,
    account text   COLLATE "C" NOT NULL,
    balance bigint NOT NULL,
    PRIMARY KEY (pos, account)
);
-- The statements about them, for the checkpoint files of other processes; see ledger_epochs.statement.
CREATE TABLE ledger_closed (
    pos       bigint PRIMARY KEY,
    statement text   NOT NULL
);
-- +goose StatementBegin
CREATE FUNCTION ledger_closings_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'closing balances are never changed or removed';
END $$;
-- +goose StatementEnd
CREATE TRIGGER ledger_closings_final BEFORE UPDATE OR DELETE ON ledger_closings FOR EACH ROW EXECUTE FUNCTION ledger_closings_are_final();
CREATE TRIGGER ledger_closings_kept BEFORE TRUNCATE ON ledger_closings FOR EACH STATEMENT EXECUTE FUNCTION ledger_closings_are_final();
