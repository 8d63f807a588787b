-- +goose Up

-- Whoever makes a keyframe says when, by the product's clock.
ALTER TABLE replay_keyframes ALTER COLUMN made_at DROP DEFAULT;
