-- folded is a name as it is searched: see ledger/base/letters.
CREATE TABLE rm_groups (
    id text PRIMARY KEY, pos bigint NOT NULL, owner_id text NOT NULL, name text NOT NULL, description text NOT NULL,
    kobo bigint NOT NULL, capacity integer NOT NULL, start_month integer NOT NULL, start_year integer NOT NULL,
    show_total boolean NOT NULL, status text NOT NULL, validator_id text NOT NULL, members integer NOT NULL,
    total_kobo bigint NOT NULL, created_at timestamptz NOT NULL, approvers text[] NOT NULL, reason text NOT NULL DEFAULT '',
    candidate text NOT NULL DEFAULT '', findable boolean NOT NULL DEFAULT true, show_terms boolean NOT NULL DEFAULT true,
    show_totals boolean NOT NULL DEFAULT false, changes bigint NOT NULL DEFAULT 0,
    folded text NOT NULL) WITH (fillfactor = 70);
CREATE TABLE rm_members (
    group_id text NOT NULL, user_id text NOT NULL, pos bigint NOT NULL, status text NOT NULL, since timestamptz NOT NULL,
    invited_by text NOT NULL DEFAULT '', expires_at timestamptz, PRIMARY KEY (group_id, user_id));
-- Who was in a group, was invited, or asked to be, and went.
CREATE TABLE rm_past_members (user_id text NOT NULL, group_id text NOT NULL, PRIMARY KEY (user_id, group_id));
CREATE TABLE rm_group_documents (
    id text PRIMARY KEY, pos bigint NOT NULL, group_id text NOT NULL, user_id text NOT NULL, added_at timestamptz NOT NULL,
    removed boolean NOT NULL DEFAULT false);
CREATE TABLE rm_sub_accounts (
    id text PRIMARY KEY, pos bigint NOT NULL, group_id text NOT NULL, name text NOT NULL, description text NOT NULL,
    payment_type integer NOT NULL, payment_frequency integer NOT NULL, kobo bigint NOT NULL, first_due text NOT NULL,
    show_total boolean NOT NULL, total_kobo bigint NOT NULL, payments integer NOT NULL,
    grace_days integer NOT NULL DEFAULT 0, penalty_type integer NOT NULL DEFAULT 0, penalty_kobo bigint NOT NULL DEFAULT 0,
    penalty_points integer NOT NULL DEFAULT 0, opened_at timestamptz NOT NULL, closed_kobo bigint NOT NULL DEFAULT 0, folded text NOT NULL) WITH (fillfactor = 70);
CREATE TABLE rm_contributors (
    sub_account_id text NOT NULL, user_id text NOT NULL, group_id text NOT NULL, total_kobo bigint NOT NULL DEFAULT 0,
    drawn_kobo bigint NOT NULL DEFAULT 0, changes jsonb,
    payments integer NOT NULL DEFAULT 0, paid_kobo bigint NOT NULL DEFAULT 0, last_pos bigint NOT NULL DEFAULT 0, last_at timestamptz,
    PRIMARY KEY (sub_account_id, user_id)) WITH (fillfactor = 70);
-- Every movement of a group's money, with what its audit says. kobo is below nothing where it left.
CREATE TABLE rm_contributions (
    pos bigint NOT NULL, id uuid NOT NULL, group_id text NOT NULL, sub_account_id text NOT NULL, user_id text NOT NULL,
    paid_by text NOT NULL, kind text NOT NULL, kobo bigint NOT NULL, channel smallint NOT NULL, effective_at timestamptz NOT NULL,
    settled text NOT NULL, payment_id text NOT NULL, reversed boolean NOT NULL DEFAULT false,
    odd smallint NOT NULL, mark smallint NOT NULL, -- -1 for what is not audited.
    marked_by text, marked_at timestamptz, reason text, answered boolean NOT NULL DEFAULT false,
    queried_at timestamptz, -- When it was queried last, also once that is resolved.
    recorded_at timestamptz NOT NULL, -- When the ledger learned of it.
    PRIMARY KEY (group_id, pos)) WITH (fillfactor = 95);
CREATE UNIQUE INDEX ON rm_contributions (id);
CREATE INDEX rm_contributions_payment ON rm_contributions (payment_id) WHERE payment_id <> '';
CREATE TABLE rm_group_months (
    group_id text NOT NULL, month text NOT NULL, kobo bigint NOT NULL DEFAULT 0, paid_kobo bigint NOT NULL DEFAULT 0,
    audited integer NOT NULL DEFAULT 0, validated integer NOT NULL DEFAULT 0, queried integer NOT NULL DEFAULT 0,
    resolved integer NOT NULL DEFAULT 0, PRIMARY KEY (group_id, month)) WITH (fillfactor = 70);
CREATE TABLE rm_absences (
    group_id text NOT NULL, user_id text NOT NULL, pos bigint NOT NULL, since timestamptz NOT NULL, until timestamptz,
    whole boolean NOT NULL DEFAULT false, closing boolean NOT NULL DEFAULT false, PRIMARY KEY (group_id, user_id, pos));
CREATE TABLE rm_waivers (
    id text PRIMARY KEY, pos bigint NOT NULL, group_id text NOT NULL, sub_account_id text NOT NULL, user_id text NOT NULL,
    period text NOT NULL, kind integer NOT NULL, reason text NOT NULL, requested_by text NOT NULL, decided_by text NOT NULL,
    status text NOT NULL, kobo bigint NOT NULL, created_at timestamptz NOT NULL, deciders text[] NOT NULL DEFAULT '{}');
