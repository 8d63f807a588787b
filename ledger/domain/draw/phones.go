package draw

import (
	"crypto/sha256"
	"crypto/subtle"
	"slices"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
)

const (
	phoneDomain  = "adashi.ng/ajo-phone/v1\n"
	phonesDomain = "adashi.ng/ajo-phones/v1\n"
)

// Reveal is what a member gave to a draw from phones: the commitment before the list was sealed, the secret after.
type Reveal struct {
	UserID     string    // A UUID as text.
	Commitment [32]byte  // Commitment of the secret.
	Secret     *[32]byte // Nil while it is withheld.
}

// Commitment is SHA256("adashi.ng/ajo-phone/v1\n" ‖ ajo 16 ‖ user 16 ‖ secret 32): what a phone tells of its secret
// before the list is sealed.
func Commitment(ajoID, userID string, secret [32]byte) (commitment [32]byte, err error) {
	ajo, err := uuid.Parse(ajoID)
	if err != nil {
		return commitment, fault.Field("ajoId", "An ajo has a UUID, and %q is none.", ajoID)
	}
	user, err := uuid.Parse(userID)
	if err != nil {
		return commitment, fault.Field("userId", "A member has a UUID, and %q is none.", userID)
	}
	raw := append([]byte(phoneDomain), ajo[:]...)
	raw = append(raw, user[:]...)
	return sha256.Sum256(append(raw, secret[:]...)), nil
}

// SeedOfPhones is the seed when members reveal what they committed to:
//
//	SHA256("adashi.ng/ajo-phones/v1\n" ‖ digest ‖ for each member in order of the id's bytes:
//	       id 16 ‖ commitment 32 ‖ 1 ‖ secret 32, or 0 when it is withheld)
//
// It refuses a secret that is not the one committed to, and a draw in which nobody revealed.
func SeedOfPhones(ajoID string, digest [32]byte, reveals ...Reveal) (seed [32]byte, err error) {
	members := make(map[uuid.UUID]Reveal, len(reveals))
	var ids []uuid.UUID
	revealed := false
	for _, r := range reveals {
		id, err := uuid.Parse(r.UserID)
		if err != nil {
			return seed, fault.Field("reveals", "A member has a UUID, and %q is none.", r.UserID)
		}
		if _, twice := members[id]; twice {
			return seed, fault.Field("reveals", "A member reveals one secret in a draw.")
		}
		if r.Secret != nil {
			commitment, err := Commitment(ajoID, r.UserID, *r.Secret)
			if err != nil {
				return seed, err
			}
			if subtle.ConstantTimeCompare(commitment[:], r.Commitment[:]) != 1 {
				return seed, fault.Field("secret", "That is not the secret that this phone committed to. Reveal it from the phone that joined.")
			}
			revealed = true
		}
		members[id] = r
		ids = append(ids, id)
	}
	if !revealed {
		return seed, fault.New(fault.Conflict, "No phone has revealed its secret, so there is nothing to draw from.")
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	raw := append([]byte(phonesDomain), digest[:]...)
	for _, id := range ids {
		r := members[id]
		raw = append(append(raw, id[:]...), r.Commitment[:]...)
		if r.Secret == nil {
			raw = append(raw, 0)
			continue
		}
		raw = append(append(raw, 1), r.Secret[:]...)
	}
	return sha256.Sum256(raw), nil
}

// OrderOfPhones is Order, but that the seats of which a holder withheld go last, in the order drawn among themselves:
// to withhold gains nobody a turn. The seats are those of the digest.
func OrderOfPhones(seed [32]byte, seats []Seat, reveals ...Reveal) ([]int, error) {
	gave := map[uuid.UUID]bool{}
	for _, r := range reveals {
		if id, err := uuid.Parse(r.UserID); err == nil {
			gave[id] = r.Secret != nil
		}
	}
	withheld := map[int]bool{}
	for _, seat := range seats {
		holders, err := sorted(seat)
		if err != nil {
			return nil, err
		}
		for _, h := range holders {
			secret, committed := gave[h.id]
			if !committed {
				return nil, fault.Field("reveals", "A holder of seat %d has committed to no secret.", seat.No)
			}
			withheld[seat.No] = withheld[seat.No] || !secret
		}
	}
	order := Order(seed, len(seats))
	last := func(seat int) int {
		if withheld[seat] {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(order, func(a, b int) int { return last(a) - last(b) })
	return order, nil
}
