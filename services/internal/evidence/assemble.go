package evidence

import (
	"context"
	"maps"
	"slices"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/services/internal/disputes"
	"adashi.ng/services/internal/evidence/bundle"
)

// assemble makes a bundle under a checkpoint, for a device that has an older one.
func (s *Service) assemble(ctx context.Context, user string, d disputes.Dispute, c, oldest proofs.Checkpoint) (bundle.Bundle, error) {
	b := bundle.Bundle{
		Format: bundle.Format, Member: user, Checkpoint: c.Note, Names: map[string]string{},
		Events: []bundle.Event{}, Hidden: []bundle.Hidden{}, Streams: []bundle.Stream{}, Accounts: []bundle.Account{}, Hashes: []string{},
	}
	g, err := s.gather(ctx, user, d, c.Size)
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
		if !g.isVeiled(r.Pos, secret) {
			positions = append(positions, r.Pos)
		}
	}
	paths, err := s.Activity.Proofs.Paths(ctx, c, positions)
	if err != nil {
		return b, err
	}
	m := making{gathering: g, first: firstOf(d.Id, records), checkpoint: c, oldest: oldest, secret: secret, places: map[tlog.Hash]int{}}
	if d.GroupId != nil {
		m.group = *d.GroupId
	}
	for _, r := range records {
		switch {
		case g.isVeiled(r.Pos, secret):
			b.Hidden = append(b.Hidden, g.hidden(r))
		case secret[r.Pos]:
			b.Hidden = append(b.Hidden, b.InTree(g.hidden(r), r.Leaf(), paths[0], m.places))
			paths = paths[1:]
		default:
			b.Add(r.Encode(), paths[0], m.places)
			paths = paths[1:]
		}
	}
	tell(&b, g, records)
	if b.Dispute, err = derived(user, d, records, secret); err != nil {
		return b, err
	}
	if err := s.anchor(ctx, &b, m); err != nil {
		return b, err
	}
	if err := s.seen(ctx, &b, m); err != nil {
		return b, err
	}
	b.Keys = s.signers(&b)
	return b, nil
}

// firstOf is the position of the first event that does not belong to the dispute itself: from there on the bundle has
// all events.
func firstOf(disputeID string, records []*event.Record) int64 {
	for _, r := range records {
		if !bundle.IsOf(disputeID, r) {
			return r.Pos
		}
	}
	return records[0].Pos
}

// derived is the dispute as its events describe it.
func derived(user string, d disputes.Dispute, records []*event.Record, secret map[int64]bool) (bundle.Dispute, error) {
	written := map[int64]string{}
	for _, step := range d.Steps {
		if step.Words != nil {
			written[step.Position] = *step.Words
		}
	}
	var events []bundle.Happening
	for _, r := range records {
		if !bundle.IsOf(d.Id, r) {
			continue
		}
		happened := bundle.Happening{Position: r.Pos}
		if !secret[r.Pos] {
			happened.Record = r
		}
		events = append(events, happened)
	}
	return bundle.Derive(d.Id, user, events, written)
}

// signers returns the ledger's keys that signed something in a bundle.
func (s *Service) signers(b *bundle.Bundle) (signed []string) {
	keys := s.Activity.Proofs.Keys()
	for _, key := range append([]proofs.Key{keys.Current}, keys.Retired...) {
		for _, text := range []string{b.Checkpoint, b.Seen.Phone.Note, b.Seen.Phone.GivenUp} {
			if _, err := note.Open([]byte(text), note.VerifierList(key.Verifier())); err == nil {
				signed = append(signed, key.Public())
				break
			}
		}
	}
	return signed
}

// secret returns the positions of records that would show the member something that they may not see.
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

// hidden is the bundle's entry for an event that it does not contain: its place, and its effect on the member's
// accounts.
func (g *gathering) hidden(r *event.Record) bundle.Hidden {
	h := bundle.Hidden{Position: r.Pos}
	if g.streams[r.Stream] {
		h.Stream, h.Version = r.Stream, r.Version
	}
	for _, line := range r.Lines {
		if bundle.Owns(g.user, line.Account) {
			h.Lines = append(h.Lines, bundle.Line{Account: line.Account, Amount: int64(line.Amount), Balance: int64(line.Balance)})
		}
	}
	return h
}

// isVeiled reports whether the bundle must omit even the leaf of an event: the event is secret, and has no random bytes
// to prevent guesses from being tested against its leaf.
func (g *gathering) isVeiled(pos int64, secret map[int64]bool) bool {
	return secret[pos] && pos < g.salted
}

// tell lists the streams and accounts whose events are complete.
func tell(b *bundle.Bundle, g *gathering, records []*event.Record) {
	streams, accounts := map[string]*bundle.Stream{}, map[string]*bundle.Account{}
	for _, r := range records {
		if g.streams[r.Stream] {
			if streams[r.Stream] == nil {
				streams[r.Stream] = &bundle.Stream{Name: r.Stream, From: r.Version}
			}
			streams[r.Stream].To = r.Version
		}
		for _, line := range r.Lines {
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
}
