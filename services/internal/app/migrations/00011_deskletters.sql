-- +goose Up

-- How far the steps of disputes were gone through for letters to Admins. One row, once that began.
CREATE TABLE desk_letters (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    pos bigint NOT NULL
);

-- +goose Down
DROP TABLE desk_letters;
