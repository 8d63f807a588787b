CREATE TABLE rm_requests (
    id text PRIMARY KEY, pos bigint NOT NULL, group_id text NOT NULL, sub_account_id text NOT NULL, requested_by text NOT NULL,
    kind integer NOT NULL, status text NOT NULL, kobo bigint NOT NULL, fee bigint NOT NULL, vat bigint NOT NULL, duty bigint NOT NULL,
    provider text NOT NULL, reason text NOT NULL, requested_at timestamptz NOT NULL, expires_at timestamptz NOT NULL,
    sent_at timestamptz, paid_at timestamptz, unfunded boolean NOT NULL DEFAULT false, validators text[] NOT NULL DEFAULT '{}',
    approvers text[] NOT NULL DEFAULT '{}', needed integer NOT NULL DEFAULT 0, own_account boolean NOT NULL DEFAULT false,
    shown boolean NOT NULL DEFAULT false, payable_from timestamptz, stage text NOT NULL DEFAULT '');
CREATE TABLE rm_request_steps (
    request_id text NOT NULL, pos bigint NOT NULL, step text NOT NULL, by_id text NOT NULL, detail text NOT NULL, at timestamptz NOT NULL,
    PRIMARY KEY (request_id, pos));
CREATE TABLE rm_pools (sub_account_id text PRIMARY KEY, kobo bigint NOT NULL DEFAULT 0, held bigint NOT NULL DEFAULT 0) WITH (fillfactor = 70);
CREATE TABLE rm_audit (
    event_id uuid NOT NULL, pos bigint PRIMARY KEY, group_id text NOT NULL, sub_account_id text NOT NULL, user_id text NOT NULL,
    paid_by text NOT NULL, kind text NOT NULL, kobo bigint NOT NULL, channel integer NOT NULL, at timestamptz NOT NULL, month text NOT NULL,
    settled jsonb NOT NULL, payment_id text NOT NULL, odd integer NOT NULL, mark integer NOT NULL, marked_by text NOT NULL,
    marked_at timestamptz, reason text NOT NULL);
CREATE INDEX rm_audit_payment ON rm_audit (payment_id) WHERE payment_id <> '';
CREATE TABLE rm_audit_months (
    group_id text NOT NULL, month text NOT NULL, total integer NOT NULL, validated integer NOT NULL DEFAULT 0,
    queried integer NOT NULL DEFAULT 0, resolved integer NOT NULL DEFAULT 0, PRIMARY KEY (group_id, month)) WITH (fillfactor = 70);
CREATE TABLE rm_audit_subs (sub_account_id text PRIMARY KEY, frequency integer NOT NULL);
CREATE TABLE rm_audit_payers (
    sub_account_id text NOT NULL, user_id text NOT NULL, payments integer NOT NULL, kobo bigint NOT NULL, last_pos bigint NOT NULL,
    last_at timestamptz NOT NULL, PRIMARY KEY (sub_account_id, user_id)) WITH (fillfactor = 70);
