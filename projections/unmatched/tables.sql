CREATE TABLE rm_unmatched (
    stream text PRIMARY KEY, provider_ref text NOT NULL, id uuid NOT NULL, pos bigint NOT NULL, status text NOT NULL, provider text NOT NULL, channel integer NOT NULL, kobo bigint NOT NULL,
    reference text NOT NULL, reason text NOT NULL, paid_at timestamptz NOT NULL, recorded_at timestamptz NOT NULL,
    user_id text NOT NULL, proposed_by text NOT NULL, proposal_reason text NOT NULL, proposed_at timestamptz, approved_by text NOT NULL, payment_id text NOT NULL,
    payout_id text NOT NULL DEFAULT '', -- That it is, or is proposed to be, the return of.
    assigned_pos bigint, -- The position at which it became its member's.
    back_id text NOT NULL DEFAULT '', -- The latest try to send it back.
    claims text[] NOT NULL DEFAULT '{}'); -- The disputes in which members say that it is theirs, open or over.
CREATE TABLE rm_send_backs (
    id text PRIMARY KEY, stream text NOT NULL, pos bigint NOT NULL, -- The position at which it was agreed to, else proposed.
    status text NOT NULL, kobo bigint NOT NULL, provider text NOT NULL, user_id text NOT NULL, proposed_by text NOT NULL, reason text NOT NULL, proposed_at timestamptz NOT NULL,
    approved_by text NOT NULL DEFAULT '', agreed_at timestamptz, sent_at timestamptz, paid_at timestamptz, problem text NOT NULL DEFAULT '');
