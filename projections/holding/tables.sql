CREATE TABLE rm_holds (
    hold_id text PRIMARY KEY, account text NOT NULL, kobo bigint NOT NULL, purpose text NOT NULL, expires_at timestamptz NOT NULL);
