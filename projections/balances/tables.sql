CREATE TABLE rm_wallets (user_id text PRIMARY KEY, kobo bigint NOT NULL DEFAULT 0, held bigint NOT NULL DEFAULT 0) WITH (fillfactor = 70);
CREATE TABLE rm_savings (
    user_id text NOT NULL, sub_account_id text NOT NULL, group_id text NOT NULL, kobo bigint NOT NULL, drawn bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, sub_account_id)) WITH (fillfactor = 70);
CREATE TABLE rm_ajo_balances (user_id text PRIMARY KEY, kobo bigint NOT NULL) WITH (fillfactor = 70);
