-- +goose Up

-- A MAC over the rest of the row, under a key that is not in the database. Empty in the rows of an earlier build, which
-- may also run beside.
ALTER TABLE refusals ADD COLUMN seal bytea NOT NULL DEFAULT '';
