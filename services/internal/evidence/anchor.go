package evidence

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs/liabilities"
	"adashi.ng/services/internal/evidence/bundle"
)

// anchor adds the committed count of what Adashi owed the member, to which their accounts must add up at that position.
// It leaves the count out, without harm to the bundle, when there is none yet, when it was zero, when it is older than
// the bundle's events, or when the path of the count's record has a hash against which somebody could test guesses of a
// secret.
func (s *Service) anchor(ctx context.Context, b *bundle.Bundle, m making) error {
	var names []string
	for _, a := range b.Accounts {
		names = append(names, a.Name)
	}
	pos, file, err := s.Reserves.Under(ctx, m.checkpoint.Size, names)
	if err != nil {
		slog.ErrorContext(ctx, "evidence: what was counted cannot be proven", "dispute", b.Dispute.ID, "error", err)
		return nil
	}
	if pos == 0 || m.earlier && file.Position < m.first {
		return nil
	}
	records, err := history.ReadAt(ctx, s.Pool, []int64{pos})
	if err != nil || len(records) == 0 {
		return err
	}
	veiled := maps.Clone(m.secret)
	if err := s.veil(ctx, m.gathering, []*event.Record{&records[0]}, veiled, m.checkpoint.Size); err != nil || veiled[pos] {
		return err
	}
	paths, err := s.Activity.Proofs.Paths(ctx, m.checkpoint, []int64{pos})
	if err != nil {
		return err
	}
	slices.SortFunc(file.Accounts, func(a, b liabilities.Proven) int { return strings.Compare(a.Account, b.Account) })
	for _, a := range file.Accounts {
		slices.SortFunc(a.Parts, func(a, b liabilities.ProvenPart) int { return cmp.Compare(a.Index, b.Index) })
	}
	b.Anchor = &bundle.Anchor{Counted: b.Proven(records[0].Encode(), paths[0], m.places), Owed: file}
	return nil
}
