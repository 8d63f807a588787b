package remedies

import (
	"context"
	"encoding/hex"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoconsent"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/usecase"
)

// endAll ends what somebody else may have set up in an account that is given back: consents, keys that sign, offers of
// groups, and decisions about what still waits. What is ended already is refused, and so it may be repeated.
func (s *Service) endAll(ctx context.Context, r row, a account.Account) error {
	if len(a.Given) == 0 {
		return nil // Another BVN was let in.
	}
	state, err := s.Ledger.Load(ctx, ajo.CommitStream(r.User))
	if err != nil {
		return wrapped(err)
	}
	var ends []event.Command
	for _, id := range state.(ajo.Commitments).Ever {
		ends = append(ends, ajoconsent.End{AjoID: id, User: r.User})
	}
	keys, err := ofKeys(r.User, a)
	if err != nil {
		return err
	}
	offices, err := s.offices(ctx, r.User)
	if err != nil {
		return err
	}
	for _, c := range append(append(ends, keys...), offices...) {
		_, err := s.Ledger.DryRun(ctx, c) // So that no refusal is kept.
		if err == nil {
			_, err = s.Record(ctx, usecase.System, store.NewCommandID(), r.User, store.Fingerprint(r.ID), c)
		}
		if usecase.UnlessRefused(err) != nil {
			return err
		}
	}
	return nil
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
