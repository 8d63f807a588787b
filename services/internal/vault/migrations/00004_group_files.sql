-- +goose Up
-- Documents of groups, sealed under the key of who saved them, their names too.
ALTER TABLE files ADD COLUMN name bytea;
ALTER TABLE files DROP CONSTRAINT files_kind_check, ADD CONSTRAINT files_kind_check CHECK (kind IN ('profile', 'document', 'group'));

-- +goose Down
ALTER TABLE files DROP CONSTRAINT files_kind_check, ADD CONSTRAINT files_kind_check CHECK (kind IN ('profile', 'document'));
ALTER TABLE files DROP COLUMN name;
