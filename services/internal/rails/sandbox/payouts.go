package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails/sandbox/webhooks"
)

// The dialects, as tables name them, and the outcome of a success.
const (
	railVFD      = webhooks.VFD
	railPaystack = webhooks.Paystack
	succeeded    = "00"
)

// payout is money that the bank was told to send out.
type payout struct {
	ID         int64
	Rail       string
	Reference  string
	Session    string
	Account    string
	BankCode   string
	Name       string
	Amount     money.Kobo
	Fee        money.Kobo
	Code       string
	Remark     string
	SentAt     time.Time
	SettlesAt  time.Time
	ReversedAt *time.Time
	Orders     int
}

const payoutColumns = `id, rail, reference, session_id, account_number, bank_code, account_name, amount, fee, code, remark, sent_at, settles_at, reversed_at, orders`

// Went reports whether it left the pool, once it settled.
func (p payout) Went() bool { return p.Code == succeeded || p.Code == "26" }

// Outcome is how it stands, for the counter.
func (p payout) Outcome() string {
	switch {
	case p.ReversedAt != nil:
		return "paid, and sent back " + lagosTime(*p.ReversedAt)
	case p.Went():
		return "paid (" + p.Code + "), settled " + lagosTime(p.SettlesAt)
	default:
		return "not paid (" + p.Code + ")"
	}
}

// payout finds one of a dialect by its reference.
func (b *Bank) payout(ctx context.Context, rail, reference string) (payout, error) {
	rows, err := b.pool.Query(ctx, `SELECT `+payoutColumns+` FROM sandbox_payouts WHERE rail = $1 AND reference = $2`, rail, word(reference, 128))
	if err != nil {
		return payout{}, err
	}
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[payout])
}

// told is a payout and the code of its return as the bank tells of them, which is not always the truth.
func (b *Bank) told(ctx context.Context, p payout) (told payout, back string, err error) {
	m, err := b.manner(ctx, p.Account)
	settled := p.Went() && !b.now().Before(p.SettlesAt)
	back = succeeded
	switch {
	case m.Tells == TellsAnother:
		p.Reference = "another-" + p.Reference
	case m.Tells == TellsPart && settled:
		p.Amount, p.ReversedAt = p.Amount/2, &p.SettlesAt
	case m.Tells == TellsUnfinished && settled && p.Rail == railVFD:
		p.ReversedAt, back = &p.SettlesAt, "09"
	}
	return p, back, err
}

// errTwice is an order whose reference was given before.
var errTwice = errors.New("sandbox: this was ordered already")

// order takes an order down, and answers it and how to answer it. The bank pays a reference once, whatever it is asked.
func (b *Bank) order(ctx context.Context, p payout) (payout, Manner, error) {
	m, err := b.manner(ctx, p.Account)
	if err != nil {
		return p, m, err
	}
	if m.Answer == AnswersLost {
		hangUp()
	}
	now := b.now()
	p.Session, p.SentAt, p.SettlesAt = sessionID(now), now, now.Add(m.Delay)
	p.Code = m.Code
	var reverses *time.Time
	if m.Reverse != nil {
		at := p.SettlesAt.Add(*m.Reverse)
		reverses = &at
	}
	err = pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		var orders int
		err := tx.QueryRow(ctx, `INSERT INTO sandbox_payouts (rail, reference, session_id, account_number, bank_code, account_name, amount, fee, code, remark, sent_at, settles_at, twice, reverses_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
			ON CONFLICT (rail, reference) DO UPDATE SET orders = sandbox_payouts.orders + 1 RETURNING id, orders`,
			p.Rail, word(p.Reference, 128), p.Session, p.Account, p.BankCode, p.Name, int64(p.Amount), int64(p.Fee), p.Code, word(p.Remark, 100),
			p.SentAt, p.SettlesAt, m.Twice, reverses).Scan(&p.ID, &orders)
		if err != nil || orders > 1 {
			return err
		}
		return p.announce(ctx, tx, "", p.SettlesAt, m.Twice)
	})
	if err != nil {
		return p, m, fmt.Errorf("sandbox: payout: %w", err)
	}
	b.hooks.Nudge()
	again, err := b.payout(ctx, p.Rail, p.Reference)
	if err == nil && again.Orders > 1 {
		err = errTwice
	}
	return again, m, err
}

// answer has the order answered as the manner wants it: late, in another language, with what says nothing, or never.
func (m Manner) answer(w http.ResponseWriter, r *http.Request, rail string, plain func()) {
	if m.Hold > 0 {
		select {
		case <-time.After(m.Hold):
		case <-r.Context().Done():
		}
	}
	switch m.Answer {
	case AnswersSilent:
		hangUp()
	case AnswersXML:
		w.Header().Set("Content-Type", "application/xml")
		_, _ = w.Write([]byte(`<?xml version="1.0"?><ns:fault xmlns:ns="http://ws.apache.org/ns/synapse"><message>Error in Sender</message></ns:fault>`))
	case AnswersExists:
		exists(w, rail)
	case AnswersAway, AnswersOften, AnswersDown:
		status, _ := strconv.Atoi(m.Answer)
		refuse(w, rail, status)
	default:
		plain()
	}
}

// exists is the answer to an order whose reference the bank has already, as the bank and the gateway write it.
func exists(w http.ResponseWriter, rail string) {
	if rail == railVFD {
		vfdReply(w, http.StatusBadRequest, "98", "Transaction Exist", nil)
		return
	}
	reply(w, http.StatusBadRequest, map[string]any{
		"status": false, "message": "Please provide a unique reference. Reference already exists on a transfer", "type": "validation_error", "code": "duplicate_transfer_reference",
	})
}

// announce queues the webhooks of a payout; only the gateway sends any. event is how it ends when empty.
func (p payout) announce(ctx context.Context, tx pgx.Tx, event string, at time.Time, twice bool) error {
	if p.Rail != railPaystack {
		return nil
	}
	data := p.transferData(at)
	if event == "" {
		status := data["status"].(string)
		if status == statusPending {
			return nil
		}
		event = "transfer." + status
	}
	body, err := json.Marshal(map[string]any{"event": event, "data": data})
	if err != nil {
		return err
	}
	return webhooks.Queue(ctx, tx, webhooks.Paystack, body, at, twice)
}

// sendBack has the receiving banks send back what is due to be.
func (b *Bank) sendBack(ctx context.Context) error {
	now := b.now()
	return pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `UPDATE sandbox_payouts SET reversed_at = $1
			WHERE id IN (SELECT id FROM sandbox_payouts WHERE reverses_at <= $1 AND reversed_at IS NULL AND code IN ('00', '26') ORDER BY id FOR UPDATE SKIP LOCKED)
			RETURNING `+payoutColumns, now)
		if err != nil {
			return err
		}
		back, err := pgx.CollectRows(rows, pgx.RowToStructByPos[payout])
		if err != nil {
			return err
		}
		for _, p := range back {
			if err := p.announce(ctx, tx, "transfer.reversed", now, false); err != nil {
				return err
			}
		}
		return nil
	})
}

// reversePayout is the counter's button "Send back".
func (b *Bank) reversePayout(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err == nil {
		now := b.now()
		var done int64
		tag, failed := b.pool.Exec(r.Context(), `UPDATE sandbox_payouts SET reverses_at = $2 WHERE id = $1 AND settles_at <= $2 AND reversed_at IS NULL AND code IN ('00', '26')`, id, now)
		done, err = tag.RowsAffected(), failed
		if err == nil && done == 0 {
			err = fault.New(fault.Conflict, "Only a payout that was paid can be sent back, and only once.")
		}
	} else {
		err = fault.New(fault.NotFound, "There is no such payout.")
	}
	if err == nil {
		err = b.sendBack(r.Context())
		b.hooks.Nudge()
	}
	b.back(w, r, err, "/sandbox/#payouts")
}
