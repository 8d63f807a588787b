package redecide_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoaccess"
	"adashi.ng/ledger/domain/ajocard"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/disputed"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/remedy"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standingorder"
	"adashi.ng/ledger/domain/stolen"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/redecide"
	"adashi.ng/ledger/ledgertest"
)

// later is when offices that were given at noon count.
var later = noon.AddDate(0, 0, 4)

// funded pays money into wallets.
func (b book) funded(id string, at time.Time, users ...string) {
	b.Helper()
	for _, user := range users {
		b.from(at, wallet.StartPayment{PaymentID: id + user, User: user, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Tariff: wallet.Free, Amount: 9000 * money.Naira, ExpiresAt: at.Add(time.Hour)},
			wallet.ConfirmPayment{PaymentID: id + user, User: user, Provider: event.Vfd, Gross: 9000 * money.Naira, ProviderRef: "ref " + id + user, PaidAt: at})
	}
}

// offices has a group's people invited, appointed, passed over and let go.
func offices(b book) {
	b.Helper()
	invite := func(user string, at time.Time) event.Command {
		return savings.InviteMember{GroupID: "g", User: user, By: "femi", Now: at}
	}
	lapsed := noon.AddDate(0, 0, 15)
	b.do(account.EndCheck("femi", "c", 0), account.EndCheck("kola", "c", 0), invite("kola", noon), savings.AcceptInvitation{GroupID: "g", User: "kola", Now: noon},
		invite("lola", noon), invite("mola", noon), savings.AppointApprover{GroupID: "g", User: "kola", By: "ada"},
		savings.OfferOwnership{GroupID: "g", To: "kola", By: "ada"}, savings.OfferOwnership{GroupID: "g", To: "femi", By: "ada"}, savings.AnswerOwnership{GroupID: "g", By: "femi"},
		savings.OfferOwnership{GroupID: "g", To: "femi", By: "ada"}, savings.AnswerOwnership{GroupID: "g", By: "femi", Accept: true})
	b.from(lapsed, savings.LapseInvitation{GroupID: "g", User: "lola", Now: lapsed}, invite("lola", lapsed), invite("mola", lapsed), savings.RejectMember{GroupID: "g", User: "lola", By: "ada"})
	all := savings.Officers{Users: []string{"vera", "ada", "femi", "kola"}}
	waives := dues.RequestWaiver{
		WaiverID: "w1", GroupID: "g", SubAccountID: "s", User: "vera", Period: "2026-12-01", Kind: nairav1.WaiverKind_WAIVER_KIND_WAIVED, Reason: "She was ill.", By: "ada",
		Officers: all, Now: noon.AddDate(0, 1, 0),
	}
	again := waives
	again.WaiverID, again.Officers.Interested = "w2", []string{"femi"}
	decides := dues.DecideWaiver{WaiverID: "w1", GroupID: "g", SubAccountID: "s", User: "vera", By: "kola", Reason: "Not yet.", Now: waives.Now}
	agrees := decides
	agrees.WaiverID, agrees.Approve = "w2", true
	b.from(waives.Now, waives, decides, again, agrees)
	away := later.AddDate(0, 0, -31)
	propose := savings.ProposeSuccession{GroupID: "g", Candidate: "kola", By: "ada", OwnerSeen: away, Officers: all, Now: later}
	b.from(later, propose, savings.VoteSuccession{GroupID: "g", Candidate: "kola", By: "kola", Agrees: true, OwnerSeen: away, Now: later})
	propose.Candidate, propose.By = "ada", "femi"
	b.from(later, propose, savings.EndSuccession{GroupID: "g", Candidate: "ada", OwnerSeen: later, Now: later})
	b.from(later, savings.RemoveApprover{GroupID: "g", User: "femi", By: "kola"}, savings.DeactivateMember{GroupID: "g", User: "femi", By: "kola"})
	b.do(savings.JoinGroup{GroupID: "g", User: "bisi"}, savings.ApproveMember{GroupID: "g", User: "bisi", By: "kola"})
	b.funded("saved", noon, "bisi")
	b.do(contribute("bisi", 5000*money.Naira))
	b.do(dues.LeaveGroup{GroupID: "g", User: "bisi", Forfeit: true, SubAccounts: []string{"s"}, Now: noon})
}

// A vote of four ends against a candidate for whom one voted, when two closed their account.
func TestAVoteThatEndedWithoutThoseWhoClosedTheirAccountIsDecidedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	voters := []string{"gozie", "halima", "ife"}
	b.do(account.EndCheck("femi", "c", 0))
	for _, user := range voters {
		b.do(account.EndCheck(user, "c", 0), savings.JoinGroup{GroupID: "g", User: user}, savings.ApproveMember{GroupID: "g", User: user, By: "ada"},
			savings.AppointApprover{GroupID: "g", User: user, By: "ada"})
	}
	away := later.AddDate(0, 0, -31)
	ends := savings.EndSuccession{GroupID: "g", Candidate: "femi", Voters: append(voters, "femi"), OwnerSeen: away, Now: later}
	b.from(later, savings.ProposeSuccession{GroupID: "g", Candidate: "femi", By: "femi", OwnerSeen: away, Officers: savings.Officers{Users: append(voters, "ada", "vera", "femi")}, Now: later},
		savings.VoteSuccession{GroupID: "g", Candidate: "femi", By: "gozie", Agrees: true, OwnerSeen: away, Now: later},
		account.Close{User: "halima"}, account.Close{User: "ife"}, ends)
	_, differs := b.again()
	require.Empty(t, differs)
}

// settings has a group's settings changed, and groups that are founded and closed.
func settings(b book) {
	b.Helper()
	b.do(savings.SetNotice{GroupID: "g", By: "ada", Hours: 48, Now: noon}, savings.SetNotice{GroupID: "g", By: "ada", Hours: 24, Now: noon},
		savings.ShowGroupTotal{GroupID: "g", By: "ada", Show: true}, savings.SetSearchView{GroupID: "g", By: "ada"}, savings.ShowSubAccountTotal{GroupID: "g", SubAccountID: "s", By: "ada", Show: true},
		savings.AddDocument{GroupID: "g", DocumentID: "d", By: "vera", SHA256: "00"}, savings.RemoveDocument{GroupID: "g", DocumentID: "d", By: "femi"})
	b.do(savings.CreateGroup{GroupID: "h", Owner: "zed", Name: "Weavers", Amount: 5000 * money.Naira, Capacity: 10, StartMonth: 11, Now: noon})
	for _, user := range []string{"vera", "femi"} {
		b.do(savings.JoinGroup{GroupID: "h", User: user}, savings.ApproveMember{GroupID: "h", User: user, By: "zed"})
	}
	b.do(ledgertest.Appointed("h", "zed", "vera", "femi")...)
	b.do(account.EndCheck("zed", "c", 0), savings.Activate{GroupID: "h", Owner: "zed"}, savings.CloseGroup{GroupID: "h", By: "zed", Reason: "It is over."})
	b.do(savings.CloseGroup{GroupID: "g", By: "ada", Reason: "It is over.", SubAccounts: []string{"s"}}) // It holds money.
}

// accounts has members' accounts, orders and cards set, and money of which a person says what it is.
func accounts(b book) {
	b.Helper()
	b.do(account.SetTier{Staff: "sade", User: "vera", Tier: 2, Case: "1"}, account.Consent("vera", "r"))
	day := savings.Day(noon)
	order := standingorder.Set{OrderID: "o", User: "vera", GroupID: "g", SubAccountID: "s", Amount: 100 * money.Naira, Frequency: nairav1.StandingFrequency_STANDING_FREQUENCY_WEEKLY, FirstDay: day, Now: noon}
	run := standingorder.Run{OrderID: "o", Day: day.Format(time.DateOnly), Contribute: contribute("vera", 100*money.Naira)}
	b.do(order, run)
	week := noon.AddDate(0, 0, 12) // Its days are over.
	b.from(week, standingorder.Miss("o", "vera", day.AddDate(0, 0, 7).Format(time.DateOnly), "Too little.", week))
	b.do(account.Freeze{User: "vera", HoldID: "f1", Now: noon})
	b.funded("more", noon, "vera")
	b.do(account.Freeze{User: "vera", HoldID: "f2", Keep: true, Now: noon}, account.AskThaw{User: "vera", Now: noon})
	b.from(noon.Add(25*time.Hour), account.Thaw{User: "vera", Holds: []account.FrozenHold{{ID: "f1", Amount: 3900 * money.Naira}, {ID: "f2", Amount: 9000 * money.Naira}}, Now: noon.Add(25 * time.Hour)})
	ask := ajoaccess.Ask{User: "vera", AskID: "a", Adult: true, Salary: 90_000 * money.Naira, BankStatement: true, OfferLetter: true}
	review := ajoaccess.Review{Staff: "sade", User: "vera", AskID: "a"}
	b.do(ask, ajoaccess.Withdraw{User: "vera"}, ask, ajoaccess.Refuse{Review: review, Reason: "It is not readable."}, ask, ajoaccess.Grant{Review: review})
	b.do(ajocard.OpenCard{CardID: "card", User: "vera", Name: "School fees", Amount: 100 * money.Naira, Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_DAILY, Start: day, Now: noon},
		ajocard.SetCollector{CardID: "card", User: "vera", Collector: "ada", Commission: true})
	b.do(wallet.HoldArrival{ProviderRef: "held", Provider: event.Vfd, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Amount: 70_00, Reference: "held", Reason: "It has no session.", PaidAt: noon},
		wallet.SettleHeld{ProviderRef: "held", Provider: event.Vfd, Reference: "other", PaidAt: noon, By: "sade", Reason: "The bank told it."})
	all := ledgertest.AjoSealed(noon, draw.Quicknet, func(*nairav1.AjoTerms) {})
	b.do(all[:len(all)-1]...)
	b.do(ajo.TellPast(club, ledgertest.Saver(0), []ajo.Past{{Cycle: 1, Seat: 2, Paid: []int{1, 3}}}))
	remedies(b)
}

// remedies has two of staff do something for a member whose account somebody else used.
func remedies(b book) {
	b.Helper()
	back := remedy.Propose{Desk: remedy.Desk{Staff: "sam", User: "vera"}, RemedyID: "r1", Kind: nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK, Case: "1", Since: noon.Add(-time.Hour), Now: noon}
	again, another := back, back
	again.RemedyID = "r2"
	another.RemedyID, another.Kind = "r3", nairav1.RemedyKind_REMEDY_KIND_ANOTHER_BVN
	agree := remedy.Agree{Desk: remedy.Desk{Staff: "sade", User: "vera"}, RemedyID: "r2", Hold: remedy.Hold, At: noon}
	agreeToo := agree
	agreeToo.RemedyID = "r3"
	found := stolen.Found{User: "vera", RemedyID: "r2", Act: nairav1.StolenAct_STOLEN_ACT_SETTINGS, GroupID: "g", Settings: []nairav1.GroupSetting{nairav1.GroupSetting_GROUP_SETTING_NOTICE}}
	b.do(back, remedy.Decline{Staff: "sam", User: "vera", RemedyID: "r1"}, again, agree, account.EndSessions("vera", "r2", noon), found, another, agreeToo, account.EndCheck("vera", "c2", 0))
}

// What a thief joined ends by one decision with what tells the member.
func TestWhatAThiefJoinedIsDecidedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(savings.JoinGroup{GroupID: "g", User: "kola"}, savings.ApproveMember{GroupID: "g", User: "kola", By: "ada"}, savings.JoinGroup{GroupID: "g", User: "lola"})
	for _, user := range []string{"kola", "lola"} {
		back := remedy.Propose{Desk: remedy.Desk{Staff: "sam", User: user}, RemedyID: "r", Kind: nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK, Case: "1", Since: noon.Add(-time.Hour), Now: later}
		leave := dues.LeaveGroup{GroupID: "g", User: user, SubAccounts: []string{"s"}, Closing: true, Now: later}
		b.from(later, back, remedy.Agree{Desk: remedy.Desk{Staff: "sade", User: user}, RemedyID: "r", Hold: remedy.Hold, At: later}, account.EndSessions(user, "r", later),
			stolen.LeaveGroup{LeaveGroup: leave, RemedyID: "r"})
	}
	b.isDecided(&nairav1.MemberExited{}, &nairav1.MembershipRejected{}, &nairav1.StolenActFound{})
}

// clocks has a dispute's clock run out.
func clocks(b book) {
	b.Helper()
	b.do(dispute.Claim{
		DisputeID: "dd", User: "vera", Kind: nairav1.DisputeKind_DISPUTE_KIND_FINED_IN_TIME, About: "group:g:s", Group: "g", Sub: "s", Words: &nairav1.Words{PaperId: "p", Sha256: make([]byte, 32)}, Now: noon,
	})
	b.from(noon.Add(25*time.Hour), dispute.Tick("dd", "s", noon.Add(25*time.Hour)))
}

func TestOfficesSettingsAndAccountsAreDecidedAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		story func(b book)
		types string
	}{
		"offices": {offices, "ApproverRemoved OwnershipOffered OwnershipOfferEnded OwnershipPassed SuccessionProposed SuccessionVoted SuccessionEnded MemberInvited InvitationExpired InvitationWithdrawn " +
			"MemberDeactivatedV2 MemberExited SavingsClosed WaiverRequested WaiverApproved WaiverRejected DueWaived"},
		"settings": {settings, "GroupNoticeSet GroupVisibilitySet GroupSearchViewSet SubAccountVisibilitySet GroupDocumentAdded GroupDocumentRemoved GroupClosing GroupClosed GroupActivated"},
		"accounts": {accounts, "TierSet GuardianConsented OutgoingFrozen FrozenMoneyHeld ThawAsked OutgoingThawed AjoAccessAsked AjoAccessGranted AjoAccessRefused AjoAccessWithdrawn AjoPastTold " +
			"AccountRemedyProposed AccountRemedyDeclined AccountGivenBackV2 AccountSessionsEnded StolenActFound AnotherBvnLetIn AjoCardCollectorSet StandingOrderSet StandingOrderRan StandingOrderMissed ArrivalHeldV2 HeldArrivalSettledV2"},
		"clocks": {clocks, "DisputeOverdue"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			c.story(b)
			result, differs := b.again()
			require.Empty(t, differs)
			records, err := history.Read(context.Background(), b.pool, 0, 1000)
			require.NoError(t, err)
			there := map[string]bool{}
			for _, r := range records {
				there[strings.TrimPrefix(r.Type, "naira.v1.")] = true
			}
			for _, typ := range strings.Fields(c.types) {
				require.True(t, there[typ], "the story has no %s", typ)
				require.NotContains(t, result.Taken, "naira.v1."+typ)
			}
		})
	}
}

func TestWhatTheRulesWouldNotHaveDecidedAboutPowerAndMoneyIsFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	clocks(b)
	b.do(account.Consent("vera", "r"), standingorder.Set{
		OrderID: "set", User: "vera", GroupID: "g", SubAccountID: "s", Amount: 100 * money.Naira, Frequency: nairav1.StandingFrequency_STANDING_FREQUENCY_WEEKLY, FirstDay: savings.Day(later), Now: noon,
	})
	group, member := savings.GroupStream("g"), func(user string) string { return savings.MemberStream("g", user) }
	vera := account.Stream("vera")
	for _, planted := range []struct {
		stream string
		m      proto.Message
	}{
		{group, &nairav1.ApproverRemoved{GroupId: "g", UserId: "femi", RemovedBy: "vera"}},
		{group, &nairav1.OwnershipOffered{GroupId: "g", ToUserId: "vera", OfferedBy: "ada"}},
		{group, &nairav1.OwnershipOfferEnded{GroupId: "g", ToUserId: "femi", EndedBy: "femi"}},
		{group, &nairav1.SuccessionVoted{GroupId: "g", CandidateId: "femi", UserId: "vera", Agrees: true}},
		{group, &nairav1.SuccessionEnded{GroupId: "g", CandidateId: "femi", Reason: "The owner is back."}},
		{group, &nairav1.GroupActivated{GroupId: "g"}},
		{group, &nairav1.GroupNoticeSet{GroupId: "g", Hours: 0, SetBy: "femi"}},
		{group, &nairav1.GroupVisibilitySet{GroupId: "g", ShowTotalBalance: true, SetBy: "femi"}},
		{group, &nairav1.GroupSearchViewSet{GroupId: "g", SetBy: "femi"}},
		{group, &nairav1.GroupDocumentAdded{GroupId: "g", DocumentId: "d", AddedBy: "bisi"}},
		{group, &nairav1.GroupDocumentRemoved{GroupId: "g", DocumentId: "none", RemovedBy: "ada"}},
		{group, &nairav1.GroupClosing{GroupId: "g", By: "femi", Reason: "It is over."}},
		{savings.SubStream("s"), &nairav1.SubAccountVisibilitySet{GroupId: "g", SubAccountId: "s", ShowTotalToMembers: true, SetBy: "femi"}},
		{member("bisi"), &nairav1.MemberInvited{GroupId: "g", UserId: "bisi", InvitedBy: "bisi"}},
		{member("kola"), &nairav1.InvitationExpired{GroupId: "g", UserId: "kola"}},
		{member("kola"), &nairav1.InvitationWithdrawn{GroupId: "g", UserId: "kola", WithdrawnBy: "bisi"}},
		{member("femi"), &nairav1.MemberDeactivatedV2{GroupId: "g", UserId: "femi", DeactivatedBy: "vera"}},
		{member("femi"), &nairav1.MemberExited{GroupId: "g", UserId: "femi", ForfeitedKobo: 1}},
		{dues.Stream("s", "vera"), &nairav1.SavingsClosed{GroupId: "g", SubAccountId: "s", UserId: "vera", ForfeitedKobo: 1}},
		{dues.Stream("s", "femi"), &nairav1.DueWaived{GroupId: "g", SubAccountId: "s", UserId: "femi", Period: "2026-11-01", AmountKobo: 4700_00, Kind: nairav1.WaiverKind_WAIVER_KIND_WAIVED, WaiverId: "none"}},
		{dues.WaiverStream("w"), &nairav1.WaiverApproved{WaiverId: "w", GroupId: "g", ApprovedBy: "ada", AmountKobo: 1}},
		{dues.WaiverStream("w"), &nairav1.WaiverRejected{WaiverId: "w", GroupId: "g", RejectedBy: "ada"}},
		{vera, &nairav1.TierSet{UserId: "vera", Tier: 3, SetBy: "vera", CaseId: "1"}},
		{vera, &nairav1.GuardianConsented{UserId: "vera", RequestId: "again"}},
		{vera, &nairav1.ThawAsked{UserId: "vera"}},
		{vera, &nairav1.OutgoingThawed{UserId: "vera"}},
		{vera, &nairav1.FrozenMoneyHeld{UserId: "vera", HoldId: "none", AmountKobo: 1}},
		{vera, &nairav1.OutgoingFrozen{UserId: "vera"}},
		{vera, &nairav1.AnotherBvnLetIn{UserId: "vera", RemedyId: "none", ProposedBy: "sam", ApprovedBy: "sade"}},
		{vera, &nairav1.AccountRemedyDeclined{UserId: "vera", RemedyId: "none", DeclinedBy: "sam"}},
		{vera, &nairav1.AccountRemedyProposed{UserId: "vera", RemedyId: "own", Kind: nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK, ProposedBy: "vera", CaseId: "1"}},
		{vera, &nairav1.AccountGivenBackV2{UserId: "vera", RemedyId: "own", ProposedBy: "vera", ApprovedBy: "vera"}},
		{vera, &nairav1.AccountSessionsEnded{UserId: "vera", RemedyId: "r2"}},
		{vera, &nairav1.StolenActFound{UserId: "vera", RemedyId: "r2", Act: nairav1.StolenAct_STOLEN_ACT_SETTINGS, GroupId: "g"}},
		{ajoaccess.Stream("vera"), &nairav1.AjoAccessGranted{UserId: "vera", AskId: "a", LimitKobo: 1_000_000_00, ReviewedBy: "sade"}},
		{ajoaccess.Stream("vera"), &nairav1.AjoAccessRefused{UserId: "vera", AskId: "a", Reason: "No such thing.", ReviewedBy: "sade"}},
		{ajoaccess.Stream("vera"), &nairav1.AjoAccessWithdrawn{UserId: "vera", AskId: "a"}},
		{ajoaccess.Stream("ada"), &nairav1.AjoAccessAsked{UserId: "ada", AskId: "a", SalaryKobo: 0}},
		{ajo.Stream(club), &nairav1.AjoPastTold{AjoId: club}},
		{ajocard.Stream("card"), &nairav1.AjoCardCollectorSet{CardId: "card", UserId: "vera", CollectorId: "ada"}},
		{standingorder.Stream("o"), &nairav1.StandingOrderRan{OrderId: "o", UserId: "vera", Day: "2026-11-15", NextDay: "2026-11-15"}},
		{standingorder.Stream("set"), &nairav1.StandingOrderRan{OrderId: "set", UserId: "vera", Day: "2026-11-19", NextDay: "2026-11-26"}}, // Before its day.
		{standingorder.Stream("o"), &nairav1.StandingOrderMissed{OrderId: "o", UserId: "vera", Day: "2026-11-15", NextDay: "2026-12-15"}},
		{standingorder.Stream("n"), &nairav1.StandingOrderSet{OrderId: "n", UserId: "bisi", GroupId: "g", SubAccountId: "s", AmountKobo: 1, FirstDay: "2026-11-20"}},
		{wallet.ArrivalStream(event.Vfd, "none"), &nairav1.HeldArrivalSettledV2{ProviderRef: "none", Provider: string(event.Vfd), SettledBy: "sade", Reason: "So it is."}},
		{wallet.ArrivalStream(event.Vfd, "free"), &nairav1.ArrivalHeldV2{ProviderRef: "free", Provider: string(event.Vfd)}},
		{dispute.Stream("dd"), &nairav1.DisputeOverdue{DisputeId: "dd", UserId: "vera", Clock: nairav1.DisputeClock_DISPUTE_CLOCK_ACKNOWLEDGE}},
		{liquidation.Stream("l"), &nairav1.LiquidationAnswered{LiquidationId: "l", GroupId: "g", AnsweredBy: "femi", Answers: 1, Needed: 1}},
		{liquidation.Stream("l"), &nairav1.LiquidationFunded{LiquidationId: "l", GroupId: "g", SubAccountId: "s", AmountKobo: 1}},
		{disputed.Stream("s"), &nairav1.DisputedMoneyFreed{DisputeId: "dd", UserId: "vera", GroupId: "g", SubAccountId: "s", AmountKobo: 1}},
		{group, &nairav1.OwnershipPassed{GroupId: "g", FromUserId: "ada", ToUserId: "vera"}},
		{group, &nairav1.GroupClosed{GroupId: "g", By: "ada"}},
	} {
		_, before, err := history.Head(context.Background(), b.pool)
		require.NoError(t, err)
		b.do(ledgertest.Raw{{Stream: planted.stream, Message: planted.m}})
		_, differs := b.again()
		require.NotEmpty(t, differs[before+1], "%T is not found: %v", planted.m, differs)
	}
}

func TestAVoteOrAWaiverThatTheRulesWouldNotHaveBegunIsFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, planted := range []ledgertest.Raw{
		{
			event.On(savings.GroupStream("g"), &nairav1.SuccessionProposed{GroupId: "g", CandidateId: "femi", ProposedBy: "femi"}),
			event.On(savings.GroupStream("g"), &nairav1.VotersFixed{GroupId: "g", CandidateId: "femi", VoterIds: []string{"femi"}}),
		},
		{
			event.On(dues.WaiverStream("w"), &nairav1.WaiverRequested{WaiverId: "w", GroupId: "g", SubAccountId: "s", UserId: "femi", Period: "2026-11-01", RequestedBy: "femi"}),
			event.On(dues.WaiverStream("w"), &nairav1.WaiverDecidersFixed{WaiverId: "w", GroupId: "g", DeciderIds: []string{"femi"}}),
		},
	} {
		_, before, err := history.Head(context.Background(), b.pool)
		require.NoError(t, err)
		b.do(planted)
		_, differs := b.again()
		require.NotEmpty(t, differs[before+1], "%v", planted)
	}
}

func TestAPlaceThatIsTakenOverIsDecidedAgain(t *testing.T) {
	t.Parallel()
	people := everybody()
	const taker = "00000000-0000-4000-8000-000000000009"
	for name, c := range map[string]struct {
		before func(w weeks) // In the first cycle or in the second.
		price  money.Kobo
		cycle  int
		first  string
	}{
		"with a due that goes back": {func(w weeks) { w.on(0, w.due(0, 0, 1)) }, 0, 1, "AjoContributionReturned"},
		"with a debt that is paid":  {func(w weeks) { w.on(0, w.due(0, 2, 1)); w.on(6, w.judge(6, 1)) }, hand, 2, "AjoDebtPaid"},
		"alone":                     {func(weeks) {}, 0, 1, "AjoPlaceTaken"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWeeks(t)
			c.before(w)
			w.do(account.EndCheck(taker, "c", 0))
			w.funded("taker", w.at(6.1), taker)
			hash := ajo.TermsHash(w.ajo().Terms)
			w.on(6.2, ajo.OpenPlace(club, people[0], 1, w.at(6.2)), ajopot.TakePlace{
				AjoID: club, Seat: 1, From: people[0], To: ajo.Joiner{User: taker, Invited: true, TermsHash: hash[:]}, Price: c.price, Cycles: []int{c.cycle}, People: append(everybody(), taker),
			}.Command())
			first := find(w, func(m *nairav1.AjoPlaceTaken) bool { return true })
			result, differs := w.again()
			require.Empty(t, differs)
			require.Empty(t, result.Taken)
			require.Empty(t, told(w.try().Lines))
			found := w.try(redecide.Edit{Position: first, Absent: true})
			require.Contains(t, told(found.Lines)[0], "EDITED -"+c.first)
			w.do(ledgertest.Raw{event.On(ajo.Stream(club), &nairav1.AjoPlaceTaken{AjoId: club, Seat: 2, FromUserId: people[1], ToUserId: taker, Halves: 2, TermsHash: hash[:]})})
			_, differs = w.again()
			require.Len(t, differs, 1, "the second seat was never given up")
		})
	}
}

// A member takes over another's place: what they pay of its debts could also have been a gift of theirs, after which
// the place would cost more than is recorded.
func TestAMemberWhoTakesOverAPlaceWithADebtIsNotTakenToHavePaidItByTheWay(t *testing.T) {
	t.Parallel()
	w, people := newWeeks(t), everybody()
	const six = "00000000-0000-4000-8000-000000000066"
	terms := proto.CloneOf(w.ajo().Terms)
	terms.Seats = 6 // Of which one person may hold two.
	hash := ajo.TermsHash(terms)
	begun := ledgertest.Raw{event.On(ajo.Stream(six), &nairav1.AjoCreated{AjoId: six, OwnerId: people[0], Name: "Six", Terms: terms})}
	for n, user := range people {
		begun = append(begun, event.On(ajo.Stream(six), &nairav1.AjoSeatTakenV2{AjoId: six, Seat: int32(n + 1), UserId: user, Halves: 2, TermsHash: hash[:]}))
	}
	w.on(0, append(begun,
		event.On(ajo.Stream(six), &nairav1.AjoStarted{AjoId: six, Order: []int32{2, 3, 1, 4, 5, 6}, FirstDue: w.first.Format(time.DateOnly), FirstCycle: 1}),
		event.On(ajo.Stream(six), &nairav1.AjoCycleReady{AjoId: six, Cycle: 1, Seat: 2}),
		event.On(ajo.DebtStream(six), &nairav1.AjoDebtOpened{
			AjoId: six, DebtId: "1.1", Kind: nairav1.AjoDebtKind_AJO_DEBT_KIND_SHORTFALL, Cycle: 1, Seat: 1, DebtorId: people[0], CreditorId: people[1], AmountKobo: int64(hand),
		})))
	w.on(6, ajo.OpenPlace(six, people[0], 1, w.at(6)))
	_, before := w.again()
	w.on(6.2, ajopot.TakePlace{
		AjoID: six, Seat: 1, From: people[0], To: ajo.Joiner{User: people[2], Invited: true, TermsHash: hash[:]}, Price: hand, Cycles: []int{2}, People: people,
	}.Command())
	paid := find(w, func(*nairav1.AjoDebtPaid) bool { return true })
	require.Equal(t, paid+1, find(w, func(m *nairav1.AjoPlaceTaken) bool { return m.GetPriceKobo() == 0 }))
	_, differs := w.again()
	require.Equal(t, before, differs, "only what was planted")
}

// before has a group whose sub-account was opened before groups counted theirs, with money of vera's in it.
func (b book) before() {
	b.Helper()
	b.do(savings.CreateGroup{GroupID: "old", Owner: "zed", Name: "Weavers", Amount: 5000 * money.Naira, Capacity: 10, StartMonth: 11, Now: noon})
	for _, user := range []string{"vera", "femi"} {
		b.do(savings.JoinGroup{GroupID: "old", User: user}, savings.ApproveMember{GroupID: "old", User: user, By: "zed"})
	}
	b.do(ledgertest.Appointed("old", "zed", "vera", "femi")...)
	b.do(account.EndCheck("zed", "c", 0), savings.Activate{GroupID: "old", Owner: "zed"})
	b.do(ledgertest.Raw{event.On(savings.SubStream("uncounted"), &nairav1.SubAccountOpened{
		GroupId: "old", SubAccountId: "uncounted", Name: "Dues", PaymentType: nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE, PaymentFrequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, AmountKobo: 100_00,
		FirstDue: "2026-11-01",
	})})
	saves := contribute("vera", 100*money.Naira)
	saves.GroupID, saves.SubAccountID = "old", "uncounted"
	b.do(saves)
}

// closes is the closing of that group, as its members saw its sub-accounts.
var closes = savings.CloseGroup{GroupID: "old", By: "zed", Reason: "It is over.", SubAccounts: []string{"uncounted"}}

func TestAGroupClosesWhoseSubAccountsWereOpenedBeforeTheyWereCounted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.before()
	b.do(closes) // It holds money, so it is not closed yet.
	result, differs := b.again()
	require.Empty(t, differs)
	require.NotContains(t, result.Taken, "naira.v1.SubAccountOpened")
	require.NotContains(t, result.Taken, "naira.v1.GroupClosing")
	opened := event.On(savings.SubStream("never"), &nairav1.SubAccountOpened{
		GroupId: "g", SubAccountId: "never", Name: "Never", PaymentType: nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE, PaymentFrequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, AmountKobo: 100_00,
		FirstDue: "2026-11-01",
	})
	b.do(ledgertest.Raw{opened})
	_, differs = b.again()
	require.Len(t, differs, 1, "a group that counts its sub-accounts counts all of them")
	b.do(ledgertest.Raw{event.On(savings.GroupStream("old"), &nairav1.GroupClosed{GroupId: "old", By: "zed"})})
	_, differs = b.again()
	require.Len(t, differs, 2, "it still holds money")
}

func TestWhoLeavesAGroupWhoseSubAccountsWereNotCountedLeavesTheirSavings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.before()
	b.do(savings.JoinGroup{GroupID: "old", User: "bisi"}, savings.ApproveMember{GroupID: "old", User: "bisi", By: "zed"})
	b.funded("bisis", noon, "bisi")
	saves := contribute("bisi", 100*money.Naira)
	saves.GroupID, saves.SubAccountID = "old", "uncounted"
	b.do(saves, dues.LeaveGroup{GroupID: "old", User: "bisi", Forfeit: true, SubAccounts: []string{"uncounted"}, Now: noon})
	_, differs := b.again()
	require.Empty(t, differs)
	b.do(savings.JoinGroup{GroupID: "old", User: "kola"}, savings.ApproveMember{GroupID: "old", User: "kola", By: "zed"})
	b.funded("kolas", noon, "kola")
	saves.User = "kola"
	b.do(saves, ledgertest.Raw{ // As if they had saved nothing.
		event.On(savings.MemberStream("old", "kola"), &nairav1.MemberExited{GroupId: "old", UserId: "kola"}),
		event.On(savings.GroupStream("old"), &nairav1.SeatFreed{GroupId: "old", UserId: "kola", Seats: 3}),
	})
	_, differs = b.again()
	require.NotEmpty(t, differs, "what they saved is not closed")
}

// pays is a transfer of ₦100 for a sub-account that vera has begun, and that her bank tells of.
func (b book) pays(id string) dues.ContributeByPayment {
	c := contribute("vera", 100*money.Naira)
	c.Channel, c.PaymentID = nairav1.Channel_CHANNEL_BANK_TRANSFER, id
	b.do(wallet.StartPayment{
		PaymentID: id, User: "vera", Channel: c.Channel, Provider: event.Vfd, Tariff: wallet.Free, Amount: c.Amount, ExpiresAt: noon.Add(time.Hour), For: &nairav1.ContributionPurpose{GroupId: "g", SubAccountId: "s"},
	})
	return dues.ContributeByPayment{Confirm: wallet.ConfirmPayment{PaymentID: id, User: "vera", Provider: event.Vfd, Gross: c.Amount, ProviderRef: id, PaidAt: noon}, Contribute: c}
}

// What an earlier build decided of a payment that a thief had begun stays.
func TestAPaymentThatAThiefBeganIsDecidedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	now, taken, before := b.pays("now"), b.pays("taken"), b.pays("before")
	desk := remedy.Desk{Staff: "sam", User: "vera"}
	b.from(later, remedy.Propose{Desk: desk, RemedyID: "r", Kind: nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK, Case: "1", Since: noon.Add(-time.Hour), Now: later})
	desk.Staff = "sade"
	b.from(later, remedy.Agree{Desk: desk, RemedyID: "r", Hold: remedy.Hold, At: later})
	b.from(later.Add(time.Minute), now, taken.Confirm, taken.Contribute)
	b.from(later.Add(2*time.Minute), savings.SuspendGroup("g", "sade", "It is looked at."), before.Confirm, ledgertest.Raw{event.On(wallet.Stream("before"), &nairav1.ContributionRefused{
		PaymentId: "before", UserId: "vera", GroupId: "g", SubAccountId: "s", AmountKobo: 100_00, Reason: "The group is suspended, so it takes no contributions. Ask its owner, or contact us.",
	})})
	b.isDecided(&nairav1.ContributionRefused{}, &nairav1.ContributionReceived{})
}

func TestAPaymentThatAGroupRefusesIsDecidedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	refused, taken, open := b.pays("refused"), b.pays("taken"), b.pays("open")
	b.do(savings.SuspendGroup("g", "sade", "It is looked at."), refused)
	records, err := history.Read(context.Background(), b.pool, 0, 1000)
	require.NoError(t, err)
	told, err := records[len(records)-1].Message()
	require.NoError(t, err)
	result, differs := b.again()
	require.Empty(t, differs)
	require.NotContains(t, result.Taken, "naira.v1.ContributionRefused")
	other := proto.CloneOf(told.(*nairav1.ContributionRefused))
	other.PaymentId = open.Confirm.PaymentID
	b.do(ledgertest.Raw{event.On(wallet.Stream("open"), other)}, savings.ResumeGroup("g", "sade", "All is well."))
	_, differs = b.again()
	require.Len(t, differs, 1, "its money has not come")
	b.do(taken.Confirm, ledgertest.Raw{event.On(wallet.Stream("taken"), &nairav1.ContributionRefused{
		PaymentId: "taken", UserId: "vera", GroupId: "g", SubAccountId: "s", AmountKobo: 100_00, Reason: "This group is suspended.",
	})})
	_, differs = b.again()
	require.Len(t, differs, 2, "the group takes it")
	b.do(ledgertest.Raw{event.On(wallet.Stream("none"), &nairav1.ContributionRefused{PaymentId: "none", UserId: "vera", GroupId: "g", SubAccountId: "s", AmountKobo: 1})})
	_, differs = b.again()
	require.Len(t, differs, 3, "no such payment came")
}

func TestWhatComesBehindAnotherEventIsFoundByItself(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, planted := range []event.Draft{
		event.On(savings.SubStream("s"), &nairav1.LateTermsSet{GroupId: "g", SubAccountId: "s", PenaltyKobo: 1_000_00}),
		event.On(liquidation.Stream("l"), &nairav1.LiquidationDecidersFixed{LiquidationId: "l", GroupId: "g", ApproverIds: []string{"vera"}}),
		event.On(dues.WaiverStream("w"), &nairav1.WaiverDecidersFixed{WaiverId: "w", GroupId: "g", DeciderIds: []string{"femi"}}),
		event.On(savings.GroupStream("g"), &nairav1.VotersFixed{GroupId: "g", VoterIds: []string{"vera"}}),
		event.On(dues.Stream("s", "femi"), &nairav1.PenaltyReversed{GroupId: "g", SubAccountId: "s", UserId: "femi", Period: "2026-11-01", AmountKobo: 1}),
		event.On(ajo.Stream(club), &nairav1.AjoStarted{AjoId: club, Order: []int32{1}}),
	} {
		_, before, err := history.Head(context.Background(), b.pool)
		require.NoError(t, err)
		b.do(ledgertest.Raw{planted})
		_, differs := b.again()
		require.Contains(t, differs[before+1], "it comes behind another event, and none is in front of it", "%T", planted.Message)
	}
	_, before, err := history.Head(context.Background(), b.pool)
	require.NoError(t, err)
	unknown := event.On(account.Stream("vera"), &nairav1.PasswordTried{UserId: "vera"})
	b.do(ledgertest.Raw{unknown, event.On(savings.GroupStream("g"), &nairav1.VotersFixed{GroupId: "g"})}, // Of which command it came is not known.
		ledgertest.Raw{event.On(savings.GroupStream("g"), &nairav1.VotersFixed{GroupId: "g"})})
	_, differs := b.again()
	require.NotContains(t, differs, before+2)
	require.Contains(t, differs, before+3)
}
