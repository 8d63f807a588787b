package corrections

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/correction"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/posting"
	"adashi.ng/projections/balances"
	model "adashi.ng/projections/disputes"
	"adashi.ng/projections/unmatched"
	"adashi.ng/services/internal/timemachine"
	"adashi.ng/services/internal/usecase"
)

// FromLab returns the ordinary commands that produce the result of a case's lab, in the form in which a correction
// could propose them, tried on the present ledger. It lists, line by line, the results that none of them can produce.
// It proposes nothing.
//
// An edit becomes the command that does now what should have happened then. The rules take back some of the penalties
// that the lab does without; only the rest is waived.
func (s *Service) FromLab(ctx context.Context, who usecase.Who, caseID string, form LabRequest) (CorrectionOfLab, error) {
	if len(form.Edits) == 0 {
		return CorrectionOfLab{}, fault.Field("edits", "Say first what should have been otherwise.")
	}
	tried, err := s.TimeMachine.Try(ctx, who, caseID, form)
	if err != nil {
		return CorrectionOfLab{}, err
	}
	p := planning{Service: s, d: tried.Case, by: who.User}
	if tried, err = p.moves(ctx, tried, form.Edits); err != nil {
		return CorrectionOfLab{}, err
	}
	if p.wanted, err = wantedOf(tried); err != nil {
		return CorrectionOfLab{}, err
	}
	if p.wanted.nothing() {
		return CorrectionOfLab{}, fault.New(fault.Conflict, "By this lab no money and no penalty would be otherwise, so there is nothing to put right.")
	}
	if err := p.steps(ctx, form.Edits); err != nil {
		return CorrectionOfLab{}, err
	}
	if err := p.waive(ctx); err != nil {
		return CorrectionOfLab{}, err
	}
	p.unreached(tried)
	return p.view(ctx)
}

// planning is a correction that is made from a lab.
type planning struct {
	*Service
	d       model.Dispute
	by      string
	wanted  wanted
	from    time.Time // From when its money counts; zero for now.
	forms   []CorrectionStep
	cannot  []string
	missing bool // The money that should have come in time was not found, so the penalties that it would have undone remain.
}

func (p *planning) cannotBe(what string) { p.cannot = append(p.cannot, what) }

// at sets the time from which an edit's money counts. A correction has one such time.
func (p *planning) at(from time.Time, what string) bool {
	if !p.from.IsZero() && !p.from.Equal(from) {
		p.cannotBe(what + " counts from another time. Propose it in a correction of its own, after this one.")
		return false
	}
	p.from = from
	return true
}

// steps adds the commands that do now what edits say should have happened.
func (p *planning) steps(ctx context.Context, edits []LabEdit) error {
	for _, e := range edits {
		var err error
		switch {
		case e.Kind == PAID:
			err = p.paid(ctx, e)
		case e.Kind == ABSENT || e.Kind == AMOUNT:
			err = p.changed(ctx, e)
		} // Money that came at another time, and needs no other money, keeps its time. Its penalties are waived.
		if err != nil {
			return err
		}
	}
	return nil
}

// paid gives the member the money that should have come in time, if it is in suspense, and pays the due with it.
func (p *planning) paid(ctx context.Context, e LabEdit) error {
	amount, err := usecase.Kobo("edits", *e.Amount)
	if err != nil {
		return err
	}
	found, err := p.moneyOf(ctx, amount, *e.At)
	if err != nil {
		return err
	}
	var steps []CorrectionStep
	if found != "" {
		steps = append(steps, CorrectionStep{Kind: ASSIGN, ArrivalId: &found})
	} else if had, err := p.had(ctx, e); err != nil {
		return err
	} else if had < amount {
		p.missing = true
		p.cannotBe("No money of " + amount.String() + " of that time waits here, and the member's wallet has not had it since. Find it first.")
		return nil
	}
	if e.Cycle != nil {
		p.forms = append(p.forms, steps...)
		p.cannotBe("No step of a correction pays a due of an ajo. The penalty that came of it is undone, and what is still owed of it the member pays as a debt.")
		return nil
	}
	if e.SubAccountId != nil && *e.SubAccountId != "" {
		steps = append(steps, CorrectionStep{Kind: PAYDUE, GroupId: &p.d.Group, SubAccountId: e.SubAccountId, Amount: e.Amount})
	}
	if len(steps) > 0 && p.at(e.At.UTC(), "A payment of "+amount.String()) {
		p.forms = append(p.forms, steps...)
	}
	return nil
}

// had is the lowest balance of the member's wallet since the time from which an edit's money would count. No step pays
// a due of an ajo, so nothing would count from then: for an ajo it is the present balance.
func (p *planning) had(ctx context.Context, e LabEdit) (money.Kobo, error) {
	if e.Cycle != nil {
		held, err := balances.Of(ctx, p.Pool, p.d.User)
		return held.Wallet, err
	}
	return p.TimeMachine.Least(ctx, posting.Wallet(p.d.User), *e.At)
}

// moneyNear is how far from the expected time to look for money without an owner.
const moneyNear = 48 * time.Hour

// moneyOf returns unowned money of an amount: the money that the member claimed, or else the money nearest to a time,
// or to the day that their dispute names; empty when there is none. It skips money that another member claims in an
// open dispute.
func (p *planning) moneyOf(ctx context.Context, amount money.Kobo, at time.Time) (string, error) {
	const most = 100
	if claimed, err := p.claimed(ctx, amount); claimed != "" || err != nil {
		return claimed, err
	}
	times := []time.Time{at}
	if p.d.PaidAt != nil {
		times = append(times, *p.d.PaidAt)
	}
	for _, t := range times {
		all, err := unmatched.Like(ctx, p.Pool, amount, t.Add(-moneyNear), t.Add(moneyNear), most)
		if err != nil {
			return "", err
		}
		var ids []string
		for _, a := range all {
			ids = append(ids, a.ID.String())
		}
		others, err := model.ClaimedByOthers(ctx, p.Pool, p.d.User, ids...)
		if err != nil {
			return "", err
		}
		all = slices.DeleteFunc(all, func(a unmatched.Arrival) bool {
			return p.has(a.ID.String()) || slices.ContainsFunc(others, func(c model.Claim) bool { return c.Arrival == a.ID.String() })
		})
		if len(all) > 0 {
			nearest := slices.MinFunc(all, func(a, b unmatched.Arrival) int { return cmp.Compare(a.PaidAt.Sub(t).Abs(), b.PaidAt.Sub(t).Abs()) })
			return nearest.ID.String(), nil
		}
	}
	return "", nil
}

// claimed returns the unowned money of an amount that the member claims; empty when there is none.
func (p *planning) claimed(ctx context.Context, amount money.Kobo) (string, error) {
	if p.d.Arrival == "" || p.has(p.d.Arrival) {
		return "", nil
	}
	id, err := uuid.Parse(p.d.Arrival)
	if err != nil {
		return "", fmt.Errorf("corrections: the arrival that a dispute names: %w", err)
	}
	switch a, err := unmatched.One(ctx, p.Pool, id); {
	case errors.Is(err, unmatched.ErrNone):
		return "", nil
	case err != nil:
		return "", err
	case a.Status != "OPEN" || a.Amount != amount:
		return "", nil
	}
	return p.d.Arrival, nil
}

// has reports whether a step already gives the member some money.
func (p *planning) has(arrival string) bool {
	return slices.ContainsFunc(p.forms, func(f CorrectionStep) bool { return text(f.ArrivalId) == arrival })
}

// changed takes back an event that should not have happened, or that should have had another amount.
func (p *planning) changed(ctx context.Context, e LabEdit) error {
	records, err := history.ReadAt(ctx, p.Pool, []int64{*e.Position})
	if err != nil || len(records) == 0 {
		return err
	}
	r := records[0]
	message, err := r.Message()
	if err != nil {
		return err
	}
	name, id := timemachine.Title(message), r.ID().String()
	switch m := message.(type) {
	case *nairav1.ContributionReceived:
		if m.GetUserId() != p.d.User {
			p.cannotBe(name + " is another member's. Only what is the member's own is corrected in their case.")
			return nil
		}
		if !p.at(r.EffectiveAt, name) {
			return nil
		}
		p.forms = append(p.forms, CorrectionStep{Kind: REVERSE, EventId: &id})
		if e.Kind == AMOUNT {
			p.forms = append(p.forms, CorrectionStep{Kind: PAYDUE, GroupId: new(m.GetGroupId()), SubAccountId: new(m.GetSubAccountId()), Amount: e.Amount})
		}
	case *nairav1.AdjustmentPosted:
		if e.Kind == ABSENT && m.GetUserId() == p.d.User {
			p.forms = append(p.forms, CorrectionStep{Kind: ADJUST, Amount: usecase.NairaPtr(money.Kobo(m.GetAmountKobo())), TakesBack: new(!m.GetTakesBack())})
		}
	case *nairav1.PenaltyApplied, *nairav1.AjoDebtOpened: // Its penalty is among the differences.
	default:
		p.cannotBe(name + ": no command of a correction changes it. If Adashi is to bear it, add an adjustment from its own account.")
	}
	return nil
}

// waive undoes the penalties that the lab does without and that the rules do not take back.
func (p *planning) waive(ctx context.Context) error {
	if p.missing {
		for _, f := range p.wanted.fines {
			p.cannotBe("The penalty of " + f.amount.String() + " stays: the money that would undo it was not found.")
		}
		return nil
	}
	var gone map[fine]bool
	if len(p.forms) > 0 {
		drafts, refused, err := p.tries(ctx)
		if err != nil || refused != nil {
			return err // Its message is shown.
		}
		gone = undone(drafts)
	}
	for _, f := range p.wanted.fines {
		switch {
		case gone[f.of()]:
		case f.debt != "":
			p.forms = append(p.forms, CorrectionStep{Kind: WAIVE, DebtId: &f.debt})
		default:
			group, err := p.GroupOfSub(ctx, f.sub)
			if err != nil {
				return err
			}
			p.forms = append(p.forms, CorrectionStep{Kind: WAIVE, GroupId: &group, SubAccountId: &f.sub, Period: &f.period})
		}
	}
	if over := len(p.forms) - rules.StepsMax; over > 0 {
		p.cannotBe("A correction has 10 steps at most. What is left is proposed after this one.")
		p.forms = p.forms[:rules.StepsMax]
	}
	return nil
}

func (p *planning) counts() time.Time {
	if p.from.IsZero() {
		return p.Now().UTC().Truncate(time.Microsecond)
	}
	return p.from
}

func (p *planning) tries(ctx context.Context) ([]event.Draft, *string, error) {
	steps, err := p.Service.steps(ctx, p.d, p.forms)
	if err != nil {
		return nil, nil, err
	}
	return p.try(ctx, p.d, steps, p.by, p.counts())
}

// view returns the correction with its effects, compared with the lab.
func (p *planning) view(ctx context.Context) (CorrectionOfLab, error) {
	view := CorrectionOfLab{Steps: []CorrectionStep{}, Cannot: p.cannot, Events: []CorrectionEvent{}}
	if view.Cannot == nil {
		view.Cannot = []string{}
	}
	var drafts []event.Draft
	if len(p.forms) > 0 {
		steps, err := p.Service.steps(ctx, p.d, p.forms)
		if err != nil {
			return view, err
		}
		words, err := p.stepViews(ctx, steps)
		if err != nil {
			return view, err
		}
		for i, form := range p.forms {
			form.Words = words[i].Words
			view.Steps = append(view.Steps, form)
		}
		if !p.from.IsZero() {
			view.CountsFrom = &p.from
		}
		if drafts, view.Refused, err = p.try(ctx, p.d, steps, p.by, p.counts()); err != nil {
			return view, err
		}
		if view.Events, err = p.told(ctx, p.d.User, drafts); err != nil {
			return view, err
		}
	}
	var err error
	view.PutsRight, view.Differs, err = p.compared(ctx, drafts)
	return view, err
}
