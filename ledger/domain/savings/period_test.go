package savings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	. "adashi.ng/ledger/ledgertest"
)

func day(text string) time.Time { return savings.ParseDay(text) }

func TestPeriodsStartAndEndOnTheCalendarsDays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rhythm            nairav1.PaymentFrequency
		first             string
		k                 int
		start, due, label string
	}{
		{daily, "2028-02-01", 28, "2028-02-29", "2028-02-29", "29 February 2028"},
		{weekly, "2026-11-01", 2, "2026-11-15", "2026-11-21", "15 Nov to 21 Nov 2026"},
		{biweekly, "2026-12-01", 2, "2026-12-29", "2027-01-11", "29 Dec to 11 Jan 2027"},
		{monthly, "2026-11-01", 0, "2026-11-01", "2026-11-30", "November 2026"},
		{monthly, "2026-11-01", 3, "2027-02-01", "2027-02-28", "February 2027"},
		{monthly, "2026-11-01", 15, "2028-02-01", "2028-02-29", "February 2028"},
		{quarterly, "2026-11-01", 1, "2027-02-01", "2027-04-30", "1 Feb to 30 Apr 2027"},
		{yearly, "2027-03-01", 1, "2028-03-01", "2029-02-28", "2028"},
		{oneTime, "2028-02-01", 0, "2028-02-01", "2028-02-29", "One-time payment"},
	} {
		s := savings.Schedule{First: day(c.first), Frequency: c.rhythm}
		require.Equal(t, c.start, s.Start(c.k).Format(time.DateOnly), c.label)
		require.Equal(t, c.due, s.Due(c.k).Format(time.DateOnly), c.label)
		require.Equal(t, c.label, s.Label(c.k))
		require.Equal(t, c.k, s.At(day(c.start)), c.label)
		require.Equal(t, c.k, s.At(day(c.due)), c.label)
	}
}

var rhythms = []nairav1.PaymentFrequency{daily, weekly, biweekly, monthly, quarterly, yearly}

func TestEveryDayFallsInExactlyOnePeriod(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		first := time.Date(rapid.IntRange(2020, 2032).Draw(t, "year"), time.Month(rapid.IntRange(1, 12).Draw(t, "month")), 1, 0, 0, 0, 0, time.UTC)
		s := savings.Schedule{First: first, Frequency: rapid.SampledFrom(rhythms).Draw(t, "rhythm")}
		on := first.AddDate(0, 0, rapid.IntRange(0, 4000).Draw(t, "days"))
		k := s.At(on)
		require.False(t, on.Before(s.Start(k)))
		require.True(t, on.Before(s.Start(k+1)))
		require.Equal(t, s.Start(k+1).AddDate(0, 0, -1), s.Due(k))
		require.Equal(t, 0, s.At(first.AddDate(0, 0, -1)))
	})
}

func TestEveryRhythmIsPaidPeriodByPeriodUpToAYearAhead(t *testing.T) {
	t.Parallel()
	for rhythm, c := range map[nairav1.PaymentFrequency]struct {
		periods int // That may be paid on 15 November by who joined that day: the current one, and a year ahead.
		second  string
	}{
		daily:     {1 + 365, "2026-11-16"},
		weekly:    {1 + 52, "2026-11-22"},
		biweekly:  {1 + 26, "2026-11-29"},
		monthly:   {1 + 12, "2026-12-01"},
		quarterly: {1 + 4, "2027-02-01"},
		yearly:    {1 + 1, "2027-11-01"},
	} {
		t.Run(rhythm.String(), func(t *testing.T) {
			t.Parallel()
			w := saving(t, fixed, rhythm)
			w.And(pays("bisi", due, 0, Epoch))
			second := w.When(pays("bisi", due, 0, Epoch))
			require.NoError(t, second.Err)
			require.Equal(t, c.second, second.Decided[0].Message.(*nairav1.ContributionReceived).GetSettled()[0].GetPeriod())
			rest := money.Kobo(c.periods-2) * due
			if rest > 0 {
				w.When(pays("bisi", rest+1, 0, Epoch)).ThenField("amount")
				w.And(pays("bisi", rest, 0, Epoch))
			}
			require.Error(t, w.When(pays("bisi", 1, 0, Epoch)).Err)
		})
	}
}

func TestWhatIsPaidIsWhatTheDuesSayInAnyOrderOfParts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := saving(t, fixed, monthly)
		paid := map[string]money.Kobo{}
		total := money.Kobo(0)
		for range rapid.IntRange(1, 12).Draw(t, "payments") {
			amount := money.Kobo(rapid.Int64Range(1, int64(3*due)).Draw(t, "amount"))
			outcome := w.When(pays("bisi", amount, 0, Epoch))
			if outcome.Err != nil {
				require.Greater(t, total+amount, 13*due, "refused only beyond a year")
				continue
			}
			total += amount
			for _, s := range outcome.Decided[0].Message.(*nairav1.ContributionReceived).GetSettled() {
				paid[s.GetPeriod()] += money.Kobo(s.GetAmountKobo())
				require.Equal(t, paid[s.GetPeriod()] == due, s.GetComplete())
			}
		}
		dues := dues.Of(w.State("sub:s").(savings.SubAccount), savings.Member{Since: Epoch}, dues.State{Total: total})
		sum := money.Kobo(0)
		for k := range 13 {
			require.Equal(t, paid[dues.Schedule.Start(k).Format(time.DateOnly)], dues.Paid(k), "period %d", k)
			sum += dues.Paid(k)
		}
		require.Equal(t, total, sum)
	})
}
