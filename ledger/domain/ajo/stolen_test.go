package ajo_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoback"
	"adashi.ng/ledger/domain/stolen"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

// gaveBack is that the account of a person, which a thief used for an hour, is given back.
func gaveBack(n int, at time.Time) []any {
	on := account.Stream(person(n))
	return []any{
		at, event.On(on, &nairav1.AccountRemedyProposed{UserId: person(n), RemedyId: "r", Kind: nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK, Since: timestamppb.New(at.Add(-time.Hour))}),
		event.On(on, &nairav1.AccountGivenBackV2{UserId: person(n), RemedyId: "r", Since: timestamppb.New(at.Add(-time.Hour)), HeldUntil: timestamppb.New(at)}),
	}
}

func undoes(n int) stolen.LeaveAjo {
	return stolen.LeaveAjo{Leave: ajo.Leave{AjoID: id(1), User: person(n), Stolen: true}, RemedyID: "r"}
}

func TestSeatsThatAThiefTookAreGivenUpWhileTheListIsOpen(t *testing.T) {
	t.Parallel()
	terms := terms(4)
	w := Given(t, start)
	people(w, 4)
	w.And(create(terms), join(terms, 2, 1), start.Add(2*time.Hour), join(terms, 3, 2), join(terms, 2, 1))
	refused(t, w, undoes(3), fault.Conflict, "took a seat here themselves")
	for _, n := range []int{1, 2, 3} {
		w.And(gaveBack(n, start.Add(150*time.Minute))...)
	}
	refused(t, w, undoes(1), fault.Conflict, "You made this ajo")
	refused(t, w, undoes(2), fault.Conflict, "took a seat here themselves")
	w.And(undoes(3))
	require.Empty(t, state(w).SeatsOf(person(3)))
	require.Zero(t, w.State(ajo.CommitStream(person(3))).(ajo.Commitments).Total(), "and nothing is promised")
	require.IsType(t, &nairav1.StolenActFound{}, w.Drafts[len(w.Drafts)-1].Message)
	w.And(join(terms, 3, 2))
	refused(t, w, undoes(3), fault.Conflict, "took a seat here themselves")
}

// The others rely on it.
func TestASeatThatAThiefTookStaysOnceTheListIsSealed(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(3))
	w.And(gaveBack(3, start.Add(time.Minute))...)
	refused(t, w, undoes(3), fault.Conflict, "has begun")
	w.And(ajo.OpenPlace(id(1), person(3), state(w).SeatsOf(person(3))[0], start))
	require.Len(t, state(w).Openings, 1, "they give it up as everybody does")
}

// A thief could start an ajo in an order that the member never agreed to.
func TestTheWordOfAThiefOnAProposedOrderEndsAndIsGivenAgain(t *testing.T) {
	t.Parallel()
	w := filled(t, terms(3, ordered(nairav1.AjoOrder_AJO_ORDER_MANUAL, phones)))
	c := closing(w)
	c.Proposed = []int{3, 1, 2}
	w.And(c, ajo.AcceptOrder(id(1), person(2), start)).And(gaveBack(2, start.Add(time.Minute))...)
	ends := ajoback.Of(state(w), id(1), person(2))
	w.When(ends).Then(&nairav1.AjoOrderAcceptanceEnded{AjoId: id(1), UserId: person(2)})
	refused(t, w, ends, fault.Conflict, "Nothing in this ajo waits")
	w.And(ajo.AcceptOrder(id(1), person(3), start))
	require.Equal(t, ajo.Ordering, state(w).Status)
	w.And(ajo.AcceptOrder(id(1), person(2), start))
	require.Equal(t, []int{3, 1, 2}, state(w).Order)
}
