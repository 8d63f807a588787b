package draw

import (
	"crypto/sha256"
	"crypto/subtle"
	"slices"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
)

// Reveal is what a member gave to a draw from phones: the commitment before the list was sealed, the secret after.
type Reveal struct {
	ID         string    // As Holder.ID.
	Nonce      [16]byte  // Of the holder's first seat, which the commitment is of since V2.
	Commitment [32]byte  // CommitmentOfNonce since V2, Commitment in V1.
	Secret     *[32]byte // Nil while it is withheld.
}

// Commitment is SHA256("adashi.ng/ajo-phone/v1\n" ‖ ajo 16 ‖ user 16 ‖ secret 32): what a phone told of its secret in
// V1, before the list was sealed. Once the secret is public, anybody can test whether a user id is the one.
func Commitment(ajoID, userID string, secret [32]byte) (commitment [32]byte, err error) {
	user, err := uuid.Parse(userID)
	if err != nil {
		return commitment, fault.Field("userId", "A member has a UUID, and %q is none.", userID)
	}
	return V1.commitment(ajoID, user, secret)
}

// CommitmentOfNonce is SHA256("adashi.ng/ajo-phone/v2\n" ‖ ajo 16 ‖ nonce 16 ‖ secret 32): what a phone tells of its
// secret since V2. The nonce is the one that the phone joins with, so the commitment tells nothing of the user id.
func CommitmentOfNonce(ajoID string, nonce [16]byte, secret [32]byte) (commitment [32]byte, err error) {
	return V2.commitment(ajoID, nonce, secret)
}

func (v Version) commitment(ajoID string, of [16]byte, secret [32]byte) (commitment [32]byte, err error) {
	ajo, err := uuid.Parse(ajoID)
	if err != nil {
		return commitment, fault.Field("ajoId", "An ajo has a UUID, and %q is none.", ajoID)
	}
	raw := append(v.domain("phone"), ajo[:]...)
	raw = append(raw, of[:]...)
	return sha256.Sum256(append(raw, secret[:]...)), nil
}

// opens refuses a secret that is not the one committed to.
func (v Version) opens(ajoID string, id uuid.UUID, r Reveal) error {
	of := [16]byte(id)
	if v != V1 {
		of = r.Nonce
	}
	commitment, err := v.commitment(ajoID, of, *r.Secret)
	if err == nil && subtle.ConstantTimeCompare(commitment[:], r.Commitment[:]) != 1 {
		err = fault.Field("secret", "That is not the secret that this phone committed to. Reveal it from the phone that joined.")
	}
	return err
}

// SeedOfPhones is the seed when members reveal what they committed to:
//
//	SHA256("adashi.ng/ajo-phones/v1\n" ‖ digest ‖ for each member in order of the id's bytes:
//	       id 16 ‖ commitment 32 ‖ 1 ‖ secret 32, or 0 when it is withheld)
//
// V2 begins with "adashi.ng/ajo-phones/v2\n". V3 begins with "adashi.ng/ajo-phones/v3\n" and has SHA256(signature)
// after the digest, of the round that comes after all have revealed, as Beacon.Verify took it; others have no
// signature. It refuses a secret that is not the one committed to, and a draw in which nobody revealed.
func (v Version) SeedOfPhones(ajoID string, digest [32]byte, signature []byte, reveals ...Reveal) (seed [32]byte, err error) {
	members := make(map[uuid.UUID]Reveal, len(reveals))
	var ids []uuid.UUID
	revealed := false
	for _, r := range reveals {
		id, err := uuid.Parse(r.ID)
		if err != nil {
			return seed, fault.Field("reveals", "A member has a UUID, and %q is none.", r.ID)
		}
		if _, twice := members[id]; twice {
			return seed, fault.Field("reveals", "A member reveals one secret in a draw.")
		}
		if r.Secret != nil {
			if err := v.opens(ajoID, id, r); err != nil {
				return seed, err
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
	raw := append(v.domain("phones"), digest[:]...)
	if v == V3 {
		randomness := sha256.Sum256(signature)
		raw = append(raw, randomness[:]...)
	}
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

// OrderOfPhones is Order, but that the seats of which a holder withheld go last, in the order drawn among themselves.
// So to withhold gains nobody an earlier turn for their own seat; for another's seat it is a guess, as the round of
// V3 is not known by then. The seats are those of the digest.
func OrderOfPhones(seed [32]byte, seats []Seat, reveals ...Reveal) ([]int, error) {
	gave := map[uuid.UUID]bool{}
	for _, r := range reveals {
		if id, err := uuid.Parse(r.ID); err == nil {
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
