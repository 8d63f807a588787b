package savings_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/money"
	"adashi.ng/ledger/posting"
	"adashi.ng/ledger/savings"
	"adashi.ng/ledger/wallet"
)

var (
	people   = []string{"ada", "bisi", "chidi", "eve"}
	channels = []nairav1.Channel{nairav1.Channel_CHANNEL_CARD, transfer, fromWal}
)

// wish draws any command about two groups, two sub-accounts, four people and four payments, wise or not.
func wish(t *rapid.T) event.Command {
	pick := func(label string, of ...string) string { return rapid.SampledFrom(of).Draw(t, label) }
	user, by := pick("user", people...), pick("by", people...)
	group, sub, payment := pick("group", "g", "h"), pick("sub", "s", "t"), pick("payment", "p", "q", "r", "u")
	amount := money.Kobo(rapid.Int64Range(-100, 2_000_000).Draw(t, "amount"))
	channel := rapid.SampledFrom(channels).Draw(t, "channel")
	month := rapid.IntRange(0, 12).Draw(t, "month")
	at := Epoch.AddDate(0, rapid.IntRange(0, 14).Draw(t, "months on"), 0)
	contribute := savings.Contribute{GroupID: group, SubAccountID: sub, User: user, Amount: amount, MonthID: month, Channel: channel, At: at}
	confirm := wallet.ConfirmPayment{
		PaymentID: payment, User: user, Channel: channel, Gross: amount + wallet.Charge(channel, max(amount, 0)),
		Fee: money.Kobo(rapid.Int64Range(-1, 20_000).Draw(t, "fee")), ProviderRef: payment, PaidAt: at,
	}
	return rapid.SampledFrom([]event.Command{
		savings.CreateGroup{GroupID: group, Owner: user, Name: "Traders", Amount: 5_000_00, Capacity: 3, StartMonth: max(month, 1), Now: at},
		savings.JoinGroup{GroupID: group, User: user},
		savings.ApproveMember{GroupID: group, User: user, By: by},
		savings.AppointValidator{GroupID: group, User: user, By: by, Owner: by},
		savings.AppointApprover{GroupID: group, User: user, By: by},
		savings.OpenSubAccount{
			GroupID: group, SubAccountID: sub, By: by, Name: "Dues", Type: nairav1.PaymentType(1 + month%3),
			Frequency: nairav1.PaymentFrequency(1 + month%7), Amount: 5_000_00, Now: at,
		},
		contribute,
		wallet.StartPayment{PaymentID: payment, User: user, Channel: channel, Amount: amount, ExpiresAt: at},
		confirm,
		wallet.EndPayment{PaymentID: payment, To: rapid.SampledFrom([]wallet.Status{wallet.Pending, wallet.Failed, wallet.Expired}).Draw(t, "to"), Now: at},
		wallet.ReceiveUnmatched{ProviderRef: payment, Channel: channel, Amount: amount, PaidAt: at},
		savings.ContributeByPayment{Confirm: confirm, Contribute: contribute},
	}).Draw(t, "command")
}

// started is a world in which most wishes have a chance.
func started(t *rapid.T) *World {
	w := Given(t, active, opens(flexible, monthly))
	for _, user := range people {
		w.And(funded(user, money.Kobo(rapid.Int64Range(10_000, 3_000_000).Draw(t, "funds of "+user))))
	}
	return w
}

func TestWhateverIsAskedTheLedgerStaysInBalance(t *testing.T) {
	t.Parallel()
	did, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		w := started(t)
		for range rapid.IntRange(1, 40).Draw(t, "commands") {
			// Do itself holds that lines sum to nothing and that a refusal changes nothing.
			if _, err := w.Do(wish(t)); err != nil {
				refused++
			} else {
				did++
			}
			inBalance(t, w)
		}
	})
	require.Greater(t, did, 100, "the wishes are too foolish to show anything")
	require.Greater(t, refused, 100)
}

func inBalance(t *rapid.T, w *World) {
	var sum money.Kobo
	for account, balance := range w.Balances() {
		sum += balance
		if posting.Floored(account) {
			require.GreaterOrEqual(t, balance, money.Kobo(0), account)
		}
	}
	require.Zero(t, sum, "the ledger sums to nothing")
	totals, counted := map[string]money.Kobo{}, map[string]money.Kobo{}
	for _, d := range w.Drafts {
		if m, ok := d.Message.(*nairav1.ContributionReceived); ok {
			counted[m.GetSubAccountId()] += money.Kobo(m.GetAmountKobo())
		}
	}
	for _, sub := range []string{"s", "t"} {
		for _, user := range people {
			totals[sub] += w.State(savings.DuesStream(sub, user)).(savings.Paid).Total
		}
		require.Equal(t, totals[sub], w.Balance(posting.Pool(sub)), "the pool holds what its members paid")
		require.Equal(t, totals[sub], counted[sub])
	}
	for _, group := range []string{"g", "h"} {
		g := w.State(savings.GroupStream(group)).(savings.Group)
		require.LessOrEqual(t, g.Seats, g.Capacity)
		require.False(t, g.Validator != "" && g.MayApprove(g.Validator), "nobody acts twice")
		if g.Status == savings.Active {
			require.NotEmpty(t, g.Validator)
			require.Greater(t, len(g.Approvers), 1)
		}
		require.LessOrEqual(t, len(g.Approvers), savings.MaxApprovers)
	}
}

func TestDraftsSayWhoseStreamTheyAre(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := started(t)
		for range 20 {
			_, _ = w.Do(wish(t))
		}
		for _, d := range w.Drafts {
			_, id, _ := strings.Cut(d.Stream, ":")
			require.NotEmpty(t, id)
			first, _, _ := strings.Cut(id, ":")
			require.Contains(t, fmt.Sprint(d.Message), first, "%s is not about %s", event.TypeOf(d.Message), d.Stream)
		}
	})
}
