package payouts_test

import (
	"context"
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
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/rails/sandbox"
)

func TestAWithdrawalDoesNotGoToAnotherNameThanItWasAskedForUnder(t *testing.T) {
	t.Parallel()
	bothRails(t, func(t *testing.T, d doubted) {
		before := d.wallet()
		d.BankSays("UPDATE sandbox_people SET last_name = 'Ville' WHERE account_number = $1", d.account)
		id := d.withdraws()
		state, err := d.App.WithdrawalState(d.ctx, id)
		require.NoError(t, err)
		require.Equal(t, "FAILED", string(state.Status))
		require.Contains(t, state.Reason, "another name")
		require.Equal(t, []any{0, before}, []any{d.orders(), d.wallet()})
		d.BankSays("UPDATE sandbox_people SET last_name = 'person', first_name = 'MEMBER' WHERE account_number = $1", d.account)
		require.Equal(t, "PAID", d.asked(d.withdraws(), time.Minute), "it is written another way only")
	})
}

// When the bank's clock is years off, no payout is dated before it was sent, or in the future. A payout without a time
// gets the time at which we learn of it.
func TestAPayoutIsNeverDatedBeforeItWasSentOrAfterNow(t *testing.T) {
	t.Parallel()
	bothRails(t, func(t *testing.T, d doubted) {
		for name, m := range map[string]sandbox.Manner{
			"years ahead": {Skew: 3 * 365 * 24 * time.Hour}, "years ago": {Skew: -7 * 365 * 24 * time.Hour}, "without a time": {Timeless: true},
		} {
			d.behaves(m)
			began := time.Now()
			id := d.withdraws()
			require.Equal(t, "PAID", d.asked(id, time.Minute), name)
			state, err := d.App.WithdrawalState(d.ctx, id)
			require.NoError(t, err)
			require.WithinRange(t, state.PaidAt, began.Add(-time.Second), time.Now().Add(2*time.Minute), name)
			require.False(t, state.PaidAt.Before(state.SentAt), name)
		}
	})
}

func TestAReturnWithoutItsTimeIsAReturn(t *testing.T) {
	t.Parallel()
	bothRails(t, func(t *testing.T, d doubted) {
		before := d.wallet()
		d.behaves(sandbox.Manner{Timeless: true, ReturnTimeless: true})
		id := d.withdraws()
		require.Equal(t, "PAID", d.asked(id, time.Minute))
		d.BankSays("UPDATE sandbox_payouts SET reversed_at = now()")
		require.Equal(t, "REVERSED", d.asked(id, time.Hour))
		require.Equal(t, before, d.wallet())
	})
}

// Both the bank's and the gateway's answer name the fee that they took on top of a payout.
func TestWhatTheBankTookForAPayoutIsInItsReceipt(t *testing.T) {
	t.Parallel()
	bothRails(t, func(t *testing.T, d doubted) {
		d.behaves(sandbox.Manner{Fee: 37_50})
		before := d.Beyond(t)
		require.Equal(t, "PAID", d.asked(d.withdraws(), time.Minute))
		require.Equal(t, before, d.Beyond(t), "what the banks hold beyond the ledger")
	})
}

// approved has a payment of ₦5,000 out of a group approved, which is paid from a time.
func approved(t *testing.T, w *apptest.Town, payable time.Time, by event.Provider) {
	t.Helper()
	id, now := uuid.NewString(), time.Now()
	w.Gives(ledgertest.Raw{
		event.On(liquidation.Stream(id), &nairav1.LiquidationAskedV2{
			LiquidationId: id, GroupId: w.Group, SubAccountId: w.Open, RequestedBy: w.Owner.User, AmountKobo: int64(5_000 * money.Naira), Provider: string(by), ExpiresAt: timestamppb.New(now.Add(liquidation.Open)),
		}),
		event.On(liquidation.Stream(id), &nairav1.LiquidationDecidersFixed{
			LiquidationId: id, GroupId: w.Group, ValidatorIds: []string{w.Validator.User}, ApproverIds: []string{w.Approver.User}, ApprovalsNeeded: 1, PayableFrom: timestamppb.New(payable),
		}),
		event.On(liquidation.Stream(id), &nairav1.LiquidationValidated{LiquidationId: id, GroupId: w.Group, ValidatedBy: w.Validator.User}),
		event.On(liquidation.Stream(id), &nairav1.LiquidationApproved{LiquidationId: id, GroupId: w.Group, ApprovedBy: w.Approver.User, Approvals: 1, Needed: 1}),
	})
	require.NoError(t, w.Engine.CatchUp(context.Background()))
}

// A payment of a group that is approved waits for its notice, up to seven days.
func TestAPaymentInItsNoticeIsNotOlderThanItShouldBe(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.Setup(t, true, false), context.Background()
	payable := time.Now().Add(7 * 24 * time.Hour)
	approved(t, w, payable, event.Vfd)
	doubtful := func(at time.Time) bool {
		page, err := w.App.At(at).Payouts.OpenPayouts(ctx, nil, 10)
		require.NoError(t, err)
		require.Len(t, page.Payouts, 1)
		return page.Payouts[0].Doubtful
	}
	require.False(t, doubtful(payable))
	require.True(t, doubtful(payable.Add(time.Hour)))
}
