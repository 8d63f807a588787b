package reviews_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

// circle is an ajo of four hands, whose owner is Ada and whose validator is Vera, who collects last.
func circle() []any {
	past := []any{event.Draft{Stream: ajo.Stream("a"), Message: &nairav1.AjoCreated{AjoId: "a", OwnerId: "ada", Terms: &nairav1.AjoTerms{AmountKobo: 100, Seats: 4}}}}
	for n, user := range []string{"ada", "bola", "bisi", "vera"} {
		past = append(past, event.Draft{Stream: ajo.Stream("a"), Message: &nairav1.AjoSeatTakenV2{AjoId: "a", Seat: int32(n + 1), UserId: user, Halves: 2}})
	}
	return append(past,
		event.Draft{Stream: ajo.Stream("a"), Message: &nairav1.AjoListClosedV2{AjoId: "a"}},
		event.Draft{Stream: ajo.Stream("a"), Message: &nairav1.AjoStarted{AjoId: "a", Order: []int32{1, 2, 3, 4}, FirstDue: "2026-11-05", FirstCycle: 1, ValidatorId: "vera"}})
}

func marksAjo(by string, mark nairav1.Mark, reason string, of ...event.Record) reviews.MarkAjo {
	c := reviews.MarkAjo{AjoID: "a", By: by}
	for _, r := range of {
		c.List = append(c.List, reviews.Marking{Original: r, Mark: mark, Reason: reason})
	}
	return c
}

func due(of, by string) proto.Message {
	return &nairav1.AjoContributed{AjoId: "a", Cycle: 2, Seat: 2, UserId: of, PaidBy: by, AmountKobo: 100}
}

func TestTheValidatorOfAnAjoMarksItsPayments(t *testing.T) {
	w := Given(t, circle()...)
	paid, back, out := recorded(t, due("bola", "bola")), recorded(t, &nairav1.AjoContributionReturned{AjoId: "a", Cycle: 2, Seat: 2, UserId: "bola", PaidBy: "bola", ToUserId: "bola"}),
		recorded(t, &nairav1.AjoPaid{AjoId: "a", Cycle: 1, Seat: 1, UserId: "ada"})
	w.When(marksAjo("vera", validated, "", paid, back, out)).
		Then(
			&nairav1.AjoPaymentMarkedV2{AjoId: "a", Cycle: 2, EventId: paid.ID().String(), Position: 7, UserIds: []string{"bola"}, Mark: validated, MarkedBy: "vera"},
			&nairav1.AjoPaymentMarkedV2{AjoId: "a", Cycle: 2, EventId: back.ID().String(), Position: 7, UserIds: []string{"bola"}, Mark: validated, MarkedBy: "vera"},
			&nairav1.AjoPaymentMarkedV2{AjoId: "a", Cycle: 1, EventId: out.ID().String(), Position: 7, UserIds: []string{"ada"}, Mark: validated, MarkedBy: "vera"})
	w.When(marksAjo("vera", validated, "", paid)).ThenFault(fault.Conflict)
	w.And(marksAjo("vera", queried, "Whose money was it?", paid))
}

func TestAQueriedPaymentOfAnAjoIsResolvedWithAReason(t *testing.T) {
	w := Given(t, circle()...)
	paid := recorded(t, due("bola", "bisi"))
	w.When(marksAjo("vera", queried, "x", paid)).ThenField("reason")
	w.When(marksAjo("vera", queried, " Why  did Bisi pay? ", paid)).
		Then(&nairav1.AjoPaymentMarkedV2{AjoId: "a", Cycle: 2, EventId: paid.ID().String(), Position: 7, UserIds: []string{"bisi", "bola"}, Mark: queried, MarkedBy: "vera", Reason: "Why did Bisi pay?"})
	w.When(marksAjo("vera", validated, "", paid)).ThenFault(fault.Conflict)
	w.When(marksAjo("vera", resolved, "Bola was ill.", paid)).
		Then(&nairav1.AjoPaymentMarkedV2{AjoId: "a", Cycle: 2, EventId: paid.ID().String(), Position: 7, UserIds: []string{"bisi", "bola"}, Mark: resolved, MarkedBy: "vera", Reason: "Bola was ill."})
}

func TestAValidationOfAnAjosPaymentIsTakenBackAtOnce(t *testing.T) {
	w := Given(t, circle()...)
	paid := recorded(t, due("bola", "bola"))
	back := marksAjo("vera", nairav1.Mark_MARK_UNSPECIFIED, "", paid)
	w.And(marksAjo("vera", validated, "", paid))
	at := w.State(reviews.Stream(paid.ID().String())).(reviews.Review).At
	back.Now = at.Add(2 * time.Minute)
	w.When(back).ThenFault(fault.Conflict)
	back.Now = at
	w.When(back).Then(&nairav1.AjoPaymentUnmarked{AjoId: "a", Cycle: 2, EventId: paid.ID().String(), Position: 7, UserIds: []string{"bola"}, MarkedBy: "vera"})
	w.And(marksAjo("vera", queried, "Whose is it?", paid))
}

func TestNobodyMarksWhatConcernsThemselves(t *testing.T) {
	for name, c := range map[string]struct {
		payment proto.Message
		by      map[string]bool // Who marks it.
	}{
		"a member's own due":                 {due("bola", "bola"), map[string]bool{"vera": true}},
		"the validator's own due":            {due("vera", "vera"), map[string]bool{"ada": true}},
		"a due that the validator covered":   {due("bola", "vera"), map[string]bool{"ada": true}},
		"the owner's due, by the validator":  {due("ada", "vera"), map[string]bool{"bola": true, "bisi": true}},
		"a pot that validator and owner got": {&nairav1.AjoPaid{AjoId: "a", Cycle: 4, Seat: 4, UserId: "vera", OtherUserId: "ada"}, map[string]bool{"bola": true, "bisi": true}},
		"the validator's pot":                {&nairav1.AjoPaid{AjoId: "a", Cycle: 4, Seat: 4, UserId: "vera"}, map[string]bool{"ada": true}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, user := range []string{"ada", "bola", "bisi", "vera"} {
				mark := marksAjo(user, validated, "", recorded(t, c.payment))
				if w := Given(t, circle()...); c.by[user] {
					w.And(mark)
				} else {
					w.When(mark).ThenFault(fault.Forbidden)
				}
			}
		})
	}
}

func TestMarksOfAnAjoAreRefusedWhole(t *testing.T) {
	w := Given(t, circle()...)
	good := recorded(t, due("bola", "bola"))
	elsewhere := recorded(t, &nairav1.AjoContributed{AjoId: "b", UserId: "bola", PaidBy: "bola"})
	w.When(marksAjo("stranger", validated, "", good)).ThenFault(fault.NotFound)
	w.When(marksAjo("vera", validated, "", good, elsewhere)).ThenFault(fault.NotFound)
	w.When(marksAjo("vera", validated, "", good, recorded(t, &nairav1.AjoDepositPaid{AjoId: "a", UserId: "bola"}))).ThenFault(fault.NotFound)
	w.When(marksAjo("vera", validated, "", good, recorded(t, due("vera", "vera")))).ThenFault(fault.Forbidden)
	w.When(marksAjo("vera", validated, "", good, good)).ThenField("marks")
	w.When(marksAjo("vera", validated, "")).ThenField("marks")
}

func TestACoverBetweenTheTwoOfAnAjoIsMarkedByTheOneWhoDidNotPay(t *testing.T) {
	t.Parallel()
	past := []any{event.Draft{Stream: ajo.Stream("a"), Message: &nairav1.AjoCreated{AjoId: "a", OwnerId: "ada", Terms: &nairav1.AjoTerms{AmountKobo: 100, Seats: 2}}}}
	for n, user := range []string{"ada", "vera"} {
		past = append(past, event.Draft{Stream: ajo.Stream("a"), Message: &nairav1.AjoSeatTakenV2{AjoId: "a", Seat: int32(n + 1), UserId: user, Halves: 2}})
	}
	w := Given(t, append(past,
		event.Draft{Stream: ajo.Stream("a"), Message: &nairav1.AjoListClosedV2{AjoId: "a"}},
		event.Draft{Stream: ajo.Stream("a"), Message: &nairav1.AjoStarted{AjoId: "a", Order: []int32{1, 2}, FirstDue: "2026-11-05", FirstCycle: 1, ValidatorId: "vera"}})...)
	a := w.State(ajo.Stream("a")).(ajo.Ajo)
	for payer, other := range map[string]string{"ada": "vera", "vera": "ada"} {
		record := recorded(t, &nairav1.AjoContributed{AjoId: "a", Cycle: 1, Seat: 2, UserId: other, PaidBy: payer, AmountKobo: 100})
		cover, is := reviews.AjoPaymentOf(record)
		require.True(t, is)
		require.True(t, reviews.MayMarkAjo(a, cover, other))
		require.False(t, reviews.MayMarkAjo(a, cover, payer), "nobody marks what they paid")
		require.Equal(t, other, reviews.AjoMarker(a, cover))
		marks := reviews.MarkAjo{AjoID: "a", By: other, List: []reviews.Marking{{Original: record, Mark: nairav1.Mark_MARK_VALIDATED}}}
		w.And(marks)
	}
	own, _ := reviews.AjoPaymentOf(recorded(t, &nairav1.AjoContributed{AjoId: "a", Cycle: 1, Seat: 2, UserId: "vera", PaidBy: "vera", AmountKobo: 100}))
	require.False(t, reviews.MayMarkAjo(a, own, "vera"), "there is another, whom it does not concern")
}
