-- +goose Up
ALTER TABLE sandbox_payouts ADD COLUMN rest_after_ms bigint NOT NULL DEFAULT 0; -- what was kept of a return comes so long after it; never when 0

-- Parts of transfers that their bank took back.
CREATE TABLE sandbox_recalls (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    transfer bigint NOT NULL REFERENCES sandbox_transfers,
    amount bigint NOT NULL CHECK (amount > 0), -- kobo
    recalled_at timestamptz NOT NULL
);

-- The journal as it was, and what moves in parts.
ALTER VIEW sandbox_journal RENAME TO sandbox_journal_whole;
CREATE VIEW sandbox_journal AS
    SELECT * FROM sandbox_journal_whole
    UNION ALL -- The rest of a return, under the payout's session like the first part.
    SELECT rail, 'return', 'payout ' || id, 'kept:' || bank_code, 'adashi:' || rail, kept, reversed_at + rest_after_ms * interval '1 ms', 'sandbox-rest-' || id, reference, session_id,
        'CREDIT', 0::bigint, reversed_at + rest_after_ms * interval '1 ms', reversed_at + (rest_after_ms + line_late_ms) * interval '1 ms', 1, account_number
    FROM sandbox_payouts WHERE rail = 'vfd' AND return_as = '' AND code IN ('00', '26') AND reversed_at IS NOT NULL AND kept > 0 AND rest_after_ms > 0
    UNION ALL -- A part of a transfer, under the session by which that came.
    SELECT 'vfd', 'recall', 'transfer ' || t.id, 'adashi:vfd',
        CASE WHEN t.sender_account = '' THEN 'sender:' || t.sender ELSE t.sender_bank || '/' || t.sender_account END,
        r.amount, r.recalled_at, 'sandbox-recall-' || t.id || '-' || r.id, CASE WHEN t.line_bare THEN '' ELSE coalesce(nullif(t.reference, ''), a.reference) END,
        t.session_id, 'DEBIT', 0, r.recalled_at, r.recalled_at, 1, ''
    FROM sandbox_recalls r JOIN sandbox_transfers t ON t.id = r.transfer JOIN sandbox_accounts a USING (account_number)
    UNION ALL -- What the bank takes for a payout that it booked out and in again.
    SELECT rail, 'fee', 'payout ' || id, 'adashi:' || rail, 'fees:' || rail, fee, settles_at, 'sandbox-fee-' || id,
        'COMM/' || right(session_id, 12), 'F' || session_id, 'DEBIT', 0, settles_at, settles_at + line_late_ms * interval '1 ms', 1, account_number
    FROM sandbox_payouts WHERE rail = 'vfd' AND booked_back AND code NOT IN ('00', '26') AND fee > 0;

-- +goose Down
DROP VIEW sandbox_journal;
ALTER VIEW sandbox_journal_whole RENAME TO sandbox_journal;
DROP TABLE sandbox_recalls;
ALTER TABLE sandbox_payouts DROP COLUMN rest_after_ms;
