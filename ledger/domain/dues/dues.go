package dues

import (
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
)

// Dues are one member's dues to one sub-account. Payments settle the oldest first, so what was paid in all says where
// each due stands: period k is paid once the total covers what is owed for it and for all before it.
//
// A due is Amount, except where a stretch says otherwise: less what was waived, more by a penalty, nothing where its
// period lies in a time in which the member was inactive, and nothing where its due date lies in one in which the group
// closes.
type Dues struct {
	Type     nairav1.PaymentType
	Amount   money.Kobo
	Schedule savings.Schedule
	Late     savings.Late
	From     int // The first period this member owes.
	Joined   time.Time
	Total    money.Kobo
	levy     bool // It is paid once, and was opened after the member came in.

	paid    State
	away    []savings.Span
	shut    []savings.Span
	changes map[int]Change
	odd     []stretch
}

// stretch is periods, from one to another, for each of which another amount than the usual is owed.
type stretch struct {
	first, last int
	owed        money.Kobo
}

// never is a period that no schedule reaches.
const never = 1 << 20

// Of are the dues of a member who has paid so much.
func Of(s savings.SubAccount, m savings.Member, p State) Dues {
	d := Dues{
		Type: s.Type, Amount: s.Amount, Schedule: s.Schedule, Late: s.Late, From: s.Schedule.At(savings.Day(m.Since)), Joined: savings.Day(m.Since),
		Total: p.Total, levy: s.Type == nairav1.PaymentType_PAYMENT_TYPE_ONE_OFF && s.Opened.After(m.Since), paid: p, away: m.Away,
	}
	if len(m.Away) > 0 || len(p.Changes) > 0 || d.missed() {
		d.stretch()
	}
	return d
}

// missed reports whether a one-time due ended before the member joined: they do not owe it. Who has paid towards it is
// not told now that it was no due.
func (d Dues) missed() bool {
	return d.Schedule.Once() && d.Schedule.Due(0).Before(d.Joined) && d.Total <= 0
}

// Shut are the dues of a group that took no money in some times. Deadline takes account of them, and nothing falls due
// from the day on which the group began to close.
func (d Dues) Shut(spans []savings.Span) Dues {
	d.shut = spans
	if _, closes := d.closing(); closes {
		d.stretch()
	}
	return d
}

// closing is the day on which the group began to close.
func (d Dues) closing() (day time.Time, closes bool) {
	for _, s := range d.shut {
		if s.Closing {
			return savings.Day(s.From), true
		}
	}
	return day, false
}

// with are the dues once that was paid or changed.
func (d Dues) with(p State) Dues {
	d.Total, d.paid = p.Total, p
	d.stretch()
	return d
}

// stretch works out where another amount than the usual is owed.
func (d *Dues) stretch() {
	d.odd, d.changes = nil, make(map[int]Change, len(d.paid.Changes))
	if d.missed() {
		d.odd = []stretch{{0, 0, 0}}
		return
	}
	end := d.end()
	for _, span := range d.away {
		if gap, any := d.gap(span); any && gap.first < end {
			gap.last = min(gap.last, end-1)
			d.odd = append(d.odd, gap)
		}
	}
	if end < never {
		d.odd = append(d.odd, stretch{end, never, 0})
	}
	gaps := d.odd
	for _, c := range d.paid.Changes {
		k := d.Schedule.At(savings.ParseDay(c.Period))
		d.changes[k] = c
		if k >= d.From && !slices.ContainsFunc(gaps, func(s stretch) bool { return s.first <= k && k <= s.last }) {
			d.odd = append(d.odd, stretch{k, k, max(0, d.Amount+c.Penalty-c.Waived)})
		}
	}
	slices.SortFunc(d.odd, func(a, b stretch) int { return a.first - b.first })
}

// end is the first period that falls due on the day on which the group began to close, or later.
func (d *Dues) end() int {
	day, closes := d.closing()
	if !closes {
		return never
	}
	k := max(d.From, d.Schedule.At(day))
	if d.Schedule.Once() && d.Schedule.Due(0).Before(day) {
		return never
	}
	return k
}

// gap is the periods for which a member owes nothing because of an absence: those that lie in it from beginning to end.
// So an official who makes a member inactive over one midnight cancels no due. For an absence that an earlier build
// recorded it is the periods whose due date lies in it.
func (d *Dues) gap(span savings.Span) (stretch, bool) {
	from := savings.Day(span.From)
	if begun := savings.Midnight(from).Before(span.From); begun && span.Whole {
		from = from.AddDate(0, 0, 1) // They were active on that day too.
	}
	first, last := d.Schedule.At(from), never
	if span.Whole && d.Schedule.Start(first).Before(from) {
		first++
	}
	if !span.To.IsZero() {
		last = d.Schedule.At(savings.Day(span.To)) - 1
	}
	if d.Schedule.Once() {
		due := d.Schedule.Due(0)
		in := !due.Before(from) && (span.To.IsZero() || due.Before(savings.Day(span.To)))
		return stretch{0, 0, 0}, in && (first == 0 || !span.Whole)
	}
	first = max(first, d.From)
	return stretch{first, last, 0}, first <= last
}

// isAway reports whether the member was inactive on a day.
func (d Dues) isAway(day time.Time) bool {
	return slices.ContainsFunc(d.away, func(s savings.Span) bool {
		return !day.Before(savings.Day(s.From)) && (s.To.IsZero() || day.Before(savings.Day(s.To)))
	})
}

// Flexible reports that nothing is due: any amount may be paid at any time.
func (d Dues) Flexible() bool { return d.Type == nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE }

// Owed is what period k costs, whether paid or not.
func (d Dues) Owed(k int) money.Kobo {
	for _, s := range d.odd {
		if s.first <= k && k <= s.last {
			return s.owed
		}
	}
	return d.Amount
}

// Change is what sets the due of period k apart; the zero Change when nothing does.
func (d Dues) Change(k int) Change { return d.changes[k] }

// before is what all periods before k cost.
func (d Dues) before(k int) money.Kobo {
	sum := money.Kobo(max(0, k-d.From)) * d.Amount
	for _, s := range d.odd {
		if n := min(k-1, s.last) - s.first + 1; n > 0 {
			sum += money.Kobo(n) * (s.owed - d.Amount)
		}
	}
	return sum
}

// Paid is what was paid towards period k.
func (d Dues) Paid(k int) money.Kobo { return max(0, min(d.Owed(k), d.Total-d.before(k))) }

// Next is the oldest period not fully paid.
func (d Dues) Next() int {
	k, left := d.From, d.Total
	for _, s := range d.odd {
		if between := money.Kobo(s.first-k) * d.Amount; left < between {
			break
		} else {
			left -= between
		}
		if k = s.first; left < s.owed {
			return k
		}
		left -= s.owed
		k = s.last + 1
	}
	return k + int(left/d.Amount)
}

// Open is what is to be paid by now: all dues up to today's, as far as they are not paid.
func (d Dues) Open(today time.Time) money.Kobo {
	if d.Flexible() || today.Before(d.Schedule.First) {
		return 0
	}
	return max(0, d.before(max(d.From, d.Schedule.At(today))+1)-d.Total)
}

// Binding is what keeps a member from leaving: all that is open, but for a levy that was opened after they came in, to
// which they never agreed.
func (d Dues) Binding(today time.Time) money.Kobo {
	if d.levy {
		return 0
	}
	return d.Open(today)
}

// Overdue reports whether a due is not paid whose due date has passed.
func (d Dues) Overdue(today time.Time) bool {
	if d.Flexible() {
		return false
	}
	k := d.Next()
	return k < never && !(d.Schedule.Once() && k > 0) && today.After(d.Schedule.Due(k))
}

// Last is the last period that may be paid today: a year ahead, or the only one.
func (d Dues) Last(today time.Time) int {
	if d.Schedule.Once() {
		return 0
	}
	return max(d.From, d.Schedule.At(today)) + d.Schedule.At(d.Schedule.First.AddDate(0, advanceMonths, 0))
}

// Settle decides which dues a payment settles, the oldest first. It refuses a month that is already paid, a month with
// nothing due, and more than the dues that may be paid ahead.
func (d Dues) Settle(amount money.Kobo, monthID int, at time.Time) ([]*nairav1.Settlement, error) {
	if amount <= 0 || amount > savings.MaxContribution {
		return nil, fault.Field("amount", "The amount must be between %s and %s.", money.Kobo(1), savings.MaxContribution)
	}
	if d.Flexible() {
		return nil, nil
	}
	last := d.Last(savings.Day(at))
	if err := d.open(monthID, last, d.Schedule.At(savings.Day(at))); err != nil {
		return nil, err
	}
	if left := d.before(last+1) - d.Total; amount > left {
		return nil, fault.Field("amount", "That is more than you can pay here: %s is left%s.", left, d.upTo(last))
	}
	return d.parts(amount), nil
}

// isNext refuses a payment for a due while an older one is open, which it would settle first, unseen. An empty period
// is whichever is the oldest.
func (d Dues) isNext(period string) error {
	if period == "" || d.Flexible() {
		return nil
	}
	day, err := time.Parse(time.DateOnly, period)
	if err != nil || !d.Schedule.Start(d.Schedule.At(day)).Equal(day) {
		return fault.Field("period", "There is no such due.")
	}
	switch k, next := d.Schedule.At(day), d.Next(); {
	case k < next:
		return alreadyPaid(d.Schedule.Label(k))
	case k > next:
		return fault.New(fault.Conflict, "%s is still open, and what you pay settles it first. Please pay it first. You have not been charged.", d.Schedule.Label(next))
	}
	return nil
}

// parts are the dues that an amount settles. No more is paid than may be.
func (d Dues) parts(amount money.Kobo) []*nairav1.Settlement {
	var settled []*nairav1.Settlement
	for k := d.Next(); amount > 0; k++ {
		missing := d.Owed(k) - d.Paid(k)
		if missing == 0 {
			continue
		}
		part := min(amount, missing)
		settled = append(settled, &nairav1.Settlement{Period: d.Schedule.Start(k).Format(time.DateOnly), AmountKobo: int64(part), Complete: part == missing})
		amount -= part
	}
	return settled
}

// open refuses a payment for which no due is open. current is today's period.
func (d Dues) open(monthID, last, current int) error {
	next := d.Next()
	switch {
	case d.missed():
		return fault.New(fault.Conflict, "Nothing is due from you here: it ended before you joined the group. You have not been charged.")
	case next > last:
		return fault.New(fault.Conflict, "You have already paid everything that can be paid here%s. You have not been charged.", d.upTo(last))
	}
	if monthID == 0 {
		return nil
	}
	for k := next; k <= last; k++ {
		if int(d.Schedule.Start(k).Month()) == monthID && d.Owed(k) > 0 {
			// A month paid already is not paid again by reaching for the same month of next year.
			if paid, ok := d.latestPaid(monthID, next); ok && k > max(next, current) {
				return alreadyPaid(d.Schedule.Label(paid))
			}
			return nil
		}
	}
	if paid, ok := d.latestPaid(monthID, next); ok {
		return alreadyPaid(d.Schedule.Label(paid))
	}
	return fault.Field("monthId", "Nothing is due in %s.", time.Month(monthID))
}

// upTo names the last period that may be paid; a one-time payment has no other.
func (d Dues) upTo(last int) string {
	if d.Schedule.Once() {
		return ""
	}
	return ", up to " + d.Schedule.Label(last)
}

func alreadyPaid(label string) error {
	return fault.New(fault.Conflict, "You have already paid for %s. You have not been charged.", label)
}

func (d Dues) latestPaid(monthID, next int) (int, bool) {
	for k := next - 1; k >= d.From; k-- {
		if int(d.Schedule.Start(k).Month()) == monthID && d.Owed(k) > 0 {
			return k, true
		}
	}
	return 0, false
}
