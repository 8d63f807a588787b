-- +goose Up

-- When appends were stopped is said by the process that does it: the product has one clock, which need not be
-- Postgres's. The function without the time stays for an earlier build that runs beside.
-- +goose StatementBegin
CREATE FUNCTION ledger_part(seen_epoch integer, why text, from_pos bigint, stream_last bigint, next_epoch integer, seen_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE ledger_gate SET parted = why, parted_at = seen_at, parted_from = from_pos, parted_stream = stream_last, parted_next = next_epoch
        WHERE epoch = seen_epoch AND (parted = '' OR parted_next = 0 AND next_epoch > 0);
    RETURN FOUND;
END $$;
-- +goose StatementEnd
