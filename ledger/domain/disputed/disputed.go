// Package disputed holds what members dispute of a sub-account's money while a payout of it is asked for.
//
// Nothing moves: the money may be in the payout itself. A payout is sent only when the sub-account keeps, beside it,
// what others than its requester hold.
package disputed

import (
	"maps"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// For is how long an amount is held, and by how much Support extends that, once.
const For = 7 * 24 * time.Hour

// Hold is what one dispute holds.
type Hold struct {
	User, Liquidation string
	Amount            money.Kobo
	Until             time.Time
}

// Money is what is held of a sub-account, by dispute.
type Money map[string]Hold

// Aggregate folds a sub-account's money in dispute.
var Aggregate = event.Of("disputed", 1, func(held Money, e event.Happened) Money {
	switch m := e.Message.(type) {
	case *nairav1.DisputedMoneyHeld:
		held = maps.Clone(held)
		if held == nil {
			held = Money{}
		}
		held[m.GetDisputeId()] = Hold{User: m.GetUserId(), Liquidation: m.GetLiquidationId(), Amount: money.Kobo(m.GetAmountKobo()), Until: m.GetUntil().AsTime()}
	case *nairav1.DisputedMoneyFreed:
		held = maps.Clone(held)
		delete(held, m.GetDisputeId())
	}
	return held
})

// Stream is the stream of a sub-account's money in dispute.
func Stream(subAccountID string) string { return "disputed:" + subAccountID }

// Of is what a user holds at a moment.
func (m Money) Of(user string, now time.Time) money.Kobo {
	return m.sum(now, func(h Hold) bool { return h.User == user })
}

// Against is what others than a user hold at a moment, and until when the last of it is held.
func (m Money) Against(user string, now time.Time) (sum money.Kobo, until time.Time) {
	for _, h := range m {
		if h.User != user && h.Until.After(now) && h.Until.After(until) {
			until = h.Until
		}
	}
	return m.sum(now, func(h Hold) bool { return h.User != user }), until
}

func (m Money) sum(now time.Time, counts func(Hold) bool) money.Kobo {
	var sum money.Kobo
	for _, h := range m {
		if counts(h) && h.Until.After(now) {
			sum += h.Amount
		}
	}
	return sum
}
