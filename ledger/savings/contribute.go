package savings

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/fault"
	"adashi.ng/ledger/money"
	"adashi.ng/ledger/posting"
)

// advance is how far ahead of today dues may be paid.
const advanceMonths = 12

// Contribute pays a sub-account from the member's wallet.
type Contribute struct {
	GroupID, SubAccountID string
	User                  string
	Amount                money.Kobo
	MonthID               int // The month paid for: its oldest open due. 0 for the oldest open due of all.
	Channel               nairav1.Channel
	PaymentID             string // The payment the money came with, if it did.
	At                    time.Time
}

// Streams implements event.Command.
func (c Contribute) Streams() []string {
	return []string{GroupStream(c.GroupID), MemberStream(c.GroupID, c.User), SubStream(c.SubAccountID), DuesStream(c.SubAccountID, c.User)}
}

// Accounts implements event.Command.
func (c Contribute) Accounts() []string {
	return []string{posting.Wallet(c.User), posting.Pool(c.SubAccountID)}
}

// Decide implements event.Command.
func (c Contribute) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	m := event.StateOf[Member](v, MemberStream(c.GroupID, c.User))
	sub := event.StateOf[SubAccount](v, SubStream(c.SubAccountID))
	switch {
	case m.Status == None || sub.Status == None || sub.Group != c.GroupID:
		return nil, fault.New(fault.NotFound, "There is no such sub-account.")
	case m.Status != Active:
		return nil, fault.New(fault.Conflict, "You wait to be approved by the group. You can pay once you are a member.")
	case g.Status != Active:
		return nil, fault.New(fault.Conflict, "The group is not active yet, so it cannot take contributions. It needs a validator first.")
	}
	paid := event.StateOf[Paid](v, DuesStream(c.SubAccountID, c.User))
	settled, err := sub.Dues(m.Since, paid.Total).Settle(c.Amount, c.MonthID, c.At)
	if err != nil {
		return nil, err
	}
	if balance := v.Balance(posting.Wallet(c.User)); balance < c.Amount {
		return nil, fault.New(fault.Insufficient, "Your wallet has %s and this payment needs %s. Add at least %s to your wallet first. You have not been charged.", balance, c.Amount, c.Amount-balance)
	}
	return []event.Draft{draft(DuesStream(c.SubAccountID, c.User), &nairav1.ContributionReceived{
		GroupId: c.GroupID, SubAccountId: c.SubAccountID, UserId: c.User, AmountKobo: int64(c.Amount), Channel: c.Channel,
		PaymentId: c.PaymentID, Settled: settled, MemberTotalKobo: int64(paid.Total + c.Amount),
	})}, nil
}

// Dues are one member's dues to one sub-account. Every due is the same amount and payments settle the oldest first, so
// what was paid in all says where each due stands: due k is paid once the total covers k+1 amounts.
type Dues struct {
	Type     nairav1.PaymentType
	Amount   money.Kobo
	Schedule Schedule
	From     int // The first period this member owes.
	Total    money.Kobo
}

// Dues are the dues of a member since then, who has paid that total.
func (s SubAccount) Dues(since time.Time, total money.Kobo) Dues {
	return Dues{Type: s.Type, Amount: s.Amount, Schedule: s.Schedule, From: s.Schedule.At(Day(since)), Total: total}
}

// Flexible reports that nothing is due: any amount may be paid at any time.
func (d Dues) Flexible() bool { return d.Type == nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE }

// Next is the oldest period not fully paid.
func (d Dues) Next() int { return d.From + int(d.Total/d.Amount) }

// Paid is what was paid towards period k.
func (d Dues) Paid(k int) money.Kobo {
	return max(0, min(d.Amount, d.Total-money.Kobo(k-d.From)*d.Amount))
}

// Last is the last period that may be paid today: a year ahead, or the only one.
func (d Dues) Last(today time.Time) int {
	if d.Schedule.once() {
		return 0
	}
	return max(d.From, d.Schedule.At(today)) + d.Schedule.At(d.Schedule.First.AddDate(0, advanceMonths, 0))
}

// Settle decides which dues a payment settles, the oldest first. It refuses a month that is already paid, a month with
// nothing due, and more than the dues that may be paid ahead.
func (d Dues) Settle(amount money.Kobo, monthID int, at time.Time) ([]*nairav1.Settlement, error) {
	if amount <= 0 || amount > MaxContribution {
		return nil, fault.Field("amount", "The amount must be between %s and %s.", money.Kobo(1), MaxContribution)
	}
	if d.Flexible() {
		return nil, nil
	}
	last := d.Last(Day(at))
	if err := d.open(monthID, last, d.Schedule.At(Day(at))); err != nil {
		return nil, err
	}
	if left := money.Kobo(last+1-d.From)*d.Amount - d.Total; amount > left {
		return nil, fault.Field("amount", "That is more than you can pay here: %s is left%s.", left, d.upTo(last))
	}
	var settled []*nairav1.Settlement
	for k := d.Next(); amount > 0; k++ {
		part := min(amount, d.Amount-d.Paid(k))
		settled = append(settled, &nairav1.Settlement{
			Period: d.Schedule.Start(k).Format(time.DateOnly), AmountKobo: int64(part), Complete: d.Paid(k)+part == d.Amount,
		})
		amount -= part
	}
	return settled, nil
}

// open refuses a payment for which no due is open. current is today's period.
func (d Dues) open(monthID, last, current int) error {
	next := d.Next()
	if next > last {
		return fault.New(fault.Conflict, "You have already paid everything that can be paid here%s. You have not been charged.", d.upTo(last))
	}
	if monthID == 0 {
		return nil
	}
	for k := next; k <= last; k++ {
		if int(d.Schedule.Start(k).Month()) == monthID {
			// A month paid already is not paid again by reaching for the same month of next year.
			if paid, ok := d.latestPaid(monthID, next); ok && k > max(next, current) {
				return alreadyPaid(d.Schedule.Label(paid))
			}
			return nil
		}
	}
	if paid, ok := d.latestPaid(monthID, next); ok {
		return alreadyPaid(d.Schedule.Label(paid))
	}
	return fault.Field("monthId", "Nothing is due in %s.", time.Month(monthID))
}

// upTo names the last period that may be paid; a one-time payment has no other.
func (d Dues) upTo(last int) string {
	if d.Schedule.once() {
		return ""
	}
	return ", up to " + d.Schedule.Label(last)
}

func alreadyPaid(label string) error {
	return fault.New(fault.Conflict, "You have already paid for %s. You have not been charged.", label)
}

func (d Dues) latestPaid(monthID, next int) (int, bool) {
	for k := next - 1; k >= d.From; k-- {
		if int(d.Schedule.Start(k).Month()) == monthID {
			return k, true
		}
	}
	return 0, false
}
