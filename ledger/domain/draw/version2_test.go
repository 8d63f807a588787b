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
	Phones []struct {
		Seats                               int
		Silent                              []int
		FirstCommitment, RosterDigest, Seed string
		Order                               []int
	}
}

func readVectors2(t testing.TB) (v vectors2) {
	t.Helper()
	raw, err := os.ReadFile("testdata/vectors2.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &v))
	require.Len(t, v.Vectors, 3)
	require.Len(t, v.Phones, 2)
	return v
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
	v, v2 := readVectors(t), readVectors2(t)
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
	v, v2 := readVectors(t), readVectors2(t)
	for _, vector := range v2.Phones {
		seats := pseudonymous(t, bytesOf(t, v2.Salt), v.AjoID, vector.Seats)
		var reveals []draw.Reveal
		for _, seat := range seats {
			for k, h := range seat.Holders {
				secret := sha256.Sum256(fmt.Appendf(nil, "secret%d.%d", seat.No, k))
				commitment, err := draw.CommitmentOfNonce(v.AjoID, h.Nonce, secret)
				require.NoError(t, err)
				r := draw.Reveal{ID: h.ID, Nonce: h.Nonce, Commitment: commitment, Secret: &secret}
				if k == 0 && slices.Contains(vector.Silent, seat.No) {
					r.Secret = nil
				}
				reveals = append(reveals, r)
			}
		}
		require.Equal(t, vector.FirstCommitment, hex.EncodeToString(reveals[0].Commitment[:]))
		digest, err := draw.V2.RosterDigest(v.AjoID, [32]byte(bytesOf(t, v.TermsHash)), seats)
		require.NoError(t, err)
		require.Equal(t, vector.RosterDigest, hex.EncodeToString(digest[:]))
		slices.Reverse(reveals)
		seed, err := draw.V2.SeedOfPhones(v.AjoID, digest, reveals...)
		require.NoError(t, err)
		require.Equal(t, vector.Seed, hex.EncodeToString(seed[:]))
		order, err := draw.OrderOfPhones(seed, seats, reveals...)
		require.NoError(t, err)
		require.Equal(t, vector.Order, order)

		reveals[0].Nonce[0] ^= 1
		_, err = draw.V2.SeedOfPhones(v.AjoID, digest, reveals...)
		require.True(t, fault.Is(err, fault.Invalid), "the secret was committed to with another nonce: %v", err)
	}
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
