package standingorder

import (
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// Why an order ended that its member did not end.
const (
	AccountClosed = standing.OrderEnds
	NotAMember    = standing.OrderLeft
	NotCollecting = "The group no longer collects for this."
	GivenBack     = "This account was given back to its owner."
)

// NotTried is why a day was missed that nobody came to try.
const NotTried = "We could not make the payment in time."

// Run pays what an order has next, if that is the day it names. Money and day are recorded together or not at all.
//
// Too little money is fault.Insufficient and changes nothing: it may be tried again. A day that cannot be paid for any
// other reason is missed at once, and an order that has nothing to pay into any more is ended.
type Run struct {
	OrderID string
	Day     string // The day that is run, YYYY-MM-DD.
	// What is paid. Its user, sub-account and amount are the order's.
	Contribute dues.Contribute
	// Refused says why the member may not pay just now, when they may not; the day is missed.
	Refused string
}

// Streams implements event.Command.
func (c Run) Streams() []string {
	return slices.Concat([]string{Stream(c.OrderID), account.Stream(c.Contribute.User)}, c.Contribute.Streams())
}

// Accounts implements event.Command.
func (c Run) Accounts() []string { return c.Contribute.Accounts() }

// Decide implements event.Command.
func (c Run) Decide(v event.View) ([]event.Draft, error) {
	o := event.StateOf[Order](v, Stream(c.OrderID))
	if err := c.due(o); err != nil {
		return nil, err
	}
	if reason := c.over(v); reason != "" {
		return c.draft(&nairav1.StandingOrderEnded{OrderId: c.OrderID, UserId: o.User, Reason: reason})
	}
	if c.Refused != "" {
		return c.draft(missed(v, c.OrderID, o, c.Contribute.At, c.Refused))
	}
	paid, err := c.Contribute.Decide(v)
	switch refusal := fault.As(err); {
	case refusal != nil && refusal.Code == fault.Insufficient:
		return nil, err
	case refusal != nil:
		return c.draft(missed(v, c.OrderID, o, c.Contribute.At, refusal.Message))
	case err != nil:
		return nil, err
	}
	ran, err := c.Paid(v)
	return append(paid, ran...), err
}

// Paid is what the order notes once its contribution is paid.
func (c Run) Paid(v event.View) ([]event.Draft, error) {
	o := event.StateOf[Order](v, Stream(c.OrderID))
	if err := c.due(o); err != nil {
		return nil, err
	}
	return c.draft(&nairav1.StandingOrderRan{
		OrderId: c.OrderID, UserId: o.User, Day: c.Day, NextDay: written(o.Schedule().After(savings.ParseDay(c.Day))),
	})
}

func (c Run) draft(m proto.Message) ([]event.Draft, error) {
	return []event.Draft{{Stream: Stream(c.OrderID), Message: m}}, nil
}

// due refuses a run of another day than the next, one whose day has not come or is over, and one that is not the
// order's.
func (c Run) due(o Order) error {
	today := savings.Day(c.Contribute.At)
	switch {
	case o.Status == None || o.User != c.Contribute.User || o.Group != c.Contribute.GroupID || o.SubAccount != c.Contribute.SubAccountID || o.Amount != c.Contribute.Amount:
		return fault.New(fault.NotFound, "There is no such standing order.")
	case o.Status != Active || o.Next != c.Day:
		return fault.New(fault.Conflict, "This standing order has nothing to pay for %s.", c.Day)
	case today.Before(savings.ParseDay(c.Day)):
		return fault.New(fault.Conflict, "This standing order is not due before %s.", c.Day)
	case Over(c.Day, today):
		return fault.New(fault.Conflict, "The days on which this could be paid are over.")
	}
	return nil
}

// over says why there is nothing to pay into any more, if there is not. An inactive member's order goes on, and misses
// its days; one of a membership that ended pays nothing into the next, and so does one that was set or resumed while
// somebody else used the account. Earlier builds did none of these.
func (c Run) over(v event.View) string {
	m := event.StateOf[savings.Member](v, savings.MemberStream(c.Contribute.GroupID, c.Contribute.User))
	_, earlier := v.(standing.Earlier)
	o := event.StateOf[Order](v, Stream(c.OrderID))
	ended := m.Readmitted(o.SetAt)
	if earlier {
		ended = m.Status == savings.Inactive
	}
	g := event.StateOf[savings.Group](v, savings.GroupStream(c.Contribute.GroupID))
	sub := event.StateOf[savings.SubAccount](v, savings.SubStream(c.Contribute.SubAccountID))
	a := event.StateOf[account.Account](v, account.Stream(c.Contribute.User))
	switch {
	case !earlier && (a.Stolen(o.SetAt) || a.Stolen(o.ResumedAt)):
		return GivenBack
	case standing.May(v, c.Contribute.User, standing.PayByOrder) != nil:
		return AccountClosed
	case ended || m.Standing().May(standing.PayByOrder) != nil:
		return NotAMember
	case sub.Status != savings.Active || !slices.Contains([]savings.Status{savings.PendingApproval, savings.Active, savings.Suspended}, g.Status):
		return NotCollecting
	}
	return ""
}

// Over reports whether the days on which one of an order's days could be paid have all gone by.
func Over(day string, today time.Time) bool {
	return !today.Before(savings.ParseDay(day).AddDate(0, 0, Tries))
}

// missed is what an order's next day came to. It goes on with the day after it, which is missed by itself where its
// time is over too. Earlier builds went on with the first day that was now or later, and lost those between.
func missed(v event.View, orderID string, o Order, now time.Time, reason string) *nairav1.StandingOrderMissed {
	next := o.Schedule().After(savings.ParseDay(o.Next))
	if _, earlier := v.(standing.Earlier); earlier {
		if first := o.Schedule().From(savings.Day(now)); first.After(next) {
			next = first
		}
	}
	return &nairav1.StandingOrderMissed{
		OrderId: orderID, UserId: o.User, Day: o.Next, NextDay: written(next), Reason: reason,
		AmountKobo: int64(o.Amount), GroupId: o.Group, SubAccountId: o.SubAccount,
	}
}

// Miss records each day that could not be paid on any of the days on which it was tried: the next one, why, and all
// after it whose time is over too, since nobody came to try them.
func Miss(orderID, user, day, reason string, now time.Time) event.Command {
	return misses{change{orderID, user, func(o Order) (proto.Message, error) {
		if o.Status != Active || o.Next != day || !Over(day, savings.Day(now)) {
			return nil, fault.New(fault.Conflict, "This standing order has nothing to miss for %s.", day)
		}
		return &nairav1.StandingOrderMissed{}, nil // Decide says which.
	}}, reason, now}
}

// misses are days that are missed together.
type misses struct {
	change
	reason string
	now    time.Time
}

// Decide implements event.Command. Earlier builds recorded the first alone.
func (c misses) Decide(v event.View) (drafts []event.Draft, err error) {
	if _, err := c.change.Decide(v); err != nil {
		return nil, err
	}
	o, reason := event.StateOf[Order](v, Stream(c.order)), c.reason
	for len(drafts) == 0 || Over(o.Next, savings.Day(c.now)) {
		m := missed(v, c.order, o, c.now, reason)
		drafts = append(drafts, event.On(Stream(c.order), m))
		o.Next, reason = m.GetNextDay(), NotTried
		if _, earlier := v.(standing.Earlier); earlier {
			break
		}
	}
	return drafts, nil
}
