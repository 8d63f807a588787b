-- A dispute as it stands.
CREATE TABLE rm_disputes (
    dispute_id     text        PRIMARY KEY,
    user_id        text        NOT NULL,
    kind           integer     NOT NULL, -- 0: the bank of a card disputes a payment.
    status         text        NOT NULL,
    about          text        NOT NULL,
    event_id       text        NOT NULL,
    position       bigint      NOT NULL,
    group_id       text        NOT NULL,
    sub_account_id text        NOT NULL,
    ajo_id         text        NOT NULL,
    arrival_id     text        NOT NULL,
    kobo           bigint      NOT NULL,
    paid_at        timestamptz,
    staff_id       text        NOT NULL,
    opened_at      timestamptz NOT NULL,
    acknowledge_by timestamptz NOT NULL,
    decide_by      timestamptz NOT NULL,
    answer_by      timestamptz,
    resolved_at    timestamptz,
    reopen_until   timestamptz,
    late           boolean     NOT NULL, -- A clock of Adashi's has run out.
    plan           text        NOT NULL, -- Where its correction stands; empty for none.
    hold_of        text        NOT NULL, -- The payout that the member wants held; empty for no hold.
    hold_kobo      bigint      NOT NULL,
    hold_until     timestamptz,          -- Absent while Support has to allow it, and once it is over.
    hold           text        NOT NULL, -- ASKED, HELD, EXTENDED or OVER; empty for no hold.
    pos            bigint      NOT NULL, -- Of its opening.
    bank_reason    text        NOT NULL DEFAULT '', -- Of the bank of a card, in its gateway's word.
    bank_answer_by timestamptz,                     -- Until when its gateway takes our answer.
    bank_answer    text        NOT NULL DEFAULT '', -- Where our latest answer stands; empty for none.
    bank_accepted  boolean     NOT NULL DEFAULT false,
    -- When something is to be done at the latest: the bank answered, or the case decided.
    due_at         timestamptz NOT NULL GENERATED ALWAYS AS (
        CASE WHEN bank_answer IN ('', 'PROPOSED', 'FAILED', 'DROPPED') THEN least(decide_by, bank_answer_by) ELSE decide_by END) STORED);

-- What happened in it, one row an event.
CREATE TABLE rm_dispute_steps (
    dispute_id text        NOT NULL,
    pos        bigint      NOT NULL,
    kind       text        NOT NULL,
    by_id      text        NOT NULL, -- Empty for the clock.
    at         timestamptz NOT NULL,
    paper_id   text        NOT NULL,
    file       boolean     NOT NULL,
    sha256     bytea       NOT NULL,
    until      timestamptz,
    events     text[]      NOT NULL,
    PRIMARY KEY (dispute_id, pos));

-- Members who froze their money.
CREATE TABLE rm_frozen (
    user_id    text        PRIMARY KEY,
    since      timestamptz NOT NULL,
    thaw_at    timestamptz,
    dispute_id text        NOT NULL);
