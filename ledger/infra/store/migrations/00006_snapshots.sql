-- +goose Up

-- Whoever is not the ledger's owner writes a snapshot of an event that their own transaction appends, never an older one:
-- a state cannot be changed for a moment to have something decided on it. The owner writes others, as when a partition
-- is detached. Names are looked up where the snapshots are, whatever the caller's search path.
-- +goose StatementBegin
CREATE FUNCTION ledger_snapshot_is_new() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    appended boolean;
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
        RETURN NEW;
    END IF;
    EXECUTE format('SELECT EXISTS (SELECT FROM %I.events e WHERE hashtextextended(e.stream, 0) = hashtextextended($1, 0)
        AND hashtextextended(e.stream, 1) = hashtextextended($1, 1) AND e.stream = $1 AND e.version = $2 AND e.xmin = $3)', TG_TABLE_SCHEMA)
        INTO appended USING NEW.stream, NEW.version, pg_current_xact_id()::xid;
    IF NOT appended OR (TG_OP = 'UPDATE' AND (NEW.version <= OLD.version OR (NEW.stream, NEW.fold) IS DISTINCT FROM (OLD.stream, OLD.fold))) THEN
        RAISE EXCEPTION 'a snapshot is of the event that is appended with it' USING ERRCODE = '42501';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER snapshots_new BEFORE INSERT OR UPDATE ON snapshots FOR EACH ROW EXECUTE FUNCTION ledger_snapshot_is_new();

-- Whose refusals they are, so that everybody has only so many remembered in an hour.
ALTER TABLE refusals ADD COLUMN actor text COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX refusals_actor ON refusals (actor, recorded_at);
