package groups_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/usecase"
)

func TestAGroupThatWasGivenUpTiesNobodyToAdashi(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := apptest.Setup(t, true, false)
	group, _, err := w.App.Groups.CreateGroup(ctx, w.Outsider, groups.NewGroup{Name: "School fees", Amount: apptest.Naira(5000), Capacity: 9, StartMonth: int(time.Now().Month())})
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(ctx))
	ties, err := w.App.Groups.Ties(ctx, w.Outsider.User)
	require.NoError(t, err)
	require.Equal(t, []string{"You own the group School fees."}, ties)

	_, err = w.App.Groups.CancelGroup(ctx, w.Outsider, group, "Nobody came.")
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(ctx))
	ties, err = w.App.Groups.Ties(ctx, w.Outsider.User)
	require.NoError(t, err)
	require.Empty(t, ties)
}

func TestAGroupThatStillHoldsMoneyTiesItsOfficialsWhileItCloses(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := apptest.Setup(t, true, false)
	_, err := w.App.Groups.CloseGroup(ctx, w.Owner, w.Group, "We saved what we wanted.")
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(ctx))
	for user, tie := range map[string]string{w.Owner.User: "You own the group Balogun Traders.", w.Validator.User: "You are the validator of the group Balogun Traders.", w.Approver.User: "You are an approver of the group Balogun Traders."} {
		ties, err := w.App.Groups.Ties(ctx, user)
		require.NoError(t, err)
		require.Equal(t, []string{tie}, ties)
	}
}

// The officials decide about money that comes back, so their accounts stay open.
func TestAnEmptyClosedGroupTiesItsOfficialsWhileItsBankMaySendAPaymentBack(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	id, now := "8a4a1f0e-0f0c-4b5e-9a39-3f6a7f0a1b11", time.Now()
	stream, all := liquidation.Stream(id), int64(5098_00)
	w.Gives(ledgertest.Raw{
		event.On(stream, &nairav1.LiquidationRequestedV2{LiquidationId: id, GroupId: w.Group, SubAccountId: w.Closed(), RequestedBy: w.Owner.User, AmountKobo: all, Provider: "vfd", ExpiresAt: timestamppb.New(now)}),
		event.On(stream, &nairav1.LiquidationPaidV2{LiquidationId: id, GroupId: w.Group, SubAccountId: w.Closed(), RequestedBy: w.Owner.User, AmountKobo: all, Provider: "vfd", PaidAt: timestamppb.New(now)}),
	})
	for range 2 {
		_, err := w.App.Groups.CloseGroup(t.Context(), w.Owner, w.Group, "We saved what we wanted.")
		if err != nil {
			break // An empty group is closed at once.
		}
	}
	require.NoError(t, w.Engine.CatchUp(t.Context()))
	state, err := w.App.Groups.GroupState(t.Context(), w.Group)
	require.NoError(t, err)
	require.Equal(t, savings.Closed, state.Status)
	tied := func(after time.Duration) (ties []string) {
		w.App.Now = func() time.Time { return now.Add(after) }
		for _, who := range []usecase.Who{w.Owner, w.Validator, w.Approver} {
			more, err := w.App.Groups.Ties(t.Context(), who.User)
			require.NoError(t, err)
			ties = append(ties, more...)
		}
		return ties
	}
	require.Len(t, tied(71*time.Hour), 3)
	require.Empty(t, tied(73*time.Hour))
}
