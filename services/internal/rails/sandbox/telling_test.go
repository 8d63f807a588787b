package sandbox_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
)

func TestATransferIsToldOfAsBadlyAsItIsToBe(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	account := b.start(t, b.vfd, "ref-1", 5_000*naira).AccountNumber
	require.NoError(t, b.bank.Transfer(ctx, sandbox.Transfer{Account: account, Amount: 5_000 * naira, Sender: "Bola", Telling: sandbox.Telling{
		Silent: true, HookBare: true, LineBare: true, LineSessionless: true, LineNumber: "line-1", LineTwice: true, LineLate: time.Hour, AskedLate: time.Minute,
	}}))
	balance, err := b.vfd.Balance(ctx)
	require.NoError(t, err)
	require.Equal(t, 5_000*naira, balance, "it is there, whatever is told of it")
	lines := func() []rails.Line {
		all, err := b.vfd.Statement(ctx, b.now().Add(-2*time.Hour))
		require.NoError(t, err)
		return all
	}
	require.Empty(t, lines())
	require.Equal(t, rails.Unknown, b.status(t, b.vfd, "ref-1").State)
	b.pass(time.Hour)
	require.Equal(t, rails.Paid, b.status(t, b.vfd, "ref-1").State)
	told := lines()
	require.Len(t, told, 2)
	require.Equal(t, told[0], told[1])
	require.Equal(t, []any{"line-1", "", true}, []any{told[0].ProviderRef, told[0].Reference, told[0].Nameless})
	require.NoError(t, b.bank.Announce(ctx, "ref-1"))
	hook := b.hook(t)
	notice, err := b.vfd.ParseWebhook(hook.header, hook.body)
	require.NoError(t, err)
	require.Empty(t, notice.Reference)
	arrived, err := b.vfd.Arrived(ctx, notice)
	require.NoError(t, err)
	require.Equal(t, "ref-1", arrived.Reference, "the bank says what it came for")
}

func TestACardPaymentIsToldOfAsBadlyAsItIsToBe(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	b.start(t, b.paystack, "ref-1", 5_000*naira)
	require.NoError(t, b.bank.PayCardAnd(ctx, "ref-1", b.now(), sandbox.Telling{Silent: true, HookBare: true, LineBare: true, LineTwice: true, AskedLate: time.Minute}))
	require.Equal(t, rails.Unknown, b.status(t, b.paystack, "ref-1").State)
	told, err := b.paystack.Statement(ctx, b.now().Add(-time.Hour))
	require.NoError(t, err)
	require.Len(t, told, 2)
	require.Equal(t, told[0], told[1])
	require.Empty(t, told[0].Reference)
	b.pass(time.Hour)
	require.NoError(t, b.bank.Announce(ctx, "ref-1"))
	hook := b.hook(t)
	notice, err := b.paystack.ParseWebhook(hook.header, hook.body)
	require.NoError(t, err)
	require.Equal(t, []string{"", told[0].ProviderRef}, []string{notice.Reference, notice.ProviderRef})
	arrived, err := b.paystack.Arrived(ctx, notice)
	require.NoError(t, err)
	require.Equal(t, "ref-1", arrived.Reference)
}
