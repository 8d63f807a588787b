-- +goose Up
CREATE TABLE sandbox_disputes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    charge bigint NOT NULL REFERENCES sandbox_charges (id),
    amount bigint NOT NULL CHECK (amount > 0), -- kobo
    category text NOT NULL,
    resolution text NOT NULL DEFAULT '', -- empty while it is open
    created_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    resolved_at timestamptz
);

-- +goose Down
DROP TABLE sandbox_disputes;
