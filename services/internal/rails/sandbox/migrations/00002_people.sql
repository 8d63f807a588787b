-- +goose Up
CREATE TABLE sandbox_people (
    bvn text PRIMARY KEY,
    first_name text NOT NULL,
    last_name text NOT NULL,
    account_number text NOT NULL,
    bank_code text NOT NULL, -- the CBN's
    nip_code text NOT NULL,  -- the network's
    manner text NOT NULL CHECK (manner IN ('plain', 'slow', 'silent', 'other')),
    asked_at timestamptz,    -- when the BVN was first asked about
    UNIQUE (account_number, nip_code)
);

CREATE TABLE sandbox_customers (
    code text PRIMARY KEY,
    email text NOT NULL UNIQUE,
    identified boolean NOT NULL DEFAULT false
);

INSERT INTO sandbox_people (bvn, first_name, last_name, account_number, bank_code, nip_code, manner) VALUES
    ('22222222223', 'Ada', 'Obi', '1111111103', '082', '000002', 'plain'),
    ('22222222224', 'Bisi', 'Ade', '1000074944', '566', '090110', 'plain'),
    ('22222222225', 'Chidi', 'Eze', '1111111111', '082', '000002', 'slow'),
    ('22222222226', 'Dayo', 'Bello', '1111111112', '082', '000002', 'silent'),
    ('22222222227', 'Emeka', 'Okoro', '1111111113', '082', '000002', 'other');

-- +goose Down
DROP TABLE sandbox_customers;
DROP TABLE sandbox_people;
