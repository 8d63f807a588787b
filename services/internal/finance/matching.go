package finance

import (
	"cmp"
	"slices"
	"time"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/projections/bankbook"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails"
)

// itemsMax limits how many differences of one reconciliation are stored. A difference younger than justNow may be only
// the delay between a bank's report and us.
const (
	itemsMax = 500
	justNow  = time.Hour
)

// pair is a statement's line and the ledger's line of the same movement; one of them is nil when it has no counterpart.
type pair struct {
	bank *payments.BankLine
	book *bankbook.Line
}

// movement identifies a movement at a bank.
type movement struct {
	provider event.Provider
	out      bool
	ref      string
}

// once removes the second of two equal lines of incoming money, with the same own name and amount. Money that went out
// twice stays: it may have been paid twice.
func once(lines []rails.Line) []rails.Line {
	type arrival struct {
		own    string
		amount money.Kobo
	}
	seen := map[arrival]bool{}
	return slices.DeleteFunc(slices.Clone(lines), func(l rails.Line) bool {
		one := arrival{l.Own(), l.Amount}
		twice := !l.Out && seen[one]
		seen[one] = seen[one] || !l.Out
		return twice
	})
}

// match pairs every line with its counterpart: by the bank's own names, else by our reference. Among several lines with
// one name, such as the parts of a return, it pairs those of the same amount.
func match(bank []payments.BankLine, book []bankbook.Line) []pair {
	byRef, byReference := map[movement][]int{}, map[movement][]int{}
	for i, b := range book {
		out := b.Moved < 0
		for _, name := range append([]string{b.ProviderRef}, b.Also...) {
			byRef[movement{b.Provider, out, name}] = append(byRef[movement{b.Provider, out, name}], i)
		}
		byReference[movement{b.Provider, out, b.Reference}] = append(byReference[movement{b.Provider, out, b.Reference}], i)
	}
	taken, of := make([]bool, len(book)), make([]*bankbook.Line, len(bank))
	take := func(among map[movement][]int, names func(payments.BankLine) []string, same bool) {
		for n, line := range bank {
			for _, name := range names(line) {
				for _, i := range among[movement{line.Provider, line.Out, name}] {
					if of[n] == nil && name != "" && !taken[i] && (!same || book[i].Moved == line.Moved()) {
						taken[i], of[n] = true, &book[i]
					}
				}
			}
		}
	}
	own := func(line payments.BankLine) []string { return line.Names() }
	ours := func(line payments.BankLine) []string { return []string{line.Reference} }
	take(byRef, own, true)
	take(byRef, own, false)
	take(byReference, ours, true)
	take(byReference, ours, false)
	pairs := make([]pair, 0, len(bank))
	for n := range bank {
		pairs = append(pairs, pair{&bank[n], of[n]})
	}
	for i := range book {
		if !taken[i] {
			pairs = append(pairs, pair{nil, &book[i]})
		}
	}
	return pairs
}

// finding is a difference, as it is stored. Amounts are kobo.
type finding struct {
	Kind      ReconciliationItemKind
	Rail      string
	Reference string
	Kobo      int64
	Direction string
	At        time.Time
	Words     string
}

// judge says what the difference in a pair means; false for a pair that agrees.
func (r *reconciler) judge(p pair) (finding, bool) {
	switch {
	case p.book == nil:
		return r.bankOnly(*p.bank), true
	case p.bank == nil:
		return r.bookOnly(*p.book), true
	case p.bank.Moved() != p.book.Moved:
		f := r.finding(p.bank.Provider, p.bank.ProviderRef, p.bank.Moved(), p.bank.At)
		f.Kind = AMOUNTDIFFERS
		f.Words = "The bank has " + size(p.bank.Moved()).String() + " and the ledger " + size(p.book.Moved).String() + ". Ask the bank for the receipt."
		return f, true
	case p.bank.At.After(r.asked.Add(payments.ClockSkew)):
		f := r.finding(p.bank.Provider, p.bank.ProviderRef, p.bank.Moved(), p.bank.At)
		f.Kind, f.Words = TIMEAHEAD, "The bank dates this in the future. It counts from when we took it down. Ask the bank to look at its clock."
		return f, true
	default:
		return finding{}, false
	}
}

func (r *reconciler) bankOnly(line payments.BankLine) finding {
	f := r.finding(line.Provider, cmp.Or(line.Reference, line.ProviderRef), line.Moved(), line.At)
	p, ours := r.payouts[bankbook.Known{Provider: line.Provider, Reference: line.Reference}]
	switch {
	case ours:
		f.Kind, f.Words = r.payoutOnly(line, p)
	case line.Nameless && !line.Out:
		f.Kind, f.Words = BANKONLY, "Money arrived under a number of the statement's own. Unless it is told of in another way, a person must say whether we have it already."
	case line.At.After(r.asked.Add(-2 * time.Second)):
		f.Kind, f.Words = INTRANSIT, "It moved while we were looking."
	case line.Out:
		f.Kind, f.Words = BANKONLY, "Money left the bank that no entry of the ledger explains. Ask the bank who ordered it."
	default:
		f.Kind, f.Words = BANKONLY, "Money arrived that could not be settled yet. It is tried again."
	}
	return f
}

// payoutOnly explains a line under a payout's reference that the ledger does not have. The bank can know more than we
// do only about a payout without a final result, and it pays a payout once.
func (r *reconciler) payoutOnly(line payments.BankLine, p bankbook.Payout) (ReconciliationItemKind, string) {
	seen := r.seen[movement{line.Provider, line.Out, line.Reference}]
	r.seen[movement{line.Provider, line.Out, line.Reference}] = true
	switch {
	case seen, line.Out && (p.Status == bankbook.Paid || p.Status == bankbook.Reversed):
		return BANKONLY, "The bank moved money for this payout a second time. Ask the bank to undo it."
	case line.Amount != p.Net:
		return BANKONLY, "The bank moved another amount than the " + p.Net.String() + " of this payout. Ask the bank."
	case p.Status == bankbook.Sent:
		return INTRANSIT, "A payout of ours that is still being asked about."
	case line.Out:
		return BANKONLY, "We had recorded that this payout failed and gave the money back, and the bank paid it after all. Ask the bank to undo it."
	case p.Status == bankbook.Paid:
		return BANKONLY, "This payout came back, and the bank does not say so when it is asked. Ask the bank for the receipt."
	default:
		return BANKONLY, "The bank put money back for this payout, and the ledger has nothing that it could be for. Ask the bank."
	}
}

func (r *reconciler) bookOnly(line bankbook.Line) finding {
	f := r.finding(line.Provider, cmp.Or(line.Reference, line.ProviderRef), line.Moved, line.At)
	if line.RecordedAt.After(r.asked.Add(-2*time.Second)) || r.startedAt.Sub(line.At) < justNow {
		f.Kind, f.Words = INTRANSIT, "It is in the ledger, and the bank's statement does not show it yet."
		return f
	}
	f.Kind, f.Words = LEDGERONLY, "The ledger has it and the bank's statement does not. Ask the bank."
	return f
}

func (r *reconciler) finding(provider event.Provider, reference string, moved money.Kobo, at time.Time) finding {
	f := finding{Rail: r.Rails.NameOf(provider), Reference: reference, Kobo: int64(size(moved)), Direction: string(ReconciliationItemDirectionIN), At: at.UTC()}
	if moved < 0 {
		f.Direction = string(ReconciliationItemDirectionOUT)
	}
	return f
}

func size(k money.Kobo) money.Kobo { return max(k, -k) }

// transit is the effect of a pair in transit on the difference of the balances.
func (p pair) transit() money.Kobo {
	if p.book == nil {
		return p.bank.Moved()
	}
	return -p.book.Moved
}

func oldestFirst(found []finding) {
	slices.SortStableFunc(found, func(a, b finding) int { return a.At.Compare(b.At) })
}
