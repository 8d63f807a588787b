package payout_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

var (
	strays    = payout.SentMoney{Provider: event.Vfd, ProviderRef: "ref"}
	came      = wallet.ReceiveUnmatched{ProviderRef: "ref", Channel: bank, Provider: event.Vfd, Amount: 700 * money.Naira, Reason: "No such payment.", PaidAt: Epoch}
	back      = payout.ProposeSendBack{SentMoney: strays, ID: "b", User: "bisi", By: "femi", Reason: "Nobody here knows them."}
	agreeBack = payout.DecideSendBack{SentMoney: strays, ID: "b", By: "sade", Approve: true}
	tellsBank = payout.SendMoneyBack(strays, "b", "Adashi-b")
	paysBack  = payout.PayMoneyBack(strays, "b", payout.Receipt{Fee: 10 * money.Naira, ProviderRef: "nip", PaidAt: Epoch})
	cameBack  = payout.ReturnMoneyBack(strays, "b", "nip", "Account dormant")
	recalled  = wallet.TakeBackArrival{ProviderRef: "ref", Provider: event.Vfd, Gross: 700 * money.Naira, BackRef: "recall", Reason: "Recalled"}
	noTo      = payout.DecideSendBack{SentMoney: strays, ID: "b", By: "sade", Reason: "I know them."}
)

// stands holds that so much is in suspense, so much is to leave it, and Adashi has lost so much.
func stands(t *testing.T, w *World, suspense, leaving, lost money.Kobo) {
	t.Helper()
	require.Equal(t, suspense, w.Balance(posting.Unmatched), "in suspense")
	require.Equal(t, leaving, w.Balance(posting.Leaving), "on its way back")
	require.Equal(t, -lost, w.Balance(posting.Losses), "lost")
}

func TestTwoPeopleSendMoneyInSuspenseBack(t *testing.T) {
	t.Parallel()
	w := Given(t, came)
	w.When(back).Then(
		&nairav1.SendBackProposed{ProviderRef: "ref", Provider: "vfd", SendBackId: "b", UserId: "bisi", ProposedBy: "femi", Reason: back.Reason},
		&nairav1.SendBackOpened{SendBackId: "b", Provider: "vfd", ProviderRef: "ref"},
	)
	stands(t, w, 700*money.Naira, 0, 0)
	w.When(agreeBack).Then(
		&nairav1.SendBackAgreed{ProviderRef: "ref", Provider: "vfd", SendBackId: "b", UserId: "bisi", AmountKobo: 70_000, ProposedBy: "femi", ApprovedBy: "sade"},
	)
	stands(t, w, 0, 700*money.Naira, 0)
	w.When(tellsBank).Then(&nairav1.SendBackSent{ProviderRef: "ref", Provider: "vfd", SendBackId: "b", Reference: "Adashi-b"})
	w.When(paysBack).Then(&nairav1.SendBackPaid{
		ProviderRef: "ref", Provider: "vfd", SendBackId: "b", UserId: "bisi", AmountKobo: 70_000, GatewayFeeKobo: 1_000, BankRef: "nip", PaidAt: timestamppb.New(Epoch),
	})
	stands(t, w, 0, 0, 0)
	require.Equal(t, 10*money.Naira, w.Balance(posting.Bank(event.Vfd)), "the whole went back, and Adashi bears the fee")
}

func TestNobodySendsMoneyBackAloneOrDecidesAboutTheirOwn(t *testing.T) {
	t.Parallel()
	own, ties, nobody, unsaid := back, back, back, back
	own.By, ties.OwnMoney, nobody.By, unsaid.Reason = "bisi", true, "", " "
	for _, c := range []event.Command{own, ties, nobody} {
		Given(t, came).When(c).ThenFault(fault.Forbidden)
	}
	Given(t, came).When(unsaid).ThenField("reason")
	alone, herself, tied := agreeBack, agreeBack, agreeBack
	alone.By, herself.By, tied.OwnMoney = "femi", "bisi", true
	for _, c := range []event.Command{alone, herself, tied} {
		Given(t, came, back).When(c).ThenFault(fault.Forbidden)
	}
	for _, who := range []string{"femi", "sade"} {
		frozen := event.Draft{Stream: account.Stream(who), Message: &nairav1.OutgoingFrozen{UserId: who}}
		if who == "femi" {
			require.Error(t, Given(t, came, frozen).When(back).Err, "their account is frozen")
		} else {
			require.Error(t, Given(t, came, back, frozen).When(agreeBack).Err, "their account is frozen")
		}
	}
}

func TestMoneyIsProposedForOneThingAtATime(t *testing.T) {
	t.Parallel()
	member := wallet.ProposeUnmatched{ProviderRef: "ref", Provider: event.Vfd, User: "chidi", By: "femi", Reason: "She showed the slip."}
	credit := wallet.DecideUnmatched{ProviderRef: "ref", Provider: event.Vfd, User: "chidi", By: "sade", Approve: true}
	nobody := wallet.DecideUnmatched{ProviderRef: "ref", Provider: event.Vfd, By: "sade", Approve: true}
	again, other := back, agreeBack
	again.ID, other.ID = "c", "c"
	Given(t).When(back).ThenFault(fault.NotFound)
	Given(t, came).When(agreeBack).ThenFault(fault.Conflict)
	Given(t, came, member).When(back).ThenFault(fault.Conflict)
	Given(t, came, member).When(agreeBack).ThenFault(fault.Conflict)
	Given(t, came, back).When(member).ThenFault(fault.Conflict)
	Given(t, came, back).When(credit).ThenFault(fault.Conflict)
	Given(t, came, back).When(nobody).ThenFault(fault.Conflict)
	Given(t, came, back).When(again).ThenFault(fault.Conflict)
	Given(t, came, back).When(other).ThenFault(fault.Conflict)
	Given(t, came, back, agreeBack).When(agreeBack).ThenFault(fault.Conflict)
	Given(t, came, back, agreeBack).When(noTo).ThenFault(fault.Conflict)
	for _, steps := range [][]any{{agreeBack}, {agreeBack, tellsBank}, {agreeBack, tellsBank, paysBack}} {
		w := Given(t, append([]any{came, back}, steps...)...)
		for _, c := range []event.Command{member, credit, again, came} {
			w.When(c).ThenFault(fault.Conflict)
		}
	}
	require.NoError(t, Given(t, came, back, noTo).When(member).Err)
	require.NoError(t, Given(t, came, member, wallet.DecideUnmatched{ProviderRef: "ref", Provider: event.Vfd, User: "chidi", By: "femi", Reason: "I was wrong."}).When(back).Err)
}

func TestAnAgreementIsAboutTheProposalThatWasSeen(t *testing.T) {
	t.Parallel()
	seen := agreeBack
	seen.Seen = wallet.SendBackProposal("b", "femi", back.Reason, 700*money.Naira)
	require.NoError(t, Given(t, came, back).When(seen).Err)
	seen.Seen = wallet.SendBackProposal("b", "femi", back.Reason, 699*money.Naira)
	Given(t, came, back).When(seen).ThenFault(fault.Conflict)
}

func TestMoneyGoesBackOnceAndEndsOnce(t *testing.T) {
	t.Parallel()
	fails := payout.FailMoneyBack(strays, "b", "Adashi-b", "No such account")
	w := Given(t, came, back, agreeBack)
	w.When(paysBack).ThenFault(fault.Conflict)
	w.When(fails).ThenFault(fault.Conflict)
	w.When(cameBack).ThenFault(fault.Conflict)
	w = Given(t, came, back, agreeBack, tellsBank)
	w.When(payout.SendMoneyBack(strays, "b", "Adashi-2")).ThenFault(fault.Conflict)
	w.When(payout.FailMoneyBack(strays, "b", "", "Nobody was told")).ThenFault(fault.Conflict)
	w.When(payout.PayMoneyBack(strays, "b", payout.Receipt{Fee: 701 * money.Naira})).ThenFault(fault.Conflict)
	w = Given(t, came, back, agreeBack, tellsBank, paysBack)
	w.When(paysBack).ThenFault(fault.Conflict)
	w.When(fails).ThenFault(fault.Conflict)
	w.When(tellsBank).ThenFault(fault.Conflict)
	w.When(payout.CallOffMoneyBack(strays, "b")).ThenFault(fault.Conflict)
}

func TestMoneyThatDidNotGoBackIsInSuspenseAgainAndMayBeDecidedAnew(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string][]any{
		"the account is no more": {agreeBack, payout.FailMoneyBack(strays, "b", "", "No such account")},
		"the bank refused it":    {agreeBack, tellsBank, payout.FailMoneyBack(strays, "b", "Adashi-b", "Refused")},
		"it came back":           {agreeBack, tellsBank, paysBack, cameBack},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := Given(t, append([]any{came, back}, steps...)...)
			stands(t, w, 700*money.Naira, 0, 0)
			w.When(agreeBack).ThenFault(fault.Conflict)
			w.When(cameBack).ThenFault(fault.Conflict)
			again, agree := back, agreeBack
			again.ID, agree.ID = "c", "c"
			require.NoError(t, w.When(again).Err)
			require.NoError(t, w.When(agree).Err)
			w.When(paysBack).ThenFault(fault.Conflict)
		})
	}
}

// The bank of a transfer takes it back, at each moment while we send it back ourselves.
func TestMoneyThatItsBankTakesBackIsNotSentBackAtTheSendersGain(t *testing.T) {
	t.Parallel()
	fails := payout.FailMoneyBack(strays, "b", "Adashi-b", "Refused")
	for name, c := range map[string]struct {
		steps []any
		lost  money.Kobo
	}{
		"while it was proposed":                   {[]any{recalled}, 0},
		"before the bank was told":                {[]any{agreeBack, recalled}, 0},
		"while it was sent, and it is paid":       {[]any{agreeBack, tellsBank, recalled, paysBack}, 700 * money.Naira},
		"while it was sent, and it fails":         {[]any{agreeBack, tellsBank, recalled, fails}, 0},
		"after it was paid":                       {[]any{agreeBack, tellsBank, paysBack, recalled}, 700 * money.Naira},
		"after it was paid, and it comes back":    {[]any{agreeBack, tellsBank, paysBack, recalled, cameBack}, 0},
		"after it had come back":                  {[]any{agreeBack, tellsBank, paysBack, cameBack, recalled}, 0},
		"after it had failed":                     {[]any{agreeBack, tellsBank, fails, recalled}, 0},
		"while it was sent, more than it came to": {[]any{agreeBack, tellsBank, wallet.TakeBackArrival{ProviderRef: "ref", Provider: event.Vfd, Gross: 701 * money.Naira}, fails}, money.Naira},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := Given(t, append([]any{came, back}, c.steps...)...)
			stands(t, w, 0, 0, c.lost)
			w.When(back).ThenFault(fault.Conflict)
			w.When(tellsBank).ThenFault(fault.Conflict)
		})
	}
	part := recalled
	part.Gross = 200 * money.Naira
	stands(t, Given(t, came, back, agreeBack, tellsBank, part, fails), 500*money.Naira, 0, 0)
	w := Given(t, came, back, agreeBack, part)
	stands(t, w, 500*money.Naira, 0, 0)
	again := back
	again.ID = "c"
	require.NoError(t, w.When(again).Err, "the rest is for the desk")
}

func TestWhatCameBackOfMoneySentBackIsTakenInOnce(t *testing.T) {
	t.Parallel()
	stray := wallet.ReceiveUnmatched{ProviderRef: "nip-2", Channel: bank, Provider: event.Vfd, Amount: 700 * money.Naira, PaidAt: Epoch}
	match := payout.MatchMoneyBack(strays, "b", "nip-2", nil, 700*money.Naira)
	w := Given(t, came, back, agreeBack, tellsBank, paysBack, stray)
	w.When(match).ThenFault(fault.Conflict)
	w = Given(t, came, back, agreeBack, tellsBank, paysBack, cameBack, stray)
	stands(t, w, 1400*money.Naira, 0, 0)
	require.NoError(t, w.When(match).Err)
	stands(t, w, 700*money.Naira, 0, 0)
	w.When(match).ThenFault(fault.Conflict)
	itself := payout.MatchMoneyBack(strays, "b", "ref", nil, 700*money.Naira)
	Given(t, came, back, agreeBack, tellsBank, paysBack, cameBack).When(itself).ThenFault(fault.Conflict)

	part := wallet.ReceivePart{ReceiveUnmatched: wallet.ReceiveUnmatched{
		ProviderRef: wallet.ReturnRef("b"), Provider: event.Vfd, Channel: bank, Amount: 100 * money.Naira, PaidAt: Epoch,
	}, Payout: wallet.ArrivalStream(event.Vfd, "ref"), PayoutID: "b", Paid: func(state any) bool { return state.(wallet.Arrival).Status == wallet.ArrivalSentBack }}
	w = Given(t, came, back, agreeBack, tellsBank, paysBack, part)
	stands(t, w, 100*money.Naira, 0, 0)
	w.When(cameBack).ThenFault(fault.Conflict)
}

// The transfer of a return that is told first is known for it, whatever became of later tries.
func TestTheTransferOfAnEarlierReturnIsMatchedAfterALaterTryFailed(t *testing.T) {
	t.Parallel()
	again, agree := back, agreeBack
	again.ID, agree.ID = "c", "c"
	stray := wallet.ReceiveUnmatched{ProviderRef: "nip-2", Channel: bank, Provider: event.Vfd, Amount: 700 * money.Naira, PaidAt: Epoch}
	w := Given(t, came, back, agreeBack, tellsBank, paysBack, cameBack, stray,
		again, agree, payout.FailMoneyBack(strays, "c", "", "No such account"))
	stands(t, w, 1400*money.Naira, 0, 0)
	require.NoError(t, w.When(payout.MatchMoneyBack(strays, "b", "nip-2", nil, 700*money.Naira)).Err)
	stands(t, w, 700*money.Naira, 0, 0)
}

// sentBackPart is a part of the money that came back after it was sent back.
func sentBackPart(line string, amount money.Kobo) wallet.ReceivePart {
	return wallet.ReceivePart{
		ReceiveUnmatched: wallet.ReceiveUnmatched{ProviderRef: wallet.PartRef("b", line), Also: []string{line}, Provider: event.Vfd, Channel: bank, Amount: amount, PaidAt: Epoch},
		Payout:           wallet.ArrivalStream(event.Vfd, "ref"), PayoutID: "b", Paid: func(state any) bool { return state.(wallet.Arrival).Status == wallet.ArrivalSentBack },
	}
}

// recallOf is that the bank takes so much of the money back after parts of it came back by these lines.
func recallOf(amount money.Kobo, lines ...string) wallet.TakeBackArrival {
	c := recalled
	c.Gross = amount
	for _, line := range lines {
		c.Parts = append(c.Parts, wallet.PartRef("b", line))
	}
	return c
}

func TestAPartThatComesBackMakesGoodWhatTheBankHadTakenOfTheMoney(t *testing.T) {
	t.Parallel()
	w := Given(t, came, back, agreeBack, tellsBank, paysBack, recalled)
	w.When(sentBackPart("line", 100*money.Naira)).Then(
		&nairav1.UnmatchedMoneyReceivedV2{ProviderRef: wallet.PartRef("b", "line"), Provider: "vfd", Channel: bank, AmountKobo: 100_00, PaidAt: timestamppb.New(Epoch)},
		&nairav1.ArrivalNamedV2{ProviderRef: "line", Provider: "vfd", KnownAs: wallet.PartRef("b", "line")},
		&nairav1.ArrivalNamedV2{ProviderRef: wallet.ReturnRef("b"), Provider: "vfd", KnownAs: wallet.PartRef("b", "line")},
		&nairav1.SendBackPartReturned{ProviderRef: "ref", Provider: "vfd", SendBackId: "b", PartRef: wallet.PartRef("b", "line"), AmountKobo: 100_00, RecoveredKobo: 100_00},
		&nairav1.ReturnedPartKept{ProviderRef: wallet.PartRef("b", "line"), Provider: "vfd", SendBackId: "b", KeptKobo: 100_00},
	)
	stands(t, w, 0, 0, 600*money.Naira)
	w.When(payout.ProposeSendBack{SentMoney: payout.SentMoney{Provider: event.Vfd, ProviderRef: wallet.PartRef("b", "line")}, ID: "c", By: "femi", Reason: "Nobody knows them."}).ThenFault(fault.Conflict)
	w.When(sentBackPart("line", 100*money.Naira)).ThenFault(fault.Conflict)
	w.When(cameBack).ThenFault(fault.Conflict)
	require.NoError(t, w.When(sentBackPart("second", 500*money.Naira)).Err)
	stands(t, w, 0, 0, 100*money.Naira)
	require.NoError(t, w.When(sentBackPart("more", 250*money.Naira)).Err)
	stands(t, w, 150*money.Naira, 0, 0)
	rest := payout.ProposeSendBack{SentMoney: payout.SentMoney{Provider: event.Vfd, ProviderRef: wallet.PartRef("b", "more")}, ID: "c", By: "femi", Reason: "Nobody knows them."}
	require.NoError(t, w.When(rest).Err, "what came beyond the loss is for the desk")
	agree := agreeBack
	agree.SentMoney, agree.ID = rest.SentMoney, "c"
	require.NoError(t, w.When(agree).Err)
	stands(t, w, 0, 150*money.Naira, 0)
}

func TestWhatTheBankTakesOfMoneySentBackComesFirstOutOfThePartsThatCameBack(t *testing.T) {
	t.Parallel()
	sentBack := []any{came, back, agreeBack, tellsBank, paysBack}
	w := Given(t, append(sentBack, sentBackPart("one", 100*money.Naira), sentBackPart("two", 200*money.Naira))...)
	stands(t, w, 300*money.Naira, 0, 0)
	w.When(recallOf(700*money.Naira, "one")).ThenFault(fault.Unavailable)
	require.NoError(t, w.When(recallOf(700*money.Naira, "one", "two")).Err)
	stands(t, w, 0, 0, 400*money.Naira)
	require.NoError(t, w.When(sentBackPart("three", 50*money.Naira)).Err)
	stands(t, w, 0, 0, 350*money.Naira)

	w = Given(t, append(sentBack, sentBackPart("one", 100*money.Naira), recallOf(40*money.Naira, "one"))...)
	stands(t, w, 60*money.Naira, 0, 0)
	require.NoError(t, w.When(recallOf(70*money.Naira, "one")).Err)
	stands(t, w, 0, 0, 10*money.Naira)
}

func TestAPartThatGoesBackAgainIsCalledOffOrItsLossIsItsOwn(t *testing.T) {
	t.Parallel()
	of := payout.SentMoney{Provider: event.Vfd, ProviderRef: wallet.PartRef("b", "one")}
	again, agree := payout.ProposeSendBack{SentMoney: of, ID: "c", By: "femi", Reason: "Nobody knows them."}, payout.DecideSendBack{SentMoney: of, ID: "c", By: "sade", Approve: true}
	tells, fails := payout.SendMoneyBack(of, "c", "Adashi-c"), payout.FailMoneyBack(of, "c", "Adashi-c", "Refused")
	recall := recallOf(700*money.Naira, "one")
	for name, c := range map[string]struct {
		steps         []any
		leaving, lost money.Kobo
	}{
		"while it was proposed":                {[]any{again, recall}, 0, 600 * money.Naira},
		"before the bank was told":             {[]any{again, agree, recall}, 0, 600 * money.Naira},
		"while it was sent":                    {[]any{again, agree, tells, recall}, 100 * money.Naira, 700 * money.Naira},
		"while it was sent, and then it fails": {[]any{again, agree, tells, recall, fails}, 0, 600 * money.Naira},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := Given(t, append([]any{came, back, agreeBack, tellsBank, paysBack, sentBackPart("one", 100*money.Naira)}, c.steps...)...)
			stands(t, w, 0, c.leaving, c.lost)
		})
	}
}
