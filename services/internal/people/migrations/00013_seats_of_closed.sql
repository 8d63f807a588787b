-- +goose Up

-- Earlier builds left a closed account its seats in ajos, so the job looks at all closed accounts once more.
INSERT INTO closings (user_id, begun_at) SELECT id, coalesce(email_verified_at, erased_at) FROM accounts WHERE email_verified_at IS NOT NULL OR erased_at IS NOT NULL
    ON CONFLICT DO NOTHING;

-- +goose Down
SELECT 1;
