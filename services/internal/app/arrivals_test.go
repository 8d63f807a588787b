package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"
	"pgregory.net/rapid"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	ledgerdues "adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
)

// follows has the read models follow the ledger until the test ends.
func (w *town) follows() {
	w.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		look := time.NewTicker(5 * time.Millisecond)
		defer look.Stop()
		for ctx.Err() == nil {
			_ = w.engine.CatchUp(ctx)
			<-look.C
		}
	}()
	w.Cleanup(func() { cancel(); <-stopped })
}

// coming is money on its way for a payment of the outsider's.
type coming struct {
	payment string
	channel nairav1.Channel
	how     sandbox.Telling
}

// comes starts a payment of ₦5,000 and has its money arrive, with nobody told.
func (w *town) comes(t require.TestingT, channel nairav1.Channel, how sandbox.Telling) coming {
	ctx := context.Background()
	by := contract.RailChannelBANKTRANSFER
	if channel == card {
		by = contract.RailChannelCARD
	}
	started, _, err := w.app.Payments.FundWallet(ctx, w.outsider, naira(5000), &by, payments.CardUse{})
	require.NoError(t, err)
	how.Silent = true
	if channel == card {
		require.NoError(t, w.bank.PayCardAnd(ctx, started.TransactionRef, time.Time{}, how))
	} else {
		require.NoError(t, w.bank.Transfer(ctx, sandbox.Transfer{Account: *started.AccountNumber, Amount: 5_000 * money.Naira, Sender: "Ada Obi", Telling: how}))
	}
	return coming{started.TransactionRef, channel, how}
}

// webhook is the word of the bank about it, as it would send it.
func (w *town) webhook(t require.TestingT, c coming) error {
	ctx, n := context.Background(), rails.Notice{Reference: c.payment, Currency: rails.Naira}
	find := `SELECT t.session_id, t.amount FROM sandbox_transfers t JOIN sandbox_accounts a USING (account_number) WHERE a.reference = $1`
	if c.channel == card {
		find = `SELECT id::text, amount FROM sandbox_charges WHERE reference = $1`
	}
	require.NoError(t, w.pool.QueryRow(ctx, find, c.payment).Scan(&n.ProviderRef, &n.Amount))
	if c.how.HookBare {
		n.Reference = ""
	}
	return w.app.Payments.Webhook(ctx, c.channel, n)
}

func (w *town) reconciled(t require.TestingT) contract.Reconciliation {
	done, err := w.app.Finance.Reconcile(context.Background(), contract.ReconciliationTriggerONDEMAND)
	require.NoError(t, err)
	require.Nil(t, done.Problem)
	return done
}

// beyond is what the banks hold beyond the ledger, by rail.
func (w *town) beyond(t require.TestingT) map[nairav1.Channel]money.Kobo {
	out := map[nairav1.Channel]money.Kobo{}
	for channel, teller := range w.app.Finance.Tellers {
		held, err := teller.Balance(context.Background())
		require.NoError(t, err)
		_, err = w.pool.Exec(context.Background(), "SELECT ledger_settle()")
		require.NoError(t, err)
		var ledger money.Kobo
		require.NoError(t, w.pool.QueryRow(context.Background(), "SELECT coalesce(sum(balance), 0)::bigint FROM ledger_accounts WHERE account = $1", posting.Bank(channel)).Scan(&ledger))
		out[channel] = held + ledger
	}
	return out
}

func TestInWhicheverOrderMoneyIsToldOfTheLedgerOwesWhatTheBanksHold(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	w.follows()
	ctx := context.Background()
	for i := range w.app.Payments.Tiers {
		w.app.Payments.Tiers[i].Cap = 0
	}
	before := w.beyond(t) // Members were funded with what no bank has.
	paid := money.Kobo(0)
	rapid.Check(t, func(t *rapid.T) {
		yes := func(label string) bool { return rapid.Bool().Draw(t, label) }
		var all []coming
		for range rapid.IntRange(1, 3).Draw(t, "payments") {
			how := sandbox.Telling{LineBare: yes("bare line"), HookBare: yes("bare webhook"), LineSessionless: yes("no session"), LineTwice: yes("line twice")}
			if yes("asked late") {
				how.AskedLate = time.Hour
			}
			if yes("own number") {
				how.LineNumber = "line " + rapid.StringMatching(`[A-Z]{12}`).Draw(t, "number")
			}
			all = append(all, w.comes(t, rapid.SampledFrom([]nairav1.Channel{transfer, card}).Draw(t, "channel"), how))
			paid += 5_000 * money.Naira
		}
		for range rapid.IntRange(0, 5).Draw(t, "tellings") {
			switch c := rapid.SampledFrom(all).Draw(t, "money"); rapid.SampledFrom([]string{"webhook", "page", "statement", "asked"}).Draw(t, "by") {
			case "webhook":
				_ = w.webhook(t, c) // A bank that cannot be asked yet sends it again.
			case "page":
				_, _, err := w.app.Payments.VerifyPayment(ctx, w.outsider.User, c.payment)
				require.NoError(t, err)
			case "statement":
				w.reconciled(t)
			default:
				w.bankSays("UPDATE sandbox_transfers SET asked_at = NULL")
				w.bankSays("UPDATE sandbox_charges SET asked_at = NULL")
			}
		}
		w.bankSays("UPDATE sandbox_transfers SET asked_at = NULL")
		w.bankSays("UPDATE sandbox_charges SET asked_at = NULL")
		for _, c := range all {
			require.NoError(t, w.webhook(t, c))
		}
		w.reconciled(t)
		require.Equal(t, before, w.beyond(t), "what the banks hold beyond the ledger")
		require.Equal(t, paid, w.balanceOf(posting.Wallet(w.outsider.User)), "each is credited once")
		suspense, _ := w.suspense()
		require.Zero(t, suspense)
		for _, c := range all {
			require.Equal(t, "CONFIRMED", string(w.verified(c.payment).Status))
		}
	})
}

// A bank whose clock is years ahead would have dues look as if they had been paid after days that have not come.
func TestABanksTimestampInTheFutureShieldsNoDueFromItsPenalty(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	ctx := context.Background()
	started, _, err := w.app.Payments.PayIntoSubAccount(ctx, w.member, w.open, naira(5000), dues.Due{}, nil, payments.CardUse{})
	require.NoError(t, err)
	require.NoError(t, w.bank.Transfer(ctx, sandbox.Transfer{Account: *started.AccountNumber, Amount: 5_000 * money.Naira, Sender: "Ada Obi", At: time.Now().AddDate(3, 0, 0), Loose: true}))
	_, _, err = w.app.Payments.VerifyPayment(ctx, w.member.User, started.TransactionRef)
	require.NoError(t, err)
	state, err := w.app.Ledger.Load(ctx, ledgerdues.Stream(w.open, w.member.User))
	require.NoError(t, err)
	require.Positive(t, state.(ledgerdues.State).Payments)
	require.False(t, state.(ledgerdues.State).Judged.After(time.Now()), "the dues before %s are never penalised", state.(ledgerdues.State).Judged)
	var ahead int
	require.NoError(t, w.pool.QueryRow(ctx, "SELECT count(*) FROM events WHERE effective_at > recorded_at + interval '1 minute'").Scan(&ahead))
	require.Zero(t, ahead)
	w.follows()
	said := ""
	for _, item := range w.reconciled(t).Items {
		if item.Kind == contract.TIMEAHEAD {
			said += item.Words
		}
	}
	require.Contains(t, said, "The bank dates this in the future")
}

// asWas records events as an earlier build did, which kept no names of money.
type asWas struct {
	drafts   []event.Draft
	accounts []string
}

func (c asWas) Streams() (all []string) {
	for _, d := range c.drafts {
		all = append(all, d.Stream)
	}
	return all
}
func (c asWas) Accounts() []string                       { return c.accounts }
func (c asWas) Decide(event.View) ([]event.Draft, error) { return c.drafts, nil }

func TestMoneyThatAnEarlierBuildTookDownIsNotTakenDownAgain(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	w.follows()
	ctx := context.Background()
	before := w.beyond(t)
	credited, parked := w.comes(t, transfer, sandbox.Telling{LineBare: true}), w.comes(t, transfer, sandbox.Telling{LineBare: true})
	session := func(c coming) (ref string) {
		require.NoError(t, w.pool.QueryRow(ctx, "SELECT session_id FROM sandbox_transfers JOIN sandbox_accounts a USING (account_number) WHERE a.reference = $1", c.payment).Scan(&ref))
		return ref
	}
	was := func(id, stream string, m proto.Message, accounts ...string) {
		_, err := w.app.Ledger.Append(ctx, store.Command{ID: store.CommandID("system", id+" BANK_TRANSFER", session(map[string]coming{"credit": credited, "unmatched": parked}[id])), Actor: "system", Command: asWas{[]event.Draft{{Stream: stream, Message: m}}, accounts}})
		require.NoError(t, err)
	}
	was("credit", wallet.Stream(credited.payment), &nairav1.PaymentConfirmed{
		PaymentId: credited.payment, UserId: w.outsider.User, Channel: transfer, AmountKobo: 5_000_00, ProviderRef: session(credited), PaidAt: timestamppb.Now(),
	}, posting.BankTransfer, posting.Wallet(w.outsider.User))
	was("unmatched", "unmatched:"+session(parked), &nairav1.UnmatchedMoneyReceived{ProviderRef: session(parked), Channel: transfer, AmountKobo: 5_000_00, PaidAt: timestamppb.Now()},
		posting.BankTransfer, posting.Unmatched)
	for range 2 {
		for _, c := range []coming{credited, parked} {
			require.NoError(t, w.webhook(t, c))
			n := rails.Notice{ProviderRef: session(c), Amount: 5_000_00, Currency: rails.Naira}
			require.NoError(t, w.app.Payments.Webhook(ctx, transfer, n))
		}
		w.reconciled(t)
	}
	require.Equal(t, before, w.beyond(t))
	require.Equal(t, 10_000*money.Naira, w.balanceOf(posting.Wallet(w.outsider.User)))
	suspense, _ := w.suspense()
	require.Zero(t, suspense, "what was parked moved to its payment")
	require.Equal(t, "CONFIRMED", string(w.verified(parked.payment).Status))
}
