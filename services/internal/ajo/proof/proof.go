// Package proof publishes the proof of an ajo's draw, for anybody who draws it again.
package proof

import (
	"encoding/hex"
	"slices"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/services/internal/ajo/terms"
	"adashi.ng/services/internal/usecase"
)

// Of returns the data needed to compute the order of a drawn ajo again, from its sealed list. It is public: it contains
// no names, and user ids only in a draw of version 1. The beacon is the one of the round that the list names, if it
// names one.
func Of(id string, a rules.Ajo, b draw.Beacon) contract.AjoDrawProof {
	p := contract.AjoDrawProof{
		Version: string(a.Closing.Version()), AjoId: id, Name: a.Name, TermsHash: hex.EncodeToString(a.Closing.TermsHash), ClosedAt: a.Closing.At.UTC(), DrawAt: a.Closing.DrawAt.UTC(),
		RosterDigest: hex.EncodeToString(a.Closing.Digest), Source: contract.AjoDrawProofSource(terms.DrawSource(a.Closing.Source)), Order: append([]int{}, a.Drawn...), Seats: []contract.AjoDrawSeat{},
	}
	for _, seat := range a.Sealed {
		line := contract.AjoDrawSeat{Seat: seat.No, Holders: []contract.AjoDrawHolder{}}
		for _, h := range seat.Holders {
			user, pseudonym := named(a, h.ID)
			line.Holders = append(line.Holders, contract.AjoDrawHolder{UserId: user, Pseudonym: pseudonym, Halves: h.Halves, Nonce: hex.EncodeToString(h.Nonce[:])})
		}
		p.Seats = append(p.Seats, line)
	}
	if a.Closing.Source == nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES {
		reveals := []contract.AjoDrawReveal{}
		for _, r := range a.DrawnFrom {
			user, pseudonym := named(a, r.ID)
			line := contract.AjoDrawReveal{UserId: user, Pseudonym: pseudonym, Commitment: hex.EncodeToString(r.Commitment[:])}
			if r.Secret != nil {
				line.Secret = usecase.OrNil(hex.EncodeToString(r.Secret[:]))
			}
			reveals = append(reveals, line)
		}
		p.Reveals = &reveals
	}
	if a.Closing.Round == 0 {
		return p
	}
	round := int64(a.Closing.Round)
	p.Round, p.Signature = &round, usecase.OrNil(hex.EncodeToString(a.Signature))
	p.Beacon = &contract.AjoDrawBeacon{
		Name: b.Name, ChainHash: a.Closing.Chain, PublicKey: hex.EncodeToString(b.PublicKey), Genesis: b.Genesis, Period: b.Period, Test: b.Test,
	}
	return p
}

// named returns a holder's name in a draw, depending on the version: a user id or a pseudonym.
func named(a rules.Ajo, id string) (user, pseudonym *string) {
	if a.Closing.Version() == draw.V1 {
		return &id, nil
	}
	return nil, &id
}

// Pseudonym is a user's name in the sealed list of an ajo. It is nil in version 1, which gives the user id, and for a
// user who is not in the list because they took over a place later.
func Pseudonym(id string, a rules.Ajo, user string) *string {
	if a.Closing.Version() == draw.V1 {
		return nil
	}
	sealed := func(p rules.Place) bool { return p.User == user && !p.TakenOver }
	if !slices.ContainsFunc(a.Seats, func(s rules.Seat) bool { return slices.ContainsFunc(s.Places, sealed) }) {
		return nil
	}
	return usecase.OrNil(a.NameOf(id, user))
}
