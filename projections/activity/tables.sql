CREATE TABLE rm_movements (
    pos bigint NOT NULL, id uuid NOT NULL, user_id text NOT NULL, kind text NOT NULL,
    kobo bigint NOT NULL, incoming boolean NOT NULL, charge_kobo bigint NOT NULL, balance_kobo bigint NOT NULL,
    effective_at timestamptz NOT NULL, recorded_at timestamptz NOT NULL,
    reference text NOT NULL, channel integer NOT NULL, group_id text NOT NULL, sub_account_id text NOT NULL,
    settled text NOT NULL, lines text NOT NULL, leaf bytea NOT NULL,
    ajo_id text NOT NULL DEFAULT ''); -- Or a card's.
CREATE INDEX ON rm_movements (reference) WHERE kind = 'SAVINGS_PAID_OUT'; -- Of one that came back, the fold looks for who was paid.
CREATE TABLE rm_payments (
    payment_id text PRIMARY KEY, user_id text NOT NULL, status text NOT NULL, channel integer NOT NULL,
    kobo bigint NOT NULL, charge_kobo bigint NOT NULL, created_at timestamptz NOT NULL, expires_at timestamptz NOT NULL,
    paid_at timestamptz, group_id text NOT NULL, sub_account_id text NOT NULL, month_id integer NOT NULL, reason text NOT NULL);
