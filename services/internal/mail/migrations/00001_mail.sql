-- +goose Up
CREATE TABLE mail_outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    recipient text NOT NULL,
    subject text NOT NULL,
    body_text text NOT NULL,
    body_html text NOT NULL,
    created_at timestamptz NOT NULL,
    sent_at timestamptz
);
CREATE INDEX mail_outbox_recipient ON mail_outbox (recipient, created_at);

-- +goose Down
DROP TABLE mail_outbox;
