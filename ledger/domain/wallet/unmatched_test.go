package wallet_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

var (
	arrived  = wallet.ReceiveUnmatched{ProviderRef: "ref", Channel: transfer, Provider: event.Vfd, Amount: 700 * money.Naira, Reference: "p", Reason: "No such payment.", PaidAt: Epoch}
	proposed = wallet.ProposeUnmatched{ProviderRef: "ref", Provider: event.Vfd, User: "bisi", By: "femi", Reason: "She showed the slip."}
	agreed   = wallet.DecideUnmatched{ProviderRef: "ref", Provider: event.Vfd, User: "bisi", By: "sade", Approve: true}
	declined = wallet.DecideUnmatched{ProviderRef: "ref", Provider: event.Vfd, User: "bisi", By: "sade", Reason: "Another name."}
)

func TestTwoPeopleGiveUnmatchedMoneyToItsMember(t *testing.T) {
	t.Parallel()
	outcome := Given(t, arrived, proposed).When(agreed)
	outcome.ThenBalance("wallet:bisi", 700*money.Naira).ThenBalance(posting.Unmatched, 0)
	outcome.Then(&nairav1.UnmatchedAssigned{
		ProviderRef: "ref", UserId: "bisi", AmountKobo: 70_000, Channel: transfer, ProposedBy: "femi", ApprovedBy: "sade",
	})
}

func TestNobodyGivesUnmatchedMoneyAlone(t *testing.T) {
	t.Parallel()
	alone, herself := agreed, agreed
	alone.By, herself.By = "femi", "bisi"
	Given(t, arrived, proposed).When(alone).ThenFault(fault.Forbidden)
	Given(t, arrived, proposed).When(herself).ThenFault(fault.Forbidden)
	own := proposed
	own.By = "bisi"
	Given(t, arrived).When(own).ThenFault(fault.Forbidden)
	own.By = ""
	Given(t, arrived).When(own).ThenFault(fault.Forbidden)
}

func TestAProposalStandsAsItWasMadeAndOnce(t *testing.T) {
	t.Parallel()
	other, unsaid, another := proposed, proposed, agreed
	other.User, unsaid.Reason, another.User = "chidi", " ", "chidi"
	Given(t).When(proposed).ThenFault(fault.NotFound)
	Given(t).When(agreed).ThenFault(fault.NotFound)
	Given(t, arrived).When(unsaid).ThenField("reason")
	Given(t, arrived).When(agreed).ThenFault(fault.Conflict)
	Given(t, arrived, proposed).When(other).ThenFault(fault.Conflict)
	Given(t, arrived, proposed).When(another).ThenFault(fault.Conflict)
	Given(t, arrived, proposed, agreed).When(agreed).ThenFault(fault.Conflict)
	Given(t, arrived, proposed, agreed).When(proposed).ThenFault(fault.Conflict)
	Given(t, arrived, proposed, agreed).When(declined).ThenFault(fault.Conflict)
}

func TestADeclinedProposalLeavesTheMoneyForAnother(t *testing.T) {
	t.Parallel()
	unsaid := declined
	unsaid.Reason = ""
	Given(t, arrived, proposed).When(unsaid).ThenField("reason")
	w := Given(t, arrived, proposed, declined)
	require.Equal(t, 700*money.Naira, w.Balance(posting.Unmatched))
	w.When(agreed).ThenFault(fault.Conflict)
	back := declined
	back.By = "femi"
	require.NoError(t, Given(t, arrived, proposed).When(back).Err, "who proposed it may take it back")
	require.NoError(t, Given(t, arrived, proposed, declined).When(proposed).Err)
}

func TestAReconciliationIsAttestedOnce(t *testing.T) {
	t.Parallel()
	c := wallet.AttestReserves{Attested: &nairav1.ReservesAttestedV2{ReconciliationId: "r", OwedKobo: 5}}
	Given(t).When(c).Then(c.Attested)
	Given(t, c).When(c).ThenFault(fault.Conflict)
}

func TestWhatIsCommittedToIsWhatIsAttested(t *testing.T) {
	t.Parallel()
	attested := &nairav1.ReservesAttestedV2{ReconciliationId: "r", Position: 7, OwedKobo: 5}
	of := func(change func(l *nairav1.LiabilitiesCommitted)) wallet.AttestReserves {
		l := &nairav1.LiabilitiesCommitted{ReconciliationId: "r", Position: 7, Root: make([]byte, 32), SumKobo: 5, Leaves: 256, KeyId: "k"}
		change(l)
		return wallet.AttestReserves{Attested: attested, Committed: l}
	}
	right := of(func(*nairav1.LiabilitiesCommitted) {})
	Given(t).When(right).Then(attested, right.Committed)
	Given(t, right).When(right).ThenFault(fault.Conflict)
	Given(t, wallet.AttestReserves{Attested: attested}).When(right).ThenFault(fault.Conflict)
	for name, change := range map[string]func(l *nairav1.LiabilitiesCommitted){
		"another sum":            func(l *nairav1.LiabilitiesCommitted) { l.SumKobo = 6 },
		"another position":       func(l *nairav1.LiabilitiesCommitted) { l.Position = 8 },
		"another reconciliation": func(l *nairav1.LiabilitiesCommitted) { l.ReconciliationId = "q" },
		"a short root":           func(l *nairav1.LiabilitiesCommitted) { l.Root = l.GetRoot()[:31] },
		"no power of two":        func(l *nairav1.LiabilitiesCommitted) { l.Leaves = 300 },
		"no leaves":              func(l *nairav1.LiabilitiesCommitted) { l.Leaves = 0 },
		"no key":                 func(l *nairav1.LiabilitiesCommitted) { l.KeyId = "" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			Given(t).When(of(change)).ThenFault(fault.Conflict)
		})
	}
}

// begun is a payment of ₦5,000 by transfer, and told how its money came.
func begun(id string) wallet.StartPayment {
	return wallet.StartPayment{PaymentID: id, User: "bisi", Channel: transfer, Provider: event.Vfd, Amount: 5_000 * money.Naira, ExpiresAt: Epoch.AddDate(0, 0, 1)}
}

func told(id, ref string, also ...string) wallet.ConfirmPayment {
	return wallet.ConfirmPayment{PaymentID: id, User: "bisi", Provider: event.Vfd, Gross: 5_000 * money.Naira, ProviderRef: ref, Also: also, PaidAt: Epoch}
}

func stray(ref string, also ...string) wallet.ReceiveUnmatched {
	return wallet.ReceiveUnmatched{ProviderRef: ref, Also: also, Channel: transfer, Provider: event.Vfd, Amount: 5_000 * money.Naira, Reason: "No reference.", PaidAt: Epoch}
}

func TestParkedMoneyMovesToThePaymentThatItTurnsOutToBe(t *testing.T) {
	t.Parallel()
	for name, ways := range map[string][2]any{
		"by its name":            {stray("s"), told("p", "s")},
		"by another of its own":  {stray("s", "n"), told("p", "n", "s")},
		"by another of the tale": {stray("n"), told("p", "s", "n")},
		"while it is proposed":   {[]event.Command{stray("s"), wallet.ProposeUnmatched{ProviderRef: "s", Provider: event.Vfd, User: "chidi", By: "femi", Reason: "His slip."}}, told("p", "s")},
	} {
		w := Given(t, begun("p"), begun("q"), ways[0])
		moved := w.When(ways[1].(event.Command))
		moved.ThenBalance("wallet:bisi", 5_000*money.Naira).ThenBalance(posting.Unmatched, 0).ThenBalance(posting.Bank(event.Vfd), -5_000*money.Naira)
		require.IsType(t, &nairav1.UnmatchedMatchedV2{}, moved.Decided[0].Message, name)
		for _, ref := range []string{"s", "n"} {
			if state := w.State(wallet.ArrivalStream(event.Vfd, ref)).(wallet.Arrival); state.Status == wallet.ArrivalNone {
				continue // Nobody told of it by this name.
			}
			again := told("q", ref, "s", "n")
			w.When(again).ThenFault(fault.Conflict)
			w.When(stray(ref, "s", "n")).ThenFault(fault.Conflict)
		}
		_, err := w.Do(wallet.DecideUnmatched{ProviderRef: "s", Provider: event.Vfd, User: "chidi", By: "sade", Approve: true})
		require.Error(t, err, name)
	}
}

func TestMoneyIsCreditedOnceByWhicheverOfItsNames(t *testing.T) {
	t.Parallel()
	w := Given(t, begun("p"), begun("q"), told("p", "s", "n"))
	for _, again := range []event.Command{told("q", "s"), told("q", "n", "s"), stray("s"), stray("n", "s"), wallet.HoldArrival{ProviderRef: "n", Channel: transfer, Provider: event.Vfd, Amount: 1, PaidAt: Epoch}} {
		w.When(again).ThenFault(fault.Conflict)
	}
	w.When(told("q", "n")).ThenFault(fault.Unavailable) // The caller looks the other names up first.
	w.And(told("q", "other"))
}

func TestMoneyThatWasAssignedIsNotAPaymentsAnyMore(t *testing.T) {
	t.Parallel()
	w := Given(t, begun("p"), stray("s"), wallet.ProposeUnmatched{ProviderRef: "s", Provider: event.Vfd, User: "bisi", By: "femi", Reason: "Her slip."},
		wallet.DecideUnmatched{ProviderRef: "s", Provider: event.Vfd, User: "bisi", By: "sade", Approve: true})
	require.Contains(t, w.When(told("p", "s")).ThenFault(fault.Conflict).Message, "our finance desk has credited it")
}

func TestTwoGatewaysMayHaveOneNameForDifferentMoney(t *testing.T) {
	t.Parallel()
	other := stray("7")
	other.Provider = event.Paystack
	w := Given(t, stray("7"), other)
	require.Equal(t, 10_000*money.Naira, w.Balance(posting.Unmatched))
	w.And(wallet.ProposeUnmatched{ProviderRef: "7", Provider: event.Paystack, User: "bisi", By: "femi", Reason: "Her slip."})
	w.When(wallet.DecideUnmatched{ProviderRef: "7", Provider: event.Vfd, User: "bisi", By: "sade", Approve: true}).ThenFault(fault.Conflict)
	w.When(wallet.DecideUnmatched{ProviderRef: "7", Provider: event.Paystack, User: "bisi", By: "sade", Approve: true}).ThenBalance("wallet:bisi", 5_000*money.Naira)
}

// Streams of money did not name their gateway once. What such a ledger has goes on.
func TestMoneyThatWasParkedBeforeStreamsNamedTheirGatewayGoesOn(t *testing.T) {
	t.Parallel()
	old := event.Draft{Stream: "unmatched:s", Message: &nairav1.UnmatchedMoneyReceivedV2{ProviderRef: "s", Channel: transfer, Provider: string(event.Vfd), AmountKobo: 5_000_00}}
	Given(t, old).When(stray("s")).ThenFault(fault.Conflict)
	Given(t, old, begun("p")).When(told("p", "s")).ThenBalance(posting.Unmatched, 0).ThenBalance("wallet:bisi", 5_000*money.Naira)
	Given(t, old, wallet.ProposeUnmatched{ProviderRef: "s", Provider: event.Vfd, User: "bisi", By: "femi", Reason: "Her slip."}).
		When(wallet.DecideUnmatched{ProviderRef: "s", Provider: event.Vfd, User: "bisi", By: "sade", Approve: true}).ThenBalance("wallet:bisi", 5_000*money.Naira)
	card := stray("s")
	card.Provider = event.Paystack
	require.NoError(t, Given(t, old).When(card).Err)
}

func TestAPersonSaysWhatHeldMoneyIs(t *testing.T) {
	t.Parallel()
	held := wallet.HoldArrival{ProviderRef: "n", Channel: transfer, Provider: event.Vfd, Amount: 5_000 * money.Naira, Reason: "No session.", PaidAt: Epoch}
	says := wallet.SettleHeld{ProviderRef: "n", Provider: event.Vfd, By: "femi", Reason: "The bank's letter.", PaidAt: Epoch}
	w := Given(t, begun("p"), held)
	require.Zero(t, w.Balance(posting.Unmatched), "it is posted nowhere")
	w.When(says).ThenBalance(posting.Unmatched, 5_000*money.Naira)
	w.When(says).ThenFault(fault.Conflict)

	same := says
	same.PaymentID = "p"
	Given(t, begun("p"), held).When(same).ThenField("paymentId") // It is not credited.
	w = Given(t, begun("p"), told("p", "s"), held)
	own := same
	own.By = "bisi"
	w.When(own).ThenFault(fault.Forbidden)
	w.When(same).ThenBalance(posting.Unmatched, 0).ThenBalance("wallet:bisi", 5_000*money.Naira)
	w.When(stray("n")).ThenFault(fault.Conflict)
	second, also := held, same
	second.ProviderRef, also.ProviderRef = "m", "m"
	w.And(second).When(also).ThenField("paymentId") // Two arrivals are never the money of one payment.
	less := held
	less.Amount--
	Given(t, begun("p"), told("p", "s"), less).When(same).ThenField("paymentId")
	// What is told of in another way meanwhile needs nobody.
	w = Given(t, begun("p"), held, told("p", "s", "n"))
	w.When(says).ThenFault(fault.Conflict)
}

func TestNothingIsCreditedToAClosedAccount(t *testing.T) {
	t.Parallel()
	Given(t, begun("p"), account.Close{User: "bisi"}).When(told("p", "s")).ThenFault(fault.Conflict)
	w := Given(t, stray("s"), wallet.ProposeUnmatched{ProviderRef: "s", Provider: event.Vfd, User: "bisi", By: "femi", Reason: "Her slip."}, account.Close{User: "bisi"})
	w.When(wallet.DecideUnmatched{ProviderRef: "s", Provider: event.Vfd, User: "bisi", By: "sade", Approve: true}).ThenFault(fault.Conflict)
}

func goesBack(gross money.Kobo, user string) wallet.TakeBackArrival {
	return wallet.TakeBackArrival{ProviderRef: "ref", Provider: event.Vfd, User: user, Gross: gross, BackRef: "back", Reason: "Sent by mistake"}
}

func TestParkedMoneyThatGoesBackLeavesSuspenseAndItsProposalEnds(t *testing.T) {
	t.Parallel()
	for _, past := range [][]any{{arrived}, {arrived, proposed}} {
		w := Given(t, append(past, goesBack(200*money.Naira, ""))...)
		require.Equal(t, 500*money.Naira, w.Balance(posting.Unmatched))
		require.Equal(t, -500*money.Naira, w.Balance(posting.Bank(event.Vfd)))
		w.When(agreed).ThenFault(fault.Conflict)
		w.And(proposed).When(agreed).ThenBalance("wallet:bisi", 500*money.Naira)

		w = Given(t, append(past, goesBack(700*money.Naira, ""))...)
		w.When(agreed).ThenFault(fault.Conflict)
		w.When(proposed).ThenFault(fault.Conflict)
		w.When(goesBack(700*money.Naira, "")).ThenBalance(posting.Unmatched, 0).ThenBalance(posting.Losses, -700*money.Naira)
	}
	Given(t, arrived).When(goesBack(710*money.Naira, "")).ThenBalance(posting.Unmatched, 0).ThenBalance(posting.Bank(event.Vfd), 10*money.Naira).ThenBalance(posting.Losses, -10*money.Naira)
	Given(t).When(goesBack(1, "")).ThenFault(fault.Conflict)
	Given(t, arrived).When(goesBack(0, "")).ThenFault(fault.Conflict)
	Given(t, arrived).When(goesBack(1, "bisi")).ThenFault(fault.Unavailable)
}

func TestAMemberOwesWhatGoesBackOfMoneyThatTheyWereGiven(t *testing.T) {
	t.Parallel()
	given := []any{arrived, proposed, agreed}
	spent := holds.Place{HoldID: "h", Account: "wallet:bisi", Amount: 600 * money.Naira, ExpiresAt: Epoch.Add(time.Hour), Now: Epoch}
	Given(t, given...).When(goesBack(700*money.Naira, "bisi")).ThenBalance("wallet:bisi", 0).ThenBalance(posting.Losses, 0).ThenBalance(posting.Bank(event.Vfd), 0)
	w := Given(t, append(given, spent)...)
	w.When(goesBack(700*money.Naira, "")).ThenFault(fault.Unavailable)
	w.When(goesBack(700*money.Naira, "bisi")).ThenBalance("wallet:bisi", 0).ThenBalance(posting.Owed("bisi"), -600*money.Naira).ThenBalance(posting.Losses, 0)
	w.When(goesBack(100*money.Naira, "bisi")).ThenBalance(posting.Owed("bisi"), -600*money.Naira).ThenBalance(posting.Losses, -100*money.Naira)
}

func TestMoneyOfWhichAPartWentBackIsNoPaymentsAnyMore(t *testing.T) {
	t.Parallel()
	whole := arrived
	whole.Amount = 20_000 * money.Naira
	w := Given(t, start(transfer, 20_000*money.Naira), whole, goesBack(100*money.Naira, ""))
	w.When(confirm(transfer, 20_000*money.Naira, 0)).ThenFault(fault.Conflict)
}
