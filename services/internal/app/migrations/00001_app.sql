-- +goose Up

-- Where a payment is to be paid. It is the gateway's answer, not a fact of the ledger: account numbers stay out of events.
CREATE TABLE payment_instructions (
    payment_id     text PRIMARY KEY,
    account_number text NOT NULL,
    account_name   text NOT NULL,
    bank_name      text NOT NULL,
    checkout_url   text NOT NULL
);
