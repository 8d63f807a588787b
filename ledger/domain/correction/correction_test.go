package correction_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/correction"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

const (
	assign  = nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_ASSIGN
	payDue  = nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_PAY_DUE
	reverse = nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_REVERSE
	adjust  = nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_ADJUST
	waive   = nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_WAIVE
)

var said = &nairav1.Words{PaperId: "p", Sha256: []byte{1}}

// paid is when the bank had Bisi's money: in time, though it told of it when she was fined.
var (
	due   = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	paid  = due.Add(time.Hour)
	fined = due.AddDate(0, 1, 20)
)

// late is a member who is fined ₦100 for December, while the ₦5,000 that she paid in time lies in suspense. Sade has
// her case.
func late() []any {
	past := []any{
		savings.CreateGroup{GroupID: "g", Owner: "ada", Name: "Traders", Amount: 5000 * money.Naira, Capacity: 10, StartMonth: 11, Now: Epoch},
		Activated("g", "ada", "vera", "femi"),
		savings.JoinGroup{GroupID: "g", User: "bisi"},
		savings.ApproveMember{GroupID: "g", User: "bisi", By: "ada"},
		savings.OpenSubAccount{
			GroupID: "g", SubAccountID: "s", By: "ada", Name: "Dues", Type: nairav1.PaymentType_PAYMENT_TYPE_FIXED, Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY,
			Amount: 5000 * money.Naira, FirstDay: savings.ParseDay("2026-12-01"), Now: Epoch, Late: savings.Late{GraceDays: 5, Type: nairav1.FeeType_FEE_TYPE_FLAT, Amount: 100 * money.Naira},
		},
		fined,
		dues.Penalise{GroupID: "g", SubAccountID: "s", User: "bisi", Now: fined},
		wallet.ReceiveUnmatched{ProviderRef: "stray", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 5000 * money.Naira, Reference: "stray", PaidAt: paid},
		dispute.Claim{DisputeID: "d", User: "bisi", Kind: nairav1.DisputeKind_DISPUTE_KIND_FINED_IN_TIME, About: "x", Group: "g", Words: said, Now: fined},
		dispute.Take(dispute.Case{DisputeID: "d", User: "bisi", Staff: "sade", Group: "g"}),
	}
	return past
}

func state(w *World) dispute.Dispute {
	return w.State(dispute.Stream("d")).(dispute.Dispute)
}

func plan(w *World) correction.Plan { return w.State(correction.Stream("d")).(correction.Plan) }

var steps = []correction.Step{
	{Kind: assign, User: "bisi", Provider: event.Vfd, ProviderRef: "stray"},
	{Kind: payDue, User: "bisi", Group: "g", Sub: "s", Amount: 5000 * money.Naira},
}

func propose(w *World, steps ...correction.Step) correction.Propose {
	return correction.Propose{DisputeID: "d", Dispute: state(w), PlanID: uuid.NewString(), By: "sade", Steps: steps, CountsFrom: paid, Words: said, Now: fined}
}

func decide(w *World, by string, approve bool) correction.Decision {
	return correction.Decision{DisputeID: "d", Dispute: state(w), Plan: plan(w), By: by, Approve: approve, Words: said}
}

// applied does what a plan says, as the store does a bulk, one after the other.
func applied(w *World) {
	commands, err := correction.Commands(plan(w).Steps, correction.Order{DisputeID: "d", PlanID: plan(w).ID, By: "sade", ApprovedBy: "ayo", Reason: "Paid in time.", From: paid})
	if err != nil {
		panic(err)
	}
	w.And(paid, correction.Apply{DisputeID: "d", Plan: plan(w)})
	w.And(commands)
}

func TestAFineIsGoneOnceTheMoneyThatWasInTimeIsPutWhereItBelongs(t *testing.T) {
	t.Parallel()
	w := Given(t, late()...)
	w.And(propose(w, steps...))
	w.And(decide(w, "ayo", true))
	w.When(correction.Apply{DisputeID: "d", Plan: plan(w)}).ThenFault(fault.Conflict)
	w.And(decide(w, "kunle", true))
	applied(w)
	require.Equal(t, correction.Applied, plan(w).Status)
	require.Equal(t, 5000*money.Naira, w.Balance(posting.Pool("s")))
	require.Zero(t, w.Balance(posting.Wallet("bisi")))
	require.Zero(t, w.Balance(posting.Unmatched))
	var undone bool
	for _, d := range w.Drafts {
		_, is := d.Message.(*nairav1.PenaltyReversed)
		undone = undone || is
	}
	require.True(t, undone, "the fine takes itself back")
	w.When(correction.Apply{DisputeID: "d", Plan: plan(w)}).ThenFault(fault.Conflict)
}

func TestNobodyCorrectsWhereTheyHaveAPart(t *testing.T) {
	t.Parallel()
	w := Given(t, late()...)
	other := propose(w, steps...)
	other.By = "femi"
	w.When(other).ThenFault(fault.Conflict)
	w.And(propose(w, steps...))
	w.When(propose(w, steps...)).ThenFault(fault.Conflict)
	for name, by := range map[string]string{"the member": "bisi", "who proposed it": "sade", "an official of the group": "femi"} {
		t.Run(name, func(*testing.T) { w.When(decide(w, by, true)).ThenFault(fault.Forbidden) })
	}
	w.And(decide(w, "ayo", true))
	w.When(decide(w, "ayo", true)).ThenFault(fault.Conflict)
	w.And(decide(w, "kunle", true))
	w.When(decide(w, "tola", true)).ThenFault(fault.Conflict)
}

func TestACorrectionIsStaleOnceSomethingHasHappened(t *testing.T) {
	t.Parallel()
	w := Given(t, late()...)
	w.And(propose(w, steps...))
	w.And(decide(w, "ayo", true))
	w.And(decide(w, "kunle", true))
	w.And(wallet.ProposeUnmatched{ProviderRef: "stray", Provider: event.Vfd, User: "bisi", By: "femi", Reason: "The slip."})
	require.Equal(t, correction.ErrMoved(), w.When(correction.Apply{DisputeID: "d", Plan: plan(w)}).ThenFault(fault.Conflict))
	w.And(correction.GiveUp{DisputeID: "d", PlanID: plan(w).ID, Reason: correction.ErrMoved().Message})
	require.Equal(t, correction.Stale, plan(w).Status)
	w.When(correction.GiveUp{DisputeID: "d", PlanID: plan(w).ID, Reason: "again"}).ThenFault(fault.Conflict)
	w.And(wallet.DecideUnmatched{ProviderRef: "stray", Provider: event.Vfd, User: "bisi", By: "sade", Reason: "Not hers."})
	w.And(propose(w, steps...))
}

func TestAnApprovedCorrectionIsNotAppliedOnceItsCaseIsOver(t *testing.T) {
	t.Parallel()
	kase := dispute.Case{DisputeID: "d", User: "bisi", Staff: "sade", Group: "g"}
	for _, ends := range []event.Command{dispute.Resolve(kase, false, said, nil, fined), dispute.Withdraw("d", "bisi", "")} {
		w := Given(t, late()...)
		w.And(propose(w, steps...))
		w.And(decide(w, "ayo", true))
		w.And(decide(w, "kunle", true), ends)
		require.Contains(t, w.When(correction.Apply{DisputeID: "d", Plan: plan(w)}).ThenFault(fault.Conflict).Message, "This case is over")
	}
}

func TestAPersonWhoOnceWasAMemberCorrectsNothing(t *testing.T) {
	t.Parallel()
	was := func(m proto.Message) event.Draft { return event.On(savings.MemberStream("g", "ayo"), m) }
	w := Given(t, late()...)
	w.And(propose(w, steps...), was(&nairav1.MembershipApproved{GroupId: "g", UserId: "ayo"}), was(&nairav1.MemberExited{GroupId: "g", UserId: "ayo"}))
	w.When(decide(w, "ayo", true)).ThenFault(fault.Forbidden)
}

func TestAPlanIsTakenBackOrDeclinedAndAnotherMayFollow(t *testing.T) {
	t.Parallel()
	w := Given(t, late()...)
	w.And(propose(w, steps...))
	w.When(decide(w, "femi", false)).ThenFault(fault.Forbidden)
	w.And(decide(w, "sade", false))
	w.When(decide(w, "ayo", true)).ThenFault(fault.Conflict)
	w.And(propose(w, steps...))
	w.And(decide(w, "ayo", false))
	require.Equal(t, correction.Declined, plan(w).Status)
	w.And(propose(w, steps...))
	w.And(dispute.Withdraw("d", "bisi", ""))
	w.When(decide(w, "ayo", true)).ThenFault(fault.Conflict)
	w.And(decide(w, "ayo", false)) // Of a case that is over it may be put away all the same.
}

func TestBadPlansAreRefused(t *testing.T) {
	t.Parallel()
	w := Given(t, late()...)
	w.When(propose(w)).ThenField("steps")
	w.When(propose(w, make([]correction.Step, correction.StepsMax+1)...)).ThenField("steps")
	w.When(propose(w, correction.Step{User: "bisi"})).ThenField("steps")
	w.When(propose(w, correction.Step{Kind: assign, User: "ada", Provider: event.Vfd, ProviderRef: "stray"})).ThenField("steps")
	w.When(propose(w, correction.Step{Kind: waive, User: "bisi", Ajo: "another", Debt: "x"})).ThenField("steps")
	w.When(propose(w, correction.Step{Kind: reverse, User: "bisi", Original: record(t, &nairav1.GroupSuspended{GroupId: "g"})})).ThenField("steps")
	ahead := propose(w, steps...)
	ahead.CountsFrom = fined.Add(time.Second)
	w.When(ahead).ThenField("countsFrom")
	elsewhere := propose(w, steps...)
	elsewhere.Dispute.Group = ""
	w.When(elsewhere).ThenFault(fault.NotFound)
}

func record(t *testing.T, m proto.Message) event.Record {
	t.Helper()
	body, err := proto.Marshal(m)
	require.NoError(t, err)
	return event.Record{Pos: 7, Type: event.TypeOf(m), Command: uuid.New(), Body: body}
}

func TestACorrectionOfBeforeStepsWereNumberedAnewReadsAsItDid(t *testing.T) {
	t.Parallel()
	r := record(t, &nairav1.CorrectionProposed{
		DisputeId: "d", PlanId: "p", UserId: "bisi", ProposedBy: "sade", Words: said, CountsFrom: timestamppb.New(paid), Basis: []*nairav1.CorrectionBasis{{Stream: "s", Sha256: []byte{1}}},
		Steps: []*nairav1.CorrectionStep{
			{Kind: nairav1.CorrectionKind_CORRECTION_KIND_ASSIGN, UserId: "bisi", Provider: "vfd", ProviderRef: "stray"},
			{Kind: nairav1.CorrectionKind_CORRECTION_KIND_PAY_DUE, UserId: "bisi", GroupId: "g", SubAccountId: "s", Period: "2026-12-01", AmountKobo: 5000_00},
			{Kind: nairav1.CorrectionKind_CORRECTION_KIND_REVERSE, UserId: "bisi", EventId: "e", Position: 7},
		},
	})
	m, err := r.Message()
	require.NoError(t, err)
	p := correction.Plans.Evolve(correction.Plan{}, event.Happened{Message: m, RecordedAt: paid}).(correction.Plan)
	require.Equal(t, correction.Plan{
		ID: "p", Status: correction.Proposed, User: "bisi", ProposedBy: "sade", CountsFrom: paid, Words: "p", ProposedAt: paid, Basis: []correction.Basis{{Stream: "s", Digest: []byte{1}}},
		Steps: []correction.Step{
			steps[0], {Kind: payDue, User: "bisi", Group: "g", Sub: "s", Period: "2026-12-01", Amount: 5000 * money.Naira}, {Kind: reverse, User: "bisi", EventID: "e", Position: 7},
		},
	}, p)
}

// contributed is a contribution of Bisi's as the ledger holds it, which counts from a time.
func contributed(t *testing.T, at time.Time) correction.Step {
	r := record(t, &nairav1.ContributionReceived{GroupId: "g", SubAccountId: "s", UserId: "bisi", AmountKobo: 1})
	r.EffectiveAt = at
	return correction.Step{Kind: reverse, User: "bisi", EventID: r.ID().String(), Position: r.Pos, Original: r}
}

func TestACorrectionCountsFromNoTimeAtWhichWhatItIsAboutWasNotThere(t *testing.T) {
	t.Parallel()
	w := Given(t, late()...)
	since := w.State(savings.MemberStream("g", "bisi")).(savings.Member).Since
	waives := correction.Step{Kind: waive, User: "bisi", Group: "g", Sub: "s", Period: "2026-12-01"}
	for name, c := range map[string]struct {
		step  correction.Step
		first time.Time
	}{
		"a due before the membership":          {steps[1], since},
		"a penalty before the membership":      {waives, since},
		"a contribution before it was paid in": {contributed(t, paid), paid},
	} {
		t.Run(name, func(t *testing.T) {
			too := propose(w, c.step)
			too.CountsFrom = c.first.Add(-time.Microsecond)
			w.When(too).ThenField("countsFrom")
			too.CountsFrom = c.first
			_, err := too.Decide(w)
			require.NoError(t, err, "to the microsecond")
		})
	}
}

func TestWhatWentIntoAnEarlierMembershipGoesBackAsOfThen(t *testing.T) {
	t.Parallel()
	w := Given(t, late()...)
	since := w.State(savings.MemberStream("g", "bisi")).(savings.Member).Since
	w.And(
		event.On(savings.MemberStream("g", "bisi"), &nairav1.MemberExited{GroupId: "g", UserId: "bisi"}),
		since.AddDate(0, 2, 0),
		event.On(savings.MemberStream("g", "bisi"), &nairav1.MembershipApproved{GroupId: "g", UserId: "bisi"}),
	)
	again := w.State(savings.MemberStream("g", "bisi")).(savings.Member).Since
	require.True(t, again.After(since), "they came back")
	then := since.AddDate(0, 1, 0)
	_, err := correction.ThereBy{Steps: []correction.Step{contributed(t, then)}, From: then}.Decide(w)
	require.NoError(t, err, "it is an entry of the first one")
	_, err = correction.ThereBy{Steps: []correction.Step{steps[1]}, From: then}.Decide(w)
	require.Error(t, err, "a due is one of the second")
}

// An earlier build did not ask. What it proposed is asked when it is applied.
func TestACorrectionThatAnEarlierBuildProposedIsAskedWhenItIsApplied(t *testing.T) {
	t.Parallel()
	w := Given(t, late()...)
	since := w.State(savings.MemberStream("g", "bisi")).(savings.Member).Since
	w.And(event.On(correction.Stream("d"), &nairav1.CorrectionProposedV2{
		DisputeId: "d", PlanId: "p", UserId: "bisi", ProposedBy: "sade", CountsFrom: timestamppb.New(since.Add(-time.Hour)),
		Steps: []*nairav1.CorrectionStepV2{{Kind: payDue, UserId: "bisi", GroupId: "g", SubAccountId: "s", AmountKobo: 5000_00}}, Basis: []*nairav1.CorrectionBasis{{Stream: savings.MemberStream("g", "bisi")}},
	}))
	w.And(decide(w, "ayo", true))
	w.And(decide(w, "kunle", true))
	w.When(correction.Apply{DisputeID: "d", Plan: plan(w)}).ThenField("countsFrom")
}
