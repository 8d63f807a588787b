package remedies

import (
	"context"
	"encoding/hex"
	"errors"

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

// endAll ends what somebody else may have set up in an account that is given back: consents, keys that sign, collectors
// of cards, offers of groups, and decisions about what still waits. What is ended already is refused, and so it may be
// repeated.
func (s *Service) endAll(ctx context.Context, r row, a account.Account) error {
	if len(a.Given) == 0 {
		return nil // Another BVN was let in.
	}
	ends, err := ofKeys(r.User, a)
	if err != nil {
		return err
	}
	for _, more := range []func(context.Context, string) ([]event.Command, error){s.ajos, s.cards, s.offices} {
		commands, err := more(ctx, r.User)
		if err != nil {
			return err
		}
		ends = append(ends, commands...)
	}
	var failures []error
	for _, c := range ends {
		_, err := s.Ledger.DryRun(ctx, c) // So that no refusal is kept.
		if err == nil {
			_, err = s.Record(ctx, usecase.System, store.NewCommandID(), r.User, store.Fingerprint(r.ID), c)
		}
		failures = append(failures, usecase.UnlessRefused(err))
	}
	return errors.Join(failures...)
}

// ajos ends what an ajo may take by itself of a member, and what they said in it where something still waits for it.
func (s *Service) ajos(ctx context.Context, user string) (out []event.Command, err error) {
	state, err := s.Ledger.Load(ctx, ajo.CommitStream(user))
	if err != nil {
		return nil, wrapped(err)
	}
	for _, id := range state.(ajo.Commitments).Ever {
		state, err := s.Ledger.Load(ctx, ajo.Stream(id))
		if err != nil {
			return nil, wrapped(err)
		}
		out = append(out, ajoconsent.End{AjoID: id, User: user}, ajoback.Of(state.(ajo.Ajo), id, user))
	}
	return out, nil
}

// cards has a member's cards go on without the collectors whom somebody else named.
func (s *Service) cards(ctx context.Context, user string) (out []event.Command, err error) {
	a, err := s.AccountState(ctx, user)
	if err != nil {
		return nil, err
	}
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

// offices ends what a member's offices may have been used for: offers of groups that they own, and decisions about what
// still waits.
func (s *Service) offices(ctx context.Context, user string) (out []event.Command, err error) {
	ever, err := groups.Ever(ctx, s.Pool, user)
	if err != nil {
		return nil, wrapped(err)
	}
	for _, id := range ever {
		state, err := s.Ledger.Load(ctx, savings.GroupStream(id))
		if err != nil {
			return nil, wrapped(err)
		}
		out = append(out, savings.GiveBack{GroupID: id, User: user})
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
