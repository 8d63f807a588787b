-- +goose Up
-- Answers of a bank that say nothing about a payout, or not what one would like to hear.
ALTER TABLE sandbox_manners
    DROP CONSTRAINT sandbox_manners_answer_check,
    ADD CONSTRAINT sandbox_manners_answer_check CHECK (answer IN ('plain', 'silent', 'lost', 'xml', 'exists', '403', '429', '503')),
    ADD COLUMN refuses int NOT NULL DEFAULT 0,  -- what it answers until dead_until: an HTTP status, or 91; 0 for nothing
    ADD COLUMN tells text NOT NULL DEFAULT '' CHECK (tells IN ('', 'another', 'part', 'unfinished'));

-- +goose Down
ALTER TABLE sandbox_manners
    DROP CONSTRAINT sandbox_manners_answer_check,
    ADD CONSTRAINT sandbox_manners_answer_check CHECK (answer IN ('plain', 'silent', 'lost', 'xml')),
    DROP COLUMN refuses,
    DROP COLUMN tells;
