// Package corrections lets Support correct the result of a dispute: ordinary commands, shown beforehand as the entries
// that they would make. The colleague with the case proposes them, two Admins approve, and all of them are recorded or
// none.
package corrections

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/correction"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/posting"
	model "adashi.ng/projections/disputes"
	"adashi.ng/services/internal/disputes"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/timemachine"
	"adashi.ng/services/internal/usecase"
)

// Service is corrections.
type Service struct {
	*usecase.Base
	Disputes    *disputes.Service
	TimeMachine *timemachine.Service
}

// Form is a requested correction.
type Form struct {
	CountsFrom *time.Time
	Steps      []CorrectionStep
	Words      string
}

// from returns the time from which a correction counts.
func (s *Service) from(form Form) (time.Time, error) {
	now := s.Now().UTC().Truncate(time.Microsecond)
	if form.CountsFrom == nil {
		return now, nil
	}
	if form.CountsFrom.After(now) || form.CountsFrom.Year() < 2000 {
		return now, fault.Field("countsFrom", "A correction counts from now or from a time before.")
	}
	return form.CountsFrom.UTC().Truncate(time.Microsecond), nil
}

// planOf returns the latest correction of a dispute from the ledger, with the originals of the events that it reverses.
func (s *Service) planOf(ctx context.Context, disputeID string) (rules.Plan, error) {
	state, err := s.Ledger.Load(ctx, rules.Stream(disputeID))
	if err != nil {
		return rules.Plan{}, err
	}
	p := state.(rules.Plan)
	p.Steps, err = s.originals(ctx, slices.Clone(p.Steps))
	return p, err
}

// originals adds the events that some steps reverse.
func (s *Service) originals(ctx context.Context, steps []rules.Step) ([]rules.Step, error) {
	for i := range steps {
		if steps[i].EventID == "" {
			continue
		}
		records, err := history.ReadAt(ctx, s.Pool, []int64{steps[i].Position})
		if err != nil {
			return steps, err
		}
		if len(records) == 0 || records[0].ID().String() != steps[i].EventID {
			return steps, fault.New(fault.Conflict, "The event that is to be reversed is archived. Ask an operator to attach its archive, then try again.")
		}
		steps[i].Original = records[0]
	}
	return steps, nil
}

// because is the reason that the ledger stores for a correction: the case's number, which identifies nobody.
func because(disputeID string) string { return "Correction of " + dispute.Number(disputeID) + "." }

// preview returns the effects of a correction now, or its refusal.
func (s *Service) preview(ctx context.Context, d model.Dispute, steps []rules.Step, by string, from time.Time) (CorrectionPreview, error) {
	view := CorrectionPreview{Events: []CorrectionEvent{}}
	drafts, refused, err := s.try(ctx, d, steps, by, from)
	if err != nil || refused != nil {
		view.Refused = refused
		return view, err
	}
	view.Events, err = s.told(ctx, d.User, drafts)
	return view, err
}

// try decides a correction on the present ledger, and records nothing. It returns the events that it would record, or
// the refusal.
func (s *Service) try(ctx context.Context, d model.Dispute, steps []rules.Step, by string, from time.Time) (drafts []event.Draft, refused *string, err error) {
	commands, err := rules.Commands(steps, rules.Order{DisputeID: d.ID, By: by, ApprovedBy: "another", Reason: because(d.ID), From: from})
	if err != nil {
		return nil, nil, err
	}
	if _, err = s.Ledger.DryRunAt(ctx, rules.ThereBy{Steps: steps, From: from}, from); err == nil {
		drafts, err = s.Ledger.DryRunAt(ctx, store.Bulk(commands), from)
	}
	if f := fault.As(err); f != nil && f.Code != fault.Unavailable {
		return nil, &f.Message, nil
	}
	if err == nil {
		refused, err = s.short(ctx, d.User, drafts, from)
	}
	return drafts, refused, err
}

// short names an account of the member or of a group that would have had a negative balance at some time if events
// counted from a time; nil when there is none.
func (s *Service) short(ctx context.Context, user string, drafts []event.Draft, from time.Time) (*string, error) {
	posted := map[string][]money.Kobo{}
	for _, d := range drafts {
		for _, line := range posting.Lines(d.Message) {
			if owned(line.Account) {
				posted[line.Account] = append(posted[line.Account], line.Amount)
			}
		}
	}
	for _, account := range slices.Sorted(maps.Keys(posted)) {
		if !slices.ContainsFunc(posted[account], func(amount money.Kobo) bool { return amount < 0 }) {
			continue
		}
		least, err := s.TimeMachine.Least(ctx, account, from, posted[account]...)
		if err != nil {
			return nil, err
		}
		if least >= 0 {
			continue
		}
		labels, err := s.TimeMachine.Accounts(ctx, user, []string{account})
		return new(fmt.Sprintf("%s lacked %s of this at a time since %s. Have it count from when the money was there.", labels[account], -least, lagos.Clock(from))), err
	}
	return nil, nil
}

// told describes events that would be recorded about a member.
func (s *Service) told(ctx context.Context, user string, drafts []event.Draft) ([]CorrectionEvent, error) {
	all, err := s.TimeMachine.Entries(ctx, user, drafts)
	views := []CorrectionEvent{}
	for _, t := range all {
		one := CorrectionEvent{Title: t.Title, Entries: []CorrectionEntry{}}
		for _, line := range t.Lines {
			one.Entries = append(one.Entries, CorrectionEntry{Account: line.Account, Label: line.Label, Amount: usecase.Naira(line.Amount)})
		}
		views = append(views, one)
	}
	return views, err
}

// Preview returns the effects that a correction of the caller's own case would have now.
func (s *Service) Preview(ctx context.Context, who usecase.Who, caseID string, form Form) (CorrectionPreview, error) {
	d, err := s.Disputes.InHand(ctx, who, caseID)
	if err != nil {
		return CorrectionPreview{}, err
	}
	from, err := s.from(form)
	if err != nil {
		return CorrectionPreview{}, err
	}
	steps, err := s.steps(ctx, d, form.Steps)
	if err != nil {
		return CorrectionPreview{}, err
	}
	return s.preview(ctx, d, steps, who.User, from)
}

// Propose proposes a correction of the caller's own case. It refuses one that the ledger would refuse now.
func (s *Service) Propose(ctx context.Context, who usecase.Who, caseID string, form Form) (CorrectionState, int64, error) {
	d, err := s.Disputes.InHand(ctx, who, caseID)
	if err != nil {
		return CorrectionState{}, 0, err
	}
	from, err := s.from(form)
	if err != nil {
		return CorrectionState{}, 0, err
	}
	steps, err := s.steps(ctx, d, form.Steps)
	if err != nil {
		return CorrectionState{}, 0, err
	}
	would, err := s.preview(ctx, d, steps, who.User, from)
	if err != nil {
		return CorrectionState{}, 0, err
	}
	if would.Refused != nil {
		return CorrectionState{}, 0, fault.New(fault.Conflict, "%s", *would.Refused)
	}
	id, _ := who.ID("propose correction")
	words, err := s.Disputes.Said(id, d.User, form.Words, 10)
	if err != nil {
		return CorrectionState{}, 0, err
	}
	paid, err := s.PaidFor(ctx, d.ID)
	if err != nil {
		return CorrectionState{}, 0, err
	}
	ties, err := s.Disputes.CaseTies(ctx, d, who.User)
	if err != nil {
		return CorrectionState{}, 0, err
	}
	return s.did(ctx, who, d, id, store.Fingerprint(d.ID, fmt.Sprint(stepsHashed(form.Steps), form.CountsFrom), form.Words), rules.Propose{
		DisputeID: d.ID, Dispute: theirs(d), Paid: paid, Ties: ties, PlanID: event.DeriveID(id, "plan").String(), By: who.User, Steps: steps, CountsFrom: from, Words: words.Words, Now: s.Now(),
	}, words)
}

// theirs converts a dispute for a decider, which compares it with the ledger's own.
func theirs(d model.Dispute) dispute.Dispute {
	return dispute.Dispute{User: d.User, Group: d.Group, Ajo: d.Ajo}
}

// did records a step about a correction, and returns the correction after it.
func (s *Service) did(ctx context.Context, who usecase.Who, d model.Dispute, id uuid.UUID, hash [16]byte, c event.Command, said ...usecase.Said) (CorrectionState, int64, error) {
	result, err := s.Record(ctx, who, id, d.ID, hash, c, said...)
	if err != nil {
		return CorrectionState{}, 0, err
	}
	view, err := s.state(ctx, who.User, d)
	s.Tracker.WaitFor(ctx, result.Position(), usecase.ReadModelWait, disputes.ReadModels...)
	return view, result.Position(), err
}

// Decide approves or declines a correction, in the version that the caller saw. The second approval applies it.
func (s *Service) Decide(ctx context.Context, who usecase.Who, caseID, planID string, approve bool, text string) (CorrectionState, int64, error) {
	d, err := s.Disputes.Opened(ctx, who, caseID)
	if err != nil {
		return CorrectionState{}, 0, err
	}
	p, err := s.planOf(ctx, d.ID)
	if err != nil {
		return CorrectionState{}, 0, err
	}
	if p.ID == "" || p.ID != planID {
		return CorrectionState{}, 0, fault.New(fault.Conflict, "This correction is no longer there. Please look again.")
	}
	operation := "approve correction"
	var words usecase.Said
	var said []usecase.Said
	if !approve {
		operation = "decline correction"
	}
	id, _ := who.ID(operation)
	if !approve {
		admin, err := s.admin(ctx, who.User)
		if err != nil {
			return CorrectionState{}, 0, err
		}
		if !admin && p.ProposedBy != who.User {
			return CorrectionState{}, 0, fault.New(fault.Forbidden, "An Admin declines a correction, or who proposed it takes it back.")
		}
		if words, err = s.Disputes.Said(id, d.User, text, 3); err != nil {
			return CorrectionState{}, 0, err
		}
		said = append(said, words)
	}
	paid, err := s.PaidFor(ctx, d.ID)
	if err != nil {
		return CorrectionState{}, 0, err
	}
	ties, err := s.Disputes.CaseTies(ctx, d, who.User)
	if err != nil {
		return CorrectionState{}, 0, err
	}
	_, pos, err := s.did(ctx, who, d, id, store.Fingerprint(planID, approve, text), rules.Decision{
		DisputeID: d.ID, Dispute: theirs(d), Paid: paid, Ties: ties, Plan: p, By: who.User, Approve: approve, Words: words.Words,
	}, said...)
	if err != nil {
		return CorrectionState{}, 0, err
	}
	if approve {
		if err := s.apply(ctx, d); err != nil {
			return CorrectionState{}, 0, err
		}
	}
	view, err := s.state(ctx, who.User, d)
	return view, pos, err
}

func (s *Service) admin(ctx context.Context, user string) (bool, error) {
	m, err := s.People.Member(ctx, user)
	return slices.Contains(m.Roles, people.RoleAdmin), err
}

// apply carries out an approved correction, all of it or none. If the rules refuse it by now, it records that, and the
// correction ends.
func (s *Service) apply(ctx context.Context, d model.Dispute) error {
	p, err := s.planOf(ctx, d.ID)
	if err != nil || p.Status != rules.Approved {
		return err
	}
	commands, err := rules.Commands(p.Steps, rules.Order{
		DisputeID: d.ID, PlanID: p.ID, By: p.ProposedBy, ApprovedBy: p.Approvals[len(p.Approvals)-1], Reason: because(d.ID), From: p.CountsFrom,
	})
	if err != nil {
		return err
	}
	bulk := append(store.Bulk{rules.Apply{DisputeID: d.ID, Plan: p}}, commands...)
	if drafts, err := s.Ledger.DryRunAt(ctx, bulk, p.CountsFrom); err == nil {
		switch refused, err := s.short(ctx, d.User, drafts, p.CountsFrom); {
		case err != nil:
			return err
		case refused != nil:
			return s.giveUp(ctx, d, p, *refused)
		}
	}
	// A correction is applied once, whichever process tries: its id makes the command's id.
	id := event.DeriveID(uuid.MustParse(p.ID), "apply")
	result, err := s.At(p.CountsFrom).Record(ctx, usecase.System, id, d.ID, store.Fingerprint(p.ID), bulk)
	f := fault.As(err)
	if err == nil {
		s.Tracker.WaitFor(ctx, result.Position(), usecase.ReadModelWait, disputes.ReadModels...)
		return nil
	}
	if f == nil || f.Code == fault.Unavailable {
		return err
	}
	return s.giveUp(ctx, d, p, f.Message)
}

// giveUp records why an approved correction cannot be applied.
func (s *Service) giveUp(ctx context.Context, d model.Dispute, p rules.Plan, why string) error {
	_, err := s.Record(ctx, usecase.System, event.DeriveID(uuid.MustParse(p.ID), "give up"), d.ID, store.Fingerprint(p.ID), rules.GiveUp{DisputeID: d.ID, PlanID: p.ID, Reason: why})
	return usecase.UnlessConflict(err)
}

// ApplyApproved applies approved corrections whose process ended before it applied them. It is a job.
func (s *Service) ApplyApproved(ctx context.Context) error {
	return items.EachOf(ctx, s.Job("apply corrections"), items.Pages[model.Dispute, int64]{
		Most: 100, At: func(d model.Dispute) int64 { return d.Pos }, Key: func(d model.Dispute) string { return d.ID },
		Read: func(after int64, most int) ([]model.Dispute, error) { return model.Approved(ctx, s.Pool, after, most) },
	}, s.apply)
}
