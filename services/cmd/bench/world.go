package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/money"
	"adashi.ng/ledger/pgchild"
	"adashi.ng/ledger/savings"
	"adashi.ng/ledger/store"
	"adashi.ng/ledger/wallet"
)

// world is a durable Postgres with an empty ledger.
type world struct {
	dir    string
	server *pgchild.Server
	pool   *pgxpool.Pool
	ledger *store.Store
}

func newWorld(ctx context.Context) (*world, error) {
	dir, err := os.MkdirTemp("", "adashi-bench-")
	if err != nil {
		return nil, err
	}
	w := &world{dir: dir}
	if w.server, err = pgchild.Start(ctx, pgchild.Options{Dir: filepath.Join(dir, "pg")}); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	if w.pool, err = pgxpool.New(ctx, w.server.URL("postgres")); err != nil {
		w.close()
		return nil, err
	}
	if err := store.Migrate(ctx, w.pool); err != nil {
		w.close()
		return nil, err
	}
	w.ledger = store.Open(store.Postgres(w.pool, 0), ledger.Aggregates(), store.Options{})
	return w, nil
}

func (w *world) close() {
	if w.ledger != nil {
		w.ledger.Close()
	}
	if w.pool != nil {
		w.pool.Close()
	}
	w.server.Stop()
	_ = os.RemoveAll(w.dir)
}

// command is a command with a fresh id.
func command(c event.Command) store.Command {
	return store.Command{ID: store.NewCommandID(), Hash: [16]byte{1}, Keyed: true, Actor: "bench", Command: c}
}

const (
	groups  = 20 // So that no group's pool is hotter than a big group's would be.
	wallets = 10_000
)

func groupID(n int) string { return fmt.Sprintf("00000000-0000-8000-8000-%012d", n) }
func subID(n int) string   { return fmt.Sprintf("00000000-0000-8000-9000-%012d", n) }
func userID(n int) string  { return fmt.Sprintf("00000000-0000-8000-a000-%012d", n) }

// populate makes active groups, and members with money, who belong to group n mod groups.
func (w *world) populate(ctx context.Context) error {
	now := time.Now()
	for g := range groups {
		owner := "owner-" + groupID(g)
		for _, c := range []event.Command{
			savings.CreateGroup{GroupID: groupID(g), Owner: owner, Name: "Bench group", Amount: 100 * money.Naira, Capacity: 10_000, StartMonth: 1, Now: now},
			savings.OpenSubAccount{
				GroupID: groupID(g), SubAccountID: subID(g), By: owner, Name: "Bench pool", Type: nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE,
				Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, Amount: 100 * money.Naira, Now: now,
			},
		} {
			if _, err := w.ledger.Append(ctx, command(c)); err != nil {
				return err
			}
		}
	}
	if err := each(wallets, 256, func(n int) error { return w.member(ctx, n, now) }); err != nil {
		return err
	}
	for g := range groups {
		if _, err := w.ledger.Append(ctx, command(savings.AppointValidator{GroupID: groupID(g), User: userID(g), By: "owner-" + groupID(g)})); err != nil {
			return err
		}
	}
	_, err := w.pool.Exec(ctx, "CHECKPOINT")
	return err
}

func (w *world) member(ctx context.Context, n int, now time.Time) error {
	user, group := userID(n), groupID(n%groups)
	payment := uuid.NewString()
	for _, c := range []event.Command{
		savings.JoinGroup{GroupID: group, User: user},
		savings.ApproveMember{GroupID: group, User: user, By: "owner-" + group},
		wallet.StartPayment{PaymentID: payment, User: user, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Amount: 1_000_000 * money.Naira, ExpiresAt: now},
		wallet.ConfirmPayment{PaymentID: payment, User: user, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Gross: 1_000_000 * money.Naira, ProviderRef: payment, PaidAt: now},
	} {
		if _, err := w.ledger.Append(ctx, command(c)); err != nil {
			return err
		}
	}
	return nil
}

// each runs f(0..n-1) with so many at once.
func each(n, atOnce int, f func(int) error) error {
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		first error
	)
	for worker := range atOnce {
		wg.Go(func() {
			for i := worker; i < n; i += atOnce {
				if err := f(i); err != nil {
					mu.Lock()
					first = err
					mu.Unlock()
					return
				}
			}
		})
	}
	wg.Wait()
	return first
}

// sample is what callers saw.
type sample struct {
	rate      float64
	latencies []time.Duration // Sorted.
}

func (s sample) percentile(p int) float64 {
	if len(s.latencies) == 0 {
		return 0
	}
	return float64(s.latencies[min(len(s.latencies)-1, len(s.latencies)*p/100)].Microseconds()) / 1000
}

const (
	warmUp   = time.Second
	measured = 4 * time.Second
)

// hammer has callers call f without pause; what happens in the warm-up is not counted. f gets a number that never
// repeats.
func hammer(callers int, f func(caller, n int) error) (sample, error) {
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		out   sample
		first error
		from  = time.Now().Add(warmUp)
		until = from.Add(measured)
	)
	for caller := range callers {
		wg.Go(func() {
			var seen []time.Duration
			for n := caller; ; n += callers {
				start := time.Now()
				if start.After(until) {
					break
				}
				if err := f(caller, n); err != nil {
					mu.Lock()
					first = err
					mu.Unlock()
					break
				}
				if start.After(from) {
					seen = append(seen, time.Since(start))
				}
			}
			mu.Lock()
			out.latencies = append(out.latencies, seen...)
			mu.Unlock()
		})
	}
	wg.Wait()
	out.rate = float64(len(out.latencies)) / measured.Seconds()
	slices.Sort(out.latencies)
	return out, first
}
