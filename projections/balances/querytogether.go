package balances

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/money"
)

const (
	readsMax    = 2 // Under way at a time.
	askedMax    = 256
	readTimeMax = 20 * time.Second
)

// Together reads balances for all callers of a moment in one query. If fewer than readsMax reads are running, a caller
// gets a read at once; the others wait for one to end and share the next. No caller gets the answer of a read that
// began before they asked. Make it with NewTogether; it is safe for concurrent use.
type Together struct {
	pool    *pgxpool.Pool
	mu      sync.Mutex
	waiting []asked
	reads   int
}

type asked struct {
	user   string
	answer chan answer // With room for one, so that nothing waits for a caller who gave up.
}

type answer struct {
	Balances
	err error
}

// NewTogether makes a Together.
func NewTogether(pool *pgxpool.Pool) *Together { return &Together{pool: pool} }

// Of is the function Of.
func (t *Together) Of(ctx context.Context, userID string) (Balances, error) {
	one := asked{userID, make(chan answer, 1)}
	t.mu.Lock()
	t.waiting = append(t.waiting, one)
	if t.reads < readsMax {
		t.reads++
		go t.read()
	}
	t.mu.Unlock()
	select {
	case a := <-one.answer:
		return a.Balances, a.err
	case <-ctx.Done():
		return Balances{}, ctx.Err()
	}
}

// read answers waiting callers until there are none.
func (t *Together) read() {
	for {
		t.mu.Lock()
		batch := t.waiting
		t.waiting = nil
		if len(batch) > askedMax {
			batch, t.waiting = batch[:askedMax:askedMax], batch[askedMax:]
		}
		if len(batch) == 0 {
			t.reads--
			t.mu.Unlock()
			return
		}
		t.mu.Unlock()
		t.answer(batch)
	}
}

// answer reads the balances of a batch, in one query. The read has its own context, so a caller who leaves does not end
// it.
func (t *Together) answer(batch []asked) {
	ctx, cancel := context.WithTimeout(context.Background(), readTimeMax)
	defer cancel()
	users := make([]string, len(batch))
	for i := range batch {
		users[i] = batch[i].user
	}
	found, err := all(ctx, t.pool, users)
	for i, one := range batch {
		if err != nil {
			one.answer <- answer{err: err}
		} else {
			one.answer <- answer{Balances: found[i]}
		}
	}
}

// all reads the balances of users, in their order.
func all(ctx context.Context, pool *pgxpool.Pool, users []string) ([]Balances, error) {
	found := make([]Balances, 0, len(users))
	rows, err := pool.Query(ctx, `SELECT coalesce(w.kobo, 0), coalesce(w.held, 0),
		coalesce((SELECT sum(kobo - drawn)::bigint FROM rm_savings s WHERE s.user_id = u.id), 0), coalesce(a.kobo, 0)
		FROM unnest($1::text[]) WITH ORDINALITY AS u (id, n) LEFT JOIN rm_wallets w ON w.user_id = u.id
			LEFT JOIN rm_ajo_balances a ON a.user_id = u.id ORDER BY u.n`, users)
	if err != nil {
		return nil, err
	}
	var wallet, held, savings, ajo int64
	_, err = pgx.ForEachRow(rows, []any{&wallet, &held, &savings, &ajo}, func() error {
		found = append(found, Balances{Wallet: money.Kobo(wallet), Held: money.Kobo(held), Savings: money.Kobo(savings), Ajo: money.Kobo(ajo)})
		return nil
	})
	if err == nil && len(found) != len(users) {
		err = fmt.Errorf("balances: asked for %d and got %d", len(users), len(found))
	}
	return found, err
}
