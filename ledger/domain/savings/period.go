package savings

import (
	"fmt"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
)

// Day is the Lagos day of a moment, as midnight UTC of that date.
func Day(at time.Time) time.Time {
	y, m, d := at.In(lagos.Zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// Midnight is when a Lagos day begins.
func Midnight(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, lagos.Zone)
}

// MonthStart is the first day of the Lagos month of a moment.
func MonthStart(at time.Time) time.Time {
	y, m, _ := at.In(lagos.Zone).Date()
	return time.Date(y, m, 1, 0, 0, 0, 0, time.UTC)
}

// ParseDay reads a YYYY-MM-DD that an event holds.
func ParseDay(s string) time.Time {
	day, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic("savings: an event holds the day " + s)
	}
	return day
}

// Schedule is when a sub-account's dues fall. Period k is 0, 1, 2 … from First.
type Schedule struct {
	First     time.Time
	Frequency nairav1.PaymentFrequency
}

// Start is the first day of period k.
func (s Schedule) Start(k int) time.Time {
	switch s.Frequency {
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_DAILY:
		return s.First.AddDate(0, 0, k)
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY:
		return s.First.AddDate(0, 0, 7*k)
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_BIWEEKLY:
		return s.First.AddDate(0, 0, 14*k)
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_QUARTERLY:
		return s.First.AddDate(0, 3*k, 0)
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_YEARLY:
		return s.First.AddDate(k, 0, 0)
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY:
		return s.First.AddDate(0, k, 0)
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_ONE_TIME, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_UNSPECIFIED:
		if k == 0 {
			return s.First
		}
		return s.First.AddDate(1000+k, 0, 0)
	default:
		panic("savings: unknown frequency " + s.Frequency.String())
	}
}

// Due is the last day of period k: the day by which it should be paid. A one-time due has a month.
func (s Schedule) Due(k int) time.Time {
	if s.Once() {
		return s.First.AddDate(0, 1, -1)
	}
	return s.Start(k+1).AddDate(0, 0, -1)
}

// At is the period that a day falls in; before the first it is 0.
func (s Schedule) At(day time.Time) int {
	if s.Once() || !day.After(s.First) {
		return 0
	}
	days := int(day.Sub(s.First).Hours() / 24)
	k := days / s.longest()
	for !s.Start(k + 1).After(day) {
		k++
	}
	return k
}

// longest is how many days the longest period has.
func (s Schedule) longest() int {
	switch s.Frequency {
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_DAILY:
		return 1
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY:
		return 7
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_BIWEEKLY:
		return 14
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY:
		return 31
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_QUARTERLY:
		return 92
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_YEARLY:
		return 366
	default:
		panic("savings: unknown frequency " + s.Frequency.String())
	}
}

// Once reports whether there is one due only.
func (s Schedule) Once() bool {
	return s.Frequency == nairav1.PaymentFrequency_PAYMENT_FREQUENCY_ONE_TIME
}

// Label names period k as people do: November 2026, or the week of 2 November 2026.
func (s Schedule) Label(k int) string {
	start := s.Start(k)
	switch s.Frequency {
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY:
		return start.Format("January 2006")
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_DAILY:
		return start.Format("2 January 2006")
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_YEARLY:
		return start.Format("2006")
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_ONE_TIME:
		return "One-time payment"
	default:
		return fmt.Sprintf("%s to %s", start.Format("2 Jan"), s.Due(k).Format("2 Jan 2006"))
	}
}
