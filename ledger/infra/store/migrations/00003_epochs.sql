-- +goose Up

-- The stream of events has an epoch. It goes up when the stream tells another history than this database, as after a
-- restore to an earlier time or a failover that lost the last commits: see the relay. What was lost is for people to
-- settle with the bank and with those who were told, and to acknowledge here.
CREATE TABLE ledger_epochs (
    epoch        integer     PRIMARY KEY,
    from_pos     bigint      NOT NULL, -- The head when it began.
    stream_last  bigint      NOT NULL, -- The last position in the stream that was given up.
    raised_at    timestamptz NOT NULL DEFAULT now(),
    reason       text        NOT NULL,
    acknowledged text        NOT NULL DEFAULT '' -- By whom, and what came of it.
);
