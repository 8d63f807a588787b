package activity

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"

	"adashi.ng/ledger/money"
)

// The steps of a withdrawal, and of money that arrived for nobody known.
const (
	Requested = "REQUESTED"
	Sent      = "SENT" // From here on it may have been paid.
	Paid      = "PAID"
	Failed    = "FAILED"   // The bank never paid it.
	Reversed  = "REVERSED" // The receiving bank sent it back.
	Arrived   = "ARRIVED"
	Assigned  = "ASSIGNED"
)

// Step is one of the things that happened to a withdrawal or an arrival.
type Step struct {
	Pos            int64
	Step           string
	At             time.Time // The bank's timestamp where it has one.
	Amount, Charge money.Kobo
	Detail         string // The bank's reference of what it paid, or why it did not.
}

const stepColumns = "about, pos, step, at, kobo, charge_kobo, detail"

// aboutWithdrawal and aboutArrival keep the two kinds of ids apart.
func aboutWithdrawal(id string) string { return "withdrawal:" + id }
func aboutArrival(ref string) string   { return "arrival:" + ref }

// stepOf is the row of a step that an event is, or nil, and whose it is; nobody's before it is assigned.
func stepOf(e engine.Event) (row []any, user string) {
	step := func(about, name string, at time.Time, kobo, charge int64, detail string) []any {
		return []any{about, e.Pos, name, at, kobo, charge, detail}
	}
	switch m := e.Message.(type) {
	case *nairav1.WithdrawalRequested:
		return step(aboutWithdrawal(m.GetWithdrawalId()), Requested, e.EffectiveAt, m.GetAmountKobo(), m.GetFeeKobo()+m.GetVatKobo()+m.GetDutyKobo(), ""), m.GetUserId()
	case *nairav1.WithdrawalSent:
		return step(aboutWithdrawal(m.GetWithdrawalId()), Sent, e.EffectiveAt, 0, 0, ""), m.GetUserId()
	case *nairav1.WithdrawalPaid:
		return step(aboutWithdrawal(m.GetWithdrawalId()), Paid, m.GetPaidAt().AsTime(), m.GetAmountKobo(), m.GetFeeKobo()+m.GetVatKobo()+m.GetDutyKobo(), m.GetProviderRef()), m.GetUserId()
	case *nairav1.WithdrawalFailed:
		return step(aboutWithdrawal(m.GetWithdrawalId()), Failed, e.EffectiveAt, m.GetAmountKobo(), 0, m.GetReason()), m.GetUserId()
	case *nairav1.WithdrawalReversed:
		return step(aboutWithdrawal(m.GetWithdrawalId()), Reversed, e.EffectiveAt, m.GetAmountKobo(), 0, m.GetReason()), m.GetUserId()
	case *nairav1.UnmatchedMoneyReceived:
		return step(aboutArrival(m.GetProviderRef()), Arrived, m.GetPaidAt().AsTime(), m.GetAmountKobo(), 0, ""), ""
	case *nairav1.UnmatchedAssigned:
		return step(aboutArrival(m.GetProviderRef()), Assigned, e.EffectiveAt, m.GetAmountKobo(), 0, ""), m.GetUserId()
	}
	return nil, ""
}

// Story reads what happened to the withdrawal, or the arrival, that a movement is of, in order; nothing for others.
func Story(ctx context.Context, pool *pgxpool.Pool, m Movement) ([]Step, error) {
	var about string
	switch m.Kind {
	case Withdrawal, WithdrawalReturned:
		about = aboutWithdrawal(m.Reference)
	case UnmatchedAssigned:
		about = aboutArrival(m.Reference)
	default:
		return nil, nil
	}
	rows, err := pool.Query(ctx, "SELECT pos, step, at, kobo, charge_kobo, detail FROM rm_story WHERE about = $1 ORDER BY pos", about)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Step])
}
