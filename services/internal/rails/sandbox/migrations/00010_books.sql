-- +goose Up
-- The bank behaves again, and keeps its manners whole: columns are only what its own queries look for.
DROP TABLE sandbox_manners;
CREATE TABLE sandbox_manners (
    account_number text NOT NULL,              -- empty for all that have none of their own
    rail text NOT NULL DEFAULT '' CHECK (rail IN ('', 'vfd', 'paystack')),
    manner jsonb NOT NULL DEFAULT '{}',
    hold_ms bigint NOT NULL DEFAULT 0,         -- how long the answer to an order takes
    dead_until timestamptz,                    -- answers nobody until then,
    calls text NOT NULL DEFAULT '',            -- of these calls,
    refuses int NOT NULL DEFAULT 0,            -- or this: an HTTP status, or 91; 0 for nothing
    first_missing boolean NOT NULL DEFAULT false, -- knows of no such account, the first time,
    first_hold_ms bigint NOT NULL DEFAULT 0,   -- and takes so long to say so
    PRIMARY KEY (account_number, rail)
);

ALTER TABLE sandbox_people ADD COLUMN owner text NOT NULL DEFAULT ''; -- the BVN of the person who truly controls the account; their own when empty

ALTER TABLE sandbox_transfers
    ADD COLUMN sender_bank text NOT NULL DEFAULT '',
    ADD COLUMN sender_account text NOT NULL DEFAULT '',
    ADD COLUMN recalled_at timestamptz,          -- the bank took it back
    ADD COLUMN returns bigint,                   -- the payout that came back as this transfer
    ADD COLUMN says text[] NOT NULL DEFAULT '{}', -- the statuses that it is told with, one question each; the last one stays
    ADD COLUMN hook_late_ms bigint NOT NULL DEFAULT 0;
CREATE INDEX sandbox_transfers_returns ON sandbox_transfers (returns) WHERE returns IS NOT NULL;

ALTER TABLE sandbox_charges
    ADD COLUMN settled_at timestamptz,           -- when the money came, whatever paid_at says
    ADD COLUMN says text[] NOT NULL DEFAULT '{}',
    ADD COLUMN payer_bank text NOT NULL DEFAULT '',
    ADD COLUMN payer_account text NOT NULL DEFAULT '',
    ADD COLUMN hook_late_ms bigint NOT NULL DEFAULT 0;

ALTER TABLE sandbox_refunds
    ADD COLUMN created_at timestamptz,           -- when it was asked for; refunded_at when null
    ADD COLUMN fails boolean NOT NULL DEFAULT false,
    ADD COLUMN early boolean NOT NULL DEFAULT false, -- the money leaves when it is asked for
    ADD COLUMN dispute boolean NOT NULL DEFAULT false;

ALTER TABLE sandbox_payouts
    ADD COLUMN fee_told text NOT NULL DEFAULT '',
    ADD COLUMN kept bigint NOT NULL DEFAULT 0,   -- what the receiving bank keeps of a return
    ADD COLUMN return_as text NOT NULL DEFAULT '',
    ADD COLUMN booked_back boolean NOT NULL DEFAULT false,
    ADD COLUMN known_at timestamptz,             -- the query knows of it from then on
    ADD COLUMN says text[] NOT NULL DEFAULT '{}',
    ADD COLUMN line_late_ms bigint NOT NULL DEFAULT 0;

-- The sandbox's own books of our money: each row moves an amount from one account to another, so all accounts add up to
-- zero. Ours are adashi:vfd and adashi:paystack. Somebody's is bank/number, a card's card:e-mail, a stranger's
-- sender:name; fees:vfd, fees:paystack and kept:bank are what banks keep. booked_at is when the money moved, whatever
-- is said of it. The other columns are the line that the bank's statement has of it, from told_at on and so often; a
-- row whose txn is empty has no line of its own. It is a view of the tables that say what was done, so that nothing can
-- be done beside the books.
CREATE VIEW sandbox_journal AS
    SELECT 'vfd' AS rail, CASE WHEN t.returns IS NULL THEN 'in' ELSE 'return' END AS kind, 'transfer ' || t.id AS source,
        CASE WHEN t.sender_account = '' THEN 'sender:' || t.sender ELSE t.sender_bank || '/' || t.sender_account END AS from_account, 'adashi:vfd' AS to_account,
        t.amount, t.settles_at AS booked_at, coalesce(nullif(t.line_number, ''), 'sandbox-' || t.id) AS txn,
        CASE WHEN t.line_bare THEN '' ELSE coalesce(nullif(t.reference, ''), a.reference) END AS reference,
        CASE WHEN t.line_sessionless THEN '' ELSE t.session_id END AS session, 'CREDIT' AS line, 0::bigint AS line_fee, t.sent_at AS at,
        greatest(t.settles_at, t.line_at) AS told_at, t.line_copies AS copies, '' AS payee
    FROM sandbox_transfers t JOIN sandbox_accounts a USING (account_number) WHERE t.code = '00'
    UNION ALL
    SELECT 'vfd', 'recall', 'transfer ' || t.id, 'adashi:vfd',
        CASE WHEN t.sender_account = '' THEN 'sender:' || t.sender ELSE t.sender_bank || '/' || t.sender_account END,
        t.amount, t.recalled_at, 'sandbox-recall-' || t.id, CASE WHEN t.line_bare THEN '' ELSE coalesce(nullif(t.reference, ''), a.reference) END,
        t.session_id, 'DEBIT', 0, t.recalled_at, t.recalled_at, 1, ''
    FROM sandbox_transfers t JOIN sandbox_accounts a USING (account_number) WHERE t.code = '00' AND t.recalled_at IS NOT NULL
    UNION ALL
    SELECT rail, 'out', 'payout ' || id, 'adashi:' || rail, bank_code || '/' || account_number, amount, settles_at, 'sandbox-out-' || id, reference, session_id,
        'DEBIT', CASE WHEN fee_told = 'apart' THEN 0 ELSE fee END, sent_at, settles_at + line_late_ms * interval '1 ms', 1, account_number
    FROM sandbox_payouts WHERE code IN ('00', '26')
    UNION ALL
    SELECT rail, 'fee', 'payout ' || id, 'adashi:' || rail, 'fees:' || rail, fee, settles_at, CASE WHEN fee_told = 'apart' THEN 'sandbox-fee-' || id ELSE '' END,
        'COMM/' || right(session_id, 12), 'F' || session_id, 'DEBIT', 0, settles_at, settles_at + line_late_ms * interval '1 ms', 1, account_number
    FROM sandbox_payouts WHERE code IN ('00', '26') AND fee > 0
    UNION ALL
    SELECT rail, 'return', 'payout ' || id, bank_code || '/' || account_number, 'adashi:' || rail, amount - kept, reversed_at, 'sandbox-back-' || id, reference, session_id,
        'CREDIT', 0, reversed_at, reversed_at + line_late_ms * interval '1 ms', 1, account_number
    FROM sandbox_payouts p WHERE code IN ('00', '26') AND reversed_at IS NOT NULL AND kept < amount AND NOT EXISTS (SELECT FROM sandbox_transfers t WHERE t.returns = p.id)
    UNION ALL
    SELECT rail, 'kept', 'payout ' || id, bank_code || '/' || account_number, 'kept:' || bank_code, kept, reversed_at, '', '', '', 'DEBIT', 0, reversed_at, reversed_at, 0, account_number
    FROM sandbox_payouts WHERE code IN ('00', '26') AND reversed_at IS NOT NULL AND kept > 0
    UNION ALL -- A payout that was not paid, and was booked out and in again all the same.
    SELECT rail, 'out', 'payout ' || id, 'adashi:' || rail, bank_code || '/' || account_number, amount, sent_at, 'sandbox-out-' || id, reference, session_id,
        'DEBIT', 0, sent_at, sent_at + line_late_ms * interval '1 ms', 1, account_number
    FROM sandbox_payouts WHERE booked_back AND code NOT IN ('00', '26')
    UNION ALL
    SELECT rail, 'return', 'payout ' || id, bank_code || '/' || account_number, 'adashi:' || rail, amount, settles_at, 'sandbox-back-' || id, reference, session_id,
        'CREDIT', 0, settles_at, settles_at + line_late_ms * interval '1 ms', 1, account_number
    FROM sandbox_payouts WHERE booked_back AND code NOT IN ('00', '26')
    UNION ALL
    SELECT 'paystack', 'in', 'charge ' || id, CASE WHEN payer_account = '' THEN 'card:' || email ELSE payer_bank || '/' || payer_account END, 'adashi:paystack', amount,
        coalesce(settled_at, created_at), '', reference, '', 'CREDIT', fees, paid_at, coalesce(settled_at, created_at), 0, ''
    FROM sandbox_charges WHERE status = 'success'
    UNION ALL
    SELECT 'paystack', 'fee', 'charge ' || id, 'adashi:paystack', 'fees:paystack', fees, coalesce(settled_at, created_at), '', reference, '', 'DEBIT', 0, paid_at,
        coalesce(settled_at, created_at), 0, ''
    FROM sandbox_charges WHERE status = 'success' AND fees > 0
    UNION ALL
    SELECT 'paystack', CASE WHEN r.dispute THEN 'chargeback' ELSE 'refund' END, 'refund ' || r.id, 'adashi:paystack',
        CASE WHEN c.payer_account = '' THEN 'card:' || c.email ELSE c.payer_bank || '/' || c.payer_account END, r.amount,
        CASE WHEN r.early THEN coalesce(r.created_at, r.refunded_at) ELSE r.refunded_at END, '', c.reference, '', 'DEBIT', 0, r.refunded_at, r.refunded_at, 0, ''
    FROM sandbox_refunds r JOIN sandbox_charges c ON c.id = r.charge WHERE r.early OR NOT r.fails
    UNION ALL
    SELECT 'paystack', 'return', 'refund ' || r.id, CASE WHEN c.payer_account = '' THEN 'card:' || c.email ELSE c.payer_bank || '/' || c.payer_account END,
        'adashi:paystack', r.amount, r.refunded_at, '', c.reference, '', 'CREDIT', 0, r.refunded_at, r.refunded_at, 0, ''
    FROM sandbox_refunds r JOIN sandbox_charges c ON c.id = r.charge WHERE r.early AND r.fails;

-- +goose Down
DROP VIEW sandbox_journal;
ALTER TABLE sandbox_payouts DROP COLUMN fee_told, DROP COLUMN kept, DROP COLUMN return_as, DROP COLUMN booked_back, DROP COLUMN known_at, DROP COLUMN says, DROP COLUMN line_late_ms;
ALTER TABLE sandbox_refunds DROP COLUMN created_at, DROP COLUMN fails, DROP COLUMN early, DROP COLUMN dispute;
ALTER TABLE sandbox_charges DROP COLUMN settled_at, DROP COLUMN says, DROP COLUMN payer_bank, DROP COLUMN payer_account, DROP COLUMN hook_late_ms;
ALTER TABLE sandbox_transfers DROP COLUMN sender_bank, DROP COLUMN sender_account, DROP COLUMN recalled_at, DROP COLUMN returns, DROP COLUMN says, DROP COLUMN hook_late_ms;
ALTER TABLE sandbox_people DROP COLUMN owner;
DROP TABLE sandbox_manners;
CREATE TABLE sandbox_manners (
    account_number text PRIMARY KEY,
    delay_ms bigint NOT NULL DEFAULT 0,
    code text NOT NULL DEFAULT '00',
    answer text NOT NULL DEFAULT 'plain' CHECK (answer IN ('plain', 'silent', 'lost', 'xml', 'exists', '403', '429', '503')),
    hold_ms bigint NOT NULL DEFAULT 0,
    twice boolean NOT NULL DEFAULT false,
    reverse_ms bigint NOT NULL DEFAULT -1,
    dead_until timestamptz,
    first_missing boolean NOT NULL DEFAULT false,
    first_hold_ms bigint NOT NULL DEFAULT 0,
    refuses int NOT NULL DEFAULT 0,
    tells text NOT NULL DEFAULT '' CHECK (tells IN ('', 'another', 'part', 'unfinished'))
);
