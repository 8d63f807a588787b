-- +goose Up

-- The addresses that officials typed to invite somebody. The list of who is invited shows them, and neither the name nor
-- the picture of whoever has such an account, before that person says yes; it does not tell who has one.
CREATE TABLE typed_invitations (
    id         uuid PRIMARY KEY,
    group_id   text NOT NULL,
    email      text NOT NULL,
    user_id    text NOT NULL, -- empty where nobody has the address
    typed_at   timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    UNIQUE (group_id, email)
);
CREATE INDEX typed_invitations_email ON typed_invitations (email);

-- +goose Down
DROP TABLE typed_invitations;
