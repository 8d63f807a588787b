-- +goose Up
-- What a job could not do the last time, item by item. An item is an opaque id.
CREATE TABLE failing_items (
    job text NOT NULL,
    item text NOT NULL,
    since timestamptz NOT NULL,
    last_at timestamptz NOT NULL,
    tries int NOT NULL,
    next_try timestamptz, -- None once it was given up.
    reason text NOT NULL,
    PRIMARY KEY (job, item)
);

-- +goose Down
DROP TABLE failing_items;
