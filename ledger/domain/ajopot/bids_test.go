package ajopot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/event"
)

const offered = 9_000_00 * money.Kobo(1)

// offers is an ajo of bids on its first due day, beside whose members two more people could take a place.
func offers(t *testing.T, halves ...int) *life {
	t.Helper()
	sum := 0
	for _, n := range halves {
		sum += n
	}
	l := begun(t, terms(sum/2, func(x *nairav1.AjoTerms) { x.Order = nairav1.AjoOrder_AJO_ORDER_BIDDING }), funds, halves...)
	for n := len(halves) + 1; n <= len(halves)+2; n++ {
		l.And(funded(person(n), funds), verified(person(n)))
	}
	return l.at(morning(l.ajo().Due(1)))
}

func (l *life) bids(seat, n int) event.Command {
	hash := ajopot.BidHash(1, seat, offered, []byte("salt"))
	return ajopot.CommitBid(ajoID, 1, seat, person(n), hash[:], l.now)
}

func (l *life) opens(seat, n int) event.Command {
	return ajopot.RevealBid(ajoID, 1, seat, person(n), offered, []byte("salt"), l.now)
}

// sells has a place given up and taken over at par.
func (l *life) sells(seat, from, to int) {
	l.t.Helper()
	l.do(ajo.OpenPlace(ajoID, person(from), seat, l.now))
	l.takes(seat, from, to)
}

func (l *life) takes(seat, from, to int) {
	l.t.Helper()
	a := l.ajo()
	p, _ := a.Place(seat, person(from))
	l.do(ajopot.TakePlace{
		AjoID: ajoID, Seat: seat, From: person(from), To: joiner(l.terms, person(to), 0), Price: ajopot.Par(a, seat, p), Cycles: []int{a.Current()}, People: append(l.people(), person(to)),
	}.Command())
}

// nextDay is the day after.
func (l *life) nextDay() { l.at(l.now.AddDate(0, 0, 1)) }

// chosen ends the days of grace of the first cycle, and answers its pot.
func (l *life) chosen() ajo.Ready {
	l.t.Helper()
	for i, s := range l.ajo().Seats {
		for _, p := range s.Places {
			if pays := l.payFor(i+1, p.User, p.User); pays.Amount > 0 {
				l.do(pays)
			}
		}
	}
	l.at(morning(l.ajo().Deadline(1).AddDate(0, 0, 1)))
	l.do(l.judge())
	ready, _ := l.ajo().ReadyOf(1)
	return ready
}

func TestWhoSoldASeatOpensNoBidForIt(t *testing.T) {
	t.Parallel()
	l := offers(t, 2, 4, 2, 2, 2)
	seat := l.ajo().SeatsOf(person(2))[0]
	l.do(l.bids(seat, 2))
	l.sells(seat, 2, 6)
	l.nextDay()
	l.refuses(l.opens(seat, 2), fault.Forbidden, "Only who holds seat 2 can open a bid for it.")
	l.refuses(l.opens(seat, 6), fault.Conflict, "You have not bid for seat 2")
	require.Zero(t, l.chosen().Discount)
}

func TestABidEndsWhenSomebodyTakesItsPlace(t *testing.T) {
	t.Parallel()
	l := offers(t, 2, 2, 2, 2, 2)
	l.do(l.bids(5, 5))
	l.nextDay()
	l.do(l.opens(5, 5))
	l.sells(5, 5, 6)
	require.Empty(t, l.cycle(1).Bids)
	require.Zero(t, l.chosen().Discount, "the taker never bid")
}

func TestABidDoesNotComeBackWithItsPlace(t *testing.T) {
	t.Parallel()
	l := offers(t, 2, 2, 2, 2, 2)
	l.do(l.bids(5, 5))
	l.sells(5, 5, 6)
	l.do(l.bids(5, 6)) // The taker may bid while there is time.
	l.sells(5, 6, 5)
	l.nextDay()
	l.refuses(l.opens(5, 5), fault.Conflict, "a bid ends when somebody takes over a place of its seat")
	require.Zero(t, l.chosen().Discount)

	again := offers(t, 2, 2, 2, 2, 2)
	again.do(again.bids(5, 5))
	again.sells(5, 5, 6)
	again.do(again.bids(5, 6))
	again.nextDay()
	again.do(again.opens(5, 6))
	require.Equal(t, offered, again.chosen().Discount)
}

func TestABidForASharedSeatEndsWhenSomebodyTakesEitherHalf(t *testing.T) {
	t.Parallel()
	for _, seller := range []int{2, 3} {
		l := offers(t, 2, 1, 1, 2, 2) // Seat 2 is of two people.
		require.Equal(t, []string{person(2), person(3)}, l.ajo().Seats[1].Users())
		l.do(l.bids(2, 2))
		l.nextDay()
		l.do(l.opens(2, 2))
		l.sells(2, seller, 6)
		require.Zero(t, l.chosen().Discount, "half of it would be the taker's, who never bid")
	}
}

func TestABidOfAnotherSeatStays(t *testing.T) {
	t.Parallel()
	l := offers(t, 2, 4, 2, 2, 2)
	l.do(l.bids(2, 2))
	l.do(l.bids(3, 2))
	l.sells(2, 2, 6)
	l.nextDay()
	l.do(l.opens(3, 2))
	ready := l.chosen()
	require.Equal(t, 3, ready.Seat)
	require.Equal(t, offered, ready.Discount)
}

func TestABidThatWasChosenStaysAsItWasDecided(t *testing.T) {
	t.Parallel()
	l := offers(t, 2, 2, 2, 2, 2)
	l.do(l.bids(5, 5))
	l.do(ajo.OpenPlace(ajoID, person(5), 5, l.now))
	l.nextDay()
	l.do(l.opens(5, 5))
	require.Equal(t, 5, l.chosen().Seat)
	require.Empty(t, l.ajo().Openings, "nobody takes over a seat that collects")
	require.Len(t, l.cycle(1).Bids, 1)
	ready, _ := l.ajo().ReadyOf(1)
	require.Equal(t, offered, ready.Discount)
}

func TestABidEndsWhenItsSeatFreezes(t *testing.T) {
	t.Parallel()
	l := offers(t, 2, 2, 2, 2, 2)
	l.do(l.bids(5, 5))
	l.frozen(5)
	require.Empty(t, l.cycle(1).Bids)
}

func TestABidOfAPlaceThatAnEarlierBuildPassedOnCountsForNothing(t *testing.T) {
	t.Parallel()
	for _, opened := range []bool{false, true} {
		l := offers(t, 2, 4, 2, 2, 2)
		l.do(l.bids(2, 2))
		l.nextDay()
		if opened {
			l.do(l.opens(2, 2))
		}
		hash := ajo.TermsHash(l.terms)
		l.And(event.On(ajo.Stream(ajoID), &nairav1.AjoPlaceTaken{AjoId: ajoID, Seat: 2, FromUserId: person(2), ToUserId: person(6), Halves: 2, TermsHash: hash[:]}))
		if !opened {
			l.refuses(l.opens(2, 2), fault.Forbidden, "Only who holds seat 2 can open a bid for it.")
		}
		require.Zero(t, l.chosen().Discount)
	}
}
