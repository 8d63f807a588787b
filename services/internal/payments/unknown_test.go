package payments_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/groups"
)

// mute is a ledger's database that, once muted, writes without confirming, and refuses every connection.
type mute struct {
	store.Backend
	mute atomic.Bool
}

func (m *mute) Write(ctx context.Context, from store.Tip, w store.Writes) error {
	err := m.Backend.Write(ctx, from, w)
	if m.mute.Load() {
		return store.ErrUnanswered
	}
	return err
}

func (m *mute) Lock(ctx context.Context, n store.Need) (store.Locked, store.Found, error) {
	if m.mute.Load() {
		return nil, store.Found{}, errors.New("nobody is let in")
	}
	return m.Backend.Lock(ctx, n)
}

func TestWhoIsNotToldWhatBecameOfACommandIsToldHowToLearnIt(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	backend := &mute{Backend: store.Postgres(w.Pool, 0)}
	book := store.Open(backend, ledger.Aggregates(), store.Options{})
	t.Cleanup(book.Close)
	a := *w.App
	a.Ledger = book
	group := func(key string) (string, error) {
		who := w.Owner
		who.Key = key
		id, _, err := a.Groups.CreateGroup(ctx, who, groups.NewGroup{Name: "Balogun Tailors", Amount: apptest.Naira(5000), Capacity: 9, StartMonth: int(time.Now().Month())})
		return id, err
	}
	_, err := group("first key")
	require.NoError(t, err)
	for key, says := range map[string]string{"second key": "it will not be done twice", "": "look whether it did before you try again"} {
		backend.mute.Store(true)
		_, err = group(key)
		require.True(t, fault.Is(err, fault.Unavailable), "%v", err)
		require.ErrorIs(t, err, store.ErrUnknown)
		require.Contains(t, fault.As(err).Message, "We do not know yet")
		require.Contains(t, fault.As(err).Message, says)
		backend.mute.Store(false)
		_, err = group("a key that comes after " + key)
		require.NoError(t, err)
	}
	head := func() (int64, error) { _, pos, err := history.Head(ctx, w.Pool); return pos, err }
	before, err := head()
	require.NoError(t, err)
	_, err = group("second key")
	require.NoError(t, err)
	after, err := head()
	require.NoError(t, err)
	require.Equal(t, before, after, "it was done then, and is not done twice")
}
