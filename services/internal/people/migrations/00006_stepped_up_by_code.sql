-- +goose Up

-- Whether the latest step-up of a session was by a code of the second factor: what weakens that factor asks for one.
ALTER TABLE sessions ADD COLUMN stepped_up_by_code boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE sessions DROP COLUMN stepped_up_by_code;
