package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
)

// broken is a command that cannot name its streams, or cannot be decided.
type broken struct{ naming bool }

func (c broken) Streams() []string {
	if c.naming {
		panic("it does not know what it is about")
	}
	return []string{"group:g"}
}
func (broken) Accounts() []string { return nil }
func (broken) Decide(event.View) ([]event.Draft, error) {
	panic("a decider that cannot take this")
}

// troubled is a ledger in which dayo's contributions seem to be archived, and efe's have an unknown type.
func troubled(b *bench) {
	b.group("bisi", "chidi", "dayo", "efe")
	for _, user := range []string{"bisi", "chidi", "dayo", "efe"} {
		b.fund(user, 10_000*money.Naira)
	}
	tx, found, err := b.backend().Lock(context.Background(), store.Need{})
	require.NoError(b, err)
	w := written(b, found.Tip, "dues:sub:efe", 1, 0)
	r := w.Records[0]
	r.Type, r.Lines = "naira.v9.WhatANewerBuildKnows", nil
	w.Leaves[0] = r.Leaf()
	w.Tip.Leaf, w.Tip.RecordedAt = w.Leaves[0], time.Now().UTC().Truncate(time.Microsecond)
	r.RecordedAt = w.Tip.RecordedAt
	w.Leaves[0] = r.Leaf()
	w.Tip.Leaf = w.Leaves[0]
	w.Snapshots = []store.Snapshot{{Stream: "dues:sub:dayo", Fold: 99, Version: 7, State: []byte("{}")}}
	require.NoError(b, tx.Commit(context.Background(), w))
}

// bad returns commands that must fail alone, with the error code of each.
func bad() map[string]struct {
	command store.Command
	code    fault.Code
} {
	type one = struct {
		command store.Command
		code    fault.Code
	}
	of := func(c event.Command) store.Command {
		return store.Command{ID: uuid.New(), Keyed: true, Actor: "tester", Command: c}
	}
	correlated, actor := of(contribute("bisi", money.Naira)), of(contribute("bisi", money.Naira))
	correlated.Correlation, actor.Actor = "a\x00b", "a\xffb"
	card := wallet.StartPayment{PaymentID: uuid.NewString(), User: "bisi", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 100 * money.Naira}
	named := savings.CreateGroup{GroupID: uuid.NewString(), Owner: "ada", Name: "a\x00b", Amount: 5000 * money.Naira, Capacity: 20, StartMonth: 1, Now: time.Now()}
	unwelcome := of(contribute("bisi", money.Naira))
	unwelcome.Actor = "unwelcome"
	return map[string]one{
		"a fold that panics":         {of(contribute("chidi", money.Naira)), fault.Unavailable},
		"an archived stream":         {of(contribute("dayo", money.Naira)), fault.Unavailable},
		"an unknown type":            {of(contribute("efe", money.Naira)), fault.Unavailable},
		"a decider that panics":      {of(broken{}), fault.Unavailable},
		"a command that panics":      {of(broken{naming: true}), fault.Unavailable},
		"an archived one in a bulk":  {of(store.Bulk{contribute("bisi", money.Naira), contribute("dayo", money.Naira)}), fault.Unavailable},
		"a NUL in a correlation":     {correlated, fault.Invalid},
		"an actor that is not UTF-8": {actor, fault.Invalid},
		"a NUL in a stream":          {of(contribute("bi\x00si", money.Naira)), fault.Invalid},
		"a NUL in a text":            {of(named), fault.Invalid},
		"a NUL in an id":             {of(wallet.EndPayment{PaymentID: card.PaymentID + "\x00", To: wallet.Failed}), fault.Invalid},
		"what the database refuses":  {unwelcome, fault.Unavailable},
	}
}

// picky is a backend that refuses the writes of an unwelcome actor, and counts the transactions.
type picky struct {
	store.Backend
	transactions, first, last atomic.Int64 // All, and the numbers of the first and the last that was refused.
}

func (p *picky) refuses(w store.Writes) error {
	n := p.transactions.Add(1)
	for _, r := range w.Records {
		if r.Actor == "unwelcome" {
			p.first.CompareAndSwap(0, n)
			p.last.Store(n)
			return fmt.Errorf("%w: somebody unwelcome", store.ErrConstraint)
		}
	}
	return nil
}

func (p *picky) Write(ctx context.Context, from store.Tip, w store.Writes) error {
	if err := p.refuses(w); err != nil {
		return err
	}
	return p.Backend.Write(ctx, from, w)
}

func (p *picky) Lock(ctx context.Context, n store.Need) (store.Locked, store.Found, error) {
	tx, found, err := p.Backend.Lock(ctx, n)
	return pickyLocked{tx, p}, found, err
}

type pickyLocked struct {
	store.Locked
	picky *picky
}

func (l pickyLocked) Commit(ctx context.Context, w store.Writes) error {
	if err := l.picky.refuses(w); err != nil {
		return err
	}
	return l.Locked.Commit(ctx, w)
}

// together appends commands so that they come in few batches, and answers the error of each.
func (b *bench) together(s *store.Store, commands []store.Command) []error {
	b.Helper()
	release := b.holdLock()
	answers := make([]error, len(commands))
	var over sync.WaitGroup
	for n, c := range commands {
		over.Go(func() { _, answers[n] = s.Append(context.Background(), c) })
	}
	release()
	over.Wait()
	return answers
}

func TestWhateverCannotBeDecidedFailsAlone(t *testing.T) {
	everywhere(t, func(b *bench) {
		troubled(b)
		seed := rand.Uint64()
		b.Logf("seed %d", seed)
		r := rand.New(rand.NewPCG(seed, 1))
		s := store.Open(&picky{Backend: b.backend()}, cracked(), store.Options{Batch: 100})
		b.Cleanup(s.Close)
		before := b.balance("wallet:bisi")
		var good []store.Command
		for range 12 {
			all := bad()
			var (
				commands []store.Command
				want     []fault.Code
			)
			for name, one := range all {
				if r.IntN(3) > 0 {
					b.Log(name)
					commands, want = append(commands, one.command), append(want, one.code)
				}
			}
			for range 1 + r.IntN(80) {
				c := command(uuid.New(), contribute("bisi", money.Naira))
				good, commands, want = append(good, c), append(commands, c), append(want, "")
			}
			r.Shuffle(len(commands), func(i, j int) {
				commands[i], commands[j] = commands[j], commands[i]
				want[i], want[j] = want[j], want[i]
			})
			for n, err := range b.together(s, commands) {
				if want[n] == "" {
					require.NoError(b, err, "a neighbour")
				} else {
					require.True(b, fault.Is(err, want[n]), "%T by %q: %v", commands[n].Command, commands[n].Actor, err)
				}
			}
		}
		records, err := b.read(0, 100_000)
		require.NoError(b, err)
		recorded := map[uuid.UUID]int{}
		for i := range records {
			recorded[records[i].Command]++
			require.NotEqual(b, "unwelcome", records[i].Actor)
		}
		for _, c := range good {
			require.Equal(b, 1, recorded[c.ID], "recorded once")
		}
		require.Equal(b, before-money.Kobo(len(good))*money.Naira, b.balance("wallet:bisi"))
		require.Equal(b, money.Kobo(len(good))*money.Naira, b.balance("pool:sub"))
		b.sound()
	})
}

func TestTheSameHoldsOfTheDatabasesOwnRefusals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.group("bisi")
	b.fund("bisi", 1000*money.Naira)
	for name, check := range map[string]string{
		"a constraint (23)": "actor <> 'unwelcome 1'", "data (22)": "1 / (CASE actor WHEN 'unwelcome 2' THEN 0 ELSE 1 END) > 0",
	} {
		_, err := b.pool.Exec(context.Background(), fmt.Sprintf("ALTER TABLE events ADD CHECK (%s)", check))
		require.NoError(t, err, name)
	}
	var commands []store.Command
	for n := range 60 {
		c := command(uuid.New(), contribute("bisi", money.Naira))
		if n == 17 || n == 41 {
			c.Actor = fmt.Sprint("unwelcome ", 1+n%2)
		}
		if n == 40 {
			c.Actor = "unwelcome 2"
		}
		commands = append(commands, c)
	}
	for n, err := range b.together(b.store, commands) {
		if len(commands[n].Actor) > len("tester") {
			require.ErrorIs(t, err, store.ErrUndecided)
			require.True(t, fault.Is(err, fault.Unavailable))
		} else {
			require.NoError(t, err)
		}
	}
	require.Equal(t, 57*money.Naira, b.balance("pool:sub"))
	b.sound()
}

func TestTheGuiltyOneCostsItsNeighboursFewTransactions(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi")
		b.fund("bisi", 1000*money.Naira)
		backend := &picky{Backend: b.backend()}
		s := store.Open(backend, ledger.Aggregates(), store.Options{Batch: 1000})
		b.Cleanup(s.Close)
		var commands []store.Command
		for n := range 512 {
			c := command(uuid.New(), contribute("bisi", money.Naira))
			if n == 300 {
				c.Actor = "unwelcome"
			}
			commands = append(commands, c)
		}
		for n, err := range b.together(s, commands) {
			require.Equal(b, n == 300, errors.Is(err, store.ErrUndecided), "%v", err)
		}
		// Two tries for each halving and one for its other half. A busy machine may cut the commands into many batches,
		// so only the tries during the search for the guilty command count.
		require.Less(b, backend.last.Load()-backend.first.Load(), int64(3*9+20))
		require.Equal(b, 511*money.Naira, b.balance("pool:sub"))
	})
}
