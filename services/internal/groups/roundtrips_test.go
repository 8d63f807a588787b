package groups_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/usecase"
)

func TestAGroupIsReadInFewRoundTrips(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	a, trips := w.Counted()
	ctx := context.Background()
	group := func(who usecase.Who) func() error {
		return func() error { _, err := a.Groups.Group(ctx, who.User, w.Group); return err }
	}
	// The name cards are cached from here on. After each change, the first viewer counts the members again.
	require.NoError(t, group(w.Owner)())
	_, err := w.App.Dues.PayFromWallet(ctx, w.Member, w.Open, apptest.Naira(5), dues.Due{})
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(ctx))
	for _, read := range []struct {
		name string
		most int64
		read func() error
	}{
		{"a group that has changed", 4, group(w.Owner)},
		{"a group", 3, group(w.Owner)},
		{"a group as a plain member sees it", 3, group(w.Member)},
		{"the list of groups", 3, func() error { _, err := a.Groups.Groups(ctx, w.Member.User); return err }},
		{"the dashboard", 3, func() error { _, err := a.Activity.Dashboard(ctx, w.Member.User); return err }},
		{"the sub-accounts", 2, func() error { _, err := a.Dues.SubAccounts(ctx, w.Member.User, w.Group); return err }},
		{"the members", 4, func() error {
			_, err := a.Groups.MemberSavings(ctx, w.Member.User, w.Group, nil, nil, nil, 50)
			return err
		}},
	} {
		before := trips.N.Load()
		require.NoError(t, read.read(), read.name)
		require.LessOrEqual(t, trips.N.Load()-before, read.most, "round trips for %s", read.name)
	}
}

func TestWhoWaitsIsOnAnOfficialsPageAlone(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	_, _, err := w.App.Groups.JoinGroup(ctx, w.Outsider, w.Group, w.App.Groups.InvitationCode(w.Group))
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(ctx))
	listed := func(who usecase.Who) (users []string) {
		t.Helper()
		g, err := w.App.Groups.Group(ctx, who.User, w.Group)
		require.NoError(t, err)
		for _, m := range *g.Members {
			users = append(users, m.UserId)
		}
		return users
	}
	in := []string{w.Owner.User, w.Validator.User, w.Approver.User, w.Member.User}
	for _, official := range []usecase.Who{w.Owner, w.Validator, w.Approver} {
		require.Equal(t, append(in, w.Outsider.User), listed(official))
	}
	require.Equal(t, in, listed(w.Member))
	mine, err := w.App.Groups.Group(ctx, w.Outsider.User, w.Group)
	require.NoError(t, err)
	require.Nil(t, mine.Members, "who waits sees the group alone")
}
