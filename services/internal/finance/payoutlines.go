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

// bookedBackAfter is how long a statement must have shown a payout going out and in again before we take that as its
// end, when the bank does not say so itself: until then it may still be working on it.
const bookedBackAfter = 24 * time.Hour

// charged adds a charge with its own line to the line of its payout, if the statement has that.
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

// payoutOf returns our payout that a line names.
func (r *reconciler) payoutOf(line payments.BankLine) (bankbook.Payout, bool) {
	p, ours := r.payouts[bankbook.Known{Provider: line.Provider, Reference: line.Reference}]
	return p, ours
}

// moved returns the statements' lines without those of failed payouts that the banks booked out and in again: of these
// only the charge remains, as a line that moved nothing else. A line that the ledger has as paid stays: another order
// of its payout failed.
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

// bothWays returns both lines of a line's payout, when the statement has it once going out and once coming in, with the
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

// settlePayout records a payout's line that the ledger does not have, and returns the position; 0 when there was
// nothing to record. It asks the bank first. When the bank does not say so, its statement says it: the payout came
// back, in full or in part.
func (r *reconciler) settlePayout(ctx context.Context, p bankbook.Payout, line payments.BankLine) (int64, error) {
	out, back := r.bothWays(line)
	again := line.Out && back == nil && line.At.Before(r.startedAt.Add(-bookedBackAfter)) // And it is not the payment that the ledger has.
	switch {
	case line.Amount == 0:
		return r.postCharge(ctx, payout.PostCharge{PayoutID: p.Withdrawal, Provider: line.Provider, Reference: line.Reference, ProviderRef: line.ProviderRef, Amount: line.Fee})
	case p.Status == bankbook.Left && line.Out && !line.At.Before(r.startedAt.Add(-bookedBackAfter)):
		return 0, nil // Returned money left once more, and for a day it may still be booked in again.
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

// charge posts the part of the bank's fee on the statement that the ledger does not have yet.
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

// unseen counts the payouts' returns that the statements do not show, by their amounts.
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
