package redecide_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/closing"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/remedy"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
)

// Earlier builds let off each due whose due date lay in an absence.
func TestAnAbsenceOfBeforeLetsOffWhatFellDueInIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	midnight := savings.Midnight(time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC))
	member := savings.MemberStream("g", "kola")
	b.do(savings.JoinGroup{GroupID: "g", User: "kola"}, savings.ApproveMember{GroupID: "g", User: "kola", By: "ada"})
	b.funded("saved", noon, "kola")
	b.from(midnight.Add(-time.Minute), ledgertest.Raw{event.On(member, &nairav1.MemberDeactivatedV2{GroupId: "g", UserId: "kola", DeactivatedBy: "ada"})})
	b.from(midnight.Add(time.Minute), savings.ApproveMember{GroupID: "g", User: "kola", By: "ada"})
	paid := contribute("kola", 5000*money.Naira)
	paid.At = midnight.Add(time.Hour)
	b.from(paid.At, paid)
	result, differs := b.again()
	require.Empty(t, differs)
	require.NotContains(t, result.Taken, "naira.v1.MemberDeactivatedV2")
}

// Earlier builds let those of the desk resume their own group.
func TestAGroupThatItsOwnOwnerResumedStaysAsItWasDecided(t *testing.T) {
	t.Parallel()
	b := setup(t)
	group := savings.GroupStream("g")
	b.do(savings.SuspendGroup("g", "admin", "We look at it"), ledgertest.Raw{event.On(group, &nairav1.GroupResumed{GroupId: "g", By: "ada", Reason: "All is well"})},
		savings.CloseGroup{GroupID: "g", By: "ada", Reason: "It is done", SubAccounts: []string{"s"}},
		savings.SuspendGroup("g", "admin", "We look at it"), savings.ResumeGroup("g", "admin", "All is well"))
	_, differs := b.again()
	require.Empty(t, differs)
}

func TestWhatWasLeftOfAGroupThatClosedIsSharedOutAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(savings.CreateGroup{GroupID: "h", Owner: "ada", Name: "Savers", Amount: 5000 * money.Naira, Capacity: 10, StartMonth: 11, Now: noon})
	b.do(ledgertest.Activated("h", "ada", "vera", "femi")[1:]...) // Her BVN is verified already.
	b.do(savings.OpenSubAccount{
		GroupID: "h", SubAccountID: "t", By: "ada", Name: "Rent", Amount: 50 * money.Naira, Type: nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE, Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, Now: noon,
	})
	pays := contribute("femi", 50*money.Naira)
	pays.GroupID, pays.SubAccountID = "h", "t"
	ends := savings.CloseGroup{GroupID: "h", By: "ada", Reason: "It is done", SubAccounts: []string{"t"}}
	b.do(pays, ends, closing.Group{CloseGroup: ends, Rests: []string{"t"}, People: []string{"vera", "femi", "ada"}})
	result, differs := b.again()
	require.Empty(t, differs)
	require.NotContains(t, result.Taken, "naira.v1.GroupRestPaid")
}

// Earlier builds let a validator vote who was appointed while the owner was away, and a vote had no end.
func TestAVoteOfThoseWhoTookTheirOfficeSinceStaysAsItWasDecided(t *testing.T) {
	t.Parallel()
	b := setup(t)
	group, away := savings.GroupStream("g"), noon.Add(savings.AwayFor+time.Hour)
	b.do(account.EndCheck("femi", "c", 0), account.EndCheck("kola", "c", 0), savings.JoinGroup{GroupID: "g", User: "kola"}, savings.ApproveMember{GroupID: "g", User: "kola", By: "ada"})
	b.from(noon.Add(2*time.Hour), savings.AppointValidator{GroupID: "g", User: "kola", By: "femi", Owner: "ada"})
	b.from(away, ledgertest.Raw{
		event.On(group, &nairav1.SuccessionProposed{GroupId: "g", CandidateId: "femi", ProposedBy: "femi", OwnerSeenAt: timestamppb.New(noon)}),
		event.On(group, &nairav1.VotersFixed{GroupId: "g", CandidateId: "femi", VoterIds: []string{"femi", "kola"}}),
	})
	b.from(away.Add(savings.VoteFor), ledgertest.Raw{
		event.On(group, &nairav1.SuccessionVoted{GroupId: "g", CandidateId: "femi", UserId: "kola", Agrees: true}),
		event.On(group, &nairav1.OwnershipPassed{GroupId: "g", FromUserId: "ada", ToUserId: "femi", ByVote: true}),
	})
	_, differs := b.again()
	require.Empty(t, differs)
}

// Earlier builds counted the vote of somebody whose account was given back after it.
func TestAGroupThatPassedWithTheVoteOfAThiefStaysAsItWasDecided(t *testing.T) {
	t.Parallel()
	b := setup(t)
	group, away := savings.GroupStream("g"), noon.Add(savings.AwayFor+time.Hour)
	b.do(account.EndCheck("femi", "c", 0))
	back := remedy.Propose{Desk: remedy.Desk{Staff: "sam", User: "femi"}, RemedyID: "r", Kind: nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK, Case: "1", Since: noon, Now: away}
	b.from(away, savings.ProposeSuccession{GroupID: "g", Candidate: "femi", By: "femi", OwnerSeen: noon, Officers: savings.Officers{Users: []string{"vera", "femi", "ada"}}, Now: away}, back)
	at := away.Add(time.Hour)
	b.from(at, remedy.Agree{Desk: remedy.Desk{Staff: "sade", User: "femi"}, RemedyID: "r", Hold: remedy.Hold, At: at}, account.EndSessions("femi", "r", at), savings.GiveBack{GroupID: "g", User: "femi"}, ledgertest.Raw{
		event.On(group, &nairav1.SuccessionVoted{GroupId: "g", CandidateId: "femi", UserId: "vera", Agrees: true}),
		event.On(group, &nairav1.OwnershipPassed{GroupId: "g", FromUserId: "ada", ToUserId: "femi", ByVote: true}),
	})
	_, differs := b.again()
	require.Empty(t, differs)
}

// Earlier builds left the office to an approver whom somebody else appointed as the owner.
func TestAnApproverWhomAThiefAppointedStaysWhereAnEarlierBuildLeftThem(t *testing.T) {
	t.Parallel()
	back := remedy.Propose{Desk: remedy.Desk{Staff: "sam", User: "ada"}, RemedyID: "r", Kind: nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK, Case: "1", Since: noon, Now: later}
	for _, given := range []event.Command{
		savings.GiveBack{GroupID: "g", User: "ada"},
		ledgertest.Raw{event.On(savings.GroupStream("g"), &nairav1.OfficialGivenBack{GroupId: "g", UserId: "ada"})},
	} {
		b := setup(t)
		b.do(savings.JoinGroup{GroupID: "g", User: "kola"}, savings.ApproveMember{GroupID: "g", User: "kola", By: "ada"})
		b.from(later.Add(-time.Hour), savings.AppointApprover{GroupID: "g", User: "kola", By: "ada"})
		b.from(later, back, remedy.Agree{Desk: remedy.Desk{Staff: "sade", User: "ada"}, RemedyID: "r", Hold: remedy.Hold, At: later}, account.EndSessions("ada", "r", later), given)
		b.isDecided(&nairav1.OfficialGivenBack{})
	}
}

// Earlier builds took the agreement for the end of a thief's sessions, and recorded nothing when they ended.
func TestAnAccountThatAnEarlierBuildGaveBackIsNoMoreStolenFromTheAgreementOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	back := remedy.Propose{Desk: remedy.Desk{Staff: "sam", User: "ada"}, RemedyID: "r", Kind: nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK, Case: "1", Since: noon, Now: later}
	given := ledgertest.Raw{event.On(account.Stream("ada"), &nairav1.AccountGivenBackV2{
		UserId: "ada", RemedyId: "r", ProposedBy: "sam", ApprovedBy: "sade", Since: timestamppb.New(noon), HeldUntil: timestamppb.New(later.Add(remedy.Hold)),
	})}
	b.from(later, back, given, savings.GiveBack{GroupID: "g", User: "ada"}, account.Consent("ada", "c"))
	b.isDecided(&nairav1.AccountGivenBackV2{}, &nairav1.OfficialGivenBack{}, &nairav1.GuardianConsented{})
}

func TestAVoteThatMadeWayForAnotherIsDecidedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	away, users := noon.Add(savings.AwayFor), savings.Officers{Users: []string{"vera", "femi", "ada"}}
	proposes := func(now time.Time) event.Command {
		return savings.ProposeSuccession{GroupID: "g", Candidate: "femi", By: "femi", OwnerSeen: noon, Officers: users, Now: now}
	}
	b.do(account.EndCheck("femi", "c", 0))
	b.from(away, proposes(away))
	b.from(away.Add(savings.VoteFor), proposes(away.Add(savings.VoteFor)))
	result, differs := b.again()
	require.Empty(t, differs)
	require.NotContains(t, result.Taken, "naira.v1.SuccessionEnded")
}

// Earlier builds let in by the link whose invitation had lapsed.
func TestWhoCameInByALapsedInvitationStaysAsItWasDecided(t *testing.T) {
	t.Parallel()
	b := setup(t)
	member, lapsed := savings.MemberStream("g", "kola"), noon.Add(savings.InvitationFor)
	b.do(savings.InviteMember{GroupID: "g", User: "kola", By: "femi", Now: noon})
	b.from(lapsed, ledgertest.Raw{
		event.On(savings.GroupStream("g"), &nairav1.SeatTaken{GroupId: "g", UserId: "kola", Seats: 4}), event.On(member, &nairav1.MembershipRequested{GroupId: "g", UserId: "kola"}),
		event.On(member, &nairav1.MembershipApproved{GroupId: "g", UserId: "kola", ApprovedBy: "femi"}),
	})
	_, differs := b.again()
	require.Empty(t, differs)
}

// Earlier builds told who had left that there was no such sub-account, took nothing late of a suspended group, and let
// a due off by a waiver of an earlier membership.
func TestWhatWasDecidedOfThoseWhoHadLeftStaysAsItWasDecided(t *testing.T) {
	t.Parallel()
	b := setup(t)
	joins := []event.Command{savings.JoinGroup{GroupID: "g", User: "kola"}, savings.ApproveMember{GroupID: "g", User: "kola", By: "ada"}}
	b.do(joins...)
	b.do(account.EndCheck("femi", "c", 0))
	b.funded("saved", noon, "kola")
	waives := dues.RequestWaiver{
		WaiverID: "w", GroupID: "g", SubAccountID: "s", User: "kola", Period: "2026-11-01", Kind: nairav1.WaiverKind_WAIVER_KIND_WAIVED, Reason: "She was ill.", By: "ada",
		Officers: savings.Officers{Users: []string{"vera", "ada", "femi"}}, Now: later,
	}
	b.from(later, waives)
	b.do(contribute("kola", 5000*money.Naira), dues.LeaveGroup{GroupID: "g", User: "kola", Forfeit: true, SubAccounts: []string{"s"}, Now: noon})
	for _, id := range []string{"p", "q"} {
		purpose := &nairav1.ContributionPurpose{GroupId: "g", SubAccountId: "s"}
		b.do(wallet.StartPayment{PaymentID: id, User: "kola", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Tariff: wallet.Free, Amount: 100_00, ExpiresAt: noon.Add(time.Hour), For: purpose})
	}
	came := func(id, why string) event.Command {
		return refusedThen{wallet.ConfirmPayment{PaymentID: id, User: "kola", Provider: event.Vfd, Gross: 100_00, ProviderRef: id, PaidAt: noon}, event.On(wallet.Stream(id), &nairav1.ContributionRefused{
			PaymentId: id, UserId: "kola", GroupId: "g", SubAccountId: "s", AmountKobo: 100_00, Reason: why,
		})}
	}
	b.do(came("p", "There is no such sub-account."))
	b.do(joins...)
	b.from(later, ledgertest.Raw{
		event.On(dues.WaiverStream("w"), &nairav1.WaiverApproved{WaiverId: "w", GroupId: "g", ApprovedBy: "femi", AmountKobo: 5000_00}),
		event.On(dues.Stream("s", "kola"), &nairav1.DueWaived{GroupId: "g", SubAccountId: "s", UserId: "kola", Period: "2026-11-01", AmountKobo: 5000_00, Kind: nairav1.WaiverKind_WAIVER_KIND_WAIVED, WaiverId: "w"}),
	})
	b.from(later, savings.SuspendGroup("g", "admin", "We look at it"))
	b.do(came("q", "The group is suspended, so it takes no contributions. Ask its owner, or contact us."))
	_, differs := b.again()
	require.Empty(t, differs)
}

// refusedThen is a payment that came, and what an earlier build said of it then.
type refusedThen struct {
	wallet.ConfirmPayment
	said event.Draft
}

func (c refusedThen) Decide(v event.View) ([]event.Draft, error) {
	drafts, err := c.ConfirmPayment.Decide(v)
	return append(drafts, c.said), err
}

func TestMembershipsThatEndWithAnAccountAreDecidedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, user := range []string{"kola", "lola"} {
		b.do(savings.JoinGroup{GroupID: "g", User: user}, savings.ApproveMember{GroupID: "g", User: user, By: "ada"})
	}
	b.funded("saved", noon, "kola", "lola")
	for _, user := range []string{"kola", "lola"} {
		b.do(contribute(user, 9000*money.Naira))
	}
	b.from(later, savings.DeactivateMember{GroupID: "g", User: "lola", By: "ada"})
	for _, user := range []string{"kola", "lola"} {
		b.from(later, dues.CloseAccount{User: user, Leave: []dues.LeaveGroup{{GroupID: "g", User: user, Forfeit: true, SubAccounts: []string{"s"}, Closing: true, Now: noon}}})
	}
	result, differs := b.again()
	require.Empty(t, differs)
	require.NotContains(t, result.Taken, "naira.v1.MemberExited")
}

// Earlier builds recorded of an invitation that an approver withdrew that it had expired.
func TestAnInvitationThatWasWithdrawnBeforeItWasSaidByWhomStaysAsItWasDecided(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(savings.InviteMember{GroupID: "g", User: "kola", By: "ada", Now: noon},
		ledgertest.Raw{event.On(savings.MemberStream("g", "kola"), &nairav1.InvitationExpired{GroupId: "g", UserId: "kola"})})
	_, differs := b.again()
	require.Empty(t, differs)
}
