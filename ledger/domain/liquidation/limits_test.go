package liquidation_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

// approved is that a member's own savings are about to be sent to their bank.
func approved(id string, amount money.Kobo) []any {
	return []any{
		event.On(liquidation.Stream(id), &nairav1.LiquidationAskedV2{
			LiquidationId: id, GroupId: "g", SubAccountId: "s", RequestedBy: "bisi", AmountKobo: int64(amount), Provider: string(event.Vfd), ExpiresAt: timestamppb.New(Epoch.Add(liquidation.Open)),
		}),
		event.On(liquidation.Stream(id), &nairav1.LiquidationApproved{LiquidationId: id, GroupId: "g", ApprovedBy: "bola", Approvals: 1, Needed: 1}),
	}
}

func about(w *World, id string) liquidation.Of {
	return liquidation.About(id, event.StateOf[liquidation.Liquidation](w, liquidation.Stream(id)))
}

func TestSavingsThatGoToTheirMembersBankCountTowardsTheLimitOfTheDay(t *testing.T) {
	t.Parallel()
	limits := liquidation.Limits{Tiers: account.DefaultTiers}
	w := Given(t, account.EndCheck("bisi", "c", 0), approved("l", 30_000*money.Naira), approved("m", 21_000*money.Naira))
	w.And(liquidation.SendWithin(about(w, "l"), "r", Epoch, limits))
	require.Contains(t, w.When(liquidation.SendWithin(about(w, "m"), "r", Epoch, limits)).ThenFault(fault.Conflict).Message, "It is paid tomorrow")
	w.And(event.On("correction:d", &nairav1.AdjustmentPosted{UserId: "bisi", AmountKobo: 90_000_00}))
	asks := payout.Request{WithdrawalID: "w", User: "bisi", Amount: 21_000 * money.Naira, Net: 21_000*money.Naira - payout.ChargesOn(21_000*money.Naira).Total(), Provider: event.Vfd, Tiers: account.DefaultTiers, At: Epoch}
	w.When(asks).ThenFault(fault.Insufficient)
	require.NoError(t, w.When(liquidation.SendWithin(about(w, "m"), "r", Epoch.AddDate(0, 0, 1), limits)).Err)
}

func TestSavingsThatACardPaidInWait(t *testing.T) {
	t.Parallel()
	limits := liquidation.Limits{CardHold: wallet.CardHold}
	w := Given(t, event.On(wallet.CardsStream("bisi"), &nairav1.CardMoneyReceived{UserId: "bisi", PaymentId: "p", AmountKobo: 9_000_00, SubAccountId: "s"}), approved("l", 9_000*money.Naira))
	require.Contains(t, w.When(liquidation.SendWithin(about(w, "l"), "r", Epoch.Add(time.Hour), limits)).ThenFault(fault.Conflict).Message, "18 November 2026, 12:00")
	require.NoError(t, w.When(liquidation.SendWithin(about(w, "l"), "r", Epoch.Add(wallet.CardHold), limits)).Err)
}
