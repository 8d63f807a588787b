package store

import (
	"fmt"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store/bulk"
	"adashi.ng/ledger/posting"
)

// Bulk is a list of commands that succeed or fail together; each is decided on the state that those before it leave. It
// is one command to the ledger: one id, one answer, and its events have consecutive positions.
//
// Commands that are independent need no Bulk: append them concurrently, and they share a transaction.
type Bulk = bulk.Commands

// BulkMax is how many commands a bulk may hold.
const BulkMax = 1000

// drafts decides a command. at says when its events will count from and be recorded.
func (s *Store) drafts(c event.Command, v event.View, at event.Happened) ([]event.Draft, error) {
	together, ok := c.(Bulk)
	if !ok {
		return c.Decide(v)
	}
	if len(together) == 0 || len(together) > BulkMax {
		return nil, fault.New(fault.Invalid, "From 1 to %d of these can be done together.", BulkMax)
	}
	var all []event.Draft
	o := overlay{View: v, states: map[string]any{}, balances: map[string]money.Kobo{}}
	for i, one := range together {
		drafts, err := one.Decide(o)
		if f := fault.As(err); f != nil {
			return nil, &fault.Fault{Code: f.Code, Field: f.Field, Message: fmt.Sprintf("Number %d of %d: %s None of them was done.", i+1, len(together), f.Message)}
		}
		if err != nil {
			return nil, err
		}
		for _, d := range drafts {
			if err := o.add(s, d, at); err != nil {
				return nil, err
			}
		}
		all = append(all, drafts...)
	}
	return all, nil
}

// overlay is a view of the state that results once the added drafts are recorded.
type overlay struct {
	event.View
	states   map[string]any
	balances map[string]money.Kobo
}

// State implements event.View.
func (o overlay) State(stream string) any {
	if state, ok := o.states[stream]; ok {
		return state
	}
	return o.View.State(stream)
}

// Balance implements event.View.
func (o overlay) Balance(account string) money.Kobo {
	if kobo, ok := o.balances[account]; ok {
		return kobo
	}
	return o.View.Balance(account)
}

func (o overlay) add(s *Store, d event.Draft, at event.Happened) error {
	a, err := s.fold(d.Stream)
	if err != nil {
		return err
	}
	at.Message = d.Message
	o.states[d.Stream] = a.Evolve(o.State(d.Stream), at)
	for _, line := range posting.Lines(d.Message) {
		kobo, err := o.Balance(line.Account).Add(line.Amount)
		if err != nil {
			return err
		}
		o.balances[line.Account] = kobo
	}
	return nil
}
