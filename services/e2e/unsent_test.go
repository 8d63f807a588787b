package e2e

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
)

func TestAProcessDoesNotCallItselfReadyWhileWithdrawalsAreNotSent(t *testing.T) {
	t.Parallel()
	data, said := t.TempDir(), ""
	i, err := boot.Start(context.Background(), settings(data), boot.Roles{API: true, Relay: true, Projector: true})
	require.NoError(t, err)
	stop := func() { i.Stop() }
	t.Cleanup(func() { stop() })
	bisi, _ := withdrawer(t, i, "Bisi", 50_000)
	withdrawn := bisi.withdraws(20_000)
	require.Equal(t, "Your withdrawal is set aside. It goes to your bank next, and we tell you when it is there.", withdrawn.Message)
	i.Stop()

	cfg := settings(data)
	cfg.SandboxURL = "http://127.0.0.1:1" // The bank is away.
	ahead := atomic.Int64{}
	ahead.Store(int64(2 * time.Minute))
	cfg.Clock = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	i, err = boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	sends := func() { // A payout that was tried waits for its time before it is tried again.
		ahead.Add(int64(time.Minute))
		_ = i.App.Payouts.SendPayouts(context.Background()) // Its failures are what /readyz says.
	}
	says := func() string {
		r, err := nobody(t, i.Address).try("GET", "/readyz", nil)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, r.status, "payments are taken")
		said = r.Message
		return r.Message
	}
	const lacks = "Payments are taken, and not all is well: withdrawals were tried and are not sent, 1 of them"
	require.Eventually(t, func() bool { sends(); return says() == lacks }, time.Minute, 50*time.Millisecond)
	i.Stop()

	cfg.SandboxURL = ""
	i, err = boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	require.Eventually(t, func() bool { sends(); return says() == "Ready" }, time.Minute, 50*time.Millisecond, said)
	bisi.base = i.Address
	require.Eventually(t, func() bool {
		sends()
		return must[object](bisi, "GET", withdrawals+"/"+withdrawn.id(t), nil)["status"] == "PAID"
	}, time.Minute, 50*time.Millisecond)
}
