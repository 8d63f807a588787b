package draw_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/draw"
)

const ajoID = "01900000-0000-7000-8000-000000000001"

// revealed is what every holder of a list committed to and revealed.
func revealed(t *testing.T, seats []draw.Seat) (reveals []draw.Reveal) {
	t.Helper()
	for _, seat := range seats {
		for _, h := range seat.Holders {
			secret := sha256.Sum256([]byte("secret of " + h.ID))
			commitment, err := draw.Commitment(ajoID, h.ID, secret)
			require.NoError(t, err)
			reveals = append(reveals, draw.Reveal{ID: h.ID, Commitment: commitment, Secret: &secret})
		}
	}
	return reveals
}

func TestPhonesDrawWhatTheyCommittedTo(t *testing.T) {
	t.Parallel()
	seats := roster(7)
	reveals := revealed(t, seats)
	digest, err := draw.V1.RosterDigest(ajoID, [32]byte{7}, seats)
	require.NoError(t, err)
	seed, err := draw.V1.SeedOfPhones(ajoID, digest, nil, reveals...)
	require.NoError(t, err)
	require.Equal(t, "dc964b2bc9c1c6080fa96208b19c3be8a3c6523c3204fd6ceff87caca2315bf5", hex.EncodeToString(seed[:]))
	order, err := draw.OrderOfPhones(seed, seats, reveals...)
	require.NoError(t, err)
	require.Equal(t, draw.Order(seed, 7), order)

	slices.Reverse(reveals)
	again, err := draw.V1.SeedOfPhones(ajoID, digest, nil, reveals...)
	require.NoError(t, err)
	require.Equal(t, seed, again)
	for i := range reveals {
		for name, change := range map[string]func(r *draw.Reveal){
			"withheld":    func(r *draw.Reveal) { r.Secret = nil },
			"committed":   func(r *draw.Reveal) { r.Secret, r.Commitment[31] = nil, r.Commitment[31]^1 },
			"of somebody": func(r *draw.Reveal) { r.Secret, r.ID = nil, uuid.NewString() },
		} {
			other := slices.Clone(reveals)
			change(&other[i])
			changed, err := draw.V1.SeedOfPhones(ajoID, digest, nil, other...)
			require.NoError(t, err)
			require.NotEqual(t, seed, changed, "%s %d", name, i)
		}
	}
	changed, err := draw.V1.SeedOfPhones(ajoID, [32]byte{}, nil, reveals...)
	require.NoError(t, err)
	require.NotEqual(t, seed, changed)
}

func TestWhoWithholdsGoesLast(t *testing.T) {
	t.Parallel()
	seats := roster(10)
	for _, silent := range [][]int{{1}, {5}, {3, 7, 10}, {1, 2, 3, 4, 6, 7, 8, 9, 10}} {
		reveals := revealed(t, seats)
		withheld := map[string]bool{}
		for _, seat := range silent { // One holder of a shared seat is enough.
			withheld[seats[seat-1].Holders[0].ID] = true
		}
		for i, r := range reveals {
			if withheld[r.ID] {
				reveals[i].Secret = nil
			}
		}
		seed, err := draw.V1.SeedOfPhones(ajoID, [32]byte{1}, nil, reveals...)
		require.NoError(t, err)
		order, err := draw.OrderOfPhones(seed, seats, reveals...)
		require.NoError(t, err)
		is := func(seat int) bool { return slices.Contains(silent, seat) }
		drawn := draw.Order(seed, 10)
		first := slices.DeleteFunc(slices.Clone(drawn), is)
		last := slices.DeleteFunc(slices.Clone(drawn), func(seat int) bool { return !is(seat) })
		require.Equal(t, append(first, last...), order, fmt.Sprint(silent))
	}
}

func TestWhatPhonesMayNotSay(t *testing.T) {
	t.Parallel()
	seats := roster(3)
	reveals := revealed(t, seats)
	refused := func(code fault.Code, reveals ...draw.Reveal) {
		t.Helper()
		_, err := draw.V1.SeedOfPhones(ajoID, [32]byte{}, nil, reveals...)
		require.True(t, fault.Is(err, code), "%v", err)
	}
	lie := reveals[0]
	lie.Secret = &[32]byte{1}
	refused(fault.Invalid, lie, reveals[1])
	copied := draw.Reveal{ID: reveals[1].ID, Commitment: reveals[0].Commitment, Secret: reveals[0].Secret}
	refused(fault.Invalid, reveals[0], copied)
	refused(fault.Invalid, reveals[0], reveals[0])
	refused(fault.Invalid, draw.Reveal{ID: "me"})
	refused(fault.Conflict, draw.Reveal{ID: reveals[0].ID, Commitment: reveals[0].Commitment})
	refused(fault.Conflict)
	_, err := draw.V1.SeedOfPhones(uuid.NewString(), [32]byte{}, nil, reveals[0])
	require.True(t, fault.Is(err, fault.Invalid), "a secret of another ajo")
	_, err = draw.OrderOfPhones([32]byte{}, seats, reveals[:2]...)
	require.EqualError(t, err, "A holder of seat 3 has committed to no secret.")
	for _, ids := range [][2]string{{"ajo", uuid.NewString()}, {uuid.NewString(), "me"}} {
		_, err := draw.Commitment(ids[0], ids[1], [32]byte{})
		require.True(t, fault.Is(err, fault.Invalid))
	}
}
