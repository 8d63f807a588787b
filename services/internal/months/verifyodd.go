package months

import (
	"time"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/event"
)

// unusual are the events that decide which of a group's payments are unusual, in addition to the payments. Verify
// computes this on its own, without the read model, so that each finds mistakes in the other.
var unusual = []proto.Message{&nairav1.SubAccountOpened{}, &nairav1.PaymentReversed{}, &nairav1.PaymentReversedV2{}, &nairav1.PaymentReversedV3{}}

// payer is a member of a sub-account.
type payer struct{ sub, user string }

// habit is a person's earlier payments into a sub-account.
type habit struct {
	payments, kobo, lastPos int64
	lastAt                  time.Time
}

// oddities give the position from which on a group's payment was unusual.
type oddities struct {
	frequencies map[string]nairav1.PaymentFrequency
	payers      map[payer]habit
	from        map[int64]int64
	paidWith    map[string][]int64 // The payments that a gateway's payment paid.
}

func noOddities() oddities {
	return oddities{map[string]nairav1.PaymentFrequency{}, map[payer]habit{}, map[int64]int64{}, map[string][]int64{}}
}

// note records that a payment is unusual from a position on, unless it was so before.
func (o oddities) note(pos, from int64) {
	if _, is := o.from[pos]; !is {
		o.from[pos] = from
	}
}

// at reports whether a payment was unusual as of a position.
func (o oddities) at(pos, position int64) bool {
	from, is := o.from[pos]
	return is && from <= position
}

// see applies an event.
func (o oddities) see(r *event.Record, m proto.Message) {
	switch m := m.(type) {
	case *nairav1.SubAccountOpened:
		o.frequencies[m.GetSubAccountId()] = m.GetPaymentFrequency()
	case *nairav1.ContributionReceived:
		o.paid(r, payer{m.GetSubAccountId(), m.GetUserId()}, m.GetAmountKobo(), m.GetSettled())
		if id := m.GetPaymentId(); id != "" {
			o.paidWith[id] = append(o.paidWith[id], r.Pos)
		}
	case *nairav1.ContributionCovered: // Another member paid it.
		o.paid(r, payer{m.GetSubAccountId(), m.GetUserId()}, m.GetAmountKobo(), m.GetSettled())
		o.note(r.Pos, r.Pos)
	case *nairav1.LiquidationPaidV2, *nairav1.LiquidationReversedV3, *nairav1.AjoPaid: // Payouts are always examined.
		o.note(r.Pos, r.Pos)
	case *nairav1.PaymentReversedV3: // The bank took back the money that paid them.
		for _, pos := range o.paidWith[m.GetPaymentId()] {
			o.note(pos, r.Pos)
		}
	}
}

// paid compares a payment with its member's earlier ones. It is unusual if it is more than three times the mean of at
// least three others, or less than a third of it; if it comes within ten minutes of the one before, which is then
// unusual too; or if it is for a due that had ended.
func (o oddities) paid(r *event.Record, by payer, kobo int64, settled []*nairav1.Settlement) {
	before := o.payers[by]
	if n := before.payments; n >= 3 && (kobo*n > 3*before.kobo || 3*kobo*n < before.kobo) {
		o.note(r.Pos, r.Pos)
	}
	if before.payments > 0 && r.EffectiveAt.Sub(before.lastAt).Abs() <= 10*time.Minute {
		o.note(r.Pos, r.Pos)
		o.note(before.lastPos, r.Pos)
	}
	for _, s := range settled {
		if over := overAt(s.GetPeriod(), o.frequencies[by.sub]); !over.IsZero() && !r.EffectiveAt.Before(over) {
			o.note(r.Pos, r.Pos)
		}
	}
	o.payers[by] = habit{before.payments + 1, before.kobo + kobo, r.Pos, r.EffectiveAt}
}

// overAt returns when a due has ended, by the first day of its period; zero where dues never end.
func overAt(period string, frequency nairav1.PaymentFrequency) time.Time {
	begin, err := time.ParseInLocation(time.DateOnly, period, lagos.Zone)
	lasts, is := map[nairav1.PaymentFrequency][2]int{ // Months and days.
		nairav1.PaymentFrequency_PAYMENT_FREQUENCY_DAILY: {0, 1}, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY: {0, 7},
		nairav1.PaymentFrequency_PAYMENT_FREQUENCY_BIWEEKLY: {0, 14}, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY: {1, 0},
		nairav1.PaymentFrequency_PAYMENT_FREQUENCY_ONE_TIME: {1, 0}, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_QUARTERLY: {3, 0},
		nairav1.PaymentFrequency_PAYMENT_FREQUENCY_YEARLY: {12, 0},
	}[frequency]
	if err != nil || !is {
		return time.Time{}
	}
	return begin.AddDate(0, lasts[0], lasts[1])
}

// always compares the payments that a list marks for certain examination with the payments that were unusual when it
// was sealed. Where a part of the ledger is archived, habits and calendars are unknown.
func (v *verifying) always(r *event.Record, b *books, m *nairav1.MonthSampleNamed) {
	if v.first > 1 {
		return
	}
	always := map[int64]bool{}
	for _, pos := range m.GetAlways() {
		always[pos] = true
	}
	by := func(p pause) bool { return p.pos <= m.GetPosition() }
	seen := func(p pause) bool { return by(p) && p.at.Before(r.RecordedAt.Add(-unseen)) }
	for _, p := range b.payments {
		if !b.list.Holds(p.pos, p.at) {
			continue
		}
		late := b.calendar.late(p, by)
		said, is := always[p.pos], v.odd.at(p.pos, m.GetPosition())
		switch {
		case !is && late != b.calendar.late(p, seen): // Verify accepts either.
		case (is || late) && !said:
			v.check.Violate(r.Pos, r.Stream, "the payment at %d was unusual or a payout, and the list of %s does not have it looked at in any case", p.pos, m.GetMonth())
		case said && !is && !late:
			v.check.Violate(r.Pos, r.Stream, "the payment at %d was not unusual, and the list of %s says so", p.pos, m.GetMonth())
		}
	}
}
