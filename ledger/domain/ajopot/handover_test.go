package ajopot_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/event"
)

const byNeed = nairav1.AjoOrder_AJO_ORDER_NEED

// ordered is an ajo of one hand each in some order, and one more person who could take a place.
func ordered(t *testing.T, seats int, order nairav1.AjoOrder, change func(*nairav1.AjoTerms)) *life {
	t.Helper()
	halves := make([]int, seats)
	for i := range halves {
		halves[i] = 2
	}
	l := begun(t, terms(seats, func(terms *nairav1.AjoTerms) {
		terms.Order = order
		if change != nil {
			change(terms)
		}
	}), funds, halves...)
	l.And(funded(person(seats+1), funds), verified(person(seats+1)))
	return l
}

// holder is the number of the person who holds a seat whole.
func (l *life) holder(seat int) int {
	return 1 + slices.IndexFunc(upTo(60), func(n int) bool { return l.ajo().Seats[seat-1].Holds(person(n)) })
}

func (l *life) votes(n, seat int) event.Command {
	return ajopot.VoteNeed(ajoID, 1, person(n), seat, l.now)
}

func TestNobodysVoteCountsForASeatThatIsTheirsByThen(t *testing.T) {
	t.Parallel()
	l := ordered(t, 6, byNeed, nil)
	seat, usual := l.ajo().Order[5], l.ajo().Order[0]
	voter := l.holder(l.ajo().Order[4])
	l.at(morning(l.ajo().Due(1)))
	l.do(l.votes(voter, seat))
	l.sells(seat, l.holder(seat), voter)
	require.Empty(t, l.cycle(1).Votes)
	require.Equal(t, usual, l.chosen().Seat)
}

func TestAVoteOfAnEarlierBuildForASeatThatIsTheVotersByThenCountsForNothing(t *testing.T) {
	t.Parallel()
	l := ordered(t, 6, byNeed, nil)
	seat, usual := l.ajo().Order[5], l.ajo().Order[0]
	seller, voter := l.holder(seat), l.holder(l.ajo().Order[4])
	l.at(morning(l.ajo().Due(1)))
	l.do(l.votes(voter, seat))
	hash := ajo.TermsHash(l.terms)
	l.And(event.On(ajo.Stream(ajoID), &nairav1.AjoPlaceTaken{AjoId: ajoID, Seat: int32(seat), FromUserId: person(seller), ToUserId: person(voter), Halves: 2, TermsHash: hash[:]}))
	require.Equal(t, usual, l.chosen().Seat)
}

func TestAVoteEndsWithTheLastPlaceOfItsVoterAndDoesNotComeBack(t *testing.T) {
	t.Parallel()
	l := ordered(t, 6, byNeed, nil)
	usual, wanted, sold := l.ajo().Order[0], l.ajo().Order[5], l.ajo().Order[4]
	voter := l.holder(sold)
	l.at(morning(l.ajo().Due(1)))
	l.do(l.votes(voter, wanted))
	l.sells(sold, voter, 7)
	l.sells(sold, 7, voter)
	require.Equal(t, usual, l.chosen().Seat)

	l = begun(t, terms(6, func(x *nairav1.AjoTerms) { x.Order = byNeed }), funds, 2, 4, 2, 2, 2)
	l.And(funded(person(6), funds), verified(person(6)))
	l.at(morning(l.ajo().Due(1)))
	l.do(l.votes(2, 6))
	l.sells(2, 2, 6)
	require.Len(t, l.cycle(1).Votes, 1, "they keep a place, and their vote with it")
	require.Equal(t, 6, l.chosen().Seat)
}

// ready is an ajo of four whose first pot is asked for.
func asked(t *testing.T) *life {
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nil)
	l.at(morning(l.ajo().Due(1)))
	for _, n := range []int{1, 3, 4} {
		l.do(l.pay(n))
	}
	l.do(l.judge())
	l.do(l.ask(1, 2))
	return l
}

func TestAnApprovalEndsWithThePlaceItWasGivenWith(t *testing.T) {
	t.Parallel()
	for _, named := range []bool{true, false} { // A pot that is not named in the command, and one that is.
		l := asked(t)
		l.do(l.approve(1, 1))
		l.do(ajo.OpenPlace(ajoID, person(1), 1, l.now))
		a := l.ajo()
		p, _ := a.Place(1, person(1))
		take := ajopot.TakePlace{
			AjoID: ajoID, Seat: 1, From: person(1), To: joiner(l.terms, person(5), 0), Price: ajopot.Par(a, 1, p), Cycles: []int{2}, People: append(l.people(), person(5)),
		}
		if named {
			take.Cycles = append(take.Cycles, 1)
		}
		l.do(take.Command())
		require.Equal(t, person(5), l.ajo().Owner)
		require.Empty(t, ajopot.Approved(l.ajo(), 2, l.cycle(1)))
		l.do(l.approve(1, 5))
		require.False(t, l.cycle(1).PaidOut, "of those who are here the owner alone approved")
		l.do(l.approve(1, 3))
		require.True(t, l.cycle(1).PaidOut)
	}
}

func TestAnApprovalDoesNotComeBackWithAPlace(t *testing.T) {
	t.Parallel()
	l := asked(t)
	l.do(l.approve(1, 3))
	for _, sale := range [][2]int{{3, 5}, {5, 3}} {
		l.do(ajo.OpenPlace(ajoID, person(sale[0]), 3, l.now))
		p, _ := l.ajo().Place(3, person(sale[0]))
		l.do(ajopot.TakePlace{
			AjoID: ajoID, Seat: 3, From: person(sale[0]), To: joiner(l.terms, person(sale[1]), 0), Price: ajopot.Par(l.ajo(), 3, p), Cycles: []int{2, 1}, People: append(l.people(), person(5)),
		}.Command())
	}
	l.do(l.approve(1, 1))
	require.False(t, l.cycle(1).PaidOut)
	l.do(l.approve(1, 3))
	require.True(t, l.cycle(1).PaidOut)
}

func TestAVoteOnAMotionEndsWithThePlaceItWasGivenWith(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nil)
	l.do(ajo.Move{AjoID: ajoID, MotionID: "m", By: person(4), Kind: nairav1.AjoMotionKind_AJO_MOTION_KIND_PAUSE, Reason: "A wedding", Now: l.now})
	l.sells(4, 4, 5)
	l.sells(4, 5, 4)
	require.Empty(t, l.ajo().Motions[0].For)
	l.do(ajo.VoteMotion(ajoID, "m", person(4), true, l.now))
}

func TestASwapEndsWhenSomebodyTakesAPlaceOfItsSeats(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nil)
	l.do(ajo.ProposeSwap(ajoID, "swap", person(3), 3, 4))
	l.sells(3, 3, 5)
	require.Empty(t, l.ajo().Swaps)
}
