package dues_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/projections/notifications/told"
	"adashi.ng/services/internal/apptest"
)

func TestASubAccountThatCannotBeReadStopsNoOthersPenalties(t *testing.T) {
	t.Parallel()
	q, ctx := apptest.QuarterOf(t, false), context.Background()
	bad := q.Spoilt()
	require.ErrorContains(t, q.On(1, 7).Dues.ApplyPenalties(ctx), "soon")
	n, _ := q.Told(q.Member, told.PenaltyApplied)
	require.Equal(t, 1, n, "the other's late dues")
	require.Equal(t, bad, q.Failing("apply penalties")[0].Item)
}

func TestASubAccountThatCannotBeReadStopsNoOthersReminders(t *testing.T) {
	t.Parallel()
	q, ctx := apptest.QuarterOf(t, false), context.Background()
	bad := q.Spoilt()
	day := q.Began.AddDate(0, 1, -3) // The second-last day of the first month: a due of the last day gets a reminder that it is due soon.
	require.ErrorContains(t, q.App.At(time.Date(day.Year(), day.Month(), day.Day(), 9, 0, 0, 0, time.UTC)).Dues.SendReminders(ctx), "soon")
	n, _ := q.Told(q.Member, told.ContributionDue)
	require.Equal(t, 1, n)
	require.Equal(t, bad, q.Failing("send reminders")[0].Item)
}
