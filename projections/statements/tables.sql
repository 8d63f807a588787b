-- An account is named by its key: see Key.
CREATE TABLE rm_entries (
    account uuid NOT NULL, pos bigint NOT NULL, n smallint NOT NULL, kobo bigint NOT NULL, balance_kobo bigint NOT NULL,
    effective_at timestamptz NOT NULL, recorded_at timestamptz NOT NULL);
-- The entries that count on a day stand between two positions; others may stand between them too.
CREATE TABLE rm_account_days (
    account uuid NOT NULL, day date NOT NULL, kobo bigint NOT NULL, first_pos bigint NOT NULL, last_pos bigint NOT NULL,
    PRIMARY KEY (account, day)) WITH (fillfactor = 70);
