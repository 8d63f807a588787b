package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/infra/store"
)

func TestAppendsKeepThePaceThatTheyAreGivenAndAnswerTheirCallersBefore(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi")
		b.fund("bisi", 100*money.Naira)
		asked, wait := make(chan int64, 10), make(chan time.Duration, 10)
		s := b.openWith(store.Options{Pace: func(pos int64) time.Duration { asked <- pos; return <-wait }})
		// The first batch fills the memory under the lock; later ones are decided ahead, at a pace.
		for range 2 {
			_, err := s.Append(context.Background(), command(uuid.New(), contribute("bisi", 10*money.Naira)))
			require.NoError(b, err, "it is answered before the next one waits")
		}
		first := b.head()
		require.Equal(b, first, <-asked)
		second := make(chan error, 1)
		go func() {
			_, err := s.Append(context.Background(), command(uuid.New(), contribute("bisi", 20*money.Naira)))
			second <- err
		}()
		select {
		case <-second:
			b.Fatal("the next one does not wait")
		case <-time.After(50 * time.Millisecond):
		}
		require.Equal(b, first, b.head())
		wait <- 0
		require.NoError(b, <-second)
		require.Equal(b, b.head(), <-asked)
		wait <- time.Hour // Closing the store does not wait for the pause to end.
	})
}
