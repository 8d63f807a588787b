package app_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/secret"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// trips counts how often the database is gone to: once for a query, and once for a batch, whatever is in it.
type trips struct{ n atomic.Int64 }

func (t *trips) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	t.n.Add(1)
	return ctx
}

func (t *trips) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	t.n.Add(1)
	return ctx
}

func (*trips) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData)     {}
func (*trips) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (*trips) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// counted is the same app over connections that are counted, with a vault that keeps the members' pictures.
func (w *town) counted() (*app.App, *trips) {
	w.Helper()
	ctx, counter := context.Background(), &trips{}
	require.NoError(w, vault.Migrate(ctx, w.pool))
	require.NoError(w, vault.Grant(ctx, w.pool))
	config := w.pool.Config()
	config.ConnConfig.Tracer = counter
	pool, err := pgxpool.NewWithConfig(ctx, config)
	require.NoError(w, err)
	w.Cleanup(pool.Close)
	keys, err := vault.NewKeys(secret.Text("a master key of the tests, long enough"))
	require.NoError(w, err)
	kept, err := vault.Open(ctx, pool, keys, 2)
	require.NoError(w, err)
	w.Cleanup(kept.Close)
	options := w.app.Options
	base := *w.app.Base
	base.Pool = pool
	options.Base, options.Avatars = usecase.NewBase(base), kept.Avatars
	return app.New(options), counter
}

func TestAGroupIsReadInFewRoundTrips(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	a, trips := w.counted()
	ctx := context.Background()
	group := func(who usecase.Who) func() error {
		return func() error { _, err := a.Groups.Group(ctx, who.User, w.group); return err }
	}
	// The name cards are known from here on. The members are counted anew after each change, by one who looks.
	require.NoError(t, group(w.owner)())
	_, err := w.app.Dues.PayFromWallet(ctx, w.member, w.open, naira(5), dues.Due{})
	require.NoError(t, err)
	require.NoError(t, w.engine.CatchUp(ctx))
	for _, read := range []struct {
		name string
		most int64
		read func() error
	}{
		{"a group that has changed", 4, group(w.owner)},
		{"a group", 3, group(w.owner)},
		{"a group as a plain member sees it", 3, group(w.member)},
		{"the list of groups", 3, func() error { _, err := a.Groups.Groups(ctx, w.member.User); return err }},
		{"the dashboard", 3, func() error { _, err := a.Activity.Dashboard(ctx, w.member.User); return err }},
		{"the sub-accounts", 2, func() error { _, err := a.Dues.SubAccounts(ctx, w.member.User, w.group); return err }},
		{"the members", 4, func() error {
			_, err := a.Groups.MemberSavings(ctx, w.member.User, w.group, nil, nil, nil, 50)
			return err
		}},
	} {
		before := trips.n.Load()
		require.NoError(t, read.read(), read.name)
		require.LessOrEqual(t, trips.n.Load()-before, read.most, "round trips for %s", read.name)
	}
}

func TestWhoWaitsIsOnAnOfficialsPageAlone(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	ctx := context.Background()
	_, _, err := w.app.Groups.JoinGroup(ctx, w.outsider, w.group, w.app.Groups.InvitationCode(w.group))
	require.NoError(t, err)
	require.NoError(t, w.engine.CatchUp(ctx))
	listed := func(who usecase.Who) (users []string) {
		t.Helper()
		g, err := w.app.Groups.Group(ctx, who.User, w.group)
		require.NoError(t, err)
		for _, m := range *g.Members {
			users = append(users, m.UserId)
		}
		return users
	}
	in := []string{w.owner.User, w.validator.User, w.approver.User, w.member.User}
	for _, official := range []usecase.Who{w.owner, w.validator, w.approver} {
		require.Equal(t, append(in, w.outsider.User), listed(official))
	}
	require.Equal(t, in, listed(w.member))
	mine, err := w.app.Groups.Group(ctx, w.outsider.User, w.group)
	require.NoError(t, err)
	require.Nil(t, mine.Members, "who waits sees the group alone")
}
