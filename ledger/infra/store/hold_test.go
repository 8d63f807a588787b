package store_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/infra/store"
)

func TestWhileCommandsAreHeldTheSameKeyIsAnsweredAsBefore(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi", "chidi")
		b.fund("bisi", 100*money.Naira)
		var held atomic.Bool
		options := store.Options{Hold: func() error {
			if held.Load() {
				return fault.New(fault.Unavailable, "Nothing was taken.")
			}
			return nil
		}}
		s := b.openWith(options)
		try := func(s *store.Store, id uuid.UUID, user string) error {
			_, err := s.Append(context.Background(), command(id, contribute(user, money.Naira)))
			return err
		}
		done, refused := uuid.New(), uuid.New()
		require.NoError(b, try(s, done, "bisi"))
		require.True(b, fault.Is(try(s, refused, "chidi"), fault.Insufficient))
		held.Store(true)
		head := b.head()
		for _, s := range []*store.Store{s, b.openWith(options)} { // The other store remembers no key.
			for range 3 {
				require.NoError(b, try(s, done, "bisi"), "it was taken")
				require.True(b, fault.Is(try(s, refused, "chidi"), fault.Insufficient))
				require.True(b, fault.Is(try(s, uuid.New(), "bisi"), fault.Unavailable))
			}
		}
		require.Equal(b, head, b.head())
		held.Store(false)
		require.NoError(b, try(s, uuid.New(), "bisi"))
	})
}

// A hold that begins while commands wait for the head's lock applies to them too.
func TestACommandThatWaitsIsHeldToo(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi")
		b.fund("bisi", 100*money.Naira)
		var held atomic.Bool
		asked := make(chan struct{}, 100)
		s := b.openWith(store.Options{Hold: func() error {
			asked <- struct{}{}
			if held.Load() {
				return fault.New(fault.Unavailable, "Nothing was taken.")
			}
			return nil
		}})
		release, head := b.holdLock(), b.head()
		answered := make(chan error, 1)
		go func() {
			_, err := s.Append(context.Background(), command(uuid.New(), contribute("bisi", money.Naira)))
			answered <- err
		}()
		<-asked
		held.Store(true)
		release()
		require.True(b, fault.Is(<-answered, fault.Unavailable))
		require.Equal(b, head, b.head())
	})
}
