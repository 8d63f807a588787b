package store_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
)

// A person who guesses every field of an event still does not know its leaf.
func TestALeafCannotBeGuessed(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi")
		b.fund("bisi", 1000*money.Naira)
		at := time.Now().Add(time.Minute).UTC().Truncate(time.Microsecond)
		s := b.openWith(store.Options{Clock: func() time.Time { return at }})
		id := uuid.New()
		both, err := s.Append(context.Background(), command(id, pair{contribute("bisi", 100*money.Naira), contribute("bisi", 70*money.Naira)}))
		require.NoError(b, err)
		require.Len(b, both.Records, 2)
		seen := map[[8]byte]bool{}
		for _, r := range both.Records {
			require.Equal(b, at, r.RecordedAt, "nothing else is left to chance")
			seen[[8]byte(r.CommandHash[:])] = true
			require.True(b, event.SameWish(r.CommandHash, store.Fingerprint(pair{contribute("bisi", 100*money.Naira), contribute("bisi", 70*money.Naira)})))
			require.False(b, event.SameWish(r.CommandHash, store.Fingerprint(pair{contribute("bisi", 100*money.Naira), contribute("bisi", 71*money.Naira)})))
			guess := r
			guess.CommandHash = store.Fingerprint(pair{contribute("bisi", 100*money.Naira), contribute("bisi", 70*money.Naira)})
			require.NotEqual(b, r.Leaf(), guess.Leaf())
		}
		require.Len(b, seen, 2, "who is shown the first event does not know the second's")
	})
}

// pair is two commands in one.
type pair []event.Command

func (p pair) Streams() (all []string) {
	for _, c := range p {
		all = append(all, c.Streams()...)
	}
	return all
}

func (p pair) Accounts() (all []string) {
	for _, c := range p {
		all = append(all, c.Accounts()...)
	}
	return all
}

func (p pair) Decide(v event.View) (all []event.Draft, err error) {
	for _, c := range p {
		drafts, err := c.Decide(v)
		if err != nil {
			return nil, err
		}
		all = append(all, drafts...)
	}
	return all, nil
}

func TestACommandOfBeforeThereWereSaltsIsRepeated(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.group("bisi")
	b.fund("bisi", 1000*money.Naira)
	paid := command(uuid.New(), contribute("bisi", 100*money.Naira))
	_, err := b.store.Append(context.Background(), paid)
	require.NoError(t, err)
	_, err = b.pool.Exec(context.Background(), fmt.Sprintf(`ALTER TABLE events DISABLE TRIGGER events_final;
		UPDATE events SET command_hash = '\x%x' WHERE command = '%s'; ALTER TABLE events ENABLE TRIGGER events_final`, paid.Hash, paid.ID))
	require.NoError(t, err)
	s := b.open()
	again, err := s.Append(context.Background(), paid)
	require.NoError(t, err)
	require.True(t, again.Repeated)
	paid.Hash[0]++
	_, err = s.Append(context.Background(), paid)
	require.True(t, fault.Is(err, fault.Conflict), "%v", err)
}

// A retry must have the same fingerprint in every build.
func TestAFingerprintStays(t *testing.T) {
	t.Parallel()
	hash := store.Fingerprint("ajo", "", "two\x00words", int64(100), 7, true)
	require.Equal(t, "66682126968cbee5b6b2dbaec9223705", hex.EncodeToString(hash[:]))
}
