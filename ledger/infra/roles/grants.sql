DO $$
DECLARE
    home text := quote_ident(current_schema());
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA %s TO adashi_appender, adashi_relay, adashi_projector', home);
    EXECUTE format('GRANT CREATE ON SCHEMA %s TO adashi_projector', home);
    EXECUTE format('GRANT CREATE ON DATABASE %I TO adashi_projector', current_database());
END $$;

REVOKE EXECUTE ON FUNCTION ledger_adopt(text, bigint, bigint), ledger_extend(bigint, bigint), ledger_lock(bigint, bytea, uuid[]), ledger_settle() FROM PUBLIC;

GRANT SELECT, INSERT ON events, commands, refusals TO adashi_appender;
GRANT SELECT, INSERT, UPDATE ON ledger_accounts, snapshots TO adashi_appender;
-- Whoever locks the gate must be allowed to change one of its columns, and this one can have one value only.
REVOKE UPDATE ON ledger_gate FROM adashi_appender, adashi_relay;
REVOKE UPDATE (epoch) ON ledger_gate FROM adashi_relay;
REVOKE INSERT ON ledger_epochs FROM adashi_relay;
GRANT SELECT, UPDATE (one) ON ledger_gate TO adashi_appender;
GRANT SELECT, UPDATE ON ledger_settled TO adashi_appender;
GRANT SELECT ON ledger_head, ledger_partitions TO adashi_appender;
GRANT EXECUTE ON FUNCTION ledger_extend(bigint, bigint), ledger_lock(bigint, bytea, uuid[]), ledger_settle() TO adashi_appender;

GRANT SELECT ON events, ledger_head, ledger_partitions TO adashi_relay, adashi_projector;
GRANT SELECT, INSERT, UPDATE ON ledger_tiles TO adashi_relay;
GRANT SELECT, INSERT ON ledger_checkpoints, ledger_baselines TO adashi_relay;
GRANT SELECT ON refusals TO adashi_relay; -- It hashes those without a seal, once.
GRANT SELECT ON ledger_gate, ledger_epochs, ledger_closed TO adashi_relay;
REVOKE EXECUTE ON FUNCTION ledger_part(integer, text, bigint, bigint, integer, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_part(integer, text, bigint, bigint, integer, timestamptz) TO adashi_appender, adashi_relay;
