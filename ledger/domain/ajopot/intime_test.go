package ajopot_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajopot"

	nairav1 "adashi.ng/proto/gen/naira/v1"
)

func TestMoneyInTimeIsInTimeAlsoWhenItsPayerHasLeft(t *testing.T) {
	t.Parallel()
	for _, repaid := range []bool{false, true} {
		l := five(t, nil).paid(1, 4, 5).over().out(1)
		l.And(funded(person(9), funds), verified(person(9)))
		if repaid {
			l.repay(3)
		}
		l.sells(3, 3, 9) // The debt is paid out of the price, with its penalty.
		before := l.wallet(2)
		l.do(l.lateOf(3, 1, 3, share))
		require.EqualValues(t, before, l.wallet(2))
		require.Zero(t, l.owes(3), "no penalty")
		if refund := l.debts().Open(person(2)); repaid {
			require.Len(t, refund, 1)
			require.EqualValues(t, 400_00, refund[0].Left(), "the penalty")
		} else {
			require.Empty(t, refund)
		}
		stranger := l.lateOf(3, 1, 9, share)
		l.refuses(stranger, fault.Conflict, "Cycle 1 is closed")
		stranger.User, stranger.By = person(8), person(8)
		l.refuses(stranger, fault.NotFound, "There is no such ajo")
	}
}

// lateOf is late money of a seat that its payer may hold no more.
func (l *life) lateOf(seat, k, n int, amount money.Kobo) ajopot.Pay {
	user := person(n)
	return ajopot.Pay{
		AjoID: ajoID, Cycle: k, Seat: seat, User: user, By: user, Amount: amount, Channel: transfer, PaymentID: "bank", DebtID: l.id(),
		People: l.people(), Creditors: creditors(l.debts(), k, user), At: morning(l.ajo().Deadline(k)),
	}
}

func TestMoneyInTimeGetsItsShareOfADiscount(t *testing.T) {
	t.Parallel()
	for _, deposits := range []int32{0, 1} {
		l := begun(t, terms(5, func(x *nairav1.AjoTerms) {
			x.Order, x.Deposits = nairav1.AjoOrder_AJO_ORDER_BIDDING, deposits
		}), funds, 2, 2, 2, 2, 2)
		l.at(morning(l.ajo().Due(1)))
		l.do(l.bids(2, 2))
		l.paid(1, 4, 5)
		l.nextDay()
		l.do(l.opens(2, 2))
		l.over()
		gets := func() bool {
			return slices.ContainsFunc(l.split(1).Discounts, func(p ajopot.Part) bool { return p.User == person(3) })
		}
		require.False(t, gets(), "who did not pay in time gets none")
		pot := l.split(1).Gross
		l.do(l.late(1, 3, share, morning(l.ajo().Deadline(1))))
		require.True(t, gets(), "%d deposits", deposits)
		require.Equal(t, pot, l.split(1).Gross)
		require.EqualValues(t, share*money.Kobo(deposits), l.deposit(3))
		require.EqualValues(t, 0, l.owes(3))
	}
}
