package ajo

import (
	"context"
	"encoding/hex"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/services/internal/ajo/terms"
	"adashi.ng/services/internal/usecase"
)

const drawVersion = "adashi.ng/ajo-draw/v1"

// Draw is the proof of a draw: all that anybody needs to compute its order again. It is public to whoever knows the
// ajo's id, holds no names, and is of the list as it was sealed.
func (s *Service) Draw(ctx context.Context, id string) (AjoDrawProof, error) {
	id, err := usecase.ParseID(id, "draw")
	if err != nil {
		return AjoDrawProof{}, err
	}
	state, err := s.Ledger.Load(ctx, rules.Stream(id))
	if err != nil {
		return AjoDrawProof{}, err
	}
	a := state.(rules.Ajo)
	if len(a.Drawn) == 0 {
		return AjoDrawProof{}, fault.New(fault.NotFound, "There is no such draw.")
	}
	p := AjoDrawProof{
		Version: drawVersion, AjoId: id, Name: a.Name, TermsHash: hex.EncodeToString(a.Closing.TermsHash), ClosedAt: a.Closing.At.UTC(), DrawAt: a.Closing.DrawAt.UTC(),
		RosterDigest: hex.EncodeToString(a.Closing.Digest), Source: AjoDrawProofSource(terms.DrawSource(a.Closing.Source)), Order: append([]int{}, a.Drawn...), Seats: []AjoDrawSeat{},
	}
	for _, seat := range a.Sealed {
		line := AjoDrawSeat{Seat: seat.No, Holders: []AjoDrawHolder{}}
		for _, h := range seat.Holders {
			line.Holders = append(line.Holders, AjoDrawHolder{UserId: h.UserID, Halves: h.Halves, Nonce: hex.EncodeToString(h.Nonce[:])})
		}
		p.Seats = append(p.Seats, line)
	}
	if a.Closing.Source == nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES {
		reveals := []AjoDrawReveal{}
		for _, r := range a.DrawnFrom {
			line := AjoDrawReveal{UserId: r.UserID, Commitment: hex.EncodeToString(r.Commitment[:])}
			if r.Secret != nil {
				line.Secret = usecase.OrNil(hex.EncodeToString(r.Secret[:]))
			}
			reveals = append(reveals, line)
		}
		p.Reveals = &reveals
		return p, nil
	}
	b := s.Beacon.Beacon()
	round := int64(a.Closing.Round)
	p.Round, p.Signature = &round, usecase.OrNil(hex.EncodeToString(a.Signature))
	p.Beacon = &AjoDrawBeacon{
		Name: b.Name, ChainHash: a.Closing.Chain, PublicKey: hex.EncodeToString(b.PublicKey), Genesis: b.Genesis, Period: b.Period, Test: b.Test,
	}
	return p, nil
}
