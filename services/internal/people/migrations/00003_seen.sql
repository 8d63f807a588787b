-- +goose Up
-- When somebody was last here, whatever became of their sessions: a group may need to know that its owner is away.
ALTER TABLE accounts ADD COLUMN seen_at timestamptz NOT NULL DEFAULT now();

-- +goose Down
ALTER TABLE accounts DROP COLUMN seen_at;
