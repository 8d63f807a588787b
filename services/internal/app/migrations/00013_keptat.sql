-- +goose Up

-- Whoever keeps a cosignature says when, by the product's clock.
ALTER TABLE witness_cosignatures ALTER COLUMN kept_at DROP DEFAULT;
