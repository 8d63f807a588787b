package ajopot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// closes empties somebody's wallet and closes their account.
func (l *life) closes(n int) {
	l.keeps(n, 0)
	l.And(event.On(account.Stream(person(n)), &nairav1.AccountClosed{UserId: person(n)}))
}

// endsEarly has all but the first two of five vote for the end, and the first.
func (l *life) endsEarly() {
	l.do(ajo.Move{AjoID: ajoID, MotionID: "end", By: person(1), Kind: nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE, Reason: "Because of it", Now: l.now})
	for _, n := range []int{2, 3, 5} {
		l.do(ajo.VoteMotion(ajoID, "end", person(n), true, l.now))
	}
	l.do(ajopot.Terminate(ajoID, "end", []int{l.ajo().Current()}, l.people()))
}

func TestAPlaceIsNotForSaleOnceItsSeatCollects(t *testing.T) {
	t.Parallel()
	l := five(t, nil)
	l.And(funded(person(9), funds), verified(person(9)))
	l.do(ajo.OpenPlace(ajoID, person(2), 2, l.now))
	l.do(ajo.OpenPlace(ajoID, person(3), 3, l.now))
	l.paid(1, 3, 4, 5)
	l.do(l.judge())
	require.Len(t, l.ajo().Openings, 1, "the other seat's stays")
	take := ajopot.TakePlace{AjoID: ajoID, Seat: 2, From: person(2), To: joiner(l.terms, person(9), 2), Price: share, Cycles: []int{2, 1}, People: append(l.people(), person(9))}
	l.refuses(take.Command(), fault.Conflict, "is not given up any more")
	// An earlier build left it open.
	l.And(event.On(ajo.Stream(ajoID), &nairav1.AjoPlaceOpened{AjoId: ajoID, Seat: 2, UserId: person(2)}))
	l.refuses(take.Command(), fault.Conflict, "Seat 2 has collected")
}

func TestWhoPaidAllAheadIsNotChargedAgainWhenTheAjoEndsEarly(t *testing.T) {
	t.Parallel()
	l := five(t, nil).paid(1, 3, 4, 5).over().out(1).dueDay()
	l.do(ajopot.Prepay{AjoID: ajoID, Seat: 2, User: person(2), Amount: 4 * share, Cycles: []int{2, 3, 4, 5}, At: l.now})
	l.paid(4)
	two, four := l.wallet(2), l.wallet(4)
	l.endsEarly()
	require.EqualValues(t, two, l.wallet(2))
	require.EqualValues(t, four+share, l.wallet(4), "who has not collected gets it back")
	for k := 2; k <= 5; k++ {
		l.over().out(k)
	}
	require.Zero(t, l.owes(2))
	require.EqualValues(t, two, l.wallet(2))
}

func TestALeaversDebtToTheTakerIsSetOff(t *testing.T) {
	t.Parallel()
	for _, ahead := range []bool{false, true} {
		l := begun(t, terms(6, nil), funds, 2, 2, 2, 2, 2, 2)
		l.at(morning(l.ajo().Due(1)))
		l.paid(1, 4, 5, 6).over()
		require.EqualValues(t, share+400_00, l.owes(3), "to the second")
		before := l.wallet(2)
		three := l.wallet(3)
		if ahead {
			l.do(l.pay(3))
		}
		l.sells(3, 3, 2)
		if ahead {
			require.Zero(t, l.owes(3), "what goes back to them pays it too")
			require.EqualValues(t, three-400_00, l.wallet(3))
			continue
		}
		require.EqualValues(t, 400_00, l.owes(3))
		require.EqualValues(t, before, l.wallet(2), "what they pay comes back")
		require.EqualValues(t, three, l.wallet(3))
	}
}

func TestACoverThatGoesBackPaysTheDebtsOfItsPayer(t *testing.T) {
	t.Parallel()
	l := five(t, nil).paid(1, 4, 5).over().out(1).dueDay()
	l.And(funded(person(9), funds), verified(person(9)))
	owed := l.owes(3)
	require.EqualValues(t, share+400_00, owed)
	before := l.wallet(3)
	gift := l.payFor(4, person(4), person(3)) // Else what is paid for the place pays the cover.
	gift.Gift = true
	l.do(gift)
	l.sells(4, 4, 9)
	require.EqualValues(t, before-share, l.wallet(3))
	require.EqualValues(t, owed-share, l.owes(3))
}

func TestACoverOfWhichABankTookAPartIsOwedNoMoreOnceItGoesBack(t *testing.T) {
	t.Parallel()
	l := five(t, nil).paid(1, 5)
	cover := l.payFor(3, person(3), person(4))
	cover.PaymentID, cover.Channel = "p", transfer
	l.comes("p", 4, share, cover)
	l.keeps(4, 0)
	l.do(takenBack("p", 4, 1, 1_000_00))
	l.endsEarly()
	require.EqualValues(t, share-1_000_00, l.wallet(4))
	require.Zero(t, l.owes(3))
}

func TestLateMoneyRefillsNoDepositOfAnAjoThatEndedEarly(t *testing.T) {
	t.Parallel()
	l := five(t, func(x *nairav1.AjoTerms) { x.Deposits = 1 })
	l.do(ajo.OpenPlace(ajoID, person(5), 5, l.now))
	l.at(l.now.AddDate(0, 0, 14))
	l.do(ajopot.Freeze(ajoID, 5, []int{1}, l.people(), l.now)) // Nothing is due to its turn.
	l.paid(1, 3, 4).over().out(1).endsEarly()
	l.over().out(2)
	for k := 3; !l.ajo().Done(); k++ {
		l.paid(2).over().out(k)
	}
	l.do(ajopot.Complete(ajoID, upTo(5), l.people()))
	require.True(t, l.ajo().Settled && !l.ajo().Over())
	l.keeps(2, 0)
	seat := l.ajo().SeatsOf(person(2))[0]
	pay := l.payFor(seat, person(2), person(2))
	pay.Cycle, pay.Amount, pay.PaymentID, pay.Channel, pay.At = 2, share, "p", transfer, morning(l.ajo().Deadline(2))
	pay.People = l.people()
	l.comes("p", 2, share, pay)
	require.Zero(t, l.deposit(2))
	require.EqualValues(t, share, l.wallet(2))
}

// discounted is an ajo of bids whose fourth member missed the first cycle, and gets a part of a bid in the second.
func discounted(t *testing.T) *life {
	t.Helper()
	l := begun(t, terms(5, func(x *nairav1.AjoTerms) { x.Order = nairav1.AjoOrder_AJO_ORDER_BIDDING }), funds, 2, 2, 2, 2, 2)
	l.dueDay().paid(1, 3, 5).over().out(1).dueDay()
	hash := ajopot.BidHash(2, 3, offered, []byte("salt"))
	l.do(ajopot.CommitBid(ajoID, 2, 3, person(3), hash[:], l.now))
	l.paid(1, 2, 4, 5).nextDay()
	l.do(ajopot.RevealBid(ajoID, 2, 3, person(3), offered, []byte("salt"), l.now))
	l.over()
	return l
}

func TestADiscountPaysWhatItsReceiverOwes(t *testing.T) {
	t.Parallel()
	l := discounted(t)
	owed, four := l.owes(4), l.wallet(4)
	part := offered / 4
	require.EqualValues(t, share+400_00, owed)
	l.out(2)
	require.EqualValues(t, owed-part, l.owes(4))
	require.EqualValues(t, four, l.wallet(4))
}

func TestClosedAccountsGetNothingOfAnAjo(t *testing.T) {
	t.Parallel()
	parks := func(l *life, n int, amount money.Kobo, do func()) {
		t.Helper()
		l.closes(n)
		before := l.Balance(posting.Unmatched)
		do()
		require.Zero(t, l.wallet(n))
		require.EqualValues(t, amount, l.Balance(posting.Unmatched)-before)
	}
	l := five(t, nil).paid(1, 3, 4, 5)
	l.do(l.judge())
	parks(l, 2, l.split(1).Of(person(2)), func() { l.out(1) })

	l = discounted(t)
	parks(l, 1, offered/4, func() { l.out(2) })

	l = five(t, nil).paid(1, 3, 4, 5).over().out(1).dueDay().paid(4)
	parks(l, 4, share, l.endsEarly)

	l = five(t, nil).paid(1, 3, 4, 5).over().out(1).dueDay()
	l.do(ajo.OpenPlace(ajoID, person(4), 4, l.now))
	l.And(funded(person(9), funds), verified(person(9)))
	l.paid(4)
	parks(l, 4, 2*share, func() { l.takes(4, 4, 9) })
}
