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

-- Gives a table of events the index by which its streams are found, in place of the one on their names, which
-- ledger_extend still makes.
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

-- Those that are detached get theirs when they come back.
SELECT ledger_key_streams(p.name) FROM ledger_partitions p JOIN pg_inherits i ON i.inhrelid = to_regclass(p.name);
