package ajopot_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/ajoremind"
)

func TestASwapAfterTheDaysOfGraceMakesNobodyMissADue(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nil)
	a := l.ajo()
	first, second := a.Order[0], a.Order[1]
	l.at(morning(a.Due(1)))
	l.do(ajo.ProposeSwap(ajoID, "swap", person(l.holder(first)), first, second))
	l.do(ajo.AgreeSwap(ajoID, "swap", person(1)))
	for n := 1; n <= 4; n++ {
		if n != l.holder(first) && n != 1 { // The owner has not paid yet, so the pot waits.
			l.do(l.pay(n))
		}
	}
	l.at(morning(a.Deadline(1)))
	l.at(morning(a.Deadline(1).AddDate(0, 0, 1)).Add(-7 * time.Hour)) // Two in the morning in Lagos.
	_, err := l.Do(ajo.AgreeSwap(ajoID, "swap", person(l.holder(second))))
	if err == nil {
		l.do(l.judge())
	}
	require.Empty(t, l.debts().Open(person(l.holder(first))), "who was to collect missed a due that they could never pay")
}

func TestWhoseTurnWentToAnotherIsRemindedOfTheirDue(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, byNeed, nil)
	a := l.ajo()
	due := a.Due(1)
	usual, chosen := a.Order[0], a.Order[3]
	l.at(morning(due))
	for n := 1; n <= 4; n++ {
		if n != l.holder(chosen) {
			l.do(ajopot.VoteNeed(ajoID, 1, person(n), chosen, l.now))
		}
	}
	l.at(morning(due.AddDate(0, 0, 2)))
	drafts, err := l.Do(ajoremind.Remind{AjoID: ajoID, Cycle: 1, Now: l.now})
	require.NoError(t, err)
	_ = drafts
	m := l.Drafts[len(l.Drafts)-1].Message.(*nairav1.AjoDuesReminded)
	require.Contains(t, m.GetUserIds(), person(l.holder(usual)))
	require.NotContains(t, m.GetUserIds(), person(l.holder(chosen)), "whose due is taken out of their own pot")
}

func TestWhoOwesTheCurrentCycleOfAPausedAjoIsReminded(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nil)
	a := l.ajo()
	l.do(ajo.Move{AjoID: ajoID, MotionID: "m", By: person(1), Kind: nairav1.AjoMotionKind_AJO_MOTION_KIND_PAUSE, Reason: "a wedding", Now: l.now})
	l.do(ajo.VoteMotion(ajoID, "m", person(2), true, l.now))
	l.do(ajo.VoteMotion(ajoID, "m", person(3), true, l.now))
	require.Equal(t, ajo.Paused, l.ajo().Status)
	require.Equal(t, a.Due(1), l.ajo().Due(1), "the current cycle is due when it was")
	l.at(morning(a.Due(1)))
	_, err := l.Do(ajoremind.Remind{AjoID: ajoID, Cycle: 1, Now: l.now})
	require.NoError(t, err)
}

func TestWhoTakesAPlaceAfterTheDaysOfGraceMissesNoDue(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nil)
	a := l.ajo()
	l.at(morning(a.Due(1)))
	l.do(ajo.OpenPlace(ajoID, person(3), 3, l.now))
	l.do(l.pay(3))
	l.do(l.pay(4))                                                    // The owner has not paid, so the pot waits.
	l.at(morning(a.Deadline(1).AddDate(0, 0, 1)).Add(-7 * time.Hour)) // Two in the morning in Lagos.
	p, _ := l.ajo().Place(3, person(3))
	take := ajopot.TakePlace{
		AjoID: ajoID, Seat: 3, From: person(3), To: joiner(l.terms, person(5), 0), Price: ajopot.Par(a, 3, p), Cycles: []int{1}, People: l.people(), Now: l.now,
	}
	_, err := l.Do(take.Command())
	require.ErrorIs(t, err, ajopot.ErrClosing)
	l.do(l.judge())
	take.Price, take.Cycles = ajopot.Par(l.ajo(), 3, p), []int{2, 1}
	l.do(take.Command())
	require.Empty(t, l.debts().Open(person(5)))
}

func TestACycleOpensTheDayAfterTheOneBeforeWasDue(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, func(terms *nairav1.AjoTerms) { terms.Frequency = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY })
	a := l.ajo()
	l.at(morning(a.Due(1)))
	l.do(l.pay(3)) // The fourth person and the owner have not.
	l.at(morning(a.Opens(2).AddDate(0, 0, 3)))
	_, err := l.Do(ajopot.Pay{
		AjoID: ajoID, Cycle: 2, Seat: 3, User: person(3), By: person(3), Amount: 8_000_00, Channel: nairav1.Channel_CHANNEL_WALLET, At: l.now,
	})
	require.NoError(t, err, "today is %s", ajo.Day(l.now))
}

func TestNobodyMissesADueThatCouldNotBePaid(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, func(terms *nairav1.AjoTerms) { terms.Frequency = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY })
	a := l.ajo()
	l.at(morning(a.Due(1)))
	for n := 3; n <= 4; n++ { // The owner misses it.
		l.do(l.pay(n))
	}
	l.at(morning(a.Deadline(2).AddDate(0, 0, 1)))
	l.do(l.judge())
	require.Equal(t, 2, l.ajo().Current())
	_, _ = l.Do(l.judge())
	require.Empty(t, l.debts().Open(person(4)), "they have paid all that they could")
}

func TestASwapOfTwoLaterTurnsCountsAlsoAfterTheDaysOfGrace(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nil) // 2, 3, 4, 1.
	l.at(morning(l.ajo().Deadline(1).AddDate(0, 0, 1)))
	l.do(ajo.ProposeSwap(ajoID, "swap", person(3), 3, 4))
	l.do(ajo.AgreeSwap(ajoID, "swap", person(4)))
	l.do(ajo.AgreeSwap(ajoID, "swap", person(1)))
	l.do(l.judge())
	require.Equal(t, []int{2, 4, 3, 1}, l.ajo().Order)
}

func TestMoneyForTheNextCycleGoesBackToAMemberWhoSellsOrFreezes(t *testing.T) {
	t.Parallel()
	ahead := func() (*life, ajopot.Pay) {
		l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, func(x *nairav1.AjoTerms) { x.Frequency = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY })
		l.at(morning(l.ajo().Opens(2).AddDate(0, 0, 3)))
		pay := l.pay(3)
		pay.Cycle = 2
		return l, pay
	}
	l, pay := ahead()
	before := l.wallet(3)
	l.do(pay)
	l.sells(3, 3, 5)
	require.Equal(t, before, l.wallet(3))
	require.Empty(t, l.cycle(2).Payments)

	l, pay = ahead()
	l.do(ajo.OpenPlace(ajoID, person(3), 3, l.now.AddDate(0, 0, -14)))
	l.do(pay)
	l.do(ajopot.Freeze(ajoID, 3, []int{1}, l.people(), l.now))
	require.Equal(t, before, l.wallet(3))
}

func TestNobodyPaysTheNextCycleBeforeTheOneThatIsOverIsClosed(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, func(x *nairav1.AjoTerms) { x.Frequency = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY })
	pay := l.pay(3)
	pay.Cycle, pay.At = 3, morning(l.ajo().Opens(2))
	l.refuses(pay, fault.Conflict, "Cycle 3 opens on")
	pay.Cycle, pay.At = 2, morning(l.ajo().Deadline(1).AddDate(0, 0, 1))
	_, err := l.Do(pay)
	require.ErrorIs(t, err, ajopot.ErrClosing)
}
