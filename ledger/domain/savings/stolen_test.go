package savings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/stolen"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

// gaveBack is that the account of somebody, which a thief used since a moment, was given back at another.
func gaveBack(user string, since, at time.Time) []any {
	return []any{
		at, event.On(account.Stream(user), &nairav1.AccountRemedyProposed{UserId: user, RemedyId: "r", Kind: nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK, Since: timestamppb.New(since)}),
		event.On(account.Stream(user), &nairav1.AccountGivenBackV2{UserId: user, RemedyId: "r", Since: timestamppb.New(since), HeldUntil: timestamppb.New(at)}),
	}
}

// threeMonths is that long after the thief joined: three dues are open.
var threeMonths = Epoch.AddDate(0, 3, 0)

func undoes(user string) stolen.LeaveGroup {
	leave := leaves(user)
	leave.Now, leave.Closing = threeMonths, true
	return stolen.LeaveGroup{LeaveGroup: leave, RemedyID: "r"}
}

func TestAMembershipThatAThiefBeganEndsWithoutDuesWhereNothingIsSaved(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, opens(fixed, monthly), Epoch.Add(time.Hour), admits("gozie"), Epoch.Add(2*time.Hour), joins("halima"))
	owes := leaves("gozie")
	owes.Now = threeMonths
	refused(t, w, owes, fault.Conflict, "You owe")
	refused(t, w, undoes("gozie"), fault.Conflict, "joined this group themselves")
	w.And(gaveBack("gozie", Epoch.Add(time.Minute), threeMonths)...).And(gaveBack("halima", Epoch.Add(time.Minute), threeMonths)...)
	found := func(user string) *nairav1.StolenActFound {
		return &nairav1.StolenActFound{UserId: user, RemedyId: "r", Act: nairav1.StolenAct_STOLEN_ACT_MEMBERSHIP_ENDED, GroupId: "g"}
	}
	seats := group(w).Seats
	w.When(undoes("gozie")).Then(&nairav1.MemberExited{GroupId: "g", UserId: "gozie"}, &nairav1.SeatFreed{GroupId: "g", UserId: "gozie", Seats: int32(seats - 1)}, found("gozie"))
	w.When(undoes("halima")).Then(&nairav1.MembershipRejected{GroupId: "g", UserId: "halima", RejectedBy: "halima"}, &nairav1.SeatFreed{GroupId: "g", UserId: "halima", Seats: int32(seats - 2)}, found("halima"))
	refused(t, w, undoes("gozie"), fault.Conflict, "joined this group themselves")
	w.And(joins("gozie"), approves("ada", "gozie"))
	require.Equal(t, savings.Active, member(w, "gozie").Status, "they may join themselves")
	refused(t, w, undoes("gozie"), fault.Conflict, "joined this group themselves")
	w.And(gaveBack("gozie", threeMonths.Add(time.Hour), threeMonths.Add(2*time.Hour))...)
	refused(t, w, undoes("gozie"), fault.Conflict, "joined this group themselves")
}

// The member asked to join, and the group let them in while the thief used the account.
func TestAMembershipThatTheMemberAskedForThemselvesStays(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, opens(fixed, monthly), joins("gozie"), Epoch.Add(2*time.Hour), approves("ada", "gozie"), gaveBack("gozie", Epoch.Add(time.Hour), threeMonths))
	refused(t, w, undoes("gozie"), fault.Conflict, "joined this group themselves")
	owes := leaves("gozie")
	owes.Now = threeMonths
	refused(t, w, owes, fault.Conflict, "You owe")
}

// What a thief paid in is the member's. They take it out and leave, and the dues of that membership do not keep them.
func TestWithSavingsAMembershipOfAThiefStaysUntilItsMemberLeavesWithoutPayingDues(t *testing.T) {
	t.Parallel()
	at := Epoch.Add(time.Hour)
	w := Given(t, roomy, opens(fixed, monthly), funded("gozie", 50_000*money.Naira), at, admits("gozie"), pays("gozie", 5_000*money.Naira, 0, at), gaveBack("gozie", Epoch.Add(time.Minute), threeMonths))
	refused(t, w, undoes("gozie"), fault.Conflict, "You have ₦5,000.00 saved here")
	leave := leaves("gozie")
	leave.Forfeit, leave.Now = true, threeMonths.Add(account.UndoFor)
	refused(t, w, leave, fault.Conflict, "You owe")
	leave.Now = threeMonths.Add(account.UndoFor - time.Second)
	w.And(leave)
}

// A second theft renews no time: what was joined in the first one is the member's own once 30 days have passed.
func TestASecondTheftFreesAMembershipOfTheFirstFromNoDues(t *testing.T) {
	t.Parallel()
	at := Epoch.Add(time.Hour)
	w := Given(t, roomy, opens(fixed, monthly), at, admits("gozie"), gaveBack("gozie", Epoch.Add(time.Minute), threeMonths))
	later := threeMonths.Add(account.UndoFor)
	w.And(gaveBack("gozie", later.Add(time.Hour), later.Add(2*time.Hour))...)
	leave := leaves("gozie")
	leave.Now = later.Add(3 * time.Hour)
	refused(t, w, leave, fault.Conflict, "You owe")
}

// A second remedy may say that the theft began before what was joined in the first one.
func TestAnOverlappingTheftRenewsNoTime(t *testing.T) {
	t.Parallel()
	at := Epoch.Add(time.Hour)
	w := Given(t, roomy, opens(fixed, monthly), at, admits("gozie"), gaveBack("gozie", Epoch.Add(time.Minute), threeMonths))
	later := threeMonths.Add(account.UndoFor)
	w.And(gaveBack("gozie", at.Add(-time.Minute), later.Add(2*time.Hour))...)
	leave := leaves("gozie")
	leave.Now = later.Add(3 * time.Hour)
	refused(t, w, leave, fault.Conflict, "You owe")
}

// A second thief is in, and the member may still undo what the first one joined: the thief must not do it for them.
func TestNobodyUndoesAFirstTheftWhileTheSessionsOfASecondMayBeOpen(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, opens(fixed, monthly), Epoch.Add(time.Hour), admits("gozie"), gaveBack("gozie", Epoch.Add(time.Minute), threeMonths))
	second := threeMonths.Add(10 * 24 * time.Hour)
	w.And(second, event.On(account.Stream("gozie"), &nairav1.AccountGivenBackV2{
		UserId: "gozie", RemedyId: "r2", Since: timestamppb.New(threeMonths.Add(24 * time.Hour)), HeldUntil: timestamppb.New(second), UntilSessionsEnd: true,
	}))
	leave := leaves("gozie")
	leave.Now = second
	refused(t, w, leave, fault.Conflict, "You owe")
}

// Until every session has ended, it may be the thief who asks.
func TestNobodyLeavesWithoutDuesWhileTheSessionsOfAThiefMayBeOpen(t *testing.T) {
	t.Parallel()
	at := Epoch.Add(time.Hour)
	w := Given(t, roomy, opens(fixed, monthly), at, admits("gozie"), threeMonths,
		event.On(account.Stream("gozie"), &nairav1.AccountRemedyProposed{UserId: "gozie", RemedyId: "r", Kind: nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK, Since: timestamppb.New(Epoch.Add(time.Minute))}),
		event.On(account.Stream("gozie"), &nairav1.AccountGivenBackV2{UserId: "gozie", RemedyId: "r", Since: timestamppb.New(Epoch.Add(time.Minute)), HeldUntil: timestamppb.New(threeMonths), UntilSessionsEnd: true}))
	leave := leaves("gozie")
	leave.Now = threeMonths
	refused(t, w, leave, fault.Conflict, "You owe")
	w.And(account.EndSessions("gozie", "r", threeMonths))
	w.And(leave)
}

// An office that can be left empty goes with the membership; the last one keeps it.
func TestAnOfficeKeepsAMembershipOfAThiefOnlyWhereItCannotBeLeftEmpty(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, opens(fixed, monthly), Epoch.Add(time.Hour), admits("gozie"), verifies("gozie"), empowers("ada", "gozie"), gaveBack("gozie", Epoch.Add(time.Minute), threeMonths))
	w.And(undoes("gozie"))
	require.NotContains(t, group(w).Approvers, "gozie")
	w = Given(t, roomy, opens(fixed, monthly), Epoch.Add(time.Hour), admits("gozie"), appoints("ada", "gozie"), gaveBack("gozie", Epoch.Add(time.Minute), threeMonths))
	require.Equal(t, "gozie", group(w).Validator)
	refused(t, w, undoes("gozie"), fault.Conflict, "validator")
}
