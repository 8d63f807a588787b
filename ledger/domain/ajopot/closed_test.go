package ajopot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/posting"
)

// vacates has the job give up what somebody holds who has closed their account.
func (l *life) vacates(n int) { l.do(ajo.Vacate{AjoID: ajoID, User: person(n), Now: l.now}) }

// gone closes somebody's account, and the job comes.
func (l *life) gone(n int) *life {
	l.closes(n)
	l.vacates(n)
	return l
}

func (l *life) moves(kind nairav1.AjoMotionKind) {
	l.do(ajo.Move{AjoID: ajoID, MotionID: "m", By: person(1), Kind: kind, Reason: "Because of it", Now: l.now})
}

const pause = nairav1.AjoMotionKind_AJO_MOTION_KIND_PAUSE

func TestNobodyWaitsForTheVoteOfAClosedAccount(t *testing.T) {
	t.Parallel()
	l := five(t, nil)
	l.moves(pause)
	l.do(ajo.VoteMotion(ajoID, "m", person(2), true, l.now))
	l.gone(4)
	require.Equal(t, ajo.Active, l.ajo().Status, "two hands of four")
	l.gone(3)
	require.Equal(t, ajo.Paused, l.ajo().Status, "two of three are enough, and nobody else has to vote")
	require.Empty(t, l.ajo().Motions)

	l = five(t, nil).gone(3).gone(4)
	l.moves(pause)
	require.Equal(t, ajo.Active, l.ajo().Status)
	l.do(ajo.VoteMotion(ajoID, "m", person(2), true, l.now))
	require.Equal(t, ajo.Paused, l.ajo().Status)
}

func TestWhatSomebodyVotedBeforeTheyClosedTheirAccountCounts(t *testing.T) {
	t.Parallel()
	l := five(t, nil)
	l.moves(pause)
	l.do(ajo.VoteMotion(ajoID, "m", person(3), true, l.now))
	l.gone(3)
	require.Equal(t, ajo.Active, l.ajo().Status, "two hands of five")
	l.gone(4)
	require.Equal(t, ajo.Active, l.ajo().Status, "two of four")
	l.do(ajo.VoteMotion(ajoID, "m", person(2), true, l.now))
	require.Equal(t, ajo.Paused, l.ajo().Status)
}

func TestTheOfficesOfAClosedAccountPassOn(t *testing.T) {
	t.Parallel()
	l := five(t, nil).gone(1)
	require.Equal(t, person(5), l.ajo().Owner, "the validator")
	require.Equal(t, person(4), l.ajo().Validator, "who collects last of the others")
	l.gone(4)
	require.Equal(t, person(5), l.ajo().Owner)
	require.Equal(t, person(3), l.ajo().Validator)
	l.refuses(ajo.Vacate{AjoID: ajoID, User: person(4), Now: l.now}, fault.Conflict, "nothing left here that this member holds")
}

func TestAnOpenAccountIsNotVacated(t *testing.T) {
	t.Parallel()
	l := five(t, nil)
	l.refuses(ajo.Vacate{AjoID: ajoID, User: person(3), Now: l.now}, fault.Conflict, "This account is open.")
}

func TestASwapEndsWithTheAccountOfAHolderAndNoneIsProposed(t *testing.T) {
	t.Parallel()
	l := five(t, nil)
	l.do(ajo.ProposeSwap(ajoID, "s", person(2), 2, 4))
	l.closes(4)
	l.refuses(ajo.AgreeSwap(ajoID, "s", person(4)), fault.Conflict, "closed")
	l.vacates(4)
	require.Empty(t, l.ajo().Swaps)
	l.refuses(ajo.ProposeSwap(ajoID, "t", person(2), 2, 4), fault.Conflict, "has closed their account, so its turn cannot be swapped")
}

// The owner's word is the next owner's.
func TestASwapOfOthersWaitsForNoOwnerWhoClosedTheirAccount(t *testing.T) {
	t.Parallel()
	l := five(t, nil)
	l.do(ajo.ProposeSwap(ajoID, "s", person(2), 2, 4))
	l.do(ajo.AgreeSwap(ajoID, "s", person(4)))
	l.gone(1)
	require.Len(t, l.ajo().Swaps, 1)
	l.do(ajo.AgreeSwap(ajoID, "s", person(5)))
	require.Equal(t, []int{4, 3, 2, 5, 1}, l.ajo().Order)
}

func TestNoTurnGoesToAClosedAccountBeforeOthers(t *testing.T) {
	t.Parallel()
	for _, first := range []bool{true, false} { // Before anybody pays, and when all have.
		l := five(t, nil)
		if first {
			l.gone(2)
		}
		l.paid(1, 3, 4, 5)
		if !first {
			l.gone(2)
		}
		l.over()
		ready, _ := l.ajo().ReadyOf(1)
		require.Equal(t, 3, ready.Seat)
		require.Equal(t, []int{3, 4, 5, 1, 2}, l.ajo().Order, "it stays behind all others")
	}
}

func TestNobodyVotesThePotToASeatOfAClosedAccount(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, byNeed, nil)
	usual, wanted := l.ajo().Order[0], l.ajo().Order[3]
	l.at(morning(l.ajo().Due(1)))
	l.do(l.votes(l.holder(l.ajo().Order[1]), wanted))
	l.gone(l.holder(wanted))
	l.refuses(l.votes(l.holder(l.ajo().Order[2]), wanted), fault.Conflict, "has closed their account, so it collects last")
	for _, seat := range l.ajo().Order[1:3] {
		l.do(l.pay(l.holder(seat)))
	}
	l.over()
	ready, _ := l.ajo().ReadyOf(1)
	require.Equal(t, usual, ready.Seat)
}

// Somebody takes the place over at par, or the seat freezes and collects last what it paid in. Both wait in suspense.
func TestWhatAClosedAccountPaidInWaitsInSuspense(t *testing.T) {
	t.Parallel()
	l := five(t, nil).paid(1, 3, 4, 5).over().out(1)
	l.gone(4)
	l.And(funded(person(9), funds), verified(person(9)))
	l.takes(4, 4, 9)
	require.Zero(t, l.wallet(4))
	require.EqualValues(t, share, l.Balance(posting.Unmatched), "the price of its place")
	require.Empty(t, l.ajo().Closed, "nobody holds a place any more whose account is closed")

	l = five(t, nil).paid(1, 3, 4, 5).over().out(1)
	l.gone(4)
	l.at(l.now.AddDate(0, 0, 14))
	l.do(ajopot.Freeze(ajoID, 4, []int{2}, l.people(), l.now))
	for k := 2; k <= 5; k++ {
		l.paying()
		l.over()
		l.do(ajopot.PaySilent(ajoID, k, l.people(), l.now.AddDate(0, 0, 60)))
	}
	require.Zero(t, l.wallet(4))
	require.EqualValues(t, share, l.Balance(posting.Unmatched), "what it paid to the first pot")
}

func TestAPotIsPaidOnceNobodyIsWaitedForButAClosedAccount(t *testing.T) {
	t.Parallel()
	l := small(t, 3) // In the order 2, 3, 1.
	l.paying()
	l.over()
	l.do(l.ask(1, 2))
	l.do(l.approve(1, 1))
	require.False(t, l.cycle(1).PaidOut)
	l.refuses(ajopot.PaySilent(ajoID, 1, l.people(), l.now), fault.Conflict, "pays itself on")
	l.gone(3)
	l.do(ajopot.PaySilent(ajoID, 1, l.people(), l.now))

	l = small(t, 4)
	l.paying()
	l.over()
	l.do(l.ask(1, 2))
	l.do(l.approve(1, 3))
	l.gone(3)
	l.do(l.approve(1, 1))
	require.True(t, l.cycle(1).PaidOut, "what they approved before counts")
}

func TestAClosedAccountIsNotRemindedOfItsDues(t *testing.T) {
	t.Parallel()
	l := five(t, nil).dueDay()
	l.gone(4)
	require.NotContains(t, ajopot.Unpaid(l.ajo(), l.cycle(1), l.debts(), l.ajo().Due(1)), person(4))
}
