package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/boot"
)

func TestVerifyDeepDecidesDrawsOfTheSandboxAgain(t *testing.T) {
	t.Parallel()
	ctx, cfg := context.Background(), settings(t.TempDir())
	i, err := boot.Start(ctx, cfg, boot.Roles{API: true, Relay: true, Projector: true})
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	r := listed(t, i)
	r.draws()
	v, err := boot.OpenVisit(ctx, cfg)
	require.NoError(t, err)
	t.Cleanup(v.Close)
	c := &audit.Check{}
	require.NoError(t, v.RulesCheck().Run(ctx, c))
	require.Zero(t, c.Violations, "%v", c.Listed)
	require.NotContains(t, c.Said, "AjoListClosed")
	require.NotContains(t, c.Said, "AjoOrderDrawn")

	round := must[object](r.people[0], "GET", "/api/v1/ajo/"+r.id+"/draw", nil)["round"].(float64)
	longAgo(t, i, time.Now(), ledgertest.Raw{event.On(ajo.Stream(r.id), &nairav1.AjoOrderDrawn{
		AjoId: r.id, Source: nairav1.AjoDrawSource_AJO_DRAW_SOURCE_BEACON, Round: uint64(round), Signature: i.TestBeacon.Sign(uint64(round) + 1), Seed: make([]byte, 32), Order: []int32{1, 2, 3, 4},
	})})
	c = &audit.Check{}
	require.NoError(t, v.RulesCheck().Run(ctx, c))
	require.EqualValues(t, 1, c.Violations)
}
