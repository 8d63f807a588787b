package dispute_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

// monday is a minute before midnight in Lagos.
var monday = time.Date(2026, 11, 23, 22, 59, 0, 0, time.UTC)

var said = &nairav1.Words{PaperId: "p1", Sha256: []byte{1}}

func claim(id string, kind nairav1.DisputeKind, about string) dispute.Claim {
	return dispute.Claim{DisputeID: id, User: "bisi", Kind: kind, About: about, Amount: 5000 * money.Naira, Words: said, Now: monday}
}

const (
	notCredited = nairav1.DisputeKind_DISPUTE_KIND_NOT_CREDITED
	fined       = nairav1.DisputeKind_DISPUTE_KIND_FINED_IN_TIME
)

var kase = dispute.Case{DisputeID: "d", User: "bisi", Staff: "sade"}

func state(w *World) dispute.Dispute { return w.State(dispute.Stream("d")).(dispute.Dispute) }

func TestAThingIsDisputedOnceAtATime(t *testing.T) {
	t.Parallel()
	w := Given(t)
	w.When(claim("d", notCredited, "x")).Then(
		&nairav1.DisputeOpened{
			DisputeId: "d", UserId: "bisi", Kind: notCredited, AmountKobo: 500_000, Words: said, About: "x",
			AcknowledgeBy: timestamppb.New(monday.Add(24 * time.Hour)), DecideBy: timestamppb.New(monday.Add(72 * time.Hour)),
		},
		&nairav1.DisputeCounted{UserId: "bisi", DisputeId: "d", About: "x", Open: true})
	w.When(claim("e", fined, "x")).ThenFault(fault.Conflict)
	w.And(dispute.Withdraw("d", "bisi", ""))
	w.When(dispute.Withdraw("d", "bisi", "")).ThenFault(fault.Conflict)
	w.And(claim("e", fined, "x"))
	require.Equal(t, monday.Add(14*24*time.Hour), w.State(dispute.Stream("e")).(dispute.Dispute).DecideBy, "a penalty has two weeks")
}

func TestSoManyDisputesMayBeOpenAndAClosedAccountHasNone(t *testing.T) {
	t.Parallel()
	w := Given(t)
	for n := range dispute.AtOnce {
		w.And(claim(fmt.Sprint("d", n), notCredited, fmt.Sprint(n)))
	}
	w.When(claim("more", notCredited, "more")).ThenFault(fault.Conflict)
	Given(t, event.On(account.Stream("bisi"), &nairav1.AccountClosed{UserId: "bisi"})).When(claim("d", notCredited, "x")).ThenFault(fault.Conflict)
	Given(t).When(claim("d", nairav1.DisputeKind_DISPUTE_KIND_UNSPECIFIED, "x")).ThenField("kind")
}

func TestWhoTookACaseDecidesIt(t *testing.T) {
	t.Parallel()
	w := Given(t, claim("d", notCredited, "x"))
	w.When(dispute.Resolve(kase, true, said, nil, monday)).ThenFault(fault.Conflict)
	w.When(dispute.Ask(kase, said, monday)).ThenFault(fault.Conflict)
	w.And(dispute.Take(kase))
	w.When(dispute.Take(kase)).ThenFault(fault.Conflict)
	other := kase
	other.Staff = "femi"
	w.When(dispute.Resolve(other, false, said, nil, monday)).ThenFault(fault.Conflict)
	w.And(dispute.Take(other))
	w.When(dispute.Resolve(kase, false, said, nil, monday)).ThenFault(fault.Conflict)
	w.When(dispute.Resolve(other, true, said, make([]string, dispute.EventsMax+1), monday)).ThenField("events")
	w.When(dispute.Resolve(other, true, said, []string{"e1"}, monday)).Then(
		&nairav1.DisputeResolved{DisputeId: "d", UserId: "bisi", StaffId: "femi", Upheld: true, Words: said, EventIds: []string{"e1"}, ReopenUntil: timestamppb.New(monday.Add(14 * 24 * time.Hour))},
		&nairav1.DisputeCounted{UserId: "bisi", DisputeId: "d", About: "x"})
	w.When(dispute.Resolve(other, false, said, nil, monday)).ThenFault(fault.Conflict)
}

func TestNobodyDecidesWhereTheyAreAParty(t *testing.T) {
	t.Parallel()
	own := kase
	own.Staff = "bisi"
	Given(t, claim("d", notCredited, "x")).When(dispute.Take(own)).ThenFault(fault.Forbidden)

	inGroup, c := claim("d", fined, "x"), kase
	inGroup.Group, c.Group = "g", "g"
	Given(t, inGroup, savings.CreateGroup{GroupID: "g", Owner: "ada", Name: "Traders", Amount: 100_000, Capacity: 10, StartMonth: 1, Now: monday}, savings.JoinGroup{GroupID: "g", User: "sade"}).
		When(dispute.Take(c)).ThenFault(fault.Forbidden)
	Given(t, inGroup).And(dispute.Take(c))
	Given(t, inGroup).When(dispute.Take(kase)).ThenFault(fault.NotFound)

	inAjo, c := claim("d", fined, "x"), kase
	inAjo.Ajo, c.Ajo = "a", "a"
	seat := []any{
		event.On(ajo.Stream("a"), &nairav1.AjoCreated{AjoId: "a", OwnerId: "ada", Terms: &nairav1.AjoTerms{AmountKobo: 100, Seats: 2}}),
		event.On(ajo.Stream("a"), &nairav1.AjoSeatTakenV2{AjoId: "a", Seat: 1, UserId: "sade", Halves: 2}),
	}
	Given(t, append(seat, inAjo)...).When(dispute.Take(c)).ThenFault(fault.Forbidden)
}

func TestAPersonWhoOnceWasAMemberIsAParty(t *testing.T) {
	t.Parallel()
	inGroup, c := claim("d", fined, "x"), kase
	inGroup.Group, c.Group = "g", "g"
	member := func(m proto.Message) event.Draft { return event.On(savings.MemberStream("g", "sade"), m) }
	was := []any{inGroup, member(&nairav1.MembershipApproved{GroupId: "g", UserId: "sade"}), member(&nairav1.MemberExited{GroupId: "g", UserId: "sade"})}
	Given(t, was...).When(dispute.Take(c)).ThenFault(fault.Forbidden)
	Given(t, append(was, member(&nairav1.MemberInvited{GroupId: "g", UserId: "sade"}), member(&nairav1.InvitationDeclined{GroupId: "g", UserId: "sade"}))...).
		When(dispute.Take(c)).ThenFault(fault.Forbidden)
	Given(t, inGroup, member(&nairav1.MembershipRequested{GroupId: "g", UserId: "sade"}), member(&nairav1.MembershipRejected{GroupId: "g", UserId: "sade"})).And(dispute.Take(c))

	inAjo, c := claim("d", fined, "x"), kase
	inAjo.Ajo, c.Ajo = "a", "a"
	promised := event.On(ajo.CommitStream("sade"), &nairav1.CommitmentCounted{UserId: "sade", AjoId: "a", MonthlyKobo: 100})
	Given(t, inAjo, promised, event.On(ajo.CommitStream("sade"), &nairav1.CommitmentCounted{UserId: "sade", AjoId: "a"})).When(dispute.Take(c)).ThenFault(fault.Forbidden)
	Given(t, inAjo, event.On(ajo.CommitStream("sade"), &nairav1.CommitmentCounted{UserId: "sade", AjoId: "b", MonthlyKobo: 100})).And(dispute.Take(c))

	initiated := &nairav1.PaymentInitiatedV2{PaymentId: "p", UserId: "bisi", AmountKobo: 100, Provider: string(event.Paystack), Contribution: &nairav1.ContributionPurpose{GroupId: "g", SubAccountId: "s"}}
	card := told(time.Hour)
	byCard := kase
	byCard.Paid = dispute.Paid{Payment: card.Payment, Group: "g"}
	due := event.On("payment:"+card.Payment, initiated)
	Given(t, card, due, was[1], was[2]).When(dispute.Take(byCard)).ThenFault(fault.Forbidden)
	Given(t, card, due).And(dispute.Take(byCard))
	byCard.Paid.Group = "another"
	Given(t, card, due).When(dispute.Take(byCard)).ThenFault(fault.NotFound)
}

func TestACaseIsTakenAsItWasSeen(t *testing.T) {
	t.Parallel()
	first, second := kase, kase
	first.Version, second.Version, second.Staff = 1, 1, "femi"
	w := Given(t, claim("d", notCredited, "x"), dispute.Take(first))
	w.When(dispute.Take(second)).ThenFault(fault.Conflict)
	second.Version = state(w).Version
	w.And(dispute.Take(second))
	require.Equal(t, "femi", state(w).Staff)
}

func TestTheClockStandsStillWhileTheMemberIsAskedForSevenDaysAtMost(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ after, stood time.Duration }{
		"an hour": {time.Hour, time.Hour}, "seven days": {7 * 24 * time.Hour, 7 * 24 * time.Hour}, "nine days": {9 * 24 * time.Hour, 7 * 24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			w := Given(t, claim("d", notCredited, "x"), dispute.Take(kase))
			w.And(monday, dispute.Ask(kase, said, monday))
			w.When(dispute.Ask(kase, said, monday)).ThenFault(fault.Conflict)
			w.And(dispute.Answer("d", "bisi", said, monday.Add(c.after)))
			require.Equal(t, monday.Add(72*time.Hour+c.stood), state(w).DecideBy)
			w.When(dispute.Answer("d", "bisi", said, monday)).ThenFault(fault.Conflict)
		})
	}
}

func TestClocksThatRunOutAreRecordedOnceEach(t *testing.T) {
	t.Parallel()
	w := Given(t, claim("d", notCredited, "x"))
	w.When(dispute.Tick("d", "", monday.Add(24*time.Hour))).ThenFault(fault.Conflict)
	w.When(dispute.Tick("d", "", monday.Add(24*time.Hour+time.Microsecond))).
		Then(&nairav1.DisputeOverdue{DisputeId: "d", UserId: "bisi", Clock: nairav1.DisputeClock_DISPUTE_CLOCK_ACKNOWLEDGE, Due: timestamppb.New(monday.Add(24 * time.Hour))})
	w.When(dispute.Tick("d", "", monday.Add(25*time.Hour))).ThenFault(fault.Conflict)
	w.And(dispute.Take(kase))
	w.And(monday.Add(70*time.Hour), dispute.Ask(kase, said, monday.Add(70*time.Hour)))
	w.When(dispute.Tick("d", "", monday.Add(100*time.Hour))).ThenFault(fault.Conflict)
	week := monday.Add(70*time.Hour + 7*24*time.Hour)
	w.When(dispute.Tick("d", "", week)).Then(&nairav1.DisputeAnswered{DisputeId: "d", UserId: "bisi", DecideBy: timestamppb.New(monday.Add(72*time.Hour + 7*24*time.Hour))})
	w.When(dispute.Tick("d", "", week.Add(3*time.Hour))).
		Then(&nairav1.DisputeOverdue{DisputeId: "d", UserId: "bisi", Clock: nairav1.DisputeClock_DISPUTE_CLOCK_DECIDE, Due: timestamppb.New(week.Add(2 * time.Hour))})
	w.And(dispute.Resolve(kase, false, said, nil, week))
	w.When(dispute.Tick("d", "", week.Add(900*time.Hour))).ThenFault(fault.Conflict)
}

func TestADecidedDisputeIsLookedAtOnceMoreWithinFourteenDays(t *testing.T) {
	t.Parallel()
	decided := func() *World {
		return Given(t, claim("d", notCredited, "x"), dispute.Take(kase), dispute.Resolve(kase, false, said, nil, monday))
	}
	until := monday.Add(14 * 24 * time.Hour)
	decided().When(dispute.Reopen("d", "bisi", said, until)).ThenFault(fault.Conflict)
	decided().When(dispute.Reopen("d", "chidi", said, monday)).ThenFault(fault.NotFound)
	decided().And(claim("e", notCredited, "x")).When(dispute.Reopen("d", "bisi", said, monday)).ThenFault(fault.Conflict)
	w := decided().And(dispute.Reopen("d", "bisi", said, until.Add(-time.Microsecond)))
	require.Equal(t, dispute.Reopened, state(w).Status)
	w.When(dispute.Resolve(kase, false, said, nil, monday)).ThenFault(fault.Conflict)
	w.When(claim("e", notCredited, "x")).ThenFault(fault.Conflict)
	w.And(dispute.Take(kase), dispute.Resolve(kase, true, said, nil, monday))
	w.When(dispute.Reopen("d", "bisi", said, monday)).ThenFault(fault.Conflict)
	w.When(dispute.AddEvidence("d", "bisi", "p", true, nil)).ThenFault(fault.Conflict)
}

func TestOnlyItsMemberAddsToADisputeAndNotWithoutEnd(t *testing.T) {
	t.Parallel()
	w := Given(t, claim("d", notCredited, "x"))
	w.When(dispute.AddEvidence("d", "chidi", "p", true, nil)).ThenFault(fault.NotFound)
	for n := range dispute.PapersMax {
		w.And(dispute.AddEvidence("d", "bisi", fmt.Sprint("p", n), true, []byte{1}))
	}
	w.When(dispute.AddEvidence("d", "bisi", "more", true, nil)).ThenFault(fault.Conflict)
}

func TestATrackingNumberIsTheDisputesOwnAndReadableAloud(t *testing.T) {
	t.Parallel()
	require.Regexp(t, `^AD-[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$`, dispute.Number("7f6c1a52-9d1e-8a43-b0a5-3c1f5d2e9b01"))
	require.NotEqual(t, dispute.Number("7f6c1a52-9d1e-8a43-b0a5-3c1f5d2e9b01"), dispute.Number("7f6c1a53-9d1e-8a43-b0a5-3c1f5d2e9b01"))
	require.Empty(t, dispute.Number("nonsense"))
}

func TestTheClockStandsStillForSevenDaysInAllHoweverOftenTheMemberIsAsked(t *testing.T) {
	t.Parallel()
	w := Given(t, claim("d", notCredited, "x"), dispute.Take(kase))
	now := monday
	for range 3 {
		w.And(now, dispute.Ask(kase, said, now))
		now = now.Add(dispute.AnswerIn / 2)
		w.And(now, dispute.Answer("d", "bisi", said, now))
	}
	last := monday.Add(dispute.PaymentIn + dispute.AnswerIn)
	require.Equal(t, last, state(w).DecideBy)
	w.And(now, dispute.Ask(kase, said, now))
	w.When(dispute.Tick("d", "", last)).ThenFault(fault.Conflict)
	w.When(dispute.Tick("d", "", last.Add(time.Second))).Then(&nairav1.DisputeOverdue{
		DisputeId: "d", UserId: "bisi", Clock: nairav1.DisputeClock_DISPUTE_CLOCK_DECIDE, Due: timestamppb.New(last),
	})
}

func TestADisputeThatIsLookedAtAgainIsOneOfTen(t *testing.T) {
	t.Parallel()
	w := Given(t)
	old := kase
	old.DisputeID = "old"
	w.And(claim("old", fined, "old"), dispute.Take(old), dispute.Resolve(old, false, said, nil, monday))
	for n := range dispute.AtOnce {
		w.And(claim(fmt.Sprint("d", n), fined, fmt.Sprint("about", n)))
	}
	again := dispute.Reopen("old", "bisi", said, monday.Add(time.Hour))
	require.Contains(t, w.When(again).ThenFault(fault.Conflict).Message, "You have 10 disputes open.")
	w.And(dispute.Withdraw("d0", "bisi", ""), again)
}
