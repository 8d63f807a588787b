-- +goose Up
-- What the merchant answered to a dispute, and how the gateway takes it.
ALTER TABLE sandbox_disputes
    ADD COLUMN answer text NOT NULL DEFAULT '' CHECK (answer IN ('', 'merchant-accepted', 'declined')),
    ADD COLUMN answered_at timestamptz,
    ADD COLUMN message text NOT NULL DEFAULT '',
    ADD COLUMN attachment text NOT NULL DEFAULT '',
    ADD COLUMN answers int NOT NULL DEFAULT 0,       -- how often it was answered: more than once is the merchant's fault
    ADD COLUMN manner text NOT NULL DEFAULT 'plain';

CREATE TABLE sandbox_dispute_evidence (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    dispute bigint NOT NULL REFERENCES sandbox_disputes (id),
    customer_email text NOT NULL,
    customer_name text NOT NULL,
    customer_phone text NOT NULL,
    service_details text NOT NULL
);

CREATE TABLE sandbox_dispute_files (
    name text PRIMARY KEY,
    dispute bigint NOT NULL REFERENCES sandbox_disputes (id),
    filename text NOT NULL,
    token text NOT NULL,
    expires_at timestamptz NOT NULL,
    content bytea -- null until it is uploaded
);

-- +goose Down
DROP TABLE sandbox_dispute_files, sandbox_dispute_evidence;
ALTER TABLE sandbox_disputes DROP COLUMN answer, DROP COLUMN answered_at, DROP COLUMN message, DROP COLUMN attachment, DROP COLUMN answers, DROP COLUMN manner;
