package standingorder

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"
)

// Schedule is the days of a standing order: First and every week after it, or that day of every month. Months that have
// no such day have their last one instead.
type Schedule struct {
	First     time.Time // Midnight UTC of a Lagos day.
	Frequency nairav1.StandingFrequency
}

const week = 7 * 24 * time.Hour

// From is the first of its days that is the given day or later.
func (s Schedule) From(day time.Time) time.Time {
	if !day.After(s.First) {
		return s.First
	}
	if s.Frequency == nairav1.StandingFrequency_STANDING_FREQUENCY_WEEKLY {
		weeks := (day.Sub(s.First) + week - 1) / week
		return s.First.Add(weeks * week)
	}
	months := 12*(day.Year()-s.First.Year()) + int(day.Month()-s.First.Month())
	if at := s.month(months); !at.Before(day) {
		return at
	}
	return s.month(months + 1)
}

// After is the first of its days that is later than the given day.
func (s Schedule) After(day time.Time) time.Time { return s.From(day.AddDate(0, 0, 1)) }

// month is its day in the month that is so many after the first one's.
func (s Schedule) month(n int) time.Time {
	first := time.Date(s.First.Year(), s.First.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(s.First.Day(), last)-1)
}
