package redecide_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
)

// newList is the club before its order is set, on 3 November, all but the last so many of whose commands came.
func newList(t *testing.T, rounds ledger.Rounds, beacon draw.Beacon, without int, change func(*nairav1.AjoTerms)) weeks {
	t.Helper()
	now := on(3)
	w := weeks{diary: diary{book: book{T: t, pool: ledgertest.Pool(t)}, now: &now, rounds: rounds}, first: now}
	require.NoError(t, store.Migrate(t.Context(), w.pool))
	w.store = store.Open(store.Postgres(w.pool, 0), ledger.Aggregates(), store.Options{Clock: func() time.Time { return *w.now }})
	t.Cleanup(w.store.Close)
	all := ledgertest.AjoSealed(now, beacon, change)
	w.from(now, all[:len(all)-without]...)
	return w
}

func byPhones(*nairav1.AjoTerms) {}

func byBeacon(terms *nairav1.AjoTerms) { terms.Draw = nairav1.AjoDrawSource_AJO_DRAW_SOURCE_BEACON }

// reveals has some phones reveal their secrets, half an hour after the list was sealed.
func (w weeks) reveals(people ...string) {
	w.Helper()
	for _, user := range people {
		secret := ledgertest.PhoneSecret(user)
		w.on(0.5/24, ajo.RevealPhone(club, user, secret[:], w.at(0.5/24)))
	}
}

// never is an edit by which somebody's event of a type never came.
func never[M interface {
	proto.Message
	GetUserId() string
}](w weeks, user string,
) redecide.Edit {
	w.Helper()
	return redecide.Edit{Position: find(w, func(m M) bool { return m.GetUserId() == user }), Absent: true}
}

func TestAListThatIsNotFullInTimeLapsesInALab(t *testing.T) {
	t.Parallel()
	w := story(t)
	*w.now = w.at(60)
	found := w.try(never[*nairav1.AjoSeatTakenV2](w, everybody()[2]))
	lines := w.days(found.Lines)
	require.Contains(t, lines[0], "EDITED -AjoSeatTakenV2")
	require.Contains(t, refused(found), "Seat 3 is free. Invite somebody, or give the ajo fewer seats.")
	require.Contains(t, refused(found), "The order is not set yet. The first cycle opens once it is.")
	i := slices.IndexFunc(found.Lines, func(l redecide.Line) bool { return l.Kind == redecide.New })
	require.Contains(t, lines[i], "NEW +AjoSeatFreed +CommitmentCounted +AjoSeatFreed +CommitmentCounted +AjoCancelled")
	require.Equal(t, ajo.Lapsed, found.Lines[i].Would[4].Message.(*nairav1.AjoCancelled).GetReason())
	require.Equal(t, w.ajo().Lapses(), found.Lines[i].At.UTC())
}

func TestALabDrawsFromThePhonesThatWouldHaveRevealed(t *testing.T) {
	t.Parallel()
	people := everybody()
	w := newList(t, nil, draw.Beacon{}, 0, byPhones)
	w.reveals(people...)
	w.on(1/24., ajo.DrawPhones(club, w.at(1/24.)))
	*w.now = w.at(5)
	require.Empty(t, told(w.try().Lines))
	hours := float64(w.ajo().Terms.GetRevealHours()) / 24
	withheld := never[*nairav1.AjoPhoneRevealed](w, people[1])
	found := w.try(withheld)
	require.Equal(t, []string{"0.0 EDITED -AjoPhoneRevealed", "0.0 REFUSED -AjoOrderDrawn -AjoStarted", "1.0 NEW +AjoOrderDrawn +AjoStarted"}, w.days(found.Lines))
	require.Equal(t, w.at(hours).UTC(), found.Lines[2].At.UTC(), "as soon as the time to reveal is over")
	order := found.Lines[2].Would[0].Message.(*nairav1.AjoOrderDrawn).GetOrder()
	require.EqualValues(t, 2, order[2], "who withheld collects last")

	found = w.try(withheld, never[*nairav1.AjoPhoneRevealed](w, people[0]), never[*nairav1.AjoPhoneRevealed](w, people[2]))
	last := found.Lines[len(found.Lines)-1]
	require.Equal(t, redecide.New, last.Kind)
	require.Equal(t, ajo.NoneRevealed, last.Would[len(last.Would)-1].Message.(*nairav1.AjoCancelled).GetReason())
}

func TestALabDrawsWithTheRoundThatWouldHaveBeenSealed(t *testing.T) {
	t.Parallel()
	beacon, sign := testBeacon(t)
	asked := []uint64{}
	rounds := func(round uint64) (draw.Beacon, []byte, bool) {
		asked = append(asked, round)
		return beacon, sign(round), true
	}
	w := newList(t, rounds, beacon, 0, byBeacon)
	closing := w.ajo().Closing
	w.from(closing.DrawAt.Add(time.Minute), ajo.SubmitBeacon(club, beacon, sign(closing.Round), closing.DrawAt.Add(time.Minute)))
	*w.now = w.at(5)
	w.known = []draw.Beacon{beacon}
	require.Empty(t, told(w.try().Lines))
	require.Empty(t, asked, "nothing is otherwise")
	closed := find(w, func(*nairav1.AjoListClosedV2) bool { return true })
	found := w.try(redecide.Edit{Position: closed, At: w.at(0.5)})
	require.Equal(t, []string{"0.0 REFUSED -AjoOrderDrawn -AjoStarted", "0.5 EDITED +AjoListClosedV2", "0.5 NEW +AjoOrderDrawn +AjoStarted"}, w.days(found.Lines))
	require.Equal(t, []string{"Nothing is to be drawn here."}, refused(found))
	drawn := found.Lines[2].Would[0].Message.(*nairav1.AjoOrderDrawn)
	require.Equal(t, closing.Round+uint64(12*time.Hour/(3*time.Second)), drawn.GetRound())
	require.Equal(t, beacon.At(drawn.GetRound()), found.Lines[2].At.UTC(), "when that round comes")

	w.rounds = nil // Where no round is to be had nothing is drawn.
	require.Len(t, w.try(redecide.Edit{Position: closed, At: w.at(0.5)}).Lines, 2)
}

func TestAnOrderThatNotAllWouldHaveAcceptedIsDrawnInALab(t *testing.T) {
	t.Parallel()
	beacon, sign := testBeacon(t)
	people := everybody()
	w := newList(t, func(round uint64) (draw.Beacon, []byte, bool) { return beacon, sign(round), true }, beacon, 1, func(terms *nairav1.AjoTerms) {
		byBeacon(terms)
		terms.Order = nairav1.AjoOrder_AJO_ORDER_MANUAL
	})
	w.known = []draw.Beacon{beacon}
	w.on(0, ajo.CloseList{AjoID: club, By: people[0], Members: people, Beacon: beacon, Salt: ledgertest.Salt(), Proposed: []int{2, 3, 1}, Now: w.at(0)})
	w.on(0.1, ajo.AcceptOrder(club, people[1], w.at(0.1)), ajo.AcceptOrder(club, people[2], w.at(0.1)))
	*w.now = w.at(9)
	require.Empty(t, told(w.try().Lines))
	found := w.try(never[*nairav1.AjoOrderAccepted](w, people[1]))
	require.Equal(t, []string{"EDITED -AjoOrderAccepted", "OTHERWISE -AjoOrderAccepted -AjoStarted +AjoOrderAccepted", "NEW +AjoOrderDrawn +AjoStarted"}, told(found.Lines))
	require.False(t, found.Lines[2].At.Before(w.at(float64(w.ajo().Terms.GetOrderHours())/24)), "once the time to accept is over")
}

func TestWhoWouldNotHaveAcceptedChangedTermsIsReleasedInALab(t *testing.T) {
	t.Parallel()
	people := everybody()
	w := newList(t, nil, draw.Quicknet, 1, byPhones)
	terms := proto.CloneOf(w.ajo().Terms)
	terms.GraceDays++
	hash := ajo.TermsHash(terms)
	w.on(0.1, ajo.ChangeTerms(club, people[0], terms, w.at(0.1)))
	w.on(0.2, ajo.AcceptTerms(club, people[1], hash[:]), ajo.AcceptTerms(club, people[2], hash[:]))
	w.on(4, ajo.CloseList{AjoID: club, By: people[0], Members: people, Beacon: draw.Quicknet, Salt: ledgertest.Salt(), Now: w.at(4)})
	*w.now = w.at(6)
	require.Empty(t, told(w.try().Lines))
	result, differs := w.again()
	require.Empty(t, differs)
	require.NotContains(t, result.Taken, "naira.v1.AjoTermsChanged")
	found := w.try(never[*nairav1.AjoTermsAccepted](w, people[1]))
	require.Equal(t, []string{"EDITED -AjoTermsAccepted -CommitmentCounted", "NEW +AjoSeatFreed +CommitmentCounted", "REFUSED -AjoListClosedV2"}, told(found.Lines)[:3])
	require.Equal(t, w.at(0.1+float64(terms.GetTermsHours())/24).UTC(), found.Lines[1].At.UTC(), "when their time was over")
}

func TestACancelledAjoIsDecidedAgain(t *testing.T) {
	t.Parallel()
	w := newList(t, nil, draw.Quicknet, 1, byPhones)
	w.on(1, ajo.Cancel{AjoID: club, By: everybody()[0], Reason: "Nobody came.", Members: everybody(), Now: w.at(1)})
	result, differs := w.again()
	require.Empty(t, differs)
	require.NotContains(t, result.Taken, "naira.v1.AjoCancelled")
	w.do(ledgertest.Raw{event.On(ajo.Stream(club), &nairav1.AjoCancelled{AjoId: club, CancelledBy: everybody()[1], Reason: "It is over."})})
	_, differs = w.again()
	require.Len(t, differs, 1)
}
