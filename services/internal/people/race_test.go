package people

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people/turns"
)

// TestAPasswordThatWasRightWhenJudgedOpensNothingOnceItChanged plays the race between a login and a new password in
// its worst order: judged, changed, opened.
func TestAPasswordThatWasRightWhenJudgedOpensNothingOnceItChanged(t *testing.T) {
	t.Parallel()
	pool := ledgertest.Pool(t)
	require.NoError(t, Migrate(t.Context(), pool))
	require.NoError(t, mail.Migrate(t.Context(), pool))
	s, err := New(Options{Pool: pool, PublicURL: "http://adashi.test", Key: make([]byte, 32)})
	require.NoError(t, err)
	id, err := s.CreateVerified(t.Context(), Registration{
		Email: "ada@example.com", Password: "correct horse", FirstName: "Ada", LastName: "Obi", Phone: "08031234567", DateOfBirth: "1990-05-17",
	})
	require.NoError(t, err)
	profile, judged, err := s.credentials(t.Context(), "ada@example.com")
	require.NoError(t, err)
	hash, err := today.hash(t.Context(), turns.Known, "a better password")
	require.NoError(t, err)
	require.NoError(t, pgx.BeginFunc(t.Context(), s.pool, func(tx pgx.Tx) error {
		_, err := s.storePassword(t.Context(), tx, uuid.MustParse(id), hash)
		return err
	}))
	_, err = s.openSession(t.Context(), profile, judged, "a device", "")
	require.True(t, fault.Is(err, fault.Credentials), "%v", err)
	_, err = s.openSession(t.Context(), profile, hash, "a device", "")
	require.NoError(t, err)
}

// TestFreeTriesAtOnceKeepNobodyWaiting: who read the clock first and came second is not too soon.
func TestFreeTriesAtOnceKeepNobodyWaiting(t *testing.T) {
	t.Parallel()
	pool := ledgertest.Pool(t)
	require.NoError(t, Migrate(t.Context(), pool))
	s, err := New(Options{Pool: pool, PublicURL: "http://adashi.test", Key: make([]byte, 32)})
	require.NoError(t, err)
	now := time.Now()
	at := func(late time.Duration) { s.now = func() time.Time { return now.Add(late) } }
	address := guess{kind: "password from", of: "102.0.0.1", free: 3, waitMaxSec: 10, shared: true}
	at(time.Second)
	require.NoError(t, s.take(t.Context(), address))
	at(0)
	require.NoError(t, s.take(t.Context(), address), "the other's clock was later")
	at(time.Second)
	require.NoError(t, s.giveBack(t.Context(), pool, address))
	at(0)
	require.NoError(t, s.take(t.Context(), address), "and when the other was right")
}
