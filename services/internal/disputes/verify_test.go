package disputes_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/correction"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/disputed"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/disputes"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// plants records events that no rule would decide.
type plants []event.Draft

// Streams implements event.Command.
func (p plants) Streams() (all []string) {
	for _, d := range p {
		all = append(all, d.Stream)
	}
	return all
}

// Accounts implements event.Command.
func (plants) Accounts() []string { return nil }

// Decide implements event.Command.
func (p plants) Decide(event.View) ([]event.Draft, error) { return p, nil }

func plant(stream string, m proto.Message) plants { return plants{event.On(stream, m)} }

// applies plants a correction that is proposed and applied at once, with its effects; beside are other events.
func applies(dispute, plan, user string, step *nairav1.CorrectionStepV2, beside ...event.Draft) plants {
	return append(plants{
		event.On(correction.Stream(dispute), &nairav1.CorrectionProposedV2{DisputeId: dispute, PlanId: plan, UserId: user, Steps: []*nairav1.CorrectionStepV2{step}}),
		event.On(correction.Stream(dispute), &nairav1.CorrectionApplied{DisputeId: dispute, PlanId: plan, UserId: user}),
	}, beside...)
}

func TestOnlyTheStepsOfAnAppliedCorrectionAdjust(t *testing.T) {
	t.Parallel()
	step := &nairav1.CorrectionStepV2{Kind: nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_ADJUST, UserId: "u", AmountKobo: 500}
	posted := func(dispute, plan string, kobo int64) event.Draft {
		return event.On(correction.Stream(dispute), &nairav1.AdjustmentPosted{DisputeId: dispute, PlanId: plan, UserId: "u", AmountKobo: kobo})
	}
	for name, c := range map[string]struct {
		violations int64
		plant      []plants
	}{
		"as it was approved":    {0, []plants{applies("d", "p", "u", step, posted("d", "p", 500))}},
		"another amount":        {1, []plants{applies("d", "p", "u", step, posted("d", "p", 501))}},
		"twice":                 {1, []plants{applies("d", "p", "u", step, posted("d", "p", 500), posted("d", "p", 500))}},
		"of another dispute":    {1, []plants{applies("d", "p", "u", step, posted("e", "p", 500))}},
		"of another plan":       {1, []plants{applies("d", "p", "u", step, posted("d", "q", 500))}},
		"by a command of later": {1, []plants{applies("d", "p", "u", step), {posted("d", "p", 500)}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apptest.Setup(t, true, false)
			for _, p := range c.plant {
				_, err := w.App.Ledger.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "system", Command: accounted{p}})
				require.NoError(t, err)
			}
			check := &audit.Check{}
			require.NoError(t, disputes.Check(w.Pool).Run(context.Background(), check))
			require.Equal(t, c.violations, check.Violations)
		})
	}
}

// accounted plants events that move money.
type accounted struct{ plants }

// Accounts implements event.Command.
func (a accounted) Accounts() (all []string) {
	for _, d := range a.plants {
		for _, line := range posting.Lines(d.Message) {
			all = append(all, line.Account)
		}
	}
	return all
}

func TestWhatDisputesHoldAndWhoLooksForThemIsVerified(t *testing.T) {
	t.Parallel()
	w, id := apptest.Setup(t, true, false), uuid.NewString()
	found := func() int64 {
		c := &audit.Check{}
		require.NoError(t, disputes.Check(w.Pool).Run(context.Background(), c))
		return c.Violations
	}
	given := func(commands ...event.Command) { // No read model sees it, because it could not show planted events.
		for _, c := range commands {
			_, err := w.App.Ledger.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "system", Command: c})
			require.NoError(t, err)
		}
	}
	user, sub := w.Member.User, w.Open
	looks := account.Act{Staff: "sade", Action: nairav1.StaffAction_STAFF_ACTION_READ_MOVEMENTS, Subject: user, Case: dispute.Number(id)}
	given(dispute.Claim{
		DisputeID: id, User: user, Kind: nairav1.DisputeKind_DISPUTE_KIND_TWICE, About: "x", Amount: 5 * money.Naira, Words: &nairav1.Words{PaperId: "p"}, Now: time.Now(),
	}, looks)
	holds := plant(disputed.Stream(sub), &nairav1.DisputedMoneyHeld{DisputeId: id, UserId: user, SubAccountId: sub, AmountKobo: 500, Until: timestamppb.Now()})
	given(holds)
	require.Zero(t, found())

	given(dispute.Withdraw(id, user, ""))
	require.EqualValues(t, 1, found(), "what is over still holds money")
	frees := plant(disputed.Stream(sub), &nairav1.DisputedMoneyFreed{DisputeId: id, UserId: user, SubAccountId: sub, AmountKobo: 500})
	given(frees)
	require.Zero(t, found())

	given(frees)
	require.EqualValues(t, 1, found(), "what was not held is freed")
	given(holds, frees)
	require.EqualValues(t, 2, found(), "what is over holds money anew")
	given(plant(dues.Stream(sub, user), &nairav1.PenaltyWaived{GroupId: w.Group, SubAccountId: sub, UserId: user, Period: "2026-01-01", AmountKobo: 1, DisputeId: id}))
	given(plant(ajo.DebtStream("a"), &nairav1.AjoPenaltyWaived{AjoId: "a", DebtId: "x", DebtorId: user, AmountKobo: 1, DisputeId: id}))
	require.EqualValues(t, 4, found(), "what no correction did is adjusted and waived")
	looks.Case = "AD-AAAA-AAAA"
	given(looks)
	require.EqualValues(t, 5, found(), "somebody looked without a case")
	id = uuid.NewString()
	given(dispute.Claim{DisputeID: id, User: user, Kind: nairav1.DisputeKind_DISPUTE_KIND_TWICE, About: "y", Group: w.Group, Words: &nairav1.Words{PaperId: "p"}, Now: time.Now()})
	looks.Case, looks.Subject = dispute.Number(id), w.Group
	given(looks)
	require.EqualValues(t, 5, found())
	looks.Subject = w.Outsider.User
	given(looks)
	require.EqualValues(t, 6, found(), "somebody looked at a stranger under another's case")
}

func TestMoneyThatABankGivesBackIsAgreedOnByTwoPeople(t *testing.T) {
	t.Parallel()
	opened := plant(dispute.Stream("d"), &nairav1.CardDisputeTold{DisputeId: "d", UserId: "u", ProviderRef: "dispute-1", AmountKobo: 500})
	given := func(staff string, accepted bool) plants {
		return plant(dispute.AnswerStream("d"), &nairav1.CardAnswerGiven{DisputeId: "d", AnswerId: "a", UserId: "u", StaffId: staff, Accepted: accepted})
	}
	agreed := func(by string) plants {
		return plant(dispute.AnswerStream("d"), &nairav1.CardAnswerAgreed{DisputeId: "d", AnswerId: "a", UserId: "u", ApprovedBy: by})
	}
	sent := plant(dispute.AnswerStream("d"), &nairav1.CardAnswerSent{DisputeId: "d", AnswerId: "a", UserId: "u"})
	elsewhere := plant(dispute.AnswerStream("e"), &nairav1.CardAnswerSent{DisputeId: "e", AnswerId: "a", UserId: "u"})
	taken := func(accepted bool) plants {
		return plant(dispute.AnswerStream("d"), &nairav1.CardAnswerTaken{DisputeId: "d", AnswerId: "a", UserId: "u", Accepted: accepted})
	}
	for name, c := range map[string]struct {
		violations int64
		plant      []plants
	}{
		"declined":                   {0, []plants{opened, given("sade", false), sent, taken(false)}},
		"accepted by two":            {0, []plants{opened, given("sade", true), agreed("uche"), sent, taken(true)}},
		"accepted by one":            {1, []plants{opened, given("sade", true), sent}},
		"accepted by the same twice": {1, []plants{opened, given("sade", true), agreed("sade"), sent}},
		"accepted by the member":     {1, []plants{opened, given("sade", true), agreed("u"), sent}},
		"given by the member":        {1, []plants{opened, given("u", true), agreed("uche"), sent}},
		"of no bank's dispute":       {1, []plants{given("sade", false)}},
		"sent and never given":       {1, []plants{opened, sent}},
		"sent in another dispute":    {1, []plants{opened, given("sade", false), elsewhere}},
		"taken and never sent":       {1, []plants{opened, given("sade", false), taken(false)}},
		"taken otherwise":            {1, []plants{opened, given("sade", false), sent, taken(true)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apptest.Setup(t, true, false)
			for _, p := range c.plant {
				_, err := w.App.Ledger.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "system", Command: p})
				require.NoError(t, err)
			}
			check := &audit.Check{}
			require.NoError(t, disputes.Check(w.Pool).Run(context.Background(), check))
			require.Equal(t, c.violations, check.Violations)
		})
	}
}
