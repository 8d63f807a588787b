package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
)

// written is a write that follows on from a tip: one event of a payment into a wallet.
func written(b *bench, tip store.Tip, stream string, version int64, amount money.Kobo) store.Writes {
	after := b.balance("wallet:x") + amount
	r := &event.Record{
		Pos: tip.Pos + 1, Stream: stream, Version: version, Type: "naira.v1.ContributionReceived", Command: uuid.New(), Actor: "tester", Correlation: "c",
		EffectiveAt: time.Unix(1_800_000_000, 0).UTC(), RecordedAt: time.Unix(1_800_000_000, 1000).UTC(), Body: []byte{},
		Lines: []event.Line{{Account: "bank:transfer", Amount: -amount, Balance: -after}, {Account: "wallet:x", Amount: amount, Balance: after}},
	}
	return store.Writes{
		Tip: store.Tip{Pos: tip.Pos + 1, RecordedAt: r.RecordedAt, Leaf: r.Leaf()}, Records: []*event.Record{r}, Leaves: [][32]byte{r.Leaf()},
		Commands: []store.Recorded{{Command: r.Command, Pos: r.Pos, Events: 1}},
	}
}

// appended is a ledger with one event in it, and its end.
func appended(b *bench) (store.Writes, store.Tip) {
	tx, found, err := b.backend().Lock(context.Background(), store.Need{})
	require.NoError(b, err)
	w := written(b, found.Tip, "dues:s:x", 1, 100)
	require.NoError(b, tx.Commit(context.Background(), w))
	return w, w.Tip
}

func TestAWriteMustFollowOnFromWhereTheLedgerEnds(t *testing.T) {
	everywhere(t, func(b *bench) {
		_, tip := appended(b)
		next := written(b, tip, "dues:s:x", 2, 100)
		behind, other := tip, tip
		behind.Pos--
		require.ErrorIs(b, b.backend().Write(context.Background(), behind, next), store.ErrMoved)
		other.Leaf[0]++ // Another history of the same length.
		require.ErrorIs(b, b.backend().Write(context.Background(), other, next), store.ErrMoved)
		require.Equal(b, tip.Pos, b.head())
		require.NoError(b, b.backend().Write(context.Background(), tip, next))
		require.Equal(b, tip.Pos+1, b.head())
	})
}

func TestARefusalOfWhatWasRecordedIsNotWritten(t *testing.T) {
	everywhere(t, func(b *bench) {
		first, tip := appended(b)
		next := written(b, tip, "dues:s:x", 2, 100)
		next.Refused = []uuid.UUID{uuid.New(), first.Records[0].Command}
		require.ErrorIs(b, b.backend().Write(context.Background(), tip, next), store.ErrBefore)
		require.Equal(b, tip.Pos, b.head())
	})
}

func TestWhatAConstraintRefusesIsNotWrittenInPart(t *testing.T) {
	everywhere(t, func(b *bench) {
		first, tip := appended(b)
		for name, spoil := range map[string]func(w *store.Writes){
			"a position used twice":    func(w *store.Writes) { w.Records[0].Pos-- },
			"a version used twice":     func(w *store.Writes) { w.Records[0].Version-- },
			"a command recorded twice": func(w *store.Writes) { w.Commands[0].Command = first.Commands[0].Command },
			"a recorded command refused": func(w *store.Writes) {
				w.Refusals = []store.Refusal{{Command: first.Commands[0].Command, Fault: fault.Fault{Code: fault.Conflict}}}
			},
			"lines out of balance":   func(w *store.Writes) { w.Records[0].Lines[0].Amount-- },
			"a wallet below zero":    func(w *store.Writes) { w.Records[0].Lines[1].Balance = -1 },
			"nine lines in an event": func(w *store.Writes) { w.Records[0].Lines = slices.Repeat(w.Records[0].Lines[:1:1], 9) },
		} {
			for _, ahead := range []bool{true, false} {
				w := written(b, tip, "dues:s:x", 2, 50)
				w.Snapshots = []store.Snapshot{{Stream: "dues:s:x", Fold: 1, Version: 2, State: []byte("{}")}}
				spoil(&w)
				require.ErrorIs(b, write(b, tip, w, ahead), store.ErrConstraint, name)
				require.Equal(b, tip.Pos, b.head(), name)
				require.EqualValues(b, 100, b.balance("wallet:x"), name)
				found, err := b.backend().Load(context.Background(), store.Need{Streams: []string{"dues:s:x"}, Folds: []int32{1}})
				require.NoError(b, err)
				require.Empty(b, found.Snapshots, name)
				require.Len(b, found.Events, 1, name)
			}
		}
		require.NoError(b, b.backend().Write(context.Background(), tip, written(b, tip, "dues:s:x", 2, 50)))
	})
}

// write writes ahead, or under the lock.
func write(b *bench, from store.Tip, w store.Writes, ahead bool) error {
	if ahead {
		return b.backend().Write(context.Background(), from, w)
	}
	tx, _, err := b.backend().Lock(context.Background(), store.Need{})
	require.NoError(b, err)
	defer tx.Rollback()
	return tx.Commit(context.Background(), w)
}

func TestWhoHoldsTheLockKeepsOthersWaitingUntilTheyGiveUp(t *testing.T) {
	everywhere(t, func(b *bench) {
		_, tip := appended(b)
		tx, _, err := b.backend().Lock(context.Background(), store.Need{})
		require.NoError(b, err)
		b.Cleanup(tx.Rollback) // Also when the test ends early: the pool waits for it. A second time does no harm.
		short := func() context.Context {
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			b.Cleanup(cancel)
			return ctx
		}
		_, _, err = b.backend().Lock(short(), store.Need{})
		require.Error(b, err)
		require.Error(b, b.backend().Write(short(), tip, written(b, tip, "dues:s:x", 2, 50)))
		_, err = b.backend().Load(context.Background(), store.Need{Accounts: []string{"wallet:x"}})
		require.NoError(b, err, "a reader waits for nobody, or it would wait for ever")
		tx.Rollback()
		tx.Rollback() // Does no harm.
		require.Equal(b, tip.Pos, b.head())
		require.NoError(b, b.backend().Write(context.Background(), tip, written(b, tip, "dues:s:x", 2, 50)))
	})
}

func TestAWriterWhoWaitedForTheLockFindsThatTheLedgerMoved(t *testing.T) {
	everywhere(t, func(b *bench) {
		_, tip := appended(b)
		tx, _, err := b.backend().Lock(context.Background(), store.Need{})
		require.NoError(b, err)
		waited := make(chan error, 1)
		go func() { waited <- b.backend().Write(context.Background(), tip, written(b, tip, "dues:s:x", 2, 50)) }()
		other := written(b, tip, "dues:s:x", 2, 70)
		require.NoError(b, tx.Commit(context.Background(), other))
		require.ErrorIs(b, <-waited, store.ErrMoved)
		require.EqualValues(b, 170, b.balance("wallet:x"))
	})
}

// TestMemoryAnswersAsPostgresDoes makes the same writes, sound or not, to both backends and compares all answers.
func TestMemoryAnswersAsPostgresDoes(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	real, memory := setup(t), inMemory(t)
	var commands []uuid.UUID
	outcomes := map[string]int{}
	for range 400 {
		w, need := anything(r, memory, &commands)
		from := store.Tip{Pos: max(0, memory.head()-r.Int64N(2)*r.Int64N(2)), Leaf: memory.leaf(memory.head())}
		from.Leaf[0] += byte(r.IntN(10) / 9)
		ahead := r.IntN(2) == 0
		want, got := kind(write(real, from, w, ahead)), kind(write(memory, from, w, ahead))
		require.Equal(t, want, got, "%+v", w)
		outcomes[want]++
		require.Equal(t, found(real, need), found(memory, need))
		if r.IntN(10) == 0 {
			want, err := real.backend().Settle(context.Background())
			require.NoError(t, err)
			got, err := memory.backend().Settle(context.Background())
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		require.Equal(t, real.head(), memory.head())
	}
	want, err := real.read(0, 10_000)
	require.NoError(t, err)
	got, err := memory.read(0, 10_000)
	require.NoError(t, err)
	require.Equal(t, want, got)
	for _, outcome := range []string{"written", "moved", "before", "constraint"} {
		require.Positive(t, outcomes[outcome], "%s never happened: %v", outcome, outcomes)
	}
}

func kind(err error) string {
	switch {
	case err == nil:
		return "written"
	case errors.Is(err, store.ErrMoved):
		return "moved"
	case errors.Is(err, store.ErrBefore):
		return "before"
	case errors.Is(err, store.ErrConstraint):
		return "constraint"
	default:
		return err.Error()
	}
}

// anything is a write of one or two events that may be valid, and a read.
func anything(r *rand.Rand, b *bench, commands *[]uuid.UUID) (store.Writes, store.Need) {
	known := func() uuid.UUID { return (*commands)[r.IntN(len(*commands))] }
	pick := func() uuid.UUID {
		if len(*commands) > 0 && r.IntN(12) == 0 {
			return known()
		}
		*commands = append(*commands, uuid.New())
		return (*commands)[len(*commands)-1]
	}
	need := store.Need{Streams: []string{"dues:s:a", "dues:s:b"}, Folds: []int32{1, 2}, Accounts: []string{"wallet:x", "wallet:y", "bank:transfer"}, Tail: true, From: r.Int64N(4)}
	need.Tried, need.TriedSince = []string{"ada", "chidi"}, time.Unix(1_800_000_000-int64(r.IntN(2)), 0)
	need.Settle, need.Now = r.IntN(6) == 0, r.IntN(2) == 0
	all, err := b.backend().Load(context.Background(), store.Need{Streams: need.Streams, Folds: []int32{0, 0}, Accounts: need.Accounts, Now: true})
	require.NoError(b, err)
	versions := map[string]int64{}
	for i := range all.Events {
		versions[all.Events[i].Stream] = all.Events[i].Version
	}
	w := store.Writes{Tip: store.Tip{Pos: b.head(), RecordedAt: time.Unix(1_800_000_000, 0)}}
	for range r.IntN(3) {
		stream, account := need.Streams[r.IntN(2)], need.Accounts[r.IntN(2)]
		amount := money.Kobo(r.IntN(200) - 60)
		versions[stream] += 1 - int64(r.IntN(20)/19)
		one := written(b, store.Tip{Pos: w.Tip.Pos}, stream, max(1, versions[stream]), amount)
		record := one.Records[0]
		record.Lines[1].Account, record.Command = account, pick()
		if r.IntN(20) == 0 {
			record.Lines = nil
		}
		for i := range record.Lines {
			line := &record.Lines[i]
			all.Balances[line.Account] += line.Amount
			line.Balance = all.Balances[line.Account]
		}
		w.Tip = store.Tip{Pos: w.Tip.Pos + 1, RecordedAt: record.RecordedAt, Leaf: record.Leaf()}
		w.Records, w.Leaves = append(w.Records, record), append(w.Leaves, w.Tip.Leaf)
		w.Commands = append(w.Commands, store.Recorded{Command: record.Command, Pos: record.Pos, Events: 1})
	}
	if r.IntN(4) == 0 {
		w.Refusals = []store.Refusal{{Command: pick(), Hash: [16]byte{1}, Actor: []string{"ada", "bisi"}[r.IntN(2)], Fault: fault.Fault{Code: fault.Conflict, Message: "No.", Field: "f"}}}
	}
	if len(*commands) > 0 && r.IntN(8) == 0 {
		w.Refused = []uuid.UUID{known()}
	}
	if r.IntN(4) == 0 {
		w.Snapshots = []store.Snapshot{{Stream: need.Streams[r.IntN(2)], Fold: int32(1 + r.IntN(2)), Version: max(1, versions["dues:s:a"]-int64(r.IntN(3))), State: []byte(fmt.Sprint(r.IntN(100)))}}
	}
	for range min(4, len(*commands)) {
		need.Recorded, need.Refused = append(need.Recorded, known()), append(need.Refused, known())
	}
	return w, need
}

// found is the data that a backend loads, printed in a fixed order.
func found(b *bench, n store.Need) string {
	tx, f, err := b.backend().Lock(context.Background(), n)
	require.NoError(b, err)
	require.NoError(b, tx.Commit(context.Background(), store.Writes{})) // Settled balances stay settled.
	n.Settle = false
	loaded, err := b.backend().Load(context.Background(), n)
	require.NoError(b, err)
	for _, f := range []*store.Found{&f, &loaded} {
		slices.SortFunc(f.Snapshots, func(x, y store.Snapshot) int { return strings.Compare(x.Stream, y.Stream) })
		slices.SortFunc(f.Refusals, func(x, y store.Refusal) int { return strings.Compare(x.Command.String(), y.Command.String()) })
		f.Tip.RecordedAt = f.Tip.RecordedAt.UTC()
		for i := range f.Events {
			f.Events[i].EffectiveAt, f.Events[i].RecordedAt = f.Events[i].EffectiveAt.UTC(), f.Events[i].RecordedAt.UTC()
		}
	}
	loaded.Tip = f.Tip
	require.Equal(b, fmt.Sprintf("%+v", f), fmt.Sprintf("%+v", loaded), "under the lock nothing else is read")
	return fmt.Sprintf("%+v", f)
}
