package e2e

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
)

// droppedReplies reach the database, until one connection ends in place of the reply that it waits for.
type droppedReplies struct{ left atomic.Int64 } // How many replies still come; below 0 when all do.

func (d *droppedReplies) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	return droppedConn{conn, d}, err
}

type droppedConn struct {
	net.Conn
	replies *droppedReplies
}

// Read drops a reply once it is there: what it answers was done.
func (c droppedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err == nil && c.replies.left.Add(-1) == 0 {
		_ = c.Close()
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}

// Whichever reply of the database is lost, nobody is told that something went wrong where the outcome is not known.
func TestADroppedReplyIsAnsweredAsNotKnownAndPaysOnce(t *testing.T) {
	t.Parallel()
	replies := &droppedReplies{}
	replies.left.Store(-1)
	cfg := settings(t.TempDir())
	cfg.Tiers, cfg.DialDatabase = uncapped, replies.dial
	i, err := boot.Start(context.Background(), cfg, boot.Roles{API: true})
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	bisi := somebody(t, i, "Bisi")
	unknown := 0
	const after = 60
	for n := range after {
		key := fmt.Sprintf("dropped reply %d", n)
		ask := func() reply {
			r, err := bisi.try("POST", "/api/Wallet/FundWalletVfd", object{"amount": 100 + n, "email": bisi.email}, "Idempotency-Key", key)
			require.NoError(t, err)
			return r
		}
		replies.left.Store(int64(n + 1))
		first := ask()
		replies.left.Store(-1)
		if first.status != http.StatusOK {
			require.Equal(t, http.StatusServiceUnavailable, first.status, "reply %d: %s", n, first.Message)
			require.Contains(t, first.Message, "ry again")
			unknown++
		}
		require.Equal(t, http.StatusOK, ask().status, "the same key again")
		var payments int
		require.NoError(t, i.Pool.QueryRow(context.Background(), "SELECT count(DISTINCT stream) FROM events WHERE stream LIKE 'payment:%'").Scan(&payments))
		require.Equal(t, n+1, payments)
	}
	require.NotZero(t, unknown)
	addRow(broken{"a dropped reply, at each place", after, unknown, 0, "We do not know yet whether this went through"})
}
