package ajo

import (
	"slices"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/services/internal/ajo/proof"
	"adashi.ng/services/internal/ajo/terms"
	"adashi.ng/services/internal/usecase"
)

// due returns a user's whole due of the current cycle, and the part that they have paid.
func (v sight) due(user string) (due, paid money.Kobo) {
	if !v.a.HasStarted() || v.a.Over() {
		return 0, 0
	}
	k := v.a.Current()
	for _, seat := range v.a.SeatsOf(user) {
		p, _ := v.a.Place(seat, user)
		due, paid = due+v.a.DueOf(seat, p, k), paid+v.cycles[k].Paid(seat, user)
	}
	return due, paid
}

// collects returns the seat that collects in a cycle, if known.
func (v sight) collects(k int) int {
	if k == v.a.Current() {
		return ajopot.Collects(v.a, v.cycles[k], v.debts, v.today)
	}
	return v.a.Order[k-1]
}

func (v sight) member(user string) AjoMember {
	due, paid := v.due(user)
	m := AjoMember{
		UserId: user, Name: v.name(user), Seats: v.a.SeatsOf(user), Turns: []int{}, Halves: v.a.HalvesOf(user), IsOwner: user == v.a.Owner,
		IsValidator: user == v.a.Validator, IsMe: user == v.user, Due: usecase.Naira(due), Paid: usecase.Naira(paid), Owes: usecase.Naira(v.debts.OwedInAll(user)),
	}
	for _, seat := range m.Seats {
		if turn := v.a.Turn(seat); turn > 0 {
			m.Turns = append(m.Turns, turn)
		}
	}
	return m
}

func (v sight) seats() []AjoSeat {
	out := []AjoSeat{}
	for i, seat := range v.a.Seats {
		no := i + 1
		line := v.seatLine(no)
		for _, p := range seat.Places {
			line.Holders = append(line.Holders, v.holder(no, p))
		}
		for _, o := range v.a.Openings {
			if o.Seat == no {
				until := o.Until.UTC()
				p, _ := v.a.Place(no, o.User)
				line.Leaving, line.Price = &until, usecase.NairaPtr(ajopot.Par(v.a, no, p))
			}
		}
		out = append(out, line)
	}
	return out
}

func (v sight) holder(seat int, p rules.Place) AjoHolder {
	h := AjoHolder{
		UserId: p.User, Name: v.name(p.User), Halves: p.Halves, IsMe: p.User == v.user, Owes: usecase.Naira(v.debts.OwedInAll(p.User)),
		Deposited: usecase.Naira(v.deposits[p.User]), DepositDue: usecase.Naira(v.depositDue(p.User)), AcceptedTerms: v.a.Accepted(p.User), PastAnswer: v.pastAnswer(p.User),
	}
	if !v.a.HasStarted() || v.a.Over() {
		return h
	}
	k := v.a.Current()
	h.Due, h.Paid = usecase.Naira(v.a.DueOf(seat, p, k)), usecase.Naira(v.cycles[k].Paid(seat, p.User))
	for _, paid := range v.cycles[k].Payments {
		if paid.Seat == seat && paid.User == p.User && paid.By != p.User {
			h.CoveredBy = usecase.OrNil(v.name(paid.By))
		}
	}
	return h
}

// depositDue returns the part of the deposit that a user has yet to pay and can pay.
func (v sight) depositDue(user string) money.Kobo {
	if !ajopot.TakesDeposit(v.a, user) {
		return 0
	}
	return max(0, v.a.Deposit(user)-v.deposits[user])
}

// openPlaces returns the places that somebody may take over, as outsiders see them: the leaving member's short name,
// and the place's cost.
func (v sight) openPlaces() []AjoSeat {
	out := []AjoSeat{}
	for _, o := range v.a.Openings {
		line := v.seatLine(o.Seat)
		p, _ := v.a.Place(o.Seat, o.User)
		until := o.Until.UTC()
		line.Leaving, line.Price = &until, usecase.NairaPtr(ajopot.Par(v.a, o.Seat, p))
		line.Holders = []AjoHolder{{UserId: o.User, Name: usecase.ShortName(v.cards, o.User), Halves: p.Halves, IsMe: o.User == v.user, AcceptedTerms: true}}
		out = append(out, line)
	}
	return out
}

// seatLine returns a seat and its turn, without its holders.
func (v sight) seatLine(no int) AjoSeat {
	line := AjoSeat{Seat: no, Status: terms.SeatStatus(v.a, no), Holders: []AjoHolder{}}
	if turn := v.a.Turn(no); turn > 0 {
		line.Turn = &turn
		if turn >= v.a.FirstCycle {
			line.Due = usecase.OrNil(day(v.a.Due(turn)))
		}
	}
	return line
}

func (v sight) pastAnswer(user string) *AjoPastWord {
	word := AjoPastWord("CONFIRMED")
	switch {
	case v.a.ConfirmedPast(user):
	case slices.Contains(v.a.Denied, user):
		word = "DENIED"
	default:
		return nil
	}
	return &word
}

func (v sight) me() AjoMe {
	a, user := v.a, v.user
	seats := append([]int{}, a.SeatsOf(user)...)
	me := AjoMe{
		UserId: user, Seats: seats, Halves: a.HalvesOf(user), IsOwner: user == a.Owner, IsValidator: user == a.Validator, DepositDue: usecase.Naira(v.depositDue(user)),
		Deposited: usecase.Naira(v.deposits[user]), ConsentDues: v.books[user].Dues, ConsentSweep: v.books[user].Sweep, AcceptedTerms: a.Accepted(user), PastAnswer: v.pastAnswer(user),
		MustReveal: a.Status == rules.Ordering && a.Closing.Source == nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES && len(seats) > 0 &&
			!slices.ContainsFunc(a.Revealed, func(r rules.Reveal) bool { return r.User == user }),
		Pseudonym:       proof.Pseudonym(v.id, a, user),
		MustAcceptOrder: a.Status == rules.Ordering && len(a.Proposed) > 0 && v.now.Before(a.AcceptOrderBy) && len(seats) > 0 && !slices.Contains(a.AcceptedBy, user),
	}
	for _, vote := range v.cycles[a.Current()].Votes {
		if vote.User == user {
			me.VotedFor = &vote.For
		}
	}
	for _, b := range v.cycles[a.Current()].Bids {
		if b.User == user && !b.Revealed && slices.Contains(seats, b.Seat) {
			me.BidSealed = true
			me.MayBidReveal = v.today.After(a.Due(a.Current())) && !v.today.After(ajopot.ChosenBy(a, a.Current()))
		}
	}
	for _, seat := range seats {
		if a.HasStarted() && a.HasCollected(seat) {
			p, _ := a.Place(seat, user)
			var left money.Kobo
			for k := a.Current(); k <= len(a.Order); k++ {
				left += max(0, a.DueOf(seat, p, k)-v.cycles[k].Paid(seat, user))
			}
			if left > 0 && me.Prepay == nil {
				me.Prepay = usecase.NairaPtr(left)
			}
		}
	}
	return me
}
