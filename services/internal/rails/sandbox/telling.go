package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/services/internal/rails/sandbox/webhooks"
)

// Telling is how the bank tells of money that arrived. The zero value is a bank at its best.
type Telling struct {
	Silent bool // No webhook is sent, until Announce has it sent.
	Twice  bool // The webhook is sent twice.

	HookBare        bool          // The webhook names no reference of ours.
	LineBare        bool          // The statement's line names none.
	LineSessionless bool          // Nor a session; a transfer alone has one.
	LineNumber      string        // The number that the statement has for a transfer instead of the transaction's own.
	LineTwice       bool          // The statement has it twice.
	LineLate        time.Duration // The statement has it only so long after the bank's timestamp.
	AskedLate       time.Duration // The status query knows of it only so long after now.
}

// copies is how often the statement has a line.
func (t Telling) copies() int {
	if t.LineTwice {
		return 2
	}
	return 1
}

// later is a moment so long after another; nil for at once.
func later(than time.Time, by time.Duration) *time.Time {
	if by == 0 {
		return nil
	}
	at := than.Add(by)
	return &at
}

// Announce has the webhooks sent again of all money that arrived under a reference of ours, or of a bank's own.
func (b *Bank) Announce(ctx context.Context, reference string) error {
	err := pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT t.id FROM sandbox_transfers t JOIN sandbox_accounts a USING (account_number)
			WHERE t.code = '00' AND coalesce(nullif(t.reference, ''), a.reference) = $1`, reference)
		if err != nil {
			return err
		}
		transfers, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return err
		}
		for _, id := range transfers {
			if err := b.announce(ctx, tx, id, false); err != nil {
				return err
			}
		}
		if rows, err = tx.Query(ctx, `SELECT id FROM sandbox_charges WHERE status = 'success' AND reference = $1`, reference); err != nil {
			return err
		}
		charges, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return err
		}
		for _, id := range charges {
			if err := b.announceCharge(ctx, tx, id, false); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("sandbox: announce: %w", err)
	}
	b.hooks.Nudge()
	return nil
}

// announce queues the webhook of a transfer.
func (b *Bank) announce(ctx context.Context, tx pgx.Tx, id int64, twice bool) error {
	var reference, account, sender, session string
	var amount int64
	var sent, settles time.Time
	var bare bool
	err := tx.QueryRow(ctx, `SELECT coalesce(nullif(t.reference, ''), a.reference), t.account_number, t.sender, t.session_id, t.amount, t.sent_at, t.settles_at, t.hook_bare
		FROM sandbox_transfers t JOIN sandbox_accounts a USING (account_number) WHERE t.id = $1`, id).Scan(&reference, &account, &sender, &session, &amount, &sent, &settles, &bare)
	if err != nil {
		return err
	}
	if bare {
		reference = ""
	}
	body, err := json.Marshal(map[string]any{
		"reference": reference, "amount": naira(amount), "account_number": account,
		"originator_account_number": "1111111103", "originator_account_name": sender, "originator_bank": "000002",
		"originator_narration": "Transfer from " + sender, "timestamp": sent.UTC().Format(time.RFC3339Nano),
		"transaction_channel": "NIP", "session_id": session, "initialCreditRequest": false,
	})
	if err != nil {
		return err
	}
	return webhooks.Queue(ctx, tx, webhooks.VFD, body, settles, twice)
}

// announceCharge queues the webhook of a card payment.
func (b *Bank) announceCharge(ctx context.Context, tx pgx.Tx, id int64, twice bool) error {
	found, err := readCharge(ctx, tx, "id::text", fmt.Sprint(id))
	if err != nil {
		return err
	}
	var bare bool
	if err := tx.QueryRow(ctx, `SELECT hook_bare FROM sandbox_charges WHERE id = $1`, id).Scan(&bare); err != nil {
		return err
	}
	if bare {
		found.Reference = ""
	}
	body, err := json.Marshal(map[string]any{"event": "charge.success", "data": found.data()})
	if err != nil {
		return err
	}
	return webhooks.Queue(ctx, tx, webhooks.Paystack, body, b.now(), twice)
}
