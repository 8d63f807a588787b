package sampling_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/sampling"
)

const place = "01900000-0000-7000-8000-000000000001"

// vector is a sample that Go and the browser come to alike.
type vector struct {
	Place     string  `json:"place"`
	Month     string  `json:"month"`
	Position  int64   `json:"position"`
	Positions []int64 `json:"positions"`
	Always    []int64 `json:"always"`
	Margin    int     `json:"marginPercent"`
	Signature string  `json:"signature"`
	Digest    string  `json:"digest"`
	Seed      string  `json:"seed"`
	Sample    []int64 `json:"sample"`
}

// october is a list of n payments of October 2026, of which every seventh is looked at in any case.
func october(n int) sampling.List {
	begin, _, _ := sampling.Span("2026-10")
	l := sampling.List{Month: "2026-10", Position: int64(10 * n), Since: begin, ToldLateAfter: int64(10 * n)}
	for i := range n {
		l.Items = append(l.Items, sampling.Item{Pos: int64(3 + 7*i), At: begin.Add(time.Duration(i) * time.Second), Always: i%7 == 6})
	}
	return l
}

// signature stands for a round's: its bytes do not matter to what follows from them.
func signature(n int) []byte {
	one := sha256.Sum256([]byte{byte(n), byte(n >> 8)})
	return append(one[:], one[:16]...)
}

func vectorOf(t *testing.T, n, marginPercent int) vector {
	l := october(n)
	sealed, err := l.Seal(place)
	require.NoError(t, err)
	m := sampling.Month{Population: sealed.Population, Always: sealed.Always, Margin: marginPercent * 100, Digest: sealed.Digest[:]}
	seed, ranks := m.Ranks(signature(n))
	v := vector{
		Place: place, Month: l.Month, Position: l.Position, Always: sealed.Always, Margin: marginPercent, Signature: hex.EncodeToString(signature(n)),
		Digest: hex.EncodeToString(sealed.Digest[:]), Seed: hex.EncodeToString(seed[:]), Sample: l.Sample(ranks), Positions: []int64{},
	}
	for _, item := range l.Items {
		v.Positions = append(v.Positions, item.Pos)
	}
	return v
}

// The browser's test reads the same file: webapp/tests/trust/monthDraw.test.ts.
func TestSamplesAreThoseOfTheVectors(t *testing.T) {
	t.Parallel()
	all := []vector{vectorOf(t, 1, 5), vectorOf(t, 60, 5), vectorOf(t, 80, 5), vectorOf(t, 1204, 5), vectorOf(t, 1204, 2)}
	const file = "testdata/vectors.json"
	if os.Getenv("UPDATE") != "" {
		raw, err := json.Marshal(all)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, append(raw, '\n'), 0o600))
	}
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	var known []vector
	require.NoError(t, json.Unmarshal(raw, &known))
	require.Equal(t, known, all)
}

func TestAsManyAreDrawnAsTheMarginNeeds(t *testing.T) {
	t.Parallel()
	require.Equal(t, []int{59, 149}, []int{sampling.Needed(500), sampling.Needed(200)})
	for _, margin := range sampling.Margins {
		n, p := sampling.Needed(margin), float64(margin)/10_000
		require.LessOrEqual(t, math.Pow(1-p, float64(n)), 0.05)
		require.Greater(t, math.Pow(1-p, float64(n-1)), 0.05, "and no more")
	}
	for _, v := range []struct{ n, margin, always, sample int }{{1204, 5, 172, 172 + 59}, {1204, 2, 172, 172 + 149}, {60, 5, 8, 60}, {1, 5, 0, 1}} {
		made := vectorOf(t, v.n, v.margin)
		require.Len(t, made.Always, v.always)
		require.Len(t, made.Sample, v.sample)
		require.True(t, slices.IsSorted(made.Sample))
		for _, pos := range made.Always {
			require.Contains(t, made.Sample, pos)
		}
	}
}

// The figures are those of the tables of Clopper and Pearson, one-sided at 95%.
func TestWhatIsWrongInASampleBoundsWhatIsWrongInAll(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		wrong, n int
		bound    float64
	}{{0, 59, 0.0495}, {0, 149, 0.0199}, {1, 59, 0.0780}, {2, 59, 0.1028}, {5, 100, 0.1023}, {10, 10, 1}} {
		require.InDelta(t, c.bound, sampling.UpperBound(c.wrong, c.n), 0.0005, "%d of %d", c.wrong, c.n)
	}
}

func TestASentenceSaysNoMoreThanTheSampleShows(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]sampling.Findings{
		"59 of 1,204, none wrong: 95% sure that fewer than 5% are.":                                             {Rest: 1204, Drawn: 59, MarginBasisPoints: 500},
		"149 of 1,204, none wrong: 95% sure that fewer than 2% are.":                                            {Rest: 1204, Drawn: 149, MarginBasisPoints: 200},
		"59 of 1,204, 2 queried: 95% sure that fewer than 10.3% are wrong.":                                     {Rest: 1204, Drawn: 59, DrawnQueried: 2, MarginBasisPoints: 500},
		"All 40 looked at, none wrong.":                                                                         {Rest: 28, Drawn: 28, Always: 12, MarginBasisPoints: 500},
		"All 40 looked at, 3 queried.":                                                                          {Rest: 28, Drawn: 28, DrawnQueried: 1, Always: 12, AlwaysQueried: 2, MarginBasisPoints: 500},
		"59 of 100, 59 queried: 95% sure that fewer than 100% are wrong.":                                       {Rest: 100, Drawn: 59, DrawnQueried: 59, MarginBasisPoints: 500},
		"59 of 1,192, none wrong: 95% sure that fewer than 5% are. The other 12 were all looked at, 1 queried.": {Rest: 1192, Drawn: 59, Always: 12, AlwaysQueried: 1, MarginBasisPoints: 500},
	} {
		require.Equal(t, want, f.Sentence())
	}
}

func TestEveryPaymentIsAsLikelyToBeDrawn(t *testing.T) {
	t.Parallel()
	const of, n, draws = 200, 59, 20_000
	times := make([]float64, of)
	for i := range draws {
		chosen := draw.Choose(sha256.Sum256(fmt.Append(nil, i)), of, n)
		require.Len(t, chosen, n)
		for at, rank := range chosen {
			require.True(t, at == 0 || chosen[at-1] < rank, "each once, in order")
			times[rank]++
		}
	}
	// Chi-square of 199 degrees of freedom, scaled for draws without replacement; beyond 300 once in a million.
	expected, sum := float64(draws)*n/of, 0.0
	for _, k := range times {
		sum += (k - expected) * (k - expected) / expected
	}
	require.Less(t, sum/(1-float64(n)/of), 300.0)
	require.Equal(t, []int{0, 1, 2}, draw.Choose([32]byte{}, 3, 59), "all of them where there are no more")
	require.Empty(t, draw.Choose([32]byte{}, 0, 59))
}

func TestAListHoldsWhatCountsFromItsMonthAndWhatWasToldLate(t *testing.T) {
	t.Parallel()
	begin, end, err := sampling.Span("2026-10")
	require.NoError(t, err)
	require.Equal(t, []string{"2026-10-01", "2026-11-01"}, []string{lagos.Day(begin), lagos.Day(end)})
	next := sampling.List{Month: "2026-10", Position: 100, Since: begin, ToldLateAfter: 50}
	for _, c := range []struct {
		pos   int64
		at    time.Time
		holds bool
	}{
		{60, begin, true},
		{60, end.Add(-time.Microsecond), true},
		{60, end, false},
		{101, begin, false},
		{40, begin, true},
		{51, begin.Add(-time.Microsecond), true},
		{50, begin.Add(-time.Microsecond), false},
	} {
		require.Equal(t, c.holds, next.Holds(c.pos, c.at), "%d at %s", c.pos, c.at)
	}
	for _, month := range []string{"", "2026-13", "2026-1", "10-2026", "1999-01", "2026-10-01", "\x00"} {
		_, _, err := sampling.Span(month)
		require.Equal(t, "month", fault.As(err).Field, month)
	}
}

func TestAMonthInBetweenIsClosedFirst(t *testing.T) {
	t.Parallel()
	begin, _, _ := sampling.Span("2026-10")
	l := sampling.List{Month: "2026-10", Position: 100, Since: begin.AddDate(0, -1, 0), ToldLateAfter: 50}
	l.Items = []sampling.Item{{Pos: 60, At: begin.AddDate(0, 0, -1)}, {Pos: 61, At: begin}}
	_, err := l.Seal(place)
	require.ErrorContains(t, err, "September 2026 has payments too. Close it first.")
	l.Items[0].At = begin.AddDate(0, -2, 0) // Of August, told after its list was sealed.
	_, err = l.Seal(place)
	require.NoError(t, err)
	l.Items[1].Pos = 60
	_, err = l.Seal(place)
	require.ErrorContains(t, err, "not in order")
	l.Items[1].Pos = 101
	_, err = l.Seal(place)
	require.ErrorContains(t, err, "does not belong")
}
