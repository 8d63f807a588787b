package ledgertest

import (
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
)

// NATS answers a connection to an embedded server with JetStream of its own; both end with the test.
func NATS(t testing.TB) (*nats.Conn, jetstream.JetStream) {
	t.Helper()
	s, err := natsserver.NewServer(&natsserver.Options{DontListen: true, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	require.NoError(t, err)
	go s.Start()
	require.True(t, s.ReadyForConnections(10*time.Second))
	conn, err := nats.Connect("", nats.InProcessServer(s))
	require.NoError(t, err)
	js, err := jetstream.New(conn)
	require.NoError(t, err)
	t.Cleanup(func() {
		conn.Close()
		s.Shutdown()
		s.WaitForShutdown()
	})
	return conn, js
}
