package draw_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/draw"
)

// vectors are the published examples of the draw: testdata/vectors.json, which the web app's test reads too.
type vectors struct {
	ChainHash, PublicKey, Signature, Randomness, AjoID, TermsHash string
	Genesis, Period                                               int64
	Round                                                         uint64
	Vectors                                                       []struct {
		Seats              int
		RosterDigest, Seed string
		Order              []int
		Roster             json.RawMessage
	}
}

func readVectors(t testing.TB) (v vectors) {
	t.Helper()
	raw, err := os.ReadFile("testdata/vectors.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &v))
	require.Len(t, v.Vectors, 4)
	return v
}

func bytesOf(t testing.TB, text string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(text)
	require.NoError(t, err)
	return raw
}

// roster is the list of the vectors: every fifth seat is two halves.
func roster(n int) (seats []draw.Seat) {
	for no := 1; no <= n; no++ {
		seat := draw.Seat{No: no}
		for k := range 1 + (5-no%5)/5 { // One, and two for every fifth.
			user, nonce := sha256.Sum256(fmt.Appendf(nil, "user%d.%d", no, k)), sha256.Sum256(fmt.Appendf(nil, "nonce%d.%d", no, k))
			seat.Holders = append(seat.Holders, draw.Holder{ID: uuid.UUID(user[:16]).String(), Halves: 2, Nonce: [16]byte(nonce[:16])})
		}
		if len(seat.Holders) == 2 {
			seat.Holders[0].Halves, seat.Holders[1].Halves = 1, 1
		}
		seats = append(seats, seat)
	}
	return seats
}

func TestTheDrawIsThatOfThePublishedVectors(t *testing.T) {
	t.Parallel()
	v := readVectors(t)
	require.NoError(t, draw.Quicknet.Verify(v.Round, bytesOf(t, v.Signature)))
	for _, vector := range v.Vectors {
		seats := roster(vector.Seats)
		var told [][]struct {
			UserID, Nonce string
			Halves        int
		}
		if json.Unmarshal(vector.Roster, &told) == nil { // The small ones tell their list, which is the one we make.
			require.Len(t, told, len(seats))
			for i, holders := range told {
				require.Len(t, seats[i].Holders, len(holders))
				for _, h := range holders {
					require.Contains(t, seats[i].Holders, draw.Holder{
						ID: uuid.Must(uuid.Parse(h.UserID)).String(), Halves: h.Halves, Nonce: [16]byte(bytesOf(t, h.Nonce)),
					})
				}
			}
		}
		for range 2 { // In whatever order they are given.
			digest, err := draw.V1.RosterDigest(v.AjoID, [32]byte(bytesOf(t, v.TermsHash)), seats)
			require.NoError(t, err)
			require.Equal(t, vector.RosterDigest, hex.EncodeToString(digest[:]))
			seed := draw.V1.Seed(digest, bytesOf(t, v.Signature))
			require.Equal(t, vector.Seed, hex.EncodeToString(seed[:]))
			require.Equal(t, vector.Order, draw.Order(seed, vector.Seats))
			slices.Reverse(seats)
			for _, seat := range seats {
				slices.Reverse(seat.Holders)
			}
		}
	}
}

func TestAnOrderHoldsEverySeatOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed, n := [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "seed")), rapid.IntRange(0, 300).Draw(t, "n")
		order := draw.Order(seed, n)
		require.Len(t, order, n)
		for i, seat := range slices.Sorted(slices.Values(order)) {
			require.Equal(t, i+1, seat)
		}
	})
}

// TestAnyOtherByteIsAnotherSeed changes one bit of one thing that went into the seed.
func TestAnyOtherByteIsAnotherSeed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "n")
		ajo, terms := uuid.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "ajo")), [32]byte{1}
		signature := rapid.SliceOfN(rapid.Byte(), draw.SignatureBytes, draw.SignatureBytes).Draw(t, "signature")
		seats := roster(n)
		seed := func() [32]byte {
			digest, err := draw.V1.RosterDigest(ajo.String(), terms, seats)
			require.NoError(t, err)
			return draw.V1.Seed(digest, signature)
		}
		before := seed()
		bit := byte(1) << rapid.IntRange(0, 7).Draw(t, "bit")
		holder := &seats[rapid.IntRange(0, n-1).Draw(t, "seat")].Holders[0]
		switch at := rapid.IntRange(0, 15).Draw(t, "byte"); rapid.SampledFrom([]string{"ajo", "terms", "signature", "user", "nonce", "seat"}).Draw(t, "what") {
		case "ajo":
			ajo[at] ^= bit
		case "terms":
			terms[at*2] ^= bit
		case "signature":
			signature[at*3] ^= bit
		case "user":
			id := uuid.MustParse(holder.ID)
			id[at] ^= bit
			holder.ID = id.String()
		case "nonce":
			holder.Nonce[at] ^= bit
		case "seat":
			seats[0].Holders, seats[1].Holders = seats[1].Holders, seats[0].Holders
		}
		require.NotEqual(t, before, seed())
	})
}

func TestHalvesCount(t *testing.T) {
	t.Parallel()
	whole := []draw.Seat{{No: 1, Holders: []draw.Holder{{ID: uuid.NewString(), Halves: 2}}}}
	_, err := draw.V1.RosterDigest(uuid.NewString(), [32]byte{}, whole)
	require.NoError(t, err)
	one, other := uuid.NewString(), uuid.NewString()
	for name, seats := range map[string][]draw.Seat{
		"no seat":      {},
		"nobody":       {{No: 1}},
		"half a seat":  {{No: 1, Holders: []draw.Holder{{ID: one, Halves: 1}}}},
		"three halves": {{No: 1, Holders: []draw.Holder{{ID: one, Halves: 1}, {ID: other, Halves: 2}}}},
		"no half":      {{No: 1, Holders: []draw.Holder{{ID: one, Halves: 2}, {ID: other}}}},
		"less":         {{No: 1, Holders: []draw.Holder{{ID: one, Halves: 3}, {ID: other, Halves: -1}}}},
		"twice":        {{No: 1, Holders: []draw.Holder{{ID: one, Halves: 1}, {ID: one, Halves: 1}}}},
		"no id":        {{No: 1, Holders: []draw.Holder{{ID: "me", Halves: 2}}}},
		"from 0":       {{No: 0, Holders: []draw.Holder{{ID: one, Halves: 2}}}},
		"a gap":        {{No: 1, Holders: []draw.Holder{{ID: one, Halves: 2}}}, {No: 3, Holders: []draw.Holder{{ID: other, Halves: 2}}}},
		"one number":   {{No: 1, Holders: []draw.Holder{{ID: one, Halves: 2}}}, {No: 1, Holders: []draw.Holder{{ID: other, Halves: 2}}}},
		"too many":     make([]draw.Seat, 1<<16),
	} {
		_, err := draw.V1.RosterDigest(uuid.NewString(), [32]byte{}, seats)
		require.True(t, fault.Is(err, fault.Invalid), "%s: %v", name, err)
	}
	_, err = draw.V1.RosterDigest("an ajo", [32]byte{}, whole)
	require.True(t, fault.Is(err, fault.Invalid))
}

// TestEverySeatComesFirstAsOftenAsAnother counts 12,000 draws of six seats from fixed seeds. With 35 degrees of freedom
// χ² is above 66.6 once in a thousand times; these seeds give the same figure always.
func TestEverySeatComesFirstAsOftenAsAnother(t *testing.T) {
	t.Parallel()
	const n, draws = 6, 12_000
	var at [n][n]int
	for d := range draws {
		for turn, seat := range draw.Order(sha256.Sum256(fmt.Appendf(nil, "draw %d", d)), n) {
			at[turn][seat-1]++
		}
	}
	chi, expected := 0.0, float64(draws)/n
	for _, turn := range at {
		for _, times := range turn {
			chi += (float64(times) - expected) * (float64(times) - expected) / expected
		}
	}
	require.Less(t, chi, 66.6)
	require.Greater(t, chi, 5.0, "too even to be drawn")
}
