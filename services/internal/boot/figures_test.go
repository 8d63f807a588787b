package boot

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/apptest"
)

func TestVerifyFindsNothingWrongWithSavingsThatCameBackForAClosedAccount(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx, id := context.Background(), uuid.NewString()
	w.Fund(w.Member.User)
	w.Gives(ledgertest.Happens("paid in", &nairav1.ContributionReceived{
		GroupId: w.Group, SubAccountId: w.Open, UserId: w.Member.User, AmountKobo: 1_000_00, MemberTotalKobo: 1_000_00, Channel: nairav1.Channel_CHANNEL_WALLET,
	}), ledgertest.Happens("asked", &nairav1.LiquidationRequestedV2{
		LiquidationId: id, GroupId: w.Group, SubAccountId: w.Open, RequestedBy: w.Member.User, AmountKobo: 1_000_00, Provider: "vfd",
		Kind: nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL,
	}), ledgertest.Happens("sent", &nairav1.LiquidationPaidV2{
		LiquidationId: id, GroupId: w.Group, SubAccountId: w.Open, RequestedBy: w.Member.User, AmountKobo: 1_000_00, Provider: "vfd",
		Kind: nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL,
	}))
	wrong := func() int64 {
		c := &audit.Check{}
		require.NoError(t, checkFigures(ctx, w.Pool, c))
		return c.Violations
	}
	require.Zero(t, wrong(), "before")
	w.Gives(ledgertest.Happens("came back", &nairav1.LiquidationReversedV3{
		LiquidationId: id, GroupId: w.Group, SubAccountId: w.Open, AmountKobo: 1_000_00, Provider: "vfd", Reason: "Account closed",
	}, &nairav1.ReturnedMoneyParkedV2{Account: "pool:" + w.Open, AmountKobo: 1_000_00, Provider: "vfd", ProviderRef: "return of " + id, Reference: id}))
	require.Zero(t, wrong(), "the money is in suspense, where it belongs")
}
