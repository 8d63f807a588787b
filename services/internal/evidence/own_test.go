package evidence_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/infra/history"
	"adashi.ng/services/internal/evidence/bundle"
)

// trim removes the hashes that nothing refers to, as a forger would who leaves events out.
func trim(b *bundle.Bundle) {
	var hashes []string
	places := map[int]int{}
	renumber := func(path []int) {
		for i, at := range path {
			if _, known := places[at]; !known {
				places[at] = len(hashes)
				hashes = append(hashes, b.Hashes[at])
			}
			path[i] = places[at]
		}
	}
	for _, e := range b.Events {
		renumber(e.Path)
	}
	for _, h := range b.Hidden {
		renumber(h.Path)
	}
	if b.Anchor != nil {
		renumber(b.Anchor.Counted.Path)
	}
	if b.Seen != nil {
		for _, p := range b.Seen.Proofs {
			renumber(p.Path)
		}
	}
	b.Hashes = hashes
}

// It adds the owner's payment, with its record and path from the owner's own page.
func TestAnothersPaymentIsNotToldAsTheMembers(t *testing.T) {
	t.Parallel()
	ctx, d := context.Background(), disputed(t, false, nil)
	b := d.bundle()
	c, err := d.App.Activity.Proofs.Latest(ctx)
	require.NoError(t, err)
	records, err := history.Read(ctx, d.Pool, 0, 10_000)
	require.NoError(t, err)
	places := map[tlog.Hash]int{}
	for at, text := range b.Hashes {
		hash, err := tlog.ParseHash(text)
		require.NoError(t, err)
		places[hash] = at
	}
	added := 0
	for _, r := range records {
		own := slices.ContainsFunc(b.Events, func(e bundle.Event) bool { return record(t, e).Pos == r.Pos })
		if own || r.Stream[:8] != "payment:" {
			continue
		}
		paths, err := d.App.Activity.Proofs.Paths(ctx, c, []int64{r.Pos})
		require.NoError(t, err)
		b.Add(r.Encode(), paths[0], places)
		added++
		if r.Version == 1 {
			b.Streams = append(b.Streams, bundle.Stream{Name: r.Stream, From: 1, To: 2})
		}
	}
	require.Equal(t, 2, added, "the owner's payment begun and confirmed")
	slices.SortFunc(b.Streams, func(x, y bundle.Stream) int { return strings.Compare(x.Name, y.Name) })
	slices.SortFunc(b.Events, func(x, y bundle.Event) int { return int(record(t, x).Pos - record(t, y).Pos) })
	_, err = bundle.Check(b, d.keys)
	require.ErrorIs(t, err, bundle.ErrBundle)
	require.ErrorContains(t, err, "is another member's")
}

// A member with a page of eleven events claims that the first ones are missing because there are too many, a payment of
// ₦9,000 among them, so that every balance begins where it suits them.
func TestAFileThatHasRoomLeavesNoEarlierEventsOut(t *testing.T) {
	t.Parallel()
	d := disputed(t, false, nil)
	b := d.bundle()
	require.Less(t, len(b.Events), 100)
	i := 0
	for ; record(t, b.Events[i]).Type != "naira.v1.PaymentConfirmedV2"; i++ {
	}
	paid := record(t, b.Events[i])
	b.Earlier, b.Events = true, b.Events[i+1:]
	streams := b.Streams
	b.Streams = nil
	for _, s := range streams {
		first := int64(0)
		for _, e := range b.Events {
			if r := record(t, e); r.Stream == s.Name && first == 0 {
				first = r.Version
			}
		}
		if first > 0 {
			s.From = first
			b.Streams = append(b.Streams, s)
		}
	}
	for j := range b.Accounts {
		b.Accounts[j].Opening, b.Accounts[j].Lines = int64(paid.Lines[1].Balance), b.Accounts[j].Lines-1
	}
	trim(&b)
	_, err := bundle.Check(b, d.keys)
	require.ErrorContains(t, err, "has room for them")
	require.ErrorIs(t, err, bundle.ErrBundle, "a payment in of ₦9,000 is left out as one too many of %d events", len(b.Events))
}

func TestAStreamThatOthersNeedIsNotLeftOut(t *testing.T) {
	t.Parallel()
	d := disputed(t, false, nil)
	b := d.bundle()
	b.Streams = without(b.Streams, "member:")
	kept := b.Events[:0:0]
	for _, e := range b.Events {
		if r := record(t, e); r.Stream[:7] != "member:" {
			kept = append(kept, e)
		}
	}
	require.Len(t, kept, len(b.Events)-2)
	b.Events = kept
	trim(&b)
	_, err := bundle.Check(b, d.keys)
	require.ErrorContains(t, err, "events that are here need it")
	require.ErrorIs(t, err, bundle.ErrBundle)
}
