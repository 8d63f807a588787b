-- +goose Up

-- One row: the order of everything, and the fence. Whoever appends holds its lock, so positions are handed out in
-- commit order and without a gap. writer is the process that appended last: another one's memory is then stale.
CREATE TABLE ledger_head (
    one         boolean     PRIMARY KEY DEFAULT true CHECK (one),
    epoch       integer     NOT NULL,
    pos         bigint      NOT NULL,
    writer      bigint      NOT NULL,
    recorded_at timestamptz NOT NULL
) WITH (fillfactor = 10);
INSERT INTO ledger_head (epoch, pos, writer, recorded_at) VALUES (1, 0, 0, '1970-01-01 00:00:00Z');

-- Each line of an event's double entry is accounts[i], amounts[i] (kobo, a credit positive) and balances[i], the
-- account's balance after it. The lines live in the event's own row so that one constraint can hold them in balance.
CREATE TABLE events (
    pos          bigint      PRIMARY KEY,
    stream       text        COLLATE "C" NOT NULL,
    version      bigint      NOT NULL CHECK (version > 0),
    type         text        COLLATE "C" NOT NULL,
    command      uuid        NOT NULL,
    seq          smallint    NOT NULL,
    command_hash bytea       NOT NULL,
    actor        text        COLLATE "C" NOT NULL,
    correlation  text        COLLATE "C" NOT NULL,
    effective_at timestamptz NOT NULL,
    recorded_at  timestamptz NOT NULL,
    body         bytea       NOT NULL,
    accounts     text[]      COLLATE "C" NOT NULL,
    amounts      bigint[]    NOT NULL,
    balances     bigint[]    NOT NULL,
    leaf         bytea       NOT NULL,
    CONSTRAINT events_stream_version UNIQUE (stream, version),
    CONSTRAINT events_command UNIQUE (command, seq),
    CONSTRAINT events_lines CHECK (cardinality(accounts) = cardinality(amounts)
        AND cardinality(accounts) = cardinality(balances) AND cardinality(accounts) <= 8),
    CONSTRAINT events_balanced CHECK (coalesce(amounts[1], 0) + coalesce(amounts[2], 0) + coalesce(amounts[3], 0)
        + coalesce(amounts[4], 0) + coalesce(amounts[5], 0) + coalesce(amounts[6], 0) + coalesce(amounts[7], 0)
        + coalesce(amounts[8], 0) = 0)
);

-- The balance of each account now. Floored accounts, what the house owes its members, never fall below zero.
CREATE TABLE ledger_accounts (
    account text    COLLATE "C" PRIMARY KEY,
    balance bigint  NOT NULL,
    floored boolean NOT NULL,
    CONSTRAINT ledger_accounts_floor CHECK (NOT floored OR balance >= 0)
) WITH (fillfactor = 50);

-- Refusals of commands that came with a key: the same key gets the same answer for ever.
CREATE TABLE refusals (
    command      uuid        PRIMARY KEY,
    command_hash bytea       NOT NULL,
    code         text        NOT NULL,
    message      text        NOT NULL,
    field        text        NOT NULL,
    recorded_at  timestamptz NOT NULL
);

-- Takes the head's lock if the ledger still ends where the caller believes (else AD001), and if none of the keyed
-- commands was refused before, nor any that is refused now recorded before (else AD002).
-- +goose StatementBegin
CREATE FUNCTION ledger_lock(expected_pos bigint, expected_writer bigint, keyed uuid[], refused uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM ledger_head WHERE pos = expected_pos AND writer = expected_writer FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'another process has written since' USING ERRCODE = 'AD001';
    END IF;
    IF EXISTS (SELECT FROM refusals WHERE command = ANY (keyed)) OR EXISTS (SELECT FROM events WHERE command = ANY (refused)) THEN
        RAISE EXCEPTION 'a command came before' USING ERRCODE = 'AD002';
    END IF;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION events_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'events are never changed or removed';
END $$;
-- +goose StatementEnd
CREATE TRIGGER events_final BEFORE UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION events_are_final();
CREATE TRIGGER events_kept BEFORE TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION events_are_final();
