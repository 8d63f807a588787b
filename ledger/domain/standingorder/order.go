// Package standingorder decides standing orders: a member's consent to have an amount paid from the wallet into a
// sub-account every week or month.
//
//	Order  "" ──▶ ACTIVE ⇄ PAUSED ──▶ ENDED     by its member, or as nothing can be paid into any more
//	Day    next ──▶ RAN | MISSED                each of its days comes to one of these once, in order
//
// An order records a day together with its contribution, or not at all. Only its next day can run, so that it pays at
// most once a day, however often somebody tries.
package standingorder

import (
	"time"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// Status is where an order stands.
type Status string

// The statuses.
const (
	None   Status = ""
	Active Status = "ACTIVE"
	Paused Status = "PAUSED"
	Ended  Status = "ENDED"
)

// Tries is on how many days a payment is tried: its own, and the ones after it.
const Tries = 3

// startMax is how far ahead the first day may be, in days.
const startMax = 366

// Order is the state of an order's stream. Its days are YYYY-MM-DD in Lagos.
type Order struct {
	Status              Status
	User                string
	Group, SubAccount   string
	Amount              money.Kobo
	Frequency           nairav1.StandingFrequency
	First, Next, Behind string    // Behind is the last day that ran or was missed; empty before the first.
	SetAt, ResumedAt    time.Time // ResumedAt is zero before it was resumed.
	Reason              string    // Why Adashi ended it.
}

// Schedule is the order's days. It panics before the order is set.
func (o Order) Schedule() Schedule { return Schedule{savings.ParseDay(o.First), o.Frequency} }

// Orders folds an order's stream.
var Orders = event.Of("standing", 2, func(o Order, e event.Happened) Order {
	switch m := e.Message.(type) {
	case *nairav1.StandingOrderSet:
		return Order{
			Status: Active, User: m.GetUserId(), Group: m.GetGroupId(), SubAccount: m.GetSubAccountId(), Amount: money.Kobo(m.GetAmountKobo()),
			Frequency: m.GetFrequency(), First: m.GetFirstDay(), Next: m.GetFirstDay(), SetAt: e.EffectiveAt,
		}
	case *nairav1.StandingOrderPaused:
		o.Status, o.Next = Paused, ""
	case *nairav1.StandingOrderResumed:
		o.Status, o.Next, o.ResumedAt = Active, m.GetNextDay(), e.EffectiveAt
	case *nairav1.StandingOrderEnded:
		o.Status, o.Next, o.Reason = Ended, "", m.GetReason()
	case *nairav1.StandingOrderRan:
		o.Next, o.Behind = m.GetNextDay(), m.GetDay()
	case *nairav1.StandingOrderMissed:
		o.Next, o.Behind = m.GetNextDay(), m.GetDay()
	}
	return o
})

// Stream is the stream of an order.
func Stream(orderID string) string { return "standing:" + orderID }

// Set is a member's consent to an order.
type Set struct {
	OrderID, User         string
	GroupID, SubAccountID string
	Amount                money.Kobo
	Frequency             nairav1.StandingFrequency
	FirstDay              time.Time // Midnight UTC of a Lagos day: today or later.
	Now                   time.Time
}

// Streams implements event.Command.
func (c Set) Streams() []string {
	return []string{Stream(c.OrderID), savings.MemberStream(c.GroupID, c.User), savings.SubStream(c.SubAccountID)}
}

// Accounts implements event.Command.
func (Set) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Set) Decide(v event.View) ([]event.Draft, error) {
	m := event.StateOf[savings.Member](v, savings.MemberStream(c.GroupID, c.User))
	sub := event.StateOf[savings.SubAccount](v, savings.SubStream(c.SubAccountID))
	today := savings.Day(c.Now)
	switch {
	case event.StateOf[Order](v, Stream(c.OrderID)).Status != None:
		return nil, fault.New(fault.Conflict, "This standing order exists already.")
	case sub.Status == savings.None || sub.Group != c.GroupID:
		return nil, fault.New(fault.NotFound, "There is no such sub-account.")
	case m.Standing().May(standing.OrderDues) != nil:
		return nil, m.Standing().May(standing.OrderDues)
	case sub.Type == nairav1.PaymentType_PAYMENT_TYPE_ONE_OFF:
		return nil, fault.New(fault.Conflict, "This is paid one time only. Please pay it directly.")
	case c.Amount <= 0 || c.Amount > savings.MaxContribution:
		return nil, fault.Field("amount", "The amount must be between %s and %s.", money.Kobo(1), savings.MaxContribution)
	case c.Frequency == nairav1.StandingFrequency_STANDING_FREQUENCY_UNSPECIFIED:
		return nil, fault.Field("frequency", "Choose every week or every month.")
	case c.FirstDay.Before(today):
		return nil, fault.Field("firstDay", "The first day must be today or later.")
	case c.FirstDay.After(today.AddDate(0, 0, startMax)):
		return nil, fault.Field("firstDay", "The first day must be within a year from today.")
	}
	return []event.Draft{{Stream: Stream(c.OrderID), Message: &nairav1.StandingOrderSet{
		OrderId: c.OrderID, UserId: c.User, GroupId: c.GroupID, SubAccountId: c.SubAccountID, AmountKobo: int64(c.Amount),
		Frequency: c.Frequency, FirstDay: written(c.FirstDay),
	}}}, nil
}

func written(day time.Time) string { return day.Format(time.DateOnly) }

// change is a command about one order of a member's that moves no money.
type change struct {
	order, user string
	decide      func(Order) (proto.Message, error)
}

// Streams implements event.Command.
func (c change) Streams() []string { return []string{Stream(c.order)} }

// Accounts implements event.Command.
func (change) Accounts() []string { return nil }

// Decide implements event.Command. Another member's order is not there, and one that has ended stays so.
func (c change) Decide(v event.View) ([]event.Draft, error) {
	o := event.StateOf[Order](v, Stream(c.order))
	switch {
	case o.Status == None || o.User != c.user:
		return nil, fault.New(fault.NotFound, "There is no such standing order.")
	case o.Status == Ended:
		return nil, fault.New(fault.Conflict, "This standing order has ended. You can set a new one.")
	}
	m, err := c.decide(o)
	if err != nil {
		return nil, err
	}
	return []event.Draft{{Stream: Stream(c.order), Message: m}}, nil
}

// Pause stops an order until it is resumed. A day that is still being tried is given up.
func Pause(orderID, user string) event.Command {
	return change{orderID, user, func(o Order) (proto.Message, error) {
		if o.Status == Paused {
			return nil, fault.New(fault.Conflict, "This standing order is paused already.")
		}
		return &nairav1.StandingOrderPaused{OrderId: orderID, UserId: user}, nil
	}}
}

// Resume has an order go on with the first of its days from today that has neither run nor been missed.
func Resume(orderID, user string, now time.Time) event.Command {
	return change{orderID, user, func(o Order) (proto.Message, error) {
		if o.Status == Active {
			return nil, fault.New(fault.Conflict, "This standing order is running already.")
		}
		next := o.Schedule().From(savings.Day(now))
		if written(next) <= o.Behind {
			next = o.Schedule().After(savings.ParseDay(o.Behind))
		}
		return &nairav1.StandingOrderResumed{OrderId: orderID, UserId: user, NextDay: written(next)}, nil
	}}
}

// End ends an order for good. The reason is empty when its member ends it.
func End(orderID, user, reason string) event.Command {
	return change{orderID, user, func(Order) (proto.Message, error) {
		return &nairav1.StandingOrderEnded{OrderId: orderID, UserId: user, Reason: reason}, nil
	}}
}
