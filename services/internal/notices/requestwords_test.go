package notices_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/apptest"
)

func TestAnApprovedPaymentThatWaitsForItsNoticeIsNotAboutToBePaid(t *testing.T) {
	t.Parallel()
	w, id, from, found := apptest.Setup(t, true, false), uuid.NewString(), time.Now().AddDate(0, 0, 7), false
	w.Gives(ledgertest.Happens("asks", &nairav1.LiquidationRequestedV2{
		LiquidationId: id, GroupId: w.Group, SubAccountId: w.Closed(), RequestedBy: w.Member.User, AmountKobo: 500_00, Provider: "vfd",
		Kind: nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT, ExpiresAt: timestamppb.New(time.Now().AddDate(0, 0, 14)),
	}, &nairav1.LiquidationDecidersFixed{LiquidationId: id, GroupId: w.Group, Shown: true, PayableFrom: timestamppb.New(from)},
		&nairav1.LiquidationApproved{LiquidationId: id, GroupId: w.Group, ApprovedBy: w.Owner.User, Approvals: 2, Needed: 2}))
	for _, one := range heard(w, w.Member.User) {
		if string(one.Type) == "liquidation_approved" {
			found = true
			require.Contains(t, one.Data.Body, "is approved. It is paid at the earliest on "+lagos.Clock(from))
		}
	}
	require.True(t, found)
}

// A request for savings that the sub-account cannot fill holds nothing until it is approved.
func TestWhatWasNeverSetAsideIsNotSaidToBeNoLonger(t *testing.T) {
	t.Parallel()
	w, id := apptest.Setup(t, true, false), uuid.NewString()
	w.Gives(ledgertest.Happens("asks", &nairav1.LiquidationAskedV2{
		LiquidationId: id, GroupId: w.Group, SubAccountId: w.Open, RequestedBy: w.Member.User, AmountKobo: 500_00, Provider: "vfd", ExpiresAt: timestamppb.New(time.Now()),
	}, &nairav1.LiquidationExpired{LiquidationId: id, GroupId: w.Group, SubAccountId: w.Open}))
	found := false
	for _, one := range heard(w, w.Member.User) {
		if string(one.Type) == "liquidation_rejected" {
			found = true
			require.NotContains(t, one.Data.Body, "no longer set aside")
		}
	}
	require.True(t, found)
}

func TestAMemberWhoseWalletGaveNothingIsNotToldThatItDid(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Gives(ledgertest.Happens("back", &nairav1.PaymentReversedV3{
		PaymentId: uuid.NewString(), UserId: w.Outsider.User, AmountKobo: 5_000_00, ShortfallKobo: 5_000_00, Provider: "vfd", Channel: apptest.Card, Reason: "Chargeback.",
	}))
	require.Zero(t, int64(w.BalanceOf("losses:reversals"))+5_000_00)
	for _, one := range heard(w, w.Outsider.User) {
		require.NotContains(t, one.Data.Body, "so did your wallet")
	}
}

// A notification may be read days after it was made.
func TestADueOfLastWeekIsNotDueToday(t *testing.T) {
	t.Parallel()
	p := posted(t)
	today := time.Now()
	p.Gives(ledgertest.Happens("reminds", &nairav1.DuesReminded{
		GroupId: p.Group, SubAccountId: p.Open, UserIds: []string{p.Member.User}, DueDate: today.In(time.FixedZone("Lagos", 3600)).Format(time.DateOnly),
	}))
	p.now = today.AddDate(0, 0, 6)
	page, err := p.App.Notices.Notifications(context.Background(), p.Member.User, nil, 50)
	require.NoError(t, err)
	for _, one := range page.Notifications {
		if strings.HasPrefix(string(one.Type), "contribution_due") {
			require.NotContains(t, one.Data.Body, "due today", "it was due six days ago")
		}
	}
}
