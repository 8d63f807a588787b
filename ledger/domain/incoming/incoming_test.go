package incoming_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/incoming"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

const (
	ada = "wallet:ada"
	set = "held:wallet:ada"
)

// comes is that money comes into Ada's wallet, through the bank.
func comes(id string, amount money.Kobo, by nairav1.Channel, provider event.Provider) []any {
	return []any{
		wallet.StartPayment{PaymentID: id, User: "ada", Channel: by, Provider: provider, Amount: amount, ExpiresAt: Epoch.Add(time.Hour)},
		incoming.Around(uuid.New(), wallet.ConfirmPayment{PaymentID: id, User: "ada", Gross: amount, Provider: provider, ProviderRef: "ref " + id, PaidAt: Epoch}),
	}
}

func byBank(id string, amount money.Kobo) []any {
	return comes(id, amount, nairav1.Channel_CHANNEL_BANK_TRANSFER, event.Vfd)
}

var owes = event.On(wallet.DebtStream("ada"), &nairav1.DebtOpened{UserId: "ada", PaymentId: "p", AmountKobo: 4_000_00})

// spends takes all that Ada has.
func spends(amount money.Kobo) event.Draft {
	return event.On("dues:s:ada", &nairav1.ContributionReceived{GroupId: "g", SubAccountId: "s", UserId: "ada", AmountKobo: int64(amount)})
}

func TestMoneyThatComesInPaysWhatIsOwedFirst(t *testing.T) {
	t.Parallel()
	w := Given(t, owes, spends(4_000_00)).And(byBank("one", 1_000_00)...)
	require.Equal(t, money.Kobo(-3_000_00), w.Balance(posting.Owed("ada")))
	require.Zero(t, w.Balance(ada))
	w.And(byBank("two", 5_000_00)...)
	require.Zero(t, w.Balance(posting.Owed("ada")))
	require.Equal(t, money.Kobo(2_000_00), w.Balance(ada), "the rest is Ada's")
}

func TestAWithdrawalThatComesBackPaysWhatIsOwed(t *testing.T) {
	t.Parallel()
	w := Given(t, account.EndCheck("ada", "c", 0)).And(byBank("one", 4_000_00)...)
	tiers := account.DefaultTiers
	net := 4_000_00 - payout.ChargesOn(4_000_00).Total()
	w.And(payout.Request{WithdrawalID: "w", User: "ada", Amount: 4_000_00, Net: net, Provider: event.Vfd, Tiers: tiers, At: Epoch},
		payout.Send("w", "ada", "r", Epoch), payout.Pay("w", "ada", event.Vfd, payout.Receipt{ProviderRef: "b", PaidAt: Epoch}))
	w.And(wallet.ReversePayment{PaymentID: "one", User: "ada", Provider: event.Vfd, ProviderRef: "back", At: Epoch})
	require.Equal(t, money.Kobo(-4_000_00), w.Balance(posting.Owed("ada")))
	w.And(incoming.Around(uuid.New(), payout.Reverse("w", "ada", event.Vfd, "b", "Returned")))
	require.Zero(t, w.Balance(posting.Owed("ada")))
	require.Zero(t, w.Balance(ada), "it is not paid a second time")
}

func TestMoneyThatComesIntoAFrozenWalletIsSetAsideAtOnceAfterWhatIsOwed(t *testing.T) {
	t.Parallel()
	w := Given(t, account.Freeze{User: "ada", HoldID: "h", Now: Epoch}, owes, spends(4_000_00)).And(byBank("one", 9_000_00)...)
	require.Zero(t, w.Balance(ada))
	require.Equal(t, money.Kobo(5_000_00), w.Balance(set))
	w.And(account.AskThaw{User: "ada", Now: Epoch})
	frozen := event.StateOf[account.Account](w, account.Stream("ada")).FrozenHolds
	require.Len(t, frozen, 1)
	w.And(incoming.Around(uuid.New(), account.Thaw{User: "ada", Holds: frozen, Now: Epoch.Add(account.ThawAfter)}))
	require.Equal(t, money.Kobo(5_000_00), w.Balance(ada), "a thaw is not frozen again")
}

func TestWhatIsTakenOutInTheSameStepDoesNotEnterTheWallet(t *testing.T) {
	t.Parallel()
	w := Given(t, account.Freeze{User: "ada", HoldID: "h", Now: Epoch}, owes, spends(4_000_00))
	paid := Raw{
		event.On("payment:p", &nairav1.PaymentConfirmedV2{PaymentId: "p", UserId: "ada", Channel: nairav1.Channel_CHANNEL_CARD, Provider: "paystack", AmountKobo: 500_00}),
		event.On("dues:s:ada", &nairav1.ContributionReceived{GroupId: "g", SubAccountId: "s", UserId: "ada", AmountKobo: 500_00, PaymentId: "p"}),
	}
	w.When(incoming.Around(uuid.New(), paid)).ThenBalance("pool:s", 4_500_00).ThenBalance(posting.Owed("ada"), -4_000_00)
	cards := event.StateOf[wallet.Cards](w, wallet.CardsStream("ada"))
	require.Equal(t, money.Kobo(500_00), cards.Young("s", Epoch, time.Hour))
	require.Zero(t, cards.Young("", Epoch, time.Hour))
}

func TestWhatOnlyTakesIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	for _, c := range []event.Command{dues.Contribute{User: "ada"}, dues.Cover{By: "ada"}, payout.Request{User: "ada"}, ajopot.Pay{By: "ada"}} {
		require.IsType(t, c, incoming.Around(uuid.New(), c))
		require.Implements(t, (*incoming.OnlyTakes)(nil), c)
	}
	late := ajopot.Pay{By: "ada", People: []string{"bisi"}}
	require.NotEqual(t, late, incoming.Around(uuid.New(), late), "what is told late may go to other members")
}

func TestCardMoneyGoesToABankAfterThreeDays(t *testing.T) {
	t.Parallel()
	asks := func(amount money.Kobo, at time.Time) payout.Request {
		return payout.Request{WithdrawalID: "w", User: "ada", Amount: amount, Net: amount - payout.ChargesOn(amount).Total(), Provider: event.Vfd, Tiers: account.DefaultTiers, CardHold: wallet.CardHold, At: at}
	}
	w := Given(t, account.EndCheck("ada", "c", 0)).And(byBank("one", 1_000_00)...).And(comes("two", 5_000_00, nairav1.Channel_CHANNEL_CARD, event.Provider("free"))...)
	refused := w.When(asks(1_500_00, Epoch.Add(time.Hour))).ThenFault(fault.Insufficient)
	require.Contains(t, refused.Message, "₦5,000.00 of your wallet came by card")
	require.Contains(t, refused.Message, "18 November 2026, 12:00")
	require.NoError(t, w.When(asks(1_000_00, Epoch.Add(time.Hour))).Err)
	late := asks(5_000_00, Epoch.Add(wallet.CardHold))
	late.WithdrawalID = "later"
	require.NoError(t, w.When(late).Err)
}
