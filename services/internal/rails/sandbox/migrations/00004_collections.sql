-- +goose Up

-- Our own account at the bank: it takes any amount, as often as it comes, under references of the bank's own.
INSERT INTO sandbox_accounts (account_number, reference, merchant, amount, validation, created_at, expires_at)
    VALUES ('1000000010', 'pool', 'Adashi', 1, 'A5', '1970-01-01', '9999-12-31');
ALTER TABLE sandbox_transfers ADD COLUMN reference text NOT NULL DEFAULT ''; -- the bank's own, else its account's
CREATE INDEX sandbox_transfers_reference ON sandbox_transfers (reference) WHERE reference <> '';
CREATE INDEX sandbox_transfers_sent ON sandbox_transfers (sent_at);

-- What a charge can be repeated by: made with the first payment of a card, empty where that is the charge's own.
ALTER TABLE sandbox_charges ADD COLUMN authorization_code text NOT NULL DEFAULT '';
CREATE INDEX sandbox_charges_paid ON sandbox_charges (paid_at) WHERE paid_at IS NOT NULL;

-- Cards that decline from now on.
CREATE TABLE sandbox_blocked_cards (authorization_code text PRIMARY KEY);

CREATE TABLE sandbox_refunds (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    charge bigint NOT NULL REFERENCES sandbox_charges (id),
    amount bigint NOT NULL CHECK (amount > 0), -- kobo
    note text NOT NULL,
    refunded_at timestamptz NOT NULL
);
CREATE INDEX sandbox_refunds_charge ON sandbox_refunds (charge);

-- +goose Down
DROP TABLE sandbox_refunds;
DROP TABLE sandbox_blocked_cards;
ALTER TABLE sandbox_charges DROP COLUMN authorization_code;
ALTER TABLE sandbox_transfers DROP COLUMN reference;
DELETE FROM sandbox_transfers WHERE account_number = '1000000010';
DELETE FROM sandbox_accounts WHERE account_number = '1000000010';
