// Package draw decides in which order the seats of an ajo collect, so that anybody can recompute it later.
//
// The list of seats is sealed first (RosterDigest), together with a round of a public beacon that has not come yet.
// Once it came, its signature and the digest make the seed, and the seed makes the order: nobody chose it, and whoever
// holds the list and the signature comes to the same. A group may draw from secrets of its members' phones
// (SeedOfPhones), with such a round since V3.
//
// The list is public once the order is drawn. V1 names each holder by their user id, V2 and V3 by a pseudonym of this
// one ajo.
package draw

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
)

// Version names the rules of a draw. The versions differ in the first bytes of what is hashed, in how a holder is named
// and in what a phone commits to. A draw is checked by the rules that it was made by, for ever.
type Version string

// The versions.
const (
	V1 Version = "adashi.ng/ajo-draw/v1"
	V2 Version = "adashi.ng/ajo-draw/v2"
	// V3 is V2 for phones, with a public round in their seed. Nobody can know the round while phones reveal, so nobody
	// knows which order they would choose by withholding.
	V3 Version = "adashi.ng/ajo-draw/v3"
)

// domain is the first bytes of what is hashed, so that no digest can stand for one of another kind or version.
func (v Version) domain(kind string) []byte {
	number := "v2"
	switch {
	case v == V1:
		number = "v1"
	case v == V3 && kind == "phones":
		number = "v3"
	}
	return []byte("adashi.ng/ajo-" + kind + "/" + number + "\n")
}

// SaltBytes is the length of the salt that makes the pseudonyms of an ajo.
const SaltBytes = 32

// Pseudonym is what the public list of V2 calls a user, in hex: the first 16 bytes of
//
//	HMAC-SHA256(salt, "adashi.ng/ajo-pseudonym/v2\n" ‖ ajo 16 ‖ user 16)
//
// With the salt anybody could test whether a user is in the list, so it must never be public.
func Pseudonym(salt []byte, ajoID, userID string) (string, error) {
	ajo, err := uuid.Parse(ajoID)
	if err != nil {
		return "", fault.Field("ajoId", "An ajo has a UUID, and %q is none.", ajoID)
	}
	user, err := uuid.Parse(userID)
	if err != nil {
		return "", fault.Field("userId", "A member has a UUID, and %q is none.", userID)
	}
	mac := hmac.New(sha256.New, salt)
	mac.Write(V2.domain("pseudonym"))
	mac.Write(ajo[:])
	mac.Write(user[:])
	return hex.EncodeToString(mac.Sum(nil)[:16]), nil
}

// Holder is a person who holds a seat, or a half of it.
type Holder struct {
	ID     string   // 16 bytes, as a UUID or in hex: the user's id in V1, their Pseudonym in V2.
	Halves int      // 2 is the whole seat, 1 a half.
	Nonce  [16]byte // Random bytes from the person's phone, given at joining.
}

// Seat is one turn to collect. Its holders have two halves together.
type Seat struct {
	No      int // 1 to n.
	Holders []Holder
}

// RosterDigest seals who holds which seat under which terms:
//
//	SHA256("adashi.ng/ajo-roster/v1\n" ‖ ajo 16 ‖ termsHash 32 ‖ n u16 ‖ for each seat in order of its number:
//	       no u16 ‖ holders u8 ‖ for each in order of the id's bytes: id 16 ‖ halves u8 ‖ nonce 16)
//
// V2 begins with "adashi.ng/ajo-roster/v2\n". Numbers are big-endian. The seats and their holders may be given in any
// order.
func (v Version) RosterDigest(ajoID string, termsHash [32]byte, seats []Seat) (digest [32]byte, err error) {
	ajo, err := uuid.Parse(ajoID)
	if err != nil {
		return digest, fault.Field("ajoId", "An ajo has a UUID, and %q is none.", ajoID)
	}
	if len(seats) == 0 || len(seats) > 1<<16-1 {
		return digest, fault.Field("seats", "A draw is between 1 and 65,535 seats, not %d.", len(seats))
	}
	raw := append(v.domain("roster"), ajo[:]...)
	raw = append(raw, termsHash[:]...)
	raw = binary.BigEndian.AppendUint16(raw, uint16(len(seats)))
	for n, seat := range slices.SortedFunc(slices.Values(seats), func(a, b Seat) int { return a.No - b.No }) {
		if seat.No != n+1 {
			return digest, fault.Field("seats", "The seats must be numbered from 1 to %d, each once.", len(seats))
		}
		holders, err := sorted(seat)
		if err != nil {
			return digest, err
		}
		raw = binary.BigEndian.AppendUint16(raw, uint16(seat.No))
		raw = append(raw, byte(len(holders)))
		for _, h := range holders {
			raw = append(raw, h.id[:]...)
			raw = append(raw, byte(h.Halves))
			raw = append(raw, h.Nonce[:]...)
		}
	}
	return sha256.Sum256(raw), nil
}

// holder is a Holder with its id read.
type holder struct {
	Holder
	id uuid.UUID
}

// sorted answers a seat's holders in order of their ids, or why they cannot hold it.
func sorted(seat Seat) ([]holder, error) {
	var all []holder
	halves := 0
	for _, h := range seat.Holders {
		id, err := uuid.Parse(h.ID)
		if err != nil {
			return nil, fault.Field("seats", "A holder of seat %d has no UUID.", seat.No)
		}
		if h.Halves != 1 && h.Halves != 2 {
			return nil, fault.Field("seats", "A holder of seat %d must have one half or both.", seat.No)
		}
		halves += h.Halves
		all = append(all, holder{h, id})
	}
	slices.SortFunc(all, func(a, b holder) int { return slices.Compare(a.id[:], b.id[:]) })
	switch {
	case halves != 2:
		return nil, fault.Field("seats", "Seat %d must have two halves held.", seat.No)
	case len(all) == 2 && all[0].id == all[1].id:
		return nil, fault.Field("seats", "One person holds seat %d twice: give them both halves at once.", seat.No)
	}
	return all, nil
}

// Seed is SHA256(version ‖ "\n" ‖ digest ‖ SHA256(signature)): the sealed list, and the signature of the beacon's round
// as Beacon.Verify took it.
func (v Version) Seed(digest [32]byte, signature []byte) [32]byte {
	randomness := sha256.Sum256(signature)
	raw := append(v.domain("draw"), digest[:]...)
	return sha256.Sum256(append(raw, randomness[:]...))
}

// Order shuffles the seats 1 to n: order[c-1] is the seat that collects in cycle c. It is the Fisher–Yates shuffle with
// i from n−1 down to 1, and j the next word modulo i+1. The words are the big-endian 64 bits, four to a block, of
// SHA256(seed ‖ counter u32) with the counter from 0; a word that would favour a low j is passed over.
func Order(seed [32]byte, n int) []int {
	order := make([]int, max(n, 0))
	for i := range order {
		order[i] = i + 1
	}
	from := words{seed: seed}
	for i := len(order) - 1; i > 0; i-- {
		j := from.below(uint64(i + 1))
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// words are the numbers that follow from a seed.
type words struct {
	seed  [32]byte
	block [32]byte
	read  int // Words taken so far.
}

func (w *words) next() uint64 {
	at := w.read % 4 * 8
	if at == 0 {
		w.block = sha256.Sum256(binary.BigEndian.AppendUint32(w.seed[:], uint32(w.read/4)))
	}
	w.read++
	return binary.BigEndian.Uint64(w.block[at:])
}

// below answers a number below m, each as likely as the other.
func (w *words) below(m uint64) uint64 {
	over := -m % m // 2^64 modulo m: how many words at the top are one round too many.
	for {
		if word := w.next(); word <= ^uint64(0)-over {
			return word % m
		}
	}
}
