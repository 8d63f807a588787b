package remedy_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoaccess"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/remedy"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

const (
	giveBack   = nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK
	anotherBvn = nairav1.RemedyKind_REMEDY_KIND_ANOTHER_BVN
)

var (
	since    = Epoch.Add(-10 * 24 * time.Hour)
	verified = account.EndCheck("ngozi", "c1", nairav1.BvnFailure_BVN_FAILURE_UNSPECIFIED)
	sam      = remedy.Desk{Staff: "sam", User: "ngozi"}
	back     = remedy.Propose{Desk: sam, RemedyID: "r1", Kind: giveBack, Case: "C-1", Since: since, Now: Epoch}
	another  = remedy.Propose{Desk: sam, RemedyID: "r1", Kind: anotherBvn, Case: "C-1", Now: Epoch}
	agreed   = remedy.Agree{Desk: remedy.Desk{Staff: "ada", User: "ngozi"}, RemedyID: "r1", Hold: remedy.Hold, At: Epoch}
	decline  = remedy.Decline{Staff: "sam", User: "ngozi", RemedyID: "r1"}
	until    = timestamppb.New(Epoch.Add(remedy.Hold))
)

func refused(t *testing.T, w *World, c event.Command, code fault.Code, sentence string) {
	t.Helper()
	before := w.String()
	_, err := w.Do(c)
	require.True(t, fault.Is(err, code), "%v", err)
	require.Contains(t, err.Error(), sentence)
	require.Equal(t, before, w.String(), "a refusal leaves no trace")
}

func owner(w *World) account.Account { return w.State(account.Stream("ngozi")).(account.Account) }

func frozen(user string) event.Draft {
	return event.On(account.Stream(user), &nairav1.OutgoingFrozen{UserId: user})
}

func closed(user string) event.Draft {
	return event.On(account.Stream(user), &nairav1.AccountClosed{UserId: user})
}

func TestTwoOfStaffGiveAnAccountBack(t *testing.T) {
	t.Parallel()
	w := Given(t, verified)
	w.When(back).Then(&nairav1.AccountRemedyProposed{UserId: "ngozi", RemedyId: "r1", Kind: giveBack, ProposedBy: "sam", CaseId: "C-1", Since: timestamppb.New(since)})
	w.When(agreed).Then(&nairav1.AccountGivenBackV2{UserId: "ngozi", RemedyId: "r1", ProposedBy: "sam", ApprovedBy: "ada", Since: timestamppb.New(since), HeldUntil: until, UntilSessionsEnd: true})
	require.Equal(t, account.Verified, owner(w).Bvn, "the BVN stays")
	refused(t, w, agreed, fault.Conflict, "waits no more")
}

func TestAnotherBvnResetsTierAndAccessUntilItIsVerified(t *testing.T) {
	t.Parallel()
	refused(t, Given(t), another, fault.Conflict, "No BVN of this member was ever verified")
	w := Given(t, verified, account.SetTier{Staff: "femi", User: "ngozi", Tier: 3, Case: "C-2"},
		ajoaccess.Ask{User: "ngozi", AskID: "a1", Adult: true, Salary: 210_000 * money.Naira, BankStatement: true, OfferLetter: true},
		ajoaccess.Grant{Review: ajoaccess.Review{Staff: "femi", User: "ngozi", AskID: "a1"}}, another)
	w.When(agreed).Then(&nairav1.AnotherBvnLetIn{UserId: "ngozi", RemedyId: "r1", ProposedBy: "sam", ApprovedBy: "ada", HeldUntil: until},
		&nairav1.AjoAccessLost{UserId: "ngozi", Reason: remedy.Lost})
	require.Equal(t, []any{account.Unchecked, 0, true, true}, []any{owner(w).Bvn, owner(w).Level(), owner(w).Known, owner(w).AnotherBvn}, "the name stays")
	require.False(t, w.State(ajoaccess.Stream("ngozi")).(ajoaccess.Access).Has)
	refused(t, w, another, fault.Conflict, "let in already")
	w.And(account.EndCheck("ngozi", "c2", 0))
	require.Equal(t, []any{1, false}, []any{owner(w).Level(), owner(w).AnotherBvn}, "the tier that was given belonged to the other BVN")
}

func TestWhoProposedARemedyDoesNotAgreeAndNobodyDecidesAboutThemselves(t *testing.T) {
	t.Parallel()
	own := back
	own.Staff = "ngozi"
	refused(t, Given(t), own, fault.Forbidden, "Nobody decides about their own account")
	w := Given(t, back)
	same, self := agreed, agreed
	same.Staff, self.Staff = "sam", "ngozi"
	refused(t, w, same, fault.Forbidden, "Nobody agrees to what they proposed")
	refused(t, w, self, fault.Forbidden, "their own account")
	refused(t, w, remedy.Decline{Staff: "ngozi", User: "ngozi", RemedyID: "r1"}, fault.Forbidden, "their own account")
}

func TestStaffWhoShareSomethingWithTheMemberDecideNothing(t *testing.T) {
	t.Parallel()
	member := func(user string) []any {
		return []any{savings.JoinGroup{GroupID: "g", User: user}, savings.ApproveMember{GroupID: "g", User: user, By: "chief"}}
	}
	group := []any{savings.CreateGroup{GroupID: "g", Owner: "chief", Name: "Traders", Amount: 5000 * money.Naira, Capacity: 9, StartMonth: 11, Now: Epoch}}
	counted := func(user string) event.Draft {
		return event.On(ajo.CommitStream(user), &nairav1.CommitmentCounted{UserId: user, AjoId: "ajo"})
	}
	left := event.On(savings.MemberStream("g", "ada"), &nairav1.MemberExited{GroupId: "g", UserId: "ada"})
	all := append(append(append([]any{}, group...), member("ngozi")...), member("ada")...)
	in := func(d *remedy.Desk) { d.Groups = []string{"g"} }
	for name, c := range map[string]struct {
		past     []any
		know     func(d *remedy.Desk)
		sentence string
	}{
		"both are in a group":          {all, in, "You are, or were, in a group"},
		"one has left it":              {append(append([]any{}, all...), left), in, "You are, or were, in a group"},
		"both were in an ajo":          {[]any{counted("ngozi"), counted("ada")}, func(*remedy.Desk) {}, "or an ajo with this member"},
		"they are a guardian":          {nil, func(d *remedy.Desk) { d.Party = true }, "Another of the desk"},
		"they share a bank account":    {nil, func(d *remedy.Desk) { d.Tied = true }, "paid to the same bank account"},
		"their own account is frozen":  {[]any{frozen("ada")}, func(*remedy.Desk) {}, "Your money is frozen"},
		"their own account was closed": {[]any{closed("ada")}, func(*remedy.Desk) {}, "closed"},
	} {
		w := Given(t, append(append([]any{}, c.past...), back)...)
		agree, propose := agreed, back
		c.know(&agree.Desk)
		propose.Desk = agree.Desk
		for _, command := range []event.Command{agree, propose} {
			_, err := w.Do(command)
			require.ErrorContains(t, err, c.sentence, name)
		}
	}
	w := Given(t, append(append([]any{}, group...), append(member("ngozi"), back)...)...)
	alone := agreed
	in(&alone.Desk)
	w.And(alone)
}

func TestOneRemedyWaitsAndEndsByItself(t *testing.T) {
	t.Parallel()
	w := Given(t, back)
	refused(t, w, back, fault.Conflict, "proposed for this member already")
	late := agreed
	late.At = Epoch.Add(account.RemedyWaits)
	refused(t, w, late, fault.Conflict, "its time is over")
	w.When(decline).Then(&nairav1.AccountRemedyDeclined{UserId: "ngozi", RemedyId: "r1", DeclinedBy: "sam"})
	refused(t, w, decline, fault.Conflict, "waits no more")
	refused(t, w, agreed, fault.Conflict, "waits no more")
	again := back
	again.RemedyID = "r2"
	w.And(again)
	refused(t, w, agreed, fault.Conflict, "waits no more")
	third := back
	third.RemedyID, third.Now = "r3", Epoch.Add(account.RemedyWaits)
	w.And(third)
}

// Another remedy would take the place of the one whose sessions are being ended, and the theft would last for ever.
func TestNoRemedyIsProposedWhileTheSessionsOfATheftMayBeOpen(t *testing.T) {
	t.Parallel()
	w := Given(t, verified, back, agreed)
	next := another
	next.RemedyID = "r2"
	refused(t, w, next, fault.Conflict, "its sessions are being ended")
	w.And(account.EndSessions("ngozi", "r1", Epoch), next)
}

func TestAnAdminAgreesToTheRemedyThatTheySaw(t *testing.T) {
	t.Parallel()
	saw := agreed
	saw.Saw, saw.Now = seen.Of("before"), seen.Of("now")
	refused(t, Given(t, back), saw, fault.Conflict, "changed since you looked")
	saw.Saw = saw.Now
	Given(t, back).And(saw)
}

func TestAClosedAccountIsGivenToNobodyAndAFrozenOneStaysFrozen(t *testing.T) {
	t.Parallel()
	w := Given(t, back, closed("ngozi"))
	refused(t, w, agreed, fault.Conflict, "closed")
	refused(t, w, decline, fault.Conflict, "closed")
	refused(t, Given(t, closed("ngozi")), back, fault.Conflict, "closed")
	w = Given(t, frozen("ngozi"), back, agreed)
	require.Equal(t, standing.Frozen, owner(w).Standing())
}

func TestAProposalSaysWhatForAndSinceWhen(t *testing.T) {
	t.Parallel()
	for field, wrong := range map[string]func(*remedy.Propose){
		"kind":  func(c *remedy.Propose) { c.Kind = 0 },
		"case":  func(c *remedy.Propose) { c.Case = "" },
		"since": func(c *remedy.Propose) { c.Since = Epoch.Add(time.Second) },
	} {
		c := back
		wrong(&c)
		Given(t).When(c).ThenField(field)
	}
	for _, at := range []time.Time{{}, Epoch.AddDate(-3, 0, 0)} {
		c := back
		c.Since = at
		Given(t).When(c).ThenField("since")
	}
}

func TestNothingLeavesForABankForSomeTimeAfterARemedy(t *testing.T) {
	t.Parallel()
	paid := event.On("payment:p", &nairav1.PaymentConfirmedV2{PaymentId: "p", UserId: "ngozi", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: string(event.Vfd), AmountKobo: 50_000_00})
	ask := func(id string, at time.Time) payout.Request {
		return payout.Request{WithdrawalID: id, User: "ngozi", Amount: 5_000_00, Net: 5_000_00 - payout.ChargesOn(5_000_00).Total(), Provider: event.Vfd, Tiers: account.DefaultTiers, At: at}
	}
	w := Given(t, verified, paid, Epoch.Add(-time.Hour), ask("before", Epoch.Add(-time.Hour)), Epoch, back, agreed)
	refused(t, w, ask("held", Epoch.Add(remedy.Hold-time.Second)), fault.Conflict, "nothing leaves it for a bank until")
	refused(t, w, payout.Send("before", "ngozi", "ref", Epoch), fault.Conflict, "called off")
	w.When(payout.Stop("before", "ngozi")).ThenBalance(posting.Held(posting.Wallet("ngozi")), 0)
	require.Contains(t, w.State(payout.Stream("before")).(payout.Withdrawal).Reason, "Two of our staff changed your account")
	w.And(ask("after", Epoch.Add(remedy.Hold)))
}

func TestAProposalOfSomebodyWhoBecameAPartySinceIsNotAgreedTo(t *testing.T) {
	t.Parallel()
	tied := agreed
	tied.Proposer = remedy.Desk{Staff: "sam", User: "ngozi", Tied: true}
	refused(t, Given(t, back), tied, fault.Conflict, "may not decide about this member any more")
	tied.Proposer.Tied = false
	Given(t, back).And(tied)
	refused(t, Given(t, back, frozen("sam")), tied, fault.Conflict, "may not decide about this member any more")
}

// A thief takes nothing out between the proposal and the agreement. A proposal alone holds a stranger's money for three
// days in thirty.
func TestAProposalToGiveAnAccountBackHoldsWithdrawalsForAWhile(t *testing.T) {
	t.Parallel()
	paid := event.On("payment:p", &nairav1.PaymentConfirmedV2{PaymentId: "p", UserId: "ngozi", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: string(event.Vfd), AmountKobo: 50_000_00})
	ask := func(id string, at time.Time) payout.Request {
		return payout.Request{WithdrawalID: id, User: "ngozi", Amount: 1_000_00, Net: 1_000_00 - payout.ChargesOn(1_000_00).Total(), Provider: event.Vfd, Tiers: account.DefaultTiers, At: at}
	}
	holds := "One of our staff proposes to give this account to a person who says that it is theirs"
	end := Epoch.Add(account.ProposalHolds)
	w := Given(t, verified, paid, ask("unsent", Epoch), back)
	refused(t, w, ask("w", end.Add(-time.Second)), fault.Conflict, holds)
	refused(t, w, payout.Send("unsent", "ngozi", "ref", end.Add(-time.Second)), fault.Conflict, holds)
	refused(t, w, payout.Stop("unsent", "ngozi"), fault.Conflict, "cannot be called off")
	Given(t, verified, paid, ask("unsent", Epoch), back).And(ask("w", end), payout.Send("unsent", "ngozi", "ref", end))
	w.And(decline, payout.Send("unsent", "ngozi", "ref", Epoch), ask("w", Epoch))

	// Another proposal within thirty days holds for what is left of the three, also days later.
	brief, first := back, Epoch.Add(time.Hour)
	brief.RemedyID, brief.Now = "r1b", first
	w.And(first, brief, first.Add(2*time.Hour), remedy.Decline{Staff: "sam", User: "ngozi", RemedyID: "r1b"})
	second, later := back, Epoch.Add(8*24*time.Hour)
	second.RemedyID, second.Now = "r2", later
	w.And(later, second)
	end = later.Add(account.ProposalHolds - 2*time.Hour)
	refused(t, w, ask("x", end.Add(-time.Second)), fault.Conflict, holds)
	third, again := back, later.Add(account.ProposalsRest)
	third.RemedyID, third.Now = "r3", again.Add(-time.Hour)
	w.And(ask("x", end), again.Add(-time.Hour), third, ask("y", again.Add(-time.Hour)), remedy.Decline{Staff: "sam", User: "ngozi", RemedyID: "r3"})
	third.RemedyID, third.Now = "r4", again
	w.And(again, third)
	refused(t, w, ask("z", again.Add(account.ProposalHolds-time.Second)), fault.Conflict, holds)
	Given(t, verified, paid, another).And(ask("w", Epoch)) // The owner's own bank gets it: nobody says that another person uses the account.
}

// One of our staff could else hold what leaves for six days on end: by a proposal at the end of the thirty days, and
// another right after it.
func TestProposalsHoldForThreeDaysInAnyThirty(t *testing.T) {
	t.Parallel()
	proposes := func(id string, at time.Time) remedy.Propose {
		c := back
		c.RemedyID, c.Now = id, at
		return c
	}
	late := Epoch.Add(account.ProposalsRest - time.Hour)
	w := Given(t, verified, back, Epoch.Add(time.Minute), decline, late, proposes("r2", late))
	end := late.Add(account.ProposalHolds - 2*time.Minute)
	require.Error(t, owner(w).Proposed(end))
	w.And(end, remedy.Decline{Staff: "sam", User: "ngozi", RemedyID: "r2"}, proposes("r3", end))
	require.NoError(t, owner(w).Proposed(end.Add(time.Hour)))
}

// A thief does not close the account that they emptied while somebody says that it is theirs.
func TestNobodyClosesAnAccountWhileItIsProposedToGiveItBack(t *testing.T) {
	t.Parallel()
	closes := func(at time.Time) account.Close { return account.Close{User: "ngozi", Now: at} }
	w := Given(t, verified, back)
	refused(t, w, closes(Epoch.Add(account.ProposalHolds-time.Second)), fault.Conflict, "so nobody closes it until")
	Given(t, verified, back).And(closes(Epoch.Add(account.ProposalHolds)))
	w.And(decline, closes(Epoch))
}

// What follows from an agreement may be cut short. The thief uses the account until their sessions have ended.
func TestAThiefUsesAnAccountUntilItsSessionsHaveEnded(t *testing.T) {
	t.Parallel()
	ended := Epoch.Add(time.Hour)
	ends := account.EndSessions("ngozi", "r1", ended)
	w := Given(t, verified)
	refused(t, w, ends, fault.Conflict, "No sessions")
	w.And(back)
	refused(t, w, ends, fault.Conflict, "No sessions")
	w.And(agreed, Epoch.Add(time.Minute), account.Consent("ngozi", "c1"))
	require.Equal(t, []bool{false, true, true}, []bool{owner(w).Stolen(since.Add(-1)), owner(w).Stolen(Epoch), owner(w).Stolen(ended)})
	require.False(t, owner(w).Consented, "the guardian whom a thief named")
	_, is := owner(w).GivenBack()
	require.False(t, is)
	refused(t, w, account.EndSessions("ngozi", "another", ended), fault.Conflict, "No sessions")
	w.When(ends).Then(&nairav1.AccountSessionsEnded{UserId: "ngozi", RemedyId: "r1", EndedAt: timestamppb.New(ended)})
	require.Equal(t, []bool{true, false}, []bool{owner(w).Stolen(ended.Add(-1)), owner(w).Stolen(ended)})
	at, is := owner(w).GivenBack()
	require.Equal(t, []any{ended, true}, []any{at, is})
	refused(t, w, ends, fault.Conflict, "No sessions")
	w.And(ended, account.Consent("ngozi", "c2"))
	require.True(t, owner(w).Consented, "the owner's own guardian")
	refused(t, Given(t, verified, another, agreed), ends, fault.Conflict, "No sessions")
}
