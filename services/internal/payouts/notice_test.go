package payouts_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/apptest"
)

func TestAPaymentInItsNoticeIsNotOlderThanItShouldBe(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.Setup(t, true, false), context.Background()
	id, now := uuid.NewString(), time.Now()
	w.Gives(ledgertest.Raw{
		event.On(liquidation.Stream(id), &nairav1.LiquidationAskedV2{
			LiquidationId: id, GroupId: w.Group, SubAccountId: w.Open, RequestedBy: w.Owner.User, AmountKobo: 5_000_00, Provider: string(event.Vfd), ExpiresAt: timestamppb.New(now.Add(liquidation.Open)),
		}),
		event.On(liquidation.Stream(id), &nairav1.LiquidationDecidersFixed{
			LiquidationId: id, GroupId: w.Group, ValidatorIds: []string{w.Validator.User}, ApproverIds: []string{w.Approver.User}, ApprovalsNeeded: 1, PayableFrom: timestamppb.New(now.Add(7 * 24 * time.Hour)),
		}),
		event.On(liquidation.Stream(id), &nairav1.LiquidationValidated{LiquidationId: id, GroupId: w.Group, ValidatedBy: w.Validator.User}),
		event.On(liquidation.Stream(id), &nairav1.LiquidationApproved{LiquidationId: id, GroupId: w.Group, ApprovedBy: w.Approver.User, Approvals: 1, Needed: 1}),
	})
	require.NoError(t, w.Engine.CatchUp(ctx))
	doubtful := func(after time.Duration) bool {
		page, err := w.App.At(now.Add(after)).Payouts.OpenPayouts(ctx, nil, 10)
		require.NoError(t, err)
		require.Len(t, page.Payouts, 1)
		return page.Payouts[0].Doubtful
	}
	require.False(t, doubtful(time.Hour), "it is to be paid in seven days at the earliest")
	require.True(t, doubtful(7*24*time.Hour+time.Hour))
}
