package savings_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

// roomy is the active group with places to spare.
var roomy = append([]any{changed(found, func(c *savings.CreateGroup) { c.Capacity = 9 })}, active[1:]...)

func invites(by, user string) savings.InviteMember {
	return savings.InviteMember{GroupID: "g", User: user, By: by, Now: Epoch}
}

func accepts(user string) savings.AcceptInvitation {
	return savings.AcceptInvitation{GroupID: "g", User: user, Now: Epoch}
}

func rejects(by, user string) savings.RejectMember {
	return savings.RejectMember{GroupID: "g", User: user, By: by, Reason: "Nobody knows them"}
}

func deactivates(by, user string) savings.DeactivateMember {
	return savings.DeactivateMember{GroupID: "g", User: user, By: by, Reason: "Away for a year"}
}

func leaves(user string) dues.LeaveGroup {
	return dues.LeaveGroup{GroupID: "g", User: user, SubAccounts: []string{"s"}, Now: Epoch}
}

func dismisses(by, user string) savings.RemoveApprover {
	return savings.RemoveApprover{GroupID: "g", User: user, By: by}
}

func admits(user string) []any { return []any{joins(user), approves("ada", user)} }

func verifies(user string) event.Command { return account.EndCheck(user, "check of "+user, 0) }

func group(w *World) savings.Group { return w.State(savings.GroupStream("g")).(savings.Group) }

func member(w *World, user string) savings.Member {
	return w.State(savings.MemberStream("g", user)).(savings.Member)
}

func refused(t *testing.T, w *World, c event.Command, code fault.Code, says string) {
	t.Helper()
	require.Contains(t, w.When(c).ThenFault(code).Message, says)
}

func TestWhoIsInvitedHoldsNoSeatAndIsInAtOnceWhenTheyAccept(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy)
	refused(t, w, accepts("dayo"), fault.NotFound, "no invitation")
	refused(t, w, invites("bisi", "dayo"), fault.Forbidden, "Only an approver")
	refused(t, w, invites("eve", "dayo"), fault.NotFound, "no such group")
	refused(t, w, invites("femi", "bisi"), fault.Conflict, "already")
	w.When(invites("femi", "dayo")).Then(&nairav1.MemberInvited{
		GroupId: "g", UserId: "dayo", InvitedBy: "femi", ExpiresAt: timestamppb.New(Epoch.Add(savings.InvitationFor)),
	})
	require.Equal(t, 4, group(w).Seats)
	refused(t, w, invites("ada", "dayo"), fault.Conflict, "until 29 November 2026")
	refused(t, w, approves("ada", "dayo"), fault.Conflict, "has not answered yet")
	w.When(accepts("dayo")).Then(
		&nairav1.SeatTaken{GroupId: "g", UserId: "dayo", Seats: 5},
		&nairav1.MembershipRequested{GroupId: "g", UserId: "dayo"},
		&nairav1.MembershipApproved{GroupId: "g", UserId: "dayo", ApprovedBy: "femi"},
	)
	refused(t, w, accepts("dayo"), fault.Conflict, "member of this group already")
	refused(t, w, savings.DeclineInvitation{GroupID: "g", User: "dayo"}, fault.Conflict, "already")
}

func TestAnInvitationOfOneWhoApprovesNoMoreOnlyPutsOnTheList(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]event.Command{"by name": accepts("dayo"), "by the link": joins("dayo")} {
		w := Given(t, roomy, admits("gozie"), empowers("ada", "gozie"), invites("femi", "dayo"), dismisses("ada", "femi"))
		w.When(c).Then(
			&nairav1.SeatTaken{GroupId: "g", UserId: "dayo", Seats: 6},
			&nairav1.MembershipRequested{GroupId: "g", UserId: "dayo"},
		)
		refused(t, w, accepts("dayo"), fault.Conflict, "asked to join already")
		require.Equal(t, savings.Pending, member(w, "dayo").Status, name)
	}
	require.Equal(t, savings.Active, member(Given(t, roomy, invites("femi", "dayo"), savings.JoinGroup{GroupID: "g", User: "dayo", Now: Epoch}), "dayo").Status, "the link takes an invitation up")
}

func TestAnInvitationLapsesIsDeclinedOrWithdrawnAndIsAsIfNeverThere(t *testing.T) {
	t.Parallel()
	later := Epoch.Add(savings.InvitationFor)
	w := Given(t, roomy, invites("femi", "dayo"))
	lapse := savings.LapseInvitation{GroupID: "g", User: "dayo", Now: later.Add(-time.Second)}
	refused(t, w, lapse, fault.Conflict, "no invitation that has lapsed")
	lapse.Now = later
	late := accepts("dayo")
	late.Now = later
	refused(t, w, late, fault.Conflict, "lapsed on 29 November 2026")
	again := invites("ada", "dayo")
	again.Now = later
	w.When(again).Then(
		&nairav1.InvitationExpired{GroupId: "g", UserId: "dayo"},
		&nairav1.MemberInvited{GroupId: "g", UserId: "dayo", InvitedBy: "ada", ExpiresAt: timestamppb.New(later.Add(savings.InvitationFor))},
	)
	Given(t, roomy, invites("femi", "dayo")).When(rejects("ada", "dayo")).Then(
		&nairav1.InvitationWithdrawn{GroupId: "g", UserId: "dayo", WithdrawnBy: "ada", Reason: "Nobody knows them"},
	)
	for name, end := range map[string]event.Command{
		"lapsed": lapse, "declined": savings.DeclineInvitation{GroupID: "g", User: "dayo"}, "withdrawn": rejects("ada", "dayo"),
	} {
		w := Given(t, roomy, invites("femi", "dayo"), end)
		require.Equal(t, savings.Member{}, member(w, "dayo"), name)
		require.Equal(t, 4, group(w).Seats, name)
		w.And(invites("femi", "dayo"))
	}
}

func TestTheLastSeatIsAlsoAnInvitationsToLose(t *testing.T) {
	t.Parallel()
	w := Given(t, changed(found, func(c *savings.CreateGroup) { c.Capacity = 5 }), active[1:], invites("ada", "dayo"), invites("ada", "gozie"), accepts("dayo"))
	refused(t, w, accepts("gozie"), fault.Conflict, "All 5 places")
	refused(t, w, invites("ada", "halima"), fault.Conflict, "All 5 places")
	w.And(leaves("dayo")).And(accepts("gozie"))
}

func TestWhoIsRejectedGivesTheSeatBackAndMayAskAgain(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, joins("dayo"))
	refused(t, w, rejects("bisi", "dayo"), fault.Forbidden, "Only an approver")
	refused(t, w, rejects("dayo", "dayo"), fault.Forbidden, "Only an approver")
	refused(t, w, rejects("ada", "ada"), fault.Forbidden, "yourself")
	refused(t, w, rejects("ada", "bisi"), fault.Conflict, "member already")
	refused(t, w, rejects("ada", "eve"), fault.NotFound, "not asked")
	long := rejects("ada", "dayo")
	long.Reason = strings.Repeat("x", 301)
	w.When(long).ThenField("reason")
	w.When(rejects("femi", "dayo")).Then(
		&nairav1.MembershipRejected{GroupId: "g", UserId: "dayo", RejectedBy: "femi", Reason: "Nobody knows them"},
		&nairav1.SeatFreed{GroupId: "g", UserId: "dayo", Seats: 4},
	)
	refused(t, w, approves("ada", "dayo"), fault.NotFound, "not asked")
	w.And(joins("dayo"))
}

func TestAnInactiveMemberKeepsSeatAndMoneyAndIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, opens(flexible, monthly), funded("bisi", due), pays("bisi", due/2, 0, Epoch))
	refused(t, w, deactivates("bisi", "chidi"), fault.Forbidden, "Only an approver")
	refused(t, w, deactivates("ada", "ada"), fault.Forbidden, "yourself")
	refused(t, w, deactivates("femi", "ada"), fault.Forbidden, "Only the owner")
	refused(t, w, deactivates("ada", "chidi"), fault.Conflict, "another member the validator first")
	refused(t, w, deactivates("ada", "femi"), fault.Conflict, "last approver besides the owner")
	refused(t, w, deactivates("ada", "eve"), fault.NotFound, "not in the group")
	w.When(deactivates("femi", "bisi")).Then(&nairav1.MemberDeactivatedV2{GroupId: "g", UserId: "bisi", DeactivatedBy: "femi", Reason: "Away for a year", WholePeriods: true})
	require.Equal(t, 4, group(w).Seats)
	w.When(deactivates("femi", "bisi")).ThenFault(fault.Conflict)
	w.When(pays("bisi", due/2, 0, Epoch)).ThenFault(fault.Conflict)
	w.When(joins("bisi")).ThenFault(fault.Conflict)
	refused(t, w, appoints("ada", "bisi"), fault.Conflict, "not an active member")
	w.And(Epoch.AddDate(0, 2, 0)).When(approves("femi", "bisi")).Then(&nairav1.MemberReactivated{GroupId: "g", UserId: "bisi", ReactivatedBy: "femi"})
	require.Equal(t, []savings.Span{{From: Epoch, To: Epoch.AddDate(0, 2, 0), Whole: true}}, member(w, "bisi").Away)
	w.And(pays("bisi", due/2, 0, Epoch))
}

func TestAnApproverWhoIsMadeInactiveLosesTheOffice(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, admits("gozie"), empowers("ada", "gozie"), verifies("gozie"), savings.OfferOwnership{GroupID: "g", To: "gozie", By: "ada"})
	w.When(deactivates("ada", "gozie")).Then(
		&nairav1.ApproverRemoved{GroupId: "g", UserId: "gozie", RemovedBy: "ada"},
		&nairav1.OwnershipOfferEnded{GroupId: "g", ToUserId: "gozie", EndedBy: "ada"},
		&nairav1.MemberDeactivatedV2{GroupId: "g", UserId: "gozie", DeactivatedBy: "ada", Reason: "Away for a year", WholePeriods: true},
	)
	require.Equal(t, []string{"ada", "femi"}, group(w).Approvers)
}

func TestTheLastApproverBesidesTheOwnerStays(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy)
	for _, c := range []event.Command{dismisses("ada", "femi"), dismisses("femi", "femi"), leaves("femi")} {
		refused(t, w, c, fault.Conflict, "last approver besides the owner")
	}
	refused(t, w, dismisses("ada", "ada"), fault.Conflict, "always an approver")
	refused(t, w, dismisses("femi", "ada"), fault.Forbidden, "Only the owner, or the approver themselves")
	refused(t, w, dismisses("ada", "bisi"), fault.Conflict, "no approver")
	refused(t, w, dismisses("ada", "eve"), fault.NotFound, "not in the group")
	w.And(empowers("ada", "bisi")).When(dismisses("femi", "femi")).Then(&nairav1.ApproverRemoved{GroupId: "g", UserId: "femi", RemovedBy: "femi"})
	// One that waits has no money yet, and may be without.
	Given(t, found, joins("bisi"), approves("ada", "bisi"), empowers("ada", "bisi"), dismisses("ada", "bisi"))
}

func TestALeaverIsSettled(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, opens(fixed, monthly), funded("bisi", 2*due))
	refused(t, w, leaves("bisi"), fault.Conflict, "You owe ₦5,000.00")
	w.And(pays("bisi", due, 0, Epoch))
	refused(t, w, leaves("bisi"), fault.Conflict, "You have ₦5,000.00 saved here")
	asking := Given(t, roomy, opens(fixed, monthly), funded("bisi", due), pays("bisi", due, 0, Epoch),
		event.Draft{Stream: savings.RequestsStream("g", "bisi"), Message: &nairav1.RequestsCounted{GroupId: "g", UserId: "bisi", WithdrawalId: "l"}})
	refused(t, asking, changed(leaves("bisi"), func(c *dues.LeaveGroup) { c.Forfeit = true }), fault.Conflict, "still open")
	refused(t, w, changed(leaves("bisi"), func(c *dues.LeaveGroup) { c.SubAccounts = nil }), fault.Conflict, "just now")
	refused(t, w, leaves("ada"), fault.Conflict, "Pass the group on")
	refused(t, w, leaves("chidi"), fault.Conflict, "another member the validator first")
	refused(t, w, leaves("eve"), fault.NotFound, "no such group")
	w.When(changed(leaves("bisi"), func(c *dues.LeaveGroup) { c.Forfeit = true })).Then(
		&nairav1.SavingsClosed{GroupId: "g", SubAccountId: "s", UserId: "bisi", ForfeitedKobo: int64(due)},
		&nairav1.MemberExited{GroupId: "g", UserId: "bisi", ForfeitedKobo: int64(due)},
		&nairav1.SeatFreed{GroupId: "g", UserId: "bisi", Seats: 3},
	)
	require.Equal(t, due, w.Balance("pool:s"), "what is left to the group stays in its pool")
	require.Equal(t, savings.Member{Was: true}, member(w, "bisi"))
	w.And(joins("bisi"), approves("ada", "bisi"), Epoch.AddDate(0, 0, 1)).When(pays("bisi", due, 0, Epoch)).ThenBalance("pool:s", 2*due)
	require.Equal(t, due, w.State(dues.Stream("s", "bisi")).(dues.State).Total, "who comes back begins anew")
}

func TestWhoPaidNothingAndOwesNothingLeavesAtOnce(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, opens(flexible, monthly), invites("ada", "dayo"), joins("gozie"))
	w.When(leaves("bisi")).Then(&nairav1.MemberExited{GroupId: "g", UserId: "bisi"}, &nairav1.SeatFreed{GroupId: "g", UserId: "bisi", Seats: 4})
	refused(t, w, leaves("dayo"), fault.Conflict, "decline")
	w.When(leaves("gozie")).Then(&nairav1.MembershipRejected{GroupId: "g", UserId: "gozie", RejectedBy: "gozie"}, &nairav1.SeatFreed{GroupId: "g", UserId: "gozie", Seats: 3})
	refused(t, w, approves("ada", "gozie"), fault.NotFound, "not asked")
	w.And(joins("gozie"))
	away := Given(t, roomy, opens(flexible, monthly), deactivates("ada", "bisi"))
	refused(t, away, leaves("bisi"), fault.Conflict, "You are inactive")
}

func TestAGroupPassesToAnApproverWithABvnWhoAccepts(t *testing.T) {
	t.Parallel()
	offer := func(by, to string) savings.OfferOwnership {
		return savings.OfferOwnership{GroupID: "g", To: to, By: by}
	}
	answer := func(by string, accept bool) savings.AnswerOwnership {
		return savings.AnswerOwnership{GroupID: "g", By: by, Accept: accept}
	}
	w := Given(t, roomy, admits("gozie"), empowers("ada", "gozie"))
	refused(t, w, answer("femi", true), fault.Conflict, "not offered to anybody")
	refused(t, w, offer("femi", "gozie"), fault.Forbidden, "Only the owner")
	refused(t, w, offer("ada", "bisi"), fault.Conflict, "Only an approver can own")
	refused(t, w, offer("ada", "ada"), fault.Conflict, "already")
	refused(t, w, offer("ada", "eve"), fault.NotFound, "not in the group")
	refused(t, w, offer("ada", "femi"), fault.Conflict, "verified BVN")
	w.And(verifies("femi"), verifies("gozie"), offer("ada", "gozie"))
	w.When(offer("ada", "femi")).Then(
		&nairav1.OwnershipOfferEnded{GroupId: "g", ToUserId: "gozie", EndedBy: "ada"},
		&nairav1.OwnershipOffered{GroupId: "g", ToUserId: "femi", OfferedBy: "ada"},
	)
	refused(t, w, answer("ada", true), fault.Forbidden, "your own offer")
	refused(t, w, answer("gozie", true), fault.Forbidden, "somebody else")
	refused(t, w, answer("bisi", true), fault.Forbidden, "Only an approver")
	w.When(answer("femi", false)).Then(&nairav1.OwnershipOfferEnded{GroupId: "g", ToUserId: "femi", EndedBy: "femi"})
	w.And(offer("ada", "femi")).When(answer("femi", true)).Then(&nairav1.OwnershipPassed{GroupId: "g", FromUserId: "ada", ToUserId: "femi"})
	require.Equal(t, "femi", group(w).Owner)
	require.True(t, group(w).MayApprove("ada"), "the one before stays an approver")
	refused(t, w, empowers("ada", "bisi"), fault.Forbidden, "Only the owner")
	w.And(dismisses("femi", "ada"))
	// A waiting group becomes active with an owner who has what the one before lacked.
	waits := Given(t, found, admits("bisi"), admits("chidi"), empowers("ada", "bisi"), appoints("ada", "chidi"), verifies("bisi"), offer("ada", "bisi"))
	waits.When(answer("bisi", true)).Then(&nairav1.OwnershipPassed{GroupId: "g", FromUserId: "ada", ToUserId: "bisi"}, &nairav1.GroupActivated{GroupId: "g"})
}

var long = Epoch.Add(savings.AwayFor)

func proposes(by, candidate string) savings.ProposeSuccession {
	return savings.ProposeSuccession{GroupID: "g", Candidate: candidate, By: by, OwnerSeen: Epoch, Officers: everybody, Now: long}
}

func votes(by string, agrees bool) savings.VoteSuccession {
	return savings.VoteSuccession{GroupID: "g", Candidate: "femi", By: by, Agrees: agrees, OwnerSeen: Epoch, Now: long}
}

func TestApproversGiveTheGroupOfAnAbsentOwnerToAnother(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, admits("gozie"), empowers("ada", "gozie"), admits("halima"), empowers("ada", "halima"), verifies("gozie"), verifies("halima"))
	refused(t, w, proposes("gozie", "femi"), fault.Conflict, "verified BVN")
	w.And(verifies("femi"))
	early := proposes("gozie", "femi")
	early.Now = long.Add(-time.Second)
	refused(t, w, early, fault.Conflict, "The owner was here on 15 November 2026")
	refused(t, w, proposes("ada", "femi"), fault.Conflict, "are here")
	refused(t, w, proposes("bisi", "femi"), fault.Forbidden, "Only an approver")
	refused(t, w, proposes("gozie", "bisi"), fault.Conflict, "Only an approver can own")
	refused(t, w, votes("gozie", true), fault.Conflict, "No such vote")
	w.When(proposes("gozie", "femi")).Then(&nairav1.SuccessionProposed{GroupId: "g", CandidateId: "femi", ProposedBy: "gozie", OwnerSeenAt: timestamppb.New(Epoch)},
		&nairav1.VotersFixed{GroupId: "g", CandidateId: "femi", VoterIds: []string{"femi", "gozie", "halima"}})
	require.Equal(t, []int{1, 2}, []int{group(w).Votes(), group(w).Needed()})
	refused(t, w, proposes("halima", "femi"), fault.Conflict, "open already")
	refused(t, w, votes("gozie", true), fault.Conflict, "voted already")
	refused(t, w, votes("chidi", true), fault.Forbidden, "the validator only where there is one alone")
	refused(t, w, votes("bisi", true), fault.Forbidden, "Only an approver")
	refused(t, w, votes("ada", true), fault.Forbidden, "being here ends the vote")
	refused(t, w, changed(votes("halima", true), func(c *savings.VoteSuccession) { c.OwnerSeen = long }), fault.Conflict, "which ends the vote")
	w.When(votes("halima", true)).Then(
		&nairav1.SuccessionVoted{GroupId: "g", CandidateId: "femi", UserId: "halima", Agrees: true},
		&nairav1.OwnershipPassed{GroupId: "g", FromUserId: "ada", ToUserId: "femi", ByVote: true},
	)
	require.Equal(t, savings.Succession{}, group(w).Succession)
}

func TestAVoteEndsWhenItCannotBeWonOrTheOwnerIsBack(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, admits("gozie"), empowers("ada", "gozie"), verifies("femi"), verifies("gozie"), proposes("femi", "femi"))
	w.When(votes("gozie", false)).Then(
		&nairav1.SuccessionVoted{GroupId: "g", CandidateId: "femi", UserId: "gozie"},
		&nairav1.SuccessionEnded{GroupId: "g", CandidateId: "femi", Reason: "The vote went against them."},
	)
	back := savings.EndSuccession{GroupID: "g", Candidate: "femi", OwnerSeen: long, Now: long}
	refused(t, w, back, fault.Conflict, "no vote")
	w.And(proposes("femi", "femi"))
	refused(t, w, changed(back, func(c *savings.EndSuccession) { c.OwnerSeen = Epoch }), fault.Conflict, "waits for others")
	w.When(back).Then(&nairav1.SuccessionEnded{GroupId: "g", CandidateId: "femi", Reason: "The owner is back."})
}

func TestAVoteEndsWhenThoseWhoHaveNotVotedMayNoLonger(t *testing.T) {
	t.Parallel()
	over := savings.EndSuccession{GroupID: "g", Candidate: "femi", OwnerSeen: Epoch, Now: long}
	all := []any{roomy, verifies("femi"), verifies("gozie"), verifies("halima"), verifies("ife"), admits("gozie"), empowers("ada", "gozie"), admits("halima"), empowers("ada", "halima"), admits("ife"), empowers("ada", "ife"), proposes("femi", "femi"), votes("gozie", true)}
	w := Given(t, all)
	require.Equal(t, []int{2, 3}, []int{group(w).Votes(), group(w).Needed()})
	refused(t, w, over, fault.Conflict, "waits for others")
	w.And(dismisses("halima", "halima"), dismisses("ife", "ife"))
	w.When(over).Then(&nairav1.SuccessionEnded{GroupId: "g", CandidateId: "femi", Reason: "The vote went against them."}) // Nobody replaces them.
	refused(t, w, over, fault.Conflict, "no vote")

	lost := Given(t, all, votes("halima", false), dismisses("gozie", "gozie"), dismisses("ife", "ife"))
	lost.When(over).Then(&nairav1.SuccessionEnded{GroupId: "g", CandidateId: "femi", Reason: "The vote went against them."})
}

func TestWhereOneApproverIsLeftTheValidatorMustAgree(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, verifies("femi"))
	refused(t, w, proposes("femi", "femi"), fault.Conflict, "nobody gives a group away alone")
	w.And(verifies("chidi"), proposes("femi", "femi"))
	require.Equal(t, "ada", group(w).Owner, "one vote is not enough")
	w.When(votes("chidi", true)).Then(
		&nairav1.SuccessionVoted{GroupId: "g", CandidateId: "femi", UserId: "chidi", Agrees: true},
		&nairav1.OwnershipPassed{GroupId: "g", FromUserId: "ada", ToUserId: "femi", ByVote: true},
	)
}

func TestAValidatorWhoIsAppointedForAVoteHasNone(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, verifies("femi"), verifies("bisi"), long, appoints("femi", "bisi"))
	refused(t, w, proposes("femi", "femi"), fault.Conflict, "counts from")
	w = Given(t, roomy, verifies("femi"), verifies("chidi"), verifies("bisi"), long, proposes("femi", "femi"), appoints("femi", "bisi"))
	refused(t, w, votes("bisi", true), fault.Forbidden, "the validator only where there is one alone")
	w.When(savings.EndSuccession{GroupID: "g", Candidate: "femi", OwnerSeen: Epoch, Now: long}).Then(
		&nairav1.SuccessionEnded{GroupId: "g", CandidateId: "femi", Reason: "The vote went against them."})
}

func TestAShorterNoticeCountsOnlyAfterTheTimeItShortens(t *testing.T) {
	t.Parallel()
	notice := func(by string, hours int, now time.Time) savings.SetNotice {
		return savings.SetNotice{GroupID: "g", By: by, Hours: hours, Now: now}
	}
	hours := func(w *World, at time.Time) float64 { return group(w).Notice.At(at).Hours() }
	w := Given(t, roomy)
	require.EqualValues(t, 24, hours(w, Epoch))
	refused(t, w, notice("femi", 0, Epoch), fault.Forbidden, "Only the owner")
	refused(t, w, notice("ada", 169, Epoch), fault.Invalid, "7 days")
	refused(t, w, notice("ada", -1, Epoch), fault.Invalid, "7 days")
	refused(t, w, notice("ada", 24, Epoch), fault.Conflict, "already")
	w.And(Epoch, notice("ada", 168, Epoch))
	require.EqualValues(t, 168, hours(w, Epoch), "longer counts at once")
	w.And(notice("ada", 0, Epoch))
	require.EqualValues(t, 168, hours(w, Epoch.Add(168*time.Hour-time.Microsecond)))
	require.EqualValues(t, 0, hours(w, Epoch.Add(168*time.Hour)))
	w.And(notice("ada", 1, Epoch)) // Chosen anew before it counts: what counts until then stays.
	require.EqualValues(t, 168, hours(w, Epoch.Add(time.Hour)))
}

func TestAGroupGoesFromStatusToStatus(t *testing.T) {
	t.Parallel()
	why := "Because of this"
	closes := savings.CloseGroup{GroupID: "g", By: "ada", Reason: why, SubAccounts: []string{"s"}}
	waits := Given(t, found, joins("bisi"))
	refused(t, waits, savings.CancelGroup("g", "bisi", why), fault.Forbidden, "Only the owner")
	refused(t, waits, savings.CancelGroup("g", "eve", why), fault.NotFound, "no such group")
	waits.When(savings.CancelGroup("g", "ada", "no")).ThenField("reason")
	refused(t, waits, closes, fault.Conflict, "The group is not active yet.")
	refused(t, waits, savings.SuspendGroup("g", "admin", why), fault.Conflict, "The group is not active yet.")
	Given(t, found).When(savings.RejectGroup("g", "admin", why)).Then(&nairav1.GroupRejected{GroupId: "g", By: "admin", Reason: why})
	waits.When(savings.CancelGroup("g", "ada", why)).Then(&nairav1.GroupCancelled{GroupId: "g", By: "ada", Reason: why})
	refused(t, waits, approves("ada", "bisi"), fault.Conflict, "given up")
	refused(t, waits, joins("dayo"), fault.Conflict, "given up")

	w := Given(t, roomy, opens(flexible, monthly), funded("bisi", due), joins("dayo"))
	refused(t, w, savings.CancelGroup("g", "ada", why), fault.Conflict, "The group is active.")
	refused(t, w, savings.RejectGroup("g", "admin", why), fault.Conflict, "The group is active.")
	w.When(savings.SuspendGroup("g", "admin", why)).Then(&nairav1.GroupSuspended{GroupId: "g", By: "admin", Reason: why})
	for _, c := range []event.Command{pays("bisi", due, 0, Epoch), joins("eve"), approves("ada", "dayo"), invites("ada", "eve"), closes, savings.SuspendGroup("g", "admin", why), changed(opens(flexible, monthly), func(c *savings.OpenSubAccount) { c.SubAccountID = "t" })} {
		w.When(c).ThenFault(fault.Conflict)
	}
	w.When(savings.ResumeGroup("g", "admin", why)).Then(&nairav1.GroupResumed{GroupId: "g", By: "admin", Reason: why})
	refused(t, w, savings.ResumeGroup("g", "admin", why), fault.Conflict, "Only a suspended one")
	w.And(pays("bisi", due, 0, Epoch))
	w.When(closes).Then(&nairav1.GroupClosing{GroupId: "g", By: "ada", Reason: why})
	refused(t, w, closes, fault.Conflict, "still holds ₦5,000.00")
	for _, c := range []event.Command{pays("bisi", 1, 0, Epoch), joins("eve"), approves("ada", "dayo")} {
		w.When(c).ThenFault(fault.Conflict)
	}
	empty := Given(t, roomy, opens(flexible, monthly))
	refused(t, empty, changed(closes, func(c *savings.CloseGroup) { c.SubAccounts = nil }), fault.Conflict, "just now")
	empty.When(closes).Then(&nairav1.GroupClosing{GroupId: "g", By: "ada", Reason: why}, &nairav1.GroupClosed{GroupId: "g", By: "ada"})
	for _, c := range []event.Command{joins("eve"), approves("ada", "bisi"), leaves("bisi"), closes, invites("ada", "eve")} {
		empty.When(c).ThenFault(fault.Conflict)
	}
}

func TestOnlyTheOwnerShowsAndHidesTotals(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, opens(flexible, monthly))
	whole := savings.ShowGroupTotal{GroupID: "g", By: "ada"}
	part := savings.ShowSubAccountTotal{GroupID: "g", SubAccountID: "s", By: "ada"}
	for _, by := range []string{"femi", "chidi", "bisi"} {
		refused(t, w, changed(whole, func(c *savings.ShowGroupTotal) { c.By = by }), fault.Forbidden, "Only the owner")
		refused(t, w, changed(part, func(c *savings.ShowSubAccountTotal) { c.By = by }), fault.Forbidden, "Only the owner")
	}
	w.When(whole).Then(&nairav1.GroupVisibilitySet{GroupId: "g", SetBy: "ada"})
	w.When(part).Then(&nairav1.SubAccountVisibilitySet{GroupId: "g", SubAccountId: "s", SetBy: "ada"})
	refused(t, w, whole, fault.Conflict, "hidden from members already")
	refused(t, w, part, fault.Conflict, "hidden from members already")
	refused(t, w, changed(part, func(c *savings.ShowSubAccountTotal) { c.SubAccountID = "other" }), fault.NotFound, "no such sub-account")
	w.And(changed(whole, func(c *savings.ShowGroupTotal) { c.Show = true }))
	require.True(t, group(w).ShowTotal)
}

func TestAGroupKeepsAHundredDocumentsAndFiftySubAccounts(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy)
	add := savings.AddDocument{GroupID: "g", DocumentID: "d", By: "chidi", SHA256: "ab"}
	refused(t, w, changed(add, func(c *savings.AddDocument) { c.By = "bisi" }), fault.Forbidden, "Only the owner, an approver or the validator")
	refused(t, w, changed(add, func(c *savings.AddDocument) { c.By = "eve" }), fault.NotFound, "no such group")
	for n := range savings.MaxDocuments {
		w.And(changed(add, func(c *savings.AddDocument) { c.DocumentID = fmt.Sprint(n) }))
	}
	refused(t, w, add, fault.Conflict, "at most 100 documents")
	remove := savings.RemoveDocument{GroupID: "g", DocumentID: "7", By: "femi"}
	refused(t, w, changed(remove, func(c *savings.RemoveDocument) { c.By = "chidi" }), fault.Forbidden, "Only an approver")
	w.When(remove).Then(&nairav1.GroupDocumentRemoved{GroupId: "g", DocumentId: "7", RemovedBy: "femi"})
	refused(t, w, remove, fault.NotFound, "no such document")
	w.And(add)
	for n := range savings.MaxSubAccounts {
		w.And(changed(opens(flexible, monthly), func(c *savings.OpenSubAccount) { c.SubAccountID = fmt.Sprint("s", n) }))
	}
	refused(t, w, opens(flexible, monthly), fault.Conflict, "at most 50 sub-accounts")
}
