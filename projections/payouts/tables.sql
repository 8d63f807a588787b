CREATE TABLE rm_payouts (
    withdrawal_id text PRIMARY KEY, user_id text NOT NULL, pos bigint NOT NULL, event_id uuid NOT NULL, status text NOT NULL,
    kobo bigint NOT NULL, fee bigint NOT NULL, vat bigint NOT NULL, duty bigint NOT NULL, fee_table integer NOT NULL, provider text NOT NULL,
    requested_at timestamptz NOT NULL, sent_at timestamptz, sent_pos bigint NOT NULL DEFAULT 0, paid_at timestamptz, paid_pos bigint NOT NULL DEFAULT 0,
    ended_at timestamptz, ended_pos bigint NOT NULL DEFAULT 0, provider_ref text NOT NULL DEFAULT '', reason text NOT NULL DEFAULT '');
