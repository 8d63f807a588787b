package store_test

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/infra/store"
)

// lossy is a proxy between pgx and Postgres. Each cut it is given breaks one connection at a marked place.
type lossy struct {
	server   string
	listener net.Listener
	cuts     atomic.Int32 // Still to be made.
	made     atomic.Int32
	where    func(fromServer bool, chunk []byte) bool
}

// committed marks the reply to a COMMIT: the transaction is durable and the caller does not know.
func committed(fromServer bool, chunk []byte) bool {
	return fromServer && bytes.Contains(chunk, []byte("COMMIT\x00"))
}

// writing marks the request with the events and the COMMIT in it: Postgres never sees it.
func writing(fromServer bool, chunk []byte) bool {
	return !fromServer && bytes.Contains(chunk, []byte("naira.v1."))
}

func throughProxy(t *testing.T, pool *pgxpool.Pool, where func(bool, []byte) bool) (*lossy, *pgxpool.Pool) {
	t.Helper()
	config := pool.Config()
	p := &lossy{server: filepath.Join(config.ConnConfig.Host, ".s.PGSQL.5432"), where: where}
	dir, err := os.MkdirTemp("", "proxy-") // t.TempDir is too long for the name of a socket.
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	p.listener, err = net.Listen("unix", filepath.Join(dir, "pg.sock"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = p.listener.Close() })
	go p.serve()
	config.ConnConfig.DialFunc = func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", p.listener.Addr().String())
	}
	proxied, err := pgxpool.NewWithConfig(context.Background(), config)
	require.NoError(t, err)
	t.Cleanup(proxied.Close)
	return p, proxied
}

func (p *lossy) serve() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("unix", p.server)
		if err != nil {
			_ = client.Close()
			continue
		}
		go p.pipe(client, server, false)
		go p.pipe(server, client, true)
	}
}

func (p *lossy) pipe(from, to net.Conn, fromServer bool) {
	defer func() { _, _ = from.Close(), to.Close() }()
	chunk := make([]byte, 64<<10)
	for {
		n, err := from.Read(chunk)
		if p.where(fromServer, chunk[:n]) && p.cuts.Load() > 0 && p.cuts.Add(-1) >= 0 {
			p.made.Add(1)
			return
		}
		if _, failed := to.Write(chunk[:n]); err != nil || failed != nil {
			return
		}
	}
}

func TestALostConnectionAroundTheCommitIsSettledForEveryCaller(t *testing.T) {
	t.Parallel()
	for name, where := range map[string]func(bool, []byte) bool{"the reply is lost": committed, "the request is lost": writing} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.group("bisi", "chidi")
			b.fund("bisi", 1000*money.Naira)
			before := b.head()
			p, proxied := throughProxy(t, b.pool, where)
			s := store.Open(store.Postgres(proxied, 0), ledger.Aggregates(), store.Options{Batch: 10})
			t.Cleanup(s.Close)
			var (
				wg     sync.WaitGroup
				mu     sync.Mutex
				counts = map[uuid.UUID]bool{}
			)
			for round := range 6 {
				p.cuts.Store(1)
				for range 20 {
					wg.Go(func() {
						id := uuid.New()
						result, err := s.Append(context.Background(), command(id, contribute("bisi", money.Naira)))
						if err != nil || len(result.Records) != 1 || result.Records[0].Command != id {
							t.Errorf("round %d: %v, %d records", round, err, len(result.Records))
						}
						mu.Lock()
						defer mu.Unlock()
						counts[id] = true
					})
				}
				wg.Go(func() {
					_, err := s.Append(context.Background(), command(uuid.New(), contribute("chidi", money.Naira)))
					if !fault.Is(err, fault.Insufficient) {
						t.Errorf("an empty wallet: %v", err)
					}
				})
				wg.Wait()
			}
			require.EqualValues(t, 6, p.made.Load(), "every cut was made")
			require.Equal(t, before+120, b.head())
			require.Equal(t, 120*money.Naira, b.balance("pool:sub"))
			for id := range counts {
				var events int
				require.NoError(t, b.pool.QueryRow(context.Background(), "SELECT count(*) FROM events WHERE command = $1", id).Scan(&events))
				require.Equal(t, 1, events)
			}
			b.sound()
		})
	}
}
