-- +goose Up
-- Which address was invited to which group or ajo and when, and when it refused or the invitation was withdrawn, so that
-- nobody invites one address again and again. Rows go after 30 days.
CREATE TABLE invited_addresses (
    id         uuid PRIMARY KEY, -- of the command, so that a retry counts once
    address    text NOT NULL,
    place      text NOT NULL, -- the id of the group or ajo
    invited_at timestamptz NOT NULL,
    ended_at   timestamptz
);
CREATE INDEX invited_addresses_address ON invited_addresses (address, place);

-- +goose Down
DROP TABLE invited_addresses;
