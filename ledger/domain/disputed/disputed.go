// Package disputed holds what members dispute of a sub-account's money while a payout of it is asked for.
//
// Nothing moves: the money may be in the payout itself. A payout is sent only when the sub-account keeps, beside it,
// what others than its requester hold of that payout, each at most what they have saved there.
package disputed

import (
	"maps"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// For is how long an amount is held, and by how much Support extends that, once.
const For = 7 * 24 * time.Hour

// Hold is what one dispute holds of a payout.
type Hold struct {
	User, Liquidation string
	Amount            money.Kobo
	Until             time.Time // Zero once it has ended.
}

// Money is what is held of a sub-account, by dispute.
type Money map[string]Hold

// Aggregate folds a sub-account's money in dispute.
var Aggregate = event.Of("disputed", 2, func(held Money, e event.Happened) Money {
	switch m := e.Message.(type) {
	case *nairav1.DisputedMoneyHeld:
		held = maps.Clone(held)
		if held == nil {
			held = Money{}
		}
		held[m.GetDisputeId()] = Hold{User: m.GetUserId(), Liquidation: m.GetLiquidationId(), Amount: money.Kobo(m.GetAmountKobo()), Until: m.GetUntil().AsTime()}
	case *nairav1.DisputedMoneyFreed:
		held = maps.Clone(held)
		if h, is := held[m.GetDisputeId()]; is {
			held[m.GetDisputeId()] = Hold{User: h.User, Liquidation: h.Liquidation}
		}
	}
	return held
})

// Stream is the stream of a sub-account's money in dispute.
func Stream(subAccountID string) string { return "disputed:" + subAccountID }

// Of is what a user holds at a moment, of the payout of which they hold most.
func (m Money) Of(user string, now time.Time) (most money.Kobo) {
	for _, h := range m {
		if h.User == user {
			most = max(most, m.OfPayout(h.Liquidation, user, "", now))
		}
	}
	return most
}

// OfPayout is what a user holds of a payout at a moment, but for one dispute.
func (m Money) OfPayout(payout, user, but string, now time.Time) (sum money.Kobo) {
	for dispute, h := range m {
		if h.User == user && h.Liquidation == payout && dispute != but && h.Until.After(now) {
			sum += h.Amount
		}
	}
	return sum
}

// Had reports whether a hold of a user on a payout has ended.
func (m Money) Had(payout, user string, now time.Time) bool {
	for _, h := range m {
		if h.User == user && h.Liquidation == payout && !h.Until.After(now) {
			return true
		}
	}
	return false
}

// Holders are those who hold something of a payout, or did.
func (m Money) Holders(payout string) (users []string) {
	for _, h := range m {
		if h.Liquidation == payout {
			users = append(users, h.User)
		}
	}
	slices.Sort(users)
	return slices.Compact(users)
}

// Against is what others than its requester hold of a payout at a moment, and until when the last of it is held.
// saved is the most that somebody can hold, since they saved it.
func (m Money) Against(payout, requester string, now time.Time, saved func(user string) money.Kobo) (sum money.Kobo, until time.Time) {
	for _, user := range m.Holders(payout) {
		theirs := min(m.OfPayout(payout, user, "", now), saved(user))
		if user == requester || theirs <= 0 {
			continue
		}
		sum += theirs
		for _, h := range m {
			if h.User == user && h.Liquidation == payout && h.Until.After(until) {
				until = h.Until
			}
		}
	}
	return sum, until
}
