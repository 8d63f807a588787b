-- +goose Up

-- What the events of a member, a group, an ajo or an account came to at a position: see replay.Keyframe. It is a cache,
-- and may be emptied at any time. No role of the ledger may write it.
CREATE TABLE replay_keyframes (
    subject  text        COLLATE "C" NOT NULL,
    folds    text        COLLATE "C" NOT NULL,
    pos      bigint      NOT NULL,
    leaf     bytea       NOT NULL,
    since    bigint      NOT NULL,
    earliest timestamptz NOT NULL,
    latest   timestamptz NOT NULL,
    body     bytea       NOT NULL,
    made_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (subject, folds, pos)
);
ALTER TABLE replay_keyframes ALTER COLUMN body SET STORAGE EXTERNAL; -- It is compressed already.
CREATE INDEX ON replay_keyframes (folds, made_at);
