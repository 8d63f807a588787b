package months

import (
	"time"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/event"
)

// calendars are the events that say when the dues of an ajo are due. Like what is unusual of a group, the calendar is
// repeated here: it shares nothing with the rules of ajo or their read model.
var calendars = []proto.Message{&nairav1.AjoCreated{}, &nairav1.AjoTermsChanged{}, &nairav1.AjoStarted{}, &nairav1.AjoPaused{}}

// unseen is how long before a list was recorded a pause may have been that it did not know of: builds of before read
// the calendar of an ajo before they read its payments.
const unseen = time.Minute

// calendar is when the dues of an ajo are due.
type calendar struct {
	terms      *nairav1.AjoTerms
	first      time.Time // The due day of its first cycle; zero until it starts.
	firstCycle int32
	pauses     []pause
}

// pause has all cycles from one on come a period later.
type pause struct {
	cycle int32
	pos   int64
	at    time.Time // When it was recorded.
}

// due is what one place owes to a cycle of an ajo.
type due struct {
	cycle, seat int32
	user        string
}

// dated takes in what changes the calendar of an ajo.
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

// over is the moment from which a due of a cycle is late: the day after its due day. Zero where none is ever late. Only
// pauses count that are known.
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

// paysAjo takes in a payment of an ajo: it is unusual where another member paid it, and where a due of its place in the
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
