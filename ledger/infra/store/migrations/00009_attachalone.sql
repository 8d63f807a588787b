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
