package apptest

import (
	"context"
	"net/http/httptest"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/banks"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/vault"
)

// Follows has the read models follow the ledger until the test ends.
func (w *Town) Follows() {
	w.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		look := time.NewTicker(5 * time.Millisecond)
		defer look.Stop()
		for ctx.Err() == nil {
			_ = w.Engine.CatchUp(ctx)
			<-look.C
		}
	}()
	w.Cleanup(func() { cancel(); <-stopped })
}

// Coming is money on its way for a payment of the outsider's.
type Coming struct {
	Payment string
	channel nairav1.Channel
	how     sandbox.Telling
}

// Comes starts a payment of ₦5,000 and has its money arrive, with nobody told.
func (w *Town) Comes(t require.TestingT, channel nairav1.Channel, how sandbox.Telling) Coming {
	ctx := context.Background()
	by := contract.RailChannelBANKTRANSFER
	if channel == Card {
		by = contract.RailChannelCARD
	}
	started, _, err := w.App.Payments.FundWallet(ctx, w.Outsider, Naira(5000), &by, payments.CardUse{})
	require.NoError(t, err)
	how.Silent = true
	if channel == Card {
		require.NoError(t, w.Bank.PayCardAnd(ctx, started.TransactionRef, time.Time{}, how))
	} else {
		require.NoError(t, w.Bank.Transfer(ctx, sandbox.Transfer{Account: *started.AccountNumber, Amount: 5_000 * money.Naira, Sender: "Ada Obi", Telling: how}))
	}
	return Coming{started.TransactionRef, channel, how}
}

// Webhook is the word of the bank about it, as it would send it.
func (w *Town) Webhook(t require.TestingT, c Coming) error {
	ctx, n := context.Background(), rails.Notice{Reference: c.Payment, Currency: rails.Naira}
	find := `SELECT t.session_id, t.amount FROM sandbox_transfers t JOIN sandbox_accounts a USING (account_number) WHERE a.reference = $1`
	if c.channel == Card {
		find = `SELECT id::text, amount FROM sandbox_charges WHERE reference = $1`
	}
	require.NoError(t, w.Pool.QueryRow(ctx, find, c.Payment).Scan(&n.ProviderRef, &n.Amount))
	if c.how.HookBare {
		n.Reference = ""
	}
	return w.App.Payments.Webhook(ctx, event.ProviderOnce(c.channel), n)
}

// Reconciled is a reconciliation that met no problem.
func (w *Town) Reconciled(t require.TestingT) contract.Reconciliation {
	done, err := w.App.Finance.Reconcile(context.Background(), contract.ReconciliationTriggerONDEMAND)
	require.NoError(t, err)
	require.Nil(t, done.Problem)
	return done
}

// Beyond is what the banks hold beyond the ledger, by rail.
func (w *Town) Beyond(t require.TestingT) map[event.Provider]money.Kobo {
	out := map[event.Provider]money.Kobo{}
	for _, adapter := range w.App.Finance.Rails.All() {
		held, err := adapter.(rails.Teller).Balance(context.Background())
		require.NoError(t, err)
		_, err = w.Pool.Exec(context.Background(), "SELECT ledger_settle()")
		require.NoError(t, err)
		var ledger money.Kobo
		require.NoError(t, w.Pool.QueryRow(context.Background(), "SELECT coalesce(sum(balance), 0)::bigint FROM ledger_accounts WHERE account = $1", adapter.Provider().ID.Account()).Scan(&ledger))
		out[adapter.Provider().ID] = held + ledger
	}
	return out
}

// ownAccount is where every withdrawal goes.
type ownAccount struct{ payee vault.Payee }

// Payee implements payouts.Payees.
func (o ownAccount) Payee(context.Context, string) (vault.Payee, error) { return o.payee, nil }

// PayeeAt implements payouts.Payees.
func (o ownAccount) PayeeAt(context.Context, string, string) (vault.Payee, error) {
	return o.payee, nil
}

// PaysOut has withdrawals go to the member's account at the sandbox's Keystone.
func (w *Town) PaysOut() {
	w.Helper()
	ctx, kept := context.Background(), w.keeps()
	_, err := kept.Set(ctx, w.Member.User, func(r *vault.Record) { r.Address = "12 Marina" })
	require.NoError(w, err)
	at, err := w.Bank.AddPerson(ctx, sandbox.Person{FirstName: "Member", LastName: "Person", BankCode: "082"})
	require.NoError(w, err)
	keystone, found := banks.New().Find("082")
	require.True(w, found)
	w.App.Vault = kept
	o, out := &w.App.Options, w.App.Payouts
	o.Payees = ownAccount{vault.Payee{
		BankCode: keystone.Code, BankNIP: keystone.NIP, BankName: keystone.Name, Number: at.Account, AccountName: at.Name(),
	}}
	out.Payees = o.Payees
	w.Gives(account.EndCheck(w.Member.User, "c", nairav1.BvnFailure_BVN_FAILURE_UNSPECIFIED))
	w.Fund(w.Member.User)
}

// Arrives has the bank receive an amount on a payment's account, whatever its own checks say.
func (w *Town) Arrives(payment contract.PaymentStart, amount money.Kobo) {
	w.Helper()
	require.NoError(w, w.Bank.Transfer(context.Background(), sandbox.Transfer{Account: *payment.AccountNumber, Amount: amount, Sender: "Ada Obi", Loose: true}))
}

// BankSays changes what the bank knows.
func (w *Town) BankSays(sql string, args ...any) {
	w.Helper()
	_, err := w.Pool.Exec(context.Background(), sql, args...)
	require.NoError(w, err)
}

// Started is a payment that the member has begun.
func (w *Town) Started() contract.PaymentStart {
	w.Helper()
	payment, _, err := w.App.Payments.FundWallet(context.Background(), w.Outsider, Naira(5000), nil, payments.CardUse{})
	require.NoError(w, err)
	return payment
}

// Verified is a payment after its payer asked for it to be looked at.
func (w *Town) Verified(id string) contract.PaymentStart {
	w.Helper()
	payment, _, err := w.App.Payments.VerifyPayment(context.Background(), w.Outsider.User, id)
	require.NoError(w, err)
	return payment
}

// CutOff has nobody answer where the bank was.
func (w *Town) CutOff() (restore func()) {
	was := w.App.Payments.Rails
	gone := httptest.NewServer(nil)
	gone.Close()
	w.App.Payments.Rails = w.RailsAt(gone.URL, w.BankURL)
	return func() { w.App.Payments.Rails = was }
}

// Suspense is what lies there, and how often money was put there.
func (w *Town) Suspense() (kobo int64, times int) {
	w.Helper()
	_, err := w.Pool.Exec(context.Background(), "SELECT ledger_settle()")
	require.NoError(w, err)
	require.NoError(w, w.Pool.QueryRow(context.Background(),
		"SELECT coalesce((SELECT balance FROM ledger_accounts WHERE account = 'suspense:unmatched'), 0), (SELECT count(*) FROM events WHERE type = 'naira.v1.UnmatchedMoneyReceivedV2')").Scan(&kobo, &times))
	return kobo, times
}
