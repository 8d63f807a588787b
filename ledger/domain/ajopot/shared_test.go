package ajopot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/event"
)

func TestBothHoldersOfASharedSeatBid(t *testing.T) {
	t.Parallel()
	l := offers(t, 2, 1, 1, 2, 2)
	l.do(l.bids(2, 2))
	l.nextDay()
	l.do(l.opens(2, 2))
	require.Zero(t, l.chosen().Discount, "one holder's bid costs the other nothing")

	l = offers(t, 2, 1, 1, 2, 2)
	less := offered - 1_000_00
	hash := ajopot.BidHash(1, 2, less, []byte("salt"))
	l.do(l.bids(2, 2))
	l.do(ajopot.CommitBid(ajoID, 1, 2, person(3), hash[:], l.now))
	l.nextDay()
	l.do(l.opens(2, 2))
	l.do(ajopot.RevealBid(ajoID, 1, 2, person(3), less, []byte("salt"), l.now))
	require.Equal(t, less, l.chosen().Discount, "what both agree to")
}

func TestTheCoHolderTakesOverTheOtherHalf(t *testing.T) {
	t.Parallel()
	l := begun(t, terms(5, func(x *nairav1.AjoTerms) { x.Deposits = 1 }), funds, 2, 2, 1, 1, 2, 2)
	l.paid(1, 3, 4, 5, 6).over().out(1).dueDay()
	l.do(l.pay(4))
	before := l.wallet(4)
	l.sells(3, 3, 4)
	place, _ := l.ajo().Place(3, person(4))
	require.Equal(t, 2, place.Halves)
	require.Len(t, l.ajo().Seats[2].Places, 1)
	require.EqualValues(t, before-share, l.wallet(4), "par and a deposit for the half")
	l.do(l.pay(4)) // The rest of the whole hand's due.
	require.EqualValues(t, share, l.cycle(2).Paid(3, person(4)))
}

func TestNobodyPaysTheFeeOfTheOthersHalf(t *testing.T) {
	t.Parallel()
	l := begun(t, terms(2, nil), funds, 2, 1, 1)
	l.at(morning(l.ajo().Due(1)))
	seat := l.ajo().SeatsOf(person(2))[0]
	require.Equal(t, seat, l.ajo().Order[0])
	l.do(l.pay(3))
	l.over()
	s := l.split(1)
	require.Zero(t, s.Of(person(2)))
	require.EqualValues(t, share/2-s.Fee, s.Of(person(3)))
	require.EqualValues(t, 40_00, s.Fee, "half of 1% of what was paid and netted")
}

func TestABidIsNoMoreOfAPotThanTheTermsAllow(t *testing.T) {
	t.Parallel()
	l := begun(t, terms(5, func(x *nairav1.AjoTerms) { x.Order = nairav1.AjoOrder_AJO_ORDER_BIDDING }), funds, 2, 2, 2, 2, 2)
	l.dueDay()
	hash := ajopot.BidHash(1, 3, 12_000_00, []byte("salt"))
	l.do(ajopot.CommitBid(ajoID, 1, 3, person(3), hash[:], l.now))
	l.paid(1).nextDay()
	l.do(ajopot.RevealBid(ajoID, 1, 3, person(3), 12_000_00, []byte("salt"), l.now))
	l.over()
	sum := money.Kobo(0)
	for _, p := range l.split(1).Discounts {
		sum += p.Amount
	}
	require.EqualValues(t, 2*share*3/10, sum, "of what one paid, and of their own due")
}

func TestDepositsMatchTheHandsThatPay(t *testing.T) {
	t.Parallel()
	one := func(x *nairav1.AjoTerms) { x.Deposits = 1 }
	l := begun(t, terms(7, one), funds, 2, 4, 2, 2, 2, 2)
	l.And(funded(person(9), funds), verified(person(9)))
	l.dueDay()
	seats := l.ajo().SeatsOf(person(2))
	l.sells(seats[1], 2, 9)
	require.EqualValues(t, share, l.deposit(2), "one of two hands is sold")

	l = begun(t, terms(7, one), funds, 2, 4, 2, 2, 2, 2)
	l.paid(1, 2, 3, 4, 5, 6).over().out(1)
	l.do(ajo.OpenPlace(ajoID, person(2), seats[1], l.now))
	l.at(l.now.AddDate(0, 0, 14))
	l.do(ajopot.Freeze(ajoID, seats[1], []int{2}, l.people(), l.now))
	require.EqualValues(t, share, l.deposit(2), "one of two hands is frozen")
	require.EqualValues(t, share, l.ajo().Deposit(person(2)))
	require.False(t, ajopot.TakesDeposit(l.ajo(), person(8)))
}

func TestAnApprovedPotIsPaidWhenItsHoldEnds(t *testing.T) {
	t.Parallel()
	l := five(t, nil).paid(1, 3, 4, 5)
	l.do(l.judge())
	l.do(l.ask(1, 2))
	l.at(l.now.AddDate(0, 0, 1))
	l.do(ajopot.RefusePayout(ajoID, 1, person(5), dispute, "I do not know this", l.now))
	ends := l.now.AddDate(0, 0, int(l.terms.GetHoldDays()))
	l.at(l.now.AddDate(0, 0, 1))
	l.do(ajopot.RefusePayout(ajoID, 1, person(4), dispute, "Nor do I know this", l.now))
	l.do(l.approve(1, 4)) // Who held it approves it, which ends their hold.
	l.do(l.approve(1, 1))
	require.False(t, l.cycle(1).PaidOut)
	ready, _ := l.ajo().ReadyOf(1)
	require.True(t, ends.Equal(ajopot.PayByItself(l.ajo(), ready, l.cycle(1))), "and not on the seventh day after it was asked for, where that is later")

	l = five(t, func(x *nairav1.AjoTerms) { x.HoldDays = 2 }).paid(1, 3, 4, 5)
	l.do(l.judge())
	l.do(l.ask(1, 2))
	l.do(ajopot.RefusePayout(ajoID, 1, person(5), dispute, "I do not know this", l.now))
	l.do(l.approve(1, 1))
	l.do(l.approve(1, 3))
	require.False(t, l.cycle(1).PaidOut)
	l.do(ajopot.PaySilent(ajoID, 1, l.people(), l.now.AddDate(0, 0, 2)))
}

// imported is an ajo of five whose first cycle was over before it came here: seat 2 collected, and 1, 3 and 4 paid.
func imported(t *testing.T) *life {
	t.Helper()
	l := five(t, nil)
	l.And(event.On(ajo.Stream(ajoID), &nairav1.AjoPastTold{AjoId: ajoID, Cycles: []*nairav1.AjoPastCycle{{Cycle: 1, Seat: 2, Paid: []int32{1, 3, 4}}}}))
	l.And(funded(person(9), funds), verified(person(9)))
	return l
}

func TestNobodyMakesMoneyOfAPastByTakingAPlaceAndGivingItUp(t *testing.T) {
	t.Parallel()
	for seat, par := range map[int]money.Kobo{4: share, 5: 0} {
		l := imported(t)
		l.at(morning(l.ajo().Due(l.ajo().Current())))
		l.sells(seat, seat, 9)
		require.EqualValues(t, funds-par, l.wallet(9), "seat %d", seat)
		l.do(ajo.OpenPlace(ajoID, person(9), seat, l.now))
		until := l.ajo().Openings[0].Until
		for l.at(l.now.AddDate(0, 0, 1)); ; l.at(l.now.AddDate(0, 0, 1)) {
			_, _ = l.Do(l.judge())
			if now := l.now; !now.Before(until) {
				if _, err := l.Do(ajopot.Freeze(ajoID, seat, []int{l.ajo().Current()}, l.people(), now)); err == nil {
					break
				}
			}
			require.Less(t, l.ajo().Current(), 5)
		}
		a, frozen := l.ajo(), l.ajo().Frozen[0]
		helped := money.Kobo(0)
		for s := range 5 {
			if s+1 != seat && a.Turn(s+1) <= frozen.Paid && a.Owes(s+1, seat, 5) {
				helped += share
			}
		}
		paid := par
		for k := 2; k <= frozen.Paid; k++ {
			paid += share // To the cycles that are over since.
		}
		require.Equal(t, paid, helped, "seat %d collects what it was taken over for, and what it owes since", seat)
	}
}

func TestASharedSeatCollectsLastOnceOneOfItsHoldersHasClosedTheirAccount(t *testing.T) {
	t.Parallel()
	shared := func() *life {
		return begun(t, terms(4, func(x *nairav1.AjoTerms) { x.FeeBasisPoints = 0 }), funds, 2, 1, 1, 2, 2).gone(3)
	}
	l := shared()
	require.Equal(t, []int{2, 3, 4, 1}, l.ajo().Order)
	l.paid(1, 2, 4, 5).over()
	require.Equal(t, []int{3, 4, 1, 2}, l.ajo().Order, "the holder who is there waits too")

	l = shared()
	l.takes(2, 3, 2)
	l.paid(1, 2, 4, 5).over()
	ready, _ := l.ajo().ReadyOf(1)
	require.Equal(t, 2, ready.Seat, "who takes the other half over collects in turn")
}
