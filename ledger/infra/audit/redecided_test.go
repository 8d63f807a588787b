package audit_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/redecide"
)

// again decides the ledger again, and answers the positions that differ, with the reasons.
func (b *book) again() map[int64]string {
	b.Helper()
	ctx := context.Background()
	conn, err := b.pool.Acquire(ctx)
	require.NoError(b, err)
	defer conn.Release()
	differs := map[int64]string{}
	_, err = redecide.Run(ctx, conn.Conn(), b.head(), redecide.Options{
		Aggregates: ledger.Aggregates(), Wishes: ledger.Wishes(), Behind: ledger.Behind, Read: history.At(ctx, b.pool),
		Differs: func(pos int64, why string) { differs[pos] = why },
	})
	require.NoError(b, err)
	return differs
}

// A decider of this build decided every event of the kept ledger, so `verify --deep` must decide each again the same
// way.
func TestTheKeptLedgerIsDecidedAgainAsItWas(t *testing.T) {
	t.Parallel()
	b := kept(t)
	require.Empty(t, b.again())
}

// The events of earlier builds are decided again by the rules of those builds.
func TestTheLedgerOfAnEarlierBuildIsDecidedAgainAsItWas(t *testing.T) {
	t.Parallel()
	require.Empty(t, before(t).again())
}
