-- +goose Up
-- A letter is kept as its form and what it says, and written when it is sent. Those of before keep their texts.
ALTER TABLE mail_outbox
    ADD COLUMN form text NOT NULL DEFAULT '',
    ADD COLUMN said text NOT NULL DEFAULT '',
    ALTER COLUMN subject SET DEFAULT '',
    ALTER COLUMN body_text SET DEFAULT '',
    ALTER COLUMN body_html SET DEFAULT '';

-- +goose Down
ALTER TABLE mail_outbox DROP COLUMN form, DROP COLUMN said;
