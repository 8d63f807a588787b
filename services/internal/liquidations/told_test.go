package liquidations_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/services/internal/apptest"
)

// isTold is what the plain member was told, newest first.
func isTold(w *apptest.Town) (titles []string) {
	require.NoError(w, w.Engine.CatchUp(context.Background()))
	page, err := w.App.Notices.Notifications(context.Background(), w.Member.User, nil, 50)
	require.NoError(w, err)
	for _, n := range page.Notifications {
		titles = append(titles, n.Data.Title+": "+n.Data.Body)
	}
	return titles
}

// docs/rules.md: each member gets a notice of each payment of the group, and of what becomes of it.
func TestEveryMemberIsToldWhatBecameOfAPaymentOfTheGroup(t *testing.T) {
	t.Parallel()
	agreed := func(w *apptest.Town, id string) {
		require.NoError(w, saysYes(w, w.Validator, id))
		require.NoError(w, saysYes(w, w.Approver, id))
	}
	for name, ends := range map[string]func(w *apptest.Town, id string){
		"called off": func(w *apptest.Town, id string) {
			_, _, err := w.App.Liquidations.CancelLiquidation(context.Background(), w.Owner, id)
			require.NoError(w, err)
		},
		"rejected": func(w *apptest.Town, id string) {
			_, _, err := w.App.Liquidations.DecideLiquidation(context.Background(), w.Validator, w.Group, id, false, "No invoice", yes)
			require.NoError(w, err)
		},
		"ran out": func(w *apptest.Town, id string) {
			require.NoError(w, w.App.At(time.Now().Add(liquidation.Open+time.Hour)).Liquidations.ExpireRequests(context.Background()))
		},
		"sent back": func(w *apptest.Town, id string) {
			ctx := context.Background()
			agreed(w, id)
			require.NoError(w, w.App.At(time.Now().Add(25*time.Hour)).Payouts.SendPayouts(ctx))
			require.Contains(w, isTold(w)[0], "has paid")
			w.BankSays("UPDATE sandbox_payouts SET reversed_at = now()")
			_, err := w.App.At(time.Now().Add(26*time.Hour)).Payouts.AskPayout(ctx, id)
			require.NoError(w, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := town(t)
			made, err := asks(w, w.Owner, contract.GROUPDISBURSEMENT, 1_000)
			require.NoError(t, err)
			require.Contains(t, isTold(w)[0], "is asked to pay")
			ends(w, made.Id)
			state, err := w.App.LiquidationState(context.Background(), made.Id)
			require.NoError(t, err)
			require.Contains(t, []liquidation.Status{liquidation.Cancelled, liquidation.ValidationRejected, liquidation.Expired, liquidation.Reversed}, state.Status)
			last := isTold(w)[0]
			require.NotContains(t, last, "is asked to pay", "it is the last that the member heard of it")
			require.NotContains(t, last, "has paid", "it is the last that the member heard of it")
		})
	}
}

func TestAnInactiveMemberIsToldNoAmountOfAPaymentOfTheGroup(t *testing.T) {
	t.Parallel()
	w := town(t)
	asked := func() string {
		made, err := asks(w, w.Owner, contract.GROUPDISBURSEMENT, 1_000)
		require.NoError(t, err)
		last := isTold(w)[0]
		_, _, err = w.App.Liquidations.CancelLiquidation(context.Background(), w.Owner, made.Id)
		require.NoError(t, err)
		return last
	}
	require.Contains(t, asked(), "₦1,000.00")
	_, err := w.App.Groups.DeactivateMember(context.Background(), w.Owner, w.Group, w.Member.User, "Away for a year")
	require.NoError(t, err)
	require.Contains(t, asked(), "to pay money of Balogun Traders")
	_, _, err = w.App.Groups.ApproveMember(context.Background(), w.Owner, w.Group, w.Member.User)
	require.NoError(t, err)
	require.Contains(t, asked(), "₦1,000.00")
}
