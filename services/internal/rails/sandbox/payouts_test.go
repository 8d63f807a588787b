package sandbox_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
)

// pay sends an order to the sandbox's Ada and returns its reference.
func (b *bundle) pay(t *testing.T, payer rails.Payer, reference string) (string, rails.PayoutStatus) {
	t.Helper()
	reference = payer.Reference(reference)
	send, err := payer.Prepare(t.Context(), rails.Payout{
		Reference: reference, Amount: 5_973_12, Bank: keystone(t), Account: "1111111103", Name: "OBI ADA", Note: "Rent",
	})
	require.NoError(t, err)
	return reference, send(t.Context())
}

func (b *bundle) payout(t *testing.T, payer rails.Payer, reference string) rails.PayoutStatus {
	t.Helper()
	status, err := payer.PayoutStatus(t.Context(), reference)
	require.NoError(t, err)
	return status
}

func TestPayoutsInBothDialects(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, payer := range map[string]rails.Payer{"vfd": b.vfd, "paystack": b.paystack} {
		reference, _ := b.pay(t, payer, uuid.NewString())
		status := b.payout(t, payer, reference)
		require.Equal(t, rails.Paid, status.State, name)
		require.EqualValues(t, 5_973_12, status.Amount, name)
		require.NotEmpty(t, status.ProviderRef, name)
		require.Equal(t, b.now(), status.PaidAt, name)
		require.Equal(t, rails.Unknown, b.payout(t, payer, payer.Reference(uuid.NewString())).State, name)
		// A repeated order is paid once, and the bank records the repeat.
		_, again := b.pay(t, payer, reference[len(reference)-36:])
		require.Equal(t, rails.Pending, again.State, name)
		var rows, orders int
		require.NoError(t, b.pool.QueryRow(t.Context(), `SELECT count(*), sum(orders) FROM sandbox_payouts WHERE rail = $1`, name).Scan(&rows, &orders))
		require.Equal(t, []int{1, 2}, []int{rows, orders}, name)
	}
}

func TestPayoutsGoWrongAsTheyAreToldTo(t *testing.T) {
	t.Parallel()
	after := time.Minute
	for name, c := range map[string]struct {
		manner        sandbox.Manner
		before, later rails.State
		reversed      bool
	}{
		"delayed":   {sandbox.Manner{Delay: 30 * time.Second}, rails.Pending, rails.Paid, false},
		"failed":    {sandbox.Manner{Code: "91"}, rails.Failed, rails.Failed, false},
		"in doubt":  {sandbox.Manner{Code: "96"}, rails.Pending, rails.Pending, false},
		"silent":    {sandbox.Manner{Answer: sandbox.AnswersSilent}, rails.Paid, rails.Paid, false},
		"lost":      {sandbox.Manner{Answer: sandbox.AnswersLost}, rails.Unknown, rails.Unknown, false},
		"xml":       {sandbox.Manner{Answer: sandbox.AnswersXML}, rails.Paid, rails.Paid, false},
		"sent back": {sandbox.Manner{Reverse: &after}, rails.Paid, rails.Paid, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			c.manner.Account = "1111111103"
			require.NoError(t, b.bank.Behave(t.Context(), c.manner))
			for _, payer := range []rails.Payer{b.vfd, b.paystack} {
				reference, _ := b.pay(t, payer, uuid.NewString())
				status := b.payout(t, payer, reference)
				require.Equal(t, c.before, status.State)
				require.False(t, status.Reversed)
				b.pass(2 * time.Minute)
				require.Eventually(t, func() bool {
					status = b.payout(t, payer, reference)
					return status.State == c.later && status.Reversed == c.reversed
				}, time.Minute, 20*time.Millisecond)
			}
		})
	}
}

func TestADeadBankAnswersNobodyUntilItsTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.bank.Behave(t.Context(), sandbox.Manner{DeadUntil: b.now().Add(time.Minute)}))
	_, err := b.vfd.Prepare(t.Context(), rails.Payout{Reference: "r", Amount: 1, Bank: keystone(t), Account: "1111111103"})
	require.Error(t, err)
	_, err = b.paystack.AccountName(t.Context(), keystone(t), "1111111103")
	require.Error(t, err)
	b.pass(2 * time.Minute)
	_, err = b.vfd.Prepare(t.Context(), rails.Payout{Reference: "r", Amount: 1, Bank: keystone(t), Account: "1111111103"})
	require.NoError(t, err)
}

func TestTheGatewayTellsOfPayoutsSignedAndTwiceIfAsked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.bank.Behave(t.Context(), sandbox.Manner{Twice: true}))
	reference, _ := b.pay(t, b.paystack, uuid.NewString())
	for range 2 {
		hook := b.hook(t)
		notice, err := b.paystack.ParsePayout(hook.header, hook.body)
		require.NoError(t, err)
		require.Equal(t, rails.PayoutNotice{Reference: reference, Amount: 5_973_12, Currency: rails.Naira}, notice)
		_, err = b.paystack.ParseWebhook(hook.header, hook.body)
		require.ErrorIs(t, err, rails.ErrNoPayment, "and it is no payment")
		var told struct{ Event string }
		require.NoError(t, json.Unmarshal(hook.body, &told))
		require.Equal(t, "transfer.success", told.Event)
	}
}
