-- +goose Up
-- Proves that a row is what the gateway said; see rails.Instructions. Rows of before have none and are shown to nobody:
-- their payments live for a day.
ALTER TABLE payment_instructions ADD COLUMN mac bytea NOT NULL DEFAULT '';
