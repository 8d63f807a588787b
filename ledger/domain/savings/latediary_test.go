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
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

// diary is what a random story did, told by itself for holding the ledger against.
type diary struct {
	t     *rapid.T
	w     *World
	now   time.Time
	flows []flow
}

type flow struct {
	day    string
	amount money.Kobo
}

func (d *diary) do(at time.Time, c event.Command) {
	outcome := d.w.And(at).When(c)
	if outcome.Err != nil {
		return
	}
	for _, draft := range outcome.Decided {
		amount, whole := money.Kobo(0), []*nairav1.Settlement(nil)
		switch m := draft.Message.(type) {
		case *nairav1.ContributionReceived:
			amount, whole = money.Kobo(m.GetAmountKobo()), m.GetSettled()
		case *nairav1.ContributionCovered:
			amount, whole = money.Kobo(m.GetAmountKobo()), m.GetSettled()
		case *nairav1.ContributionReversed:
			d.flows = append(d.flows, flow{savings.Day(at).Format(time.DateOnly), -money.Kobo(m.GetAmountKobo())})
		}
		if amount > 0 {
			sum := money.Kobo(0)
			for _, s := range whole {
				sum += money.Kobo(s.GetAmountKobo())
			}
			require.Equal(d.t, amount, sum, "what is settled is what was paid")
			d.flows = append(d.flows, flow{savings.Day(at).Format(time.DateOnly), amount})
		}
	}
}

// next does any one thing.
func (d *diary) next(t *rapid.T) {
	d.now = d.now.AddDate(0, 0, rapid.IntRange(0, 20).Draw(t, "days on"))
	told := d.now.AddDate(0, 0, -rapid.IntRange(0, 35).Draw(t, "told days later"))
	if told.Before(Epoch) {
		told = d.now
	}
	amount := money.Kobo(rapid.Int64Range(1, int64(3*due)).Draw(t, "amount"))
	if rapid.Bool().Draw(t, "round") {
		amount = rapid.SampledFrom([]money.Kobo{due, due + penalty, 2 * due}).Draw(t, "amount of dues")
	}
	switch rapid.SampledFrom([]string{"pay", "pay late", "pay late", "penalise", "cover", "penalise", "waive", "reverse", "away", "back"}).Draw(t, "what") {
	case "pay":
		d.do(d.now, pays("bisi", amount, 0, d.now))
	case "pay late":
		d.do(told, pays("bisi", amount, 0, told))
	case "cover":
		d.do(d.now, covers("chidi", "bisi", amount, d.now))
	case "penalise":
		d.do(d.now, penalises("bisi", d.now))
	case "waive":
		d.waive(t)
	case "reverse":
		d.reverse(t)
	case "away":
		if d.w.State("member:g:bisi").(savings.Member).Status == savings.Active && rapid.IntRange(0, 3).Draw(t, "really") == 0 {
			d.w.And(d.now, event.Draft{Stream: "member:g:bisi", Message: &nairav1.MemberDeactivatedV2{GroupId: "g", UserId: "bisi", WholePeriods: rapid.Bool().Draw(t, "whole")}})
		}
	case "back":
		d.back()
	}
}

func (d *diary) back() {
	if d.w.State("member:g:bisi").(savings.Member).Status == savings.Inactive {
		d.w.And(d.now, event.Draft{Stream: "member:g:bisi", Message: &nairav1.MemberReactivated{GroupId: "g", UserId: "bisi"}})
	}
}

func (d *diary) waive(t *rapid.T) {
	id := rapid.StringMatching(`[a-z]{12}`).Draw(t, "waiver")
	period := Epoch.AddDate(0, rapid.IntRange(0, 14).Draw(t, "period"), -14).Format(time.DateOnly)
	d.do(d.now, changed(asks("ada", "bisi", period, d.now), func(c *dues.RequestWaiver) { c.WaiverID = id }))
	for _, by := range []string{"eve", "bisi", "femi"} {
		d.do(d.now, dues.DecideWaiver{WaiverID: id, GroupID: "g", SubAccountID: "s", User: "bisi", By: by, Approve: true, Now: d.now})
	}
}

func (d *diary) reverse(t *rapid.T) {
	var paid []event.Draft
	for _, draft := range d.w.Drafts {
		if _, ok := draft.Message.(*nairav1.ContributionReceived); ok {
			paid = append(paid, draft)
		}
	}
	if len(paid) > 0 && rapid.IntRange(0, 2).Draw(t, "really") == 0 {
		n := rapid.IntRange(0, len(paid)-1).Draw(t, "which")
		d.do(d.now, dues.ReverseContribution{Original: recordedAt(t, paid[n], n), By: "support", ApprovedBy: "admin", Reason: "Paid twice", At: d.now})
	}
}

// holds checks the dues against what the diary says was paid.
func (d *diary) holds(t *rapid.T) {
	dues, sum, total := duesOf(d.w, "bisi"), money.Kobo(0), money.Kobo(0)
	for _, f := range d.flows {
		total += f.amount
	}
	for k := range 60 {
		sum += dues.Paid(k)
		require.LessOrEqual(t, dues.Paid(k), dues.Owed(k), "no period holds more than it owes")
		require.GreaterOrEqual(t, dues.Paid(k), money.Kobo(0))
	}
	if d.w.State("member:g:bisi").(savings.Member).Status == savings.Active {
		require.Equal(t, total, sum, "the dues hold what was paid") // While one is away, credit has no due to go to.
	}
	require.Equal(t, total, d.w.Balance("pool:s"))
	if next := dues.Next(); next < 60 {
		require.Less(t, dues.Paid(next), dues.Owed(next))
	}
}

// waivedInTime is what was let off of a due before it was penalised.
func (d *diary) waivedInTime(period string) (sum money.Kobo) {
	for _, draft := range d.w.Drafts {
		switch m := draft.Message.(type) {
		case *nairav1.PenaltyApplied:
			if m.GetPeriod() == period {
				return sum
			}
		case *nairav1.DueWaived:
			if m.GetPeriod() == period {
				sum += money.Kobo(m.GetAmountKobo())
			}
		}
	}
	return sum
}

// judges checks that a penalty stands exactly where a due was not paid in time. It answers how many stand.
func (d *diary) judges(t *rapid.T) (stand int) {
	dues, today, before := duesOf(d.w, "bisi"), savings.Day(d.now), money.Kobo(0)
	away := d.w.State("member:g:bisi").(savings.Member).Away
	for k := 0; dues.Schedule.Due(k).AddDate(0, 0, 5).Before(today); k++ {
		period, deadline := dues.Schedule.Start(k).Format(time.DateOnly), dues.Schedule.Due(k).AddDate(0, 0, 5)
		inTime := money.Kobo(0)
		for _, f := range d.flows {
			if f.day <= deadline.Format(time.DateOnly) {
				inTime += f.amount
			}
		}
		excused := letsOff(away, dues.Schedule.Start(k), dues.Schedule.Due(k)) || within(away, deadline)
		left := due - d.waivedInTime(period)
		late := !excused && left > 0 && inTime < before+left
		require.Equal(t, late, dues.Change(k).Penalty > 0, "%s: %s came in time, %s was to be", period, inTime, before+due)
		if before += dues.Owed(k); late {
			stand++
		}
	}
	return stand
}

// letsOff reports whether an absence cancels the due of a period: the absence holds the whole period or, where an
// earlier build recorded it, the due date.
func letsOff(away []savings.Span, start, due time.Time) bool {
	for _, s := range away {
		if s.Whole && s.From.After(savings.Midnight(start)) {
			continue
		}
		if within([]savings.Span{s}, due) {
			return true
		}
	}
	return false
}

func within(away []savings.Span, day time.Time) bool {
	for _, s := range away {
		if !day.Before(savings.Day(s.From)) && (s.To.IsZero() || day.Before(savings.Day(s.To))) {
			return true
		}
	}
	return false
}

func TestAPenaltyStandsExactlyWhenADueWasNotPaidInTime(t *testing.T) {
	t.Parallel()
	stood, taken := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		d := &diary{t: t, w: strict(t), now: Epoch}
		for range rapid.IntRange(5, 35).Draw(t, "things") {
			d.next(t)
			d.holds(t)
		}
		d.back()
		d.do(d.now, penalises("bisi", d.now))
		d.holds(t)
		stood += d.judges(t)
		for _, draft := range d.w.Drafts {
			if _, ok := draft.Message.(*nairav1.PenaltyReversed); ok {
				taken++
			}
		}
	})
	require.Greater(t, stood, 20, "the stories are too harmless to show anything")
	require.Positive(t, taken)
}
