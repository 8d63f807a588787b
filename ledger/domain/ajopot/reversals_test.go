package ajopot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// begins starts a payment of somebody that is meant for the ajo.
func (l *life) begins(id string, n int, amount money.Kobo) {
	l.t.Helper()
	l.do(wallet.StartPayment{PaymentID: id, User: person(n), Channel: transfer, Provider: event.Vfd, Amount: amount, ExpiresAt: l.now.AddDate(1, 0, 0)})
}

// comes confirms a payment of somebody that pays something in the ajo.
func (l *life) comes(id string, n int, amount money.Kobo, pay event.Command) {
	l.t.Helper()
	l.begins(id, n, amount)
	confirm := wallet.ConfirmPayment{PaymentID: id, User: person(n), Provider: event.Vfd, Gross: amount, ProviderRef: id, PaidAt: l.now}
	l.do(ajopot.ByPayment{Confirm: confirm, AjoID: ajoID, Amount: amount, Pay: pay})
}

// takenBack is that the bank takes a payment back, or some of it.
func takenBack(id string, n, cycle int, some money.Kobo) ajopot.TakenBack {
	return ajopot.TakenBack{
		Reversal: wallet.ReversePayment{PaymentID: id, User: person(n), Provider: event.Vfd, Gross: some, ProviderRef: "r", Reason: "Taken back"},
		Pot:      ajopot.Reverse{AjoID: ajoID, Cycle: cycle, PaymentID: id, User: person(n), DebtID: "reversal.r"},
	}
}

// keeps spends all that somebody's wallet has but some.
func (l *life) keeps(n int, some money.Kobo) {
	if gone := l.wallet(n) - some; gone > 0 {
		l.And(event.On("ajocycle:other:1", &nairav1.AjoContributed{AjoId: "other", Cycle: 1, PaidBy: person(n), AmountKobo: int64(gone)}))
	}
}

func (l *life) deposit(n int) money.Kobo { return l.Balance(posting.Deposit(ajoID, person(n))) }

// deposited is an ajo of one deposit each, whose third member's deposit was used and came again by a payment.
func deposited(t *testing.T) *life {
	t.Helper()
	l := five(t, func(x *nairav1.AjoTerms) { x.Deposits = 1 }).paid(1, 4, 5).over()
	l.comes("p", 3, share, ajopot.PayDeposit{AjoID: ajoID, User: person(3), Amount: share, Channel: transfer, PaymentID: "p"})
	l.keeps(3, 0)
	return l
}

func TestADepositThatTheBankTakesBackGoesOut(t *testing.T) {
	t.Parallel()
	l := deposited(t)
	l.do(takenBack("p", 3, 0, 0))
	require.Zero(t, l.deposit(3))
	require.Zero(t, l.wallet(3))
	require.Zero(t, l.Balance(posting.Owed(person(3))))

	l = deposited(t)
	l.keeps(3, 0)
	l.do(takenBack("p", 3, 0, 1_000_00))
	require.EqualValues(t, share-1_000_00, l.deposit(3), "a part takes out that part")

	l = deposited(t)
	l.And(funded(person(3), share))
	l.do(takenBack("p", 3, 0, 1_000_00))
	require.EqualValues(t, share, l.deposit(3), "which the wallet could bear")
}

func TestMoneyThatTheAjoDidNotTakeForADepositLeavesTheDepositAlone(t *testing.T) {
	t.Parallel()
	l := five(t, func(x *nairav1.AjoTerms) { x.Deposits = 1 })
	l.comes("p", 3, share, ajopot.PayDeposit{AjoID: ajoID, User: person(3), Amount: share, Channel: transfer, PaymentID: "p"})
	l.keeps(3, 0)
	l.do(takenBack("p", 3, 0, 0))
	require.EqualValues(t, share, l.deposit(3))
}

func TestLateMoneyThatTheBankTakesBackIsOwedAgain(t *testing.T) {
	t.Parallel()
	l := five(t, nil).paid(1, 4, 5).over()
	pay := l.late(1, 3, share, morning(l.ajo().Deadline(1)))
	pay.PaymentID = "p"
	l.comes("p", 3, share, pay)
	require.Zero(t, l.owes(3))
	l.keeps(3, 1_000_00)
	l.do(takenBack("p", 3, 1, 0))
	require.EqualValues(t, 1_000_00-share, l.Balance(posting.Owed(person(3))), "what the wallet lacks is owed to Adashi")
}

func TestLateMoneyThatFilledADepositGoesOutOfIt(t *testing.T) {
	t.Parallel()
	l := five(t, func(x *nairav1.AjoTerms) { x.Deposits = 1 }).paid(1, 4, 5).over()
	pay := l.late(1, 3, share, morning(l.ajo().Deadline(1)))
	pay.PaymentID = "p"
	l.comes("p", 3, share, pay)
	require.EqualValues(t, share, l.deposit(3))
	l.keeps(3, 0)
	l.do(takenBack("p", 3, 1, 0))
	require.Zero(t, l.deposit(3))
	require.Zero(t, l.owes(3))
}

// readied is an ajo whose first pot is ready with a payment that came through the bank.
func readied(t *testing.T, deposits int32) *life {
	t.Helper()
	l := five(t, func(x *nairav1.AjoTerms) { x.Deposits = deposits }).paid(1, 4, 5)
	pay := l.pay(3)
	pay.PaymentID, pay.Channel = "p", transfer
	l.comes("p", 3, share, pay)
	l.do(l.judge())
	l.keeps(3, 0)
	return l
}

func TestAPaymentTakenBackFromAReadyPotIsMadeGoodByTheDepositFirst(t *testing.T) {
	t.Parallel()
	l := readied(t, 1)
	l.do(takenBack("p", 3, 1, 0))
	require.Zero(t, l.owes(3))
	require.Zero(t, l.deposit(3))
	require.EqualValues(t, 4*share, l.Balance(posting.Pot(ajoID, 1)))

	l = readied(t, 0)
	l.do(takenBack("p", 3, 1, 2_000_00))
	require.EqualValues(t, 2_000_00+100_00, l.owes(3), "only the part that was taken back")
	require.EqualValues(t, 4*share-2_000_00, l.Balance(posting.Pot(ajoID, 1)))

	l = readied(t, 0)
	l.And(funded(person(3), 500_00))
	l.do(takenBack("p", 3, 1, 2_000_00))
	require.EqualValues(t, 1_500_00+75_00, l.owes(3), "of which the wallet bore some")
	l.do(takenBackAgain(3))
	require.EqualValues(t, share-500_00+(share-500_00)/20, l.owes(3), "and the rest")
	require.EqualValues(t, 500_00, l.cycle(1).Paid(3, person(3)), "what the wallet bore stays in")
}

// takenBackAgain is that the bank takes all that is left of the payment.
func takenBackAgain(n int) ajopot.TakenBack {
	rest := takenBack("p", n, 1, 0)
	rest.Reversal.ProviderRef, rest.Pot.DebtID = "s", "reversal.s"
	return rest
}

func TestACoverThatIsTakenBackInPartsIsRefundedOnce(t *testing.T) {
	t.Parallel()
	l := five(t, nil).paid(1, 5)
	cover := l.payFor(3, person(3), person(4))
	cover.PaymentID, cover.Channel = "p", transfer
	l.comes("p", 4, share, cover)
	l.do(ajopot.PayDebt{AjoID: ajoID, DebtID: cover.DebtID, By: person(3), Creditor: person(4), Amount: 6_000_00, Key: "k"})
	l.keeps(4, 0)
	l.do(takenBack("p", 4, 1, 3_000_00))
	owed := func() money.Kobo { return l.debts().OwedInAll(person(4)) - l.debts().OwedInAll(person(3)) }
	require.EqualValues(t, 1_000_00, owed(), "of the cover 5,000 stand, and 6,000 were paid of it")
	l.do(takenBackAgain(4))
	require.EqualValues(t, 6_000_00, owed())
}

func TestOfficesStayWithTwoWhenTheOwnerTakesTheValidatorsPlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to int }{{6, 1}, {1, 6}} {
		l := begun(t, terms(6, func(x *nairav1.AjoTerms) { x.Order = nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER }), funds, 2, 2, 2, 2, 2, 2)
		require.Equal(t, person(6), l.ajo().Validator)
		l.dueDay()
		l.sells(l.ajo().SeatsOf(person(c.from))[0], c.from, c.to)
		require.Equal(t, person(map[int]int{6: 1, 1: 6}[c.from]), l.ajo().Owner, "%v", c)
		require.Equal(t, person(5), l.ajo().Validator, "who collects last of the others")
	}
}

func TestWhatGoesBackBeyondAPaymentLeavesThePotAlone(t *testing.T) {
	t.Parallel()
	l := readied(t, 0)
	l.And(funded(person(3), share))
	l.do(takenBack("p", 3, 1, share-1)) // The wallet bears it,
	l.do(takenBack("p", 3, 1, 1))       // and the pot the last kobo.
	pot, wallet := l.Balance(posting.Pot(ajoID, 1)), l.wallet(3)
	l.When(takenBack("p", 3, 1, 1_000_00)).Then(&nairav1.PaymentLossBorne{
		PaymentId: "p", UserId: person(3), Provider: string(event.Vfd), AmountKobo: 1_000_00, BackRef: "r", Reason: "Taken back",
	})
	require.Equal(t, pot, l.Balance(posting.Pot(ajoID, 1)))
	require.Equal(t, wallet, l.wallet(3))
	require.Zero(t, l.Balance(posting.Owed(person(3))))
	require.EqualValues(t, -1_000_00, l.Balance(posting.Losses))
}
