package dues

import (
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// Change is what sets one due apart from the others of a sub-account.
type Change struct {
	Period     string // The first day of the due's period.
	Waived     money.Kobo
	WrittenOff bool       // Rather than let off.
	Penalty    money.Kobo // That stands.
	Penalised  bool       // It was penalised once, and is not again.
	Deadline   string     // The last day on which it could be paid without a penalty.
	// What the member had paid in all by the end of that day, as far as we have been told, and what had been waived.
	InTime, WaivedInTime money.Kobo
}

// change is what was paid with one due changed.
func (p State) change(period string, edit func(*Change)) State {
	i, found := slices.BinarySearchFunc(p.Changes, period, func(c Change, period string) int {
		if c.Period < period {
			return -1
		}
		if c.Period > period {
			return 1
		}
		return 0
	})
	p.Changes = slices.Clone(p.Changes)
	if !found {
		p.Changes = slices.Insert(p.Changes, i, Change{Period: period})
	}
	edit(&p.Changes[i])
	return p
}

func (p State) waive(period string, amount money.Kobo, writtenOff bool) State {
	return p.change(period, func(c *Change) { c.Waived, c.WrittenOff = c.Waived+amount, writtenOff })
}

func (p State) penalise(period string, amount money.Kobo, deadline string) State {
	return p.change(period, func(c *Change) {
		c.Penalty, c.Penalised, c.Deadline, c.InTime, c.WaivedInTime = amount, true, deadline, p.Total, c.Waived
	})
}

func (p State) relieve(period string) State {
	return p.change(period, func(c *Change) { c.Penalty = 0 })
}

// count takes in money, or with a negative amount what is taken back, that counts from a day. Dues whose deadline was
// before that day are judged: what comes later changes nothing about whether they were paid in time.
func (p State) count(amount money.Kobo, day time.Time) State {
	p.Total += amount
	if day.After(p.Judged) {
		p.Judged = day
	}
	if len(p.Changes) == 0 {
		return p // As nearly always: a day is not written out for nothing.
	}
	written := day.Format(time.DateOnly)
	for i := range p.Changes {
		if c := p.Changes[i]; c.Penalised && c.Deadline >= written {
			p = p.change(c.Period, func(c *Change) { c.InTime += amount })
		}
	}
	return p
}

// Deadline is the last day on which period k can be paid without a penalty. Where that day lies in a time in which the
// group took no money, the days that this took are given back after it; not known while it lasts. As the oldest is paid
// first, what fell into such a time moves those after it too.
func (d Dues) Deadline(k int) (last time.Time, known bool) {
	last, known = d.moved(k)
	for _, s := range d.shut {
		in := d.Schedule.At(savings.Day(s.To).AddDate(0, 0, -d.Late.GraceDays)) // The last whose deadline was in it.
		if d.usual(in).After(savings.Day(s.To)) {
			in--
		}
		if s.To.IsZero() || in < 0 || in >= k {
			continue
		}
		if before, _ := d.moved(in); before.After(last) && known {
			last = before
		}
	}
	return last, known
}

// usual is the deadline of period k where the group takes money all the time.
func (d Dues) usual(k int) time.Time { return d.Schedule.Due(k).AddDate(0, 0, d.Late.GraceDays) }

// moved is the deadline of period k by itself.
func (d Dues) moved(k int) (last time.Time, known bool) {
	first, last := d.Schedule.Start(k), d.usual(k)
	for _, s := range d.shut {
		from, to := savings.Day(s.From), savings.Day(s.To)
		if from.Before(first) {
			from = first
		}
		switch {
		case last.Before(from), !s.To.IsZero() && last.After(to):
		case s.To.IsZero():
			return time.Time{}, false
		default:
			taken := int(last.Sub(from).Hours()/24) + 1
			first, last = to, to.AddDate(0, 0, taken)
		}
	}
	return last, true
}

// Unpunished is the periods that earn a penalty as of a day: not paid in full by their deadline, not penalised before,
// and not judged to have been in time by money that came since.
func (d Dues) Unpunished(today time.Time) []int {
	if d.Flexible() || d.Late.Type == nairav1.FeeType_FEE_TYPE_UNSPECIFIED {
		return nil
	}
	var late []int
	for k := d.Next(); k < never && !(d.Schedule.Once() && k > 0) && d.Schedule.Due(k).Before(today); k++ {
		deadline, known := d.Deadline(k)
		judged := !known || !deadline.Before(today) || deadline.Before(d.paid.Judged) || deadline.Before(d.Joined) || d.isAway(deadline)
		if owed := d.Owed(k); !judged && !d.Change(k).Penalised && owed > d.Paid(k) && d.Late.Penalty(owed) > 0 {
			late = append(late, k)
		}
	}
	return late
}

// book is one member's dues as they are decided about: the events so far, and where they leave the dues.
type book struct {
	group, sub, user string
	dues             Dues
	drafts           []event.Draft
}

func openBook(v event.View, groupID, subAccountID, user string) book {
	sub := event.StateOf[savings.SubAccount](v, savings.SubStream(subAccountID))
	m := event.StateOf[savings.Member](v, savings.MemberStream(groupID, user))
	dues := Of(sub, m, event.StateOf[State](v, Stream(subAccountID, user)))
	return book{group: groupID, sub: subAccountID, user: user, dues: dues.Shut(event.StateOf[savings.Group](v, savings.GroupStream(groupID)).Shut)}
}

func (b *book) stream() string { return Stream(b.sub, b.user) }

// judge applies the penalties that are due as of a day.
func (b *book) judge(today time.Time) {
	for _, k := range b.dues.Unpunished(today) {
		last, _ := b.dues.Deadline(k)
		period, deadline, owed := b.dues.Schedule.Start(k).Format(time.DateOnly), last.Format(time.DateOnly), b.dues.Owed(k)
		amount := b.dues.Late.Penalty(owed)
		b.drafts = append(b.drafts, event.On(b.stream(), &nairav1.PenaltyApplied{
			GroupId: b.group, SubAccountId: b.sub, UserId: b.user, Period: period, AmountKobo: int64(amount),
			MissingKobo: int64(owed - b.dues.Paid(k)), Deadline: deadline,
		}))
		b.dues = b.dues.with(b.dues.paid.penalise(period, amount, deadline))
	}
}

// makeGood takes back the penalties of dues that were paid in time after all, with an amount that counts from a day and
// is not recorded yet. One that goes frees what was paid towards it, which may make good the next.
func (b *book) makeGood(amount money.Kobo, day time.Time) {
	told := b.dues.with(b.dues.paid.count(amount, day))
	for _, c := range told.paid.Changes {
		if c.Penalty == 0 {
			continue
		}
		k := told.Schedule.At(savings.ParseDay(c.Period))
		if told.before(k)+max(0, told.Amount-c.WaivedInTime) > c.InTime {
			continue
		}
		b.drafts = append(b.drafts, event.On(b.stream(), &nairav1.PenaltyReversed{
			GroupId: b.group, SubAccountId: b.sub, UserId: b.user, Period: c.Period, AmountKobo: int64(c.Penalty),
		}))
		b.dues, told = b.dues.with(b.dues.paid.relieve(c.Period)), told.with(told.paid.relieve(c.Period))
	}
}

// take settles dues with money that counts from a moment. It answers what the money settles; what becomes of penalties
// by it is drafted.
func (b *book) take(amount money.Kobo, monthID int, at time.Time) ([]*nairav1.Settlement, error) {
	b.judge(savings.Day(at))
	b.makeGood(amount, savings.Day(at))
	return b.dues.Settle(amount, monthID, at)
}

// Penalise applies the penalties of one member's dues to a sub-account, for what was not paid in time.
type Penalise struct {
	GroupID, SubAccountID, User string
	Now                         time.Time
}

// Streams implements event.Command.
func (c Penalise) Streams() []string { return append(c.book(), account.Stream(c.User)) }

// book are the streams of which a member's dues to a sub-account are made.
func (c Penalise) book() []string {
	return []string{savings.GroupStream(c.GroupID), savings.MemberStream(c.GroupID, c.User), savings.SubStream(c.SubAccountID), Stream(c.SubAccountID, c.User)}
}

// Accounts implements event.Command.
func (Penalise) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Penalise) Decide(v event.View) ([]event.Draft, error) {
	sub := event.StateOf[savings.SubAccount](v, savings.SubStream(c.SubAccountID))
	m := event.StateOf[savings.Member](v, savings.MemberStream(c.GroupID, c.User))
	if sub.Group != c.GroupID || m.Status != savings.Active && m.Status != savings.Inactive {
		return nil, errNoSub()
	}
	if g := event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID)); g.Status != savings.Active {
		return nil, notCollecting(g.Status)
	}
	if err := standing.May(v, c.User, standing.BePenalised); err != nil {
		return nil, err
	}
	b := openBook(v, c.GroupID, c.SubAccountID, c.User)
	if b.judge(savings.Day(c.Now)); len(b.drafts) == 0 {
		return nil, fault.New(fault.Conflict, "Nothing is late here.")
	}
	return b.drafts, nil
}

// WaivePenalty undoes a penalty by a correction, as the rules do where the money had come in time. What was paid
// towards it stays the member's and counts for their next due: no money of anybody's moves.
type WaivePenalty struct {
	GroupID, SubAccountID, User string
	Period                      string // The first day of the due's period, YYYY-MM-DD.
	DisputeID, PlanID           string // The correction; no plan where it is only tried.
}

// Streams implements event.Command.
func (c WaivePenalty) Streams() []string {
	return Penalise{GroupID: c.GroupID, SubAccountID: c.SubAccountID, User: c.User}.book()
}

// Accounts implements event.Command.
func (WaivePenalty) Accounts() []string { return nil }

// Decide implements event.Command.
func (c WaivePenalty) Decide(v event.View) ([]event.Draft, error) {
	m := event.StateOf[savings.Member](v, savings.MemberStream(c.GroupID, c.User))
	if event.StateOf[savings.SubAccount](v, savings.SubStream(c.SubAccountID)).Group != c.GroupID || m.Status != savings.Active && m.Status != savings.Inactive {
		return nil, errNoSub()
	}
	b := openBook(v, c.GroupID, c.SubAccountID, c.User)
	changes := b.dues.paid.Changes
	at := slices.IndexFunc(changes, func(ch Change) bool { return ch.Period == c.Period && ch.Penalty > 0 })
	if at < 0 {
		return nil, fault.New(fault.Conflict, "No penalty stands for this due, so there is none to waive.")
	}
	b.drafts = append(b.drafts, event.On(b.stream(), &nairav1.PenaltyWaived{
		GroupId: c.GroupID, SubAccountId: c.SubAccountID, UserId: c.User, Period: c.Period, AmountKobo: int64(changes[at].Penalty),
		DisputeId: c.DisputeID, PlanId: c.PlanID,
	}))
	b.dues = b.dues.with(b.dues.paid.relieve(c.Period))
	b.makeGood(0, b.dues.paid.Judged)
	return b.drafts, nil
}
