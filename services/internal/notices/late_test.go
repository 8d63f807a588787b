package notices_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
)

// from records commands as of a moment, as services/internal/payments (At(PaidAt), At(r.At)) and corrections
// (At(CountsFrom)) do.
func (p *post) from(at time.Time, commands ...event.Command) {
	p.Helper()
	for _, c := range commands {
		_, err := p.App.Ledger.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "system", EffectiveAt: at, Command: c})
		require.NoError(p, err)
	}
	require.NoError(p, p.Engine.CatchUp(context.Background()))
}

// A bank tells of a transfer of Friday on Monday, and a correction counts from an earlier day.
func TestNewsOfTodayAreMailedAlsoWhereTheyCountFromEarlier(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]struct {
		happens func(p *post, then time.Time)
		letters int
	}{
		"money that the bank tells of two days late": {letters: 1, happens: func(p *post, then time.Time) {
			id := uuid.NewString()
			p.from(then, wallet.StartPayment{PaymentID: id, User: p.Outsider.User, Channel: apptest.Transfer, Provider: event.Vfd, Amount: 5_000 * money.Naira, ExpiresAt: then.Add(time.Hour)},
				wallet.ConfirmPayment{PaymentID: id, User: p.Outsider.User, Provider: event.Vfd, Gross: 5_000 * money.Naira, ProviderRef: id, PaidAt: then})
		}},
		"an adjustment that takes ₦5,000 back, counted from last week": {letters: 1, happens: func(p *post, then time.Time) {
			p.Fund(p.Outsider.User)
			require.NoError(p, p.Engine.CatchUp(context.Background()))
			require.NoError(p, p.App.Notices.MailNotifications(context.Background())) // The receipt of the money that is taken.
			before := len(p.to(p.Outsider))
			require.Equal(p, 1, before)
			p.from(then, ledgertest.Happens("adjusted", &nairav1.AdjustmentPosted{UserId: p.Outsider.User, DisputeId: uuid.NewString(), AmountKobo: 5_000_00, TakesBack: true}))
		}},
		"records that a restore lost": {letters: 1, happens: func(p *post, then time.Time) {
			p.from(then, ledgertest.Happens("lost", &nairav1.RecordsLost{UserId: p.Outsider.User, Records: 2}))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, ctx := posted(t), context.Background()
			require.NoError(t, p.Engine.CatchUp(ctx))
			require.NoError(t, p.App.Notices.BeginLetters(ctx))
			m.happens(p, time.Now().Add(-50*time.Hour))
			had := len(p.to(p.Outsider))
			require.NoError(t, p.App.Notices.MailNotifications(ctx))
			require.Len(t, p.to(p.Outsider), had+m.letters, "nobody is written to of what the house learned a minute ago")
		})
	}
}

func TestOfficialsAreWrittenToOfAPaymentThatIsToldOfLate(t *testing.T) {
	t.Parallel()
	p := posted(t)
	p.pays(p.Member, 100)
	require.NoError(t, p.later(0))
	require.Len(t, p.to(p.Validator), 1)
	late := p.App.At(time.Now().Add(-50 * time.Hour))
	_, err := late.Dues.PayFromWallet(context.Background(), p.Member, p.Open, apptest.Naira(500), dues.Due{})
	require.NoError(t, err)
	require.NoError(t, p.later(11*time.Minute))
	require.Len(t, p.to(p.Validator), 2, "₦500.00 came in, and neither the owner nor the validator is written to")
}
