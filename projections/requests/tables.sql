CREATE TABLE rm_requests (
    id text PRIMARY KEY, pos bigint NOT NULL, group_id text NOT NULL, sub_account_id text NOT NULL, requested_by text NOT NULL,
    kind integer NOT NULL, status text NOT NULL, kobo bigint NOT NULL, fee bigint NOT NULL, vat bigint NOT NULL, duty bigint NOT NULL,
    provider text NOT NULL, reason text NOT NULL, requested_at timestamptz NOT NULL, expires_at timestamptz NOT NULL,
    approved_at timestamptz, sent_at timestamptz, paid_at timestamptz, unfunded boolean NOT NULL DEFAULT false, validators text[] NOT NULL DEFAULT '{}',
    approvers text[] NOT NULL DEFAULT '{}', needed integer NOT NULL DEFAULT 0, own_account boolean NOT NULL DEFAULT false,
    shown boolean NOT NULL DEFAULT false, payable_from timestamptz, stage text NOT NULL DEFAULT '',
    parked bigint NOT NULL DEFAULT 0); -- What came back of it and is in suspense, since its member has closed their account.
CREATE TABLE rm_request_steps (
    request_id text NOT NULL, pos bigint NOT NULL, step text NOT NULL, by_id text NOT NULL, detail text NOT NULL, at timestamptz NOT NULL,
    PRIMARY KEY (request_id, pos));
CREATE TABLE rm_pools (sub_account_id text PRIMARY KEY, kobo bigint NOT NULL DEFAULT 0, held bigint NOT NULL DEFAULT 0) WITH (fillfactor = 70);
CREATE TABLE rm_disputed_money (
    dispute_id text PRIMARY KEY, sub_account_id text NOT NULL, request_id text NOT NULL, user_id text NOT NULL, kobo bigint NOT NULL,
    until timestamptz NOT NULL);
