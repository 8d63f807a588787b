package store_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/infra/store"
)

func TestABulkIsRecordedWholeAndOnce(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi", "chidi")
		b.fund("bisi", 1000*money.Naira)
		b.fund("chidi", 1000*money.Naira)
		before := b.head()
		var all store.Bulk
		for i := range 100 {
			all = append(all, contribute([]string{"bisi", "chidi"}[i%2], 10*money.Naira))
		}
		id := uuid.New()
		first, err := b.store.Append(context.Background(), command(id, all))
		require.NoError(b, err)
		require.Len(b, first.Records, 100)
		for i, r := range first.Records {
			require.Equal(b, before+1+int64(i), r.Pos)
			require.Equal(b, i, r.Seq)
		}
		for _, s := range []*store.Store{b.store, b.open()} {
			again, err := s.Append(context.Background(), command(id, all))
			require.NoError(b, err)
			require.True(b, again.Repeated)
			require.Equal(b, first.Records, again.Records)
		}
		require.Equal(b, 500*money.Naira, b.balance("wallet:bisi"))
		require.Equal(b, 1000*money.Naira, b.balance("pool:sub"))
		b.sound()
	})
}

func TestABulkThatCannotBeDoneWholeLeavesNoTrace(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi", "chidi")
		b.fund("bisi", 250*money.Naira)
		before := b.head()
		// Each alone could be paid; the third sees the wallet after the first two.
		three := store.Bulk{contribute("bisi", 100*money.Naira), contribute("bisi", 100*money.Naira), contribute("bisi", 100*money.Naira)}
		id := uuid.New()
		for range 2 {
			_, err := b.store.Append(context.Background(), command(id, three))
			require.True(b, fault.Is(err, fault.Insufficient), "%v", err)
			require.ErrorContains(b, err, "Number 3 of 3")
			require.ErrorContains(b, err, "None of them was done")
		}
		require.Equal(b, before, b.head())
		require.Equal(b, 250*money.Naira, b.balance("wallet:bisi"))
		_, err := b.store.DryRun(context.Background(), three)
		require.True(b, fault.Is(err, fault.Insufficient), "%v", err)
		drafts, err := b.store.DryRun(context.Background(), three[:2])
		require.NoError(b, err)
		require.Len(b, drafts, 2)
		require.Equal(b, before, b.head(), "a dry run leaves nothing behind")
		b.do(contribute("bisi", 250*money.Naira))
		b.sound()
	})
}

func TestWithinABulkEachDecidesOnWhatTheOnesBeforeItLeave(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi")
		b.fund("chidi", 100*money.Naira)
		b.do(store.Bulk{savings.JoinGroup{GroupID: "g", User: "chidi"}, savings.ApproveMember{GroupID: "g", User: "chidi", By: "ada"}, contribute("chidi", money.Naira)})
		state, err := b.store.Load(context.Background(), savings.MemberStream("g", "chidi"))
		require.NoError(b, err)
		require.WithinDuration(b, contribute("chidi", 0).At, state.(savings.Member).Since, 0, "all count from the time by which one of them decides")
		b.sound()
	})
}

func TestABulkThatIsTooLargeOrEmptyIsRefused(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi")
		before := b.head()
		for _, size := range []int{0, store.BulkMax + 1} {
			many := make(store.Bulk, size)
			for i := range many {
				many[i] = contribute("bisi", money.Naira)
			}
			_, err := b.store.Append(context.Background(), command(uuid.New(), many))
			require.True(b, fault.Is(err, fault.Invalid), "%d: %v", size, err)
		}
		require.Equal(b, before, b.head())
	})
}

func TestACallerWhoGaveUpBeforeTheAppenderCameIsToldThatNothingWasTaken(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi")
		b.fund("bisi", 1000*money.Naira)
		before := b.head()
		release := b.holdLock()
		s := store.Open(b.backend(), ledger.Aggregates(), store.Options{Batch: 1})
		var (
			wg   sync.WaitGroup
			mu   sync.Mutex
			none int
		)
		for range 20 {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
				defer cancel()
				_, err := s.Append(ctx, command(uuid.New(), contribute("bisi", money.Naira)))
				mu.Lock()
				defer mu.Unlock()
				if fault.Is(err, fault.Unavailable) {
					none++
				}
			})
		}
		wg.Wait()
		require.Equal(b, 20, none, "nothing was sent, not even of the one that the appender had in hand")
		release()
		b.do(contribute("bisi", money.Naira))
		s.Close() // It finishes the commands it has taken.
		require.Equal(b, before+1, b.head(), "who gave up in time left nothing behind")
		b.sound()
	})
}
