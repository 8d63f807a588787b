package groups_test

import (
	"bytes"
	"encoding/csv"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/usecase"
)

func TestAClosingGroupThatHoldsLessThanCanBePaidOutIsClosedAndItsMembersGetTheRest(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.Setup(t, true, false), t.Context()
	w.Fund(w.Member.User)
	sub, all := w.Closed(), int64(w.BalanceOf("pool:"+w.Closed())) // All of it goes to a supplier.
	w.Gives(ledgertest.Happens("asked", &nairav1.LiquidationRequestedV2{LiquidationId: sub, GroupId: w.Group, SubAccountId: sub, RequestedBy: w.Owner.User, AmountKobo: all, Provider: "vfd"}),
		ledgertest.Happens("paid", &nairav1.LiquidationPaidV2{LiquidationId: sub, GroupId: w.Group, SubAccountId: sub, RequestedBy: w.Owner.User, AmountKobo: all, Provider: "vfd"}))
	w.Gives(ledgertest.Raw{event.On(dues.Stream(w.Open, w.Member.User), &nairav1.ContributionReceived{
		GroupId: w.Group, SubAccountId: w.Open, UserId: w.Member.User, AmountKobo: 50_00, MemberTotalKobo: 50_00, Channel: nairav1.Channel_CHANNEL_WALLET,
	})})
	left := w.BalanceOf("pool:" + w.Open)
	require.Equal(t, 50*money.Naira, left)
	before := w.BalanceOf("wallet:" + w.Member.User)
	for range 2 { // It begins to close, and is closed.
		require.NoError(t, w.Engine.CatchUp(ctx))
		_, err := w.App.Groups.CloseGroup(ctx, w.Owner, w.Group, "We saved what we wanted.")
		require.NoError(t, err)
	}
	require.NoError(t, w.Engine.CatchUp(ctx))
	state, err := w.App.Groups.GroupState(ctx, w.Group)
	require.NoError(t, err)
	require.Equal(t, savings.Closed, state.Status)
	require.Zero(t, w.BalanceOf("pool:"+w.Open))
	require.Equal(t, before+left, w.BalanceOf("wallet:"+w.Member.User))

	var file bytes.Buffer
	require.NoError(t, w.App.Dues.ExportBook(ctx, w.Owner.User, w.Group, &w.Open, nil, nil, func() io.Writer { return &file }))
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.String(), usecase.ByteOrderMark))).ReadAll()
	require.NoError(t, err)
	last := rows[len(rows)-1]
	require.Equal(t, []string{"Paid into a wallet when the group closed", "0.00"}, []string{last[1], last[9]})
}
