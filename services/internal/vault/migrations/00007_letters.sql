-- +goose Up
-- When letters were last all queued: what came after that is news, however long ago it is.
ALTER TABLE letters ADD COLUMN queued_at timestamptz;

-- +goose Down
ALTER TABLE letters DROP COLUMN queued_at;
