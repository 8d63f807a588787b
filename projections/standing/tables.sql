CREATE TABLE rm_standing (
    order_id text PRIMARY KEY, user_id text NOT NULL, group_id text NOT NULL, sub_account_id text NOT NULL, kobo bigint NOT NULL,
    frequency integer NOT NULL, status text NOT NULL, next_day text NOT NULL, set_at timestamptz NOT NULL, reason text NOT NULL);
CREATE TABLE rm_standing_days (order_id text NOT NULL, pos bigint NOT NULL, day text NOT NULL, movement uuid, reason text NOT NULL);
