-- What follows from the state of an ajo and of its cycles, for those who look by it. Days are YYYY-MM-DD in Lagos, and empty where there is none.
CREATE TABLE rm_ajos (
    ajo_id text PRIMARY KEY, name text NOT NULL, folded text NOT NULL, -- The name as it is searched: see ledger/base/letters.
    description text NOT NULL, owner text NOT NULL, listed boolean NOT NULL,
    status text NOT NULL, ready text NOT NULL DEFAULT '', -- The cycles whose pots may be paid out.
    created_pos bigint NOT NULL, created_at timestamptz NOT NULL,
    members integer NOT NULL, free_halves integer NOT NULL, -- People with a place; half hands that nobody holds.
    cycle integer NOT NULL, -- The one that is paid now; 0 when there is none.
    opens text NOT NULL, due text NOT NULL, chosen_by text NOT NULL, deadline text NOT NULL, -- Of that cycle.
    is_full boolean NOT NULL, -- Whoever collects, all others have paid.
    lapses text NOT NULL, -- The day on which it is cancelled unless its list is full.
    draw_at timestamptz, -- From when it can be drawn.
    accept_by timestamptz, -- Somebody has not accepted changed terms.
    opening_until timestamptz, motion_until timestamptz, -- The first of each.
    resumes text NOT NULL, -- The day on which a pause is over.
    is_paid_out boolean NOT NULL, -- Every cycle's pot is, and it is not completed.
    is_carried boolean NOT NULL); -- Its members have voted to end it.
-- state is the ledger's own state of the ajo's stream, as its aggregate writes it down, but for what it was drawn from and for the
-- cycles whose pots may be paid out, which change most. brief is what the fold needs of it where dues are paid, pots are made
-- ready and nothing else happens: see brief.go. They stand by themselves, so that what changes them seldom does not write them anew.
CREATE TABLE rm_ajo_states (ajo_id text PRIMARY KEY, state text NOT NULL, brief text NOT NULL) WITH (toast_tuple_target = 4096);
CREATE TABLE rm_ajo_members (
    ajo_id text NOT NULL, user_id text NOT NULL, seats integer[] NOT NULL, halves integer NOT NULL,
    has_left boolean NOT NULL, dues boolean NOT NULL DEFAULT false, sweep boolean NOT NULL DEFAULT false, deposit bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (ajo_id, user_id));
-- state is that of the cycle's stream without votes and bids, which are secret, and without its payments, which are in rm_ajo_payments.
CREATE TABLE rm_ajo_cycles (
    ajo_id text NOT NULL, cycle integer NOT NULL, state text NOT NULL,
    seat integer NOT NULL, collected bigint NOT NULL, netted bigint NOT NULL, missing bigint NOT NULL, discount bigint NOT NULL, ready_at timestamptz,
    requested_by text NOT NULL, requested_at timestamptz, destination integer NOT NULL, approvals integer NOT NULL, held_until timestamptz,
    pays_itself timestamptz, paid_at timestamptz,
    gross bigint NOT NULL DEFAULT 0, fee bigint NOT NULL DEFAULT 0, vat bigint NOT NULL DEFAULT 0, set_off bigint NOT NULL DEFAULT 0,
    holder text NOT NULL DEFAULT '', net bigint NOT NULL DEFAULT 0, other_holder text NOT NULL DEFAULT '', other_net bigint NOT NULL DEFAULT 0,
    by_itself boolean NOT NULL DEFAULT false,
    PRIMARY KEY (ajo_id, cycle)) WITH (toast_tuple_target = 4096);
CREATE TABLE rm_ajo_payments (
    ajo_id text NOT NULL, pos bigint NOT NULL, n smallint NOT NULL, cycle integer NOT NULL, seat integer NOT NULL,
    user_id text NOT NULL, paid_by text NOT NULL, to_user text NOT NULL, kobo bigint NOT NULL, kind text NOT NULL, source text NOT NULL, channel smallint NOT NULL,
    effective_at timestamptz NOT NULL, payment_id text NOT NULL, event_id uuid NOT NULL,
    mark smallint NOT NULL DEFAULT 0, marked_by text NOT NULL DEFAULT '', marked_at timestamptz, reason text NOT NULL DEFAULT '',
    queried_at timestamptz, -- When it was queried last, also once that is resolved.
    answered boolean NOT NULL DEFAULT false, -- Of n = 0, as the five before it.
    -- The first three are unique by themselves. By the others an ajo's payments of one cycle, or of one mark, are found without the rest.
    PRIMARY KEY (ajo_id, pos, n, cycle, mark));
CREATE TABLE rm_ajo_debts (
    ajo_id text NOT NULL, debt_id text NOT NULL, pos bigint NOT NULL, kind integer NOT NULL, cycle integer NOT NULL, seat integer NOT NULL,
    debtor text NOT NULL, creditor text NOT NULL, kobo bigint NOT NULL, penalty bigint NOT NULL, paid bigint NOT NULL DEFAULT 0,
    forgiven bigint NOT NULL DEFAULT 0, left_kobo bigint GENERATED ALWAYS AS (kobo + penalty - paid - forgiven) STORED,
    opened_at timestamptz NOT NULL, retry_on text[] NOT NULL, -- Days on which its debtor's wallet is tried, where they agreed to it.
    retried text NOT NULL DEFAULT '', -- The last day on which something was taken so.
    PRIMARY KEY (ajo_id, debt_id, pos));
CREATE TABLE rm_ajo_cards (
    card_id text PRIMARY KEY, user_id text NOT NULL, name text NOT NULL, description text NOT NULL, pos bigint NOT NULL,
    kobo bigint NOT NULL, boxes integer NOT NULL, filled integer NOT NULL DEFAULT 0, by_collector integer NOT NULL DEFAULT 0, frequency integer NOT NULL,
    start_day text NOT NULL, finish_day text NOT NULL, break_basis_points integer NOT NULL, status text NOT NULL,
    collector text NOT NULL DEFAULT '', earned text NOT NULL DEFAULT '', commission_in integer NOT NULL DEFAULT 0,
    fee bigint NOT NULL DEFAULT 0, vat bigint NOT NULL DEFAULT 0, commission bigint NOT NULL DEFAULT 0,
    opened_at timestamptz NOT NULL, ended_at timestamptz);
CREATE TABLE rm_ajo_card_fills (
    card_id text NOT NULL, pos bigint NOT NULL, user_id text NOT NULL, paid_by text NOT NULL, first_box integer NOT NULL, boxes integer NOT NULL, kobo bigint NOT NULL,
    effective_at timestamptz NOT NULL, payment_id text NOT NULL, event_id uuid NOT NULL);
