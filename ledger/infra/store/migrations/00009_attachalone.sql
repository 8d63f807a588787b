-- +goose Up

-- Nobody reads the events while a partition of them is attached. Postgres would allow it; but a session that learns
-- which partitions there are while the attaching commits may never hear of the new one, and neither read from it nor
-- write to it until its connection ends.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION ledger_adopt(partition text, first bigint, beyond bigint) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    -- One that was detached before there was this constraint.
    IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = to_regclass(quote_ident(partition)) AND conname = 'events_floor') THEN
        EXECUTE format('ALTER TABLE %I ADD CONSTRAINT events_floor CHECK (0 <= ALL (balances) OR ledger_floors_hold(accounts, balances))', partition);
    END IF;
    PERFORM ledger_key_streams(partition);
    LOCK TABLE ONLY events IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', partition, first, beyond);
    EXECUTE format('CREATE OR REPLACE TRIGGER events_kept BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION events_are_final()', partition);
    INSERT INTO ledger_partitions (name, from_pos, to_pos) VALUES (partition, first, beyond)
        ON CONFLICT (name) DO NOTHING;
END $$;
-- +goose StatementEnd

-- Makes sure that there is a partition for every position up to one, each width positions wide, and answers the last
-- position that has one. Whoever makes one waits for the others who do by the lock on the events, and by no other: an
-- append that has read them may need a partition while somebody makes one ahead.
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
    LOCK TABLE ONLY events IN ACCESS EXCLUSIVE MODE;
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
