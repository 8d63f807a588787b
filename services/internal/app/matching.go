package app

import (
	"cmp"
	"slices"
	"time"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/money"
	"adashi.ng/projections/bankbook"
	"adashi.ng/services/internal/rails"
)

// itemsMax is how many differences are kept of one reconciliation, and justNow how young one may be to be put down to the
// time that word takes between a bank and us.
const (
	itemsMax = 500
	justNow  = time.Hour
)

// bankLine is a line of a bank's statement.
type bankLine struct {
	channel nairav1.Channel
	rails.Line
}

// pair is a line of a statement and the ledger's of the same movement; one of them is nil where the other stands alone.
type pair struct {
	bank *bankLine
	book *bankbook.Line
}

// match pairs every line with its counterpart: by the bank's own reference, else by the one that it was made under.
func match(bank []bankLine, book []bankbook.Line) []pair {
	type key struct {
		channel nairav1.Channel
		out     bool
		ref     string
	}
	byRef, byReference := map[key][]int{}, map[key][]int{}
	for i, b := range book {
		out := b.Moved < 0
		byRef[key{b.Channel, out, b.ProviderRef}] = append(byRef[key{b.Channel, out, b.ProviderRef}], i)
		byReference[key{b.Channel, out, b.Reference}] = append(byReference[key{b.Channel, out, b.Reference}], i)
	}
	taken, pairs, alone := make([]bool, len(book)), make([]pair, 0, len(bank)), []*bankLine{}
	take := func(of map[key][]int, k key) *bankbook.Line {
		for _, i := range of[k] {
			if k.ref != "" && !taken[i] {
				taken[i] = true
				return &book[i]
			}
		}
		return nil
	}
	for i := range bank {
		line := &bank[i]
		if found := take(byRef, key{line.channel, line.Out, line.ProviderRef}); found != nil {
			pairs = append(pairs, pair{line, found})
		} else {
			alone = append(alone, line)
		}
	}
	for _, line := range alone {
		pairs = append(pairs, pair{line, take(byReference, key{line.channel, line.Out, line.Reference})})
	}
	for i := range book {
		if !taken[i] {
			pairs = append(pairs, pair{nil, &book[i]})
		}
	}
	return pairs
}

// finding is a difference, as it is kept. Amounts are kobo.
type finding struct {
	Kind      contract.ReconciliationItemKind
	Rail      string
	Reference string
	Kobo      int64
	Direction string
	At        time.Time
	Words     string
}

// judge says what a pair that does not agree means; false for one that does.
func (r *reconciler) judge(p pair) (finding, bool) {
	switch {
	case p.book == nil:
		return r.bankOnly(*p.bank), true
	case p.bank == nil:
		return r.bookOnly(*p.book), true
	case p.bank.Moved() != p.book.Moved:
		f := found(p.bank.channel, p.bank.ProviderRef, p.bank.Moved(), p.bank.At)
		f.Kind = contract.AMOUNTDIFFERS
		f.Words = "The bank has " + size(p.bank.Moved()).String() + " and the ledger " + size(p.book.Moved).String() + ". Ask the bank for the receipt."
		return f, true
	default:
		return finding{}, false
	}
}

func (r *reconciler) bankOnly(line bankLine) finding {
	f := found(line.channel, cmp.Or(line.Reference, line.ProviderRef), line.Moved(), line.At)
	switch {
	case r.payouts[line.Reference] && line.Reference != "":
		f.Kind, f.Words = contract.INTRANSIT, "A payout of ours that is still being asked about."
	case line.At.After(r.asked.Add(-2 * time.Second)):
		f.Kind, f.Words = contract.INTRANSIT, "It moved while we were looking."
	case line.Out:
		f.Kind, f.Words = contract.BANKONLY, "Money left the bank that no entry of the ledger explains. Ask the bank who ordered it."
	default:
		f.Kind, f.Words = contract.BANKONLY, "Money arrived that could not be settled yet. It is tried again."
	}
	return f
}

func (r *reconciler) bookOnly(line bankbook.Line) finding {
	f := found(line.Channel, cmp.Or(line.Reference, line.ProviderRef), line.Moved, line.At)
	if line.RecordedAt.After(r.asked.Add(-2*time.Second)) || r.startedAt.Sub(line.At) < justNow {
		f.Kind, f.Words = contract.INTRANSIT, "It is in the ledger, and the bank's statement does not show it yet."
		return f
	}
	f.Kind, f.Words = contract.LEDGERONLY, "The ledger has it and the bank's statement does not. Ask the bank."
	return f
}

func found(channel nairav1.Channel, reference string, moved money.Kobo, at time.Time) finding {
	f := finding{Rail: channels[channel.String()], Reference: reference, Kobo: int64(size(moved)), Direction: string(contract.ReconciliationItemDirectionIN), At: at.UTC()}
	if moved < 0 {
		f.Direction = string(contract.ReconciliationItemDirectionOUT)
	}
	return f
}

func size(k money.Kobo) money.Kobo { return max(k, -k) }

// transit is what a pair that is in transit does to the difference of the balances.
func (p pair) transit() money.Kobo {
	if p.book == nil {
		return p.bank.Moved()
	}
	return -p.book.Moved
}

func oldestFirst(found []finding) {
	slices.SortStableFunc(found, func(a, b finding) int { return a.At.Compare(b.At) })
}
