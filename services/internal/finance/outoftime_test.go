package finance_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/apptest"
)

func TestAReconciliationThatRanOutOfTimeIsShownOnTheDesk(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	asked := make(chan struct{}, 10)
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(silent.Close)
	w.App.Finance.Rails = w.RailsAt(silent.URL, silent.URL)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-asked
		cancel()
	}()
	_, err := w.App.Finance.Reconcile(ctx, contract.ReconciliationTriggerONDEMAND)
	require.NoError(t, err)
	page, err := w.App.Finance.Reconciliations(context.Background(), nil, 10)
	require.NoError(t, err)
	require.Len(t, page.Reconciliations, 1)
	require.Contains(t, *page.Reconciliations[0].Problem, "in time")
	require.False(t, page.Reconciliations[0].Balanced)
	require.WithinDuration(t, time.Now(), page.Reconciliations[0].FinishedAt, time.Minute)
}
