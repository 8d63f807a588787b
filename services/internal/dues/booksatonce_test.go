package dues_test

import (
	"bytes"
	"context"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/people"
)

// A book asks for its members' names without holding a connection meanwhile.
func TestAsManyBooksAtOnceAsThereAreConnectionsEnd(t *testing.T) {
	t.Parallel()
	q, ctx := apptest.QuarterOf(t, false), context.Background()
	_, err := q.On(0, 3).Dues.PayFromWallet(ctx, q.Member, q.Sub, apptest.Naira(5000), dues.Due{})
	require.NoError(t, err)
	q.Caught()
	_, err = q.Pool.Exec(ctx, `INSERT INTO rm_contributions SELECT pos + n, gen_random_uuid(), group_id, sub_account_id, user_id, paid_by, kind, kobo, channel, effective_at + n * interval '1 second',
		settled, payment_id, reversed, odd, mark, marked_by, marked_at, reason, answered, queried_at, recorded_at FROM rm_contributions, generate_series(1000, 3000) n WHERE group_id = $1`, q.Group)
	require.NoError(t, err) // A group of many payments: a thousand rows are read at a time.
	now := q.On(1, 20)
	folk, err := people.New(people.Options{Pool: q.Pool, PublicURL: "http://adashi.example", Key: make([]byte, 32), FastHashing: true})
	require.NoError(t, err) // Names are cached for a minute. The minute is over, or another process writes the book.
	t.Cleanup(folk.Close)
	base := *now.Dues.Base
	base.People = folk
	now.Dues.Base = &base
	n := int(now.Dues.Pool.Config().MaxConns)
	limited, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	var ready, done sync.WaitGroup
	ready.Add(n)
	errs := make([]error, n)
	for i := range n {
		done.Go(func() {
			errs[i] = now.Dues.ExportBook(limited, q.Validator.User, q.Group, &q.Sub, nil, nil, func() io.Writer {
				ready.Done()
				ready.Wait() // All of them are writing.
				return &bytes.Buffer{}
			})
		})
	}
	done.Wait()
	for i, err := range errs {
		require.NoError(t, err, "book %d of %d", i+1, n)
	}
}
