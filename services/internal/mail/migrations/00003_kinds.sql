-- +goose Up
-- What a letter is about and who caused it, so that one kind or one person uses up nobody else's letters.
ALTER TABLE mail_outbox
    ADD COLUMN kind text NOT NULL DEFAULT '',
    ADD COLUMN cause text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE mail_outbox DROP COLUMN kind, DROP COLUMN cause;
