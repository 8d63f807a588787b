package sandbox_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
)

func TestTheBankKeepsItsTimesToTheSecondByItsClock(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.pass(400 * 24 * time.Hour) // The bank's clock differs from the machine's.
	after := time.Hour
	require.NoError(t, b.bank.Behave(t.Context(), sandbox.Manner{Account: "1111111103", Delay: 30 * time.Minute, Reverse: &after}))
	reference, _ := b.pay(t, b.paystack, uuid.NewString())
	ordered := b.now()

	b.pass(30*time.Minute - time.Second)
	require.Equal(t, rails.Pending, b.payout(t, b.paystack, reference).State)
	b.pass(time.Second)
	paid := b.payout(t, b.paystack, reference)
	require.Equal(t, rails.Paid, paid.State)
	require.Equal(t, ordered.Add(30*time.Minute), paid.PaidAt)

	require.NoError(t, b.bank.Behave(t.Context(), sandbox.Manner{Account: "1111111103"}))
	another, _ := b.pay(t, b.paystack, uuid.NewString())
	b.pass(time.Hour - time.Second)
	// Sending one payout back at the counter also sends back all others that are due.
	var id int64
	require.NoError(t, b.pool.QueryRow(t.Context(), `SELECT id FROM sandbox_payouts WHERE reference = $1`, another).Scan(&id))
	code, _, _ := b.page(t, "POST", fmt.Sprintf("%s/sandbox/payouts/%d/reverse", b.base, id), nil)
	require.Equal(t, 303, code)
	require.True(t, b.payout(t, b.paystack, another).Reversed)
	require.False(t, b.payout(t, b.paystack, reference).Reversed)
	b.pass(time.Second)
	require.Eventually(t, func() bool { return b.payout(t, b.paystack, reference).Reversed }, time.Minute, 20*time.Millisecond)
}

func TestAnAccountTakesMoneyUntilItsTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	early, late := b.start(t, b.vfd, "ref-1", naira).AccountNumber, b.start(t, b.vfd, "ref-2", naira).AccountNumber
	b.pass(time.Hour - time.Second)
	require.NoError(t, b.bank.Transfer(t.Context(), sandbox.Transfer{Account: early, Amount: naira, Sender: "Bola"}))
	require.Equal(t, b.now(), b.status(t, b.vfd, "ref-1").PaidAt)
	b.pass(2 * time.Second)
	requireFault(t, b.bank.Transfer(t.Context(), sandbox.Transfer{Account: late, Amount: naira, Sender: "Bola"}), fault.Conflict, "expired")
}

func TestADisputeIsAnsweredUntilItsTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, early := b.disputed(t, "reference-of-early", false)
	_, late := b.disputed(t, "reference-of-late", false)
	b.pass(48*time.Hour - time.Second)
	b.sends(t, early)
	require.Equal(t, rails.AnswerTaken, b.stands(t, early).State)
	send, err := b.paystack.PrepareAnswer(t.Context(), late)
	require.NoError(t, err)
	b.pass(time.Second)
	refused := send(t.Context())
	require.Equal(t, []any{rails.AnswerRefused, "Dispute is past its due date"}, []any{refused.State, refused.Reason})
}
