-- +goose Up
-- Where each withdrawal goes, as it was when it was asked for.
CREATE TABLE payees (
    withdrawal uuid PRIMARY KEY,
    person uuid NOT NULL REFERENCES people (id),
    sealed bytea NOT NULL,
    sealed_at timestamptz NOT NULL,
    kept boolean NOT NULL DEFAULT false -- the withdrawal is in the ledger; the rest is swept
);
CREATE INDEX payees_person ON payees (person);
CREATE INDEX payees_loose ON payees (sealed_at) WHERE NOT kept;

-- +goose Down
DROP TABLE payees;
