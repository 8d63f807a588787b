package dues_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/domain/savings"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/usecase"
)

// ties returns the dues that keep a person from leaving Adashi.
func ties(t *testing.T, q *apptest.Quarter, a *app.App, who usecase.Who) []string {
	t.Helper()
	require.NoError(t, q.Engine.CatchUp(context.Background()))
	ties, err := a.Dues.Ties(context.Background(), who.User)
	require.NoError(t, err)
	return ties
}

func TestWhoOwesASuspendedGroupStillOwesIt(t *testing.T) {
	t.Parallel()
	q := apptest.QuarterOf(t, false)
	late := q.On(1, 10)
	require.NotEmpty(t, ties(t, q, late, q.Member), "they owe")
	q.Gives(savings.SuspendGroup(q.Group, uuid.NewString(), "We look at it"))
	owed := q.Owes(late, q.Member)
	require.Equal(t, "10000.00", owed.Total.StringFixed(2), "and are told so")
	require.NotEmpty(t, ties(t, q, late, q.Member), "they owe still")
}

func TestWhoIsInactiveStillOwesWhatFellDueBefore(t *testing.T) {
	t.Parallel()
	q, ctx := apptest.QuarterOf(t, false), context.Background()
	_, err := q.App.Groups.DeactivateMember(ctx, q.Owner, q.Group, q.Member.User, "They pay nothing")
	require.NoError(t, err)
	at := time.Now()
	owed := q.Owes(q.App.At(at), q.Member)
	require.True(t, owed.Total.IsPositive(), "what fell due before they were made inactive")
	require.NotEmpty(t, ties(t, q, q.App.At(at), q.Member))
}
