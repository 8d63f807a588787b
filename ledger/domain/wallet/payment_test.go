package wallet_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

var expires = Epoch.Add(24 * time.Hour)

func tariff(channel nairav1.Channel) wallet.Tariff {
	if channel == card {
		return wallet.CardTariff
	}
	return wallet.Free
}

func start(channel nairav1.Channel, amount money.Kobo) wallet.StartPayment {
	return wallet.StartPayment{PaymentID: "p", User: "bisi", Channel: channel, Provider: event.ProviderOnce(channel), Tariff: tariff(channel), Amount: amount, ExpiresAt: expires}
}

func confirm(channel nairav1.Channel, gross, fee money.Kobo) wallet.ConfirmPayment {
	return wallet.ConfirmPayment{PaymentID: "p", User: "bisi", Provider: event.ProviderOnce(channel), Gross: gross, Fee: fee, ProviderRef: "ref", PaidAt: Epoch}
}

func end(to wallet.Status, now time.Time) wallet.EndPayment {
	return wallet.EndPayment{PaymentID: "p", To: to, Reason: "Declined", Now: now}
}

func TestAPaymentStartsWithItsChargeFromTheFeeTable(t *testing.T) {
	t.Parallel()
	Given(t).When(start(card, 5_000*money.Naira)).Then(&nairav1.PaymentInitiatedV2{
		PaymentId: "p", UserId: "bisi", Channel: card, Provider: string(event.Paystack), AmountKobo: 500_000, ChargeKobo: 17_767,
		ExpiresAt: timestamppb.New(expires), FeeTable: wallet.CardTariff.Table,
	})
}

func TestAPaymentHasBounds(t *testing.T) {
	t.Parallel()
	Given(t).When(start(transfer, wallet.MinPayment-1)).ThenField("amount")
	Given(t).When(start(transfer, wallet.MaxPayment+1)).ThenField("amount")
	Given(t).When(start(transfer, 0)).ThenField("amount")
	Given(t).When(start(transfer, -wallet.MinPayment)).ThenField("amount")
	Given(t).When(start(nairav1.Channel_CHANNEL_WALLET, wallet.MinPayment)).ThenField("channel")
	Given(t).When(start(nairav1.Channel_CHANNEL_UNSPECIFIED, wallet.MinPayment)).ThenField("channel")
	for _, nobody := range []event.Provider{"", "card"} {
		c := start(transfer, wallet.MinPayment)
		c.Provider = nobody
		Given(t).When(c).ThenField("channel")
	}
	require.NoError(t, Given(t).When(start(transfer, wallet.MinPayment)).Err)
	require.NoError(t, Given(t).When(start(card, wallet.MaxPayment)).Err)
}

// to are the ways into each state from a payment that was just started.
var to = map[wallet.Status][]any{
	wallet.None:      nil,
	wallet.Initiated: {start(transfer, 20_000*money.Naira)},
	wallet.Pending:   {start(transfer, 20_000*money.Naira), end(wallet.Pending, Epoch)},
	wallet.Confirmed: {start(transfer, 20_000*money.Naira), confirm(transfer, 20_000*money.Naira, 0)},
	wallet.Failed:    {start(transfer, 20_000*money.Naira), end(wallet.Failed, Epoch)},
	wallet.Expired:   {start(transfer, 20_000*money.Naira), end(wallet.Expired, expires)},
	wallet.Reversed:  {start(transfer, 20_000*money.Naira), confirm(transfer, 20_000*money.Naira, 0), reverse},
}

var reverse = wallet.ReversePayment{PaymentID: "p", User: "bisi", Provider: event.Vfd, ProviderRef: "back", Reason: "Sent by mistake"}

func TestAReversalUndoesEveryLineOfThePayment(t *testing.T) {
	t.Parallel()
	c := reverse
	c.Provider, c.FeeBack = event.Paystack, 170_00
	w := Given(t, start(card, 5_000*money.Naira), confirm(card, 5_177_67, 170_00), c)
	for account, balance := range w.Balances() {
		require.Zero(t, balance, account)
	}
	w.When(c).ThenFault(fault.Conflict)
}

func TestAGatewayThatKeepsItsFeeLeavesTheHouseWithIt(t *testing.T) {
	t.Parallel()
	c := reverse
	c.Provider = event.Paystack
	Given(t, start(card, 5_000*money.Naira), confirm(card, 5_177_67, 170_00)).When(c).
		ThenBalance("wallet:bisi", 0).ThenBalance(posting.Bank(event.Paystack), 170_00).ThenBalance(posting.FeesVariance, -170_00).ThenBalance(posting.FeesGateway, -170_00)
}

func TestAPaymentGoesBackInPartsAndAdashiBearsWhatIsBeyondIt(t *testing.T) {
	t.Parallel()
	part := func(gross money.Kobo, ref string) wallet.ReversePayment {
		c := reverse
		c.Provider, c.Gross, c.ProviderRef = event.Paystack, gross, ref
		return c
	}
	partly := []any{start(card, 5_000*money.Naira), confirm(card, 5_177_67, 0), part(2_000*money.Naira, "one")}
	w := Given(t, partly...)
	require.Equal(t, 3_000*money.Naira, w.Balance("wallet:bisi"))
	Given(t, partly...).When(part(3_177_68, "two")).ThenBalance("wallet:bisi", 0).ThenBalance(posting.Bank(event.Paystack), 1).ThenBalance(posting.Losses, -1)
	whole := append([]any{}, start(card, 5_000*money.Naira), confirm(card, 5_177_67, 0), part(0, "one"))
	Given(t, whole...).When(part(5_177_67, "two")).ThenBalance("wallet:bisi", 0).ThenBalance(posting.Owed("bisi"), 0).ThenBalance(posting.Losses, -5_177_67).Then(
		&nairav1.PaymentLossBorne{PaymentId: "p", UserId: "bisi", Provider: string(event.Paystack), AmountKobo: 5_177_67, BackRef: "two", Reason: "Sent by mistake"})
	Given(t, whole...).When(part(0, "two")).ThenFault(fault.Conflict)
	w.When(part(-1, "two")).ThenFault(fault.Conflict)
	w.When(part(3_177_67, "two")).ThenBalance("wallet:bisi", 0).ThenBalance(posting.Bank(event.Paystack), 0).ThenBalance(posting.FeesVariance, 0)
}

func TestOfItsFeeAGatewayGivesBackNoMoreThanItTookInAllParts(t *testing.T) {
	t.Parallel()
	part := func(ref string, fee money.Kobo) wallet.ReversePayment {
		c := reverse
		c.Provider, c.Gross, c.FeeBack, c.ProviderRef = event.Paystack, 1_000*money.Naira, fee, ref
		return c
	}
	w := Given(t, start(card, 5_000*money.Naira), confirm(card, 5_177_67, 170_00), part("one", 100_00))
	w.When(part("two", 70_01)).ThenFault(fault.Conflict)
	w.When(part("two", 70_00)).ThenBalance(posting.FeesGateway, 0)
}

func TestThePayerOwesWhatTheWalletNoLongerHas(t *testing.T) {
	t.Parallel()
	spent := holds.Place{HoldID: "h", Account: "wallet:bisi", Amount: 15_000 * money.Naira, ExpiresAt: expires, Now: Epoch}
	Given(t, append(to[wallet.Confirmed], spent)...).When(reverse).
		ThenBalance("wallet:bisi", 0).ThenBalance(posting.Owed("bisi"), -15_000*money.Naira).ThenBalance(posting.Losses, 0).ThenBalance(posting.Bank(event.Vfd), 0)
	c := reverse
	c.User = "chidi"
	Given(t, to[wallet.Confirmed]...).When(c).ThenFault(fault.NotFound)
	rapid.Check(t, func(t *rapid.T) {
		away := money.Kobo(rapid.Int64Range(1, 2_000_000).Draw(t, "spent"))
		back := money.Kobo(rapid.Int64Range(1, 2_000_000).Draw(t, "taken back"))
		c := reverse
		c.Gross = back
		spent := spent
		spent.Amount = away
		w := Given(t, append(to[wallet.Confirmed], spent, c)...)
		require.Equal(t, max(0, 2_000_000-away-back), w.Balance("wallet:bisi"))
		require.Equal(t, -max(0, away+back-2_000_000), w.Balance(posting.Owed("bisi")))
		require.Equal(t, back-2_000_000, w.Balance(posting.Bank(event.Vfd)))
	})
}

func TestMoneyThatABankHadInTimeIsThePaymentsAlsoOnceItLapsed(t *testing.T) {
	t.Parallel()
	ended := func(to wallet.Status, reason string) []any {
		c := end(to, expires)
		c.Reason = reason
		return []any{start(transfer, 20_000*money.Naira), c}
	}
	at := func(paid time.Time) wallet.ConfirmPayment {
		c := confirm(transfer, 20_000*money.Naira, 0)
		c.PaidAt = paid
		return c
	}
	for _, lapsed := range [][]any{ended(wallet.Expired, ""), ended(wallet.Failed, wallet.NothingCame)} {
		Given(t, lapsed...).When(at(expires)).ThenBalance("wallet:bisi", 20_000*money.Naira)
		Given(t, lapsed...).When(at(expires.Add(time.Second))).ThenFault(fault.Conflict)
	}
	Given(t, ended(wallet.Failed, "Declined")...).When(at(Epoch)).ThenFault(fault.Conflict)
}

func TestAPaymentTakesTheAllowedStepsAndNoOthers(t *testing.T) {
	t.Parallel()
	steps := map[wallet.Status]event.Command{
		wallet.Initiated: start(transfer, 20_000*money.Naira),
		wallet.Pending:   end(wallet.Pending, Epoch),
		wallet.Confirmed: confirm(transfer, 20_000*money.Naira, 0),
		wallet.Failed:    end(wallet.Failed, Epoch),
		wallet.Expired:   end(wallet.Expired, expires),
		wallet.Reversed:  reverse,
	}
	allowed := map[[2]wallet.Status]bool{
		{wallet.None, wallet.Initiated}:      true,
		{wallet.Initiated, wallet.Pending}:   true,
		{wallet.Initiated, wallet.Confirmed}: true,
		{wallet.Initiated, wallet.Failed}:    true,
		{wallet.Initiated, wallet.Expired}:   true,
		{wallet.Pending, wallet.Confirmed}:   true,
		{wallet.Pending, wallet.Failed}:      true,
		{wallet.Expired, wallet.Confirmed}:   true, // Its money was there in time.
		{wallet.Confirmed, wallet.Reversed}:  true,
	}
	for from, past := range to {
		for next, step := range steps {
			t.Run(string(from)+" to "+string(next), func(t *testing.T) {
				t.Parallel()
				outcome := Given(t, past...).When(step)
				switch {
				case allowed[[2]wallet.Status{from, next}]:
					require.NoError(t, outcome.Err)
					require.Equal(t, next, outcome.State(wallet.Stream("p")).(wallet.Payment).Status)
				case from == wallet.None:
					outcome.ThenFault(fault.NotFound)
				default:
					outcome.ThenFault(fault.Conflict)
				}
			})
		}
	}
}

func TestAPaymentExpiresAtItsTimeAndNotBefore(t *testing.T) {
	t.Parallel()
	Given(t, to[wallet.Initiated]...).When(end(wallet.Expired, expires.Add(-time.Microsecond))).ThenFault(fault.Conflict)
	Given(t, to[wallet.Initiated]...).When(end(wallet.Expired, expires)).Then(&nairav1.PaymentExpired{PaymentId: "p", UserId: "bisi"})
}

func TestOnlyAConfirmedPaymentMovesMoney(t *testing.T) {
	t.Parallel()
	for status, past := range to {
		w := Given(t, past...)
		switch status {
		case wallet.Reversed:
			require.Zero(t, w.Balance("wallet:bisi"))
			continue
		case wallet.Confirmed:
			require.Equal(t, 20_000*money.Naira, w.Balance("wallet:bisi"))
			continue
		}
		require.Empty(t, w.Balances(), "%s", status)
	}
}

func TestMoneyThatIsNotThePaymentsIsRefused(t *testing.T) {
	t.Parallel()
	started := start(card, 5_000*money.Naira)
	due := 5_000*money.Naira + 17_767
	for name, c := range map[string]struct {
		command wallet.ConfirmPayment
		code    fault.Code
	}{
		"a kobo less":          {confirm(card, due-1, 0), fault.Conflict},
		"a kobo more":          {confirm(card, due+1, 0), fault.Conflict},
		"the net alone":        {confirm(card, 5_000*money.Naira, 0), fault.Conflict},
		"a fee below zero":     {confirm(card, due, -1), fault.Conflict},
		"a fee above it all":   {confirm(card, due, due+1), fault.Conflict},
		"over another channel": {confirm(transfer, due, 0), fault.NotFound},
		"for somebody else":    {wallet.ConfirmPayment{PaymentID: "p", User: "chidi", Provider: event.Paystack, Gross: due}, fault.NotFound},
		"for another payment":  {wallet.ConfirmPayment{PaymentID: "q", User: "bisi", Provider: event.Paystack, Gross: due}, fault.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			Given(t, started).When(c.command).ThenFault(c.code)
		})
	}
}

func TestACardPaymentIsPostedAsTheGatewayTookIt(t *testing.T) {
	t.Parallel()
	const gross = 517_767
	for name, c := range map[string]struct{ fee, bank, variance money.Kobo }{
		"the fee as charged":           {17_767, -500_000, 0},
		"a gateway that took less":     {17_000, -500_767, 767},
		"a gateway that took more":     {18_000, -499_767, -233},
		"a gateway that took nothing":  {0, -gross, 17_767},
		"a gateway that took the lot":  {gross, 0, 17_767 - gross},
		"a fee a kobo off the charge":  {17_766, -500_001, 1},
		"a fee a kobo past the charge": {17_768, -499_999, -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			Given(t, start(card, 5_000*money.Naira)).When(confirm(card, gross, c.fee)).
				ThenBalance("wallet:bisi", 5_000*money.Naira).
				ThenBalance(posting.Bank(event.Paystack), c.bank).
				ThenBalance(posting.FeesGateway, -c.fee).
				ThenBalance(posting.FeesCharged, c.fee).
				ThenBalance(posting.FeesVariance, c.variance)
		})
	}
}

func TestATransferIsPostedWhole(t *testing.T) {
	t.Parallel()
	w := Given(t, to[wallet.Confirmed]...)
	require.Equal(t, map[string]money.Kobo{"wallet:bisi": 2_000_000, posting.Bank(event.Vfd): -2_000_000}, w.Balances())
}

func TestWhateverTheGatewayTakesTheWalletGetsTheAmountAndTheLedgerSumsToNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := money.Kobo(rapid.Int64Range(int64(wallet.MinPayment), int64(wallet.MaxPayment)).Draw(t, "amount"))
		channel := rapid.SampledFrom([]nairav1.Channel{card, transfer}).Draw(t, "channel")
		gross := amount + tariff(channel).Charge(amount)
		fee := money.Kobo(rapid.Int64Range(0, int64(gross)).Draw(t, "fee"))
		w := Given(t, start(channel, amount), confirm(channel, gross, fee))
		var sum money.Kobo
		for _, balance := range w.Balances() {
			sum += balance
		}
		require.Zero(t, sum)
		require.Equal(t, amount, w.Balance("wallet:bisi"))
		require.Equal(t, -(gross - fee), w.Balance(posting.Bank(event.ProviderOnce(channel))))
	})
}

func TestMoneyThatFitsNoPaymentWaitsInSuspenseOnce(t *testing.T) {
	t.Parallel()
	arrival := wallet.ReceiveUnmatched{ProviderRef: "ref", Channel: transfer, Provider: event.Vfd, Amount: 700 * money.Naira, Reference: "p", Reason: "No such payment.", PaidAt: Epoch}
	outcome := Given(t).When(arrival)
	outcome.ThenBalance(posting.Unmatched, 700*money.Naira).ThenBalance(posting.Bank(event.Vfd), -700*money.Naira)
	outcome.When(arrival).ThenFault(fault.Conflict)
	for _, amount := range []money.Kobo{0, -1, money.Max + 1} {
		arrival.Amount = amount
		Given(t).When(arrival).ThenFault(fault.Conflict)
	}
}

func TestAWalletIsNotFundedOverItsCap(t *testing.T) {
	t.Parallel()
	w := Given(t, start(transfer, 5_000*money.Naira), confirm(transfer, 5_000*money.Naira, 0))
	more := wallet.StartPayment{PaymentID: "q", User: "bisi", Channel: transfer, Provider: event.Vfd, Amount: 5_000*money.Naira + 1, ExpiresAt: expires, Cap: 10_000 * money.Naira}
	_, err := w.Do(more)
	require.True(t, fault.Is(err, fault.Insufficient))
	require.Contains(t, err.Error(), "may hold up to ₦10,000.00, and yours holds ₦5,000.00, so you can still pay in ₦5,000.00")
	through := more
	through.For = &nairav1.ContributionPurpose{GroupId: "g", SubAccountId: "s"}
	w.When(through).ThenFault(fault.Insufficient) // The group may refuse it, and it stays in the wallet.
	through.Amount = 3_000 * money.Naira
	w.And(through)
	more.PaymentID, more.Amount = "r", 2_001*money.Naira
	w.When(more).ThenFault(fault.Unavailable) // It was decided on before the other was started.
	more.UnderWay = []string{"q"}
	require.Contains(t, w.When(more).ThenFault(fault.Insufficient).Message, "has ₦3,000.00 on its way, so you can still pay in ₦2,000.00")
	more.Amount = 2_000 * money.Naira
	w.And(more)
	next := more
	next.PaymentID, next.UnderWay = "s", []string{"q", "r"}
	w.When(next).ThenFault(fault.Insufficient)
	w.And(wallet.EndPayment{PaymentID: "q", To: wallet.Failed, Reason: "No money came"}).And(next)
}
