package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/banks"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/secret"
	"adashi.ng/services/internal/vault"
)

// keeps opens a vault beside the ledger.
func (w *town) keeps() *vault.Vault {
	w.Helper()
	ctx := context.Background()
	require.NoError(w, vault.Migrate(ctx, w.pool))
	require.NoError(w, vault.Grant(ctx, w.pool))
	keys, err := vault.NewKeys(secret.Text("a master key of the tests, long enough"))
	require.NoError(w, err)
	kept, err := vault.Open(ctx, w.pool, keys, 2)
	require.NoError(w, err)
	w.Cleanup(kept.Close)
	return kept
}

// ownAccount is where every withdrawal goes.
type ownAccount struct{ payee vault.Payee }

func (o ownAccount) Payee(context.Context, string) (vault.Payee, error) { return o.payee, nil }

func (o ownAccount) PayeeAt(context.Context, string, string) (vault.Payee, error) {
	return o.payee, nil
}

// paysOut has withdrawals go to the member's account at the sandbox's Keystone.
func (w *town) paysOut() {
	w.Helper()
	ctx, kept := context.Background(), w.keeps()
	_, err := kept.Set(ctx, w.member.User, func(r *vault.Record) { r.Address = "12 Marina" })
	require.NoError(w, err)
	at, err := w.bank.AddPerson(ctx, sandbox.Person{FirstName: "Member", LastName: "Person", BankCode: "082"})
	require.NoError(w, err)
	keystone, found := banks.New().Find("082")
	require.True(w, found)
	w.app.Vault = kept
	o, out := &w.app.Options, w.app.Payouts
	o.Payers, o.PayoutChannel = map[nairav1.Channel]rails.Payer{transfer: w.bankAt(w.bankURL)}, transfer
	o.Payees = ownAccount{vault.Payee{
		BankCode: keystone.Code, BankNIP: keystone.NIP, BankName: keystone.Name, Number: at.Account, AccountName: at.Name(),
	}}
	out.Rails, out.Channel, out.Payees = o.Payers, o.PayoutChannel, o.Payees
	w.gives(account.EndCheck(w.member.User, "c", nairav1.BvnFailure_BVN_FAILURE_UNSPECIFIED))
	w.fund(w.member.User)
}

// balanceOf is what the ledger has on an account, in kobo.
func (w *town) balanceOf(account string) (kobo money.Kobo) {
	w.Helper()
	ctx := context.Background()
	_, err := w.pool.Exec(ctx, "SELECT ledger_settle()")
	require.NoError(w, err)
	require.NoError(w, w.pool.QueryRow(ctx, "SELECT balance FROM ledger_accounts WHERE account = $1", account).Scan(&kobo))
	return kobo
}

// A sender that was held up between its record and the bank must not send any more: what is recorded may be called
// failed by now. Its ledger's clock is as far behind as it was held up.
func TestASenderThatWasHeldUpForAMinuteDoesNotSend(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		heldUp time.Duration
		orders int
	}{"at once": {0, 1}, "held up": {61 * time.Second, 0}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setupBy(t, true, false, func() time.Time { return time.Now().Add(-c.heldUp) })
			ctx := context.Background()
			w.paysOut()
			before := w.balanceOf(posting.Wallet(w.member.User))
			made, _, err := w.app.Payouts.Withdraw(ctx, w.member, naira(1_000), wire.FromKobo(989_25), "")
			require.NoError(t, err)
			require.NoError(t, w.engine.CatchUp(ctx))
			require.NoError(t, w.app.Payouts.SendPayouts(ctx))
			require.NoError(t, w.engine.CatchUp(ctx))
			var sent, orders int
			require.NoError(t, w.pool.QueryRow(ctx, `SELECT (SELECT count(*) FROM events WHERE type = 'naira.v1.WithdrawalSent'), (SELECT count(*) FROM sandbox_payouts)`).Scan(&sent, &orders))
			require.Equal(t, []int{1, c.orders}, []int{sent, orders})
			if c.orders > 0 {
				return
			}
			for _, later := range []time.Duration{time.Minute, 17 * time.Minute} { // It is asked about, like any other.
				_, err = w.app.At(time.Now().Add(later)).Payouts.AskPayout(ctx, made.Id)
				require.NoError(t, err)
			}
			require.NoError(t, w.app.Payouts.SendPayouts(ctx))
			require.Equal(t, before, w.balanceOf(posting.Wallet(w.member.User)))
			require.NoError(t, w.pool.QueryRow(ctx, `SELECT count(*) FROM sandbox_payouts`).Scan(&orders))
			require.Zero(t, orders)
		})
	}
}

// However many payouts the bank leaves pending, or wait for a group to be resumed, a new one is sent.
func TestThoseThatWaitForLongKeepNoPayoutFromItsTurn(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	ctx := context.Background()
	w.paysOut()
	for _, fill := range []string{
		`INSERT INTO rm_payouts (withdrawal_id, user_id, pos, event_id, status, kobo, fee, vat, duty, fee_table, channel, requested_at)
			SELECT gen_random_uuid(), 'x', n, gen_random_uuid(), 'SENT', 1, 0, 0, 0, 1, 1, now() FROM generate_series(1, 250) AS n`,
		`INSERT INTO rm_payouts (withdrawal_id, user_id, pos, event_id, status, kobo, fee, vat, duty, fee_table, channel, requested_at)
			SELECT gen_random_uuid(), 'x', n, gen_random_uuid(), 'REQUESTED', 1, 0, 0, 0, 1, 1, now() FROM generate_series(1, 250) AS n`,
	} {
		_, err := w.pool.Exec(ctx, fill)
		require.NoError(t, err)
		made, _, err := w.app.Payouts.Withdraw(ctx, w.member, naira(1_000), wire.FromKobo(989_25), "")
		require.NoError(t, err)
		require.NoError(t, w.engine.CatchUp(ctx))
		_, err = w.pool.Exec(ctx, "UPDATE rm_payouts SET pos = pos + 1000 WHERE withdrawal_id = $1", made.Id)
		require.NoError(t, err)
		require.NoError(t, w.app.Payouts.SendPayouts(ctx))
		var orders int
		require.NoError(t, w.pool.QueryRow(ctx, "SELECT count(*) FROM sandbox_payouts WHERE reference LIKE '%' || $1", made.Id).Scan(&orders))
		require.Equal(t, 1, orders)
	}
}
