-- +goose Up

-- When appends were stopped, and when an epoch was raised, is said by the process that does it: the product has one
-- clock, which need not be Postgres's.
ALTER TABLE ledger_epochs ALTER COLUMN raised_at DROP DEFAULT;
DROP FUNCTION ledger_part(integer, text, bigint, bigint, integer);
-- +goose StatementBegin
CREATE FUNCTION ledger_part(seen_epoch integer, why text, from_pos bigint, stream_last bigint, next_epoch integer, seen_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE ledger_gate SET parted = why, parted_at = seen_at, parted_from = from_pos, parted_stream = stream_last, parted_next = next_epoch
        WHERE epoch = seen_epoch AND (parted = '' OR parted_next = 0 AND next_epoch > 0);
    RETURN FOUND;
END $$;
-- +goose StatementEnd
