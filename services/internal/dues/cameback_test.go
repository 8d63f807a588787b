package dues_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/usecase"
)

// A payout leaves the group's money, comes back, and leaves it again when its member has closed their account.
func TestABookHoldsWhatTheGroupHoldsAfterAPayoutThatTheBankSentBack(t *testing.T) {
	t.Parallel()
	w, ctx, id := apptest.Setup(t, true, false), context.Background(), uuid.NewString()
	w.Fund(w.Member.User)
	w.Gives(ledgertest.Happens("paid in", &nairav1.ContributionReceived{
		GroupId: w.Group, SubAccountId: w.Open, UserId: w.Member.User, AmountKobo: 3_000_00, MemberTotalKobo: 3_000_00, Channel: nairav1.Channel_CHANNEL_WALLET,
	}), ledgertest.Happens("asked", &nairav1.LiquidationRequestedV2{
		LiquidationId: id, GroupId: w.Group, SubAccountId: w.Open, RequestedBy: w.Member.User, AmountKobo: 1_000_00, Provider: "vfd",
		Kind: nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL,
	}))
	for _, step := range []struct {
		event event.Command
		kind  string
		out   string // The chart's sum of outgoing money.
	}{
		{ledgertest.Happens("paid", &nairav1.LiquidationPaidV2{
			LiquidationId: id, GroupId: w.Group, SubAccountId: w.Open, RequestedBy: w.Member.User, AmountKobo: 1_000_00, Provider: "vfd",
			Kind: nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL,
		}), "Payout", "1000"},
		{ledgertest.Happens("came back", &nairav1.LiquidationReversedV3{
			LiquidationId: id, GroupId: w.Group, SubAccountId: w.Open, RequestedBy: w.Member.User, AmountKobo: 1_000_00, Provider: "vfd", Reason: "No such account",
		}), "Payout that came back", "0"},
		{ledgertest.Happens("parked", &nairav1.ReturnedMoneyParkedV2{
			ProviderRef: "r", Account: "pool:" + w.Open, Reference: id, AmountKobo: 1_000_00, Provider: "vfd", Reason: "They have left",
		}), "Kept by Adashi for a member whose account is closed", "1000"},
	} {
		w.Gives(step.event)
		var file bytes.Buffer
		require.NoError(t, w.App.Dues.ExportBook(ctx, w.Owner.User, w.Group, &w.Open, nil, nil, func() io.Writer { return &file }))
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.String(), usecase.ByteOrderMark))).ReadAll()
		require.NoError(t, err)
		last := rows[len(rows)-1]
		held := w.BalanceOf("pool:"+w.Open) + w.BalanceOf("held:pool:"+w.Open)
		require.Equal(t, []string{step.kind, usecase.Decimals(held)}, []string{last[1], last[9]})
		charts, err := w.App.Dues.Charts(ctx, w.Owner.User, w.Group, 1)
		require.NoError(t, err)
		require.Equal(t, step.out, charts.Months[0].PaidOut.String())
	}
	require.Equal(t, 2_000*money.Naira, w.BalanceOf("pool:"+w.Open))
	pdf, err := w.App.Dues.Book(ctx, w.Owner.User, w.Group, &w.Open, nil, nil)
	require.NoError(t, err)
	require.Contains(t, string(pdf[:8]), "%PDF")
}
