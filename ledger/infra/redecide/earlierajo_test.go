package redecide_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoback"
	"adashi.ng/ledger/domain/ajoconsent"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/remedy"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
)

// without are drafts as a build recorded them that did not know some types of events.
func without(drafts []event.Draft, gone func(any) bool) ledgertest.Raw {
	return slices.DeleteFunc(slices.Clone(drafts), func(d event.Draft) bool { return gone(d.Message) })
}

func TestAPlaceThatWasTakenBeforeItEndedVotesAndConsentsStaysAsItWasDecided(t *testing.T) {
	t.Parallel()
	taker := ledgertest.Saver(3)
	past := []any{}
	for _, c := range ledgertest.AjoBegun(noon) {
		past = append(past, c)
	}
	past = append(past, account.EndCheck(taker, "c", 0))
	w := ledgertest.Given(t, noon, past)
	a := w.State(ajo.Stream(club)).(ajo.Ajo)
	seat := a.Order[2]
	seller := a.Seats[seat-1].Places[0].User
	due := a.Due(1).Add(9 * time.Hour)
	first := []event.Command{
		ajoconsent.Set{AjoID: club, User: seller, Dues: true},
		ajo.Move{AjoID: club, MotionID: "p", By: seller, Kind: nairav1.AjoMotionKind_AJO_MOTION_KIND_PAUSE, Reason: "Because of it", Now: due},
		ajo.OpenPlace(club, seller, seat, due),
	}
	w.And(due)
	for _, c := range first {
		w.And(c)
	}
	taken, err := w.Do(ajopot.TakePlace{
		AjoID: club, Seat: seat, From: seller, To: ajo.Joiner{User: taker, Invited: true, TermsHash: a.Seats[seat-1].Places[0].Terms}, Cycles: []int{1}, People: append(a.Members(), taker),
	}.Command())
	require.NoError(t, err)
	kept := without(taken, func(m any) bool {
		switch m.(type) {
		case *nairav1.AjoMotionVoteEnded, *nairav1.AjoConsentSet:
			return true
		}
		return false
	})
	require.Len(t, kept, len(taken)-2)

	for _, recorded := range []ledgertest.Raw{kept, taken} { // An earlier build's, and this one's.
		b := setup(t)
		for _, c := range past {
			b.do(c.(event.Command))
		}
		b.from(due, first...)
		b.from(due, recorded)
		result, differs := b.again()
		require.Empty(t, differs)
		require.NotContains(t, result.Taken, "naira.v1.AjoPlaceTaken")
	}
}

// begun is a ledger with an ajo that has begun, and how that ajo is.
func begun(t *testing.T) (book, ajo.Ajo) {
	t.Helper()
	b := setup(t)
	var past []any
	for _, c := range ledgertest.AjoBegun(noon) {
		past = append(past, c)
		b.do(c)
	}
	return b, ledgertest.Given(t, noon, past).State(ajo.Stream(club)).(ajo.Ajo)
}

func TestWhatEndsInAnAjoOnceAnAccountIsGivenBackIsDecidedAgain(t *testing.T) {
	t.Parallel()
	b, a := begun(t)
	seat, other, due := a.Order[2], a.Order[1], a.Due(1).Add(9*time.Hour)
	victim := a.Seats[seat-1].Places[0].User
	back := remedy.Propose{Desk: remedy.Desk{Staff: "sam", User: victim}, RemedyID: "r", Kind: nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK, Case: "1", Since: due.Add(-time.Hour), Now: due}
	ends := ajoback.Of(a, club, victim)
	b.from(due, ajo.Move{AjoID: club, MotionID: "p", By: victim, Kind: nairav1.AjoMotionKind_AJO_MOTION_KIND_PAUSE, Reason: "Because of it", Now: due},
		ajo.ProposeSwap(club, "s", victim, seat, other), ajo.OpenPlace(club, victim, seat, due),
		back, remedy.Agree{Desk: remedy.Desk{Staff: "sade", User: victim}, RemedyID: "r", Hold: remedy.Hold, At: due}, ends,
		ajo.ProposeSwap(club, "t", victim, seat, other), ends, ajo.OpenPlace(club, victim, seat, due), ends)
	b.isDecided(&nairav1.AjoMotionVoteEnded{}, &nairav1.AjoSwapEnded{}, &nairav1.AjoPlaceKept{})
	b.isFound("the rules refuse it", event.On(ajo.Stream(club), &nairav1.AjoMotionVoteEnded{AjoId: club, MotionId: "p", UserId: victim}))
}

// A cycle may begin, and be voted in, between the moment at which the command is made and that at which it is decided.
func TestWhatEndsInAnAjoIsDecidedAgainWhereACycleBeganMeanwhile(t *testing.T) {
	t.Parallel()
	b, a := begun(t)
	due := a.Due(1).Add(9 * time.Hour)
	victim := a.Seats[a.Order[2]-1].Places[0].User
	ends := ajoback.Of(a, club, victim)
	ends.Cycles = ends.Cycles[:len(ends.Cycles)-1]
	back := remedy.Propose{Desk: remedy.Desk{Staff: "sam", User: victim}, RemedyID: "r", Kind: nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK, Case: "1", Since: due.Add(-time.Hour), Now: due}
	b.from(due, ajo.Move{AjoID: club, MotionID: "p", By: victim, Kind: nairav1.AjoMotionKind_AJO_MOTION_KIND_PAUSE, Reason: "Because of it", Now: due},
		back, remedy.Agree{Desk: remedy.Desk{Staff: "sade", User: victim}, RemedyID: "r", Hold: remedy.Hold, At: due},
		ledgertest.Raw{event.On(ajopot.CycleStream(club, 1), &nairav1.AjoNeedVoted{AjoId: club, Cycle: 1, UserId: victim, ForSeat: 1})}, ends)
	_, differs := b.again()
	require.Len(t, differs, 1, "the vote for a need alone, which this ajo does not take")
}

// Earlier builds ended every bid of an account that was given back, also those that its owner had sealed before.
func TestABidOfBeforeATheftThatAnEarlierBuildEndedStaysEnded(t *testing.T) {
	t.Parallel()
	b, a := begun(t)
	due := a.Due(1).Add(9 * time.Hour)
	victim := a.Seats[a.Order[2]-1].Places[0].User
	back := remedy.Propose{Desk: remedy.Desk{Staff: "sam", User: victim}, RemedyID: "r", Kind: nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK, Case: "1", Since: due.Add(-time.Hour), Now: due}
	bid := event.On(ajopot.CycleStream(club, 1), &nairav1.AjoBidCommitted{AjoId: club, Cycle: 1, Seat: int32(a.Order[2]), UserId: victim, Commitment: make([]byte, 32)})
	b.from(due.Add(-2*time.Hour), ledgertest.Raw{bid})
	b.from(due, back, remedy.Agree{Desk: remedy.Desk{Staff: "sade", User: victim}, RemedyID: "r", Hold: remedy.Hold, At: due},
		ledgertest.Raw{event.On(ajopot.CycleStream(club, 1), &nairav1.AjoBidEnded{AjoId: club, Cycle: 1, Seat: int32(a.Order[2]), UserId: victim})})
	_, differs := b.again()
	require.Len(t, differs, 1, "the bid alone, which this ajo does not take")
}

// before is a command as a build decided it that had fewer rules of ajo.
type before struct{ event.Command }

func (c before) Decide(v event.View) ([]event.Draft, error) { return c.Command.Decide(beforeView{v}) }

type beforeView struct{ event.View }

func (v beforeView) State(stream string) any {
	a, is := v.View.State(stream).(ajo.Ajo)
	if !is {
		return v.View.State(stream)
	}
	a.Earlier = true
	return a
}

func TestACycleThatWasClosedInTheMinuteAfterTheOneBeforeStaysAsItWasDecided(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(ledgertest.AjoBegun(noon)...)
	state, err := b.store.Load(t.Context(), ajo.Stream(club))
	require.NoError(t, err)
	a := state.(ajo.Ajo)
	late := a.Deadline(2).AddDate(0, 0, 1).Add(9 * time.Hour)
	people := a.Members()
	b.from(late, ajopot.Judge{AjoID: club, Cycle: 1, People: people, Now: late}, before{ajopot.Judge{AjoID: club, Cycle: 2, People: people, Now: late}})
	result, differs := b.again()
	require.Empty(t, differs)
	require.NotContains(t, result.Taken, "naira.v1.AjoCycleReady")
}

func TestAnAjoForStrangersWhoseFounderHadNoAccessStaysAsItWasDecided(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(ledgertest.AjoBegun(noon)...)
	state, err := b.store.Load(t.Context(), ajo.Stream(club))
	require.NoError(t, err)
	owner := state.(ajo.Ajo).Owner
	terms := ajo.Usual()
	terms.AmountKobo, terms.Seats, terms.StartMonth, terms.StartYear, terms.Deposits = int64(hand), 4, int32(noon.Month()), int32(noon.Year()), 1
	hash := ajo.TermsHash(terms)
	const other = "01900000-0000-7000-8000-0000000000aa"
	b.do(ledgertest.Raw{
		event.On(ajo.Stream(other), &nairav1.AjoCreated{AjoId: other, OwnerId: owner, Name: "Another", Terms: terms, Listed: true}),
		event.On(ajo.Stream(other), &nairav1.AjoSeatTakenV2{AjoId: other, Seat: 1, UserId: owner, Halves: 2, Nonce: make([]byte, 16), TermsHash: hash[:]}),
		event.On(ajo.CommitStream(owner), &nairav1.CommitmentCounted{UserId: owner, AjoId: other, MonthlyKobo: int64(ajo.Monthly(terms, 2)), Listed: true}),
	})
	_, differs := b.again()
	require.Empty(t, differs)
}

// What an earlier build decided of pots and deposits stays: a place that was sold after its seat collected, dues that
// went back at an early end, and a deposit of two hands that was kept for one.
func TestWhatAnEarlierBuildDecidedOfPotsStaysAsItWasDecided(t *testing.T) {
	t.Parallel()
	taker := ledgertest.Saver(3)
	people := []string{ledgertest.Saver(0), ledgertest.Saver(1), ledgertest.Saver(2)}
	for name, rest := range map[string]func(a ajo.Ajo, due time.Time) (inOne, inTwo []event.Command){
		"sold after it collected": func(a ajo.Ajo, due time.Time) (inOne, inTwo []event.Command) {
			seat := a.Order[0]
			seller := a.Seats[seat-1].Places[0].User
			return []event.Command{
				ajo.OpenPlace(club, seller, seat, due),
				before{ajopot.Judge{AjoID: club, Cycle: 1, People: people, Now: due}},
				before{ajopot.TakePlace{
					AjoID: club, Seat: seat, From: seller, To: ajo.Joiner{User: taker, Invited: true, TermsHash: a.Seats[0].Places[0].Terms}, Price: hand,
					Cycles: []int{2, 1}, People: append(people, taker), Now: due,
				}.Command()},
			}, nil
		},
		"ended early": func(a ajo.Ajo, due time.Time) (inOne, inTwo []event.Command) {
			seat := a.Order[0]
			user := a.Seats[seat-1].Places[0].User
			then := a.Due(2).Add(9 * time.Hour)
			return []event.Command{
				ajopot.Judge{AjoID: club, Cycle: 1, People: people, Now: due},
			}, []event.Command{
				ajopot.Pay{AjoID: club, Cycle: 2, Seat: seat, User: user, By: user, Amount: hand, Channel: nairav1.Channel_CHANNEL_WALLET, At: then},
				ajo.Move{AjoID: club, MotionID: "t", By: people[0], Kind: nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE, Reason: "Because of it", Now: then},
				ajo.VoteMotion(club, "t", people[1], true, then),
				before{ajopot.Terminate(club, "t", []int{2}, people)},
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.do(ledgertest.AjoBegun(noon)...)
			b.do(account.EndCheck(taker, "c", 0))
			b.funded("taker", noon, taker)
			state, err := b.store.Load(t.Context(), ajo.Stream(club))
			require.NoError(t, err)
			a := state.(ajo.Ajo)
			due := a.Due(1).Add(9 * time.Hour)
			for i, s := range a.Seats {
				if user := s.Places[0].User; i+1 != a.Order[0] {
					b.from(due, ajopot.Pay{AjoID: club, Cycle: 1, Seat: i + 1, User: user, By: user, Amount: hand, Channel: nairav1.Channel_CHANNEL_WALLET, At: due})
				}
			}
			one, two := rest(a, due)
			b.from(due, one...)
			b.from(a.Due(2).Add(9*time.Hour), two...)
			result, differs := b.again()
			require.Empty(t, differs)
			require.NotContains(t, result.Taken, "naira.v1.AjoPlaceTaken")
		})
	}
}
