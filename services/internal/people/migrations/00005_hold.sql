-- +goose Up

-- Holds sessions until the transaction ends, and answers those of them that have ended. What a person changes, approves
-- or pays holds their session in its own transaction, so that nothing is done in a session that has ended. A session that
-- somebody ends just now counts as ended: nobody waits for it. With must, one that has ended fails the transaction
-- (AD005). It runs with its owner's rights, since who calls it may not read sessions.
-- +goose StatementBegin
CREATE FUNCTION sessions_hold(asked uuid[], must boolean) RETURNS uuid[] LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    ended uuid[];
BEGIN
    WITH held AS (SELECT id FROM sessions WHERE id = ANY (asked) ORDER BY id FOR KEY SHARE SKIP LOCKED)
    SELECT coalesce(array_agg(a.id), '{}') INTO ended FROM unnest(asked) AS a (id) WHERE NOT EXISTS (SELECT FROM held WHERE held.id = a.id);
    IF must AND cardinality(ended) > 0 THEN
        RAISE EXCEPTION 'a session has ended' USING ERRCODE = 'AD005';
    END IF;
    RETURN ended;
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION sessions_hold(uuid[], boolean) FROM PUBLIC;

-- +goose Down
DROP FUNCTION sessions_hold(uuid[], boolean);
