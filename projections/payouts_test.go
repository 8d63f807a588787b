package projections_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"adashi.ng/projections/balances"
	"adashi.ng/projections/payouts"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/event"
)

// withdraw makes a user withdraw, with one of the possible outcomes, or none yet.
func (h *house) withdraw(n int) {
	provider := []event.Provider{event.Vfd, event.Paystack, "another"}[h.luck.IntN(3)]
	id, user, at := fmt.Sprintf("w%03d", n), users[n%len(users)], time.Now()
	amount := money.Kobo(100_00 + h.luck.IntN(200_00))
	h.do(payout.Request{
		WithdrawalID: id, User: user, Amount: amount, Net: amount - payout.ChargesOn(amount).Total(), Provider: provider, Tiers: account.DefaultTiers, At: at,
	})
	end := h.luck.IntN(5)
	if end > 0 {
		h.do(payout.Send(id, user, "ref "+id, time.Now()))
	}
	switch end {
	case 2:
		h.do(payout.Fail(id, user, "ref "+id, "Declined"))
	case 3, 4:
		h.do(payout.Pay(id, user, provider, payout.Receipt{Fee: 10_00, ProviderRef: "session " + id, PaidAt: at}))
	}
	if end == 4 {
		h.do(payout.Reverse(id, user, provider, "back "+id, "No such account"))
	}
}

func TestPayoutsAndWhatIsHeldAreAsTheLedgerHasThem(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	for _, user := range users {
		h.rich(user)
	}
	h.live(60)
	h.run()
	for n := range 120 {
		h.withdraw(n)
		if n%4 == 0 {
			h.rich(h.pick(users))
		}
	}
	h.caughtUp()
	ctx, found := context.Background(), map[string]int{}
	for n := range 905 { // begin makes five of them.
		id := fmt.Sprintf("w%03d", n)
		state, err := h.store.Load(ctx, payout.Stream(id))
		require.NoError(t, err)
		w := state.(payout.Withdrawal)
		row, err := payouts.One(ctx, h.pool, id)
		if w.Status == payout.None {
			require.ErrorIs(t, err, payouts.ErrNone)
			continue
		}
		require.NoError(t, err)
		found[row.Status]++
		require.Equal(t, []any{string(w.Status), w.User, w.Amount, w.Net(), w.ProviderRef, w.Reason}, []any{row.Status, row.User, row.Amount, row.Net(), row.ProviderRef, row.Reason})
		require.Equal(t, []bool{!w.SentAt.IsZero(), !w.PaidAt.IsZero(), !w.EndedAt.IsZero()}, []bool{row.SentAt != nil, row.PaidAt != nil, row.EndedAt != nil})
	}
	require.Len(t, found, 5, "every status is shown")
	open, err := payouts.Open(ctx, h.pool, 0, 1000)
	require.NoError(t, err)
	require.Len(t, open, found["REQUESTED"]+found["SENT"])
	var net, held money.Kobo
	for i, p := range open {
		net += p.Net()
		require.True(t, i == 0 || open[i-1].Pos < p.Pos)
	}
	count, inTransit, err := payouts.InTransit(ctx, h.pool)
	require.NoError(t, err)
	require.Equal(t, []any{len(open), net}, []any{count, inTransit})
	_, err = h.pool.Exec(ctx, "SELECT ledger_settle()")
	require.NoError(t, err)
	for _, user := range users {
		b, err := balances.Of(ctx, h.pool, user)
		require.NoError(t, err)
		var kept money.Kobo
		if err := h.pool.QueryRow(ctx, "SELECT balance FROM ledger_accounts WHERE account = $1", "held:wallet:"+user).Scan(&kept); !errors.Is(err, pgx.ErrNoRows) {
			require.NoError(t, err)
		}
		require.Equal(t, kept, b.Held, user)
		held += b.Held
	}
	require.Greater(t, held, net)
	h.equalFresh()
}
