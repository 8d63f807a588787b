package finance_test

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
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
)

func TestInWhicheverOrderMoneyIsToldOfTheLedgerOwesWhatTheBanksHold(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Follows()
	ctx := context.Background()
	for i := range w.App.Payments.Tiers {
		w.App.Payments.Tiers[i].Cap = 0
	}
	before := w.Beyond(t) // The tests gave members money that no bank has.
	paid := money.Kobo(0)
	rapid.Check(t, func(t *rapid.T) {
		yes := func(label string) bool { return rapid.Bool().Draw(t, label) }
		var all []apptest.Coming
		for range rapid.IntRange(1, 3).Draw(t, "payments") {
			how := sandbox.Telling{LineBare: yes("bare line"), HookBare: yes("bare webhook"), LineSessionless: yes("no session"), LineTwice: yes("line twice")}
			if yes("asked late") {
				how.AskedLate = time.Hour
			}
			if yes("own number") {
				how.LineNumber = "line " + rapid.StringMatching(`[A-Z]{12}`).Draw(t, "number")
			}
			all = append(all, w.Comes(t, rapid.SampledFrom([]nairav1.Channel{apptest.Transfer, apptest.Card}).Draw(t, "channel"), how))
			paid += 5_000 * money.Naira
		}
		for range rapid.IntRange(0, 5).Draw(t, "tellings") {
			switch c := rapid.SampledFrom(all).Draw(t, "money"); rapid.SampledFrom([]string{"webhook", "page", "statement", "asked"}).Draw(t, "by") {
			case "webhook":
				_ = w.Webhook(t, c) // A bank that we cannot ask yet repeats its webhook.
			case "page":
				_, _, err := w.App.Payments.VerifyPayment(ctx, w.Outsider.User, c.Payment)
				require.NoError(t, err)
			case "statement":
				w.Reconciled(t)
			default:
				w.BankSays("UPDATE sandbox_transfers SET asked_at = NULL")
				w.BankSays("UPDATE sandbox_charges SET asked_at = NULL")
			}
		}
		w.BankSays("UPDATE sandbox_transfers SET asked_at = NULL")
		w.BankSays("UPDATE sandbox_charges SET asked_at = NULL")
		for _, c := range all {
			require.NoError(t, w.Webhook(t, c))
		}
		w.Reconciled(t)
		require.Equal(t, before, w.Beyond(t), "what the banks hold beyond the ledger")
		require.Equal(t, paid, w.BalanceOf(posting.Wallet(w.Outsider.User)), "each is credited once")
		suspense, _ := w.Suspense()
		require.Zero(t, suspense)
		for _, c := range all {
			require.Equal(t, "CONFIRMED", string(w.Verified(c.Payment).Status))
		}
	})
}

// The timestamps of a bank whose clock is years ahead would make dues look paid on days that have not come.
func TestABanksTimestampInTheFutureShieldsNoDueFromItsPenalty(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	started, _, err := w.App.Payments.PayIntoSubAccount(ctx, w.Member, w.Open, apptest.Naira(5000), dues.Due{}, nil, payments.CardUse{})
	require.NoError(t, err)
	require.NoError(t, w.Bank.Transfer(ctx, sandbox.Transfer{Account: *started.AccountNumber, Amount: 5_000 * money.Naira, Sender: "Ada Obi", At: time.Now().AddDate(3, 0, 0), Loose: true}))
	_, _, err = w.App.Payments.VerifyPayment(ctx, w.Member.User, started.TransactionRef)
	require.NoError(t, err)
	state, err := w.App.Ledger.Load(ctx, ledgerdues.Stream(w.Open, w.Member.User))
	require.NoError(t, err)
	require.Positive(t, state.(ledgerdues.State).Payments)
	require.False(t, state.(ledgerdues.State).Judged.After(savings.Day(time.Now())), "the dues before %s are never penalised", state.(ledgerdues.State).Judged)
	var ahead int
	require.NoError(t, w.Pool.QueryRow(ctx, "SELECT count(*) FROM events WHERE effective_at > recorded_at + interval '1 minute'").Scan(&ahead))
	require.Zero(t, ahead)
	w.Follows()
	said := ""
	for _, item := range w.Reconciled(t).Items {
		if item.Kind == contract.TIMEAHEAD {
			said += item.Words
		}
	}
	require.Contains(t, said, "The bank dates this in the future")
}

// asWas records events as an earlier build did, which did not record names of money.
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
	w := apptest.Setup(t, true, false)
	w.Follows()
	ctx := context.Background()
	before := w.Beyond(t)
	credited, parked := w.Comes(t, apptest.Transfer, sandbox.Telling{LineBare: true}), w.Comes(t, apptest.Transfer, sandbox.Telling{LineBare: true})
	session := func(c apptest.Coming) (ref string) {
		require.NoError(t, w.Pool.QueryRow(ctx, "SELECT session_id FROM sandbox_transfers JOIN sandbox_accounts a USING (account_number) WHERE a.reference = $1", c.Payment).Scan(&ref))
		return ref
	}
	was := func(id, stream string, m proto.Message, accounts ...string) {
		_, err := w.App.Ledger.Append(ctx, store.Command{ID: store.CommandID("system", id+" BANK_TRANSFER", session(map[string]apptest.Coming{"credit": credited, "unmatched": parked}[id])), Actor: "system", Command: asWas{[]event.Draft{{Stream: stream, Message: m}}, accounts}})
		require.NoError(t, err)
	}
	was("credit", wallet.Stream(credited.Payment), &nairav1.PaymentConfirmedV2{
		PaymentId: credited.Payment, UserId: w.Outsider.User, Channel: apptest.Transfer, Provider: string(event.Vfd), AmountKobo: 5_000_00, ProviderRef: session(credited), PaidAt: timestamppb.Now(),
	}, event.Vfd.Account(), posting.Wallet(w.Outsider.User))
	was("unmatched", "unmatched:"+session(parked), &nairav1.UnmatchedMoneyReceivedV2{ProviderRef: session(parked), Channel: apptest.Transfer, Provider: string(event.Vfd), AmountKobo: 5_000_00, PaidAt: timestamppb.Now()},
		event.Vfd.Account(), posting.Unmatched)
	for range 2 {
		for _, c := range []apptest.Coming{credited, parked} {
			require.NoError(t, w.Webhook(t, c))
			n := rails.Notice{ProviderRef: session(c), Amount: 5_000_00, Currency: rails.Naira}
			require.NoError(t, w.App.Payments.Webhook(ctx, event.Vfd, n))
		}
		w.Reconciled(t)
	}
	require.Equal(t, before, w.Beyond(t))
	require.Equal(t, 10_000*money.Naira, w.BalanceOf(posting.Wallet(w.Outsider.User)))
	suspense, _ := w.Suspense()
	require.Zero(t, suspense, "what was parked moved to its payment")
	require.Equal(t, "CONFIRMED", string(w.Verified(parked.Payment).Status))
}
