-- +goose Up
-- What is gathered later is given up later: payments that come while a letter cannot be written have rows of their own.
ALTER TABLE payment_digests DROP CONSTRAINT payment_digests_pkey, ADD PRIMARY KEY (user_id, group_id, sub_account_id, gathered_at);

-- +goose Down
CREATE TEMPORARY TABLE together ON COMMIT DROP AS
    SELECT user_id, group_id, sub_account_id, sum(payments)::bigint AS payments, sum(kobo)::bigint AS kobo, min(first_pos) AS first_pos,
        max(last_pos) AS last_pos, min(gathered_at) AS gathered_at FROM payment_digests GROUP BY user_id, group_id, sub_account_id;
DELETE FROM payment_digests;
ALTER TABLE payment_digests DROP CONSTRAINT payment_digests_pkey, ADD PRIMARY KEY (user_id, group_id, sub_account_id);
INSERT INTO payment_digests SELECT user_id, group_id, sub_account_id, payments, kobo, first_pos, last_pos, gathered_at FROM together;
