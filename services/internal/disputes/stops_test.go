package disputes_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
)

// "It was not me" stops money that has not left: an unsent withdrawal, and a request to a group, approved or not.
func TestAFreezeStopsWhatHasNotLeft(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.Setup(t, true, false), context.Background()
	w.PaysOut()
	own, held := posting.Wallet(w.Member.User), posting.Held(posting.Wallet(w.Member.User))
	has := w.BalanceOf(own)
	made, _, err := w.App.Payouts.Withdraw(ctx, w.Member, apptest.Naira(1_000), wire.FromKobo(989_25), "")
	require.NoError(t, err)
	_, err = w.App.Dues.PayFromWallet(ctx, w.Owner, w.Open, apptest.Naira(500), dues.Due{})
	require.NoError(t, err)
	asked, approved := uuid.NewString(), uuid.NewString()
	for id, kind := range map[string]nairav1.LiquidationKind{asked: nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL, approved: nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT} {
		w.Gives(ledgertest.Raw{
			event.On(liquidation.Stream(id), &nairav1.LiquidationRequestedV2{
				LiquidationId: id, GroupId: w.Group, SubAccountId: w.Open, RequestedBy: w.Member.User, Kind: kind, AmountKobo: 1_00,
				Provider: string(event.Vfd), ExpiresAt: timestamppb.New(time.Now().Add(liquidation.Open)),
			}),
		})
	}
	w.Gives(ledgertest.Raw{event.On(liquidation.Stream(approved), &nairav1.LiquidationApproved{LiquidationId: approved, GroupId: w.Group, ApprovedBy: w.Approver.User, Approvals: 1, Needed: 1})})
	require.NoError(t, w.Engine.CatchUp(ctx))

	_, _, err = w.App.Disputes.Freeze(ctx, w.Member)
	require.NoError(t, err)
	state, err := w.App.WithdrawalState(ctx, made.Id)
	require.NoError(t, err)
	require.Equal(t, payout.Failed, state.Status)
	for _, id := range []string{asked, approved} {
		l, err := w.App.LiquidationState(ctx, id)
		require.NoError(t, err)
		require.Equal(t, liquidation.Cancelled, l.Status)
	}
	require.Zero(t, w.BalanceOf(own))
	require.Equal(t, has, w.BalanceOf(held), "all of it is set aside")

	w.Fund(w.Member.User)
	require.Zero(t, w.BalanceOf(own), "also what comes in, before any job has run")
	require.NoError(t, w.Engine.CatchUp(ctx))
	require.NoError(t, w.App.Disputes.KeepClocks(ctx))
	owner, err := w.App.AccountState(ctx, w.Member.User)
	require.NoError(t, err)
	require.Len(t, owner.FrozenHolds, 3)
	_, _, err = w.App.Disputes.Thaw(ctx, w.Member)
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(ctx))
	require.NoError(t, w.App.At(time.Now().Add(account.ThawAfter+time.Minute)).Disputes.KeepClocks(ctx))
	require.Zero(t, w.BalanceOf(held))
}
