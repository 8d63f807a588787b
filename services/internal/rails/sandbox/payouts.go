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
	"adashi.ng/services/internal/rails/sandbox/acts"
	"adashi.ng/services/internal/rails/sandbox/webhooks"
)

// The dialects, as the tables name them, and the code of a success.
const (
	railVFD      = acts.VFD
	railPaystack = acts.Paystack
	succeeded    = acts.Succeeded
)

// payout is a payout that the bank was ordered to make.
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
	FeeTold    string
	Kept       money.Kobo
	ReturnAs   string
	KnownAt    *time.Time
	Says       []string // The statuses that the bank reports for it, see Bank.Says.

	// How the bank reports it now; no table stores this.
	Timeless       bool          `db:"-"`
	ReturnTimeless bool          `db:"-"`
	Skew           time.Duration `db:"-"`
}

const payoutColumns = `id, rail, reference, session_id, account_number, bank_code, account_name, amount, fee, code, remark, sent_at, settles_at, reversed_at, orders,
	fee_told, kept, return_as, known_at, says`

// Went reports whether the money left the pool, once it settled.
func (p payout) Went() bool { return p.Code == succeeded || p.Code == "26" }

// at formats a moment as the bank reports it.
func (p payout) at(moment time.Time) string { return moment.Add(p.Skew).UTC().Format(time.RFC3339Nano) }

// dated is a payout with the times that a manner makes the bank report.
func (p payout) dated(m Manner) payout {
	p.Timeless, p.ReturnTimeless, p.Skew = m.Timeless, m.ReturnTimeless, m.Skew
	return p
}

// payout finds a payout of a dialect by its reference.
func (b *Bank) payout(ctx context.Context, rail, reference string) (payout, error) {
	rows, err := b.pool.Query(ctx, `SELECT `+payoutColumns+` FROM sandbox_payouts WHERE rail = $1 AND reference = $2`, rail, word(reference, 128))
	if err != nil {
		return payout{}, err
	}
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[payout])
}

// told returns a payout as the bank reports it, which is not always the truth, and the bank's report of its return.
func (b *Bank) told(ctx context.Context, p payout) (payout, giveback, error) {
	m, err := manner(ctx, b.pool, p.Rail, p.Account)
	p = p.dated(m)
	settled := p.Went() && !b.now().Before(p.SettlesAt)
	back := giveback{Status: succeeded, Reference: p.Reference, Amount: p.Amount - p.Kept, At: p.ReversedAt}
	switch {
	case m.Tells == TellsAnother, m.Tells == TellsAnotherReturn && p.Rail == railPaystack:
		p.Reference = "another-" + p.Reference
		back.Reference = p.Reference
	case !settled:
	case m.Tells == TellsPart && p.Rail == railPaystack:
		p.Amount, p.ReversedAt = p.Amount/2, &p.SettlesAt
	case m.Tells == TellsNaira && p.Rail == railPaystack:
		p.Amount, p.ReversedAt = money.Naira, &p.SettlesAt
	case m.Tells == TellsNoReturn:
		p.ReversedAt, back.At = nil, nil
	case m.Tells == TellsList, m.Tells == TellsNothing:
		back.Empty = m.Tells
	case p.Rail == railVFD:
		back.lies(m.Tells, p)
	}
	return p, back, err
}

// giveback is the bank's report of a payout's return; there is none when At is nil.
type giveback struct {
	Status    string
	Reference string
	Amount    money.Kobo
	At        *time.Time
	Empty     string // acts.TellsList or acts.TellsNothing: there is nothing in its answer.
}

// lies turns it into a return that the bank did not make, or into another payout's.
func (g *giveback) lies(how string, p payout) {
	switch how {
	case TellsPart:
		g.Amount = p.Amount / 2
	case TellsNaira:
		g.Amount = money.Naira
	case TellsUnfinished:
		g.Status = "09"
	case TellsUndone:
		g.Status = "99"
	case TellsAnotherReturn:
		g.Reference = "another-" + p.Reference
	default:
		return
	}
	if g.At == nil {
		g.At = &p.SettlesAt
	}
}

// unknown reports whether the bank says that it does not know of an order yet.
func (b *Bank) unknown(p payout) bool { return p.KnownAt != nil && b.now().Before(*p.KnownAt) }

// errTwice is an order whose reference was used before.
var errTwice = errors.New("sandbox: this was ordered already")

// order records an order, and returns it and how to answer it. The bank pays a reference once, however often it is
// ordered.
func (b *Bank) order(ctx context.Context, p payout) (payout, Manner, error) {
	m, err := manner(ctx, b.pool, p.Rail, p.Account)
	if err != nil {
		return p, m, err
	}
	if m.Answer == AnswersLost {
		hangUp()
	}
	now := b.now()
	p.Session, p.SentAt, p.SettlesAt = sessionID(now), now, now.Add(m.Delay)
	p.Code, p.FeeTold, p.Kept, p.ReturnAs, p.KnownAt = m.Code, m.FeeTold, min(m.Keeps, p.Amount-1), m.ReturnAs, later(now, m.AskedLate)
	if m.Fee > 0 {
		p.Fee = m.Fee
	}
	err = pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		first, err := p.keep(ctx, tx, m)
		if err != nil || !first {
			return err
		}
		return p.dated(m).announce(ctx, tx, "", p.SettlesAt, m)
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

// keep stores an order, and returns whether it is the first of its reference.
func (p *payout) keep(ctx context.Context, tx pgx.Tx, m Manner) (first bool, err error) {
	var reverses *time.Time
	if m.Reverse != nil {
		at := p.SettlesAt.Add(*m.Reverse)
		reverses = &at
	}
	var orders int
	err = tx.QueryRow(ctx, `INSERT INTO sandbox_payouts (rail, reference, session_id, account_number, bank_code, account_name, amount, fee, code, remark, sent_at, settles_at,
			twice, reverses_at, fee_told, kept, return_as, booked_back, known_at, line_late_ms, rest_after_ms)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
		ON CONFLICT (rail, reference) DO UPDATE SET orders = sandbox_payouts.orders + 1 RETURNING id, orders`,
		p.Rail, word(p.Reference, 128), p.Session, p.Account, p.BankCode, p.Name, int64(p.Amount), int64(p.Fee), p.Code, word(p.Remark, 100),
		p.SentAt, p.SettlesAt, m.Twice, reverses, p.FeeTold, int64(p.Kept), p.ReturnAs, m.BookedBack, p.KnownAt, m.LineLate.Milliseconds(), m.Rest.Milliseconds()).Scan(&p.ID, &orders)
	return orders == 1, err
}

// answer answers an order as its manner says: late, not as JSON, with a refusal that decides nothing, or never.
func answer(w http.ResponseWriter, r *http.Request, rail string, m Manner, plain func()) {
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
	case AnswersMissing:
		refuse(w, rail, http.StatusNotFound)
	case AnswersAway, AnswersOften, AnswersDown:
		status, _ := strconv.Atoi(m.Answer)
		refuse(w, rail, status)
	default:
		plain()
	}
}

// exists answers an order whose reference is already known, in the words of the bank or of the gateway.
func exists(w http.ResponseWriter, rail string) {
	if rail == railVFD {
		vfdReply(w, http.StatusBadRequest, "98", "Transaction Exist", nil)
		return
	}
	reply(w, http.StatusBadRequest, map[string]any{
		"status": false, "message": "Please provide a unique reference. Reference already exists on a transfer", "type": "validation_error", "code": "duplicate_transfer_reference",
	})
}

// announce queues the webhooks of a payout; only the gateway sends any. An empty event means the payout's own result.
func (p payout) announce(ctx context.Context, tx pgx.Tx, event string, at time.Time, m Manner) error {
	if p.Rail != railPaystack || m.Silent {
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
	return webhooks.Queue(ctx, tx, webhooks.Paystack, body, at.Add(m.HookLate), m.Twice)
}

// sendBack makes the receiving banks send back the payouts that are due.
func (b *Bank) sendBack(ctx context.Context) error {
	now := b.now()
	return pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `UPDATE sandbox_payouts SET reversed_at = $1
			WHERE id IN (SELECT id FROM sandbox_payouts WHERE reverses_at <= $1 AND reversed_at IS NULL AND code IN ('00', '26') ORDER BY id FOR UPDATE)
			RETURNING `+payoutColumns, now)
		if err != nil {
			return err
		}
		back, err := pgx.CollectRows(rows, pgx.RowToStructByPos[payout])
		if err != nil {
			return err
		}
		for _, p := range back {
			if err := b.cameBack(ctx, tx, p, now); err != nil {
				return err
			}
		}
		return nil
	})
}

// cameBack reports a returned payout: the gateway by its webhook, and the bank, for a return that comes as a transfer,
// by the transfer's webhook.
func (b *Bank) cameBack(ctx context.Context, tx pgx.Tx, p payout, now time.Time) error {
	m, err := manner(ctx, tx, p.Rail, p.Account)
	if err != nil {
		return err
	}
	if p.Rail == railVFD && p.ReturnAs == ReturnAsTransfer {
		return b.record(ctx, tx, Transfer{
			Account: OwnAccount, Amount: p.Amount - p.Kept, Sender: p.Name, From: Account{Bank: p.BankCode, Number: p.Account}, At: now, Code: succeeded,
			Telling: Telling{Silent: m.Silent, Twice: m.Twice, HookLate: m.HookLate, LineLate: m.LineLate},
		}, p.ID)
	}
	m.Twice = false // The gateway reports a return once.
	return p.dated(m).announce(ctx, tx, "transfer.reversed", now, m)
}

// SendBack makes the receiving bank send a payout back now, and others that are due. Only a paid payout can be sent
// back, and only once: otherwise it is fault.Conflict.
func (b *Bank) SendBack(ctx context.Context, id int64) error {
	now := b.now()
	tag, err := b.pool.Exec(ctx, `UPDATE sandbox_payouts SET reverses_at = $2 WHERE id = $1 AND settles_at <= $2 AND reversed_at IS NULL AND code IN ('00', '26')`, id, now)
	if err != nil {
		return fmt.Errorf("sandbox: send back: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return fault.New(fault.Conflict, "Only a payout that was paid can be sent back, and only once.")
	}
	if err := b.sendBack(ctx); err != nil {
		return fmt.Errorf("sandbox: send back: %w", err)
	}
	b.hooks.Nudge()
	return nil
}
