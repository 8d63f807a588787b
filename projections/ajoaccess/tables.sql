CREATE TABLE rm_ajo_asks (
    user_id text PRIMARY KEY, ask_id text NOT NULL, pos bigint NOT NULL, kobo bigint NOT NULL, asked_at timestamptz NOT NULL,
    has_access boolean NOT NULL); -- From before: they ask for more.
