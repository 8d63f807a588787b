package usecase

import (
	"context"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/event"
)

// look reads several streams and balances at one moment.
type look struct {
	streams, accounts []string
	see               func(event.View)
}

var errSeen = fault.New(fault.Conflict, "This is a look, and is never recorded.")

// Streams implements event.Command.
func (l look) Streams() []string { return l.streams }

// Accounts implements event.Command.
func (l look) Accounts() []string { return l.accounts }

// Decide implements event.Command.
func (l look) Decide(v event.View) ([]event.Draft, error) {
	l.see(v)
	return nil, errSeen
}

// See reads several streams and balances of the ledger as of one moment, in one read.
func (b *Base) See(ctx context.Context, streams, accounts []string, see func(event.View)) error {
	_, err := b.Ledger.DryRun(ctx, look{streams, accounts, see})
	if fault.As(err) == errSeen {
		return nil
	}
	return err
}
