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
GRANT SELECT, UPDATE ON ledger_gate, ledger_settled TO adashi_appender;
GRANT SELECT ON ledger_head, ledger_partitions TO adashi_appender;
GRANT EXECUTE ON FUNCTION ledger_extend(bigint, bigint), ledger_lock(bigint, bytea, uuid[]), ledger_settle() TO adashi_appender;

GRANT SELECT ON events, ledger_head, ledger_partitions TO adashi_relay, adashi_projector;
GRANT SELECT, INSERT, UPDATE ON ledger_tiles TO adashi_relay;
GRANT SELECT, INSERT ON ledger_checkpoints TO adashi_relay;
GRANT SELECT, UPDATE (epoch) ON ledger_gate TO adashi_relay;
GRANT SELECT, INSERT ON ledger_epochs TO adashi_relay;
