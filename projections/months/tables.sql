-- A month of a group or an ajo whose list is sealed.
CREATE TABLE rm_months (
    place_id        text        NOT NULL,
    ajo             boolean     NOT NULL,
    month           text        NOT NULL, -- YYYY-MM in Lagos.
    pos             bigint      NOT NULL,
    named_by        text        NOT NULL,
    named_at        timestamptz NOT NULL,
    round           bigint      NOT NULL,
    chain_hash      text        NOT NULL,
    draw_at         timestamptz NOT NULL,
    position        bigint      NOT NULL, -- The list is as the ledger stood there.
    since           timestamptz NOT NULL,
    told_late_after bigint      NOT NULL,
    population      integer     NOT NULL,
    digest          bytea       NOT NULL,
    always          bigint[]    NOT NULL,
    margin          integer     NOT NULL,
    drawn_at        timestamptz,
    signature       bytea,
    sample          bigint[],             -- Positions, once it is drawn.
    attested_at     timestamptz,
    attested_by     text        NOT NULL DEFAULT '',
    counted_at      bigint      NOT NULL DEFAULT 0, -- The position up to which marks were counted.
    validated       integer     NOT NULL DEFAULT 0,
    queried         integer     NOT NULL DEFAULT 0,
    resolved        integer     NOT NULL DEFAULT 0,
    unreviewed      integer     NOT NULL DEFAULT 0,
    drawn_queried   integer     NOT NULL DEFAULT 0,
    always_queried  integer     NOT NULL DEFAULT 0,
    undone          integer     NOT NULL DEFAULT 0,
    attest_key       bytea      NOT NULL DEFAULT '', -- Of the device that signed what is attested; empty where none did.
    attest_signature bytea      NOT NULL DEFAULT '',
    attest_device    integer    NOT NULL DEFAULT 0,
    PRIMARY KEY (place_id, month));
-- A payment that is drawn for the owner to check again, until they agree or it is resolved.
CREATE TABLE rm_rechecks (
    place_id  text        NOT NULL,
    pos       bigint      NOT NULL, -- The payment's.
    mark      integer     NOT NULL, -- The payment's: it may be queried or taken back since.
    agreed_by text        NOT NULL DEFAULT '',
    agreed_at timestamptz,
    PRIMARY KEY (place_id, pos));
