package dispute_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

var (
	declines = dispute.GiveAnswer{Case: kase, AnswerID: "a", Words: said, Now: monday}
	accepts  = dispute.GiveAnswer{Case: kase, AnswerID: "a", Accept: true, Amount: 5000 * money.Naira, Words: said, Now: monday}
	orders   = dispute.SendAnswer{DisputeID: "d", AnswerID: "a", Now: monday}
	hears    = dispute.HearAnswer{DisputeID: "d", AnswerID: "a", Taken: true}
	fails    = dispute.HearAnswer{DisputeID: "d", AnswerID: "a", Reason: "The card gateway does not have it."}
)

func judges(by string, agree bool) dispute.JudgeAnswer {
	c := kase
	c.Staff = by
	return dispute.JudgeAnswer{Case: c, AnswerID: "a", Agree: agree, Words: said, Now: monday}
}

// taken is a dispute of a card's bank that Support has.
func taken(t *testing.T, more ...any) *World {
	t.Helper()
	return Given(t, append([]any{told(48 * time.Hour), dispute.Take(kase)}, more...)...)
}

func TestADeclinedDisputeIsSentOnceAndHeardOf(t *testing.T) {
	t.Parallel()
	w := taken(t)
	w.When(declines).Then(&nairav1.CardAnswerGiven{
		DisputeId: "d", AnswerId: "a", UserId: "bisi", StaffId: kase.Staff, Provider: string(event.Paystack), ProviderRef: "dispute-7", Words: said,
	})
	w = taken(t, declines)
	w.When(hears).ThenFault(fault.Conflict)
	w.When(orders).Then(&nairav1.CardAnswerSent{DisputeId: "d", AnswerId: "a", UserId: "bisi"})
	w = taken(t, declines, orders)
	w.When(orders).ThenFault(fault.Conflict)
	w.When(hears).Then(&nairav1.CardAnswerTaken{DisputeId: "d", AnswerId: "a", UserId: "bisi", Words: said})
	w = taken(t, declines, orders, hears)
	w.When(hears).ThenFault(fault.Conflict)
	w.When(fails).ThenFault(fault.Conflict)
	w.When(declines).ThenFault(fault.Conflict)
}

func TestWhatTheGatewayDoesNotHaveIsAnsweredAnew(t *testing.T) {
	t.Parallel()
	again := declines
	again.AnswerID = "b"
	taken(t, declines).When(again).ThenFault(fault.Conflict)
	taken(t, declines, orders).When(again).ThenFault(fault.Conflict)
	w := taken(t, declines, orders)
	w.When(fails).Then(&nairav1.CardAnswerFailed{DisputeId: "d", AnswerId: "a", UserId: "bisi", Reason: fails.Reason})
	taken(t, declines, fails).When(orders).ThenFault(fault.Conflict)
	w = taken(t, declines, orders, fails, again)
	w.When(hears).ThenFault(fault.Conflict)
	w.When(orders).ThenFault(fault.Conflict)
}

func TestWhoAnswersHasTheCaseAndIsInTime(t *testing.T) {
	t.Parallel()
	Given(t, told(48*time.Hour)).When(declines).ThenFault(fault.Conflict)
	Given(t, claim("d", notCredited, "x"), dispute.Take(kase)).When(declines).ThenFault(fault.Conflict)
	another := declines
	another.Staff = "tunde"
	taken(t).When(another).ThenFault(fault.Conflict)
	own := declines
	own.Staff = "bisi"
	taken(t).When(own).ThenFault(fault.Forbidden)
	late := declines
	late.Now = monday.Add(48 * time.Hour)
	taken(t).When(late).ThenFault(fault.Conflict)
	taken(t, ended).When(declines).ThenFault(fault.Conflict)
	unsent := orders
	unsent.Now = late.Now
	taken(t, declines).When(unsent).ThenFault(fault.Conflict)
	taken(t, declines, ended).When(orders).ThenFault(fault.Conflict)
	silent := told(0)
	silent.AnswerBy = time.Time{}
	late.Now = monday.Add(1000 * time.Hour)
	Given(t, silent, dispute.Take(kase), late)
	mute := declines
	mute.Words = nil
	taken(t).When(mute).ThenFault(fault.Invalid)
}

func TestAnAcceptedDisputeTakesTwoPeopleOfWhomNeitherIsItsMember(t *testing.T) {
	t.Parallel()
	for _, amount := range []money.Kobo{0, -1, 5000*money.Naira + 1} {
		much := accepts
		much.Amount = amount
		taken(t).When(much).ThenFault(fault.Invalid)
	}
	gives := declines
	gives.Amount = 1
	taken(t).When(gives).ThenFault(fault.Invalid)
	w := taken(t, accepts)
	w.When(orders).ThenFault(fault.Conflict)
	w.When(declines).ThenFault(fault.Conflict)
	w.When(judges(kase.Staff, true)).ThenFault(fault.Forbidden)
	w.When(judges("bisi", true)).ThenFault(fault.Forbidden)
	late := judges("uche", true)
	late.Now = monday.Add(48 * time.Hour)
	w.When(late).ThenFault(fault.Conflict)
	another := judges("uche", true)
	another.AnswerID = "b"
	w.When(another).ThenFault(fault.Conflict)
	w.When(judges("uche", true)).Then(&nairav1.CardAnswerAgreed{DisputeId: "d", AnswerId: "a", UserId: "bisi", ApprovedBy: "uche"})
	w = taken(t, accepts, judges("uche", true))
	w.When(judges("yemi", true)).ThenFault(fault.Conflict)
	w.When(judges("uche", false)).ThenFault(fault.Conflict)
	taken(t, accepts, judges("uche", true), orders).When(hears).Then(
		&nairav1.CardAnswerTaken{DisputeId: "d", AnswerId: "a", UserId: "bisi", Accepted: true, AmountKobo: 500_000, Words: said})
	for _, by := range []string{kase.Staff, "uche"} {
		taken(t, accepts).When(judges(by, false)).Then(&nairav1.CardAnswerDropped{DisputeId: "d", AnswerId: "a", UserId: "bisi", DeclinedBy: by, Words: said})
	}
	taken(t, accepts, judges("uche", false), declines)
}

func TestSupportIsRemindedOnceFromTheLagosDayBefore(t *testing.T) {
	t.Parallel()
	by := time.Date(2026, 3, 12, 23, 30, 0, 0, time.UTC) // The 13th in Lagos.
	require.Equal(t, time.Date(2026, 3, 12, 0, 0, 0, 0, lagos.Zone), dispute.RemindFrom(by))
	c := told(0)
	c.AnswerBy = by
	c.Now = by.Add(-72 * time.Hour)
	remind := func(before time.Duration) dispute.RemindAnswer {
		return dispute.RemindAnswer{DisputeID: "d", Now: by.Add(-before)}
	}
	w := Given(t, c)
	w.When(remind(25 * time.Hour)).ThenFault(fault.Conflict)
	w.When(remind(24 * time.Hour)).Then(&nairav1.CardAnswerDue{DisputeId: "d", UserId: "bisi", AnswerBy: timestamppb.New(by)})
	w.When(remind(0)).ThenFault(fault.Conflict)
	Given(t, c, remind(24*time.Hour)).When(remind(time.Hour)).ThenFault(fault.Conflict)
	early, asked := declines, accepts
	early.Now, asked.Now = c.Now, c.Now
	Given(t, c, dispute.Take(kase), early).When(remind(time.Hour)).ThenFault(fault.Conflict)
	Given(t, c, dispute.Take(kase), asked).When(remind(time.Hour)).Then(&nairav1.CardAnswerDue{DisputeId: "d", UserId: "bisi", StaffId: kase.Staff, AnswerBy: timestamppb.New(by)})
	Given(t, c, ended).When(remind(time.Hour)).ThenFault(fault.Conflict)
	Given(t, claim("d", notCredited, "x")).When(remind(0)).ThenFault(fault.Conflict)
}

func TestWhatWentBackAlreadyIsNotGivenBackAgain(t *testing.T) {
	t.Parallel()
	const naira = money.Naira
	of := func(c dispute.Case) dispute.Case {
		c.Paid = dispute.Paid{Payment: "p"}
		return c
	}
	gives, agrees, sends := accepts, judges("uche", true), orders
	gives.Case, agrees.Case, sends.Payment = of(gives.Case), of(agrees.Case), "p"
	back := func(amount money.Kobo) wallet.ReversePayment {
		return wallet.ReversePayment{PaymentID: "p", User: "bisi", Provider: event.Paystack, Gross: amount, ProviderRef: "refund", Reason: "Refunded"}
	}
	paid := []any{
		wallet.StartPayment{PaymentID: "p", User: "bisi", Channel: nairav1.Channel_CHANNEL_CARD, Provider: event.Paystack, Tariff: wallet.Free, Amount: 5000 * naira, ExpiresAt: monday},
		wallet.ConfirmPayment{PaymentID: "p", User: "bisi", Provider: event.Paystack, Gross: 5000 * naira, ProviderRef: "ref", PaidAt: monday},
	}
	w := func(steps ...any) *World { return taken(t, append(append([]any{}, paid...), steps...)...) }
	w(gives, agrees).When(sends).Then(&nairav1.CardAnswerSent{DisputeId: "d", AnswerId: "a", UserId: "bisi"})
	w(back(0)).When(gives).ThenFault(fault.Conflict)
	w(gives, back(0)).When(agrees).ThenFault(fault.Conflict)
	w(gives, agrees, back(0)).When(sends).ThenFault(fault.Conflict)
	w(gives, back(1)).When(agrees).ThenFault(fault.Conflict)
	part := gives
	part.Amount = 2000 * naira
	w(back(3000*naira), part, agrees).When(sends).Then(&nairav1.CardAnswerSent{DisputeId: "d", AnswerId: "a", UserId: "bisi"})
	w(back(3001 * naira)).When(part).ThenFault(fault.Conflict)
	refuses := declines
	refuses.Case = of(refuses.Case)
	w(back(0), refuses)
}
