package people_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/people"
)

func TestWrongCredentialsAllReadAlike(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	for _, c := range [][2]string{
		{"ada@example.com", "wrong"},
		{"nobody@example.com", "correct horse"},
		{"", ""},
		{"\x00", "\x00"},
		{"\xff", "x"},
		{strings.Repeat("a", 5000), "x"},
		{"ada@example.com", strings.Repeat("x", 60_000)},
	} {
		_, err := b.enter(c[0], c[1])
		requireFault(t, err, fault.Credentials, "The email or password is not right.")
	}
}

func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	t.Run("unknown tokens", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for _, junk := range []string{"", "x", strings.Repeat("\x00", 43), strings.Repeat("a", 43), strings.Repeat("a", 100_000)} {
			b.over(t, people.Login{Token: junk, Secret: junk})
		}
	})
	t.Run("after 24 idle hours", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.verified(t)
		token := b.login(t)
		b.clock.pass(24*time.Hour + time.Second)
		b.over(t, token)
	})
	t.Run("use keeps it, for 14 days at most", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.verified(t)
		token := b.login(t)
		for range 27 {
			b.clock.pass(12 * time.Hour)
			_, err := b.Authenticate(b.ctx, token.Token, token.Secret)
			require.NoError(t, err)
		}
		b.clock.pass(12 * time.Hour)
		b.over(t, token)
	})
	t.Run("at logout, at once", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.verified(t)
		token, kept := b.login(t), b.login(t)
		caller, err := b.Authenticate(b.ctx, token.Token, token.Secret)
		require.NoError(t, err)
		require.NoError(t, b.Logout(b.ctx, caller.SessionID))
		b.over(t, token)
		require.NoError(t, b.Logout(b.ctx, caller.SessionID))
		_, err = b.Authenticate(b.ctx, kept.Token, kept.Secret)
		require.NoError(t, err)
	})
	t.Run("the oldest at the sixth login", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.verified(t)
		var ended []string
		b.OnSessionEnded(func(id string) { ended = append(ended, id) })
		tokens := make([]people.Login, 6)
		for i := range tokens {
			tokens[i] = b.login(t)
			_, err := b.Authenticate(b.ctx, tokens[i].Token, tokens[i].Secret)
			require.NoError(t, err)
		}
		b.over(t, tokens[0])
		require.Len(t, ended, 1)
		for _, token := range tokens[1:] {
			_, err := b.Authenticate(b.ctx, token.Token, token.Secret)
			require.NoError(t, err)
		}
	})
}

func TestLogoutReachesTheOtherProcesses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	bus := natsServer(t)
	here, there := b.process(t, connect(t, bus)), b.process(t, connect(t, bus))
	heard := make(chan string, 1)
	there.OnSessionEnded(func(id string) { heard <- id })
	token := b.login(t)
	caller, err := here.Authenticate(b.ctx, token.Token, token.Secret)
	require.NoError(t, err)
	_, err = there.Authenticate(b.ctx, token.Token, token.Secret)
	require.NoError(t, err)

	require.NoError(t, here.Logout(b.ctx, caller.SessionID))
	select {
	case id := <-heard:
		require.Equal(t, caller.SessionID, id)
	case <-time.After(10 * time.Second):
		t.Fatal("not heard")
	}
	_, err = there.Authenticate(b.ctx, token.Token, token.Secret)
	requireFault(t, err, fault.Unauthenticated, "expired")
}

func TestBusySessionIsReadFromMemory(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	token := b.login(t)
	_, err := b.Authenticate(b.ctx, token.Token, token.Secret)
	require.NoError(t, err)
	b.pool.Close()
	_, err = b.Authenticate(b.ctx, token.Token, token.Secret)
	require.NoError(t, err)
	b.clock.pass(5 * time.Second)
	_, err = b.Authenticate(b.ctx, token.Token, token.Secret)
	requireFault(t, err, fault.Unavailable, "try again")
}

func TestLoginsAtOnceKeepFiveSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			_, err := b.enter("ada@example.com", "correct horse")
			require.NoError(t, err)
		})
	}
	wait.Wait()
	var count int
	require.NoError(t, b.pool.QueryRow(b.ctx, `SELECT count(*) FROM sessions`).Scan(&count))
	require.Equal(t, 5, count)
}

func natsServer(t *testing.T) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{DontListen: true, NoSigs: true, NoLog: true})
	require.NoError(t, err)
	s.Start()
	t.Cleanup(s.Shutdown)
	require.True(t, s.ReadyForConnections(10*time.Second))
	return s
}

func connect(t *testing.T, s *server.Server) *nats.Conn {
	t.Helper()
	conn, err := nats.Connect("", nats.InProcessServer(s))
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	return conn
}

func BenchmarkAuthenticate(b *testing.B) {
	pool := ledgertest.Pool(b)
	ctx := context.Background()
	require.NoError(b, people.Migrate(ctx, pool))
	service, err := people.New(people.Options{Pool: pool, PublicURL: "http://x", Key: key})
	require.NoError(b, err)
	_, err = service.CreateVerified(ctx, ada())
	require.NoError(b, err)
	login, err := service.Login(ctx, people.Attempt{Email: "ada@example.com", Password: "correct horse"})
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := service.Authenticate(ctx, login.Token, login.Secret); err != nil {
			b.Fatal(fmt.Sprint(err))
		}
	}
}
