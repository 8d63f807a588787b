package apptest

import (
	"context"
	"encoding/json"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	groupsmodel "adashi.ng/projections/groups"
	"adashi.ng/services/internal/activity"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/secret"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// Sees is everything that a user is shown of the group.
func (w *Town) Sees(who usecase.Who) (contract.Group, contract.GroupSubAccounts, contract.GroupRow, string) {
	w.Helper()
	ctx := context.Background()
	group, err := w.App.Groups.Group(ctx, who.User, w.Group)
	require.NoError(w, err)
	subs, err := w.App.Dues.SubAccounts(ctx, who.User, w.Group)
	require.NoError(w, err)
	rows, err := w.App.Groups.Search(ctx, who.User, "balogun")
	require.NoError(w, err)
	require.Len(w, rows, 1)
	list, err := w.App.Groups.Groups(ctx, who.User)
	require.NoError(w, err)
	dashboard, err := w.App.Activity.Dashboard(ctx, who.User)
	require.NoError(w, err)
	moves, err := w.App.Activity.Movements(ctx, who.User, activity.Wanted{}, nil, 50)
	require.NoError(w, err)
	notices, err := w.App.Notices.Notifications(ctx, who.User, nil, 50)
	require.NoError(w, err)
	all, err := json.Marshal([]any{group, subs, rows, list, dashboard, moves, notices})
	require.NoError(w, err)
	return group, subs, rows[0], string(all)
}

// Telling are the figures that give the others' money away: the total, and the owner's part.
var Telling = []string{"5098.00", "4321.00"}

// Hidden holds that the plain member learns their own money and nobody else's.
func (w *Town) Hidden() {
	w.Helper()
	group, subs, row, all := w.Sees(w.Member)
	require.True(w, group.TotalHidden)
	require.Nil(w, group.BookBalance)
	require.Nil(w, group.ActiveBalance)
	require.Nil(w, group.GrowthPercent)
	require.Zero(w, group.PaidThisMonth+group.DueThisMonth, "counts times amounts tell the total")
	require.Nil(w, row.TotalSaved)
	require.Nil(w, row.GrowthPercent)
	closed := subs.SubAccounts[1]
	require.True(w, closed.TotalHidden)
	require.Nil(w, closed.TotalAmountContributed)
	require.Nil(w, closed.NumberOfPayments)
	require.Len(w, closed.MemberPayments, 1)
	require.Equal(w, w.Member.User, closed.MemberPayments[0].UserId)
	require.Equal(w, "777", closed.MyTotal.String())
	for _, m := range *group.Members {
		require.Equal(w, m.UserId == w.Member.User, m.TotalSavings != nil, "%s", m.FirstName)
	}
	for _, figure := range Telling {
		require.NotContains(w, all, figure)
	}
	heard, err := groupsmodel.Heard(context.Background(), w.Pool, w.Member.User)
	require.NoError(w, err)
	require.Empty(w, heard, "payments counted tell the total")
	for _, who := range []usecase.Who{w.Owner, w.Validator} {
		heard, err := groupsmodel.Heard(context.Background(), w.Pool, who.User)
		require.NoError(w, err)
		require.Equal(w, []string{w.Group}, heard)
	}
}

// trips counts how often the database is gone to: once for a query, and once for a batch, whatever is in it.
type trips struct{ N atomic.Int64 }

// TraceQueryStart implements pgx.QueryTracer.
func (t *trips) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	t.N.Add(1)
	return ctx
}

// TraceBatchStart implements pgx.BatchTracer.
func (t *trips) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	t.N.Add(1)
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (*trips) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchQuery implements pgx.BatchTracer.
func (*trips) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (*trips) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// Counted is the same app over connections that are counted, with a vault that keeps the members' pictures.
func (w *Town) Counted() (*app.App, *trips) {
	w.Helper()
	ctx, counter := context.Background(), &trips{}
	require.NoError(w, vault.Migrate(ctx, w.Pool))
	require.NoError(w, vault.Grant(ctx, w.Pool))
	config := w.Pool.Config()
	config.ConnConfig.Tracer = counter
	pool, err := pgxpool.NewWithConfig(ctx, config)
	require.NoError(w, err)
	w.Cleanup(pool.Close)
	keys, err := vault.NewKeys(secret.Text("a master key of the tests, long enough"))
	require.NoError(w, err)
	kept, err := vault.Open(ctx, pool, keys, 2)
	require.NoError(w, err)
	w.Cleanup(kept.Close)
	options := w.App.Options
	base := *w.App.Base
	base.Pool = pool
	options.Base, options.Avatars = usecase.NewBase(base), kept.Avatars
	return app.New(options), counter
}
