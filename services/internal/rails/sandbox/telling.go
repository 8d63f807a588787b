package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/services/internal/rails/banks"
	"adashi.ng/services/internal/rails/sandbox/webhooks"
)

// later is a moment plus a delay; nil when there is no delay.
func later(than time.Time, by time.Duration) *time.Time {
	if by == 0 {
		return nil
	}
	at := than.Add(by)
	return &at
}

// Announce sends the webhooks again for all money that arrived under our reference, or under the bank's own.
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
	var from Account
	var late int64
	err := tx.QueryRow(ctx, `SELECT coalesce(nullif(t.reference, ''), a.reference), t.account_number, t.sender, t.session_id, t.amount, t.sent_at, t.settles_at, t.hook_bare,
			t.sender_bank, t.sender_account, t.hook_late_ms
		FROM sandbox_transfers t JOIN sandbox_accounts a USING (account_number) WHERE t.id = $1`, id).Scan(&reference, &account, &sender, &session, &amount, &sent, &settles, &bare,
		&from.Bank, &from.Number, &late)
	if err != nil {
		return err
	}
	if bare {
		reference = ""
	}
	number, nip := "1111111103", "000002" // One of the bank's own accounts.
	if bank, known := banks.New().Find(from.Bank); known && from.Number != "" {
		number, nip = from.Number, bank.NIP
	}
	body, err := json.Marshal(map[string]any{
		"reference": reference, "amount": naira(amount), "account_number": account,
		"originator_account_number": number, "originator_account_name": sender, "originator_bank": nip,
		"originator_narration": "Transfer from " + sender, "timestamp": sent.UTC().Format(time.RFC3339Nano),
		"transaction_channel": "NIP", "session_id": session, "initialCreditRequest": false,
	})
	if err != nil {
		return err
	}
	return webhooks.Queue(ctx, tx, webhooks.VFD, body, settles.Add(time.Duration(late)*time.Millisecond), twice)
}

// announceCharge queues the webhook of a card payment.
func (b *Bank) announceCharge(ctx context.Context, tx pgx.Tx, id int64, twice bool) error {
	found, err := readCharge(ctx, tx, "id::text", fmt.Sprint(id))
	if err != nil {
		return err
	}
	var bare bool
	var late int64
	if err := tx.QueryRow(ctx, `SELECT hook_bare, hook_late_ms FROM sandbox_charges WHERE id = $1`, id).Scan(&bare, &late); err != nil {
		return err
	}
	if bare {
		found.Reference = ""
	}
	body, err := json.Marshal(map[string]any{"event": "charge.success", "data": found.data()})
	if err != nil {
		return err
	}
	return webhooks.Queue(ctx, tx, webhooks.Paystack, body, b.now().Add(time.Duration(late)*time.Millisecond), twice)
}
