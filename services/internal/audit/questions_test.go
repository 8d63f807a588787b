package audit_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/audit"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

func TestADisputeIsOfferedFromTheFourteenthLagosDayAfterAQuery(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.Setup(t, true, false), context.Background()
	w.Keeps()
	var err error
	w.App.Tracker, err = engine.NewTracker(ctx, w.Pool, nil)
	require.NoError(t, err)
	id, why := w.Contributed().Id, "For which month?"
	_, _, err = w.App.Audit.MarkPayments(ctx, w.Validator, w.Group, []audit.Marking{{ID: id, Mark: "QUERIED", Reason: why}})
	require.NoError(t, err)
	queried, err := w.App.Audit.Question(ctx, w.Member.User, id)
	require.NoError(t, err)
	y, m, d := queried.QueriedAt.In(lagos.Zone).Date()
	midnight := time.Date(y, m, d+14, 0, 0, 0, 0, lagos.Zone)
	for at, want := range map[time.Time]struct {
		days  int
		offer bool
	}{
		midnight.Add(-time.Nanosecond): {13, false}, midnight: {14, true},
	} {
		w.App.Now = func() time.Time { return at }
		q, err := w.App.Audit.Question(ctx, w.Member.User, id)
		require.NoError(t, err)
		require.Equal(t, want.days, q.Days, "%v", at)
		require.Equal(t, want.offer, q.MayDispute, "%v", at)
		other, err := w.App.Audit.Question(ctx, w.Validator.User, id)
		require.NoError(t, err)
		require.False(t, other.MayDispute, "it is the member's to dispute")
	}
}
