package app

import (
	"context"
	"errors"

	"adashi.ng/ledger/fault"
	"adashi.ng/ledger/holds"
	"adashi.ng/ledger/store"
	"adashi.ng/projections/holding"
)

// expiredAtOnce is how many holds are let go in one run.
const expiredAtOnce = 500

// ExpireHolds gives back what is still set aside after its time. It is a job: whatever it does not come to, the next
// run does.
func (a *App) ExpireHolds(ctx context.Context) error {
	over, err := holding.Expired(ctx, a.Pool, a.Now(), expiredAtOnce)
	if err != nil {
		return err
	}
	var failed error
	for _, h := range over {
		_, err := a.Ledger.Append(ctx, store.Command{
			ID: store.CommandID("system", "expire hold", h.ID), Hash: store.Fingerprint(h.ID), Actor: "system", Correlation: h.ID,
			Command: holds.Expire(h.ID, h.Account, a.Now()),
		})
		if fault.As(err) == nil { // Refused: it was captured or released just now.
			failed = errors.Join(failed, err)
		}
	}
	return failed
}
