-- +goose Up
ALTER TABLE mail_outbox
    ADD COLUMN state text NOT NULL DEFAULT 'QUEUED' CHECK (state IN ('QUEUED', 'SENT', 'GIVEN_UP')),
    ADD COLUMN attempts int NOT NULL DEFAULT 0,
    ADD COLUMN next_try timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN last_error text NOT NULL DEFAULT '',
    ADD COLUMN farewell boolean NOT NULL DEFAULT false;
CREATE INDEX mail_outbox_due ON mail_outbox (next_try) WHERE state = 'QUEUED';

-- +goose Down
DROP INDEX mail_outbox_due;
ALTER TABLE mail_outbox DROP COLUMN state, DROP COLUMN attempts, DROP COLUMN next_try, DROP COLUMN last_error, DROP COLUMN farewell;
