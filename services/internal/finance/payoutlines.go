package finance

import (
	"context"
	"slices"
	"time"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/bankbook"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
)

// bookedBackAfter is how long a statement must have had a payout out and in again before that is its end, where the
// bank does not say so when it is asked: it may still be at work on it before.
const bookedBackAfter = 24 * time.Hour

// charged adds what a statement has as a charge by itself to the line of its payout, where it has that.
func charged(lines []rails.Line) []rails.Line {
	out := map[string]int{}
	for i, l := range lines {
		if l.Out && l.ChargeOf == "" {
			out[l.ProviderRef] = i
		}
	}
	of := func(l rails.Line) (int, bool) {
		i, has := out[l.ChargeOf]
		return i, has && l.ChargeOf != ""
	}
	for _, l := range lines {
		if i, has := of(l); has {
			lines[i].Fee += l.Amount
		}
	}
	return slices.DeleteFunc(lines, func(l rails.Line) bool {
		_, has := of(l)
		return has
	})
}

// payoutOf is the payout of ours that a line names.
func (r *reconciler) payoutOf(line payments.BankLine) (bankbook.Payout, bool) {
	p, ours := r.payouts[bankbook.Known{Provider: line.Provider, Reference: line.Reference}]
	return p, ours
}

// moved are the statements' lines, but for what the banks booked out and in again of payouts that failed: of those only
// the charge is left, as a line that moved nothing else. What the book has as paid is no such payout: another order of
// it failed.
func (r *reconciler) moved(book []bankbook.Line) []payments.BankLine {
	paid := func(line payments.BankLine) bool {
		return slices.ContainsFunc(book, func(b bankbook.Line) bool {
			return b.Provider == line.Provider && b.Moved < 0 && slices.Contains(line.Names(), b.ProviderRef) && -b.Moved >= line.Amount
		})
	}
	var lines []payments.BankLine
	for _, line := range r.bank {
		p, ours := r.payoutOf(line)
		out, back := r.bothWays(line)
		switch {
		case !ours || p.Status != bankbook.Failed || out == nil || back.Amount != p.Net || paid(*out):
			lines = append(lines, line)
		case line.Out && out.Fee+back.Fee > 0:
			line.Amount, line.Fee = 0, out.Fee+back.Fee
			lines = append(lines, line)
		}
	}
	return lines
}

// bothWays are the two lines of a payout of which one is given, where a statement has it out once and in once, with the
// same amount.
func (r *reconciler) bothWays(line payments.BankLine) (out, back *payments.BankLine) {
	if line.Reference == "" {
		return nil, nil
	}
	count := 0
	for i := range r.bank {
		l := &r.bank[i]
		if l.Provider != line.Provider || l.Reference != line.Reference {
			continue
		}
		if count++; l.Out {
			out = l
		} else {
			back = l
		}
	}
	if count != 2 || out == nil || back == nil || out.Amount != back.Amount {
		return nil, nil
	}
	return out, back
}

// settlePayout takes a line of a payout into the ledger that the ledger does not have, and answers the position; 0 when
// there was nothing to take. The bank is asked first; what it does not say its own statement says: that the payout came
// back, whole or in part.
func (r *reconciler) settlePayout(ctx context.Context, p bankbook.Payout, line payments.BankLine) (int64, error) {
	out, back := r.bothWays(line)
	again := line.Out && back == nil && line.At.Before(r.startedAt.Add(-bookedBackAfter)) // And it is not the payment that the ledger has.
	switch {
	case line.Amount == 0:
		return r.postCharge(ctx, payout.PostCharge{PayoutID: p.Withdrawal, Provider: line.Provider, Reference: line.Reference, ProviderRef: line.ProviderRef, Amount: line.Fee})
	case p.Status == bankbook.Left && line.Out && !line.At.Before(r.startedAt.Add(-bookedBackAfter)):
		return 0, nil // What came back left once more, and may be booked in again for a day.
	case again && (p.Status == bankbook.Paid || p.Status == bankbook.Reversed), p.Status == bankbook.Left:
		return r.Payouts.LeftAfterAll(ctx, p.Withdrawal, line.Line)
	case p.Status == bankbook.Sent && (out == nil || back.At.After(r.startedAt.Add(-bookedBackAfter))), p.Status != bankbook.Sent && line.Out && p.Status != bankbook.Failed:
		return 0, nil
	}
	pos, err := r.Payouts.AskPayout(ctx, p.Withdrawal) // It came back, or left after all.
	if pos > 0 || err != nil {
		return pos, err
	}
	if again && p.Status == bankbook.Failed {
		return r.Payouts.LeftAfterAll(ctx, p.Withdrawal, line.Line)
	}
	if p.Status == bankbook.Sent {
		pos, err = r.Payouts.Left(ctx, p.Withdrawal, out.Line)
		line = *back
	}
	if err != nil || line.Out {
		return pos, err
	}
	return r.Payouts.CameBack(ctx, p.Withdrawal, line.Line)
}

// charge posts what a statement says that a bank took for a payout beyond what the ledger has of it.
func (r *reconciler) charge(ctx context.Context, p pair, returns map[sum]int) error {
	if p.bank == nil { // It may have come as a transfer.
		return r.Payouts.MatchReturn(ctx, p.book.About, p.book.Moved, returns[sum{p.book.Provider, p.book.Moved}], r.startedAt.Sub(p.book.RecordedAt) > bookedBackAfter)
	}
	known, ours := r.payoutOf(*p.bank)
	short := p.book.Moved - p.bank.Moved()
	if !ours || !p.bank.Out || short <= 0 || short > p.bank.Fee || p.bank.Amount != known.Net && p.bank.Amount != 0 {
		return nil
	}
	_, err := r.postCharge(ctx, payout.PostCharge{
		PayoutID: known.Withdrawal, Provider: p.bank.Provider, Reference: p.bank.Reference, ProviderRef: p.bank.ProviderRef, Posted: p.book.Charged, Amount: short,
	})
	return err
}

// sum is an amount at a bank.
type sum struct {
	provider event.Provider
	amount   money.Kobo
}

// unseen counts the returns of payouts that the statements do not have, by their amounts.
func unseen(pairs []pair) map[sum]int {
	count := map[sum]int{}
	for _, p := range pairs {
		if p.bank == nil && p.book.Return {
			count[sum{p.book.Provider, p.book.Moved}]++
		}
	}
	return count
}

func (r *reconciler) postCharge(ctx context.Context, c payout.PostCharge) (int64, error) {
	command := store.CommandID("system", "bank charge", c.PayoutID+" "+c.Reference+" "+(c.Posted+c.Amount).String())
	result, err := r.Record(ctx, usecase.System, command, c.PayoutID, store.Fingerprint(c.PayoutID, c.Posted, c.Amount), event.Command(c))
	if result.Repeated {
		return 0, nil // It is posted already.
	}
	return result.Position(), usecase.UnlessConflict(err)
}
