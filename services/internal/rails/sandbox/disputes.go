package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails"
)

// The gateway's words for how a dispute ends.
const (
	accepted = "merchant-accepted"
	declined = "declined"
	lapsed   = "auto-accepted" // The merchant did not answer in time.
)

// disputeTime is how long the gateway waits for the merchant's answer.
const disputeTime = 48 * time.Hour

// bankDispute is a charge that its card's bank disputes.
type bankDispute struct {
	charge     charge
	ID         int64
	Amount     money.Kobo
	Category   string
	Resolution string
	CreatedAt  time.Time
	DueAt      time.Time
	ResolvedAt *time.Time
	Answer     string // The merchant's; empty while there is none.
	AnsweredAt *time.Time
	Message    string
	Manner     string
}

func (d *bankDispute) keep(ctx context.Context, tx pgx.Tx) error {
	return tx.QueryRow(ctx, `INSERT INTO sandbox_disputes (charge, amount, category, resolution, created_at, due_at, resolved_at) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
		d.charge.ID, int64(d.Amount), d.Category, d.Resolution, d.CreatedAt, d.DueAt, d.ResolvedAt).Scan(&d.ID)
}

// data is the dispute as the gateway returns it.
func (d *bankDispute) data() map[string]any {
	out := map[string]any{
		"id": d.ID, "refund_amount": int64(d.Amount), "currency": rails.Naira, "status": "awaiting-merchant-feedback", "resolution": nil, "category": d.Category, "domain": "test",
		"createdAt": d.CreatedAt.UTC().Format(time.RFC3339Nano), "dueAt": d.DueAt.UTC().Format(time.RFC3339Nano), "resolvedAt": nil,
		"transaction": map[string]any{"id": d.charge.ID, "reference": d.charge.Reference, "amount": int64(d.charge.Amount), "currency": rails.Naira},
	}
	out["messages"] = []map[string]any{}
	if d.Answer != "" {
		out["status"], out["messages"] = "awaiting-bank-feedback", []map[string]any{{"sender": "merchant", "body": d.Message, "createdAt": d.AnsweredAt.UTC().Format(time.RFC3339Nano)}}
	}
	if d.Resolution != "" {
		out["status"], out["resolution"], out["resolvedAt"] = "resolved", d.Resolution, d.ResolvedAt.UTC().Format(time.RFC3339Nano)
	}
	return out
}

// Disputes makes a card's bank dispute a payment, and queues the webhook.
func (b *Bank) Disputes(ctx context.Context, c CardDispute) (id int64, err error) {
	err = pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		found, err := readCharge(ctx, tx, "reference", word(c.Reference, 128))
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.New(fault.NotFound, "There is no such payment.")
		}
		if err != nil {
			return err
		}
		if found.Status != "success" {
			return fault.New(fault.Conflict, "This payment was not paid.")
		}
		if c.Amount < 0 || c.Amount > found.Amount {
			return fault.Field("amount", "The payment was of %s.", found.Amount)
		}
		d := bankDispute{charge: found, Amount: cmp.Or(c.Amount, found.Amount), Category: word(c.Category, 40), CreatedAt: b.now(), DueAt: b.now().Add(disputeTime)}
		if err := d.keep(ctx, tx); err != nil || c.Silent {
			id = d.ID
			return err
		}
		id = d.ID
		return b.tells(ctx, tx, "charge.dispute.create", d.data(), b.now().Add(c.HookLate), c.Twice)
	})
	if err != nil {
		return 0, fmt.Errorf("sandbox: dispute: %w", err)
	}
	b.hooks.Nudge()
	return id, nil
}

// EndDispute makes the card's bank decide: the payer gets the money back, or the merchant keeps it.
func (b *Bank) EndDispute(ctx context.Context, id int64, upheld bool) error {
	if upheld {
		return b.ends(ctx, id, accepted)
	}
	return b.ends(ctx, id, declined)
}

// Lapse ends a dispute that nobody answered in time: the payer gets the money back.
func (b *Bank) Lapse(ctx context.Context, id int64) error { return b.ends(ctx, id, lapsed) }

func (b *Bank) ends(ctx context.Context, id int64, how string) error {
	err := pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		now := b.now()
		var chargeID int64
		var d bankDispute
		err := tx.QueryRow(ctx, `UPDATE sandbox_disputes SET resolution = $2, resolved_at = $3 WHERE id = $1 AND resolution = '' RETURNING charge, amount, category, created_at, due_at`, id, how, now).
			Scan(&chargeID, &d.Amount, &d.Category, &d.CreatedAt, &d.DueAt)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.New(fault.NotFound, "There is no such open dispute.")
		}
		if err == nil {
			d.charge, err = readCharge(ctx, tx, "id::text", strconv.FormatInt(chargeID, 10))
		}
		if err != nil {
			return err
		}
		d.ID, d.Resolution, d.ResolvedAt = id, how, &now
		if how != declined {
			if err := b.refund(ctx, tx, d.charge, Takeback{Amount: d.Amount}, true); err != nil {
				return err
			}
		}
		return b.tells(ctx, tx, "charge.dispute.resolve", d.data(), now, false)
	})
	if err != nil {
		return fmt.Errorf("sandbox: end dispute: %w", err)
	}
	b.hooks.Nudge()
	return nil
}

// disputes reads the disputes that match a condition.
func (b *Bank) disputes(ctx context.Context, where string, args ...any) (all []bankDispute, err error) {
	rows, err := b.pool.Query(ctx, `SELECT d.id, c.id, c.reference, c.amount, d.amount, d.category, d.resolution, d.created_at, d.due_at, d.resolved_at, d.answer, d.answered_at, d.message, d.manner
		FROM sandbox_disputes d JOIN sandbox_charges c ON c.id = d.charge WHERE `+where+` ORDER BY d.id`, args...)
	if err != nil {
		return nil, err
	}
	var d bankDispute
	_, err = pgx.ForEachRow(rows, []any{
		&d.ID, &d.charge.ID, &d.charge.Reference, &d.charge.Amount, &d.Amount, &d.Category, &d.Resolution, &d.CreatedAt, &d.DueAt, &d.ResolvedAt,
		&d.Answer, &d.AnsweredAt, &d.Message, &d.Manner,
	}, func() error {
		all = append(all, d)
		return nil
	})
	return all, err
}

// paystackDisputes lists disputes, of one transaction if one is named.
func (b *Bank) paystackDisputes(w http.ResponseWriter, r *http.Request) {
	asked, ok := readListing(r)
	if !ok {
		paystackReply(w, http.StatusBadRequest, false, "Invalid page", nil)
		return
	}
	found, err := b.disputes(r.Context(), "d.created_at >= $1 AND ($2 = '' OR d.charge::text = $2)", asked.from, word(r.URL.Query().Get("transaction"), 20))
	if err != nil {
		broken(w, r, err)
		return
	}
	all := make([]map[string]any, len(found))
	for i := range found {
		all[i] = found[i].data()
	}
	asked.reply(w, "Disputes retrieved", all)
}
