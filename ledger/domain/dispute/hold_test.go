package dispute_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/disputed"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

const naira = money.Naira

// bill is a payment of ₦8,000 that ada asks of the group's ₦10,000, of which bisi saved ₦3,000.
var bill = liquidation.Of{LiquidationID: "l", GroupID: "g", SubAccountID: "s", RequestedBy: "ada", Kind: nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT, Provider: event.Vfd}

func billed() []any {
	saves := func(user string, amount money.Kobo) []any {
		return []any{
			event.On("payment:"+user, &nairav1.PaymentConfirmedV2{PaymentId: user, UserId: user, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: string(event.Vfd), AmountKobo: int64(amount)}),
			event.On(dues.Stream("s", user), &nairav1.ContributionReceived{GroupId: "g", SubAccountId: "s", UserId: user, AmountKobo: int64(amount), MemberTotalKobo: int64(amount)}),
		}
	}
	past := append(saves("bisi", 3_000*naira), saves("chi", 7_000*naira)...)
	return append(past,
		event.On(savings.GroupStream("g"), &nairav1.GroupCreated{GroupId: "g", OwnerId: "ada", Name: "Traders", MemberCapacity: 9}),
		event.On(liquidation.Stream("l"), &nairav1.LiquidationRequestedV2{
			LiquidationId: "l", GroupId: "g", SubAccountId: "s", RequestedBy: "ada", Kind: bill.Kind, AmountKobo: int64(8_000 * naira), Provider: string(event.Vfd), Reason: "A tent",
			ExpiresAt: timestamppb.New(monday.Add(liquidation.Open)),
		}),
		event.On(liquidation.Stream("l"), &nairav1.LiquidationApproved{LiquidationId: "l", GroupId: "g", ApprovedBy: "vera", Approvals: 1, Needed: 1}),
	)
}

// disputesBill is a dispute about the bill.
func disputesBill(id, user string) dispute.Claim {
	c := claim(id, nairav1.DisputeKind_DISPUTE_KIND_WRONG_AMOUNT, "request l "+id)
	c.User, c.Group, c.Sub = user, "g", "s"
	return c
}

func holds(id string, amount money.Kobo, now time.Time) dispute.HoldPayout {
	return dispute.HoldPayout{DisputeID: id, User: "bisi", Of: bill, Amount: amount, Now: now}
}

var caseOfBill = dispute.Case{DisputeID: "d", User: "bisi", Staff: "sade", Group: "g", Sub: "s"}

func sends(now time.Time) event.Command { return liquidation.Send(bill, "r", now, "bisi") }

func TestAPayoutWaitsOnlyWhenTooLittleStaysForWhatIsDisputed(t *testing.T) {
	t.Parallel()
	Given(t, billed()...).And(disputesBill("d", "bisi"), holds("d", 2_000*naira, monday), sends(monday)) // ₦2,000 stay.
	w := Given(t, billed()...).And(disputesBill("d", "bisi"))
	week := monday.Add(disputed.For)
	w.When(holds("d", 2_000*naira+1, monday)).Then(
		&nairav1.DisputeHoldAsked{DisputeId: "d", UserId: "bisi", GroupId: "g", SubAccountId: "s", LiquidationId: "l", AmountKobo: 200_001, Until: timestamppb.New(week)},
		&nairav1.DisputedMoneyHeld{DisputeId: "d", UserId: "bisi", GroupId: "g", SubAccountId: "s", LiquidationId: "l", AmountKobo: 200_001, Until: timestamppb.New(week)})
	w.When(sends(week.Add(-time.Microsecond))).ThenFault(fault.Conflict)
	require.Equal(t, 2_000*naira, w.Balance(posting.Pool("s")), "nothing moved")
	w.And(sends(week))
}

func TestAHoldEndsWithItsDispute(t *testing.T) {
	t.Parallel()
	held := func() *World {
		return Given(t, billed()...).And(disputesBill("d", "bisi"), holds("d", 3_000*naira, monday), dispute.Take(caseOfBill))
	}
	freed := func(why nairav1.DisputeHoldEnd) *nairav1.DisputedMoneyFreed {
		return &nairav1.DisputedMoneyFreed{DisputeId: "d", UserId: "bisi", GroupId: "g", SubAccountId: "s", LiquidationId: "l", AmountKobo: 300_000, Why: why}
	}
	over := &nairav1.DisputeCounted{UserId: "bisi", DisputeId: "d", About: "request l d"}
	forNothing := &nairav1.DisputeHoldRejected{UserId: "bisi", DisputeId: "d"}
	w := held()
	w.When(dispute.Withdraw("d", "bisi", "s")).Then(&nairav1.DisputeWithdrawn{DisputeId: "d", UserId: "bisi"}, over, forNothing, freed(nairav1.DisputeHoldEnd_DISPUTE_HOLD_END_WITHDRAWN))
	w.And(sends(monday))
	held().When(dispute.Withdraw("d", "bisi", "")).ThenFault(fault.NotFound)
	w = held()
	w.When(dispute.Resolve(caseOfBill, true, said, nil, monday)).Then(
		&nairav1.DisputeResolved{DisputeId: "d", UserId: "bisi", StaffId: "sade", Upheld: true, Words: said, ReopenUntil: timestamppb.New(monday.Add(dispute.ReopenIn))},
		over, freed(nairav1.DisputeHoldEnd_DISPUTE_HOLD_END_DECIDED))
	w = held()
	w.And(dispute.Resolve(caseOfBill, false, said, nil, monday))
	require.Len(t, w.State(dispute.MemberStream("bisi")).(dispute.Disputes).Rejected, 1)
	w = held()
	w.When(dispute.Tick("d", "s", monday.Add(disputed.For-time.Microsecond))).Then(
		&nairav1.DisputeOverdue{DisputeId: "d", UserId: "bisi", Clock: nairav1.DisputeClock_DISPUTE_CLOCK_DECIDE, Due: timestamppb.New(monday.Add(dispute.PaymentIn))})
	w.When(dispute.Tick("d", "s", monday.Add(disputed.For))).Then(freed(nairav1.DisputeHoldEnd_DISPUTE_HOLD_END_EXPIRED))
	w.When(dispute.Tick("d", "s", monday.Add(disputed.For))).ThenFault(fault.Conflict)
}

func TestWhatIsHeldIsTheMembersOwnAndOfAPayoutThatStillWaits(t *testing.T) {
	t.Parallel()
	open := func() *World { return Given(t, billed()...).And(disputesBill("d", "bisi")) }
	open().When(holds("d", 3_001*naira, monday)).ThenField("amount")
	open().When(holds("d", 0, monday)).ThenField("amount")
	other := holds("d", naira, monday)
	other.Of.SubAccountID = "another"
	open().When(other).ThenFault(fault.NotFound)
	other = holds("d", naira, monday)
	other.User = "chi"
	open().When(other).ThenFault(fault.NotFound)
	stranger := dispute.HoldPayout{DisputeID: "e", User: "eve", Of: bill, Amount: naira, Now: monday}
	open().And(disputesBill("e", "eve")).When(stranger).ThenFault(fault.Forbidden)
	asker := dispute.HoldPayout{DisputeID: "e", User: "ada", Of: bill, Amount: naira, Now: monday}
	open().And(disputesBill("e", "ada")).When(asker).ThenFault(fault.Forbidden)
	open().And(sends(monday)).When(holds("d", naira, monday)).ThenFault(fault.Conflict)
	twice := open().And(holds("d", 2_000*naira, monday), disputesBill("e", "bisi"))
	twice.When(holds("d", naira, monday)).ThenFault(fault.Conflict)
	twice.When(holds("e", 1_001*naira, monday)).ThenField("amount")
	twice.And(holds("e", 1_000*naira, monday))
}

func TestWhoHeldForNothingTwiceAsksSupportFirstForNinetyDays(t *testing.T) {
	t.Parallel()
	w := Given(t, billed()...)
	for _, id := range []string{"a", "b"} {
		w.And(monday, disputesBill(id, "bisi"), holds(id, naira, monday), dispute.Withdraw(id, "bisi", "s"))
	}
	later := monday.Add(90*24*time.Hour - time.Microsecond)
	w.And(disputesBill("d", "bisi"))
	w.When(holds("d", 3_000*naira, later)).Then(&nairav1.DisputeHoldAsked{DisputeId: "d", UserId: "bisi", GroupId: "g", SubAccountId: "s", LiquidationId: "l", AmountKobo: 300_000})
	allow := dispute.AllowHold{Case: caseOfBill, Of: bill, Now: later}
	w.When(allow).ThenFault(fault.Conflict) // Nobody has the case.
	w.And(dispute.Take(caseOfBill))
	w.When(sends(later)).Then(&nairav1.LiquidationSent{LiquidationId: "l", GroupId: "g", Reference: "r"})

	w = Given(t, billed()...)
	w.And(disputesBill("d", "bisi"), dispute.Take(caseOfBill))
	w.When(allow).ThenFault(fault.Conflict) // No hold is asked for.
	w.And(holds("d", 3_000*naira, monday))
	allow.Now = monday.Add(disputed.For)
	w.When(allow).ThenFault(fault.Conflict) // It is over.
	allow.Now = monday.Add(disputed.For - time.Microsecond)
	w.And(allow)
	w.When(sends(monday.Add(2*disputed.For - time.Microsecond))).ThenFault(fault.Conflict)
	w.When(allow).ThenFault(fault.Conflict) // Once.
}

// The bank never gets so much that less stays than others than the asker dispute, whatever is held, sent and freed in
// whichever order.
func TestNoPayoutLeavesLessThanIsDisputed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := Given(t, billed()...)
		now := monday
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 5).Draw(t, "days")) * 24 * time.Hour)
			id := rapid.SampledFrom([]string{"d", "e"}).Draw(t, "dispute")
			kase := caseOfBill
			kase.DisputeID = id
			c := rapid.SampledFrom([]event.Command{
				disputesBill(id, "bisi"), holds(id, money.Kobo(rapid.Int64Range(1, 300_000).Draw(t, "amount")), now), dispute.Withdraw(id, "bisi", "s"),
				dispute.Tick(id, "s", now), dispute.Take(kase),
				dispute.AllowHold{Case: kase, Of: bill, Now: now},
				dispute.Resolve(kase, rapid.Bool().Draw(t, "upheld"), said, nil, now),
				sends(now),
			}).Draw(t, "command")
			held := w.State(disputed.Stream("s")).(disputed.Money).OfPayout("l", "bisi", "", now)
			before := w.State(liquidation.Stream("l")).(liquidation.Liquidation).Status
			_, _ = w.Do(c)
			sent := w.State(liquidation.Stream("l")).(liquidation.Liquidation).Status != before
			require.False(t, sent && held > w.Balance(posting.Pool("s")), "it was sent")
			require.LessOrEqual(t, w.State(disputed.Stream("s")).(disputed.Money).Of("bisi", now), 3_000*naira)
		}
	})
}

func TestNobodyExtendsTheirOwnHoldByDisputingTheSamePayoutAgain(t *testing.T) {
	t.Parallel()
	w := Given(t, billed()...).And(disputesBill("d", "bisi"), holds("d", 3_000*naira, monday))
	over := monday.Add(disputed.For - time.Minute)
	w.And(over, dispute.Withdraw("d", "bisi", "s"))
	again := disputesBill("d", "bisi")
	again.DisputeID, again.Now = "d2", over
	w.And(over, again)
	held := holds("d2", 3_000*naira, over)
	if _, err := w.Do(held); err != nil {
		return
	}
	// Where it is asked for, Support allows it first: the payout goes.
	w.And(sends(monday.Add(disputed.For + time.Hour)))
}

func TestAHoldIsNotExtendedOnceItsPayoutIsOver(t *testing.T) {
	t.Parallel()
	w := Given(t, billed()...).And(disputesBill("d", "bisi"), holds("d", 3_000*naira, monday), dispute.Take(caseOfBill))
	w.And(event.On(liquidation.Stream("l"), &nairav1.LiquidationCancelled{LiquidationId: "l", GroupId: "g", SubAccountId: "s", AmountKobo: int64(8_000 * naira)}))
	require.False(t, w.State(liquidation.Stream("l")).(liquidation.Liquidation).Open())
	w.When(dispute.AllowHold{Case: caseOfBill, Of: bill, Now: monday.Add(24 * time.Hour)}).ThenFault(fault.Conflict)
}

func TestAHoldOnAPayoutThatIsOverStopsNoOtherPayout(t *testing.T) {
	t.Parallel()
	w := Given(t, billed()...).And(disputesBill("d", "bisi"), holds("d", 3_000*naira, monday))
	w.And(event.On(liquidation.Stream("l"), &nairav1.LiquidationCancelled{LiquidationId: "l", GroupId: "g", SubAccountId: "s", AmountKobo: int64(8_000 * naira)}))
	rent := bill
	rent.LiquidationID = "rent"
	w.And(
		event.On(liquidation.Stream("rent"), &nairav1.LiquidationRequestedV2{
			LiquidationId: "rent", GroupId: "g", SubAccountId: "s", RequestedBy: "ada", Kind: bill.Kind, AmountKobo: int64(8_000 * naira), Provider: string(event.Vfd), Reason: "Rent",
			ExpiresAt: timestamppb.New(monday.Add(liquidation.Open)),
		}),
		event.On(liquidation.Stream("rent"), &nairav1.LiquidationApproved{LiquidationId: "rent", GroupId: "g", ApprovedBy: "vera", Approvals: 1, Needed: 1}),
	)
	w.And(liquidation.Send(rent, "r2", monday.Add(24*time.Hour)))
}

func TestNobodyHoldsWhatTheyHaveSavedNoMore(t *testing.T) {
	t.Parallel()
	past := billed()
	past = append(past,
		event.On("payment:chi2", &nairav1.PaymentConfirmedV2{PaymentId: "chi2", UserId: "chi", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: string(event.Vfd), AmountKobo: int64(1_000 * naira)}),
		event.On(dues.Stream("s", "chi"), &nairav1.ContributionReceived{GroupId: "g", SubAccountId: "s", UserId: "chi", AmountKobo: int64(1_000 * naira), MemberTotalKobo: int64(8_000 * naira)}),
	)
	w := Given(t, past...).And(disputesBill("d", "bisi"), holds("d", 3_000*naira, monday))
	w.And(event.On(dues.Stream("s", "bisi"), &nairav1.ContributionReversed{GroupId: "g", SubAccountId: "s", UserId: "bisi", AmountKobo: int64(3_000 * naira), EventId: "e", Reason: "It was another's."}))
	require.Zero(t, w.State(dues.Stream("s", "bisi")).(dues.State).Savings())
	w.And(sends(monday))
}

func TestTheLastDayToReopenIsToldInLagosTime(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 23, 30, 0, 0, time.UTC)
	w := Given(t).And(claim("d", fined, "x"), dispute.Take(kase), dispute.Resolve(kase, false, said, nil, now))
	until := now.Add(dispute.ReopenIn)
	f := w.When(dispute.Reopen("d", "bisi", said, until)).ThenFault(fault.Conflict)
	require.Contains(t, f.Message, "8 December 2026")
}

func TestUntilWhenTheMemberIsAskedIsToldInLagosTime(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 23, 30, 0, 0, time.UTC)
	w := Given(t).And(claim("d", fined, "x"), dispute.Take(kase), dispute.Ask(kase, said, now))
	f := w.When(dispute.Ask(kase, said, now)).ThenFault(fault.Conflict)
	require.Contains(t, f.Message, "1 December")
}

func TestAReopenedDisputeHoldsOnlyMoneyThatIsStillThere(t *testing.T) {
	t.Parallel()
	reopened := func() *World {
		more := &nairav1.ContributionReceived{GroupId: "g", SubAccountId: "s", UserId: "chi", AmountKobo: int64(1_000 * naira), MemberTotalKobo: int64(8_000 * naira)}
		confirmed := &nairav1.PaymentConfirmedV2{PaymentId: "chi2", UserId: "chi", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: string(event.Vfd), AmountKobo: int64(1_000 * naira)}
		return Given(t, billed()...).And(event.On("payment:chi2", confirmed), event.On(dues.Stream("s", "chi"), more), disputesBill("d", "bisi"), holds("d", 3_000*naira, monday),
			dispute.Take(caseOfBill), dispute.Resolve(caseOfBill, false, said, nil, monday),
			dispute.Reopen("d", "bisi", said, monday), dispute.Take(caseOfBill))
	}
	allow := dispute.AllowHold{Case: caseOfBill, Of: bill, Now: monday.Add(time.Hour)}
	w := reopened().And(allow)
	require.Equal(t, 3_000*naira, w.State(disputed.Stream("s")).(disputed.Money).OfPayout("l", "bisi", "", monday))
	w = reopened().And(event.On(dues.Stream("s", "bisi"), &nairav1.ContributionReversed{GroupId: "g", SubAccountId: "s", UserId: "bisi", AmountKobo: int64(3_000 * naira), EventId: "e", Reason: "It was another's."}))
	w.When(allow).ThenFault(fault.Forbidden)
	reopened().And(sends(monday)).When(allow).ThenFault(fault.Conflict)
}

// The approvers had agreed to the payout before anybody disputed it. Those who answer are they.
func TestThePayoutOfACaseThatWasUpheldWaitsForTheApprovers(t *testing.T) {
	t.Parallel()
	upheld := dispute.HoldUpheld{DisputeID: "d", Of: bill}
	status := func(w *World) liquidation.Status {
		return w.State(liquidation.Stream("l")).(liquidation.Liquidation).Status
	}
	held := func(w *World) *World { return w.And(disputesBill("d", "bisi"), holds("d", 3_000*naira, monday)) }
	unheld := func(w *World) *World {
		about := disputesBill("d", "bisi")
		about.About = dispute.AboutPayout("l")
		return w.And(about)
	}
	for name, begins := range map[string]func(*World) *World{"with a hold": held, "without one": unheld} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := begins(Given(t, billed()...)).And(dispute.Take(caseOfBill))
			w.When(upheld).ThenFault(fault.NotFound)
			w.And(dispute.Resolve(caseOfBill, true, said, nil, monday), upheld)
			require.Equal(t, liquidation.OnHold, status(w))
			w.When(sends(monday)).ThenFault(fault.Conflict)
			require.Empty(t, w.State(liquidation.Stream("l")).(liquidation.Liquidation).Objections, "nobody is named")
			w.When(upheld).ThenFault(fault.Conflict) // It is on hold.
			w.And(event.On(savings.GroupStream("g"), &nairav1.ApproverAppointed{GroupId: "g", UserId: "vera", AppointedBy: "ada"}),
				event.On(savings.MemberStream("g", "vera"), &nairav1.MembershipApproved{GroupId: "g", UserId: "vera"}))
			w.And(event.On(liquidation.Stream("l"), &nairav1.LiquidationAnswered{LiquidationId: "l", GroupId: "g", AnsweredBy: "vera", Answers: 1, Needed: 1, Stage: nairav1.LiquidationStage_LIQUIDATION_STAGE_APPROVED, PayableFrom: timestamppb.New(monday)}))
			require.Equal(t, liquidation.Approved, status(w))
			w.And(sends(monday.Add(time.Hour)))
			w.When(upheld).ThenFault(fault.Conflict) // The bank has it.
		})
	}
	rejected := held(Given(t, billed()...)).And(dispute.Take(caseOfBill), dispute.Resolve(caseOfBill, false, said, nil, monday))
	rejected.When(upheld).ThenFault(fault.NotFound)
	require.Equal(t, liquidation.Approved, status(rejected))
}
