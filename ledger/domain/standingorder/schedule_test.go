package standingorder_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/standingorder"
)

const (
	weekly  = nairav1.StandingFrequency_STANDING_FREQUENCY_WEEKLY
	monthly = nairav1.StandingFrequency_STANDING_FREQUENCY_MONTHLY
)

func day(s string) time.Time {
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return d
}

func days(s standingorder.Schedule, n int) (all []string) {
	at := s.From(s.First)
	for range n {
		all = append(all, at.Format(time.DateOnly))
		at = s.After(at)
	}
	return all
}

func TestADayThatAMonthLacksIsItsLastAndComesBack(t *testing.T) {
	t.Parallel()
	for first, want := range map[string][]string{
		"2026-12-31": {"2026-12-31", "2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"},
		"2028-01-30": {"2028-01-30", "2028-02-29", "2028-03-30", "2028-04-30"},
		"2027-02-28": {"2027-02-28", "2027-03-28", "2027-04-28"},
	} {
		require.Equal(t, want, days(standingorder.Schedule{First: day(first), Frequency: monthly}, len(want)))
	}
	require.Equal(t, []string{"2026-12-24", "2026-12-31", "2027-01-07"}, days(standingorder.Schedule{First: day("2026-12-24"), Frequency: weekly}, 3))
}

func drawn(t *rapid.T) standingorder.Schedule {
	return standingorder.Schedule{
		First:     day("2024-01-01").AddDate(0, 0, rapid.IntRange(0, 3000).Draw(t, "first")),
		Frequency: rapid.SampledFrom([]nairav1.StandingFrequency{weekly, monthly}).Draw(t, "frequency"),
	}
}

// belongs says by the calendar alone whether a day is one of the schedule's.
func belongs(s standingorder.Schedule, d time.Time) bool {
	if d.Before(s.First) {
		return false
	}
	if s.Frequency == weekly {
		return d.Weekday() == s.First.Weekday()
	}
	last := d.AddDate(0, 0, 1).Month() != d.Month()
	return d.Day() == s.First.Day() || last && d.Day() < s.First.Day()
}

func TestTheDaysAreThoseOfTheCalendarNoneTwiceAndNoneLeftOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		asked := s.First.AddDate(0, 0, rapid.IntRange(-100, 1500).Draw(t, "asked"))
		found := s.From(asked)
		require.True(t, belongs(s, found), "%s is not its day", found)
		require.False(t, found.Before(asked))
		for d := asked; d.Before(found); d = d.AddDate(0, 0, 1) {
			require.False(t, belongs(s, d), "%s was left out", d)
		}
		next := s.After(found)
		require.True(t, next.After(found) && belongs(s, next))
		for d := found.AddDate(0, 0, 1); d.Before(next); d = d.AddDate(0, 0, 1) {
			require.False(t, belongs(s, d), "%s was left out", d)
		}
	})
}
