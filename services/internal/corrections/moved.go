package corrections

import (
	"context"
	"reflect"
	"slices"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/redecide"
	"adashi.ng/services/internal/timemachine"
	"adashi.ng/services/internal/usecase"
)

// late is a member's payment that an edit moves to an earlier time.
type late struct {
	edit    LabEdit
	sub     string       // For a group's due; empty for an ajo's.
	amounts []money.Kobo // The possible amounts of a payment in time: the whole, or without the penalties that it paid.
}

// moves looks for the money of payments that a lab moves to an earlier time. If the wallet did not have the money then,
// or the member claimed it, they get the unowned money that would have paid in time. The late payment remains, and its
// penalties are waived. It returns the lab in which that money came and paid.
func (p *planning) moves(ctx context.Context, tried timemachine.Tried, edits []LabEdit) (timemachine.Tried, error) {
	var found []LabEdit
	for _, e := range edits {
		l, err := p.lateOf(ctx, e)
		if err != nil {
			return tried, err
		}
		if l == nil {
			found = append(found, e)
			continue
		}
		refused := refusedAt(tried, *e.Position)
		if refused {
			if refused, err = p.withoutFines(ctx, tried, l); err != nil {
				return tried, err
			}
		}
		instead, err := p.inTime(ctx, *l, refused)
		if err != nil {
			return tried, err
		}
		found = append(found, instead...)
	}
	if reflect.DeepEqual(found, edits) {
		return tried, nil
	}
	return p.TimeMachine.Otherwise(ctx, tried, found)
}

// withoutFines tries a payment in time without the penalties that it paid: with them it may be more than the member
// owed then. It reports whether the lab refuses that too, and changes the edit if not.
func (p *planning) withoutFines(ctx context.Context, tried timemachine.Tried, l *late) (refused bool, err error) {
	least := l.edit
	least.Amount = usecase.NairaPtr(l.amounts[len(l.amounts)-1])
	again, err := p.TimeMachine.Otherwise(ctx, tried, []LabEdit{least})
	if err != nil || refusedAt(again, *least.Position) {
		return true, err
	}
	l.edit = least
	return false, nil
}

// refusedAt reports whether a lab refused the event that an edit moves.
func refusedAt(tried timemachine.Tried, position int64) bool {
	return slices.ContainsFunc(tried.Lines, func(l redecide.Line) bool {
		return l.Kind == redecide.Refused && l.Position == position && len(l.Was) == 0
	})
}

// lateOf returns the member's own payment of a due that an edit moves to an earlier time; nil for any other edit.
func (p *planning) lateOf(ctx context.Context, e LabEdit) (*late, error) {
	if e.Kind != MOVED {
		return nil, nil
	}
	records, err := history.ReadAt(ctx, p.Pool, []int64{*e.Position})
	if err != nil || len(records) == 0 || !e.At.Before(records[0].EffectiveAt) {
		return nil, err
	}
	message, err := records[0].Message()
	if err != nil {
		return nil, err
	}
	return p.paidLate(ctx, &late{edit: e}, message)
}

func (p *planning) paidLate(ctx context.Context, l *late, message proto.Message) (*late, error) {
	switch m := message.(type) {
	case *nairav1.ContributionReceived:
		if m.GetUserId() != p.d.User || m.GetGroupId() != p.d.Group {
			return nil, nil
		}
		l.sub = m.GetSubAccountId()
		fines, err := p.finesPaid(ctx, m)
		l.amounts = []money.Kobo{money.Kobo(m.GetAmountKobo()), money.Kobo(m.GetAmountKobo()) - fines}
		return l, err
	case *nairav1.AjoContributed:
		if m.GetPaidBy() != p.d.User || m.GetUserId() != p.d.User {
			return nil, nil
		}
		l.amounts = []money.Kobo{money.Kobo(m.GetAmountKobo())}
		return l, nil
	case *nairav1.AjoDebtPaid:
		if m.GetPaidBy() != p.d.User || m.GetDebtorId() != p.d.User {
			return nil, nil
		}
		due, err := p.dueOf(ctx, m)
		l.amounts = []money.Kobo{due, money.Kobo(m.GetAmountKobo())}
		return l, err
	}
	return nil, nil
}

// finesPaid sums the penalties of the dues that a contribution paid.
func (p *planning) finesPaid(ctx context.Context, m *nairav1.ContributionReceived) (sum money.Kobo, err error) {
	state, err := p.Ledger.Load(ctx, dues.Stream(m.GetSubAccountId(), m.GetUserId()))
	if err != nil {
		return 0, err
	}
	for _, c := range state.(dues.State).Changes {
		if slices.ContainsFunc(m.GetSettled(), func(s *nairav1.Settlement) bool { return s.GetPeriod() == c.Period }) {
			sum += c.Penalty
		}
	}
	return sum, nil
}

// dueOf sums the due that a debt came from, and the other debts from that due.
func (p *planning) dueOf(ctx context.Context, m *nairav1.AjoDebtPaid) (sum money.Kobo, err error) {
	state, err := p.Ledger.Load(ctx, ajo.DebtStream(m.GetAjoId()))
	if err != nil {
		return 0, err
	}
	debts := state.(ajopot.Debts)
	of, _ := debts.ByID(m.GetDebtId())
	for _, d := range debts.All {
		if d.Kind == of.Kind && d.Cycle == of.Cycle && d.Seat == of.Seat && d.Debtor == of.Debtor {
			sum += d.Amount
		}
	}
	return sum, nil
}

// inTime makes the steps for a payment whose money is found, and returns the edits of the lab in which that money came.
func (p *planning) inTime(ctx context.Context, l late, refused bool) ([]LabEdit, error) {
	asIs := []LabEdit{l.edit}
	found, amount, err := p.moneyFor(ctx, l, refused)
	switch {
	case err != nil:
		return nil, err
	case found == "" && refused:
		p.cannotBe("No money of " + l.amounts[0].String() + " of that time waits here that would have paid it then. Find it first.")
		return asIs, nil
	case found == "":
		return asIs, nil
	}
	came := LabEdit{Kind: PAID, Amount: usecase.NairaPtr(amount), At: l.edit.At}
	p.forms = append(p.forms, CorrectionStep{Kind: ASSIGN, ArrivalId: &found})
	if l.sub == "" { // For a due of an ajo.
		return []LabEdit{came, l.edit}, nil
	}
	came.SubAccountId = &l.sub // Without the penalty that was paid with it.
	return []LabEdit{came, {Kind: ABSENT, Position: l.edit.Position}}, nil
}

// moneyFor returns the unowned money that would have paid in time: any such money when the wallet had none, and
// otherwise only the money that the member claimed.
func (p *planning) moneyFor(ctx context.Context, l late, refused bool) (found string, amount money.Kobo, err error) {
	for _, amount := range l.amounts {
		if refused {
			found, err = p.moneyOf(ctx, amount, *l.edit.At)
		} else {
			found, err = p.claimed(ctx, amount)
		}
		if found != "" || err != nil {
			return found, amount, err
		}
	}
	return "", 0, nil
}
