package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox/webhooks"
)

// TakeBack refunds a payment, or decides a dispute about it for its payer, and queues the webhooks. The gateway keeps
// its fee. It refuses a payment that was not paid or has less left, unless the gateway does not check (Loose).
func (b *Bank) TakeBack(ctx context.Context, t Takeback) error {
	err := pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT FROM sandbox_charges WHERE reference = $1 FOR UPDATE`, word(t.Reference, 128)); err != nil {
			return err
		}
		found, err := readCharge(ctx, tx, "reference", word(t.Reference, 128))
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.New(fault.NotFound, "There is no such payment.")
		}
		if err != nil {
			return err
		}
		var back money.Kobo
		if err := tx.QueryRow(ctx, `SELECT coalesce(sum(amount), 0)::bigint FROM sandbox_refunds WHERE charge = $1 AND NOT fails`, found.ID).Scan(&back); err != nil {
			return err
		}
		left := found.Amount - back
		if t.Amount == 0 {
			t.Amount = left
		}
		if found.Status != "success" || t.Amount <= 0 || t.Amount > left && !t.Loose {
			return fault.New(fault.Conflict, "%s of this payment can be taken back.", left)
		}
		return b.refund(ctx, tx, found, t, t.Dispute)
	})
	if err != nil {
		return fmt.Errorf("sandbox: take back: %w", err)
	}
	b.hooks.Nudge()
	return nil
}

// refund records a refund and queues the webhooks of all its steps: done at once, or pending, processing in the second
// half of its delay, and then processed or failed. chargeback marks the refund of a lost dispute.
func (b *Bank) refund(ctx context.Context, tx pgx.Tx, of charge, t Takeback, chargeback bool) error {
	note, now := "Refunded by the merchant", b.now()
	if t.Dispute {
		note = "The payer's bank took it back after a dispute"
	}
	back := refund{Charge: of.ID, Amount: t.Amount, Note: note, CreatedAt: now, EndsAt: now.Add(t.Delay), Fails: t.Fails}
	if err := tx.QueryRow(ctx, `INSERT INTO sandbox_refunds (charge, amount, note, refunded_at, created_at, fails, early, dispute) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
		of.ID, int64(t.Amount), note, back.EndsAt, now, t.Fails, t.Early, chargeback).Scan(&back.ID); err != nil {
		return err
	}
	if t.Turns {
		if _, err := tx.Exec(ctx, `UPDATE sandbox_charges SET says = '{reversed}' WHERE id = $1`, of.ID); err != nil {
			return err
		}
	}
	steps := []time.Time{now, now.Add(t.Delay / 2), back.EndsAt}
	if t.Delay == 0 {
		steps = steps[2:]
	}
	for _, at := range steps {
		status := back.status(at)
		err := b.hears(ctx, tx, t, at, "refund."+status, map[string]any{
			"status": status, "transaction_reference": of.Reference, "refund_reference": fmt.Sprint(back.ID), "amount": int64(t.Amount), "currency": rails.Naira, "domain": "test",
		})
		if err != nil {
			return err
		}
	}
	if !t.Dispute {
		return nil
	}
	d := bankDispute{charge: of, Amount: t.Amount, Category: "chargeback", Resolution: accepted, CreatedAt: now, DueAt: now, ResolvedAt: &now}
	if err := d.keep(ctx, tx); err != nil {
		return err
	}
	return b.hears(ctx, tx, t, now, "charge.dispute.resolve", d.data())
}

// refund is money that goes back to a payer, as the gateway has it.
type refund struct {
	ID        int64
	Charge    int64
	Amount    money.Kobo
	Note      string
	CreatedAt time.Time
	EndsAt    time.Time
	Fails     bool
}

// status is the refund's state at a moment, in the gateway's words.
func (r refund) status(at time.Time) string {
	switch {
	case !at.Before(r.EndsAt) && r.Fails:
		return "failed"
	case !at.Before(r.EndsAt):
		return "processed"
	case at.Before(r.CreatedAt.Add(r.EndsAt.Sub(r.CreatedAt) / 2)):
		return "pending"
	default:
		return "processing"
	}
}

// data is the refund as the gateway lists it at a moment.
func (r refund) data(at time.Time) map[string]any {
	data := map[string]any{
		"id": r.ID, "transaction": r.Charge, "amount": int64(r.Amount), "currency": rails.Naira, "status": r.status(at), "customer_note": r.Note, "dispute": nil,
		"refunded_at": nil, "createdAt": r.CreatedAt.UTC().Format(time.RFC3339Nano),
	}
	if data["status"] == "processed" {
		data["refunded_at"] = r.EndsAt.UTC().Format(time.RFC3339Nano)
	}
	return data
}

// hears queues the webhook of one step of a refund.
func (b *Bank) hears(ctx context.Context, tx pgx.Tx, t Takeback, at time.Time, event string, data map[string]any) error {
	if t.Silent {
		return nil
	}
	return b.tells(ctx, tx, event, data, at.Add(t.HookLate), t.Twice)
}

// tells queues a webhook for a moment.
func (b *Bank) tells(ctx context.Context, tx pgx.Tx, event string, data map[string]any, at time.Time, twice bool) error {
	body, err := json.Marshal(map[string]any{"event": event, "data": data})
	if err != nil {
		return err
	}
	return webhooks.Queue(ctx, tx, webhooks.Paystack, body, at, twice)
}

// paystackRefunds lists refunds, of one transaction if one is named.
func (b *Bank) paystackRefunds(w http.ResponseWriter, r *http.Request) {
	asked, ok := readListing(r)
	if !ok {
		paystackReply(w, http.StatusBadRequest, false, "Invalid page", nil)
		return
	}
	rows, err := b.pool.Query(r.Context(), `SELECT id, charge, amount, note, coalesce(created_at, refunded_at), refunded_at, fails FROM sandbox_refunds
		WHERE ($1 = '' OR charge::text = $1) AND coalesce(created_at, refunded_at) >= $2 ORDER BY id`, word(r.URL.Query().Get("transaction"), 20), asked.from)
	var refunds []refund
	if err == nil {
		refunds, err = pgx.CollectRows(rows, pgx.RowToStructByPos[refund])
	}
	if err != nil {
		broken(w, r, err)
		return
	}
	all := []map[string]any{}
	for _, one := range refunds {
		all = append(all, one.data(b.now()))
	}
	asked.reply(w, "Refunds retrieved", all)
}

// BlockCard makes a card decline from now on.
func (b *Bank) BlockCard(ctx context.Context, authorization string) error {
	_, err := b.pool.Exec(ctx, `INSERT INTO sandbox_blocked_cards (authorization_code) VALUES ($1) ON CONFLICT DO NOTHING`, authorization)
	return err
}

// paystackChargeAgain charges a card by its authorization; it charges a reference once.
func (b *Bank) paystackChargeAgain(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Email         string `json:"email"`
		Amount        int64  `json:"amount"`
		Authorization string `json:"authorization_code"`
		Reference     string `json:"reference"`
	}
	if err := readJSON(r, &asked); err != nil || asked.Amount <= 0 || money.Kobo(asked.Amount) > money.Max || word(asked.Reference, 128) == "" {
		paystackReply(w, http.StatusBadRequest, false, "Invalid Amount or Reference Sent", nil)
		return
	}
	var known, blocked bool
	err := b.pool.QueryRow(r.Context(), `SELECT EXISTS (SELECT FROM sandbox_charges WHERE status = 'success' AND email = $2 AND 'AUTH_' || access_code = $1),
		EXISTS (SELECT FROM sandbox_blocked_cards WHERE authorization_code = $1)`, word(asked.Authorization, 80), word(asked.Email, 320)).Scan(&known, &blocked)
	if err != nil {
		broken(w, r, err)
		return
	}
	if !known {
		paystackReply(w, http.StatusBadRequest, false, "Authorization code is invalid for this email", nil)
		return
	}
	tag, err := b.pool.Exec(r.Context(), `INSERT INTO sandbox_charges (reference, access_code, email, amount, callback_url, status, created_at, authorization_code, payer_bank, payer_account)
		SELECT $1, md5(random()::text), $2, $3, '', 'abandoned', $4, $5, first.payer_bank, first.payer_account FROM sandbox_charges first WHERE 'AUTH_' || first.access_code = $5
		ON CONFLICT (reference) DO NOTHING`,
		word(asked.Reference, 128), word(asked.Email, 320), asked.Amount, b.now(), asked.Authorization)
	if err == nil && tag.RowsAffected() == 0 {
		paystackReply(w, http.StatusBadRequest, false, "Duplicate Transaction Reference", nil)
		return
	}
	var settled charge
	if err == nil {
		how := settlement{status: "success"}
		if blocked {
			how.status = "failed"
		}
		settled, err = b.settle(r.Context(), "reference", word(asked.Reference, 128), how)
	}
	if err != nil {
		broken(w, r, err)
		return
	}
	paystackReply(w, http.StatusOK, true, "Charge attempted", settled.data())
}
