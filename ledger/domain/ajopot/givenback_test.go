package ajopot_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoback"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
)

// givenBack is that somebody's account, which a thief has used for an hour, is given back.
func (l *life) givenBack(n int) event.Draft {
	return event.On(account.Stream(person(n)), &nairav1.AccountGivenBackV2{
		UserId: person(n), RemedyId: "r", Since: timestamppb.New(l.now.Add(-time.Hour)), HeldUntil: timestamppb.New(l.now),
	})
}

// givesBack has somebody's account given back, and what they said in the ajo ended.
func (l *life) givesBack(n int) {
	back := ajoback.Of(l.ajo(), ajoID, person(n))
	l.refuses(back, fault.Conflict, "was not given back")
	l.at(l.now.Add(time.Minute))
	l.And(l.givenBack(n))
	l.do(back)
	l.refuses(back, fault.Conflict, "Nothing in this ajo waits")
}

func TestAMotionIsNotCarriedByTheVoteOfAThief(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nil)
	l.do(ajo.Move{AjoID: ajoID, MotionID: "m", By: person(1), Kind: pause, Reason: "Because of it", Now: l.now})
	l.do(ajo.VoteMotion(ajoID, "m", person(2), true, l.now))
	l.givesBack(2)
	l.do(ajo.VoteMotion(ajoID, "m", person(3), true, l.now))
	require.NotEqual(t, ajo.Paused, l.ajo().Status)
	l.do(ajo.VoteMotion(ajoID, "m", person(2), true, l.now))
	require.Len(t, l.ajo().Pauses, 1, "they vote again")
}

func TestASwapThatAThiefAgreedToEndsAndSoDoesTheSearchForSomebodyWhoTakesThePlaceOver(t *testing.T) {
	t.Parallel()
	l := ordered(t, 5, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nil)
	l.do(ajo.ProposeSwap(ajoID, "s", person(2), 2, 4))
	l.do(ajo.AgreeSwap(ajoID, "s", person(4)))
	l.do(ajo.OpenPlace(ajoID, person(4), 4, l.now))
	l.do(ajo.OpenPlace(ajoID, person(5), 5, l.now))
	l.givesBack(4)
	require.Empty(t, l.ajo().Swaps)
	require.Len(t, l.ajo().Openings, 1, "the place of another is still given up")
	l.refuses(ajo.AgreeSwap(ajoID, "s", person(1)), fault.NotFound, "no such swap")
}

func TestAPotIsNotPaidOutByTheApprovalOfAThief(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nil)
	l.at(morning(l.ajo().Due(1)))
	for n := 1; n <= 4; n++ {
		l.do(l.pay(n))
	}
	l.do(l.judge())
	collects := l.holder(l.ajo().Order[0])
	others := slices.DeleteFunc([]int{2, 3, 4}, func(n int) bool { return n == collects }) // Beside the owner, whose word it needs.
	l.do(l.ask(1, collects))
	l.do(l.approve(1, others[0]))
	l.givesBack(others[0])
	require.Empty(t, l.cycle(1).Approvals)
	l.do(l.approve(1, 1))
	require.False(t, l.cycle(1).PaidOut, "it takes another approval")
	l.do(l.approve(1, others[0]))
	require.True(t, l.cycle(1).PaidOut)
	l.refuses(ajoback.Of(l.ajo(), ajoID, person(others[0])), fault.Conflict, "Nothing in this ajo waits")
}

func TestAVoteAndABidOfAThiefDoNotChooseWhoCollects(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_NEED, nil)
	l.do(ajopot.VoteNeed(ajoID, 1, person(2), 4, l.now))
	l.do(ajopot.VoteNeed(ajoID, 1, person(3), 4, l.now))
	l.givesBack(2)
	require.Equal(t, []ajopot.Vote{{User: person(3), For: 4}}, l.cycle(1).Votes)

	l = ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_BIDDING, nil)
	hash := ajopot.BidHash(1, 2, 1_000_00, []byte("salt"))
	l.do(ajopot.CommitBid(ajoID, 1, 2, person(2), hash[:], l.now))
	l.givesBack(2)
	require.Empty(t, l.cycle(1).Bids)
}

// Bidding may be over by the time that the account is given back, so that the member could not bid again.
func TestABidThatAMemberSealedBeforeTheTheftStays(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_BIDDING, nil)
	hash := ajopot.BidHash(1, 2, 1_000_00, []byte("salt"))
	l.do(ajopot.CommitBid(ajoID, 1, 2, person(2), hash[:], l.now))
	l.at(l.now.Add(2 * time.Hour))
	l.And(l.givenBack(2))
	l.refuses(ajoback.Of(l.ajo(), ajoID, person(2)), fault.Conflict, "Nothing in this ajo waits")
	require.Len(t, l.cycle(1).Bids, 1)
}

// The member's own transfer or card pays it, and a thief said what it is for.
func TestAPaymentThatAThiefBeganPaysNothingInTheAjo(t *testing.T) {
	t.Parallel()
	l := five(t, nil)
	l.do(wallet.StartPayment{PaymentID: "p", User: person(3), Channel: transfer, Provider: event.Vfd, Amount: share, ExpiresAt: l.now.AddDate(1, 0, 0)})
	l.at(l.now.Add(time.Minute))
	l.And(l.givenBack(3))
	pay := l.pay(3)
	pay.PaymentID, pay.Amount = "p", share
	confirm := wallet.ConfirmPayment{PaymentID: "p", User: person(3), Provider: event.Vfd, Gross: share, ProviderRef: "p", PaidAt: l.now}
	l.do(ajopot.ByPayment{Confirm: confirm, AjoID: ajoID, Amount: share, Pay: pay})
	require.EqualValues(t, funds+share, l.wallet(3))
	require.Contains(t, l.Drafts[len(l.Drafts)-1].Message.(*nairav1.AjoContributionRefused).GetReason(), "Somebody else used your account")
}
