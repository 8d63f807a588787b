-- +goose Up
-- Pots, deposits and cards of ajo are owed to members too, and never fall below zero.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION ledger_floors_hold(accounts text[], balances bigint[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT NOT EXISTS (SELECT FROM unnest(accounts, balances) AS l (account, balance)
        WHERE l.balance < 0 AND split_part(l.account, ':', 1) IN ('wallet', 'pool', 'held', 'suspense', 'pot', 'deposit', 'card'))
$$;
-- +goose StatementEnd
