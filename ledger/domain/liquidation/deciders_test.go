package liquidation_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/disputed"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

const matched = nairav1.BvnFailure_BVN_FAILURE_UNSPECIFIED

// owns is a payment of the group to the asker's own bank account.
func owns(id, user string, naira money.Kobo) liquidation.Request {
	r := asks(id, user, disburse, naira)
	r.OwnAccount = true
	return r
}

func TestAnOwnerWithTwoPuppetsDoesNotDrainTheGroup(t *testing.T) {
	t.Parallel()
	theft := of("l", "ada", disburse)
	w := Given(t, founded(true, "bola"), owns("l", "ada", 150_000))
	w.And( // While it is open both puppets get an office, and the honest approver loses theirs.
		savings.AppointValidator{GroupID: "g", User: "eve", By: "ada", Owner: "ada"},
		savings.AppointApprover{GroupID: "g", User: "bisi", By: "ada"}, savings.RemoveApprover{GroupID: "g", User: "bola", By: "ada"},
	)
	refused(t, w, liquidation.Approve(theft, "eve"), fault.Forbidden, "you were not one of them")
	refused(t, w, liquidation.Approve(theft, "bisi"), fault.Forbidden, "you were not one of them")
	refused(t, w, liquidation.Approve(theft, "vera"), fault.Forbidden, "Only the group's validator")
	refused(t, w, liquidation.Approve(theft, "bola"), fault.Forbidden, "Only the group's validator")
	w.And(liquidation.Expire(theft, Epoch.Add(liquidation.Open)))
	again := owns("m", "ada", 150_000)
	again.Officers.Users = []string{"ada", "eve", "bisi"}
	refused(t, w, again, fault.Conflict, "Too few people can decide on this yet, so nothing was taken. One official's office")
	require.Equal(t, 150_000*money.Naira, w.Balance(pool))
}

func TestWhoLeftIsReplacedByNobody(t *testing.T) {
	t.Parallel()
	bill := of("l", "ada", disburse)
	w := Given(t, founded(true, "bola", "chi"), asks("l", "ada", disburse, 5_000), liquidation.Approve(bill, "vera"), liquidation.Approve(bill, "bola"))
	w.And(savings.RemoveApprover{GroupID: "g", User: "chi", By: "ada"})
	l := stands(t, w, "l")
	require.Equal(t, []any{liquidation.Validated, 2}, []any{l.Status, liquidation.Needed(w.State("group:g").(savings.Group), l)}, "it waits for an approval that nobody can give")
	w.And(liquidation.Expire(bill, Epoch.Add(liquidation.Open)))
}

func TestAnOfficeCountsForMoneyAfterThreeDays(t *testing.T) {
	t.Parallel()
	at := func(after time.Duration) liquidation.Request {
		r := asks("l", "ada", disburse, 1_000)
		r.At = Epoch.Add(after)
		return r
	}
	w := Given(t, founded(true), savings.AppointApprover{GroupID: "g", User: "bola", By: "ada"})
	refused(t, w, at(savings.CoolOff-time.Microsecond), fault.Conflict, "counts from 18 November 2026, 12:00")
	w.And(at(savings.CoolOff))
	require.Equal(t, []string{"bola"}, stands(t, w, "l").Deciders.Approvers)
}

func TestOfficialsWithoutABvnOrWithAnInterestDoNotDecide(t *testing.T) {
	t.Parallel()
	w := Given(t, founded(true, "bola", "chi"), account.MoveBank("bola", true))
	w.And(asks("l", "bisi", withdrawal, 1_000))
	require.Equal(t, []string{"ada", "chi"}, stands(t, w, "l").Deciders.Approvers)

	shared := asks("m", "eve", disburse, 1_000)
	shared.Officers.Interested = []string{"vera", "ada"}
	w.And(account.EndCheck("bola", "d", matched), shared)
	require.Equal(t, liquidation.Deciders{Validators: []string{"bola", "chi"}, Approvers: []string{"bola", "chi"}, Needed: 1, Shown: true}, stands(t, w, "m").Deciders,
		"an approver validates in the place of a validator who may not")

	shared = asks("n", "vera", withdrawal, 1_000)
	shared.Officers.Interested = []string{"ada", "bola"}
	w.And(saves("vera", 2_000))
	refused(t, w, shared, fault.Conflict, "shares a bank account or a BVN")
	unknown := asks("n", "vera", withdrawal, 1_000)
	unknown.Officers.Users = []string{"ada", "bola", "vera"}
	refused(t, w, unknown, fault.Conflict, "other officials since just now")
}

func TestAPaymentToAnOfficialsOwnAccountTakesAllApprovers(t *testing.T) {
	t.Parallel()
	w := Given(t, founded(true, "bola", "chi"), drafted("group:g", &nairav1.ApproverAppointed{GroupId: "g", UserId: "bisi"}), Epoch.Add(savings.CoolOff))
	r := owns("l", "ada", 5_000)
	r.Officers.Users, r.At = append(r.Officers.Users, "bisi"), Epoch.Add(savings.CoolOff)
	w.And(r)
	require.Equal(t, 3, stands(t, w, "l").Deciders.Needed)
	plain := owns("m", "eve", 5_000)
	plain.Officers.Users, plain.At = r.Officers.Users, r.At
	w.And(plain)
	require.Equal(t, 2, stands(t, w, "m").Deciders.Needed, "eve holds no office")
}

func TestAPaymentOfTheGroupWaitsForItsNotice(t *testing.T) {
	t.Parallel()
	bill, mine := of("l", "ada", disburse), of("m", "bisi", withdrawal)
	agreed := func(o liquidation.Of) []any {
		return []any{liquidation.Approve(o, "vera"), liquidation.Approve(o, "bola"), liquidation.Approve(o, "chi")}
	}
	w := Given(t, founded(true, "bola", "chi"), asks("l", "ada", disburse, 5_000), agreed(bill), asks("m", "bisi", withdrawal, 5_000), agreed(mine))
	refused(t, w, liquidation.Send(bill, "r", noticed.Add(-time.Microsecond)), fault.Conflict, "can object until 16 November 2026, 12:00")
	w.And(liquidation.Send(bill, "r", noticed), liquidation.Send(mine, "s", Epoch)) // One's own savings wait for nobody.
}

func TestWhoDisputesAPayoutDoesNotWithdrawWhatTheyHoldForIt(t *testing.T) {
	t.Parallel()
	until := Epoch.Add(disputed.For)
	past := []any{founded(true, "bola", "chi"), drafted(disputed.Stream("s"), &nairav1.DisputedMoneyHeld{
		DisputeId: "d", UserId: "bisi", GroupId: "g", SubAccountId: "s", LiquidationId: "x", AmountKobo: int64(40_000 * money.Naira), Until: timestamppb.New(until),
	})}
	w := Given(t, past...)
	refused(t, w, asks("m", "bisi", withdrawal, 60_001), fault.Insufficient, "Ask for ₦60,000.00 at most")
	later := asks("m", "bisi", withdrawal, 100_000)
	later.At = until
	Given(t, past...).And(later) // A hold that is over holds nothing.
	w.And(asks("m", "bisi", withdrawal, 60_000))
}

func TestTwoMembersPutAPaymentOnHoldUntilItsApproversAnswer(t *testing.T) {
	t.Parallel()
	bill := of("l", "ada", disburse)
	w := Given(t, founded(true, "bola", "chi"), asks("l", "ada", disburse, 5_000), liquidation.Approve(bill, "vera"), liquidation.Approve(bill, "bola"), liquidation.Approve(bill, "chi"))
	refused(t, w, liquidation.Object(bill, "ada", "Why?", Epoch), fault.Forbidden, "You asked for this")
	refused(t, w, liquidation.Object(bill, "stranger", "Why?", Epoch), fault.NotFound, "no such request")
	refused(t, w, liquidation.Object(bill, "bisi", "Why?", noticed), fault.Conflict, "too late")
	require.Contains(t, may(w, "l", "bisi"), "OBJECT")
	w.And(liquidation.Object(bill, "bisi", "What is it for?", Epoch))
	refused(t, w, liquidation.Object(bill, "bisi", "Why?", Epoch), fault.Conflict, "objected already")
	refused(t, w, liquidation.Answer(bill, "bola", "It was agreed", Epoch), fault.Conflict, "not on hold")
	w.And(liquidation.Object(bill, "eve", "I know nothing of it", Epoch))
	require.Equal(t, liquidation.OnHold, stands(t, w, "l").Status)
	refused(t, w, liquidation.Send(bill, "r", noticed), fault.Conflict, "on hold")

	refused(t, w, liquidation.Answer(bill, "ada", "It is mine", Epoch), fault.Forbidden, "their own request")
	refused(t, w, liquidation.Answer(bill, "vera", "It is fine", Epoch), fault.Forbidden, "The approvers who decide")
	require.Equal(t, []string{"ANSWER", "REJECT", "DISPUTE"}, may(w, "l", "bola"))
	rejected := Given(t, founded(true, "bola", "chi"), asks("l", "ada", disburse, 5_000), liquidation.Object(bill, "bisi", "Why?", Epoch), liquidation.Object(bill, "eve", "Why?", Epoch), liquidation.Reject(bill, "bola", "They are right"))
	require.Equal(t, 150_000*money.Naira, rejected.Balance(pool))

	w.And(liquidation.Answer(bill, "bola", "It was agreed in June", Epoch))
	require.Equal(t, liquidation.OnHold, stands(t, w, "l").Status, "it needs as many answers as approvals")
	w.And(liquidation.Answer(bill, "chi", "It was", noticed))
	require.Equal(t, []any{liquidation.Approved, noticed.Add(24 * time.Hour)}, []any{stands(t, w, "l").Status, stands(t, w, "l").PayableFrom})
	refused(t, w, liquidation.Object(bill, "bisi", "Again", noticed), fault.Conflict, "have answered")
	refused(t, w, liquidation.Send(bill, "r", noticed), fault.Conflict, "can object until")
	w.And(liquidation.Send(bill, "r", noticed.Add(24*time.Hour)))
}

func TestWhoJoinedSinceOrRestsDoesNotObject(t *testing.T) {
	t.Parallel()
	bill := of("l", "ada", disburse)
	resting := []any{founded(true, "bola"), drafted("member:g:eve", &nairav1.MemberDeactivatedV2{GroupId: "g", UserId: "eve"}), Epoch.Add(time.Microsecond)}
	late := asks("l", "ada", disburse, 5_000)
	late.At = Epoch.Add(time.Microsecond)
	w := Given(t, resting, late, Epoch.Add(time.Second), drafted("member:g:dayo", &nairav1.MembershipApproved{GroupId: "g", UserId: "dayo"}),
		drafted("member:g:bisi", &nairav1.MemberDeactivatedV2{GroupId: "g", UserId: "bisi"}))
	refused(t, w, liquidation.Object(bill, "dayo", "Why?", Epoch), fault.Forbidden, "active members")
	refused(t, w, liquidation.Object(bill, "eve", "Why?", Epoch), fault.Forbidden, "active members")
	w.And(liquidation.Object(bill, "bisi", "I was made inactive so that I keep quiet", Epoch))
	own := of("m", "bisi", withdrawal)
	w.And(asks("m", "bisi", withdrawal, 5_000))
	refused(t, w, liquidation.Object(own, "chi", "Why?", Epoch), fault.Conflict, "own savings")
}

func TestARequestOfBeforeDecidersWereFixedIsDecidedByWhoHeldOfficeThen(t *testing.T) {
	t.Parallel()
	old := of("l", "bisi", withdrawal)
	w := Given(t, founded(false, "bola"), drafted(liquidation.Stream("l"), &nairav1.LiquidationRequestedV2{
		LiquidationId: "l", GroupId: "g", SubAccountId: "s", RequestedBy: "bisi", Kind: withdrawal, AmountKobo: 100_00, Provider: string(event.Vfd),
	}), drafted(savings.RequestsStream("g", "bisi"), &nairav1.RequestsCounted{GroupId: "g", UserId: "bisi", WithdrawalId: "l"}))
	w.And(Epoch.Add(time.Minute), savings.AppointApprover{GroupID: "g", User: "chi", By: "ada"}, liquidation.Approve(old, "vera"))
	refused(t, w, liquidation.Approve(old, "chi"), fault.Forbidden, "you were not one of them")
	w.And(liquidation.Approve(old, "bola"), liquidation.Approve(old, "ada"), liquidation.Send(old, "r", Epoch))
}

func TestAClosedAccountDecidesNothing(t *testing.T) {
	t.Parallel()
	gone := account.Close{User: "bola"}
	taken := of("l", "bisi", withdrawal)
	w := Given(t, founded(false, "bola"), gone, asks("l", "bisi", withdrawal, 60_000))
	require.NotContains(t, stands(t, w, "l").Deciders.Approvers, "bola")
	w.And(liquidation.Approve(taken, "vera"), liquidation.Approve(taken, "ada"))
	require.Equal(t, liquidation.Approved, stands(t, w, "l").Status, "one approval is enough where only one may give it")

	w = Given(t, founded(true, "bola", "chi"), gone, asks("l", "bisi", withdrawal, 1_000))
	require.Equal(t, []string{"ada", "chi"}, stands(t, w, "l").Deciders.Approvers)
	alone := Given(t, founded(true, "bola"), gone)
	refused(t, alone, asks("m", "ada", disburse, 1_000), fault.Conflict, "Too few people can decide on this yet, so nothing was taken. One official has closed their account.")
}

func TestAFrozenAccountDecidesNothing(t *testing.T) {
	t.Parallel()
	bill := of("l", "eve", disburse)
	freezes := account.Freeze{User: "bola", HoldID: "h", Now: Epoch}
	w := Given(t, founded(true, "bola", "chi"), asks("l", "eve", disburse, 50_000), liquidation.Approve(bill, "vera"), freezes)
	refused(t, w, liquidation.Approve(bill, "bola"), fault.Conflict, "Your money is frozen")
	w.And(liquidation.Approve(bill, "chi"), liquidation.Approve(bill, "ada"))
	require.Equal(t, liquidation.Approved, stands(t, w, "l").Status, "the others decide meanwhile")

	thawed := Epoch.Add(account.ThawAfter)
	w = Given(t, founded(true, "bola"), freezes, asks("l", "eve", disburse, 50_000))
	require.Contains(t, stands(t, w, "l").Deciders.Approvers, "bola", "nobody's freeze makes fewer approvals needed")
	w.And(liquidation.Approve(bill, "vera"), account.AskThaw{User: "bola", Now: Epoch}, thawed, account.Thaw{User: "bola", Now: thawed})
	w.And(liquidation.Approve(bill, "bola"), liquidation.Approve(bill, "ada"))
	require.Equal(t, liquidation.Approved, stands(t, w, "l").Status)
}

func TestAnApprovalThatWasGivenBeforeAFreezeCounts(t *testing.T) {
	t.Parallel()
	bill := of("l", "eve", disburse)
	for name, event := range map[string]event.Command{"frozen": account.Freeze{User: "bola", HoldID: "h", Now: Epoch}, "closed": account.Close{User: "bola"}} {
		w := Given(t, founded(true, "bola", "chi"), asks("l", "eve", disburse, 50_000), liquidation.Approve(bill, "vera"), liquidation.Approve(bill, "bola"), event)
		w.And(liquidation.Approve(bill, "ada"))
		require.Equal(t, liquidation.Approved, stands(t, w, "l").Status, name)
	}
}

// The person who asks and those who decide are the ones who could silence members first; others have no part in it.
func TestTheAskerDoesNotSilenceTheOthersFirst(t *testing.T) {
	t.Parallel()
	silences := func(user, by string) savings.DeactivateMember {
		return savings.DeactivateMember{GroupID: "g", User: user, By: by, Reason: "They ask too much"}
	}
	bill := of("l", "ada", disburse)
	asked := asks("l", "ada", disburse, 50_000)
	for name, c := range map[string]struct {
		by    string
		early time.Duration
		hears bool
	}{
		"the asker":           {"ada", time.Minute, true},
		"a decider":           {"bola", 30 * 24 * time.Hour, true},
		"longer than a month": {"ada", 31 * 24 * time.Hour, false},
	} {
		past := append(founded(true, "bola", "chi"), Epoch.Add(-c.early), silences("bisi", c.by), silences("eve", c.by), Epoch, asked)
		w := Given(t, past...)
		for _, user := range []string{"bisi", "eve"} {
			objects := liquidation.Object(bill, user, "What is it for?", Epoch)
			if !c.hears {
				refused(t, w, objects, fault.Forbidden, "active members")
				continue
			}
			w.And(objects)
		}
		require.Equal(t, c.hears, stands(t, w, "l").Status == liquidation.OnHold, name)
	}
}

func TestAnApprovalOfAnApproverWhoLostTheirOfficeDoesNotCount(t *testing.T) {
	t.Parallel()
	bill, loses := of("l", "bisi", disburse), savings.RemoveApprover{GroupID: "g", User: "bola", By: "ada"}
	w := Given(t, founded(true, "bola", "chi"), asks("l", "bisi", disburse, 100_000), liquidation.Approve(bill, "vera"), liquidation.Approve(bill, "bola"), loses)
	w.And(liquidation.Approve(bill, "chi"))
	require.Equal(t, liquidation.Validated, stands(t, w, "l").Status, "chi alone has approved of those who may")
	w.And(Epoch.Add(time.Minute), savings.AppointApprover{GroupID: "g", User: "bola", By: "ada"})
	require.Contains(t, may(w, "l", "bola"), "APPROVE", "an approver who came back approves again")
	w.And(liquidation.Approve(bill, "bola"))
	require.Equal(t, []any{liquidation.Approved, []string{"chi", "bola"}}, []any{stands(t, w, "l").Status, stands(t, w, "l").Approvals})

	w = Given(t, founded(true, "bola", "chi"), asks("l", "bisi", disburse, 100_000), liquidation.Object(bill, "eve", "Why?", Epoch), liquidation.Object(bill, "vera", "Why?", Epoch),
		liquidation.Answer(bill, "bola", "It was agreed", Epoch), loses, liquidation.Answer(bill, "chi", "It was", Epoch))
	require.Equal(t, liquidation.OnHold, stands(t, w, "l").Status, "an answer of an approver who lost their office does not count either")
}

func TestFewerApprovalsAreNeverEnoughBecauseAnApproverMayNotDecide(t *testing.T) {
	t.Parallel()
	for name, bar := range map[string]func(*liquidation.Request){
		"shares an account with the asker": func(r *liquidation.Request) { r.Officers.Interested = []string{"bola"} },
		"would be paid":                    func(r *liquidation.Request) { r.Officers.Paid = []string{"bola"} },
		"shares an account with another":   func(r *liquidation.Request) { r.Officers.Together = [][]string{{"ada", "bola"}} },
	} {
		r := asks("l", "bisi", disburse, 1_000)
		bar(&r)
		refused(t, Given(t, founded(true, "bola")), r, fault.Conflict, "Another approver must be appointed first.")
		w := Given(t, founded(true, "bola", "chi"), r)
		require.Equal(t, []any{[]string{"ada", "chi"}, 2}, []any{stands(t, w, "l").Deciders.Approvers, stands(t, w, "l").Deciders.Needed}, name)
	}
	unknown := Given(t, founded(true, "bola"), account.MoveBank("bola", true))
	refused(t, unknown, asks("l", "bisi", disburse, 1_000), fault.Conflict, "One official has not verified their BVN, which they do in their profile. Another approver must be appointed first.")
	Given(t, founded(true, "bola"), asks("l", "ada", disburse, 1_000)) // Where the group has one other approver, one is enough.
}

func TestAPaymentToAnOfficialsAccountTakesAllApproversWhoeverAsks(t *testing.T) {
	t.Parallel()
	r := asks("l", "bisi", disburse, 1_000)
	r.Officers.Paid = []string{"vera"}
	w := Given(t, founded(true, "bola", "chi"), r)
	d := stands(t, w, "l").Deciders
	require.Equal(t, []any{true, 2, []string{"ada", "bola", "chi"}}, []any{d.OwnAccount, d.Needed, d.Validators}, "one validates in her place, and all others approve")
}

func TestOnlyAPersonWhomABankKnowsAsksForAGroupsMoney(t *testing.T) {
	t.Parallel()
	w := Given(t, founded(true, "bola", "chi"), account.MoveBank("eve", true))
	refused(t, w, asks("l", "eve", disburse, 1_000), fault.Conflict, "verify your BVN in your profile first")
}
