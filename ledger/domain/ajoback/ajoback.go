// Package ajoback decides what becomes of a member's word in an ajo once their account is given back to them: somebody
// else may have given it.
package ajoback

import (
	"slices"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// GiveBack ends what a member has voted, approved, asked for and agreed to in an ajo where something still waits for
// it, also an order that is proposed: they do so again. It ends the bids that somebody else sealed; earlier ones stay,
// since bidding may be over by now. What has happened already stays, such as turns that were swapped or a pot that was
// paid out. Earlier builds ended every bid, and no word on an order.
type GiveBack struct {
	AjoID, User string
	Cycles      []int // Whose pots are not paid out, up to the current one.
}

// Of is what ends of a member's word in an ajo as it stands.
func Of(a ajo.Ajo, ajoID, user string) GiveBack {
	c := GiveBack{AjoID: ajoID, User: user}
	for _, r := range a.Cycles {
		c.Cycles = append(c.Cycles, r.Cycle)
	}
	if a.HasStarted() && !a.Over() {
		c.Cycles = append(c.Cycles, a.Current())
	}
	return c
}

// Streams implements event.Command.
func (c GiveBack) Streams() []string {
	streams := []string{ajo.Stream(c.AjoID), account.Stream(c.User)}
	for _, k := range c.Cycles {
		streams = append(streams, ajopot.CycleStream(c.AjoID, k))
	}
	return streams
}

// Accounts implements event.Command.
func (GiveBack) Accounts() []string { return nil }

// Decide implements event.Command.
func (c GiveBack) Decide(v event.View) ([]event.Draft, error) {
	a, owner := event.StateOf[ajo.Ajo](v, ajo.Stream(c.AjoID)), event.StateOf[account.Account](v, account.Stream(c.User))
	if len(owner.Given) == 0 {
		return nil, fault.New(fault.Conflict, "This account was not given back.")
	}
	_, earlier := v.(standing.Earlier)
	sealed := func(b ajopot.Bid) bool { return b.User == c.User && (earlier || owner.Stolen(b.At)) }
	var out []event.Draft
	for _, k := range c.Cycles {
		out = append(out, c.pot(k, event.StateOf[ajopot.Cycle](v, ajopot.CycleStream(c.AjoID, k)), sealed)...)
	}
	if !earlier && a.Status == ajo.Ordering && slices.Contains(a.AcceptedBy, c.User) {
		out = append(out, event.On(ajo.Stream(c.AjoID), &nairav1.AjoOrderAcceptanceEnded{AjoId: c.AjoID, UserId: c.User}))
	}
	for _, m := range a.Motions {
		if slices.Contains(m.For, c.User) || slices.Contains(m.Against, c.User) {
			out = append(out, event.On(ajo.Stream(c.AjoID), &nairav1.AjoMotionVoteEnded{AjoId: c.AjoID, MotionId: m.ID, UserId: c.User}))
		}
	}
	for _, s := range a.Swaps {
		if slices.Contains(s.Agreed, c.User) {
			out = append(out, event.On(ajo.Stream(c.AjoID), &nairav1.AjoSwapEnded{AjoId: c.AjoID, SwapId: s.ID, UserId: c.User}))
		}
	}
	for _, o := range a.Openings {
		if o.User == c.User && !o.Expelled {
			out = append(out, event.On(ajo.Stream(c.AjoID), &nairav1.AjoPlaceKept{AjoId: c.AjoID, Seat: int32(o.Seat), UserId: c.User}))
		}
	}
	if len(out) == 0 {
		return nil, fault.New(fault.Conflict, "Nothing in this ajo waits for what this member said.")
	}
	return out, nil
}

// pot is what ends in one cycle. stolen says of a bid whether somebody else sealed it.
func (c GiveBack) pot(k int, cycle ajopot.Cycle, stolen func(ajopot.Bid) bool) (out []event.Draft) {
	if cycle.PaidOut {
		return nil
	}
	voted := slices.ContainsFunc(cycle.Votes, func(v ajopot.Vote) bool { return v.User == c.User })
	if voted || slices.Contains(cycle.Approvals, c.User) {
		out = append(out, event.On(ajopot.CycleStream(c.AjoID, k), &nairav1.AjoVoteEnded{AjoId: c.AjoID, Cycle: int32(k), UserId: c.User}))
	}
	for _, b := range cycle.Bids {
		if stolen(b) {
			out = append(out, event.On(ajopot.CycleStream(c.AjoID, k), &nairav1.AjoBidEnded{AjoId: c.AjoID, Cycle: int32(k), Seat: int32(b.Seat), UserId: c.User}))
		}
	}
	return out
}
