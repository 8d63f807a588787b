package ajo_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

const (
	expel     = nairav1.AjoMotionKind_AJO_MOTION_KIND_EXPEL
	pause     = nairav1.AjoMotionKind_AJO_MOTION_KIND_PAUSE
	terminate = nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE
)

func moves(motion string, kind nairav1.AjoMotionKind, by, about int) ajo.Move {
	m := ajo.Move{AjoID: id(1), MotionID: motion, By: person(by), Kind: kind, Reason: "Because of it", Now: start}
	if about != 0 {
		m.User = person(about)
	}
	return m
}

func votes(w *World, motion string, people ...int) {
	for _, n := range people {
		w.And(ajo.VoteMotion(id(1), motion, person(n), true, start))
	}
}

func TestOneMissExpelsNobodyAndTwoNeedTheOwnerAndTwoThirds(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(6)) // 2, 3, 4, 5, 6, 1.
	judged(w, 1, 2, 3, 4, 5)
	refused(t, w, moves("m", expel, 1, 6), fault.Conflict, "after two dues that they missed and did not make good. This one has 1.")
	judged(w, 1, 2, 3, 4, 5)
	refused(t, w, moves("m", expel, 6, 6), fault.Conflict, "Nobody expels themselves.")
	refused(t, w, moves("m", expel, 1, 9), fault.NotFound, "There is no such member.")
	refused(t, w, moves("m", expel, 1, 2), fault.Conflict, "This member has collected already.")
	w.And(moves("m", expel, 2, 6))
	refused(t, w, moves("m2", expel, 3, 6), fault.Conflict, "Members vote about this already.")
	refused(t, w, ajo.VoteMotion(id(1), "m", person(6), false, start), fault.Forbidden, "You have no vote on this.")
	refused(t, w, ajo.VoteMotion(id(1), "m", person(2), false, start), fault.Conflict, "You have voted already.")
	refused(t, w, ajo.VoteMotion(id(1), "m", person(3), true, start.AddDate(0, 0, 7)), fault.Conflict, "The time to vote is over.")
	votes(w, "m", 3, 4, 5)
	require.Empty(t, state(w).Openings, "not without the owner")
	votes(w, "m", 1)
	require.Len(t, state(w).Openings, 1)
	require.True(t, state(w).Openings[0].Expelled)
	refused(t, w, ajo.KeepPlace(id(1), person(6), 6), fault.Conflict, "There is nothing to take back.")
}

func TestWhoMakesGoodWhileMembersVoteIsNotExpelled(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(6))
	judged(w, 1, 2, 3, 4, 5)
	judged(w, 1, 2, 3, 4, 5)
	w.And(moves("m", expel, 1, 6))
	votes(w, "m", 2, 3)
	d := debts(w).Open(person(6))[0]
	w.And(ajopot.PayDebt{AjoID: id(1), DebtID: d.ID, By: person(6), Creditor: d.Creditor, Amount: d.Left(), Key: "k"})
	refused(t, w, ajo.VoteMotion(id(1), "m", person(4), true, start), fault.Conflict, "This member has made good what they missed")
	require.Empty(t, state(w).Openings)
}

func TestAnOwnerIsExpelledWithTheValidatorsWord(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(6))
	judged(w, 2, 3, 4, 5, 6)
	judged(w, 2, 3, 4, 5, 6)
	w.And(moves("m", expel, 2, 1))
	votes(w, "m", 3, 4, 5)
	require.Empty(t, state(w).Openings)
	votes(w, "m", 6)
	require.Len(t, state(w).Openings, 1)
}

func TestTwoCyclesArePausedAtMost(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(6))
	for k := range 2 {
		motion := string(rune('a' + k))
		w.And(moves(motion, pause, 1, 0))
		votes(w, motion, 2, 3, 4)
		require.Equal(t, ajo.Paused, state(w).Status)
		refused(t, w, moves("n", pause, 1, 0), fault.Conflict, "The ajo is paused already.")
		opens := state(w).Opens(k + 2)
		refused(t, w, ajo.Resume(id(1), opens.AddDate(0, 0, -1)), fault.Conflict, "The pause is not over.")
		judged(w, 1, 2, 3, 4, 5, 6)
		w.And(ajo.Resume(id(1), savings.Day(opens)))
	}
	refused(t, w, moves("c", pause, 1, 0), fault.Conflict, "It was paused for 2 cycles already, and cannot be paused again.")
}

func TestAnOwnerWithTwoPuppetsDecidesNothingAlone(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(6)) // 1, 2 and 3 are of one mind: half of the hands.
	for motion, kind := range map[string]nairav1.AjoMotionKind{"p": pause, "t": terminate} {
		w.And(moves(motion, kind, 1, 0))
		votes(w, motion, 2, 3)
		refused(t, w, ajopot.Terminate(id(1), motion, []int{1}, all(w)), fault.Conflict, "The owner and two thirds have not voted for this.")
	}
	require.Equal(t, ajo.Active, state(w).Status)
	w.And(ajo.VoteMotion(id(1), "p", person(4), false, start), ajo.VoteMotion(id(1), "p", person(5), false, start))
	require.Len(t, state(w).Motions, 2, "a third against is not more than a third")
	w.And(ajo.VoteMotion(id(1), "p", person(6), false, start))
	require.Len(t, state(w).Motions, 1, "lost")
	judged(w, 1, 2, 3, 5, 6)
	judged(w, 1, 2, 3, 5, 6)
	w.And(ajo.Move{AjoID: id(1), MotionID: "e", By: person(1), Kind: expel, User: person(4), Reason: "Because of it", Now: start})
	votes(w, "e", 2, 3)
	require.Empty(t, state(w).Openings, "three of five are not two thirds")
}

func TestAMotionNeedsASeatAReasonAndTime(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(3))
	m := moves("m", pause, 1, 0)
	m.Reason = " "
	w.When(m).ThenField("reason")
	m = moves("m", 0, 1, 0)
	w.When(m).ThenField("kind")
	refused(t, w, moves("m", pause, 9, 0), fault.NotFound, "There is no such ajo.")
	w.And(moves("m", pause, 2, 0))
	refused(t, w, ajo.EndMotion(id(1), "m", start), fault.Conflict, "Members still vote about this.")
	w.And(ajo.EndMotion(id(1), "m", start.AddDate(0, 0, 7)))
	refused(t, w, ajo.VoteMotion(id(1), "m", person(1), true, start), fault.NotFound, "There is no such vote, or it has ended.")
}

// named is a motion that an earlier build recorded: it names a member though it expels nobody.
func named(motion string, kind nairav1.AjoMotionKind, by, about int) event.Draft {
	return event.On(ajo.Stream(id(1)), &nairav1.AjoMotionMade{
		AjoId: id(1), MotionId: motion, Kind: kind, UserId: person(about), MadeBy: person(by), Reason: "Because of it", Until: timestamppb.New(start.AddDate(1, 0, 0)),
	})
}

func TestOnlyAVoteToExpelNamesAMember(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(4))
	for _, kind := range []nairav1.AjoMotionKind{pause, terminate} {
		w.When(moves("m", kind, 2, 1)).ThenField("userId")
	}
	w.When(moves("m", expel, 2, 0)).ThenField("userId")
	require.Empty(t, state(w).Motions)
}

func TestAnAjoOfTwoDoesNotEndWithoutItsOwnerWhomAnEarlierVoteNamed(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(2))
	require.Equal(t, person(2), state(w).Validator)
	w.And(named("m", terminate, 2, 1), ajo.VoteMotion(id(1), "m", person(2), true, start))
	require.Equal(t, 4, state(w).Voices(state(w).Motions[0]))
	refused(t, w, ajopot.Terminate(id(1), "m", []int{1}, all(w)), fault.Conflict, "The owner and two thirds have not voted for this.")
	refused(t, w, moves("n", terminate, 1, 0), fault.Conflict, "Members vote about this already.")
	w.And(ajo.VoteMotion(id(1), "m", person(1), true, start), ajopot.Terminate(id(1), "m", []int{1}, all(w)))
	require.Equal(t, ajo.Terminated, state(w).Status)
}

func TestAnAjoIsNotPausedWithoutItsOwnerWhomAnEarlierVoteNamed(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(5)) // 2, 3, 4, 5, 1.
	judged(w, 2, 3, 4, 5)
	judged(w, 2, 3, 4, 5)
	w.And(named("m", pause, 5, 1))
	votes(w, "m", 2, 3, 4, 5)
	require.Equal(t, ajo.Active, state(w).Status)
	votes(w, "m", 1)
	require.Equal(t, ajo.Paused, state(w).Status)
}

func TestAPausedAjoIsNotPausedAgainByAVoteThatWasMovedBefore(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(5))
	w.And(moves("m", pause, 1, 0), named("n", pause, 2, 5))
	votes(w, "n", 1)
	for _, motion := range []string{"m", "n"} {
		votes(w, motion, 2, 3, 4)
	}
	require.Len(t, state(w).Pauses, 1)
	require.Empty(t, state(w).Motions)
}

func TestAVoteThatIsCarriedDoesNotEndAsLost(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(4))
	w.And(moves("m", terminate, 1, 0))
	votes(w, "m", 2, 3, 4)
	m := state(w).Motions[0]
	require.True(t, state(w).Carried(m))
	refused(t, w, ajo.EndMotion(id(1), "m", m.Until), fault.Conflict, "Members have voted for this, so it is not lost.")
	w.And(ajopot.Terminate(id(1), "m", []int{1}, all(w)))
	require.Equal(t, ajo.Terminated, state(w).Status)
}

// expelled is an ajo of six, 2, 3, 4, 5, 6, 1, of which one member was expelled in the third cycle.
func expelled(t *testing.T, gone int) *World {
	t.Helper()
	w := begun(t, terms(6))
	var others []int
	for n := 1; n <= 6; n++ {
		if n != gone {
			others = append(others, n)
		}
	}
	judged(w, others...)
	judged(w, others...)
	w.And(moves("m", expel, others[0], gone))
	votes(w, "m", others[1:4]...)
	require.Len(t, state(w).Openings, 1)
	return w
}

func TestAnExpelledOwnersOfficePassesToTheValidator(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(6))
	judged(w, 2, 3, 4, 5, 6)
	judged(w, 2, 3, 4, 5, 6)
	w.And(moves("m", expel, 6, 1))
	votes(w, "m", 2, 3, 4)
	require.Equal(t, person(6), state(w).Owner)
	require.Equal(t, person(5), state(w).Validator, "who collects last of the others")
	w.And(start.AddDate(0, 0, 15), ajopot.Freeze(id(1), 1, []int{3}, all(w), start.AddDate(0, 0, 15)))
	w.And(moves("p", pause, 6, 0))
	votes(w, "p", 2, 3, 4)
	require.Equal(t, ajo.Paused, state(w).Status, "four of five hands that have a vote")
}

func TestAnExpelledValidatorsOfficePassesOn(t *testing.T) {
	t.Parallel()
	w := expelled(t, 6)
	require.Equal(t, person(1), state(w).Owner)
	require.Equal(t, person(5), state(w).Validator)
}

func TestAnAjoOfTwoWithoutItsExpelledOwnerHasNoValidator(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(3)) // 2, 3, 1.
	judged(w, 2, 3)
	judged(w, 2, 3)
	w.And(moves("m", expel, 3, 1))
	votes(w, "m", 2)
	require.Equal(t, person(3), state(w).Owner)
	require.Equal(t, person(2), state(w).Validator)
}

func TestAnExpelledMemberDecidesNothing(t *testing.T) {
	t.Parallel()
	w := expelled(t, 5)
	refused(t, w, moves("p", pause, 5, 0), fault.Forbidden, "was not expelled")
	refused(t, w, moves("e", expel, 1, 5), fault.Conflict, "Members have expelled this member already.")
	w.And(moves("p", pause, 1, 0))
	require.Equal(t, 10, state(w).Voices(state(w).Motions[0]))
	refused(t, w, ajo.VoteMotion(id(1), "p", person(5), true, start), fault.Forbidden, "You have no vote on this.")
	users, _, _ := ajopot.Approvers(state(w), 2)
	require.NotContains(t, users, person(5))
}

func TestAMemberWhoCollectsWhileOthersVoteIsNotExpelled(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(6))
	judged(w, 1, 2, 3, 4, 5)
	judged(w, 1, 2, 3, 4, 5)
	w.And(moves("m", expel, 1, 6))
	votes(w, "m", 2, 3)
	for range 4 {
		judged(w)
	}
	require.True(t, state(w).HasCollected(6))
	refused(t, w, ajo.VoteMotion(id(1), "m", person(4), true, start), fault.Conflict, "This member has collected already.")
}

func TestAnExpulsionThatIsCarriedWhenItsTimeIsOverIsNotLost(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(6))
	judged(w, 1, 2, 3, 4)
	judged(w, 1, 2, 3, 4)
	w.And(moves("m", expel, 1, 6), moves("n", expel, 1, 5))
	votes(w, "m", 2, 3)
	votes(w, "n", 2, 3, 4)
	require.Equal(t, []string{person(5)}, state(w).Expelled)
	w.And(ajo.EndMotion(id(1), "m", start.AddDate(0, 0, 7)))
	require.Equal(t, []string{person(5), person(6)}, state(w).Expelled, "three of the four hands that have a vote")
}

func TestWhoGivesUpTheirPlaceIsExpelledAllTheSame(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(6))
	judged(w, 1, 2, 3, 4, 5)
	judged(w, 1, 2, 3, 4, 5)
	w.And(moves("m", expel, 2, 6), ajo.OpenPlace(id(1), person(6), 6, start))
	until := state(w).Openings[0].Until
	votes(w, "m", 3, 4, 5, 1)
	require.Len(t, state(w).Openings, 1)
	require.True(t, state(w).Openings[0].Expelled)
	require.Equal(t, until, state(w).Openings[0].Until)
	require.Equal(t, []string{person(6)}, state(w).Expelled)
	refused(t, w, ajo.KeepPlace(id(1), person(6), 6), fault.Conflict, "There is nothing to take back.")
}
