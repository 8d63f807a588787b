package membership

import (
	"slices"
	"strconv"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/usecase"
)

// TermsOf are a sub-account's terms as the ledger reckons with them.
func TermsOf(s groups.SubAccount) savings.SubAccount {
	return savings.SubAccount{
		Status: savings.Active, Group: s.GroupID, Type: s.Type, Amount: s.Amount, Schedule: usecase.ScheduleOf(s), Opened: s.OpenedAt,
		Late: savings.Late{GraceDays: s.GraceDays, Type: s.PenaltyType, Amount: s.Penalty, BasisPoints: s.PenaltyPoints},
	}
}

// paidOf is what a member paid into a sub-account as the ledger reckons with it, without what is for deciding alone.
func paidOf(c groups.Contributor) dues.State {
	paid := dues.State{Total: c.Total, Drawn: c.Drawn}
	for _, x := range c.Changes {
		paid.Changes = append(paid.Changes, dues.Change{Period: x.Period, Waived: x.Waived, WrittenOff: x.WrittenOff, Penalty: x.Penalty, Penalised: x.Penalised})
	}
	return paid
}

// memberOf is a member as the ledger reckons their dues, with when they were away.
func memberOf(m groups.Member, away map[[2]string][]groups.Span) savings.Member {
	return savings.Member{Since: m.Since, Away: spansOf(away[[2]string{m.GroupID, m.User}])}
}

func spansOf(spans []groups.Span) []savings.Span {
	var out []savings.Span
	for _, span := range spans {
		out = append(out, savings.Span{From: span.From, To: span.To, Whole: span.Whole, Closing: span.Closing})
	}
	return out
}

// shutOf is when a group took no money.
func shutOf(group string, away map[[2]string][]groups.Span) []savings.Span {
	return spansOf(away[[2]string{group, ""}])
}

// DuesOf are a member's dues to a sub-account.
func (c Snapshot) DuesOf(s groups.SubAccount, m groups.Member) dues.Dues {
	return dues.Of(TermsOf(s), memberOf(m, c.away), c.Paid[Payer{m.GroupID, m.User, s.ID}]).Shut(shutOf(m.GroupID, c.away))
}

// LateTerms are grace and penalty in words; empty when there is none.
func LateTerms(s groups.SubAccount) string {
	if s.GraceDays == 0 && s.PenaltyType == nairav1.FeeType_FEE_TYPE_UNSPECIFIED {
		return ""
	}
	percent := strconv.FormatFloat(float64(s.PenaltyPoints)/100, 'f', -1, 64)
	cost := "no penalty"
	switch s.PenaltyType {
	case nairav1.FeeType_FEE_TYPE_FLAT:
		cost = "a penalty of " + s.Penalty.String()
	case nairav1.FeeType_FEE_TYPE_PERCENT:
		cost = "a penalty of " + percent + "% of the due"
	case nairav1.FeeType_FEE_TYPE_PERCENT_CAPPED:
		cost = "a penalty of " + percent + "% of the due, at most " + s.Penalty.String()
	}
	days := "No grace"
	switch {
	case s.GraceDays == 1:
		days = "1 day of grace"
	case s.GraceDays > 1:
		days = strconv.Itoa(s.GraceDays) + " days of grace"
	}
	return days + " after the due date, then " + cost + "."
}

// The dues that a sub-account's page shows.
const (
	settledShown = 3
	comingShown  = 12
)

// ShownDues are the last settled dues, all open ones and the next to come.
func ShownDues(g groups.Group, s groups.SubAccount, d dues.Dues, today time.Time) []Due {
	out := []Due{}
	if d.Flexible() {
		return out
	}
	last := min(d.Last(today), max(d.Schedule.At(today), d.Next())+comingShown)
	for k := max(d.From, min(d.Next(), last+1)-settledShown); k <= last; k++ {
		if IsOwed(d, k) {
			out = append(out, DueView(g, s, d, k, today))
		}
	}
	return out
}

// IsOwed reports whether there is a due in period k: none where the member was inactive.
func IsOwed(d dues.Dues, k int) bool { return d.Owed(k) > 0 || d.Change(k).Waived > 0 }

// DueView is one due of a member, as replies have it.
func DueView(g groups.Group, s groups.SubAccount, d dues.Dues, k int, today time.Time) Due {
	start, due, paid, owed, change := d.Schedule.Start(k), d.Schedule.Due(k), d.Paid(k), d.Owed(k), d.Change(k)
	view := Due{
		SubAccountId: s.ID, SubAccountName: s.Name, GroupId: g.ID, GroupName: g.Name,
		Period: start.Format(time.DateOnly), Label: d.Schedule.Label(k), MonthId: int(start.Month()), DueDate: due.Format(time.DateOnly),
		Amount: usecase.Naira(owed), Paid: usecase.Naira(paid), Outstanding: usecase.Naira(owed - paid), Status: StatusOf(d, k, today),
	}
	if change.Penalty > 0 {
		view.Penalty = usecase.NairaPtr(change.Penalty)
	}
	if change.Waived > 0 {
		view.Waived = usecase.NairaPtr(change.Waived)
	}
	if last, known := d.Deadline(k); known && d.Late.Type != nairav1.FeeType_FEE_TYPE_UNSPECIFIED && owed > paid && !change.Penalised {
		view.PenaltyFrom = usecase.OrNil(last.AddDate(0, 0, 1).Format(time.DateOnly))
	}
	return view
}

// StatusOf says how a due stands.
func StatusOf(d dues.Dues, k int, today time.Time) DueStatus {
	change := d.Change(k)
	switch paid, owed := d.Paid(k), d.Owed(k); {
	case paid == owed && change.Waived > 0 && change.WrittenOff:
		return DueStatusWRITTENOFF
	case paid == owed && change.Waived > 0:
		return DueStatusWAIVED
	case paid == owed:
		return DueStatusPAID
	case today.After(d.Schedule.Due(k)):
		return DueStatusOVERDUE
	case paid > 0:
		return DueStatusPARTIAL
	case today.Before(d.Schedule.Start(k)):
		return DueStatusSCHEDULED
	default:
		return DueStatusDUE
	}
}

// NextDue is the oldest due not fully paid, if it may be paid by now or within the horizon.
func NextDue(g groups.Group, s groups.SubAccount, d dues.Dues, today, horizon time.Time) (Due, bool) {
	if d.Flexible() || g.Status != string(savings.Active) {
		return Due{}, false
	}
	k := d.Next()
	if k > d.Last(today) || d.Schedule.Start(k).After(horizon) {
		return Due{}, false
	}
	return DueView(g, s, d, k, today), true
}

// Monthly says whether a member has something due this month, and whether they have paid all of it.
func Monthly(all []dues.Dues, today time.Time) (due, settled bool) {
	settled = true
	for i := range all {
		d := &all[i]
		if d.Flexible() {
			continue
		}
		k := d.Schedule.At(today)
		if k < d.From || today.Before(d.Schedule.First) || today.After(d.Schedule.Due(k)) || d.Owed(k) == 0 {
			continue
		}
		due = true
		settled = settled && d.Paid(k) == d.Owed(k)
	}
	return due, due && settled
}

// Soonest puts dues in the order of their due dates.
func Soonest(dues []Due) {
	slices.SortStableFunc(dues, func(a, b Due) int {
		if a.DueDate < b.DueDate {
			return -1
		}
		if a.DueDate > b.DueDate {
			return 1
		}
		return 0
	})
}
