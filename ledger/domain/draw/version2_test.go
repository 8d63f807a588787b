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

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/draw"
)

// vectors2 are the published examples of version 2: testdata/vectors2.json, which the web app's test reads too.
type vectors2 struct {
	Salt    string
	Vectors []struct {
		Seats              int
		Pseudonyms         [][]string
		RosterDigest, Seed string
		Order              []int
	}
	Phones []phonesVector
}

type phonesVector struct {
	Seats                               int
	Silent                              []int
	FirstCommitment, RosterDigest, Seed string
	Order                               []int
}

// readVectors2 are those of version 2, and those of phones of version 3: testdata/vectors3.json.
func readVectors2(t testing.TB) (v vectors2, phones3 []phonesVector) {
	t.Helper()
	read := func(name string, into any) {
		raw, err := os.ReadFile("testdata/" + name)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(raw, into))
	}
	var v3 vectors2
	read("vectors2.json", &v)
	read("vectors3.json", &v3)
	require.Len(t, v.Vectors, 3)
	require.Len(t, v.Phones, 2)
	require.Len(t, v3.Phones, 2)
	return v, v3.Phones
}

// pseudonymous is the list of the vectors with pseudonyms in place of user ids.
func pseudonymous(t testing.TB, salt []byte, ajo string, n int) []draw.Seat {
	t.Helper()
	seats := roster(n)
	for _, seat := range seats {
		for i := range seat.Holders {
			name, err := draw.Pseudonym(salt, ajo, seat.Holders[i].ID)
			require.NoError(t, err)
			seat.Holders[i].ID = name
		}
	}
	return seats
}

func TestTheDrawOfPseudonymsIsThatOfThePublishedVectors(t *testing.T) {
	t.Parallel()
	v := readVectors(t)
	v2, _ := readVectors2(t)
	for _, vector := range v2.Vectors {
		seats := pseudonymous(t, bytesOf(t, v2.Salt), v.AjoID, vector.Seats)
		for i, names := range vector.Pseudonyms {
			for k, name := range names {
				require.Equal(t, name, seats[i].Holders[k].ID)
			}
		}
		for range 2 { // In whatever order they are given.
			digest, err := draw.V2.RosterDigest(v.AjoID, [32]byte(bytesOf(t, v.TermsHash)), seats)
			require.NoError(t, err)
			require.Equal(t, vector.RosterDigest, hex.EncodeToString(digest[:]))
			seed := draw.V2.Seed(digest, bytesOf(t, v.Signature))
			require.Equal(t, vector.Seed, hex.EncodeToString(seed[:]))
			require.Equal(t, vector.Order, draw.Order(seed, vector.Seats))
			slices.Reverse(seats)
			for _, seat := range seats {
				slices.Reverse(seat.Holders)
			}
		}
	}
}

func TestTheDrawOfPhonesWithPseudonymsIsThatOfThePublishedVectors(t *testing.T) {
	t.Parallel()
	v := readVectors(t)
	v2, phones3 := readVectors2(t)
	for version, vectors := range map[draw.Version][]phonesVector{draw.V2: v2.Phones, draw.V3: phones3} {
		for _, vector := range vectors {
			seats := pseudonymous(t, bytesOf(t, v2.Salt), v.AjoID, vector.Seats)
			reveals := revealedBy(t, v.AjoID, seats, vector.Silent)
			require.Equal(t, vector.FirstCommitment, hex.EncodeToString(reveals[0].Commitment[:]))
			digest, err := version.RosterDigest(v.AjoID, [32]byte(bytesOf(t, v.TermsHash)), seats)
			require.NoError(t, err)
			require.Equal(t, vector.RosterDigest, hex.EncodeToString(digest[:]))
			slices.Reverse(reveals)
			seed, err := version.SeedOfPhones(v.AjoID, digest, bytesOf(t, v.Signature), reveals...)
			require.NoError(t, err)
			require.Equal(t, vector.Seed, hex.EncodeToString(seed[:]))
			order, err := draw.OrderOfPhones(seed, seats, reveals...)
			require.NoError(t, err)
			require.Equal(t, vector.Order, order)

			reveals[0].Nonce[0] ^= 1
			_, err = version.SeedOfPhones(v.AjoID, digest, nil, reveals...)
			require.True(t, fault.Is(err, fault.Invalid), "the secret was committed to with another nonce: %v", err)
		}
	}
}

// revealedBy are the phones of a list of the vectors. The first holder of each silent seat withholds the secret.
func revealedBy(t testing.TB, ajo string, seats []draw.Seat, silent []int) (reveals []draw.Reveal) {
	t.Helper()
	for _, seat := range seats {
		for k, h := range seat.Holders {
			secret := sha256.Sum256(fmt.Appendf(nil, "secret%d.%d", seat.No, k))
			commitment, err := draw.CommitmentOfNonce(ajo, h.Nonce, secret)
			require.NoError(t, err)
			r := draw.Reveal{ID: h.ID, Nonce: h.Nonce, Commitment: commitment, Secret: &secret}
			if k == 0 && slices.Contains(silent, seat.No) {
				r.Secret = nil
			}
			reveals = append(reveals, r)
		}
	}
	return reveals
}

// Somebody who collects last in any case could withhold, and so have the others drawn again where their first draw does
// not suit. They cannot know either draw: the round that both hang on comes once nobody may reveal any more.
func TestWhoWithholdsKnowsNeitherOrder(t *testing.T) {
	t.Parallel()
	v := readVectors(t)
	v2, _ := readVectors2(t)
	seats := pseudonymous(t, bytesOf(t, v2.Salt), v.AjoID, 4)
	all, silent := revealedBy(t, v.AjoID, seats, nil), revealedBy(t, v.AjoID, seats, []int{4})
	order := func(round int, reveals []draw.Reveal) []int {
		seed, err := draw.V3.SeedOfPhones(v.AjoID, [32]byte{}, []byte{byte(round), byte(round >> 8)}, reveals...)
		require.NoError(t, err)
		order, err := draw.OrderOfPhones(seed, seats, reveals...)
		require.NoError(t, err)
		return order
	}
	const rounds = 4000
	var first, gained, lost int // Of the rounds in which seat 4 is last either way, how often seat 1 moves.
	for round := range rounds {
		told, withheld := order(round, all), order(round, silent)
		if told[3] != 4 {
			continue
		}
		first++
		switch was, is := slices.Index(told, 1), slices.Index(withheld, 1); {
		case is < was:
			gained++
		case is > was:
			lost++
		}
	}
	require.InDelta(t, rounds/4, first, 120)
	require.InDelta(t, gained, lost, 90, "over all rounds that may come, to withhold moves nobody")
}

func TestAPseudonymIsOfOnePersonInOneAjo(t *testing.T) {
	t.Parallel()
	salt, user := make([]byte, draw.SaltBytes), uuid.NewString()
	name := func(salt []byte, ajo, user string) string {
		name, err := draw.Pseudonym(salt, ajo, user)
		require.NoError(t, err)
		require.Len(t, name, 32)
		return name
	}
	one := name(salt, ajoID, user)
	require.Equal(t, one, name(salt, ajoID, user))
	require.NotEqual(t, one, name(salt, ajoID, uuid.NewString()))
	require.NotEqual(t, one, name(salt, uuid.NewString(), user))
	require.NotEqual(t, one, name(append([]byte{1}, salt[1:]...), ajoID, user))
	for _, ids := range [][2]string{{"ajo", user}, {ajoID, "me"}} {
		_, err := draw.Pseudonym(salt, ids[0], ids[1])
		require.True(t, fault.Is(err, fault.Invalid))
	}
}
