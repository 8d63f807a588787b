package store_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/infra/store"
)

func TestOnlySoManyRefusalsOfSomebodysAreRememberedInAnHour(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi", "chidi")
		b.fund("bisi", 1000*money.Naira)
		now := time.Now().Truncate(time.Hour).Add(2 * time.Hour)
		clocked := store.Options{Refusals: 20, Clock: func() time.Time { return now }}
		stores := []*store.Store{store.Open(b.backend(), ledger.Aggregates(), clocked), store.Open(b.backend(), ledger.Aggregates(), clocked)}
		try := func(s *store.Store, actor, user string, id uuid.UUID) error {
			c := command(id, contribute(user, money.Naira))
			c.Actor = actor
			_, err := s.Append(context.Background(), c)
			return err
		}
		var remembered []uuid.UUID
		refused := func(actor string, tries int) (n int) {
			for range tries {
				id := uuid.New()
				switch err := try(stores[0], actor, "chidi", id); {
				case fault.Is(err, fault.Insufficient):
					remembered = append(remembered, id)
					n++
				default:
					require.True(b, fault.Is(err, fault.TooMany), "%v", err)
					require.Equal(b, now.Truncate(time.Hour).Add(time.Hour).Sub(now), fault.As(err).Wait)
					require.False(b, b.refused(id), "nothing is recorded")
				}
			}
			return n
		}
		require.Equal(b, 20, refused("ada", 60))
		require.Equal(b, 30, refused("system", 30), "the house itself is not limited")
		later := uuid.New()
		require.True(b, fault.Is(try(stores[0], "ada", "bisi", later), fault.TooMany), "also what would be done: it was not decided")
		require.NoError(b, try(stores[0], "femi", "bisi", uuid.New()), "others go on")
		// Another process, and one that has just started, count the rows that are there.
		stores = append(stores, store.Open(b.backend(), ledger.Aggregates(), clocked))
		for _, s := range stores[1:] {
			some := 0
			for range 60 {
				if fault.Is(try(s, "ada", "chidi", uuid.New()), fault.Insufficient) {
					some++
				}
			}
			require.LessOrEqual(b, some, 1, "the first has it count")
		}
		now = now.Add(time.Hour)
		require.NoError(b, try(stores[0], "ada", "bisi", later), "the key stayed free")
		b.fund("chidi", 1000*money.Naira)
		for _, id := range remembered {
			err := try(stores[1], "", "chidi", id)
			require.True(b, fault.Is(err, fault.Insufficient), "what was refused stays refused: %v", err)
		}
		for _, s := range stores {
			s.Close()
		}
		b.sound()
	})
}

func TestWithoutAKeyNothingIsRememberedAndNobodyWaits(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi")
		s := b.openWith(store.Options{Refusals: 3})
		for n := range 10 {
			c := command(uuid.New(), contribute("bisi", money.Naira))
			c.Keyed = false
			_, err := s.Append(context.Background(), c)
			require.True(b, fault.Is(err, fault.Insufficient), fmt.Sprint(n, err))
			require.False(b, b.refused(c.ID))
		}
	})
}
