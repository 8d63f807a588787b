package payout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

func TestATakenBackPaymentComesOutOfWhatIsHeldBeforeAnythingIsOwed(t *testing.T) {
	t.Parallel()
	const naira = money.Naira
	paid := func(id string, amount money.Kobo) []any {
		return []any{
			wallet.StartPayment{PaymentID: id, User: "ada", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: amount, ExpiresAt: Epoch.AddDate(0, 0, 1)},
			wallet.ConfirmPayment{PaymentID: id, User: "ada", Gross: amount, Provider: event.Vfd, ProviderRef: "ref " + id, PaidAt: Epoch},
		}
	}
	asks := func(id string, amount money.Kobo) payout.Request {
		return payout.Request{WithdrawalID: id, User: "ada", Amount: amount, Net: amount - payout.ChargesOn(amount).Total(), Provider: event.Vfd, Tiers: account.DefaultTiers, At: Epoch}
	}
	back := func(gross money.Kobo, frozen ...account.FrozenHold) payout.TakenBack {
		return payout.TakenBack{
			Command: wallet.ReversePayment{PaymentID: "p", User: "ada", Provider: event.Vfd, Gross: gross, ProviderRef: "back", At: Epoch}, User: "ada",
			Frozen: frozen, Unsent: []string{"one", "two", "sent"},
		}
	}
	past := func(more ...any) []any {
		return append(append([]any{account.EndCheck("ada", "c", 0)}, paid("p", 20_000*naira)...), more...)
	}
	owed, own, held := posting.Owed("ada"), posting.Wallet("ada"), posting.Held(posting.Wallet("ada"))

	w := Given(t, past(asks("one", 4_000*naira), asks("two", 5_000*naira), asks("sent", 6_000*naira), payout.Send("sent", "ada", "r", Epoch))...)
	o := w.When(back(12_000*naira)).ThenBalance(own, 2_000*naira).ThenBalance(held, 6_000*naira).ThenBalance(owed, 0)
	require.Equal(t, payout.Failed, event.StateOf[payout.Withdrawal](o, payout.Stream("two")).Status, "both are called off")
	require.Equal(t, 6_000*naira, event.StateOf[payout.Outflow](o, payout.OutflowStream("ada")).Total, "and use none of the day's limit")
	w = Given(t, past(asks("sent", 6_000*naira), payout.Send("sent", "ada", "r", Epoch))...)
	w.When(back(0)).ThenBalance(own, 0).ThenBalance(held, 6_000*naira).ThenBalance(owed, -6_000*naira)

	w = Given(t, past(account.Freeze{User: "ada", HoldID: "f", Now: Epoch})...)
	w.When(back(8_000 * naira)).ThenFault(fault.Unavailable)
	o = w.When(back(8_000*naira, account.FrozenHold{ID: "f", Amount: 20_000 * naira})).ThenBalance(own, 0).ThenBalance(held, 12_000*naira).ThenBalance(owed, 0)
	require.Equal(t, []account.FrozenHold{{ID: "f", Amount: 12_000 * naira}}, event.StateOf[account.Account](o, account.Stream("ada")).FrozenHolds)
}

func TestNothingLeavesForABankWhileItsMemberOwesOrIsFrozen(t *testing.T) {
	t.Parallel()
	for name, happens := range map[string]event.Draft{
		"owes":   event.On(wallet.DebtStream("ada"), &nairav1.DebtOpened{UserId: "ada", AmountKobo: 4_000_00}),
		"frozen": event.On(account.Stream("ada"), &nairav1.OutgoingFrozen{UserId: "ada"}),
	} {
		w := Given(t, account.EndCheck("ada", "c", 0), event.On("correction:d", &nairav1.AdjustmentPosted{UserId: "ada", AmountKobo: 9_000_00}))
		asks := func(id string) payout.Request {
			return payout.Request{WithdrawalID: id, User: "ada", Amount: 1_000_00, Net: 1_000_00 - payout.ChargesOn(1_000_00).Total(), Provider: event.Vfd, Tiers: account.DefaultTiers, At: Epoch}
		}
		w.And(asks("w"))
		w.When(payout.Stop("w", "ada")).ThenFault(fault.Conflict)
		w.And(happens)
		refused := w.When(payout.Send("w", "ada", "r", Epoch)).ThenFault(fault.Conflict)
		if name == "owes" {
			require.Contains(t, refused.Message, "₦4,000.00 is owed")
		}
		w.When(asks("later")).ThenFault(fault.Conflict)
		w.When(payout.Stop("w", "ada")).ThenBalance(posting.Held(posting.Wallet("ada")), 0)
	}
}
