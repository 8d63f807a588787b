package asks_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/asks"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

var now = time.Date(2026, 7, 1, 9, 0, 0, 0, time.UTC)

func in(seconds int) *time.Time {
	at := now.Add(time.Duration(seconds) * time.Second)
	return &at
}

func TestItIsAskedLessAndLessOftenAndNeverNotAtAll(t *testing.T) {
	t.Parallel()
	k, a := asks.Store{Most: 5 * time.Minute}, asks.Asking{}
	require.True(t, a.Due(now), "nobody came to it yet")
	for n, seconds := range []int{5, 10, 20, 40, 80, 160, 300, 300, 300, 300, 300, 300, 300} {
		a = k.Again(a, now, "at work on it")
		require.Equal(t, asks.Asking{Tries: n + 1, AskedAt: &now, NextAt: in(seconds), Answer: "at work on it"}, a)
	}
	require.False(t, a.Due(now.Add(299*time.Second)))
	require.True(t, a.Due(now.Add(300*time.Second)))
	waits := a.Waits(now, "The group is suspended.")
	require.Equal(t, []any{13, in(5)}, []any{waits.Tries, waits.NextAt}, "it counts as no try")
	require.Nil(t, a.Over(now, "done").NextAt)
	sent := asks.Sent(now)
	require.Equal(t, []any{0, in(5)}, []any{sent.Tries, sent.NextAt})
}

func TestWhatTheyDoNotKnowIsBelievedAfterAQuarterOfAnHourAndAskedThen(t *testing.T) {
	t.Parallel()
	k, first := asks.Store{Most: 10 * time.Minute}, asks.Asking{Tries: 9}.Told(now, true)
	require.Equal(t, now, *first.UnknownSince)
	later := now.Add(14 * time.Minute)
	again := first.Told(later, true)
	require.Equal(t, now, *again.UnknownSince, "it is counted from the first time")
	require.False(t, again.Unknown(now.Add(15*time.Minute-time.Nanosecond)))
	require.True(t, again.Unknown(now.Add(15*time.Minute)))
	require.Equal(t, now.Add(15*time.Minute), *k.Again(again, later, "unknown").NextAt, "not ten minutes later")
	require.Equal(t, now.Add(25*time.Minute), *k.Again(again, now.Add(15*time.Minute), "unknown").NextAt)
	known := again.Told(later, false)
	require.False(t, known.Unknown(now.Add(time.Hour)), "they know of it after all")
	require.Equal(t, later.Add(10*time.Minute), *k.Again(known, later, "at work on it").NextAt)
}

// stores are two kinds in one table.
func stores(t *testing.T) (payouts, answers asks.Store) {
	t.Helper()
	pool := ledgertest.Pool(t)
	require.NoError(t, app.Migrate(t.Context(), pool))
	return asks.Store{Pool: pool, Kind: "payout", Most: 10 * time.Minute}, asks.Store{Pool: pool, Kind: "card answer", Most: 5 * time.Minute}
}

func TestWhatIsNotedIsReadAgainByItsKind(t *testing.T) {
	t.Parallel()
	k, other := stores(t)
	ctx := t.Context()
	none, err := k.One(ctx, "a")
	require.NoError(t, err)
	require.Equal(t, asks.Asking{}, none)
	require.NoError(t, k.Note(ctx, "a", k.Again(none.Told(now, true), now, "not\x00 known")))
	require.NoError(t, other.Note(ctx, "a", asks.Sent(now)))
	a, err := k.One(ctx, "a")
	require.NoError(t, err)
	require.Equal(t, []any{1, "not known", true, true, true}, []any{a.Tries, a.Answer, now.Equal(*a.AskedAt), now.Equal(*a.UnknownSince), in(5).Equal(*a.NextAt)})
	b, err := other.One(ctx, "a")
	require.NoError(t, err)
	require.Equal(t, "Sent, and not asked about yet.", b.Answer)

	require.NoError(t, k.Begin(ctx, []string{"a", "b"}, now))
	due, err := k.Due(ctx, now, 10)
	require.NoError(t, err)
	require.Equal(t, []string{"b"}, due, "a has its time already")
	due, err = k.Due(ctx, now.Add(5*time.Second), 10)
	require.NoError(t, err)
	require.Equal(t, []string{"b", "a"}, due)
	require.NoError(t, k.Note(ctx, "a", a.Over(now, "done")))
	require.NoError(t, k.Begin(ctx, []string{"a"}, now))
	due, err = k.Due(ctx, now, 1)
	require.NoError(t, err)
	require.Len(t, due, 1, "no more than were asked for")
}

// Who asks about an earlier try may be held up until after it was sent anew: its answer must not make the new one look
// as if it were unknown for long.
func TestAnAnswerFromBeforeItWasSentAnewIsNotNoted(t *testing.T) {
	t.Parallel()
	k, _ := stores(t)
	ctx := t.Context()
	require.NoError(t, k.Note(ctx, "a", asks.Asking{}.Told(now.Add(-time.Hour), true).Over(now.Add(-time.Hour), "refused")))
	heldUp, err := k.One(ctx, "a")
	require.NoError(t, err)
	require.NoError(t, k.Note(ctx, "a", asks.Sent(now)))
	require.NoError(t, k.Note(ctx, "a", heldUp.Told(now, true).Over(now, "unknown")))
	a, err := k.One(ctx, "a")
	require.NoError(t, err)
	require.Equal(t, []any{"Sent, and not asked about yet.", true, true}, []any{a.Answer, a.UnknownSince == nil, a.NextAt != nil})
	require.NoError(t, k.Note(ctx, "a", k.Again(a, now, "pending")))
	require.NoError(t, k.Note(ctx, "a", asks.Sent(now)), "who sends is believed whatever was noted")
	a, err = k.One(ctx, "a")
	require.NoError(t, err)
	require.Zero(t, a.Tries)
}
