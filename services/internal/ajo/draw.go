package ajo

import (
	"context"

	"adashi.ng/ledger/base/fault"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/services/internal/ajo/proof"
	"adashi.ng/services/internal/usecase"
)

// Draw returns the proof of a draw: all data needed to compute its order again. It is public to anybody who knows the
// ajo's id, and describes the list as it was sealed. It contains no names, and user ids only in a draw of version 1.
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
	return proof.Of(id, a, s.Beacon.Beacon()), nil
}
