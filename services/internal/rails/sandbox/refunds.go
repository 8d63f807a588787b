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

// Takeback is money of a card payment that goes back to its payer.
type Takeback struct {
	Reference string
	Amount    money.Kobo // All that is left when zero.
	Dispute   bool       // The payer's bank took it, after a dispute.
	Twice     bool       // Whether the webhooks are sent twice.
}

// TakeBack refunds a payment, or has its payer win a dispute about it, and queues the webhooks. The gateway keeps its
// fee. A payment that was not paid, or has no such amount left, is refused.
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
		if err := tx.QueryRow(ctx, `SELECT coalesce(sum(amount), 0)::bigint FROM sandbox_refunds WHERE charge = $1`, found.ID).Scan(&back); err != nil {
			return err
		}
		left := found.Amount - back
		if t.Amount == 0 {
			t.Amount = left
		}
		if found.Status != "success" || t.Amount <= 0 || t.Amount > left {
			return fault.New(fault.Conflict, "%s of this payment can be taken back.", left)
		}
		return b.refund(ctx, tx, found, t)
	})
	if err != nil {
		return fmt.Errorf("sandbox: take back: %w", err)
	}
	b.hooks.Nudge()
	return nil
}

func (b *Bank) refund(ctx context.Context, tx pgx.Tx, of charge, t Takeback) error {
	note, now := "Refunded by the merchant", b.now()
	if t.Dispute {
		note = "The payer's bank took it back after a dispute"
	}
	var id int64
	if err := tx.QueryRow(ctx, `INSERT INTO sandbox_refunds (charge, amount, note, refunded_at) VALUES ($1, $2, $3, $4) RETURNING id`, of.ID, int64(t.Amount), note, now).Scan(&id); err != nil {
		return err
	}
	err := b.tells(ctx, tx, "refund.processed", map[string]any{
		"status": "processed", "transaction_reference": of.Reference, "refund_reference": fmt.Sprint(id), "amount": int64(t.Amount), "currency": rails.Naira, "domain": "test",
	}, t.Twice)
	if err != nil || !t.Dispute {
		return err
	}
	d := bankDispute{charge: of, Amount: t.Amount, Category: "chargeback", Resolution: accepted, CreatedAt: now, DueAt: now, ResolvedAt: &now}
	if err := d.keep(ctx, tx); err != nil {
		return err
	}
	return b.tells(ctx, tx, "charge.dispute.resolve", d.data(), t.Twice)
}

// tells queues a webhook.
func (b *Bank) tells(ctx context.Context, tx pgx.Tx, event string, data map[string]any, twice bool) error {
	body, err := json.Marshal(map[string]any{"event": event, "data": data})
	if err != nil {
		return err
	}
	return webhooks.Queue(ctx, tx, webhooks.Paystack, body, b.now(), twice)
}

// paystackRefunds lists refunds, of one transaction if one is named.
func (b *Bank) paystackRefunds(w http.ResponseWriter, r *http.Request) {
	asked, ok := readListing(r)
	if !ok {
		paystackReply(w, http.StatusBadRequest, false, "Invalid page", nil)
		return
	}
	rows, err := b.pool.Query(r.Context(), `SELECT id, charge, amount, note, refunded_at FROM sandbox_refunds WHERE ($1 = '' OR charge::text = $1) AND refunded_at >= $2 ORDER BY id`,
		word(r.URL.Query().Get("transaction"), 20), asked.from)
	all := []map[string]any{}
	if err == nil {
		var id, transaction, amount int64
		var note string
		var at time.Time
		_, err = pgx.ForEachRow(rows, []any{&id, &transaction, &amount, &note, &at}, func() error {
			all = append(all, map[string]any{
				"id": id, "transaction": transaction, "amount": amount, "currency": rails.Naira, "status": "processed", "customer_note": note, "dispute": nil,
				"refunded_at": at.UTC().Format(time.RFC3339Nano), "createdAt": at.UTC().Format(time.RFC3339Nano),
			})
			return nil
		})
	}
	if err != nil {
		broken(w, r, err)
		return
	}
	asked.reply(w, "Refunds retrieved", all)
}

// takeBack is the counter's form: label "Take it back".
func (b *Bank) takeBack(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	t := Takeback{Reference: r.PostFormValue("reference"), Dispute: r.PostFormValue("dispute") != "", Twice: r.PostFormValue("twice") != ""}
	var err error
	if text := r.PostFormValue("amount"); text != "" {
		t.Amount, err = readAmount(text)
	}
	if err == nil {
		err = b.TakeBack(r.Context(), t)
	}
	b.back(w, r, err, "/sandbox/?sent=1")
}

// BlockCard has a card decline from now on.
func (b *Bank) BlockCard(ctx context.Context, authorization string) error {
	_, err := b.pool.Exec(ctx, `INSERT INTO sandbox_blocked_cards (authorization_code) VALUES ($1) ON CONFLICT DO NOTHING`, authorization)
	return err
}

// paystackChargeAgain charges a card by its authorization; a reference is charged once.
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
	tag, err := b.pool.Exec(r.Context(), `INSERT INTO sandbox_charges (reference, access_code, email, amount, callback_url, status, created_at, authorization_code)
		VALUES ($1, md5(random()::text), $2, $3, '', 'abandoned', $4, $5) ON CONFLICT (reference) DO NOTHING`,
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
