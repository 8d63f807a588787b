package disputes

import (
	"slices"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
)

// plan is a correction, with the steps that remain.
type plan struct {
	dispute string
	steps   []*nairav1.CorrectionStepV2
}

// ofPlan is an event that only an applied correction makes.
type ofPlan interface {
	GetDisputeId() string
	GetPlanId() string
	GetAmountKobo() int64
}

// corrects follows corrections and their effects: each effect names the case and the correction that it came with, and
// is one of its steps.
func (v *verifying) corrects(m proto.Message, r *event.Record) {
	switch m := m.(type) {
	case *nairav1.CorrectionProposedV2:
		v.plans[m.GetPlanId()] = &plan{dispute: m.GetDisputeId(), steps: slices.Clone(m.GetSteps())}
	case *nairav1.CorrectionApplied:
		v.applied[m.GetPlanId()] = r.Command
	case *nairav1.AdjustmentPosted:
		v.isStep(m, r, func(s *nairav1.CorrectionStepV2) bool {
			return s.GetKind() == nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_ADJUST && s.GetUserId() == m.GetUserId() &&
				s.GetAmountKobo() == m.GetAmountKobo() && s.GetTakesBack() == m.GetTakesBack()
		})
	case *nairav1.PenaltyWaived:
		v.isStep(m, r, func(s *nairav1.CorrectionStepV2) bool {
			return s.GetKind() == nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_WAIVE && s.GetUserId() == m.GetUserId() &&
				s.GetSubAccountId() == m.GetSubAccountId() && s.GetPeriod() == m.GetPeriod()
		})
	case *nairav1.AjoPenaltyWaived:
		v.isStep(m, r, func(s *nairav1.CorrectionStepV2) bool {
			return s.GetKind() == nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_WAIVE && s.GetUserId() == m.GetDebtorId() &&
				s.GetAjoId() == m.GetAjoId() && s.GetDebtId() == m.GetDebtId()
		})
	}
}

// isStep checks that an event came with the application of its correction, and removes its step: each is done once.
func (v *verifying) isStep(m ofPlan, r *event.Record, does func(*nairav1.CorrectionStepV2) bool) {
	// It is recorded in one command with the application of its correction, so that both are archived or neither is,
	// except in a command that the archive cuts in two.
	p, at := v.plans[m.GetPlanId()], -1
	with, is := v.applied[m.GetPlanId()]
	switch is = is && with == r.Command; {
	case p == nil && v.archived && (is || r.Command == v.first):
		return
	case p != nil && p.dispute == m.GetDisputeId() && is:
		at = slices.IndexFunc(p.steps, does)
	}
	if at < 0 {
		v.check.Violate(r.Pos, r.Stream, "%d kobo are adjusted or waived, and no applied correction of the dispute %q has this step", m.GetAmountKobo(), m.GetDisputeId())
		return
	}
	p.steps = slices.Delete(p.steps, at, at+1)
}
