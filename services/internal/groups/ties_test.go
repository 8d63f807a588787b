package groups_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/groups"
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
