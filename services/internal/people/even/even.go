// Package even answers after the same time whatever was found, so that the time tells nothing.
package even

import (
	"context"
	"time"

	"adashi.ng/ledger/base/clock"
)

// evenly is how long an answer takes that must not tell whether there is an account.
const evenly = 300 * time.Millisecond

// Answer does something and answers at the next whole multiple of evenly, whatever it did: the time says nothing about
// what was found. Only a caller who goes away does not wait.
func Answer(ctx context.Context, do func() error) error {
	watch := clock.Start()
	err := do()
	timer := time.NewTimer(evenly - watch.Took()%evenly)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return err
}
