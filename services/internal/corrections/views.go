package corrections

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	rules "adashi.ng/ledger/domain/correction"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/projections/activity"
	model "adashi.ng/projections/disputes"
	"adashi.ng/projections/unmatched"
	"adashi.ng/services/internal/usecase"
)

const kindPrefix = "CORRECTION_STEP_KIND_"

// steps reads the requested steps, and checks that their subjects exist and are the member's own.
func (s *Service) steps(ctx context.Context, d model.Dispute, form []CorrectionStep) ([]rules.Step, error) {
	var steps []rules.Step
	for _, one := range form {
		step := rules.Step{Kind: nairav1.CorrectionStepKind(nairav1.CorrectionStepKind_value[kindPrefix+string(one.Kind)]), User: d.User}
		var err error
		switch step.Kind {
		case nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_ASSIGN:
			err = s.assigns(ctx, &step, text(one.ArrivalId))
		case nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_PAY_DUE:
			err = pays(&step, one)
		case nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_REVERSE:
			err = s.reverses(ctx, &step, text(one.EventId))
		case nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_ADJUST:
			err = adjusts(&step, one)
		case nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_WAIVE:
			err = waives(&step, one, d.Ajo)
		default:
			err = fault.Field("steps", "Choose what each step does.")
		}
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return s.originals(ctx, steps)
}

func text(of *string) string {
	if of == nil {
		return ""
	}
	return *of
}

func (s *Service) assigns(ctx context.Context, step *rules.Step, id string) error {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return fault.Field("steps", "Choose the money that is to become the member's.")
	}
	a, err := unmatched.One(ctx, s.Pool, parsed)
	if err != nil {
		return usecase.NotThere(err, unmatched.ErrNone, "money")
	}
	step.Provider, step.ProviderRef, step.Amount = a.Provider, a.ProviderRef, a.Amount
	others, err := model.ClaimedByOthers(ctx, s.Pool, step.User, a.ID.String())
	if err == nil && len(others) > 0 {
		err = fault.Field("steps", "Another member says in the open dispute %s that this money is theirs. Have that decided first.", dispute.Number(others[0].Dispute))
	}
	return err
}

// claimed names the other members who claim the money that a step gives to its member; empty for none.
func (s *Service) claimed(ctx context.Context, step rules.Step) (words string, err error) {
	if step.ProviderRef == "" {
		return "", nil
	}
	a, err := unmatched.Named(ctx, s.Pool, step.Provider, step.ProviderRef)
	if errors.Is(err, unmatched.ErrNone) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	others, err := model.ClaimedByOthers(ctx, s.Pool, step.User, a.ID.String())
	for _, c := range others {
		words += " Another member says in the open dispute " + dispute.Number(c.Dispute) + " that it is theirs."
	}
	return words, err
}

func pays(step *rules.Step, form CorrectionStep) (err error) {
	if form.Amount == nil {
		return fault.Field("steps", "Say how much of the due is paid.")
	}
	if step.Amount, err = usecase.Kobo("steps", *form.Amount); err != nil {
		return err
	}
	if step.Group, err = usecase.ParseID(text(form.GroupId), "group"); err != nil {
		return err
	}
	if step.Sub, err = usecase.ParseID(text(form.SubAccountId), "sub-account"); err != nil {
		return err
	}
	if step.Period = text(form.Period); step.Period == "" {
		return nil
	}
	if _, err := time.Parse(time.DateOnly, step.Period); err != nil {
		return fault.Field("steps", "Enter the due as YYYY-MM-DD.")
	}
	return nil
}

func adjusts(step *rules.Step, form CorrectionStep) (err error) {
	if form.Amount == nil {
		return fault.Field("steps", "Say how much is paid or taken back.")
	}
	step.TakesBack = form.TakesBack != nil && *form.TakesBack
	step.Amount, err = usecase.Kobo("steps", *form.Amount)
	return err
}

// waives reads which penalty a step undoes: that of a due, or that of a debt in the case's ajo.
func waives(step *rules.Step, form CorrectionStep, ajoID string) (err error) {
	if text(form.DebtId) != "" {
		if ajoID == "" {
			return fault.Field("steps", "This case is about no ajo, so no penalty of one can be undone.")
		}
		step.Ajo, step.Debt = ajoID, text(form.DebtId)
		return nil
	}
	if step.Group, err = usecase.ParseID(text(form.GroupId), "group"); err != nil {
		return err
	}
	if step.Sub, err = usecase.ParseID(text(form.SubAccountId), "sub-account"); err != nil {
		return err
	}
	step.Period = text(form.Period)
	if _, err := time.Parse(time.DateOnly, step.Period); err != nil {
		return fault.Field("steps", "Enter the due of the penalty as YYYY-MM-DD.")
	}
	return nil
}

// reverses finds the contribution among the member's own movements.
func (s *Service) reverses(ctx context.Context, step *rules.Step, id string) error {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return fault.Field("steps", "Choose the contribution that goes back.")
	}
	m, err := activity.One(ctx, s.Pool, step.User, parsed)
	if err != nil {
		return usecase.NotThere(err, activity.ErrNone, "contribution of the member")
	}
	step.EventID, step.Position, step.Amount = parsed.String(), m.Pos, m.Amount
	return nil
}

// stepsHashed returns the same text for the same steps.
func stepsHashed(steps []CorrectionStep) string {
	var all strings.Builder
	for _, s := range steps {
		amount := ""
		if s.Amount != nil {
			amount = s.Amount.String()
		}
		fmt.Fprintln(&all, s.Kind, text(s.ArrivalId), text(s.GroupId), text(s.SubAccountId), text(s.Period), amount, text(s.EventId), text(s.DebtId), s.TakesBack != nil && *s.TakesBack)
	}
	return all.String()
}

// State returns the latest correction of a case. It records the look.
func (s *Service) State(ctx context.Context, who usecase.Who, caseID string) (CorrectionState, error) {
	d, err := s.Disputes.Opened(ctx, who, caseID)
	if err != nil {
		return CorrectionState{}, err
	}
	return s.state(ctx, who.User, d)
}

func (s *Service) state(ctx context.Context, user string, d model.Dispute) (CorrectionState, error) {
	penalties, err := s.penalties(ctx, d)
	if err != nil {
		return CorrectionState{}, err
	}
	p, err := s.planOf(ctx, d.ID)
	if err != nil || p.ID == "" {
		return CorrectionState{Penalties: penalties}, err
	}
	earlier, err := s.earlier(ctx, d.ID)
	if err != nil {
		return CorrectionState{}, err
	}
	cards, err := s.People.Cards(ctx, usecase.UniqueIDs(append([]string{p.ProposedBy}, p.Approvals...)))
	if err != nil {
		return CorrectionState{}, err
	}
	said, err := s.Vault.Papers(ctx, d.User, []string{p.Words})
	if err != nil {
		return CorrectionState{}, err
	}
	admin, err := s.admin(ctx, user)
	if err != nil {
		return CorrectionState{}, err
	}
	view := &Correction{
		Id: p.ID, Status: CorrectionStatus(p.Status), CountsFrom: p.CountsFrom.UTC(), Words: said[p.Words], ProposedAt: p.ProposedAt.UTC(),
		ProposedByName: usecase.ShortName(cards, p.ProposedBy), IsMine: p.ProposedBy == user, Approvals: []string{}, Needed: rules.ApprovalsNeeded,
		Reason: usecase.OrNil(p.Reason), Events: []CorrectionEvent{},
		MayApprove: p.Status == rules.Proposed && admin && p.ProposedBy != user && !slices.Contains(p.Approvals, user),
		MayDecline: p.Status == rules.Proposed && (admin || p.ProposedBy == user),
	}
	for _, by := range p.Approvals {
		view.Approvals = append(view.Approvals, usecase.ShortName(cards, by))
	}
	if view.Steps, err = s.stepViews(ctx, p.Steps); err != nil {
		return CorrectionState{}, err
	}
	if p.Open() {
		would, err := s.preview(ctx, d, p.Steps, p.ProposedBy, p.CountsFrom)
		if err != nil {
			return CorrectionState{}, err
		}
		view.Events, view.Refused = would.Events, would.Refused
	}
	return CorrectionState{Plan: view, Earlier: earlier, Penalties: penalties}, nil
}

// correctionsMost limits how many events of a case's corrections are read.
const correctionsMost = 500

// earlier returns the corrections of a dispute before its latest, the latest first; nil when there are none.
func (s *Service) earlier(ctx context.Context, disputeID string) (*[]EarlierCorrection, error) {
	_, head, err := history.Head(ctx, s.Pool)
	if err != nil {
		return nil, err
	}
	records, err := history.ReadStream(ctx, s.Pool, rules.Stream(disputeID), head, correctionsMost)
	if err != nil {
		return nil, err
	}
	var plans []rules.Plan
	now := rules.Plan{}
	for _, r := range records {
		m, err := r.Message()
		if err != nil {
			return nil, err
		}
		if _, begins := m.(*nairav1.CorrectionProposedV2); begins && now.ID != "" {
			plans = append(plans, now)
		}
		now = rules.Plans.Evolve(now, event.Happened{Message: m, EffectiveAt: r.EffectiveAt, RecordedAt: r.RecordedAt}).(rules.Plan)
	}
	if len(plans) == 0 {
		return nil, nil
	}
	slices.Reverse(plans)
	views := make([]EarlierCorrection, len(plans))
	for i, p := range plans {
		steps, err := s.stepViews(ctx, p.Steps)
		if err != nil {
			return nil, err
		}
		views[i] = EarlierCorrection{
			Id: p.ID, Status: EarlierCorrectionStatus(p.Status), ProposedAt: p.ProposedAt.UTC(), Reason: usecase.OrNil(p.Reason), Steps: []string{},
		}
		for _, step := range steps {
			views[i].Steps = append(views[i].Steps, text(step.Words))
		}
	}
	return &views, nil
}

func (s *Service) stepViews(ctx context.Context, steps []rules.Step) ([]CorrectionStep, error) {
	var subs []string
	for _, step := range steps {
		subs = append(subs, step.Sub)
	}
	names, err := s.Names(ctx, nil, usecase.UniqueIDs(subs))
	views := make([]CorrectionStep, len(steps))
	for i, step := range steps {
		claimed, failed := s.claimed(ctx, step)
		if failed != nil {
			return nil, failed
		}
		words := inWords(step, names) + claimed
		views[i] = CorrectionStep{
			Kind: CorrectionKind(strings.TrimPrefix(step.Kind.String(), kindPrefix)), GroupId: usecase.OrNil(step.Group), SubAccountId: usecase.OrNil(step.Sub),
			Period: usecase.OrNil(step.Period), EventId: usecase.OrNil(step.EventID), DebtId: usecase.OrNil(step.Debt), Words: &words,
		}
		if step.Amount > 0 {
			views[i].Amount = usecase.NairaPtr(step.Amount)
		}
		if step.TakesBack {
			views[i].TakesBack = &step.TakesBack
		}
	}
	return views, err
}

// inWords describes a step.
func inWords(step rules.Step, names usecase.Names) string {
	switch step.Kind {
	case nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_ASSIGN:
		if step.Amount == 0 {
			return "Money of nobody becomes the member's."
		}
		return step.Amount.String() + " of nobody becomes the member's."
	case nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_PAY_DUE:
		return step.Amount.String() + " of the member's wallet is paid to " + names.Subs[step.Sub].Name + "."
	case nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_REVERSE:
		return "The contribution of " + step.Amount.String() + " goes back to the member's wallet."
	case nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_ADJUST:
		if step.TakesBack {
			return step.Amount.String() + " that Adashi paid wrongly is taken back from the member's wallet."
		}
		return "Adashi pays the member " + step.Amount.String() + " from its own account."
	default: // WAIVE
		if step.Ajo != "" {
			return "A penalty in the ajo is undone."
		}
		return "The penalty of " + penaltyOf(names, step.Sub, step.Period) + " is undone."
	}
}

// penaltyOf describes what a penalty is for.
func penaltyOf(names usecase.Names, sub, period string) string {
	found, known := names.Subs[sub]
	if !known {
		return period
	}
	schedule := usecase.ScheduleOf(found)
	return found.Name + " for " + schedule.Label(schedule.At(savings.ParseDay(period)))
}

// Waiting returns the cases whose correction waits for approval.
func (s *Service) Waiting(ctx context.Context, staff string, before *string, limit int) (CasePage, error) {
	return s.Disputes.Planned(ctx, staff, before, limit)
}
