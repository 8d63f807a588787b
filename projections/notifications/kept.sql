CREATE TABLE IF NOT EXISTS notification_seen (
    user_id text NOT NULL, pos bigint NOT NULL, type smallint NOT NULL, read_at timestamptz, deleted_at timestamptz, PRIMARY KEY (user_id, pos, type));
CREATE TABLE IF NOT EXISTS notification_cleared (
    user_id text PRIMARY KEY, read_pos bigint NOT NULL, deleted_pos bigint NOT NULL);
-- Until version 11 marks were keyed by ids that stood in rm_notifications. They are taken over from notification_marks,
-- at every start while the tables of before serve. The trigger takes over the marks that a process of the older build
-- makes until then. Once the new tables serve, no build can write the old marks any more, and they are dropped.
DO $$ BEGIN
    IF to_regclass('notification_marks') IS NULL OR to_regclass('rm_notifications') IS NULL THEN
        RETURN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'rm_notifications'::regclass AND attname = 'id' AND NOT attisdropped) THEN
        DROP TABLE notification_marks;
        DROP FUNCTION IF EXISTS notification_marked();
        RETURN;
    END IF;
    CREATE OR REPLACE FUNCTION notification_marked() RETURNS trigger LANGUAGE plpgsql AS $mark$ BEGIN
        INSERT INTO notification_seen AS s (user_id, pos, type, read_at, deleted_at)
            SELECT n.user_id, n.pos, c.code, NEW.read_at, NEW.deleted_at FROM rm_notifications n
            JOIN (VALUES {codes}) AS c (type, code) ON c.type = n.type WHERE n.id = NEW.id
            ON CONFLICT (user_id, pos, type) DO UPDATE SET
                read_at = coalesce(s.read_at, excluded.read_at), deleted_at = coalesce(s.deleted_at, excluded.deleted_at);
        RETURN NEW;
    END $mark$;
    CREATE OR REPLACE TRIGGER notification_marked AFTER INSERT OR UPDATE ON notification_marks
        FOR EACH ROW EXECUTE FUNCTION notification_marked();
    UPDATE notification_marks SET id = id;
END $$;
