package months

import (
	"time"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/event"
)

// calendars are the events that define the due days of an ajo. As for a group's unusual payments, verify computes the
// calendar on its own: it shares no code with the rules of ajo or their read model.
var calendars = []proto.Message{&nairav1.AjoCreated{}, &nairav1.AjoTermsChanged{}, &nairav1.AjoStarted{}, &nairav1.AjoPaused{}}

// unseen is how old a pause may be that a list did not know when it was recorded: earlier builds read the calendar of
// an ajo before its payments.
const unseen = time.Minute

// calendar gives the due days of an ajo.
type calendar struct {
	terms      *nairav1.AjoTerms
	first      time.Time // The due day of its first cycle; zero until it starts.
	firstCycle int32
	pauses     []pause
}

// pause moves all cycles from one on a period later.
type pause struct {
	cycle int32
	pos   int64
	at    time.Time // When it was recorded.
}

// due is the due of one place in a cycle of an ajo.
type due struct {
	cycle, seat int32
	user        string
}

// dated applies an event that changes the calendar of an ajo.
func (v *verifying) dated(r *event.Record, m proto.Message) {
	of, is := m.(interface{ GetAjoId() string })
	if !is || v.places[of.GetAjoId()] == nil {
		return
	}
	b := v.places[of.GetAjoId()]
	switch m := m.(type) {
	case *nairav1.AjoCreated:
		b.calendar.terms = m.GetTerms()
	case *nairav1.AjoTermsChanged:
		b.calendar.terms = m.GetTerms()
	case *nairav1.AjoStarted:
		b.calendar.first, _ = time.ParseInLocation(time.DateOnly, m.GetFirstDue(), lagos.Zone)
		b.calendar.firstCycle = m.GetFirstCycle()
	case *nairav1.AjoPaused:
		b.calendar.pauses = append(b.calendar.pauses, pause{m.GetFromCycle(), r.Pos, r.RecordedAt})
	}
}

// over is the moment from which a due of a cycle is late: the day after its due day. It is zero where dues are never
// late. It counts only the known pauses.
func (c calendar) over(cycle int32, known func(pause) bool) time.Time {
	if c.first.IsZero() {
		return time.Time{}
	}
	periods := int(cycle - c.firstCycle)
	for _, p := range c.pauses {
		if p.cycle <= cycle && known(p) {
			periods++
		}
	}
	switch c.terms.GetFrequency() {
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY:
		return c.first.AddDate(0, 0, 7*periods+1)
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_BIWEEKLY:
		return c.first.AddDate(0, 0, 14*periods+1)
	default: // On its day of the month, or the last where the month is shorter.
		month := c.first.Month() + time.Month(periods)
		last := time.Date(c.first.Year(), month+1, 0, 0, 0, 0, 0, lagos.Zone).Day()
		return time.Date(c.first.Year(), month, min(int(c.terms.GetDueDay()), last)+1, 0, 0, 0, 0, lagos.Zone)
	}
}

// late reports whether a payment is a due of an ajo that was paid after its due day.
func (c calendar) late(p *paid, known func(pause) bool) bool {
	if p.due == (due{}) {
		return false
	}
	over := c.over(p.due.cycle, known)
	return !over.IsZero() && !p.at.Before(over)
}

// paysAjo handles a payment of an ajo: it is unusual when another member paid it, or when a due of its place in the
// cycle is given back later.
func (v *verifying) paysAjo(r *event.Record, b *books, p *paid, m proto.Message) {
	switch m := m.(type) {
	case *nairav1.AjoContributed:
		p.due = due{m.GetCycle(), m.GetSeat(), m.GetUserId()}
		b.dues[p.due] = append(b.dues[p.due], p)
		v.byAnother(r, m)
	case *nairav1.AjoContributionReturned:
		for _, back := range b.dues[due{m.GetCycle(), m.GetSeat(), m.GetUserId()}] {
			v.odd.note(back.pos, r.Pos)
			back.taken(r.Pos)
		}
		v.byAnother(r, m)
	}
}

func (v *verifying) byAnother(r *event.Record, m interface {
	GetUserId() string
	GetPaidBy() string
},
) {
	if by := m.GetPaidBy(); by != "" && by != m.GetUserId() {
		v.odd.note(r.Pos, r.Pos)
	}
}
