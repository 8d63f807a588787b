-- +goose Up

-- The addresses that officials typed to invite people. Until a person accepts, the list of invitations shows the address
-- alone: no name, no picture, and not whether the address has an account.
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
