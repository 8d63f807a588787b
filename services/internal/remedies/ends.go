package remedies

import (
	"context"
	"encoding/hex"
	"errors"

	"github.com/google/uuid"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoback"
	"adashi.ng/ledger/domain/ajocard"
	"adashi.ng/ledger/domain/ajoconsent"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/usecase"
)

// endAll ends what somebody else may have set up in an account that is given back: what they said in ajos, consents,
// keys that sign, collectors of cards, offers of groups, and decisions about what still waits. What is ended already is
// refused, and so it may be repeated. What cannot be read holds up nothing else.
func (s *Service) endAll(ctx context.Context, r row, a account.Account) error {
	keys := func(_ context.Context, user string) ([]event.Command, error) { return ofKeys(user, a) }
	cards := func(ctx context.Context, user string) ([]event.Command, error) { return s.cards(ctx, user, a) }
	failures := []error{s.endSaid(ctx, r)}
	for _, more := range []func(context.Context, string) ([]event.Command, error){keys, s.consents, cards, s.offices} {
		ends, err := more(ctx, r.User)
		failures = append(failures, err)
		for _, c := range ends {
			failures = append(failures, s.ended(ctx, r, store.NewCommandID(), c))
		}
	}
	return errors.Join(append(failures, s.undoGroups(ctx, r, a), s.undoAjos(ctx, r, a))...)
}

// endSaid ends what bears no time: what a member said in ajos, and their offers of groups. That is done once for a
// remedy, so that what the owner says and offers once they are in stays.
func (s *Service) endSaid(ctx context.Context, r row) error {
	var done bool
	if err := s.Pool.QueryRow(ctx, `SELECT said_ended_at IS NOT NULL FROM remedies WHERE id = $1`, r.ID).Scan(&done); err != nil || done {
		return wrapped(err)
	}
	offers, offersErr := s.offers(ctx, r.User)
	words, wordsErr := s.words(ctx, r.User)
	failures := []error{offersErr, wordsErr}
	for _, c := range append(words, offers...) {
		failures = append(failures, s.ended(ctx, r, store.CommandID("system", "give back", r.ID+" "+c.Streams()[0]), c))
	}
	if err := errors.Join(failures...); err != nil {
		return err
	}
	_, err := s.Pool.Exec(ctx, `UPDATE remedies SET said_ended_at = $2 WHERE id = $1`, r.ID, s.Now())
	return wrapped(err)
}

// ended records one end, unless the ledger refuses it.
func (s *Service) ended(ctx context.Context, r row, id uuid.UUID, c event.Command) error {
	_, err := s.Ledger.DryRun(ctx, c) // So that no refusal is kept.
	if err == nil {
		_, err = s.Record(ctx, usecase.System, id, r.User, store.Fingerprint(r.ID), c)
	}
	return usecase.UnlessRefused(err)
}

// words ends what a member said in ajos where something still waits for it.
func (s *Service) words(ctx context.Context, user string) (out []event.Command, err error) {
	state, err := s.Ledger.Load(ctx, ajo.CommitStream(user))
	if err != nil {
		return nil, wrapped(err)
	}
	for _, id := range state.(ajo.Commitments).Ever {
		state, err := s.Ledger.Load(ctx, ajo.Stream(id))
		if err != nil {
			return out, wrapped(err)
		}
		out = append(out, ajoback.Of(state.(ajo.Ajo), id, user))
	}
	return out, nil
}

// consents ends what an ajo may take by itself of a member.
func (s *Service) consents(ctx context.Context, user string) (out []event.Command, err error) {
	state, err := s.Ledger.Load(ctx, ajo.CommitStream(user))
	if err != nil {
		return nil, wrapped(err)
	}
	for _, id := range state.(ajo.Commitments).Ever {
		out = append(out, ajoconsent.End{AjoID: id, User: user})
	}
	return out, nil
}

// cards has a member's cards go on without the collectors whom somebody else named.
func (s *Service) cards(ctx context.Context, user string, a account.Account) (out []event.Command, err error) {
	cards, err := ajos.CardsOf(ctx, s.Pool, user)
	if err != nil {
		return nil, wrapped(err)
	}
	for _, c := range cards {
		state, err := s.Ledger.Load(ctx, ajocard.Stream(c.ID))
		if err != nil {
			return nil, wrapped(err)
		}
		if card := state.(ajocard.Card); card.Collector != "" && a.Stolen(card.CollectorAt) {
			out = append(out, ajocard.SetCollector{CardID: c.ID, User: user})
		}
	}
	return out, nil
}

// offices ends what a member's offices may have been used for: decisions about what still waits.
func (s *Service) offices(ctx context.Context, user string) (out []event.Command, err error) {
	ever, err := groups.Ever(ctx, s.Pool, user)
	for _, id := range ever {
		out = append(out, savings.GiveBack{GroupID: id, User: user})
	}
	return out, wrapped(err)
}

// offers ends the offers of groups that a member owns.
func (s *Service) offers(ctx context.Context, user string) (out []event.Command, err error) {
	ever, err := groups.Ever(ctx, s.Pool, user)
	if err != nil {
		return nil, wrapped(err)
	}
	for _, id := range ever {
		state, err := s.Ledger.Load(ctx, savings.GroupStream(id))
		if err != nil {
			return out, wrapped(err)
		}
		if g := state.(savings.Group); g.Owner == user && g.Offered != "" {
			out = append(out, savings.AnswerOwnership{GroupID: id, By: user})
		}
	}
	return out, nil
}

// ofKeys revokes the keys of devices that were registered while somebody else used the account.
func ofKeys(user string, a account.Account) (out []event.Command, err error) {
	for n, keys := range [][]account.DeviceKey{a.WitnessKeys, a.AttestKeys} {
		revoke := []func(string, []byte) event.Command{account.RevokeWitness, account.RevokeAttestKey}[n]
		for _, k := range keys {
			public, err := hex.DecodeString(k.Public)
			if err != nil {
				return nil, err
			}
			if !k.Revoked && a.Stolen(k.Since) {
				out = append(out, revoke(user, public))
			}
		}
	}
	return out, nil
}
