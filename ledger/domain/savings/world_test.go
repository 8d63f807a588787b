package savings_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

var (
	people   = []string{"ada", "bisi", "chidi", "femi", "eve"}
	channels = []nairav1.Channel{nairav1.Channel_CHANNEL_CARD, transfer, fromWal}
)

// wish draws any command about two groups, two sub-accounts, four people and four payments, wise or not.
func wish(t *rapid.T) event.Command {
	pick := func(label string, of ...string) string { return rapid.SampledFrom(of).Draw(t, label) }
	user, by := pick("user", people...), pick("by", people...)
	group, sub, payment := pick("group", "g", "h"), pick("sub", "s", "t"), pick("payment", "p", "q", "r", "u")
	amount := money.Kobo(rapid.Int64Range(-100, 2_000_000).Draw(t, "amount"))
	channel := rapid.SampledFrom(channels).Draw(t, "channel")
	tariff := map[nairav1.Channel]wallet.Tariff{nairav1.Channel_CHANNEL_CARD: wallet.CardTariff}[channel]
	month := rapid.IntRange(0, 12).Draw(t, "month")
	at := Epoch.AddDate(0, rapid.IntRange(0, 14).Draw(t, "months on"), 0)
	contribute := dues.Contribute{GroupID: group, SubAccountID: sub, User: user, Amount: amount, MonthID: month, Channel: channel, At: at}
	confirm := wallet.ConfirmPayment{
		PaymentID: payment, User: user, Provider: event.ProviderOnce(channel), Gross: amount + tariff.Charge(max(amount, 0)),
		Fee: money.Kobo(rapid.Int64Range(-1, 20_000).Draw(t, "fee")), ProviderRef: payment, PaidAt: at,
	}
	if rapid.Bool().Draw(t, "about people") {
		return rapid.SampledFrom(ofPeople(group, sub, user, by, month%2 == 0, at)).Draw(t, "command")
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
		wallet.StartPayment{PaymentID: payment, User: user, Channel: channel, Provider: event.ProviderOnce(channel), Tariff: tariff, Amount: amount, ExpiresAt: at},
		confirm,
		wallet.EndPayment{PaymentID: payment, To: rapid.SampledFrom([]wallet.Status{wallet.Pending, wallet.Failed, wallet.Expired}).Draw(t, "to"), Now: at},
		wallet.ReceiveUnmatched{ProviderRef: payment, Channel: channel, Provider: event.ProviderOnce(channel), Amount: amount, PaidAt: at},
		dues.ContributeByPayment{Confirm: confirm, Contribute: contribute},
	}).Draw(t, "command")
}

// ofPeople are the commands of a group's life.
func ofPeople(group, sub, user, by string, yes bool, at time.Time) []event.Command {
	subs := []string{"s", "t"}
	return []event.Command{
		savings.InviteMember{GroupID: group, User: user, By: by, Now: at},
		savings.AcceptInvitation{GroupID: group, User: user, Now: at},
		savings.DeclineInvitation{GroupID: group, User: user},
		savings.LapseInvitation{GroupID: group, User: user, Now: at},
		savings.JoinGroup{GroupID: group, User: user},
		savings.ApproveMember{GroupID: group, User: user, By: by},
		savings.RejectMember{GroupID: group, User: user, By: by},
		savings.DeactivateMember{GroupID: group, User: user, By: by},
		dues.LeaveGroup{GroupID: group, User: user, Forfeit: yes, SubAccounts: subs, Now: at},
		savings.AppointApprover{GroupID: group, User: user, By: by},
		savings.RemoveApprover{GroupID: group, User: user, By: by},
		savings.AppointValidator{GroupID: group, User: user, By: by, Owner: by},
		account.EndCheck(user, "check of "+user, 0),
		savings.Activate{GroupID: group, Owner: user},
		savings.OfferOwnership{GroupID: group, To: user, By: by},
		savings.AnswerOwnership{GroupID: group, By: user, Accept: yes},
		savings.ProposeSuccession{GroupID: group, Candidate: user, By: by, OwnerSeen: Epoch, Officers: everybody, Now: at},
		savings.SetNotice{GroupID: group, By: by, Hours: len(by) * 20, Now: at},
		savings.VoteSuccession{GroupID: group, Candidate: user, By: by, Agrees: yes, OwnerSeen: Epoch, Now: at},
		savings.EndSuccession{GroupID: group, Candidate: user, OwnerSeen: Epoch, Now: at},
		savings.CancelGroup(group, by, "Because"), savings.RejectGroup(group, "admin", "Because"),
		savings.SuspendGroup(group, "admin", "Because"), savings.ResumeGroup(group, "admin", "Because"),
		savings.CloseGroup{GroupID: group, By: by, Reason: "Because", SubAccounts: subs},
		savings.ShowGroupTotal{GroupID: group, By: by, Show: yes},
		savings.ShowSubAccountTotal{GroupID: group, SubAccountID: sub, By: by, Show: yes},
		savings.AddDocument{GroupID: group, DocumentID: sub, By: by},
		savings.RemoveDocument{GroupID: group, DocumentID: sub, By: by},
	}
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
	require.Greater(t, did, 50, "the wishes are too foolish to show anything")
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
		switch m := d.Message.(type) {
		case *nairav1.ContributionReceived:
			counted[m.GetSubAccountId()] += money.Kobo(m.GetAmountKobo())
		case *nairav1.SavingsClosed:
			totals[m.GetSubAccountId()] += money.Kobo(m.GetForfeitedKobo()) // Stays with the group.
		}
	}
	for _, sub := range []string{"s", "t"} {
		for _, user := range people {
			totals[sub] += w.State(dues.Stream(sub, user)).(dues.State).Total
		}
		require.Equal(t, totals[sub], w.Balance(posting.Pool(sub)), "the pool holds what its members paid")
		require.Equal(t, totals[sub], counted[sub])
	}
	for _, group := range []string{"g", "h"} {
		inOrder(t, w, group)
	}
}

// inOrder holds that every seat is somebody's, and every office an active member's.
func inOrder(t *rapid.T, w *World, groupID string) {
	g := w.State(savings.GroupStream(groupID)).(savings.Group)
	if g.Status == savings.None {
		return
	}
	seats, status := 0, map[string]savings.Status{}
	for _, user := range people {
		status[user] = w.State(savings.MemberStream(groupID, user)).(savings.Member).Status
		if status[user] != savings.None && status[user] != savings.Invited {
			seats++
		}
	}
	require.Equal(t, seats, g.Seats)
	require.LessOrEqual(t, seats, g.Capacity)
	require.True(t, g.MayApprove(g.Owner), "the owner is an approver")
	require.LessOrEqual(t, len(g.Approvers), savings.MaxApprovers)
	require.False(t, g.MayApprove(g.Validator), "nobody acts twice")
	for _, user := range g.Approvers {
		require.Equal(t, savings.Active, status[user], "an approver is an active member")
	}
	if g.Validator != "" {
		require.Equal(t, savings.Active, status[g.Validator])
	}
	if g.Offered != "" {
		require.True(t, g.MayApprove(g.Offered) && g.Offered != g.Owner)
	}
	if g.Succession.Candidate != "" {
		require.True(t, g.MayApprove(g.Succession.Candidate) && g.Succession.Candidate != g.Owner)
	}
	switch g.Status {
	case savings.Active, savings.Suspended, savings.Closing, savings.Closed:
		require.NotEmpty(t, g.Validator)
		require.Greater(t, len(g.Approvers), 1)
	}
}

func TestDraftsSayWhoseStreamTheyAre(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		stored := strings.NewReplacer(string(event.Vfd), event.Vfd.Stored(), string(event.Paystack), event.Paystack.Stored())
		w := started(t)
		for range 20 {
			_, _ = w.Do(wish(t))
		}
		for _, d := range w.Drafts {
			_, id, _ := strings.Cut(d.Stream, ":")
			require.NotEmpty(t, id)
			first, _, _ := strings.Cut(id, ":")
			require.Contains(t, stored.Replace(fmt.Sprint(d.Message)), first, "%s is not about %s", event.TypeOf(d.Message), d.Stream)
		}
	})
}
