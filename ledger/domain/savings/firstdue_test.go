package savings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

// lagos is a moment of 2026 or, from month 13 on, of 2027, in Lagos.
func inLagos(month time.Month, day, hour, minute int) time.Time {
	return time.Date(2026, month, day, hour, minute, 0, 0, lagos.Zone).UTC()
}

// fined is a sub-account that is opened at a moment, with a penalty and no grace.
func fined(rhythm nairav1.PaymentFrequency, at time.Time) savings.OpenSubAccount {
	kind := fixed
	if rhythm == oneTime {
		kind = oneOff
	}
	return changed(opens(kind, rhythm), func(c *savings.OpenSubAccount) {
		c.Now, c.Late = at, savings.Late{Type: nairav1.FeeType_FEE_TYPE_FLAT, Amount: 100 * money.Naira}
	})
}

func TestNobodyOwesForDaysBeforeThereWasAnythingToPay(t *testing.T) {
	t.Parallel()
	for _, opened := range []time.Time{
		inLagos(time.November, 30, 0, 0), inLagos(time.November, 30, 12, 0), inLagos(time.November, 30, 23, 59), inLagos(time.December, 1, 0, 0),
		inLagos(14, 28, 12, 0), inLagos(time.December, 31, 23, 59), inLagos(13, 1, 0, 0),
	} {
		for _, rhythm := range []nairav1.PaymentFrequency{daily, weekly, biweekly, monthly, quarterly, yearly, oneTime} {
			w := Given(t, active, opened, fined(rhythm, opened))
			d := duesOf(w, "bisi")
			require.Equal(t, due, d.Open(savings.Day(opened)), "%s opened on %s owes one due", rhythm, opened)
			require.Equal(t, 0, d.Schedule.At(savings.Day(opened)))
			require.False(t, d.Schedule.Due(0).Before(savings.Day(opened)), "%s: its first due ends on the day of opening or later", rhythm)
			require.False(t, d.Schedule.First.After(savings.Day(opened)), "%s: its first due holds the day of opening", rhythm)
			w.When(dues.Penalise{GroupID: "g", SubAccountID: "s", User: "bisi", Now: opened}).ThenFault(fault.Conflict)
		}
	}
}

func TestWhoJoinsLaterOwesFromThatDay(t *testing.T) {
	t.Parallel()
	opened, joined := inLagos(time.November, 30, 12, 0), inLagos(13, 15, 0, 0)
	for rhythm, from := range map[nairav1.PaymentFrequency]string{
		daily: "2027-01-15", weekly: "2027-01-11", biweekly: "2027-01-11", monthly: "2027-01-01", quarterly: "2026-11-01", yearly: "2026-11-01",
	} {
		for _, at := range []time.Time{joined, joined.Add(-time.Minute)} {
			w := Given(t, roomy, opened, fined(rhythm, opened), at, admits("gozie"))
			d := duesOf(w, "gozie")
			require.False(t, d.Schedule.Due(d.From).Before(savings.Day(at)), rhythm)
			require.Equal(t, due, d.Open(savings.Day(at)), "%s: one due, that of the day", rhythm)
			w.When(dues.Penalise{GroupID: "g", SubAccountID: "s", User: "gozie", Now: at}).ThenFault(fault.Conflict)
			if at.Equal(joined) {
				require.Equal(t, from, d.Schedule.Start(d.From).Format(time.DateOnly), rhythm)
			}
		}
	}
}

func TestAOneTimeDueThatEndedBeforeSomebodyJoinedIsNotTheirs(t *testing.T) {
	t.Parallel()
	opened := inLagos(time.November, 30, 12, 0)
	last, after := inLagos(time.November, 30, 23, 59), inLagos(time.December, 1, 0, 0)
	in := duesOf(Given(t, roomy, opened, fined(oneTime, opened), last, admits("gozie")), "gozie")
	require.Equal(t, due, in.Open(savings.Day(last)))
	w := Given(t, roomy, opened, fined(oneTime, opened), after, admits("gozie"))
	require.Zero(t, duesOf(w, "gozie").Open(savings.Day(after)))
	require.False(t, duesOf(w, "gozie").Overdue(savings.Day(after)))
	paid := w.And(funded("bisi", due+100*money.Naira), pays("bisi", due+100*money.Naira, 0, after)) // With the penalty.
	require.False(t, duesOf(paid, "bisi").Overdue(savings.Day(after)), "one that is paid is not overdue either")
	w.When(dues.Penalise{GroupID: "g", SubAccountID: "s", User: "gozie", Now: after.AddDate(0, 1, 0)}).ThenFault(fault.Conflict)
	w.And(funded("gozie", due))
	refused(t, w, pays("gozie", due, 0, after), fault.Conflict, "ended before you joined")
}

func TestAFirstDayCanBeChosen(t *testing.T) {
	t.Parallel()
	opened := inLagos(time.November, 30, 12, 0)
	on := func(rhythm nairav1.PaymentFrequency, day string) savings.OpenSubAccount {
		return changed(fined(rhythm, opened), func(c *savings.OpenSubAccount) { c.FirstDay = savings.ParseDay(day) })
	}
	for rhythm, first := range map[nairav1.PaymentFrequency]string{daily: "2026-12-07", weekly: "2026-12-07", biweekly: "2026-12-07", monthly: "2026-12-01", oneTime: "2026-12-01"} {
		w := Given(t, active, opened, on(rhythm, "2026-12-07"))
		d := duesOf(w, "bisi")
		require.Equal(t, first, d.Schedule.First.Format(time.DateOnly), rhythm)
		require.Zero(t, d.Open(savings.Day(opened)))
	}
	w := Given(t, active, opened)
	w.When(on(weekly, "2026-11-29")).ThenField("firstDay")
	w.When(on(weekly, "2027-12-01")).ThenField("firstDay")
	w.And(on(weekly, "2026-11-30"))
	pending := Given(t, found, opened)
	refused(t, pending, fined(daily, opened), fault.Conflict, "once the group is active")
	pending.And(fined(monthly, opened))
}

func TestASubAccountOfBeforeKeepsItsFirstDue(t *testing.T) {
	t.Parallel()
	w := Given(t, Epoch.AddDate(0, 0, -14), active, Epoch, event.Draft{Stream: "sub:s", Message: &nairav1.SubAccountOpened{
		GroupId: "g", SubAccountId: "s", PaymentType: fixed, PaymentFrequency: daily, AmountKobo: int64(due), FirstDue: "2026-11-01",
	}})
	require.Equal(t, 15*due, duesOf(w, "bisi").Open(savings.Day(Epoch)), "what was owed of it stays owed")
}

func TestALaterDueIsNotPaidWhileAnOlderOneIsOpen(t *testing.T) {
	t.Parallel()
	december := inLagos(time.December, 10, 12, 0)
	w := Given(t, active, opens(fixed, monthly), december, funded("bisi", 4*due))
	of := func(period string) dues.Contribute {
		return changed(pays("bisi", due, 0, december), func(c *dues.Contribute) { c.Period = period })
	}
	refused(t, w, of("2026-12-01"), fault.Conflict, "November 2026 is still open")
	w.When(of("2026-12-02")).ThenField("period")
	w.When(of("next month")).ThenField("period")
	w.And(of("2026-11-01"))
	refused(t, w, of("2026-11-01"), fault.Conflict, "already paid for November 2026")
	refused(t, w, of("2027-12-01"), fault.Conflict, "December 2026 is still open") // The same month of next year.
	w.And(of("2026-12-01"), pays("bisi", due, 0, december))
}
