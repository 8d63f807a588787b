package ajo_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/ajoremind"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/apptest"
)

func TestWhoseDueIsOpenAgainIsReminded(t *testing.T) {
	t.Parallel()
	c, ctx := founded(t, nil, nil).starts(), context.Background()
	first, seat := 1, 4
	a := c.ajo()
	_, err := c.App.At(a.Opens(1).Add(9*time.Hour)).Ajo.Pay(ctx, c.Member, c.id, contract.AjoPayRequest{What: "DUE", Amount: apptest.Naira(500), Cycle: &first, Seat: &seat, UserId: c.Member.User})
	require.NoError(t, err)
	require.NoError(t, c.Engine.CatchUp(ctx))
	require.NoError(t, c.App.At(a.Due(1).AddDate(0, 0, 1).Add(9*time.Hour)).Ajo.Remind(ctx))
	told := func() []string {
		state, err := c.App.Ledger.Load(ctx, ajoremind.ReminderStream(c.id, 1))
		require.NoError(t, err)
		return state.(dues.Reminded).Told[nairav1.ReminderKind_REMINDER_KIND_OVERDUE.String()]
	}
	require.NotContains(t, told(), c.Member.User)
	require.NotEmpty(t, told())
	c.Gives(ledgertest.Raw{event.On(ajopot.CycleStream(c.id, 1), &nairav1.AjoContributionReturned{
		AjoId: c.id, Cycle: 1, Seat: 4, UserId: c.Member.User, PaidBy: c.Member.User, AmountKobo: int64(hand), ToUserId: c.Member.User, Reason: "The bank took the payment back.",
	})})
	require.NoError(t, c.App.At(a.Due(1).AddDate(0, 0, 2).Add(9*time.Hour)).Ajo.Remind(ctx))
	require.Contains(t, told(), c.Member.User)
}
