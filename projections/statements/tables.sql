CREATE TABLE rm_entries (
    account text COLLATE "C" NOT NULL, pos bigint NOT NULL, n smallint NOT NULL, kobo bigint NOT NULL, balance_kobo bigint NOT NULL,
    effective_at timestamptz NOT NULL, recorded_at timestamptz NOT NULL);
CREATE TABLE rm_account_days (
    account text COLLATE "C" NOT NULL, day date NOT NULL, kobo bigint NOT NULL, PRIMARY KEY (account, day)) WITH (fillfactor = 70);
