package sandbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
)

// PayCard pays the charge of a reference as if on its checkout page, with that timestamp (now when zero), and queues
// its webhook. A charge that is already settled is fault.Conflict.
func (b *Bank) PayCard(ctx context.Context, reference string, at time.Time) error {
	return b.PayCardAnd(ctx, reference, at, Telling{})
}

// PayCardAnd is PayCard with how the gateway reports it.
func (b *Bank) PayCardAnd(ctx context.Context, reference string, at time.Time, telling Telling) error {
	return b.PayByCard(ctx, CardPayment{Reference: reference, At: at, Telling: telling})
}

// PayByCard is PayCard with the card's account, and how the gateway reports it.
func (b *Bank) PayByCard(ctx context.Context, p CardPayment) error {
	_, err := b.settle(ctx, "reference", p.Reference, settlement{status: "success", CardPayment: p})
	return err
}

// settlement is how a checkout ends.
type settlement struct {
	status string // success or failed
	CardPayment
}

// settle ends an open charge and queues the webhook of a success, in one transaction. It returns the charge.
func (b *Bank) settle(ctx context.Context, column, value string, how settlement) (charge, error) {
	if how.At.IsZero() {
		how.At = b.now()
	}
	var settled charge
	err := pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT FROM sandbox_charges WHERE `+column+` = $1 FOR UPDATE`, value); err != nil {
			return err
		}
		found, err := readCharge(ctx, tx, column, value)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.New(fault.NotFound, "There is no such payment.")
		}
		if err != nil {
			return err
		}
		settled = found
		if found.Status != "abandoned" {
			return fault.New(fault.Conflict, "This payment has ended already.")
		}
		if how.status != "success" {
			settled.Status, settled.Reason = "failed", "Declined"
			return writeCharge(ctx, tx, settled)
		}
		settled.Status, settled.Reason, settled.PaidAt, settled.Fees = "success", "Approved", &how.At, cardFee(found.Amount)
		if err := writeCharge(ctx, tx, settled); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE sandbox_charges SET line_bare = $2, line_copies = $3, line_at = $4, asked_at = $5, hook_bare = $6, hook_late_ms = $7, settled_at = $8,
			payer_bank = coalesce(nullif($9, ''), payer_bank), payer_account = coalesce(nullif($10, ''), payer_account) WHERE id = $1`,
			settled.ID, how.LineBare, how.Copies(), later(how.At, how.LineLate), later(b.now(), how.AskedLate), how.HookBare, how.HookLate.Milliseconds(), b.now(),
			word(how.From.Bank, 10), word(how.From.Number, 20))
		if err != nil || how.Silent {
			return err
		}
		return b.announceCharge(ctx, tx, settled.ID, how.Twice)
	})
	if err != nil {
		return settled, fmt.Errorf("sandbox: card: %w", err)
	}
	b.hooks.Nudge()
	return settled, nil
}

func writeCharge(ctx context.Context, tx pgx.Tx, c charge) error {
	_, err := tx.Exec(ctx, `UPDATE sandbox_charges SET status = $2, reason = $3, paid_at = $4, fees = $5 WHERE id = $1`,
		c.ID, c.Status, c.Reason, c.PaidAt, int64(c.Fees))
	return err
}
