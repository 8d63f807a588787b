package store_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
	"adashi.ng/ledger/sim"
)

func TestARetryAnswersWhatTheFirstTryDidAlsoWhereItWouldNowBeRefused(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi")
		b.fund("bisi", 700*money.Naira)
		id := uuid.New()
		first, err := b.store.Append(context.Background(), command(id, contribute("bisi", 700*money.Naira)))
		require.NoError(b, err)
		// The wallet is empty now. A process that has just started does not know the key; asked twice, it gives the
		// same answer.
		other := b.open()
		for range 2 {
			again, err := other.Append(context.Background(), command(id, contribute("bisi", 700*money.Naira)))
			require.NoError(b, err)
			require.True(b, again.Repeated)
			require.Equal(b, first.Records, again.Records)
		}
		require.False(b, b.refused(id), "a command that was recorded is never remembered as refused")
	})
}

func TestTwoProcessesUnderTwoThousandCommandsKeepOrderAndEveryKobo(t *testing.T) {
	everywhere(t, func(b *bench) {
		members := []string{"bisi", "chidi", "dayo", "efe"}
		b.group(members...)
		for _, m := range members {
			b.fund(m, 400*money.Naira) // Less than is asked for: some must be refused.
		}
		stores := []*store.Store{b.store, b.open()}
		var (
			wg   sync.WaitGroup
			mu   sync.Mutex
			paid = map[string]money.Kobo{}
		)
		for i := range 2000 {
			user, amount := members[i%4], money.Kobo(1+rand.IntN(200))
			wg.Go(func() {
				_, err := stores[i%2].Append(context.Background(), command(uuid.New(), contribute(user, amount)))
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					paid[user] += amount
				} else if !fault.Is(err, fault.Insufficient) {
					b.Errorf("%v", err)
				}
			})
		}
		wg.Wait()
		for _, m := range members {
			require.Equal(b, 400*money.Naira-paid[m], b.balance("wallet:"+m))
		}
		b.sound()
	})
}

// sound checks the ledger's own invariants over every record.
func (b *bench) sound() {
	b.Helper()
	records, err := b.read(0, 1_000_000)
	require.NoError(b, err)
	versions, balances := map[string]int64{}, map[string]money.Kobo{}
	var last time.Time
	for i, r := range records {
		require.EqualValues(b, i+1, r.Pos, "positions have no gap")
		versions[r.Stream]++
		require.Equal(b, versions[r.Stream], r.Version, r.Stream)
		require.False(b, r.RecordedAt.Before(last), "recorded times never go back")
		last = r.RecordedAt
		var sum money.Kobo
		for _, line := range r.Lines {
			balances[line.Account] += line.Amount
			require.Equal(b, balances[line.Account], line.Balance, "position %d", r.Pos)
			require.False(b, posting.Floored(line.Account) && line.Balance < 0, "position %d", r.Pos)
			sum += line.Amount
		}
		require.Zero(b, sum)
		require.Equal(b, r.Leaf(), b.leaf(r.Pos))
	}
	require.EqualValues(b, len(records), b.head())
	for account, balance := range balances {
		require.Equal(b, balance, b.balance(account), account)
	}
}

func TestWhenTheQueueIsFullCallersAreToldToComeBack(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi")
		b.fund("bisi", 1000*money.Naira)
		narrow := b.openWith(store.Options{Batch: 1, Queue: 1})
		release := b.holdLock()
		before := b.head()
		answers := make(chan error, 10)
		for range 10 {
			go func() {
				_, err := narrow.Append(context.Background(), command(uuid.New(), contribute("bisi", money.Naira)))
				answers <- err
			}()
		}
		taken := 10
		for range 8 { // One is decided, one waits; the others must be refused at once.
			require.True(b, fault.Is(<-answers, fault.Unavailable))
			taken--
		}
		release()
		for range taken {
			err := <-answers
			require.True(b, err == nil || fault.Is(err, fault.Unavailable), "%v", err)
			if err != nil {
				taken--
			}
		}
		require.Equal(b, before+int64(taken), b.head())
	})
}

// Not parallel: other tests' goroutines would count as leaks.
func TestClosingAnswersEverybodyAndLeavesNothingRunning(t *testing.T) {
	t.Run("memory", func(t *testing.T) { closing(t, onMemory{sim.NewDisk()}) })
	t.Run("Postgres", func(t *testing.T) {
		pool := ledgertest.Pool(t)
		require.NoError(t, store.Migrate(context.Background(), pool))
		pool.Reset()
		closing(t, onPostgres{t, pool})
	})
}

func closing(t *testing.T, on ground) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	s := store.Open(on.backend(), ledger.Aggregates(), store.Options{Batch: 7})
	b := &bench{T: t, ground: on, store: s}
	b.group("bisi")
	b.fund("bisi", 1000*money.Naira)
	before := b.head()
	answers := make(chan error, 500)
	for i := range 500 {
		go func() {
			if i == 250 {
				s.Close()
			}
			_, err := s.Append(context.Background(), command(uuid.New(), contribute("bisi", money.Naira)))
			answers <- err
		}()
	}
	recorded := int64(0)
	for range 500 {
		select {
		case err := <-answers:
			if err == nil {
				recorded++
			} else {
				require.True(t, fault.Is(err, fault.Unavailable), "%v", err)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("a caller was left without an answer")
		}
	}
	require.Equal(t, before+recorded, b.head(), "who was answered yes is recorded, who was answered no is not")
	if p, ok := on.(onPostgres); ok {
		p.pool.Close()
	}
}

// cracked are the aggregates, with a fold that breaks at chidi's contributions.
func cracked() []event.Aggregate {
	out := ledger.Aggregates()
	for i, a := range out {
		if a.Category != "dues" {
			continue
		}
		out[i].Evolve = func(state any, e event.Happened) any {
			if m, ok := e.Message.(*nairav1.ContributionReceived); ok && m.GetUserId() == "chidi" {
				panic("a fold that cannot take this event")
			}
			return a.Evolve(state, e)
		}
	}
	return out
}

func TestAFoldThatBreaksTakesNothingAndLeavesItsNeighboursRight(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi", "chidi")
		b.fund("bisi", 1000*money.Naira)
		b.fund("chidi", 1000*money.Naira)
		card := wallet.StartPayment{PaymentID: "p", User: "chidi", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 100 * money.Naira}
		b.do(card)
		// Its first event folds and is posted in memory; its second one breaks.
		half := dues.ContributeByPayment{
			Confirm:    wallet.ConfirmPayment{PaymentID: "p", User: "chidi", Provider: event.ProviderOnce(card.Channel), Gross: card.Amount, ProviderRef: "r"},
			Contribute: contribute("chidi", card.Amount),
		}
		s := store.Open(b.backend(), cracked(), store.Options{})
		b.Cleanup(s.Close)
		var wg sync.WaitGroup
		for i := range 60 {
			wg.Go(func() {
				if i%2 == 0 {
					_, err := s.Append(context.Background(), command(uuid.New(), contribute("bisi", money.Naira)))
					if err != nil {
						b.Errorf("a neighbour: %v", err)
					}
					return
				}
				_, err := s.Append(context.Background(), command(uuid.New(), half))
				if !errors.Is(err, store.ErrUndecided) || !fault.Is(err, fault.Unavailable) {
					b.Errorf("a bug is no refusal, and says that nothing was taken: %v", err)
				}
			})
		}
		wg.Wait()
		require.Equal(b, 30*money.Naira, b.balance("pool:sub"))
		require.Equal(b, 1000*money.Naira, b.balance("wallet:chidi"))
		b.sound()
	})
}
