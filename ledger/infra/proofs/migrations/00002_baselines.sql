-- +goose Up

-- What the ledger held when its sealing began in an epoch, as the ledger's key signed it. It is kept beside the checkpoint
-- file too. A row here says that there was a checkpoint, also when every checkpoint is gone.
CREATE TABLE ledger_baselines (
    epoch     integer PRIMARY KEY,
    statement text    COLLATE "C" NOT NULL
);
CREATE TRIGGER ledger_baselines_final BEFORE UPDATE OR DELETE ON ledger_baselines FOR EACH ROW EXECUTE FUNCTION ledger_proofs_are_final();
CREATE TRIGGER ledger_baselines_kept BEFORE TRUNCATE ON ledger_baselines FOR EACH STATEMENT EXECUTE FUNCTION ledger_proofs_are_final();
