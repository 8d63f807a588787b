-- +goose Up
-- A finding is told at once and stays until its item was tried again and is well.
ALTER TABLE failing_items ADD COLUMN finding boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE failing_items DROP COLUMN finding;
