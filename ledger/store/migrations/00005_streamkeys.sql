-- +goose Up

-- An index on the names of streams holds each name once an event, and comparing names is most of what an append costs.
-- Two hashes of 64 bits stand for the name: together they are not alike for two names, and the index is a quarter as
-- large. Whoever looks for a stream's events asks for both hashes and the name.

-- Adopts a table of events as the partition [from_pos, to_pos).
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION ledger_adopt(partition text, first bigint, beyond bigint) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    -- One that was detached before there was this constraint.
    IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = to_regclass(quote_ident(partition)) AND conname = 'events_floor') THEN
        EXECUTE format('ALTER TABLE %I ADD CONSTRAINT events_floor CHECK (0 <= ALL (balances) OR ledger_floors_hold(accounts, balances))', partition);
    END IF;
    PERFORM ledger_key_streams(partition);
    EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', partition, first, beyond);
    EXECUTE format('CREATE OR REPLACE TRIGGER events_kept BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION events_are_final()', partition);
    INSERT INTO ledger_partitions (name, from_pos, to_pos) VALUES (partition, first, beyond)
        ON CONFLICT (name) DO NOTHING;
END $$;
-- +goose StatementEnd

-- Gives a table of events the index by which its streams are found, in place of the one on their names.
-- +goose StatementBegin
CREATE FUNCTION ledger_key_streams(partition text) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    names text;
BEGIN
    EXECUTE format('CREATE UNIQUE INDEX IF NOT EXISTS %I ON %I (hashtextextended(stream, 0), hashtextextended(stream, 1), version)',
        partition || '_streams', partition);
    FOR names IN SELECT conname FROM pg_constraint WHERE conrelid = to_regclass(quote_ident(partition)) AND contype = 'u' LOOP
        EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', partition, names);
    END LOOP;
END $$;
-- +goose StatementEnd

-- Makes sure that there is a partition for every position up to one, each width positions wide, and answers the last
-- position that has one.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION ledger_extend(upto bigint, width bigint) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
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
        EXECUTE format('CREATE TABLE %I (LIKE events INCLUDING DEFAULTS INCLUDING CONSTRAINTS, PRIMARY KEY (pos), CHECK (pos >= %s AND pos < %s))',
            partition, beyond, beyond + width);
        PERFORM ledger_adopt(partition, beyond, beyond + width);
    END LOOP;
END $$;
-- +goose StatementEnd

-- Those that are detached get theirs when they come back.
SELECT ledger_key_streams(p.name) FROM ledger_partitions p JOIN pg_inherits i ON i.inhrelid = to_regclass(p.name);
