package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/fault"
)

// PayCard pays the charge of a reference as if on its checkout page, with that timestamp (now when zero), and queues
// its webhook. A charge that is settled already is fault.Conflict.
func (b *Bank) PayCard(ctx context.Context, reference string, at time.Time) error {
	_, err := b.settle(ctx, "reference", reference, settlement{status: "success", at: at})
	return err
}

// settlement is how a checkout ends.
type settlement struct {
	status string // success or failed
	at     time.Time
	twice  bool
}

// settle ends an open charge and queues the webhook of a success, in one transaction. It answers the charge.
func (b *Bank) settle(ctx context.Context, column, value string, how settlement) (charge, error) {
	if how.at.IsZero() {
		how.at = b.now()
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
		settled.Status, settled.Reason, settled.PaidAt, settled.Fees = "success", "Approved", &how.at, cardFee(found.Amount)
		if err := writeCharge(ctx, tx, settled); err != nil {
			return err
		}
		body, err := json.Marshal(map[string]any{"event": "charge.success", "data": settled.data()})
		if err != nil {
			return err
		}
		return queueWebhook(ctx, tx, "paystack", body, b.now(), how.twice)
	})
	if err != nil {
		return settled, fmt.Errorf("sandbox: card: %w", err)
	}
	b.nudge()
	return settled, nil
}

func writeCharge(ctx context.Context, tx pgx.Tx, c charge) error {
	_, err := tx.Exec(ctx, `UPDATE sandbox_charges SET status = $2, reason = $3, paid_at = $4, fees = $5 WHERE id = $1`,
		c.ID, c.Status, c.Reason, c.PaidAt, int64(c.Fees))
	return err
}
