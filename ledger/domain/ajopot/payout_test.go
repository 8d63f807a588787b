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
	"adashi.ng/ledger/posting"
)

const (
	toWallet = nairav1.AjoDestination_AJO_DESTINATION_WALLET
	dispute  = nairav1.AjoRefusal_AJO_REFUSAL_DISPUTE
)

func TestAPotIsPaidOnceByTwoApprovals(t *testing.T) {
	t.Parallel()
	l := five(t, nil).paid(1, 3, 4)
	asks := func(n int, net money.Kobo) event.Command {
		return ajopot.RequestPayout(ajoID, 1, person(n), toWallet, net, l.people())
	}
	l.refuses(asks(2, 4*share), fault.Conflict, "This cycle waits until 7 December 2026, or until all have paid.")
	l.refuses(ajopot.RequestPayout(ajoID, 2, person(2), toWallet, share, l.people()), fault.Conflict, "Cycle 2 opens on")
	l.refuses(ajopot.RequestPayout(ajoID, 6, person(2), toWallet, share, l.people()), fault.NotFound, "There is no such cycle.")
	l.paid(5).do(l.judge())
	l.refuses(l.approve(1, 3), fault.Conflict, "has not been asked for yet")
	l.refuses(asks(3, 0), fault.Forbidden, "Only the person whose turn it is can ask.")
	l.refuses(asks(2, 5*share), fault.Conflict, "You get ₦32,000.00 of this pot, not ₦40,000.00.")
	l.When(ajopot.RequestPayout(ajoID, 1, person(2), 0, 4*share, l.people())).ThenField("destination")
	l.do(asks(2, 4*share))
	l.refuses(asks(2, 4*share), fault.Conflict, "is asked for already")
	l.refuses(l.approve(1, 2), fault.Forbidden, "Nobody approves their own payout.")
	l.do(l.approve(1, 3))
	l.refuses(l.approve(1, 3), fault.Conflict, "The owner and one other approve; you have.")
	l.do(l.approve(1, 4))
	require.False(t, l.cycle(1).PaidOut, "not without the owner")
	l.do(l.approve(1, 1))
	require.True(t, l.cycle(1).PaidOut)
	paid := "The pot of cycle 1 is paid out already."
	l.refuses(l.approve(1, 5), fault.Conflict, paid)
	l.refuses(asks(2, 4*share), fault.Conflict, paid)
	l.refuses(ajopot.PaySilent(ajoID, 1, l.people(), l.now.AddDate(0, 0, 30)), fault.Conflict, paid)
	l.refuses(ajopot.RefusePayout(ajoID, 1, person(5), dispute, "I doubt it", l.now), fault.Conflict, paid)
	require.EqualValues(t, funds+4*share, l.wallet(2))
	require.Zero(t, l.Balance(posting.Pot(ajoID, 1)))
}

func TestNobodySitsOnAPot(t *testing.T) {
	t.Parallel()
	l := five(t, nil).paid(1, 3, 4, 5)
	l.do(l.judge())
	refuses := func(n int, why nairav1.AjoRefusal, reason string) event.Command {
		return ajopot.RefusePayout(ajoID, 1, person(n), why, reason, l.now)
	}
	l.refuses(refuses(2, dispute, "I doubt it"), fault.Forbidden, "Nobody decides on their own payout.")
	l.When(refuses(1, 0, "I doubt it")).ThenField("refusal")
	l.When(refuses(1, dispute, "")).ThenField("reason")
	l.do(l.ask(1, 2))
	l.do(refuses(1, dispute, "I doubt it")) // The owner, and a puppet a week later.
	l.refuses(refuses(1, dispute, "I doubt it"), fault.Conflict, "You have held this payout once.")
	l.do(l.approve(1, 3))
	l.do(l.approve(1, 4))
	require.False(t, l.cycle(1).PaidOut, "held")
	l.at(l.now.AddDate(0, 0, 6))
	l.do(refuses(3, dispute, "I doubt it"))
	l.refuses(refuses(4, dispute, "I doubt it"), fault.Conflict, "This payout was held twice already")
	held := l.now.AddDate(0, 0, 7)
	l.refuses(ajopot.PaySilent(ajoID, 1, l.people(), held.Add(-1)), fault.Conflict, "This pot pays itself on")
	l.at(held).do(ajopot.PaySilent(ajoID, 1, l.people(), held))
	require.EqualValues(t, funds+4*share, l.wallet(2))
}

func TestAPotPaysItselfAfterSevenSilentDaysOrFourteenUnasked(t *testing.T) {
	t.Parallel()
	for _, asked := range []bool{true, false} {
		l := five(t, nil).paid(1, 3, 4, 5)
		l.do(l.judge())
		days := 14
		if asked {
			l.do(l.ask(1, 2))
			days = 7
		}
		at := l.now.AddDate(0, 0, days)
		l.refuses(ajopot.PaySilent(ajoID, 1, l.people(), at.Add(-1)), fault.Conflict, "This pot pays itself on")
		l.do(ajopot.PaySilent(ajoID, 1, l.people(), at))
	}
}

func TestADisputeOfTheLastPotHoldsTheEnd(t *testing.T) {
	t.Parallel()
	l := five(t, nil)
	for k := 1; k <= 4; k++ {
		l.paid(1, 2, 3, 4, 5).over().out(k)
	}
	l.paid(2, 3, 4, 5).do(l.judge())
	l.do(ajopot.RefusePayout(ajoID, 5, person(3), dispute, "I doubt it", l.now))
	complete := ajopot.Complete(ajoID, []int{1, 2, 3, 4, 5}, l.people())
	l.refuses(complete, fault.Conflict, "The pot of cycle 5 is not paid out yet.")
	l.do(l.ask(5, 1))
	l.do(l.approve(5, 5))
	l.do(l.approve(5, 4))
	require.False(t, l.cycle(5).PaidOut)
	l.do(l.approve(5, 3)) // Who approves takes their refusal back.
	require.True(t, l.cycle(5).PaidOut)
	l.do(complete)
	require.Equal(t, ajo.Completed, l.ajo().Status)
	l.refuses(complete, fault.Conflict, "This ajo has ended.")
}

func TestTheFeeIsOfThePotWithWhatIsNetted(t *testing.T) {
	t.Parallel()
	l := begun(t, terms(5, nil), funds, 2, 2, 2, 2, 2).paid(1, 3, 4, 5)
	l.do(l.judge())
	s := l.split(1)
	require.EqualValues(t, 400_00, s.Fee)
	require.EqualValues(t, 27_90, s.VAT)
	require.EqualValues(t, 4*share-400_00, s.Of(person(2)))
	l.out(1)
	require.EqualValues(t, 27_90, l.Balance(posting.TaxVAT))
	require.EqualValues(t, 400_00-27_90, l.Balance(posting.FeesAjo))
}

func bidding(t *testing.T) *life {
	t.Helper()
	l := begun(t, terms(4, func(x *nairav1.AjoTerms) {
		x.FeeBasisPoints, x.Order, x.AmountKobo = 0, nairav1.AjoOrder_AJO_ORDER_BIDDING, 10_000_02
	}), funds, 2, 2, 2, 2)
	return l
}

func TestABidIsSealedThenOpened(t *testing.T) {
	t.Parallel()
	l := bidding(t)
	salt := []byte("salt")
	commit := func(n int, discount money.Kobo) event.Command {
		hash := ajopot.BidHash(1, n, discount, salt)
		return ajopot.CommitBid(ajoID, 1, n, person(n), hash[:], l.now)
	}
	reveal := func(n int, discount money.Kobo) event.Command {
		return ajopot.RevealBid(ajoID, 1, n, person(n), discount, salt, l.now)
	}
	l.dueDay()
	l.refuses(ajopot.CommitBid(ajoID, 1, 2, person(3), make([]byte, 32), l.now), fault.Forbidden, "Only who holds seat 2 can bid for it.")
	l.When(ajopot.CommitBid(ajoID, 1, 2, person(2), make([]byte, 31), l.now)).ThenField("commitment")
	l.refuses(ajopot.VoteNeed(ajoID, 1, person(2), 3, l.now), fault.Conflict, "who collects is not chosen like this")
	l.do(commit(1, 12_100_00)) // Over 30% of ₦40,000.08.
	l.do(commit(2, 1_050_00))
	l.do(commit(3, 1_000_00))
	l.refuses(reveal(3, 1_000_00), fault.Conflict, "Bids stay sealed until")
	l.at(l.now.AddDate(0, 0, 1))
	l.refuses(commit(4, 100_00), fault.Conflict, "Bids ended with the due day.")
	l.When(reveal(1, 12_100_00)).ThenField("discount")
	l.When(reveal(2, 1_050_00)).ThenField("discount")
	l.When(reveal(3, 900_00)).ThenField("discount")
	l.refuses(reveal(4, 0), fault.Conflict, "You have not bid for seat 4")
	l.do(reveal(3, 1_000_00))
	l.refuses(reveal(3, 1_000_00), fault.Conflict, "This bid is open already.")
	for n := 1; n <= 4; n++ {
		if n != 3 {
			l.do(l.pay(n))
		}
	}
	l.refuses(l.judge(), fault.Conflict, "is chosen until")
	l.at(l.now.AddDate(0, 0, 2))
	l.refuses(reveal(2, 1_050_00), fault.Conflict, "The time to open bids is over.")
	l.do(l.judge())
	require.Equal(t, 3, l.ajo().Order[0])
	require.Equal(t, []ajopot.Part{{User: person(1), Amount: 333_34}, {User: person(2), Amount: 333_33}, {User: person(4), Amount: 333_33}}, l.split(1).Discounts, "the odd kobo goes to the lowest")
	l.out(1)
	require.EqualValues(t, funds-10_000_02+333_34, l.wallet(1))
	require.EqualValues(t, funds+3*10_000_02-1_000_00, l.wallet(3))
}

func TestNobodyVotesForThemselves(t *testing.T) {
	t.Parallel()
	l := begun(t, terms(4, func(x *nairav1.AjoTerms) { x.FeeBasisPoints, x.Order = 0, nairav1.AjoOrder_AJO_ORDER_NEED }), funds, 2, 2, 2, 2)
	votes := func(n, seat int) event.Command {
		return ajopot.VoteNeed(ajoID, l.ajo().Current(), person(n), seat, l.now)
	}
	l.refuses(votes(2, 2), fault.Forbidden, "Nobody votes for a seat of their own.")
	l.refuses(votes(2, 5), fault.NotFound, "There is no such seat.")
	l.do(votes(1, 4))
	l.do(votes(2, 4))
	l.do(votes(3, 1))
	l.dueDay()
	for n := range 4 {
		l.do(l.pay(n + 1))
	}
	l.at(l.now.AddDate(0, 0, 1))
	l.refuses(votes(3, 4), fault.Conflict, "The vote ended with the due day.")
	l.do(l.judge())
	require.Equal(t, 4, l.ajo().Order[0])
	l.refuses(votes(1, 4), fault.Conflict, "Seat 4 has collected already.")
}
