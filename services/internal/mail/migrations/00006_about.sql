-- +goose Up
-- Whom a letter speaks of besides its reader, so that it can be forgotten with them. Of a forgotten letter the row stays where
-- its kind is limited: it still counts.
ALTER TABLE mail_outbox
    ADD COLUMN about text[] NOT NULL DEFAULT '{}',
    DROP CONSTRAINT mail_outbox_state_check,
    ADD CONSTRAINT mail_outbox_state_check CHECK (state IN ('QUEUED', 'SENT', 'GIVEN_UP', 'FORGOTTEN'));
CREATE INDEX mail_outbox_about ON mail_outbox USING gin (about) WHERE about <> '{}';

-- +goose Down
DELETE FROM mail_outbox WHERE state = 'FORGOTTEN';
ALTER TABLE mail_outbox
    DROP COLUMN about,
    DROP CONSTRAINT mail_outbox_state_check,
    ADD CONSTRAINT mail_outbox_state_check CHECK (state IN ('QUEUED', 'SENT', 'GIVEN_UP'));
