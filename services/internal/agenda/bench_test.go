package agenda_test

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/people"
)

// TestSpeed measures the agenda of a person with 20 groups and all the ajo that one may be in (docs/speed.md). It runs
// when ADASHI_MEASURE is set.
func TestSpeed(t *testing.T) {
	if os.Getenv("ADASHI_MEASURE") == "" {
		t.Skip("ADASHI_MEASURE is not set")
	}
	w, ctx := town{apptest.Setup(t, true, false)}, context.Background()
	for range 19 {
		id, _, err := w.App.Groups.CreateGroup(ctx, w.Owner, groups.NewGroup{Name: "Kano Tailors", Amount: apptest.Naira(100), Capacity: 9, StartMonth: int(time.Now().Month())})
		require.NoError(t, err)
		w.collects(id)
		_, _, err = w.App.Groups.JoinGroup(ctx, w.Outsider, id, w.App.Groups.InvitationCode(id))
		require.NoError(t, err)
	}
	for range 3 { // A person is in at most three that run; those that have ended are not read.
		w.rotates(w.Owner, w.Validator, w.Approver, w.Member)
	}
	rows := w.waits(w.App, w.Owner)
	var took []time.Duration
	for range 1000 {
		start := time.Now()
		_, err := w.App.Agenda.Agenda(ctx, people.Caller{UserID: w.Owner.User})
		require.NoError(t, err)
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	t.Logf("%d rows: p50 %v, p99 %v", len(rows), took[500], took[990])
	require.Less(t, took[990], 25*time.Millisecond)
}
