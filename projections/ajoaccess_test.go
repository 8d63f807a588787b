package projections_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections/ajoaccess"
)

// A request waits until it ends, for whatever reason, and a new request goes to the end of the queue.
func TestARequestForAjoAccessWaitsUntilItEnds(t *testing.T) {
	t.Parallel()
	h, ctx := setup(t), context.Background()
	e := h.keeping(ajoaccess.Model())
	on := func(user string, m proto.Message) { h.do(ledgertest.Raw{event.On("ajoaccess:"+user, m)}) }
	asks := func(user, id string) {
		on(user, &nairav1.AjoAccessAsked{UserId: user, AskId: id, SalaryKobo: 210_000_00})
	}
	waiting := func(want ...string) {
		t.Helper()
		require.NoError(t, e.CatchUp(ctx))
		count, err := ajoaccess.Count(ctx, h.pool)
		require.NoError(t, err)
		require.Equal(t, len(want), count)
		found, after := []string{}, int64(0)
		for {
			page, err := ajoaccess.Page(ctx, h.pool, after, 2)
			require.NoError(t, err)
			if len(page) == 0 {
				break
			}
			for _, ask := range page {
				found, after = append(found, ask.User+" "+ask.ID), ask.Pos
			}
		}
		require.Equal(t, append([]string{}, want...), found)
	}
	for _, user := range users {
		asks(user, "1")
	}
	waiting("ada 1", "bisi 1", "chidi 1", "dayo 1", "efe 1")
	on("ada", &nairav1.AjoAccessRefused{UserId: "ada", AskId: "1", Reason: "The letter is old."})
	asks("ada", "2")
	waiting("bisi 1", "chidi 1", "dayo 1", "efe 1", "ada 2")
	on("bisi", &nairav1.AjoAccessGranted{UserId: "bisi", AskId: "1", LimitKobo: 70_000_00})
	on("chidi", &nairav1.AjoAccessWithdrawn{UserId: "chidi", AskId: "1"})
	on("dayo", &nairav1.AjoAccessLost{UserId: "dayo", Reason: "You owe."})
	h.do(ledgertest.Raw{event.On("account:efe", &nairav1.AccountClosed{UserId: "efe"})})
	waiting("ada 2")
}
