package corrections

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	rules "adashi.ng/ledger/domain/correction"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
	"adashi.ng/ledger/posting"
	model "adashi.ng/projections/disputes"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/timemachine"
	"adashi.ng/services/internal/usecase"
)

// wanted is what a lab changes: the balances that would be higher, and the penalties that would not exist.
type wanted struct {
	more  map[string]money.Kobo // The accounts of people and groups.
	fines []fine
	extra []fine // Penalties that would exist, and do not.
}

// fine is a member's penalty: for a due, or for a debt in an ajo.
type fine struct {
	sub, period string
	debt        string
	amount      money.Kobo
}

// of identifies the penalty.
func (f fine) of() fine { return fine{sub: f.sub, period: f.period, debt: f.debt} }

func (w wanted) nothing() bool { return len(w.more)+len(w.fines)+len(w.extra) == 0 }

func wantedOf(tried timemachine.Tried) (wanted, error) {
	w := wanted{more: map[string]money.Kobo{}}
	for account, c := range tried.Balances {
		if owned(account) {
			w.more[account] = c.Would - c.Was
		}
	}
	for _, stream := range slices.Sorted(maps.Keys(tried.States)) {
		was, would, err := fines(tried.Case, stream, tried.States[stream])
		if err != nil {
			return w, fmt.Errorf("corrections: the state of %s in a lab: %w", stream, err)
		}
		w.fines, w.extra = append(w.fines, less(was, would)...), append(w.extra, less(would, was)...)
	}
	return w, nil
}

// owned reports whether an account belongs to somebody: when a lab adds money, a correction gives the member money that
// has no owner yet.
func owned(account string) bool {
	return posting.Floored(account) && account != posting.Unmatched && account != posting.Leaving
}

// less returns the penalties of one list that another does not have, or has with a smaller amount.
func less(all, others []fine) (out []fine) {
	for _, f := range all {
		for _, other := range others {
			if other.of() == f.of() {
				f.amount -= other.amount
			}
		}
		if f.amount > 0 {
			out = append(out, f)
		}
	}
	return out
}

// fines returns a member's valid penalties on a stream, as they were and as they would have been.
func fines(d model.Dispute, stream string, c redecide.Change[json.RawMessage]) (was, would []fine, err error) {
	kind, id, _ := strings.Cut(stream, ":")
	sub, user, _ := strings.Cut(id, ":")
	var of func(raw json.RawMessage) ([]fine, error)
	switch {
	case kind == "dues" && user == d.User:
		of = func(raw json.RawMessage) (out []fine, err error) {
			var state dues.State
			err = json.Unmarshal(raw, &state)
			for _, c := range state.Changes {
				out = append(out, fine{sub: sub, period: c.Period, amount: c.Penalty})
			}
			return out, err
		}
	case d.Ajo != "" && stream == ajo.DebtStream(d.Ajo):
		of = func(raw json.RawMessage) (out []fine, err error) {
			var state ajopot.Debts
			err = json.Unmarshal(raw, &state)
			for _, debt := range state.All {
				if debt.Debtor == d.User {
					out = append(out, fine{debt: debt.ID, amount: debt.Penalty})
				}
			}
			return out, err
		}
	default:
		return nil, nil, nil
	}
	if was, err = of(c.Was); err == nil {
		would, err = of(c.Would)
	}
	return was, would, err
}

// penalties returns a member's valid penalties in the group or the ajo of their case, as the steps that would undo
// them. A closed case has none.
func (s *Service) penalties(ctx context.Context, d model.Dispute) (*[]CorrectionStep, error) {
	if d.Group == "" && d.Ajo == "" || d.ResolvedAt != nil {
		return nil, nil
	}
	var steps []rules.Step
	subs, err := groups.SubAccounts(d.Group).Read(ctx, s.Pool)
	if err != nil {
		return nil, err
	}
	for _, sub := range subs {
		state, err := s.Ledger.Load(ctx, dues.Stream(sub.ID, d.User))
		if err != nil {
			return nil, err
		}
		for _, c := range state.(dues.State).Changes {
			if c.Penalty > 0 {
				steps = append(steps, rules.Step{Kind: nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_WAIVE, User: d.User, Group: d.Group, Sub: sub.ID, Period: c.Period, Amount: c.Penalty})
			}
		}
	}
	if d.Ajo != "" {
		state, err := s.Ledger.Load(ctx, ajo.DebtStream(d.Ajo))
		if err != nil {
			return nil, err
		}
		for _, debt := range state.(ajopot.Debts).All {
			if debt.Debtor == d.User && debt.Penalty > 0 {
				steps = append(steps, rules.Step{Kind: nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_WAIVE, User: d.User, Ajo: d.Ajo, Debt: debt.ID, Amount: debt.Penalty})
			}
		}
	}
	views, err := s.stepViews(ctx, steps)
	return &views, err
}

// undone returns the penalties that some events take back.
func undone(drafts []event.Draft) map[fine]bool {
	gone := map[fine]bool{}
	for _, d := range drafts {
		switch m := d.Message.(type) {
		case *nairav1.PenaltyReversed:
			gone[fine{sub: m.GetSubAccountId(), period: m.GetPeriod()}] = true
		case *nairav1.PenaltyWaived:
			gone[fine{sub: m.GetSubAccountId(), period: m.GetPeriod()}] = true
		case *nairav1.AjoPenaltyReversed:
			gone[fine{debt: m.GetDebtId()}] = true
		case *nairav1.AjoPenaltyWaived:
			gone[fine{debt: m.GetDebtId()}] = true
		}
	}
	return gone
}

// compared compares the effect of events with the lab: the differences that they correct, and those that would remain.
func (p *planning) compared(ctx context.Context, drafts []event.Draft) (right, differs []CorrectionDifference, err error) {
	right, differs = []CorrectionDifference{}, []CorrectionDifference{}
	moved := map[string]money.Kobo{}
	for _, d := range drafts {
		for _, line := range posting.Lines(d.Message) {
			if owned(line.Account) {
				moved[line.Account] += line.Amount
			}
		}
	}
	all := maps.Clone(p.wanted.more)
	for account := range moved {
		all[account] += 0
	}
	accounts := slices.Sorted(maps.Keys(all))
	labels, err := p.TimeMachine.Accounts(ctx, p.d.User, accounts)
	if err != nil {
		return nil, nil, err
	}
	for _, account := range accounts {
		more := all[account]
		switch left := more - moved[account]; {
		case left != 0:
			differs = append(differs, CorrectionDifference{Label: labels[account], Amount: usecase.Naira(left)})
		case more != 0:
			right = append(right, CorrectionDifference{Label: labels[account], Amount: usecase.Naira(more)})
		}
	}
	var subs []string
	for _, f := range p.wanted.fines {
		subs = append(subs, f.sub)
	}
	names, err := p.Names(ctx, nil, usecase.UniqueIDs(subs))
	if err != nil {
		return nil, nil, err
	}
	gone := undone(drafts)
	for _, f := range p.wanted.fines {
		one := CorrectionDifference{Label: "Penalty in the ajo", Amount: usecase.Naira(-f.amount)}
		if f.debt == "" {
			one.Label = "Penalty of " + penaltyOf(names, f.sub, f.period)
		}
		if gone[f.of()] {
			right = append(right, one)
		} else {
			differs = append(differs, one)
		}
	}
	return right, differs, nil
}

// unreached lists the results of a lab that no command of a correction can produce.
func (p *planning) unreached(tried timemachine.Tried) {
	for _, f := range p.wanted.extra {
		p.cannotBe("A penalty of " + f.amount.String() + " would have been applied. A correction fines nobody.")
	}
	if until := tried.FollowedUntil; !until.IsZero() {
		p.cannotBe(fmt.Sprintf("A lab follows what jobs do over %d days at most, and this one until %s. What would have come later is in no step.",
			redecide.DaysMost, until.In(lagos.Zone).Format("2 January 2006")))
	}
	for _, l := range tried.Lines {
		switch {
		case l.Kind == redecide.Drift:
			p.cannotBe(title(l.Was) + ": the rules of today decide otherwise than is recorded. " + l.Why)
		case l.Kind == redecide.Refused && len(l.Was) == 0:
			p.cannotBe("What the lab adds would have been refused: " + l.Why)
		case (l.Kind == redecide.Refused || l.Kind == redecide.Undecided) && !followed(l.Was):
			p.cannotBe(title(l.Was) + " has happened, and would have been refused: " + l.Why)
		}
	}
}

func title(of []proto.Message) string {
	if len(of) == 0 {
		return "Something"
	}
	return timemachine.Title(of[0])
}

// followed reports whether some events only followed from late payments: penalties and debts, and the money that they
// moved, are compared with the lab separately.
func followed(of []proto.Message) bool {
	return !slices.ContainsFunc(of, func(m proto.Message) bool {
		switch m.(type) {
		case *nairav1.PenaltyApplied, *nairav1.PenaltyReversed, *nairav1.PenaltyWaived,
			*nairav1.AjoTurnsChanged, *nairav1.AjoDepositUsed, *nairav1.AjoDebtOpened, *nairav1.AjoCycleReady:
			return false
		}
		return true
	})
}
