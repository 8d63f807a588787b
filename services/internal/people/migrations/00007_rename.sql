-- +goose Up

-- Changes what a member is called and reached by, and answers whether there is such a member: an erased one gets no name
-- any more. The vault's role runs it in the transaction that judges the name, and may not write accounts otherwise.
-- +goose StatementBegin
CREATE FUNCTION accounts_rename(member uuid, first text, last text, number text) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE accounts SET first_name = first, last_name = last, phone = number WHERE id = member AND erased_at IS NULL;
    RETURN FOUND;
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION accounts_rename(uuid, text, text, text) FROM PUBLIC;

-- +goose Down
DROP FUNCTION accounts_rename(uuid, text, text, text);
