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

// owing is Bisi, who spent ₦15,000 of ₦20,000 that her bank took back.
func owing() []any {
	spent := holds.Place{HoldID: "h", Account: "wallet:bisi", Amount: 15_000 * money.Naira, ExpiresAt: expires, Now: Epoch}
	return append(append([]any{}, to[wallet.Confirmed]...), spent, reverse)
}

func TestAWriteOffTakesTwoOfTheDeskAndNotItsMember(t *testing.T) {
	t.Parallel()
	proposed := wallet.ProposeWriteOff{User: "bisi", ProposalID: "p1", By: "fola", Reason: "She has died"}
	agrees := wallet.DecideWriteOff{User: "bisi", Seen: "p1", By: "gbenga", Approve: true}
	Given(t).When(proposed).ThenFault(fault.Conflict)
	own := proposed
	own.By = "bisi"
	Given(t, owing()...).When(own).ThenFault(fault.Forbidden)
	w := Given(t, append(owing(), proposed)...)
	w.When(proposed).ThenFault(fault.Conflict)
	for by, code := range map[string]fault.Code{"fola": fault.Forbidden, "bisi": fault.Forbidden} {
		c := agrees
		c.By = by
		w.When(c).ThenFault(code)
	}
	other := agrees
	other.Seen = "p2"
	w.When(other).ThenFault(fault.Conflict)
	w.When(agrees).ThenBalance(posting.Owed("bisi"), 0).ThenBalance(posting.Losses, -15_000*money.Naira)
	w.When(agrees).ThenFault(fault.Conflict)
}

func TestAProposalEndsWhenTheDebtChanges(t *testing.T) {
	t.Parallel()
	w := Given(t, append(owing(), wallet.ProposeWriteOff{User: "bisi", ProposalID: "p1", By: "fola", Reason: "She has died"},
		event.On(wallet.DebtStream("bisi"), &nairav1.DebtOpened{UserId: "bisi", PaymentId: "q", AmountKobo: 100}))...)
	w.When(wallet.DecideWriteOff{User: "bisi", Seen: "p1", By: "gbenga", Approve: true}).ThenFault(fault.Conflict)
}

func TestWhoOwesDoesNotCloseTheirAccount(t *testing.T) {
	t.Parallel()
	w := Given(t, append(owing(), holds.Capture("h", "wallet:bisi", "pool:s", 15_000*money.Naira, Epoch))...)
	require.Contains(t, w.When(account.Close{User: "bisi"}).ThenFault(fault.Conflict).Message, "₦15,000")
}

func TestTwoChargebacksIn180DaysLockCardPaymentsUntilTheDeskHasLooked(t *testing.T) {
	t.Parallel()
	back := func(at time.Time, asked bool) event.Draft {
		w := Given(t, start(card, 5_000*money.Naira), confirm(card, 5_177_67, 170_00))
		c := reverse
		c.Provider, c.At, c.AskedFor = event.Paystack, at, asked
		drafts, err := w.Do(c)
		require.NoError(t, err)
		return drafts[len(drafts)-1]
	}
	locked := func(past ...any) bool {
		return event.StateOf[wallet.Cards](Given(t, past...), wallet.CardsStream("bisi")).Locked
	}
	require.False(t, back(Epoch, false).Message.(*nairav1.CardMoneyTakenBack).GetLocks())
	again := func(after time.Duration, asked bool) []any {
		c := reverse
		c.Provider, c.At, c.AskedFor = event.Paystack, Epoch.Add(after), asked
		return []any{start(card, 5_000*money.Naira), confirm(card, 5_177_67, 170_00), back(Epoch, false), Epoch.Add(after), c}
	}
	require.True(t, locked(again(179*24*time.Hour, false)...))
	require.False(t, locked(again(181*24*time.Hour, false)...))
	require.False(t, locked(again(time.Hour, true)...), "the member had asked for it")

	other := start(card, 900*money.Naira)
	other.PaymentID = "next"
	w := Given(t, again(time.Hour, false)...)
	w.When(other).ThenField("channel")
	byTransfer := start(transfer, 900*money.Naira)
	byTransfer.PaymentID = "next"
	require.NoError(t, w.When(byTransfer).Err)
	w.When(wallet.UnlockCards{User: "bisi", By: "bisi", Reason: "Mine"}).ThenFault(fault.Forbidden)
	w.When(wallet.UnlockCards{User: "bisi", By: "fola"}).ThenField("reason")
	other.PaymentID = "later"
	require.NoError(t, w.And(wallet.UnlockCards{User: "bisi", By: "fola", Reason: "Her bank was wrong"}).When(other).Err)
}
