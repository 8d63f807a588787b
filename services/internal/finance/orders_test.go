package finance_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/usecase"
)

const (
	ofGroup = nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT
	ofOwn   = nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL
)

// pays sends an order for ₦1,000 from a group to the bank, which behaves as given. ₦989.25 of it arrive.
func (w withdrawing) pays(kind nairav1.LiquidationKind, m sandbox.Manner) (id string) {
	w.Helper()
	_, err := w.App.Dues.PayFromWallet(w.ctx, w.Member, w.Open, apptest.Naira(2_000), dues.Due{})
	require.NoError(w, err)
	id = uuid.NewString()
	payee, err := w.App.Options.Payees.Payee(w.ctx, "")
	require.NoError(w, err)
	require.NoError(w, w.App.Payouts.SealPayee(w.ctx, w.Member.User, id, payee))
	w.Gives(ledgertest.Raw{
		event.On(liquidation.Stream(id), &nairav1.LiquidationRequestedV2{
			LiquidationId: id, GroupId: w.Group, SubAccountId: w.Open, RequestedBy: w.Member.User, Kind: kind, AmountKobo: 1_000_00, FeeKobo: 10_00, VatKobo: 75, FeeTable: 1, Provider: string(event.Vfd),
			ExpiresAt: timestamppb.New(time.Now().Add(liquidation.Open)),
		}),
		event.On(liquidation.Stream(id), &nairav1.LiquidationDecidersFixed{
			LiquidationId: id, GroupId: w.Group, ValidatorIds: []string{w.Validator.User}, ApproverIds: []string{w.Approver.User}, ApprovalsNeeded: 1, PayableFrom: timestamppb.New(time.Now()),
		}),
		event.On(liquidation.Stream(id), &nairav1.LiquidationValidated{LiquidationId: id, GroupId: w.Group, ValidatedBy: w.Validator.User}),
		event.On(liquidation.Stream(id), &nairav1.LiquidationApproved{LiquidationId: id, GroupId: w.Group, ApprovedBy: w.Approver.User, Approvals: 1, Needed: 1}),
	})
	m.Account = w.account
	require.NoError(w, w.Bank.Behave(w.ctx, m))
	w.send()
	return id
}

// send sends the waiting orders to the bank, and asks about them.
func (w withdrawing) send() {
	w.Helper()
	require.NoError(w, w.App.Payouts.SendPayouts(w.ctx))
	require.NoError(w, w.Engine.CatchUp(w.ctx))
}

func (w withdrawing) groupPayout(id string) liquidation.Status {
	w.Helper()
	state, err := w.App.LiquidationState(w.ctx, id)
	require.NoError(w, err)
	return state.Status
}

// The bank fails a group's order and charges for it; we send it again, and it fails again.
func TestTheChargeOfEachOrderOfAPayoutIsPosted(t *testing.T) {
	t.Parallel()
	for name, between := range map[string]func(w withdrawing){
		"the statement tells of each at once": func(w withdrawing) { w.explained() },
		"the statement tells of both later":   func(withdrawing) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := withdraws(t, event.Vfd)
			again := func(id string) {
				_, _, err := w.App.Liquidations.RetryLiquidation(w.ctx, usecase.Who{User: w.Approver.User, Email: w.Approver.Email}, id, func() error { return nil })
				require.NoError(t, err)
				require.NoError(t, w.Engine.CatchUp(w.ctx))
				w.send()
			}
			id := w.pays(ofGroup, sandbox.Manner{Code: "91", BookedBack: true, Fee: 37_50})
			require.Equal(t, liquidation.PayoutFailed, w.groupPayout(id))
			between(w)
			again(id)
			require.Equal(t, liquidation.PayoutFailed, w.groupPayout(id))
			between(w)
			require.NoError(t, w.Bank.Behave(w.ctx, sandbox.Manner{Account: w.account, Fee: 37_50, FeeTold: sandbox.FeeOnLine}))
			again(id)
			w.asked(id)
			require.Equal(t, liquidation.Paid, w.groupPayout(id))
			for range 2 {
				w.explained()
				w.agrees()
				require.Equal(t, []any{3, money.Kobo(-3 * 37_50)}, []any{w.posted(), w.BalanceOf(posting.FeesGateway)}, "one for each order")
			}
		})
	}
}
