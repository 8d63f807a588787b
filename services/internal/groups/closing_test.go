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
	"adashi.ng/ledger/domain/account"
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
	for range 2 { // The first call begins the closing, and the second closes the group.
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

// closedWith is a group that paid all its money to a supplier and closed; so much of it came back since.
func closedWith(w *apptest.Town, back money.Kobo) {
	sub, all := w.Closed(), int64(w.BalanceOf("pool:"+w.Closed()))
	w.Gives(ledgertest.Happens("asked", &nairav1.LiquidationRequestedV2{LiquidationId: sub, GroupId: w.Group, SubAccountId: sub, RequestedBy: w.Owner.User, AmountKobo: all, Provider: "vfd"}),
		ledgertest.Happens("paid", &nairav1.LiquidationPaidV2{LiquidationId: sub, GroupId: w.Group, SubAccountId: sub, RequestedBy: w.Owner.User, AmountKobo: all, Provider: "vfd"}))
	require.NoError(w, w.Engine.CatchUp(w.Context()))
	_, err := w.App.Groups.CloseGroup(w.Context(), w.Owner, w.Group, "We saved what we wanted.")
	require.NoError(w, err)
	w.Gives(ledgertest.Happens("back", &nairav1.LiquidationReversedV3{LiquidationId: w.Closed(), GroupId: w.Group, SubAccountId: w.Closed(), AmountKobo: int64(back), Provider: "vfd"}))
	require.NoError(w, w.Engine.CatchUp(w.Context()))
}

func TestAJobSharesOutWhatComesBackToAClosedGroup(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.Setup(t, true, false), t.Context()
	w.Fund(w.Member.User)
	closedWith(w, 50_00)
	require.NoError(t, w.App.Groups.ShareReturned(ctx))
	require.Zero(t, w.BalanceOf("pool:"+w.Closed()))
	require.NoError(t, w.Engine.CatchUp(ctx))
	require.NoError(t, w.App.Groups.ShareReturned(ctx))

	w.Gives(ledgertest.Happens("more", &nairav1.LiquidationReversedV3{LiquidationId: w.Closed(), GroupId: w.Group, SubAccountId: w.Closed(), AmountKobo: 5_000_00, Provider: "vfd"}))
	require.NoError(t, w.Engine.CatchUp(ctx))
	require.NoError(t, w.App.Groups.ShareReturned(ctx))
	require.Equal(t, 5_000*money.Naira, w.BalanceOf("pool:"+w.Closed()), "its officials decide about it")
	state, err := w.App.Groups.GroupState(ctx, w.Group)
	require.NoError(t, err)
	for _, user := range state.Approvers {
		w.Gives(ledgertest.Raw{event.On(account.Stream(user), &nairav1.AccountClosed{UserId: user})})
	}
	require.NoError(t, w.App.Groups.ShareReturned(ctx))
	require.Zero(t, w.BalanceOf("pool:"+w.Closed()), "nobody else can")
}
