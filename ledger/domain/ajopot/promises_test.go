package ajopot_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoconsent"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

func TestAConsentEndsWithThePlaceThatItWasGivenFor(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nil)
	l.at(morning(l.ajo().Due(1)))
	l.do(ajoconsent.Set{AjoID: ajoID, User: person(3), Dues: true, Sweep: true})
	l.do(ajo.OpenPlace(ajoID, person(3), 3, l.now))
	l.takes(3, 3, 5)
	l.do(ajo.OpenPlace(ajoID, person(4), 4, l.now))
	l.takes(4, 4, 3) // Back, a place of another later.
	require.False(t, l.State(ajo.BookStream(ajoID, person(3))).(ajopot.Book).Dues)
}

func TestWhoSellsOneOfTwoHandsPromisesOneFromThenOn(t *testing.T) {
	t.Parallel()
	terms := terms(6, nil)
	l := begun(t, terms, funds, 2, 4, 2, 2, 2)
	l.And(funded(person(6), funds), verified(person(6)))
	seat := l.ajo().SeatsOf(person(2))[0]
	l.do(ajo.OpenPlace(ajoID, person(2), seat, l.now))
	l.takes(seat, 2, 6)
	promised := l.State(ajo.CommitStream(person(2))).(ajo.Commitments)
	require.Equal(t, ajo.Monthly(terms, 2), promised.Total(), "they hold one hand")
}

func TestWhoPaidAllThatIsLeftPromisesNothingMore(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nil)
	a := l.ajo()
	n := l.holder(a.Order[0])
	l.at(morning(a.Due(1)))
	for m := 1; m <= 4; m++ {
		if m != n {
			l.do(l.pay(m))
		}
	}
	l.do(l.judge())
	l.do(ajopot.Prepay{AjoID: ajoID, Seat: a.Order[0], User: person(n), Amount: 3 * 8_000_00, Cycles: []int{2, 3, 4}, At: l.now})
	require.Zero(t, l.State(ajo.CommitStream(person(n))).(ajo.Commitments).Total())
}

func TestAnAjoThatIsEndedAndOwesNothingIsOver(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nil)
	l.do(ajo.Move{AjoID: ajoID, MotionID: "m", By: person(1), Kind: nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE, Reason: "we move", Now: l.now})
	l.do(ajo.VoteMotion(ajoID, "m", person(2), true, l.now))
	l.do(ajo.VoteMotion(ajoID, "m", person(3), true, l.now))
	l.do(ajopot.Terminate(ajoID, "m", []int{1}, l.people()))
	for n := 1; n <= 4; n++ {
		require.Zero(t, l.Balance(posting.Deposit(ajoID, person(n))))
	}
	days := 0
	for ; !l.ajo().Settled && days < 200; days++ {
		l.at(l.now.AddDate(0, 0, 1))
		for range 6 {
			_, _ = l.Do(l.judge())
			for k := 1; k <= 4; k++ {
				_, _ = l.Do(ajopot.PaySilent(ajoID, k, l.people(), l.now))
			}
			_, _ = l.Do(ajopot.Complete(ajoID, upTo(4), l.people()))
		}
	}
	require.Less(t, days, 20, "days until an ajo in which nobody owes anything is over")
}

func TestWhoseSecondHandIsFrozenPromisesOneFromThenOn(t *testing.T) {
	t.Parallel()
	terms := terms(6, nil)
	l := begun(t, terms, funds, 2, 4, 2, 2, 2)
	seat := l.ajo().SeatsOf(person(2))[1]
	l.do(ajo.OpenPlace(ajoID, person(2), seat, l.now))
	l.at(l.now.AddDate(0, 0, 15))
	l.do(ajopot.Freeze(ajoID, seat, []int{l.ajo().Current()}, l.people(), l.now))
	promised := l.State(ajo.CommitStream(person(2))).(ajo.Commitments)
	require.Equal(t, ajo.Monthly(terms, 2), promised.Total(), "one of their hands pays no more")
}

func TestWhoLeftTakesTheirConsentBack(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nil)
	l.at(morning(l.ajo().Due(1)))
	l.do(ajoconsent.Set{AjoID: ajoID, User: person(3), Sweep: true})
	l.do(l.pay(1))
	l.do(l.pay(4))
	l.at(morning(l.ajo().Deadline(1).AddDate(0, 0, 1)))
	l.do(l.judge())
	l.do(ajo.OpenPlace(ajoID, person(3), 3, l.now))
	l.takes(3, 3, 5)
	require.Len(t, l.debts().Open(person(3)), 1, "₦400 are left")
	_, err := l.Do(ajoconsent.Set{AjoID: ajoID, User: person(3)})
	require.NoError(t, err)
}

func TestAMemberWhoLeftLetsAdashiTakeNothingMore(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nil)
	l.do(ajoconsent.Set{AjoID: ajoID, User: person(3), Dues: true, Sweep: true})
	l.sells(3, 3, 5)
	book := l.State(ajo.BookStream(ajoID, person(3))).(ajopot.Book)
	require.False(t, book.Dues)
	require.True(t, book.Sweep, "what they still owe may be taken until they take it back")
	l.refuses(ajoconsent.Set{AjoID: ajoID, User: person(3), Dues: true, Sweep: true}, fault.NotFound, "There is no such ajo.")
	l.do(ajoconsent.Set{AjoID: ajoID, User: person(3)})
	l.refuses(ajoconsent.Set{AjoID: ajoID, User: person(3), Sweep: true}, fault.NotFound, "There is no such ajo.")
}

func TestAHandThatIsPaidAheadIsNotPromisedAgainWhenTheOtherIsSold(t *testing.T) {
	t.Parallel()
	l := begun(t, terms(6, nil), funds, 2, 4, 2, 2, 2) // The second person holds seats 2 and 3; 2 collects first.
	l.And(funded(person(6), funds), verified(person(6)))
	l.at(morning(l.ajo().Due(1)))
	for seat := range 6 {
		for _, p := range l.ajo().Seats[seat].Places {
			if seat+1 != 2 {
				l.do(l.payFor(seat+1, p.User, p.User))
			}
		}
	}
	l.do(l.judge())
	l.do(ajopot.Prepay{AjoID: ajoID, Seat: 2, User: person(2), Amount: 5 * 8_000_00, Cycles: []int{2, 3, 4, 5, 6}, At: l.now})
	require.Equal(t, ajo.Monthly(l.terms, 2), l.State(ajo.CommitStream(person(2))).(ajo.Commitments).Total())
	l.sells(3, 2, 6)
	require.Zero(t, l.State(ajo.CommitStream(person(2))).(ajo.Commitments).Total())
}

func TestAnAjoThatIsEndedAndOwesSomethingGoesOn(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nil)
	l.at(morning(l.ajo().Due(1)))
	for _, n := range []int{1, 3, 4} {
		l.do(l.pay(n))
	}
	l.do(l.judge())
	l.do(ajopot.PaySilent(ajoID, 1, l.people(), l.now.AddDate(0, 0, 15)))
	l.do(ajo.Move{AjoID: ajoID, MotionID: "m", By: person(1), Kind: nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE, Reason: "we move", Now: l.now})
	l.do(ajo.VoteMotion(ajoID, "m", person(2), true, l.now))
	l.do(ajo.VoteMotion(ajoID, "m", person(3), true, l.now))
	l.do(ajopot.Terminate(ajoID, "m", []int{2}, l.people()))
	l.refuses(ajopot.Complete(ajoID, upTo(4), l.people()), fault.Conflict, "Not every cycle is over.")
}

// An account that was given back keeps none of the permissions that somebody else gave meanwhile.
func TestAConsentThatAThiefGaveTakesNothingOnceTheAccountIsGivenBack(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nil)
	victim := person(3)
	due := func() ajopot.Pay {
		return ajopot.Pay{AjoID: ajoID, Cycle: 1, Seat: 3, User: victim, By: victim, Amount: 8_000_00, Channel: nairav1.Channel_CHANNEL_WALLET, Taken: true, At: l.now}
	}
	l.at(morning(l.ajo().Due(1)))
	l.refuses(due(), fault.Forbidden, "The member has not agreed to this.")
	stolen := l.now
	l.do(ajoconsent.Set{AjoID: ajoID, User: victim, Dues: true, Sweep: true})
	l.refuses(ajoconsent.End{AjoID: ajoID, User: victim}, fault.Conflict, "Nobody else gave this consent.")
	l.at(l.now.Add(time.Hour))
	l.And(event.On(account.Stream(victim), &nairav1.AccountGivenBackV2{UserId: victim, RemedyId: "r", Since: timestamppb.New(stolen), HeldUntil: timestamppb.New(l.now)}))
	l.refuses(due(), fault.Forbidden, "The member has not agreed to this.")
	l.do(l.pay(1))
	l.do(l.pay(4))
	l.at(morning(l.ajo().Deadline(1).AddDate(0, 0, 1)))
	l.do(l.judge())
	debt := l.debts().Open(victim)[0]
	sweep := ajopot.PayDebt{AjoID: ajoID, DebtID: debt.ID, By: victim, Creditor: debt.Creditor, Amount: 1_00, Taken: "sweep", Key: "k"}
	l.refuses(sweep, fault.Forbidden, "The debtor has not agreed to this.")
	l.do(ajoconsent.End{AjoID: ajoID, User: victim})
	require.Equal(t, []bool{false, false}, []bool{l.State(ajo.BookStream(ajoID, victim)).(ajopot.Book).Dues, l.State(ajo.BookStream(ajoID, victim)).(ajopot.Book).Sweep})
	l.refuses(ajoconsent.End{AjoID: ajoID, User: victim}, fault.Conflict, "Nobody else gave this consent.")
	l.do(ajoconsent.Set{AjoID: ajoID, User: victim, Sweep: true})
	l.do(sweep) // Their owner's own counts.
}
