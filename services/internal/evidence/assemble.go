package evidence

import (
	"context"
	"maps"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/services/internal/disputes"
	"adashi.ng/services/internal/evidence/bundle"
)

// assemble makes a bundle under a checkpoint, for a device that has an older one.
func (s *Service) assemble(ctx context.Context, user string, d disputes.Dispute, c, oldest proofs.Checkpoint) (bundle.Bundle, error) {
	b := bundle.Bundle{
		Format: bundle.Format, Member: user, MadeAt: s.Present().UTC().Truncate(time.Second), Checkpoint: c.Note, Dispute: told(d, c.Size),
		Events: []bundle.Event{}, Hidden: []bundle.Hidden{}, Streams: []bundle.Stream{}, Accounts: []bundle.Account{}, Hashes: []string{},
	}
	keys := s.Activity.Proofs.Keys()
	for _, key := range append([]proofs.Key{keys.Current}, keys.Retired...) {
		b.Keys = append(b.Keys, key.Public())
	}
	g, err := s.gather(ctx, user, c.Size)
	if err != nil {
		return b, err
	}
	b.Earlier = g.earlier
	records := g.inOrder()
	secret, err := s.secret(ctx, user, records)
	if err != nil {
		return b, err
	}
	if err := s.veil(ctx, g, records, secret, c.Size); err != nil {
		return b, err
	}
	var positions []int64
	for _, r := range records {
		if !secret[r.Pos] {
			positions = append(positions, r.Pos)
		}
	}
	paths, err := s.Activity.Proofs.Paths(ctx, c, positions)
	if err != nil {
		return b, err
	}
	m := making{gathering: g, first: records[0].Pos, checkpoint: c, oldest: oldest, secret: secret, places: map[tlog.Hash]int{}}
	if d.GroupId != nil {
		m.group = *d.GroupId
	}
	for _, r := range records {
		if secret[r.Pos] {
			b.Hidden = append(b.Hidden, hiddenOf(user, r))
			continue
		}
		b.Add(r.Encode(), paths[0], m.places)
		paths = paths[1:]
	}
	told := tell(&b, g, records)
	if err := s.anchor(ctx, &b, m); err != nil {
		return b, err
	}
	if err := s.seen(ctx, &b, m); err != nil {
		return b, err
	}
	b.Names, err = s.names(ctx, user, told)
	return b, err
}

// secret are the positions of records that would tell the member what they may not know.
func (s *Service) secret(ctx context.Context, user string, records []*event.Record) (map[int64]bool, error) {
	onlooker, secret := s.Activity.Onlooker(user), map[int64]bool{}
	for _, r := range records {
		if len(r.Lines) == 0 {
			continue
		}
		m, err := r.Message()
		if err != nil {
			return nil, err
		}
		group, accounts := "", make([]string, len(r.Lines))
		if of, ok := m.(interface{ GetGroupId() string }); ok {
			group = of.GetGroupId()
		}
		for i, line := range r.Lines {
			accounts[i] = line.Account
		}
		seen, err := onlooker.Sees(ctx, group, accounts)
		if err != nil {
			return nil, err
		}
		if !seen {
			secret[r.Pos] = true
		}
	}
	return secret, nil
}

// hiddenOf is what is said of an event that is not given: where it stands, and what it did to the member's accounts.
func hiddenOf(user string, r *event.Record) bundle.Hidden {
	h := bundle.Hidden{Position: r.Pos, Stream: r.Stream, Version: r.Version}
	for _, line := range r.Lines {
		if bundle.Owns(user, line.Account) {
			h.Lines = append(h.Lines, bundle.Line{Account: line.Account, Amount: int64(line.Amount), Balance: int64(line.Balance)})
		}
	}
	return h
}

// tell says which streams and accounts the events tell whole, and answers every account and stream that they name.
func tell(b *bundle.Bundle, g *gathering, records []*event.Record) (named []string) {
	streams, accounts, all := map[string]*bundle.Stream{}, map[string]*bundle.Account{}, map[string]bool{}
	for _, r := range records {
		all[r.Stream] = true
		if g.streams[r.Stream] {
			if streams[r.Stream] == nil {
				streams[r.Stream] = &bundle.Stream{Name: r.Stream, From: r.Version}
			}
			streams[r.Stream].To = r.Version
		}
		for _, line := range r.Lines {
			all[line.Account] = true
			if !bundle.Owns(g.user, line.Account) {
				continue
			}
			if accounts[line.Account] == nil {
				accounts[line.Account] = &bundle.Account{Name: line.Account, Opening: int64(line.Balance - line.Amount)}
			}
			accounts[line.Account].Lines++
			accounts[line.Account].Closing = int64(line.Balance)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(streams)) {
		b.Streams = append(b.Streams, *streams[name])
	}
	for _, name := range slices.Sorted(maps.Keys(accounts)) {
		b.Accounts = append(b.Accounts, *accounts[name])
	}
	return slices.Sorted(maps.Keys(all))
}
