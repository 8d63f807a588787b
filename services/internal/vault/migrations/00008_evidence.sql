-- +goose Up
-- Documents that went with a dispute: they are the case's, and whoever gave them does not take them away. It is null for
-- those of before, of which nobody wrote down what they were for.
ALTER TABLE files ADD COLUMN evidence boolean;
ALTER TABLE files ALTER COLUMN evidence SET DEFAULT false;

-- +goose Down
ALTER TABLE files DROP COLUMN evidence;
