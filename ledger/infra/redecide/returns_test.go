package redecide_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
)

// withdraws has all of ₦1,000 leave a member's wallet, and answers what arrives.
func (b book) withdraws(id, user string) money.Kobo {
	b.Helper()
	amount := 1000 * money.Naira
	net := amount - payout.ChargesOn(amount).Total()
	b.do(wallet.StartPayment{PaymentID: "in" + id, User: user, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Tariff: wallet.Free, Amount: amount, ExpiresAt: noon.Add(time.Hour)},
		wallet.ConfirmPayment{PaymentID: "in" + id, User: user, Provider: event.Vfd, Gross: amount, ProviderRef: "in" + id, PaidAt: noon},
		account.EndCheck(user, "c", 0),
		payout.Request{WithdrawalID: id, User: user, Amount: amount, Net: net, Provider: event.Vfd, Tiers: account.DefaultTiers, At: noon},
		payout.Send(id, user, "out "+id, noon), payout.Pay(id, user, event.Vfd, payout.Receipt{ProviderRef: "bank " + id, PaidAt: noon}))
	return net
}

func TestWhatComesBackOfPayoutsAndIsTakenBackAgainIsDecidedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, user := range []string{"stays", "closes"} {
		net := b.withdraws(user, user)
		b.do(wallet.ReceiveUnmatched{ProviderRef: "came " + user, Also: []string{"also " + user}, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: net, PaidAt: noon})
		if user == "closes" {
			b.do(account.Close{User: user})
		}
		b.do(payout.Reverse(user, user, event.Vfd, "back "+user, "Closed there"), liquidation.MatchReturn(event.Vfd, "came "+user, nil, net, user))
	}
	b.do(wallet.ReceiveUnmatched{ProviderRef: "another", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 989_25, PaidAt: noon})
	for _, user := range []string{"stays", "closes"} {
		_, err := b.store.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "system", Command: liquidation.MatchReturn(event.Vfd, "another", nil, 989_25, user)})
		require.ErrorContains(t, err, "What came back of this payout is another arrival.")
	}
	back := wallet.TakeBackArrival{ProviderRef: "came stays", Provider: event.Vfd, User: "stays", Gross: 100_00, BackRef: "gone", Reason: "A recall"}
	b.do(payout.TakenBack{Command: liquidation.TakeBackReturn(back, "stays"), User: "stays"})
	back = wallet.TakeBackArrival{ProviderRef: wallet.ReturnRef("closes"), Provider: event.Vfd, Gross: 100_00, BackRef: "gone too", Reason: "A recall"}
	b.do(back)

	net := b.withdraws("early", "early")
	b.do(wallet.ReceiveUnmatched{ProviderRef: "came early", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: net, PaidAt: noon},
		wallet.TakeBackArrival{ProviderRef: "came early", Provider: event.Vfd, Gross: 100_00, BackRef: "gone early", Reason: "A recall"},
		payout.Reverse("early", "early", event.Vfd, "back early", "Closed there"), liquidation.MatchReturn(event.Vfd, "came early", nil, net, "early"))
	back = wallet.TakeBackArrival{ProviderRef: "came early", Provider: event.Vfd, User: "early", Gross: 100_00, BackRef: "gone early", Reason: "A recall"}
	b.do(payout.TakenBack{Command: liquidation.TakeBackReturn(back, "early"), User: "early"})

	b.withdraws("parts", "parts")
	part := func(line string, also ...string) wallet.ReceivePart {
		return wallet.ReceivePart{
			Payout: payout.Stream("parts"), PayoutID: "parts", Paid: func(state any) bool { return state.(payout.Withdrawal).Status == payout.Paid },
			ReceiveUnmatched: wallet.ReceiveUnmatched{ProviderRef: wallet.PartRef("parts", line), Also: also, Provider: event.Vfd, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Amount: 300_00, PaidAt: noon},
		}
	}
	b.do(part("one", "line one"), part("two", "line two"))
	b.do(payout.PostCharge{PayoutID: "parts", Provider: event.Vfd, Reference: "out parts", ProviderRef: "bank parts", Amount: 5_00},
		payout.PostCharge{PayoutID: "parts", Provider: event.Vfd, Reference: "another order", ProviderRef: "bank again", Amount: 5_00},
		payout.PostCharge{PayoutID: "parts", Provider: event.Vfd, Reference: "another order", ProviderRef: "bank again", Posted: 5_00, Amount: 2_00},
		payout.PostLeft{PayoutID: "parts", Provider: event.Vfd, Reference: "failed order", ProviderRef: "out after all", Amount: 300_00},
		payout.PostLeft{PayoutID: "parts", Provider: event.Vfd, Reference: "failed order", ProviderRef: "in again", Amount: 100_00, Back: true})

	b.withdraws("gone", "gone")
	b.do(payout.PostLeft{PayoutID: "gone", Provider: event.Vfd, Reference: "left order", ProviderRef: "out as well", Amount: net},
		wallet.ReceiveUnmatched{ProviderRef: "came left", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: net, PaidAt: noon},
		payout.PostLeft{PayoutID: "gone", Provider: event.Vfd, Reference: "left order", ProviderRef: "came left", Amount: net, Back: true},
		liquidation.MatchReturn(event.Vfd, "came left", nil, net, "gone"))
	_, differs := b.again()
	require.Empty(t, differs)
	charges, err := b.store.Load(context.Background(), payout.BankChargeStream("parts"))
	require.NoError(t, err)
	require.Equal(t, map[string]money.Kobo{"out parts": 5_00, "another order": 7_00}, charges.(payout.BankCharge).Total)
}

// then is a command as earlier builds decided it.
type then struct{ event.Command }

func (c then) Decide(v event.View) ([]event.Draft, error) { return c.Command.Decide(earlierView{v}) }

type earlierView struct{ event.View }

func (earlierView) IsEarlier() {}

// What came back of one payout has the name of that payout. To take it for the transfer that is the return of another
// would have the books say that it is not at the bank.
func TestWhatCameBackOfOnePayoutIsNotTheReturnOfAnother(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.withdraws("one", "payee")
	net := b.withdraws("two", "other")
	part := wallet.PartRef("one", "line")
	b.do(wallet.ReceivePart{
		Payout: payout.Stream("one"), PayoutID: "one", Paid: func(state any) bool { return state.(payout.Withdrawal).Status == payout.Paid },
		ReceiveUnmatched: wallet.ReceiveUnmatched{ProviderRef: part, Provider: event.Vfd, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Amount: net, PaidAt: noon},
	}, payout.Reverse("two", "other", event.Vfd, "back two", "Closed there"))
	match := liquidation.MatchReturn(event.Vfd, part, nil, net, "two")
	b.refuses(liquidation.ProposeReturn(match, "sade", "The amounts are the same"), "came back of another payout")
	b.do(then{liquidation.ProposeReturn(match, "sade", "The amounts are the same")})
	b.refuses(liquidation.AgreeReturn(match, "", "ayo", false), "came back of another payout")
	b.do(then{liquidation.AgreeReturn(match, "", "ayo", false)})
	_, differs := b.again()
	require.Empty(t, differs)
}

func TestWhatTwoOfUsSayIsTheReturnOfAPayoutIsDecidedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	net := b.withdraws("w2", "payee")
	b.do(wallet.ReceiveUnmatched{ProviderRef: "came", Also: []string{"also"}, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: net, PaidAt: noon})
	match := liquidation.MatchReturn(event.Vfd, "came", nil, net, "w2")
	b.do(liquidation.ProposeReturn(match, "sade", "The bank's letter"),
		wallet.DecideUnmatched{ProviderRef: "came", Provider: event.Vfd, By: "ayo", Reason: "It is another's"},
		liquidation.ProposeReturn(match, "sade", "The bank's letter"))
	refused := func(c event.Command, says string) {
		t.Helper()
		_, err := b.store.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "ayo", Command: c})
		require.ErrorContains(t, err, says)
	}
	refused(liquidation.AgreeReturn(match, "", "ayo", false), "did not come back")
	b.do(payout.Reverse("w2", "payee", event.Vfd, "came", "The receiving bank sent it back."))
	refused(liquidation.AgreeReturn(match, "", "sade", false), "A second person must agree")
	refused(liquidation.AgreeReturn(match, "", "payee", false), "Nobody decides about money for themselves")
	refused(wallet.DecideUnmatched{ProviderRef: "came", Provider: event.Vfd, By: "ayo", Approve: true}, "the return of a payout")
	b.do(liquidation.AgreeReturn(match, "", "ayo", false))
	_, differs := b.again()
	require.Empty(t, differs)
}

// refuses holds that the ledger refuses a command, and in which words.
func (b book) refuses(c event.Command, says string) {
	b.Helper()
	_, err := b.store.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "ayo", Command: c})
	require.ErrorContains(b, err, says)
}

// stray is money that somebody sent without a reference.
func stray(ref string, amount money.Kobo) wallet.ReceiveUnmatched {
	return wallet.ReceiveUnmatched{ProviderRef: ref, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: amount, PaidAt: noon}
}

// backTo are the steps by which money goes back to its sender.
func backTo(ref, id string) (of payout.SentMoney, propose, agree, send, pay event.Command) {
	of = payout.SentMoney{Provider: event.Vfd, ProviderRef: ref}
	return of, payout.ProposeSendBack{SentMoney: of, ID: id, By: "sade", Reason: "Nobody knows them"}, payout.DecideSendBack{SentMoney: of, ID: id, By: "ayo", Approve: true},
		payout.SendMoneyBack(of, id, "Adashi-"+id), payout.PayMoneyBack(of, id, payout.Receipt{ProviderRef: "nip " + id, PaidAt: noon})
}

func TestMoneyIsAPayoutsReturnOrGoesBackAndIsDecidedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	net := b.withdraws("w3", "payee")
	b.do(stray("came", net))
	match := liquidation.MatchReturn(event.Vfd, "came", nil, net, "w3")
	of, propose, agree, send, pay := backTo("came", "b")
	proposed := liquidation.ProposeReturn(match, "sade", "The bank's letter")
	b.do(proposed)
	b.refuses(propose, "proposed already")
	b.refuses(agree, "has changed since you looked")
	b.do(wallet.DecideUnmatched{ProviderRef: "came", Provider: event.Vfd, By: "ayo", Reason: "It is a stranger's"}, propose)
	b.refuses(proposed, "proposed already")
	b.refuses(liquidation.AgreeReturn(match, "", "ayo", true), "has changed since you looked")
	b.do(agree)
	b.refuses(proposed, "on its way back already")
	b.do(send, pay)
	b.refuses(proposed, "sent back already")

	b.do(stray("again", net))
	again := payout.MatchMoneyBack(of, "b", "again", nil, net)
	b.do(liquidation.ProposeReturn(again, "sade", "The bank's letter"))
	b.refuses(liquidation.AgreeReturn(again, "", "ayo", false), "did not come back")
	b.do(payout.ReturnMoneyBack(of, "b", "again", "Account dormant"), liquidation.AgreeReturn(again, "", "ayo", false))
	b.refuses(payout.ProposeSendBack{SentMoney: payout.SentMoney{Provider: event.Vfd, ProviderRef: "again"}, ID: "c", By: "sade", Reason: "Nobody knows them"}, "matched already")

	b.do(payout.Reverse("w3", "payee", event.Vfd, "came", "The receiving bank sent it back."), proposed, liquidation.AgreeReturn(match, "", "ayo", false))
	_, differs := b.again()
	require.Empty(t, differs)
}

func TestAReturnThatIsSentBackAndThenRecalledIsDecidedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.withdraws("closes", "closes")
	b.do(account.Close{User: "closes"}, payout.Reverse("closes", "closes", event.Vfd, "back closes", "Closed there"))
	ref := wallet.ReturnRef("closes")
	of, propose, agree, send, pay := backTo(ref, "b")
	recall := wallet.TakeBackArrival{ProviderRef: ref, Provider: event.Vfd, Gross: 100_00, BackRef: "gone", Reason: "A recall"}
	b.do(propose, agree, send, pay, recall, payout.ReturnMoneyBack(of, "b", "nip b", "Account dormant"))
	state, err := b.store.Load(context.Background(), wallet.ReturnStream(event.Vfd, "closes"))
	require.NoError(t, err)
	a := state.(wallet.Arrival)
	require.Equal(t, []any{wallet.ArrivalOpen, 900 * money.Naira, money.Kobo(100_00), true}, []any{a.Status, a.Amount, a.Returned, a.CameBack})

	net := b.withdraws("stays", "stays")
	b.do(stray("came", net))
	of, propose, agree, send, _ = backTo("came", "c")
	recall = wallet.TakeBackArrival{ProviderRef: "came", Provider: event.Vfd, Gross: net, BackRef: "gone too", Reason: "A recall"}
	b.do(propose, agree, send, recall, payout.FailMoneyBack(of, "c", "Adashi-c", "Refused"))
	b.do(payout.Reverse("stays", "stays", event.Vfd, "came", "Closed there"), liquidation.MatchReturn(event.Vfd, "came", nil, net, "stays"))
	recall.User = "stays"
	b.do(payout.TakenBack{Command: liquidation.TakeBackReturn(recall, "stays"), User: "stays"})
	_, differs := b.again()
	require.Empty(t, differs)
}

func TestPartsThatComeBackOfMoneySentBackAndItsRecallAreDecidedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sent := func(ref, id string) (part func(line string, amount money.Kobo) wallet.ReceivePart, recall wallet.TakeBackArrival) {
		b.do(stray(ref, 700_00))
		of, propose, agree, send, pay := backTo(ref, id)
		b.do(propose, agree, send, pay)
		stream := wallet.ArrivalStream(of.Provider, ref)
		return func(line string, amount money.Kobo) wallet.ReceivePart {
			return wallet.ReceivePart{
				Payout: stream, PayoutID: id, Paid: func(state any) bool { return state.(wallet.Arrival).Status == wallet.ArrivalSentBack },
				ReceiveUnmatched: wallet.ReceiveUnmatched{ProviderRef: wallet.PartRef(id, line), Also: []string{line}, Provider: event.Vfd, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Amount: amount, PaidAt: noon},
			}
		}, wallet.TakeBackArrival{
			ProviderRef: ref, Provider: event.Vfd, Gross: 700_00, BackRef: "recall of " + ref, Reason: "A recall",
		}
	}
	part, recall := sent("recalled first", "b")
	b.do(recall, part("first line", 100_00), part("second line", 650_00))

	part, recall = sent("part first", "c")
	b.do(part("one", 100_00), part("two", 50_00), part("three", 25_00))
	_, propose, agree, send, _ := backTo(wallet.PartRef("c", "two"), "d")
	b.do(propose, agree, send)
	_, propose, agree, _, _ = backTo(wallet.PartRef("c", "three"), "e")
	b.do(propose, agree)
	b.refuses(recall, "just now")
	recall.Parts = []string{wallet.PartRef("c", "one"), wallet.PartRef("c", "two"), wallet.PartRef("c", "three")}
	b.do(recall)
	_, differs := b.again()
	require.Empty(t, differs)
}

func TestAClaimOnMoneyAndHowItGoesBackAreDecidedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(stray("came", 700_00))
	of, propose, agree, send, _ := backTo("came", "b")
	proposes, agrees := propose.(payout.ProposeSendBack), agree.(payout.DecideSendBack)
	proposes.Claims, agrees.Claims = []string{"d"}, []string{"d"}
	kase := dispute.Case{DisputeID: "d", User: "tayo", Staff: "sade"}
	b.do(dispute.Claim{
		DisputeID: "d", User: "tayo", Kind: nairav1.DisputeKind_DISPUTE_KIND_NOT_CREDITED, About: "x", Amount: 700_00, Arrival: "arrival",
		Money: wallet.Named{Provider: event.Vfd, ProviderRef: "came"}, Words: &nairav1.Words{PaperId: "w"}, Now: noon,
	})
	b.refuses(propose, "said just now")
	b.refuses(proposes, "in an open dispute")
	b.do(dispute.Take(kase), dispute.Resolve(kase, false, &nairav1.Words{PaperId: "q"}, nil, noon), proposes, agrees,
		dispute.Reopen("d", "tayo", &nairav1.Words{PaperId: "r"}, noon))
	b.refuses(send, "said just now")
	b.do(payout.CallOffMoneyBack(of, "b", "d"), dispute.Withdraw("d", "tayo", ""))
	proposes.ID, agrees.ID = "c", "c"
	b.do(proposes, agrees, payout.SendMoneyBack(of, "c", "Adashi-c", "d"))
	_, differs := b.again()
	require.Empty(t, differs)
}
