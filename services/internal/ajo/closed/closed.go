// Package closed gives up the places in an ajo of a person who has closed their account.
package closed

import (
	"context"
	"errors"
	"fmt"

	"adashi.ng/ledger/base/fault"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/ajos"
	"adashi.ng/services/internal/usecase"
)

// Service gives up the places of closed accounts.
type Service struct{ *usecase.Base }

// Vacate gives up a person's places in every ajo, once their account is closed. later says that a list has no order
// yet: their places in it are given up when it has. When a draw or another command about the same ajo interferes, call
// it again.
func (s Service) Vacate(ctx context.Context, user string) (later bool, err error) {
	list, err := ajos.OfUser(ctx, s.Pool, user)
	if err != nil {
		return false, err
	}
	var failed []error
	for _, a := range list {
		waits, err := s.vacate(ctx, a.ID, user)
		later = later || waits
		failed = append(failed, err)
	}
	return later, errors.Join(failed...)
}

// vacate gives up a person's places in one ajo, by its state in the ledger.
func (s Service) vacate(ctx context.Context, id, user string) (later bool, err error) {
	state, err := s.Ledger.Load(ctx, rules.Stream(id))
	if err != nil {
		return false, err
	}
	a := state.(rules.Ajo)
	var c event.Command = rules.Vacate{AjoID: id, User: user, Now: s.Now()}
	switch {
	case a.Status == rules.Open && a.Owner == user:
		c = rules.Cancel{AjoID: id, Reason: rules.OwnerClosed, Members: a.Members(), Now: s.Now()}
	case a.Vacated(user):
		return a.Status == rules.Ordering, nil
	}
	key := fmt.Sprintf("%s %s %s", id, user, s.Now())
	_, err = s.Record(ctx, usecase.System, store.CommandID("system", "vacate ajo", key), id, store.Fingerprint(key), c)
	if fault.Is(err, fault.Conflict) {
		return true, nil // The ajo changed meanwhile.
	}
	return a.Status == rules.Ordering, err
}
