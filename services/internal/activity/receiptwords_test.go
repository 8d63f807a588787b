package activity_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/activity"
	"adashi.ng/services/internal/apptest"
)

// lastOf returns a user's newest movement of a kind.
func lastOf(w *apptest.Town, user, kind string) contract.Movement {
	w.Helper()
	page, err := w.App.Activity.Movements(context.Background(), user, activity.Wanted{Kinds: &[]contract.MovementKind{contract.MovementKind(kind)}}, nil, 1)
	require.NoError(w, err)
	require.Len(w, page.Transactions, 1, kind)
	return page.Transactions[0]
}

// handedOn issues the receipt of a user's movement. It returns its text, and a function that asks for the contents of
// its code.
func handedOn(t *testing.T, w *apptest.Town, user, movement string) (text string, says func() contract.ReceiptFacts) {
	t.Helper()
	issued, err := w.App.Activity.ReceiptFile(context.Background(), user, movement, false)
	require.NoError(t, err)
	return strings.ReplaceAll(read(t, issued.File), "\n", " "), func() contract.ReceiptFacts {
		t.Helper()
		facts, err := w.App.Activity.StatementFacts(context.Background(), issued.Code)
		require.NoError(t, err)
		return *facts.Receipt
	}
}

// savingsGo pays ₦1,000.00 of the member's savings to their bank.
func savingsGo(w *apptest.Town) (liquidation string) {
	w.Helper()
	id := uuid.NewString()
	w.Fund(w.Member.User)
	w.Gives(ledgertest.Happens("paid in", &nairav1.ContributionReceived{
		GroupId: w.Group, SubAccountId: w.Open, UserId: w.Member.User, AmountKobo: 1_000_00, MemberTotalKobo: 1_000_00, Channel: nairav1.Channel_CHANNEL_WALLET,
	}), ledgertest.Happens("asked", &nairav1.LiquidationRequestedV2{
		LiquidationId: id, GroupId: w.Group, SubAccountId: w.Open, RequestedBy: w.Member.User, AmountKobo: 1_000_00, Provider: "vfd",
		Kind: nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL,
	}, &nairav1.LiquidationPaidV2{
		LiquidationId: id, GroupId: w.Group, SubAccountId: w.Open, RequestedBy: w.Member.User, AmountKobo: 1_000_00, Provider: "vfd",
		Kind: nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL,
	}))
	return id
}

// A member shows a receipt as proof of a payment. Once the payment is undone, the code and a new receipt say so.
func TestAReceiptSaysThatItsPaymentWasTakenBack(t *testing.T) {
	t.Parallel()
	w, payment, today := apptest.Setup(t, true, false), uuid.NewString(), lagos.Date(time.Now())
	w.Gives(
		wallet.StartPayment{PaymentID: payment, User: w.Outsider.User, Channel: apptest.Transfer, Provider: event.Vfd, Amount: 5_000 * money.Naira, ExpiresAt: time.Now().Add(time.Hour)},
		wallet.ConfirmPayment{PaymentID: payment, User: w.Outsider.User, Provider: event.Vfd, Gross: 5_000 * money.Naira, ProviderRef: payment, PaidAt: time.Now()},
	)
	contributed, saved := w.Contributed(), savingsGo(w)
	var original event.Record
	for _, r := range w.Lines(w.Member.User) {
		if r.ID().String() == contributed.Id {
			original = r
		}
	}
	for _, m := range []struct {
		who, movement, state string
		back                 event.Command
	}{
		{
			w.Member.User, contributed.Id, "The group gave this money back on " + today + ".",
			dues.ReverseContribution{Original: original, By: w.Owner.User, ApprovedBy: w.Approver.User, Reason: "Paid twice", At: time.Now()},
		},
		{
			w.Outsider.User, lastOf(w, w.Outsider.User, "WALLET_FUNDED").Id, "The bank took this money back on " + today + ".",
			ledgertest.Happens("back", &nairav1.PaymentReversedV3{PaymentId: payment, UserId: w.Outsider.User, AmountKobo: 5_000_00, Provider: "vfd", Channel: apptest.Transfer, Reason: "Recalled"}),
		},
		{
			w.Member.User, lastOf(w, w.Member.User, "SAVINGS_PAID_OUT").Id, "The bank sent this money back to the group.",
			ledgertest.Happens("came back", &nairav1.LiquidationReversedV3{
				LiquidationId: saved, GroupId: w.Group, SubAccountId: w.Open, AmountKobo: 1_000_00, Provider: "vfd", Reason: "No such account", RequestedBy: w.Member.User,
			}),
		},
	} {
		text, says := handedOn(t, w, m.who, m.movement)
		require.NotContains(t, text, m.state)
		require.Nil(t, says().State)
		w.Gives(m.back)
		require.Equal(t, m.state, *says().State)
		text, _ = handedOn(t, w, m.who, m.movement)
		require.Contains(t, text, m.state)
	}
}

func TestAReceiptSaysPaidByOnlyOfAMemberWhoPaid(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	savingsGo(w)
	text, _ := handedOn(t, w, w.Member.User, lastOf(w, w.Member.User, "SAVINGS_PAID_OUT").Id)
	require.Contains(t, text, "Paid to Member Person", "the group paid them")
	text, _ = handedOn(t, w, w.Member.User, lastOf(w, w.Member.User, "CONTRIBUTION").Id)
	require.Contains(t, text, "Paid by Member Person")
	text, _ = handedOn(t, w, w.Member.User, lastOf(w, w.Member.User, "WALLET_FUNDED").Id)
	require.Contains(t, text, "Received by Member Person")
}

func TestMoneyThatIsOnlySetAsideHasNoReceipt(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Fund(w.Member.User)
	w.Gives(ledgertest.Happens("held", &nairav1.HoldPlaced{HoldId: "h", Account: "wallet:" + w.Member.User, AmountKobo: 100_00, ExpiresAt: timestamppb.New(time.Now().Add(time.Hour))}))
	_, err := w.App.Activity.ReceiptFile(context.Background(), w.Member.User, lastOf(w, w.Member.User, "MONEY_HELD").Id, false)
	require.True(t, fault.Is(err, fault.Conflict), "%v", err)
}

func TestAReceiptOfAWithdrawalSaysWhatTheBankSaid(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Withdraws()
	states, ways := map[string]string{}, map[string]string{}
	for _, m := range w.Movements(activity.Wanted{}) {
		if m.Kind != "WITHDRAWAL" {
			continue
		}
		text, says := handedOn(t, w, w.Member.User, m.Id)
		states[m.Reference], ways[m.Reference] = "", text
		if state := says().State; state != nil {
			states[m.Reference] = *state
			require.Contains(t, text, *state)
		}
	}
	require.Empty(t, states["w-paid"])
	require.Contains(t, ways["w-paid"], "Paid to Member Person")
	require.Contains(t, states["w-failed"], "The bank did not pay it.")
	require.NotContains(t, ways["w-failed"], "Paid")
}
