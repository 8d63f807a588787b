CREATE TABLE IF NOT EXISTS projections (
	name text NOT NULL, part integer NOT NULL DEFAULT 0, version integer NOT NULL, pos bigint NOT NULL, paused text NOT NULL DEFAULT '',
	tables text[] NOT NULL DEFAULT '{}', PRIMARY KEY (name, part)) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS dead_letters (
	model text NOT NULL, pos bigint NOT NULL, error text NOT NULL, at timestamptz NOT NULL, resolved_at timestamptz, PRIMARY KEY (model, pos));
DO $$ BEGIN
	IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'projections'::regclass AND attname = 'part') THEN
		ALTER TABLE projections ADD COLUMN part integer NOT NULL DEFAULT 0, ADD COLUMN tables text[] NOT NULL DEFAULT '{}';
		ALTER TABLE projections DROP CONSTRAINT projections_pkey, ADD PRIMARY KEY (name, part);
		ALTER TABLE dead_letters ADD COLUMN resolved_at timestamptz;
	END IF;
END $$;
CREATE TABLE IF NOT EXISTS rebuilds (
	model text PRIMARY KEY, version integer NOT NULL, state text NOT NULL, pos bigint NOT NULL, head bigint NOT NULL, error text NOT NULL,
	asked_at timestamptz NOT NULL, started_at timestamptz, ended_at timestamptz);
