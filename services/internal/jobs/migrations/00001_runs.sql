-- +goose Up
-- When each job that there is last ran, and how often it should. Times are the database's.
CREATE TABLE job_runs (
    name text PRIMARY KEY,
    every interval NOT NULL,
    since timestamptz NOT NULL, -- From when on it is to run: a process that runs it started.
    ran_at timestamptz          -- None where it has not run yet.
);

-- +goose Down
DROP TABLE job_runs;
