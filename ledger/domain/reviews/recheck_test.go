package reviews_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

// many are payments of a member, one after the other.
func many(t *testing.T, count int, user string) (list []event.Record) {
	for range count {
		list = append(list, recorded(t, paid(user)))
	}
	return list
}

// drawn are the payments that the owner is asked to check again, in the order in which they were drawn.
func drawn(t *testing.T, w *World, c event.Command) (list []*nairav1.RecheckAsked) {
	t.Helper()
	drafts, err := w.Do(c)
	require.NoError(t, err)
	for _, d := range drafts {
		if m, is := d.Message.(*nairav1.RecheckAsked); is {
			require.Equal(t, reviews.Stream(m.GetEventId()), d.Stream)
			list = append(list, m)
		}
	}
	return list
}

func TestOfMoreThanFiftyValidatedAtOnceTheOwnerChecksFiveAgain(t *testing.T) {
	list := many(t, 102, "bisi")
	w := Given(t, group())
	require.Empty(t, drawn(t, w, says("vera", validated, "", list[:50]...)))
	more := says("vera", validated, "", list[50:101]...)
	more.Nonce = bytes.Repeat([]byte{1}, reviews.NonceSize)
	five := drawn(t, w, more)
	require.Len(t, five, reviews.RecheckDrawn)
	ids := map[string]bool{}
	for i, m := range five {
		ids[m.GetEventId()] = true
		require.EqualValues(t, i+1, m.GetNumber())
		require.Equal(t, []any{"g", "vera", "ada", int32(51), int32(5), more.Nonce}, []any{m.GetGroupId(), m.GetMarkedBy(), m.GetToUserId(), m.GetValidated(), m.GetDrawn(), m.GetNonce()})
	}
	require.Len(t, ids, reviews.RecheckDrawn)
	more.Nonce = bytes.Repeat([]byte{2}, reviews.NonceSize)
	other := drawn(t, Given(t, group()), more)
	require.NotEqual(t, five[0].GetEventId()+five[1].GetEventId(), other[0].GetEventId()+other[1].GetEventId(), "another nonce draws others")
}

func TestWhatConcernsTheOwnerOrIsTheirOwnMarkIsNotCheckedAgainByThem(t *testing.T) {
	w := Given(t, group())
	owners := many(t, 51, "ada")
	require.Empty(t, drawn(t, w, says("vera", validated, "", owners...)), "nobody audits their own")
	few := append(many(t, 48, "ada"), many(t, 3, "bisi")...)
	require.Len(t, drawn(t, w, says("vera", validated, "", few...)), 3, "all that the owner may check")
	validators := many(t, 51, "vera")
	require.Empty(t, drawn(t, w, says("ada", validated, "", validators...)), "the owner's own marks")
	require.Empty(t, drawn(t, w, says("vera", queried, "Whose is it?", many(t, 51, "bisi")...)), "queries are not checked again")
}

// checkedAgain is a payment that vera validated and that ada is asked to check again.
func checkedAgain(t *testing.T) (*World, event.Record) {
	one := recorded(t, paid("bisi"))
	id := one.ID().String()
	w := Given(t, group()).And(says("vera", validated, "", one))
	return w.And(event.Draft{Stream: reviews.Stream(id), Message: &nairav1.RecheckAsked{EventId: id, Position: 7, GroupId: "g", MarkedBy: "vera", ToUserId: "ada"}}), one
}

func TestTheOwnerAgreesOnceOrQueriesAndThenAsksAndResolves(t *testing.T) {
	w, one := checkedAgain(t)
	for _, other := range []string{"bola", "bisi"} {
		w.When(says(other, validated, "", one)).ThenFault(fault.Forbidden)
	}
	w.When(says("vera", validated, "", one)).ThenFault(fault.Conflict)
	agree := says("ada", validated, "", one)
	agree.List[0].Seen = 9
	w.When(agree).Then(&nairav1.RecheckAgreed{EventId: one.ID().String(), Position: 7, GroupId: "g", By: "ada", SeenPosition: 9})
	w.When(says("ada", validated, "", one)).ThenFault(fault.Forbidden)
	w.When(says("ada", queried, "What is it?", one)).ThenFault(fault.Forbidden)

	w, one = checkedAgain(t)
	w.When(says("ada", resolved, "Fine", one)).ThenFault(fault.Conflict)
	w.And(says("ada", queried, "What is it?", one))
	ask := reviews.Say{Original: one, By: "ada", Words: &nairav1.Words{PaperId: "paper"}}
	w.And(ask)
	w.When(says("bola", resolved, "Fine", one)).ThenFault(fault.Forbidden)
	w.And(says("ada", resolved, "It was the rent", one))
}

func TestWhoValidatedAPaymentAndBecameTheOwnerDoesNotCheckItAgain(t *testing.T) {
	w, one := checkedAgain(t)
	w.And(event.Draft{Stream: "group:g", Message: &nairav1.OwnershipPassed{GroupId: "g", FromUserId: "ada", ToUserId: "vera"}})
	r := w.State(reviews.Stream(one.ID().String())).(reviews.Review)
	require.True(t, r.Recheck)
	require.False(t, r.MayRecheck("vera", "vera"), "it is not shown as theirs to check")
	w.When(says("vera", validated, "", one)).ThenFault(fault.Conflict)
	w.When(says("ada", validated, "", one)).ThenFault(fault.Forbidden)
}

func TestAValidationThatIsTakenBackIsNotCheckedAgain(t *testing.T) {
	w, one := checkedAgain(t)
	back := says("vera", nairav1.Mark_MARK_UNSPECIFIED, "", one)
	back.Now = w.State(reviews.Stream(one.ID().String())).(reviews.Review).At
	w.And(back)
	w.When(says("ada", validated, "", one)).ThenFault(fault.Forbidden)
}

func TestOfManyPaymentsOfAnAjoItsOwnerChecksSomeAgain(t *testing.T) {
	w := Given(t, circle()...)
	var list []event.Record
	for range 51 {
		list = append(list, recorded(t, due("bola", "bola")))
	}
	few := drawn(t, w, marksAjo("vera", validated, "", list...))
	require.Len(t, few, reviews.RecheckDrawn)
	require.Equal(t, []any{"a", "", "ada"}, []any{few[0].GetAjoId(), few[0].GetGroupId(), few[0].GetToUserId()})
	again := list[:0:0]
	for _, r := range list {
		if r.ID().String() == few[0].GetEventId() {
			again = append(again, r)
		}
	}
	w.When(marksAjo("bisi", validated, "", again...)).ThenFault(fault.Forbidden)
	w.When(marksAjo("ada", validated, "", again...)).Then(&nairav1.RecheckAgreed{AjoId: "a", EventId: few[0].GetEventId(), Position: 7, By: "ada"})
}

// handedOn is a payment that vera validated and ada is asked to check again, after zoe has become the validator.
func handedOn(t *testing.T) (*World, event.Record) {
	w, one := checkedAgain(t)
	return w.And(
		event.Draft{Stream: "group:g", Message: &nairav1.ValidatorAppointed{GroupId: "g", UserId: "zoe"}},
		event.Draft{Stream: "member:g:zoe", Message: &nairav1.MembershipApproved{GroupId: "g", UserId: "zoe"}},
	), one
}

func TestANewValidatorAgreesToNoRecheckInTheOwnersPlace(t *testing.T) {
	w, one := handedOn(t)
	w.When(says("zoe", validated, "", one)).ThenFault(fault.Forbidden)
	w.And(says("zoe", queried, "Whose is it?", one))
	w.When(says("zoe", resolved, "It was the rent", one)).ThenFault(fault.Forbidden)
	w.And(says("ada", resolved, "It was the rent", one))
	require.False(t, w.State(reviews.Stream(one.ID().String())).(reviews.Review).Recheck, "the owner has ended it")
}

func TestWhoIsCheckedAgainEndsThatNeitherByAQueryNorByTakingTheValidationBack(t *testing.T) {
	w, one := checkedAgain(t)
	w.And(says("vera", queried, "Whose is it?", one))
	w.When(says("vera", resolved, "It was the rent", one)).ThenFault(fault.Forbidden)
	w.When(says("ada", validated, "", one)).ThenFault(fault.Conflict)
	w.And(says("ada", resolved, "It was the rent", one))

	w, one = checkedAgain(t)
	back := says("vera", nairav1.Mark_MARK_UNSPECIFIED, "", one)
	back.Now = w.State(reviews.Stream(one.ID().String())).(reviews.Review).At
	w.And(back).And(says("vera", validated, "", one))
	w.When(says("ada", validated, "", one)).Then(&nairav1.RecheckAgreed{EventId: one.ID().String(), Position: 7, GroupId: "g", By: "ada"})
}

func TestWhatWasQueriedOfACheckIsResolvedByTheUsualOnesOnceItIsTheOwnersOwn(t *testing.T) {
	w, one := checkedAgain(t)
	w.And(says("vera", queried, "Whose is it?", one))
	w.And(event.Draft{Stream: "group:g", Message: &nairav1.OwnershipPassed{GroupId: "g", FromUserId: "ada", ToUserId: "vera"}})
	w.And(says("vera", resolved, "It was the rent", one))
}

// The owner checks the validation that counts. Where the drawn one was taken back and another person validated the
// payment again, theirs is checked. An owner who gave the first may check it, and nobody checks their own.
func TestAValidationThatAnotherGaveAnewIsCheckedAsTheirs(t *testing.T) {
	anew := func(t *testing.T, owner string) (*World, event.Record) {
		w, one := checkedAgain(t)
		back := says("vera", nairav1.Mark_MARK_UNSPECIFIED, "", one)
		back.Now = w.State(reviews.Stream(one.ID().String())).(reviews.Review).At
		w.And(back, event.Draft{Stream: "group:g", Message: &nairav1.ValidatorAppointed{GroupId: "g", UserId: "zoe"}},
			event.Draft{Stream: "member:g:zoe", Message: &nairav1.MembershipApproved{GroupId: "g", UserId: "zoe"}}, says("zoe", validated, "", one))
		return w.And(event.Draft{Stream: "group:g", Message: &nairav1.OwnershipPassed{GroupId: "g", FromUserId: "ada", ToUserId: owner}}), one
	}
	w, one := anew(t, "vera")
	w.And(says("zoe", queried, "Whose is it?", one))
	w.When(says("zoe", resolved, "It was the rent", one)).ThenFault(fault.Forbidden)
	w, one = anew(t, "vera")
	w.When(says("vera", validated, "", one)).Then(&nairav1.RecheckAgreed{EventId: one.ID().String(), Position: 7, GroupId: "g", By: "vera"})

	w, one = anew(t, "zoe")
	w.And(event.Draft{Stream: "group:g", Message: &nairav1.ValidatorAppointed{GroupId: "g", UserId: "xan"}},
		event.Draft{Stream: "member:g:xan", Message: &nairav1.MembershipApproved{GroupId: "g", UserId: "xan"}})
	w.When(says("zoe", validated, "", one)).ThenFault(fault.Forbidden)
	w.When(says("xan", validated, "", one)).Then(&nairav1.RecheckAgreed{EventId: one.ID().String(), Position: 7, GroupId: "g", By: "xan"})
}
