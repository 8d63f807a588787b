-- +goose Up

-- When what a member had said in ajos, and an offer of a group of theirs, had ended for an account that is given back:
-- what the owner says and offers once they are in stays.
ALTER TABLE remedies ADD COLUMN said_ended_at timestamptz;

-- +goose Down
ALTER TABLE remedies DROP COLUMN said_ended_at;
