package corrections

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	rules "adashi.ng/ledger/domain/correction"
	"adashi.ng/projections/activity"
	model "adashi.ng/projections/disputes"
	"adashi.ng/projections/unmatched"
	"adashi.ng/services/internal/usecase"
)

const kindPrefix = "CORRECTION_KIND_"

// steps reads what somebody wants done, and holds it to what there is. All of it is the member's own.
func (s *Service) steps(ctx context.Context, d model.Dispute, form []CorrectionStep) ([]rules.Step, error) {
	var steps []rules.Step
	for _, one := range form {
		step := rules.Step{Kind: nairav1.CorrectionKind(nairav1.CorrectionKind_value[kindPrefix+string(one.Kind)]), User: d.User}
		var err error
		switch step.Kind {
		case nairav1.CorrectionKind_CORRECTION_KIND_ASSIGN:
			err = s.assigns(ctx, &step, text(one.ArrivalId))
		case nairav1.CorrectionKind_CORRECTION_KIND_PAY_DUE:
			err = pays(&step, one)
		case nairav1.CorrectionKind_CORRECTION_KIND_REVERSE:
			err = s.reverses(ctx, &step, text(one.EventId))
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
	return nil
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

// stepsHashed are steps in a form that is the same for the same steps.
func stepsHashed(steps []CorrectionStep) string {
	var all strings.Builder
	for _, s := range steps {
		amount := ""
		if s.Amount != nil {
			amount = s.Amount.String()
		}
		fmt.Fprintln(&all, s.Kind, text(s.ArrivalId), text(s.GroupId), text(s.SubAccountId), text(s.Period), amount, text(s.EventId))
	}
	return all.String()
}

// State is the latest correction of a case. That somebody looked is recorded.
func (s *Service) State(ctx context.Context, who usecase.Who, caseID string) (CorrectionState, error) {
	d, err := s.Disputes.Opened(ctx, who, caseID)
	if err != nil {
		return CorrectionState{}, err
	}
	return s.state(ctx, who.User, d)
}

func (s *Service) state(ctx context.Context, user string, d model.Dispute) (CorrectionState, error) {
	p, err := s.planOf(ctx, d.ID)
	if err != nil || p.ID == "" {
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
	return CorrectionState{Plan: view}, nil
}

func (s *Service) stepViews(ctx context.Context, steps []rules.Step) ([]CorrectionStep, error) {
	var subs []string
	for _, step := range steps {
		subs = append(subs, step.Sub)
	}
	names, err := s.Names(ctx, nil, usecase.UniqueIDs(subs))
	views := make([]CorrectionStep, len(steps))
	for i, step := range steps {
		words := ""
		switch step.Kind {
		case nairav1.CorrectionKind_CORRECTION_KIND_ASSIGN:
			words = step.Amount.String() + " of nobody becomes the member's."
			if step.Amount == 0 {
				words = "Money of nobody becomes the member's."
			}
		case nairav1.CorrectionKind_CORRECTION_KIND_PAY_DUE:
			words = step.Amount.String() + " of the member's wallet is paid to " + names.Subs[step.Sub].Name + "."
		case nairav1.CorrectionKind_CORRECTION_KIND_REVERSE:
			words = "The contribution of " + step.Amount.String() + " goes back to the member's wallet."
		}
		views[i] = CorrectionStep{
			Kind: CorrectionKind(strings.TrimPrefix(step.Kind.String(), kindPrefix)), GroupId: usecase.OrNil(step.Group), SubAccountId: usecase.OrNil(step.Sub),
			Period: usecase.OrNil(step.Period), EventId: usecase.OrNil(step.EventID), Words: &words,
		}
		if step.Amount > 0 {
			views[i].Amount = usecase.NairaPtr(step.Amount)
		}
	}
	return views, err
}

// Waiting are the cases whose correction waits for approval.
func (s *Service) Waiting(ctx context.Context, staff string, before *string, limit int) (CasePage, error) {
	return s.Disputes.Planned(ctx, staff, before, limit)
}
