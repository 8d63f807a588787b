-- +goose Up

-- Where each command's events are, or events = 0 for one that was refused: a command comes to one thing, once.
CREATE TABLE commands (
    command uuid     PRIMARY KEY,
    pos     bigint   NOT NULL,
    events  smallint NOT NULL
);
INSERT INTO commands SELECT command, min(pos), count(*) FROM events GROUP BY command;
INSERT INTO commands SELECT command, 0, 0 FROM refusals;

-- Events live in partitions by position, so that old ones can be detached and kept elsewhere. Each partition has its
-- own unique index of (stream, version).
CREATE TABLE ledger_partitions (
    name     text   COLLATE "C" PRIMARY KEY,
    from_pos bigint NOT NULL,
    to_pos   bigint NOT NULL, -- The first position that is not in it.
    CHECK (from_pos < to_pos)
);

DROP TRIGGER events_final ON events;
DROP TRIGGER events_kept ON events;
ALTER TABLE events DROP CONSTRAINT events_command;
ALTER TABLE events RENAME TO events_before;
ALTER TABLE events_before RENAME CONSTRAINT events_pkey TO events_before_pkey;
ALTER TABLE events_before RENAME CONSTRAINT events_stream_version TO events_before_stream_version;
CREATE TABLE events (LIKE events_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS, PRIMARY KEY (pos)) PARTITION BY RANGE (pos);
CREATE TRIGGER events_final BEFORE UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION events_are_final();
CREATE TRIGGER events_kept BEFORE TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION events_are_final();

-- Adopts a table of events as the partition [from_pos, to_pos).
-- +goose StatementBegin
CREATE FUNCTION ledger_adopt(partition text, first bigint, beyond bigint) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', partition, first, beyond);
    EXECUTE format('CREATE OR REPLACE TRIGGER events_kept BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION events_are_final()', partition);
    INSERT INTO ledger_partitions (name, from_pos, to_pos) VALUES (partition, first, beyond)
        ON CONFLICT (name) DO NOTHING;
END $$;
-- +goose StatementEnd

-- Makes sure that there is a partition for every position up to one, each width positions wide, and answers the last
-- position that has one.
-- +goose StatementBegin
CREATE FUNCTION ledger_extend(upto bigint, width bigint) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    beyond bigint;
    partition text;
BEGIN
    SELECT max(to_pos) INTO beyond FROM ledger_partitions;
    IF beyond > upto THEN
        RETURN beyond - 1;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('adashi partitions ' || current_schema()));
    LOOP
        SELECT coalesce(max(to_pos), 1) INTO beyond FROM ledger_partitions;
        IF beyond > upto THEN
            RETURN beyond - 1;
        END IF;
        SELECT 'events_' || lpad((count(*) + 1)::text, 6, '0') INTO partition FROM ledger_partitions;
        EXECUTE format('CREATE TABLE %I (LIKE events INCLUDING DEFAULTS INCLUDING CONSTRAINTS, PRIMARY KEY (pos), UNIQUE (stream, version),
            CHECK (pos >= %s AND pos < %s))', partition, beyond, beyond + width);
        PERFORM ledger_adopt(partition, beyond, beyond + width);
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
DECLARE
    last bigint;
BEGIN
    SELECT max(pos) INTO last FROM events_before;
    IF last IS NULL THEN
        DROP TABLE events_before;
    ELSE
        ALTER TABLE events_before RENAME TO events_000001;
        EXECUTE format('ALTER TABLE events_000001 ADD CHECK (pos >= 1 AND pos < %s)', last + 1);
        PERFORM ledger_adopt('events_000001', 1, last + 1);
    END IF;
END $$;
-- +goose StatementEnd

-- A stream's state as a version of its fold came to, so that a long stream need not be folded from its beginning.
-- What is decided never depends on one being there.
CREATE TABLE snapshots (
    stream  text    COLLATE "C" NOT NULL,
    fold    integer NOT NULL,
    version bigint  NOT NULL,
    state   bytea   NOT NULL,
    PRIMARY KEY (stream, fold)
);

-- Takes the head's lock if the ledger still ends where the caller believes (else AD001), and if none of the commands
-- that are refused now was recorded before (else AD002).
DROP FUNCTION ledger_lock(bigint, bigint, uuid[], uuid[]);
-- +goose StatementBegin
CREATE FUNCTION ledger_lock(expected_pos bigint, expected_writer bigint, refused uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM ledger_head WHERE pos = expected_pos AND writer = expected_writer FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'another process has written since' USING ERRCODE = 'AD001';
    END IF;
    IF cardinality(refused) > 0 AND EXISTS (SELECT FROM commands WHERE command = ANY (refused)) THEN
        RAISE EXCEPTION 'a command came before' USING ERRCODE = 'AD002';
    END IF;
END $$;
-- +goose StatementEnd
