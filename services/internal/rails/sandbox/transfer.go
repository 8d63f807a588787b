package sandbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
)

// Send makes a transfer that goes through at once, with that bank timestamp, and queues its webhook. It returns the
// same faults as Transfer.
func (b *Bank) Send(ctx context.Context, account string, amount money.Kobo, sender string, at time.Time) error {
	return b.Transfer(ctx, Transfer{Account: account, Amount: amount, Sender: sender, At: at})
}

// Transfer records the transfer and queues its webhooks in one transaction. The bank refuses an unknown account
// (fault.NotFound), one that has expired or been paid (fault.Conflict) and any amount but the exact one
// (fault.Invalid).
func (b *Bank) Transfer(ctx context.Context, t Transfer) error {
	if t.At.IsZero() {
		t.At = b.now()
	}
	if t.Code == "" {
		t.Code = "00"
	}
	if t.Sender = word(t.Sender, 100); t.Sender == "" {
		return fault.Field("sender", "Please enter the sender's name.")
	}
	err := pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		if err := b.admit(ctx, tx, t); err != nil {
			return err
		}
		return b.record(ctx, tx, t, 0)
	})
	if err != nil {
		return fmt.Errorf("sandbox: transfer: %w", err)
	}
	b.hooks.Nudge()
	return nil
}

// Received reports whether an account has ever received something.
func (b *Bank) Received(ctx context.Context, account string) (came bool, err error) {
	err = b.pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM sandbox_transfers WHERE account_number = $1)", account).Scan(&came)
	return came, err
}

// admit locks the account and refuses transfers that the account does not take.
func (b *Bank) admit(ctx context.Context, tx pgx.Tx, t Transfer) error {
	var exact money.Kobo
	var expires time.Time
	var paid bool
	err := tx.QueryRow(ctx, `
		SELECT amount, expires_at, EXISTS (SELECT FROM sandbox_transfers t WHERE t.account_number = a.account_number AND t.code = '00')
		FROM sandbox_accounts a WHERE account_number = $1 FOR UPDATE`, word(t.Account, 20)).Scan(&exact, &expires, &paid)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return fault.New(fault.NotFound, "No account at this bank has that number.")
	case err != nil:
		return err
	case t.Loose || t.Account == OwnAccount:
		return nil
	case paid:
		return fault.New(fault.Conflict, "This account has received its money already.")
	case t.At.After(expires) && b.now().After(expires):
		return fault.New(fault.Conflict, "This account has expired. Start the payment again.")
	case t.Amount != exact:
		return fault.Field("amount", "The bank refused it: this account takes exactly %s.", exact)
	}
	return nil
}

// record books a transfer; returns is the payout that it returns, if any.
func (b *Bank) record(ctx context.Context, tx pgx.Tx, t Transfer, returns int64) error {
	session, settles, own := sessionID(t.At), b.now().Add(t.Delay), ""
	if t.Account == OwnAccount {
		own = "VFD" + session
	}
	var id int64
	err := tx.QueryRow(ctx, `
		INSERT INTO sandbox_transfers (session_id, account_number, amount, sender, code, sent_at, settles_at, reference,
			line_bare, line_sessionless, line_number, line_copies, line_at, asked_at, hook_bare, hook_late_ms, sender_bank, sender_account, returns)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, nullif($19, 0)) RETURNING id`,
		session, t.Account, int64(t.Amount), t.Sender, t.Code, t.At, settles, own, t.LineBare, t.LineSessionless, t.LineNumber, t.Copies(),
		later(t.At, t.LineLate), later(b.now(), t.AskedLate), t.HookBare, t.HookLate.Milliseconds(), word(t.From.Bank, 10), word(t.From.Number, 20), returns).Scan(&id)
	if err != nil || t.Code != succeeded || t.Silent {
		return err
	}
	return b.announce(ctx, tx, id, t.Twice)
}

// Recall makes the bank take back money that came by transfer: its statement shows the money going out, and it notifies
// nobody. It takes the last transfer under a reference, ours or the bank's own. It returns fault.Conflict when the
// transfer did not arrive, or when some of it was taken back before.
func (b *Bank) Recall(ctx context.Context, reference string) error {
	return b.recalled(ctx, `UPDATE sandbox_transfers SET recalled_at = $2 WHERE id = (`+came+`) AND NOT EXISTS (SELECT FROM sandbox_recalls WHERE transfer = sandbox_transfers.id)`, reference)
}

// RecallPart takes back a part, and may be repeated while some of the money remains.
func (b *Bank) RecallPart(ctx context.Context, reference string, amount money.Kobo) error {
	return b.recalled(ctx, `INSERT INTO sandbox_recalls (transfer, amount, recalled_at) SELECT id, $3::bigint, $2 FROM sandbox_transfers t WHERE id = (`+came+`)
		AND $3::bigint <= amount - (SELECT coalesce(sum(amount), 0) FROM sandbox_recalls WHERE transfer = t.id)`, reference, int64(amount))
}

// came selects the last transfer under a reference that arrived before a moment and was not taken back.
const came = `SELECT max(t.id) FROM sandbox_transfers t JOIN sandbox_accounts a USING (account_number)
	WHERE coalesce(nullif(t.reference, ''), a.reference) = $1 AND t.code = '00' AND t.settles_at <= $2 AND t.recalled_at IS NULL`

func (b *Bank) recalled(ctx context.Context, sql, reference string, more ...any) error {
	tag, err := b.pool.Exec(ctx, sql, append([]any{word(reference, 128), b.now()}, more...)...)
	if err != nil {
		return fmt.Errorf("sandbox: recall: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return fault.New(fault.Conflict, "Only money that came by transfer can be taken back, and only once.")
	}
	return nil
}
