-- +goose Up

-- Appends change no row. A snapshot of minutes, as of a backup or a rebuild, keeps the dead versions of whatever row is
-- changed, and everybody who comes to that row walks past them: so the order of everything is the events' own, and the
-- balances follow a little behind, once for many appends.

-- Whoever appends holds the lock of this one row: positions are handed out in commit order and without a gap.
ALTER TABLE ledger_head RENAME TO ledger_gate;

-- ledger_accounts stands for the events up to here.
CREATE TABLE ledger_settled (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    pos bigint  NOT NULL
);
INSERT INTO ledger_settled (pos) SELECT pos FROM ledger_gate;
ALTER TABLE ledger_gate DROP COLUMN pos, DROP COLUMN writer, DROP COLUMN recorded_at;

-- Where the ledger ends.
CREATE VIEW ledger_head AS
    SELECT g.epoch, coalesce(e.pos, 0) AS pos, coalesce(e.recorded_at, '1970-01-01 00:00:00Z') AS recorded_at, e.leaf
    FROM ledger_gate g LEFT JOIN LATERAL (SELECT * FROM events ORDER BY pos DESC LIMIT 1) e ON true;

-- What the house owes its members never falls below zero.
-- +goose StatementBegin
CREATE FUNCTION ledger_floors_hold(accounts text[], balances bigint[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT NOT EXISTS (SELECT FROM unnest(accounts, balances) AS l (account, balance)
        WHERE l.balance < 0 AND split_part(l.account, ':', 1) IN ('wallet', 'pool', 'held', 'suspense'))
$$;
-- +goose StatementEnd
ALTER TABLE ledger_accounts DROP COLUMN floored;
ALTER TABLE ledger_accounts ADD CONSTRAINT ledger_accounts_floor CHECK (balance >= 0 OR ledger_floors_hold(ARRAY[account], ARRAY[balance]));
ALTER TABLE events ADD CONSTRAINT events_floor CHECK (0 <= ALL (balances) OR ledger_floors_hold(accounts, balances));

-- Adopts a table of events as the partition [from_pos, to_pos).
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION ledger_adopt(partition text, first bigint, beyond bigint) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    -- One that was detached before there was this constraint.
    IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = to_regclass(quote_ident(partition)) AND conname = 'events_floor') THEN
        EXECUTE format('ALTER TABLE %I ADD CONSTRAINT events_floor CHECK (0 <= ALL (balances) OR ledger_floors_hold(accounts, balances))', partition);
    END IF;
    EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', partition, first, beyond);
    EXECUTE format('CREATE OR REPLACE TRIGGER events_kept BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION events_are_final()', partition);
    INSERT INTO ledger_partitions (name, from_pos, to_pos) VALUES (partition, first, beyond)
        ON CONFLICT (name) DO NOTHING;
END $$;
-- +goose StatementEnd

-- Takes the lock if the ledger still ends with the event that the caller believes (else AD001), and if none of the
-- commands that are refused now was recorded before (else AD002).
DROP FUNCTION ledger_lock(bigint, bigint, uuid[]);
-- +goose StatementBegin
CREATE FUNCTION ledger_lock(last_pos bigint, last_leaf bytea, refused uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM ledger_gate FOR UPDATE;
    IF EXISTS (SELECT FROM events WHERE pos = last_pos + 1)
        OR last_pos > 0 AND NOT EXISTS (SELECT FROM events WHERE pos = last_pos AND leaf = last_leaf) THEN
        RAISE EXCEPTION 'another process has written since' USING ERRCODE = 'AD001';
    END IF;
    IF cardinality(refused) > 0 AND EXISTS (SELECT FROM commands WHERE command = ANY (refused)) THEN
        RAISE EXCEPTION 'a command came before' USING ERRCODE = 'AD002';
    END IF;
END $$;
-- +goose StatementEnd

-- Brings ledger_accounts to the ledger's end and answers which position that is. It adds up the amounts of the events
-- since, and holds the sums against the balances that the events say they left: AD003 if they differ, or if events are
-- missing that were settled before.
-- +goose StatementBegin
CREATE FUNCTION ledger_settle() RETURNS bigint LANGUAGE plpgsql SET jit = off AS $$
DECLARE
    since   bigint;
    upto    bigint;
    many    bigint;
    agreed  bigint;
BEGIN
    SELECT pos INTO since FROM ledger_settled FOR UPDATE;
    SELECT pos INTO upto FROM ledger_head;
    IF upto < since THEN
        RAISE EXCEPTION 'the balances are of position % and the ledger ends at position %', since, upto USING ERRCODE = 'AD003';
    ELSIF upto = since THEN
        RETURN upto;
    END IF;
    WITH posted AS MATERIALIZED (
        SELECT l.account, sum(l.amount)::bigint AS amount, (max(ARRAY[e.pos, l.n, l.balance]))[3] AS balance
        FROM events e, unnest(e.accounts, e.amounts, e.balances) WITH ORDINALITY AS l (account, amount, balance, n)
        WHERE e.pos > since AND e.pos <= upto GROUP BY l.account
    ), changed AS (
        UPDATE ledger_accounts a SET balance = p.balance FROM posted p WHERE a.account = p.account AND a.balance + p.amount = p.balance RETURNING 1
    ), opened AS (
        INSERT INTO ledger_accounts (account, balance) SELECT account, balance FROM posted p
        WHERE amount = balance AND NOT EXISTS (SELECT FROM ledger_accounts a WHERE a.account = p.account) RETURNING 1
    )
    SELECT (SELECT count(*) FROM posted), (SELECT count(*) FROM changed) + (SELECT count(*) FROM opened) INTO many, agreed;
    IF agreed <> many THEN
        RAISE EXCEPTION 'of % accounts posted to from position % to %, % have another balance than the events say', many, since + 1, upto, many - agreed
            USING ERRCODE = 'AD003';
    END IF;
    UPDATE ledger_settled SET pos = upto;
    RETURN upto;
END $$;
-- +goose StatementEnd
