package account_test

import (
	"testing"
	"time"

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

// paidIn is so much money in Ada's wallet.
func paidIn(id string, amount money.Kobo) []any {
	return []any{
		wallet.StartPayment{PaymentID: id, User: "ada", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: amount, ExpiresAt: Epoch.Add(time.Hour)},
		wallet.ConfirmPayment{PaymentID: id, User: "ada", Provider: event.Vfd, Gross: amount, ProviderRef: id, PaidAt: Epoch},
	}
}

func TestFrozenMoneyNeverLeaves(t *testing.T) {
	t.Parallel()
	w := Given(t, account.EndCheck("ada", "c", matched), paidIn("p1", 900*money.Naira))
	w.When(account.Freeze{User: "ada", HoldID: "h1", DisputeID: "d", Now: Epoch}).
		ThenBalance(posting.Wallet("ada"), 0).ThenBalance(posting.Held(posting.Wallet("ada")), 900*money.Naira)
	w.When(account.Freeze{User: "ada", HoldID: "h2", Now: Epoch}).ThenFault(fault.Conflict)
	w.When(account.Freeze{User: "ada", HoldID: "h2", Keep: true, Now: Epoch}).ThenFault(fault.Conflict)
	w.And(paidIn("p2", 200*money.Naira))
	charges := payout.ChargesOn(200 * money.Naira)
	refused(t, w, payout.Request{
		WithdrawalID: "w", User: "ada", Amount: 200 * money.Naira, Net: 200*money.Naira - charges.Total(), Provider: event.Vfd, Tiers: account.Tiers{1: {Daily: money.Max}}, At: Epoch,
	}, fault.Conflict, "You froze your money")
	w.When(account.Freeze{User: "ada", HoldID: "h2", Keep: true, Now: Epoch}).ThenBalance(posting.Held(posting.Wallet("ada")), 1100*money.Naira)
	refused(t, w, account.Close{User: "ada"}, fault.Conflict, "set aside")
}

func TestAThawTakesADayAndGivesAllBack(t *testing.T) {
	t.Parallel()
	w := Given(t, paidIn("p1", 900*money.Naira), account.Freeze{User: "ada", HoldID: "h1", Now: Epoch}, paidIn("p2", 200*money.Naira), account.Freeze{User: "ada", HoldID: "h2", Keep: true, Now: Epoch})
	thaw := account.Thaw{User: "ada", Holds: []account.FrozenHold{{ID: "h1", Amount: 900 * money.Naira}, {ID: "h2", Amount: 200 * money.Naira}}, Now: Epoch.Add(24 * time.Hour)}
	refused(t, w, thaw, fault.Conflict, "nothing to thaw")
	w.And(account.AskThaw{User: "ada", Now: Epoch})
	refused(t, w, account.AskThaw{User: "ada", Now: Epoch}, fault.Conflict, "asked for this already")
	early := thaw
	early.Now = Epoch.Add(24*time.Hour - time.Microsecond)
	refused(t, w, early, fault.Conflict, "too early")
	less := thaw
	less.Holds = less.Holds[:1]
	refused(t, w, less, fault.Conflict, "More money came in")
	w.When(thaw).ThenBalance(posting.Wallet("ada"), 1100*money.Naira).ThenBalance(posting.Held(posting.Wallet("ada")), 0)
	require.Equal(t, account.Account{}, w.State(account.Stream("ada")))
	refused(t, w, account.AskThaw{User: "ada", Now: Epoch}, fault.Conflict, "not frozen")
}

func TestWhoFreezesAgainTakesTheThawBack(t *testing.T) {
	t.Parallel()
	w := Given(t, account.Freeze{User: "ada", HoldID: "h1", Now: Epoch}, account.AskThaw{User: "ada", Now: Epoch}, account.Freeze{User: "ada", HoldID: "h2", Now: Epoch})
	require.Equal(t, account.Account{Frozen: true}, w.State(account.Stream("ada")))
	refused(t, w, account.Thaw{User: "ada", Now: Epoch.Add(900 * time.Hour)}, fault.Conflict, "nothing to thaw")
}

func TestWhatComesInWhileAThawIsWaitedForStaysFrozen(t *testing.T) {
	t.Parallel()
	w := Given(t, account.Freeze{User: "ada", HoldID: "h1", Now: Epoch}, account.AskThaw{User: "ada", Now: Epoch}, paidIn("p1", 100*money.Naira))
	w.When(account.Freeze{User: "ada", HoldID: "h2", Keep: true, Now: Epoch}).ThenBalance(posting.Wallet("ada"), 0)
	require.False(t, w.State(account.Stream("ada")).(account.Account).ThawAt.IsZero())
}
