package app

import (
	"slices"
	"time"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/money"
	"adashi.ng/ledger/savings"
	"adashi.ng/projections/groups"
)

// duesOf are a member's dues to a sub-account, who joined at since and has paid that total.
func duesOf(s groups.SubAccount, since time.Time, total money.Kobo) savings.Dues {
	return savings.SubAccount{
		Type: s.Type, Amount: s.Amount, Schedule: savings.Schedule{First: savings.ParseDay(s.FirstDue), Frequency: s.Frequency},
	}.Dues(savings.Member{Since: since}, savings.Paid{Total: total})
}

// The dues that a sub-account's page shows.
const (
	settledShown = 3
	comingShown  = 12
)

// shownDues are the last settled dues, all open ones and the next to come.
func shownDues(g groups.Group, s groups.SubAccount, d savings.Dues, today time.Time) []contract.Due {
	out := []contract.Due{}
	if d.Flexible() {
		return out
	}
	last := min(d.Last(today), max(d.Schedule.At(today), d.Next())+comingShown)
	for k := max(d.From, d.Next()-settledShown); k <= last; k++ {
		out = append(out, dueView(g, s, d, k, today))
	}
	return out
}

func dueView(g groups.Group, s groups.SubAccount, d savings.Dues, k int, today time.Time) contract.Due {
	start, due, paid := d.Schedule.Start(k), d.Schedule.Due(k), d.Paid(k)
	return contract.Due{
		SubAccountId: s.ID, SubAccountName: s.Name, GroupId: g.ID, GroupName: g.Name,
		Period: start.Format(time.DateOnly), Label: d.Schedule.Label(k), MonthId: int(start.Month()), DueDate: due.Format(time.DateOnly),
		Amount: naira(d.Amount), Paid: naira(paid), Outstanding: naira(d.Amount - paid), Status: dueStatus(d, k, today),
	}
}

func dueStatus(d savings.Dues, k int, today time.Time) contract.DueStatus {
	switch paid := d.Paid(k); {
	case paid == d.Amount:
		return contract.DueStatusPAID
	case today.After(d.Schedule.Due(k)):
		return contract.DueStatusOVERDUE
	case paid > 0:
		return contract.DueStatusPARTIAL
	case today.Before(d.Schedule.Start(k)):
		return contract.DueStatusSCHEDULED
	default:
		return contract.DueStatusDUE
	}
}

// nextDue is the oldest due not fully paid, if it may be paid by now or within the horizon.
func nextDue(g groups.Group, s groups.SubAccount, d savings.Dues, today, horizon time.Time) (contract.Due, bool) {
	if d.Flexible() || g.Status != string(savings.Active) {
		return contract.Due{}, false
	}
	k := d.Next()
	if k > d.Last(today) || d.Schedule.Start(k).After(horizon) {
		return contract.Due{}, false
	}
	return dueView(g, s, d, k, today), true
}

// monthly says whether a member has something due this month, and whether they have paid all of it.
func monthly(subs []groups.SubAccount, since time.Time, paid map[string]money.Kobo, today time.Time) (due, settled bool) {
	settled = true
	for _, s := range subs {
		if s.Type == nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE {
			continue
		}
		d := duesOf(s, since, paid[s.ID])
		k := d.Schedule.At(today)
		if k < d.From || today.Before(d.Schedule.First) || today.After(d.Schedule.Due(k)) {
			continue
		}
		due = true
		settled = settled && d.Paid(k) == d.Amount
	}
	return due, due && settled
}

func soonest(dues []contract.Due) {
	slices.SortStableFunc(dues, func(a, b contract.Due) int {
		if a.DueDate < b.DueDate {
			return -1
		}
		if a.DueDate > b.DueDate {
			return 1
		}
		return 0
	})
}
