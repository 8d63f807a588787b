package liquidation_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

var (
	people   = []string{"ada", "bola", "chi", "vera", "bisi", "eve", "stranger"}
	requests = []string{"l", "m", "n", "o"}
)

// wish draws any command about four requests, wise or not. Commands are about a request as it was made, or as it was
// not.
func wish(t *rapid.T, w *World) event.Command {
	user := rapid.SampledFrom(people).Draw(t, "who")
	id := rapid.SampledFrom(requests).Draw(t, "request")
	about := liquidation.About(id, stands(t, w, id))
	if stands(t, w, id).Status == liquidation.None || rapid.IntRange(0, 9).Draw(t, "wrongly") == 0 {
		kind := rapid.SampledFrom([]nairav1.LiquidationKind{withdrawal, disburse}).Draw(t, "kind")
		amount := money.Kobo(rapid.Int64Range(99_99, 60_000_00).Draw(t, "amount"))
		return liquidation.Request{
			LiquidationID: id, GroupID: "g", SubAccountID: "s", User: user, Kind: kind, Amount: amount, Net: amount - payout.ChargesOn(amount).Total(), Provider: event.Vfd,
			Reason: "Because", Officers: savings.Officers{Users: []string{"ada", "bola", "chi", "vera"}}, OwnAccount: rapid.Bool().Draw(t, "own account"), At: Epoch,
		}
	}
	reference := rapid.SampledFrom([]string{"r1", "r2", "r3"}).Draw(t, "reference")
	receipt := payout.Receipt{Fee: money.Kobo(rapid.Int64Range(-1, 60_00).Draw(t, "the gateway's fee")), ProviderRef: "p", PaidAt: Epoch}
	if rapid.Bool().Draw(t, "wisely") {
		switch stands(t, w, id).Status {
		case liquidation.Requested, liquidation.Validated:
			return liquidation.Approve(about, decider(t, w, id, user))
		case liquidation.OnHold:
			return liquidation.Answer(about, user, "It was agreed", Epoch)
		case liquidation.Approved:
			return liquidation.Send(about, reference, noticed.AddDate(0, 0, 1))
		case liquidation.PayoutPending:
			return liquidation.Pay(about, stands(t, w, id).Last(), receipt)
		case liquidation.PayoutFailed:
			return liquidation.Retry(about, user)
		}
	}
	return rapid.SampledFrom([]event.Command{
		liquidation.Approve(about, user), liquidation.Reject(about, user, "Not now"), liquidation.Cancel(about, user), liquidation.Expire(about, Epoch.Add(liquidation.Open-time.Hour)),
		liquidation.Expire(about, Epoch.Add(liquidation.Open)), sends(about, reference), sends(about, reference), liquidation.Pay(about, reference, receipt),
		liquidation.Fail(about, reference, "Declined"), liquidation.Retry(about, user), liquidation.Release(about, user, "Enough"), liquidation.Reverse(about, "x", "Closed"),
		liquidation.Object(about, user, "What is it for?", Epoch), liquidation.Object(about, user, "What is it for?", Epoch), liquidation.Answer(about, user, "It was agreed", Epoch),
		savings.RemoveApprover{GroupID: "g", User: user, By: user},
		savings.AppointApprover{GroupID: "g", User: user, By: "ada"},
	}).Draw(t, "command")
}

// decider is somebody whose turn it is, if there is anybody.
func decider(t *rapid.T, w *World, id, otherwise string) string {
	able := []string{}
	for _, user := range people {
		may := may(w, id, user)
		if slices.Contains(may, "VALIDATE") || slices.Contains(may, "APPROVE") {
			able = append(able, user)
		}
	}
	if len(able) == 0 {
		return otherwise
	}
	return rapid.SampledFrom(able).Draw(t, "whose turn it is")
}

func TestWhateverIsAskedTheMoneyOfAGroupIsAllAccountedFor(t *testing.T) {
	t.Parallel()
	did, paid := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		w := Given(t, founded(rapid.Bool().Draw(t, "shown"), []string{"bola", "chi"}[:rapid.IntRange(0, 2).Draw(t, "approvers")]...), saves("vera", 20_000), saves("ada", 20_000))
		for i := range rapid.IntRange(20, 60).Draw(t, "commands") {
			w.And(Epoch.Add(time.Duration(i) * time.Second))
			// Do itself holds that lines sum to nothing, that no floor is broken and that a refusal changes nothing.
			if _, err := w.Do(wish(t, w)); err == nil {
				did++
			}
			accountedFor(t, w)
			nobodyActsTwice(t, w)
		}
		for _, id := range requests {
			if stands(t, w, id).Status == liquidation.Paid {
				paid++
			}
		}
	})
	require.Greater(t, did, 300, "the wishes are too foolish to show anything")
	require.Positive(t, paid)
}

// accountedFor holds every balance against what the requests say.
func accountedFor(t *rapid.T, w *World) {
	var holds, out money.Kobo
	drawn, open := map[string]money.Kobo{}, map[string][]nairav1.LiquidationKind{}
	for _, id := range requests {
		l := stands(t, w, id)
		if l.Open() {
			holds += l.Held()
			require.NotContains(t, open[l.RequestedBy], l.Kind, "one of each kind at once")
			open[l.RequestedBy] = append(open[l.RequestedBy], l.Kind)
		}
		if l.Status == liquidation.Paid {
			out += l.Amount
		}
		if l.Withdrawal() && (l.Open() || l.Status == liquidation.Paid) {
			drawn[l.RequestedBy] += l.Amount
		}
		require.Equal(t, l.Amount, l.Net()+l.Fee+l.VAT+l.Duty)
	}
	require.Equal(t, holds, w.Balance(held), "what is held is what is asked for")
	var in, sum money.Kobo
	for _, user := range people {
		s := saved(w, user)
		in += s.Total
		require.Equal(t, drawn[user], s.Drawn, user)
		require.GreaterOrEqual(t, s.Savings(), money.Kobo(0), user)
		require.Equal(t, len(open[user]) > 0, w.State(savings.RequestsStream("g", user)).(savings.OpenRequests).Any(), user)
	}
	require.Equal(t, in-out-holds, w.Balance(pool))
	for _, balance := range w.Balances() {
		sum += balance
	}
	require.Zero(t, sum)
}

// nobodyActsTwice holds who did what on each request, and that nothing was paid that was not sent, or sent that was not
// approved.
func nobodyActsTwice(t *rapid.T, w *World) {
	for _, id := range requests {
		l, sent, ended := stands(t, w, id), map[string]bool{}, 0
		acted, counts, enough := []string{l.RequestedBy}, []string{}, false
		for _, d := range w.Drafts {
			if m, ok := d.Message.(*nairav1.ApproverRemoved); ok {
				counts = slices.DeleteFunc(counts, func(user string) bool { return user == m.GetUserId() })
			}
			if d.Stream != liquidation.Stream(id) {
				continue
			}
			switch m := d.Message.(type) {
			case *nairav1.LiquidationValidated:
				require.Contains(t, l.Deciders.Validators, m.GetValidatedBy(), "no other than were fixed")
				require.NotContains(t, acted, m.GetValidatedBy())
				acted = append(acted, m.GetValidatedBy())
			case *nairav1.LiquidationApproved:
				require.NotContains(t, slices.Concat([]string{l.RequestedBy, l.ValidatedBy}, counts), m.GetApprovedBy())
				require.Contains(t, l.Deciders.Approvers, m.GetApprovedBy(), "no other than were fixed")
				require.False(t, enough, "no more act than must")
				if m.GetApprovedBy() != "" {
					counts = append(counts, m.GetApprovedBy())
				}
				require.EqualValues(t, len(counts), m.GetApprovals(), "who lost their office since does not count")
				enough = m.GetApprovals() >= m.GetNeeded()
			case *nairav1.LiquidationSent:
				require.False(t, sent[m.GetReference()], "never twice under one reference")
				require.True(t, enough, "not before it is approved")
				sent[m.GetReference()] = true
			case *nairav1.LiquidationPaidV2, *nairav1.LiquidationRejected, *nairav1.LiquidationCancelled, *nairav1.LiquidationExpired, *nairav1.LiquidationReleased:
				ended++
			}
		}
		require.LessOrEqual(t, ended, 1, "it ends once")
		require.Len(t, sent, len(l.References))
	}
}
