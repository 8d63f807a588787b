package savings

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wording"
	"adashi.ng/ledger/event"
)

// The bounds of a group.
const (
	MinCapacity     = 3 // An owner, a validator and one more approver.
	MaxCapacity     = 10_000
	MinContribution = 50 * money.Naira
	MaxContribution = 100_000_000 * money.Naira
	maxName         = 60
	minName         = 3
	maxDescription  = 500
)

// ErrNoGroup says that there is no such group, also to those who may not know of it.
func ErrNoGroup() error { return fault.New(fault.NotFound, "There is no such group.") }

// Text cleans what somebody wrote and holds it to its bounds. what names it for people.
func Text(field, what, s string, shortest, longest int) (string, error) {
	return wording.Text(field, what, s, shortest, longest)
}

func contribution(field string, amount money.Kobo) error {
	if amount < MinContribution || amount > MaxContribution {
		return fault.Field(field, "The amount must be between %s and %s.", MinContribution, MaxContribution)
	}
	return nil
}

// CreateGroup founds a group; its founder is the owner, first approver and first member.
type CreateGroup struct {
	GroupID          string
	Owner            string
	Name             string
	Description      string
	Amount           money.Kobo
	Capacity         int
	StartMonth       int // 1 to 12: this year's, or next year's when it has passed.
	ShowTotalBalance bool
	MonthlyDues      string // The id of the sub-account for its monthly amount; empty to open none.
	UnderAge         bool   // The owner is not 18 yet.
	Now              time.Time
}

// Streams implements event.Command.
func (c CreateGroup) Streams() []string {
	streams := decided(c.GroupID, c.Owner)
	if c.MonthlyDues != "" {
		streams = append(streams, SubStream(c.MonthlyDues))
	}
	return streams
}

// Accounts implements event.Command.
func (CreateGroup) Accounts() []string { return nil }

// Decide implements event.Command.
func (c CreateGroup) Decide(v event.View) ([]event.Draft, error) {
	if event.StateOf[Group](v, GroupStream(c.GroupID)).Status != None {
		return nil, fault.New(fault.Conflict, "This group exists already.")
	}
	if err := standing.May(v, c.Owner, standing.Found); err != nil {
		return nil, err
	}
	if c.UnderAge {
		return nil, standing.Minor.May(standing.Found)
	}
	name, err := wording.Text("name", "The group's name", c.Name, minName, maxName)
	if err != nil {
		return nil, err
	}
	description, err := wording.Text("description", "The description", c.Description, 0, maxDescription)
	if err != nil {
		return nil, err
	}
	if err := contribution("amount", c.Amount); err != nil {
		return nil, err
	}
	if c.Capacity < MinCapacity || c.Capacity > MaxCapacity {
		return nil, fault.Field("memberCapacity", "A group holds %d to %d members.", MinCapacity, MaxCapacity)
	}
	if c.StartMonth < 1 || c.StartMonth > 12 {
		return nil, fault.Field("startMonthId", "Choose a month from 1 to 12.")
	}
	now := MonthStart(c.Now)
	year := now.Year()
	if time.Month(c.StartMonth) < now.Month() {
		year++
	}
	group := GroupStream(c.GroupID)
	drafts := []event.Draft{
		event.On(group, &nairav1.GroupCreated{
			GroupId: c.GroupID, OwnerId: c.Owner, Name: name, Description: description, AmountKobo: int64(c.Amount),
			MemberCapacity: int32(c.Capacity), StartMonth: int32(c.StartMonth), StartYear: int32(year), ShowTotalBalance: c.ShowTotalBalance,
		}),

		event.On(group, &nairav1.SeatTaken{GroupId: c.GroupID, UserId: c.Owner, Seats: 1}),
		event.On(MemberStream(c.GroupID, c.Owner), &nairav1.MembershipApproved{GroupId: c.GroupID, UserId: c.Owner, ApprovedBy: c.Owner}),
	}
	if c.MonthlyDues == "" {
		return drafts, nil
	}
	first := time.Date(year, time.Month(c.StartMonth), 1, 0, 0, 0, 0, time.UTC)
	if first.Before(now) {
		first = now
	}
	return append(
		drafts,
		event.On(SubStream(c.MonthlyDues), &nairav1.SubAccountOpened{
			GroupId: c.GroupID, SubAccountId: c.MonthlyDues, Name: "Monthly dues", PaymentType: nairav1.PaymentType_PAYMENT_TYPE_FIXED,
			PaymentFrequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, AmountKobo: int64(c.Amount), ShowTotalToMembers: true, FirstDue: first.Format(time.DateOnly),
		}),

		counted(Group{}, c.GroupID, c.MonthlyDues),
	), nil
}

// OpenSubAccount starts collecting for something.
type OpenSubAccount struct {
	GroupID, SubAccountID string
	By                    string
	Name, Description     string
	Type                  nairav1.PaymentType
	Frequency             nairav1.PaymentFrequency
	Amount                money.Kobo
	ShowTotal             bool
	Late                  Late      // Frozen from now on.
	FirstDay              time.Time // The Lagos day on which dues begin, at midnight UTC; zero for the day of opening.
	Now                   time.Time
}

// Streams implements event.Command.
func (c OpenSubAccount) Streams() []string {
	return append(decided(c.GroupID, c.By), SubStream(c.SubAccountID))
}

// Accounts implements event.Command.
func (OpenSubAccount) Accounts() []string { return nil }

// Decide implements event.Command.
func (c OpenSubAccount) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	if err := Approver(v, g, c.GroupID, c.By); err != nil {
		return nil, err
	}
	if err := g.collects(); err != nil {
		return nil, err
	}
	if event.StateOf[SubAccount](v, SubStream(c.SubAccountID)).Status != None {
		return nil, fault.New(fault.Conflict, "This sub-account exists already.")
	}
	name, err := wording.Text("name", "The sub-account's name", c.Name, minName, maxName)
	if err != nil {
		return nil, err
	}
	description, err := wording.Text("description", "The description", c.Description, 0, maxDescription)
	if err != nil {
		return nil, err
	}
	if err := contribution("amountPayable", c.Amount); err != nil {
		return nil, err
	}
	if err := c.rhythm(); err != nil {
		return nil, err
	}
	if err := c.Late.check(c.Type, c.Amount); err != nil {
		return nil, err
	}
	first, err := c.first(g)
	if err != nil {
		return nil, err
	}
	opened := []event.Draft{event.On(SubStream(c.SubAccountID), &nairav1.SubAccountOpened{
		GroupId: c.GroupID, SubAccountId: c.SubAccountID, Name: name, Description: description, PaymentType: c.Type,
		PaymentFrequency: c.Frequency, AmountKobo: int64(c.Amount), ShowTotalToMembers: c.ShowTotal, FirstDue: first.Format(time.DateOnly),
	})}
	if c.Late.Any() {
		opened = append(opened, event.On(SubStream(c.SubAccountID), &nairav1.LateTermsSet{
			GroupId: c.GroupID, SubAccountId: c.SubAccountID, GraceDays: int32(c.Late.GraceDays), PenaltyType: c.Late.Type,
			PenaltyKobo: int64(c.Late.Amount), PenaltyBasisPoints: int32(c.Late.BasisPoints),
		}))
	}
	return append(opened, counted(g, c.GroupID, c.SubAccountID)), nil
}

// first is the first day of the first period: the one that holds the day of opening or the day that was chosen, and the
// group's first month when that is still to come. A monthly frequency begins with a month; days and weeks begin on the
// day.
func (c OpenSubAccount) first(g Group) (time.Time, error) {
	day, today := c.FirstDay, Day(c.Now)
	switch {
	case day.IsZero():
		day = today
	case day.Before(today), day.After(today.AddDate(1, 0, 0)):
		return day, fault.Field("firstDay", "Choose a first day from today to a year ahead.")
	}
	if day.Before(g.Start) {
		return g.Start, nil
	}
	switch c.Frequency {
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_DAILY, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_BIWEEKLY:
		if g.Status == PendingApproval {
			return day, fault.New(fault.Conflict, "Open what is paid by days or weeks once the group is active, so that nobody owes for days on which nothing could be paid.")
		}
		return day, nil
	default:
		return time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC), nil
	}
}

// rhythm holds type and frequency together: only a one-off is paid one time.
func (c OpenSubAccount) rhythm() error {
	oneTime := c.Frequency == nairav1.PaymentFrequency_PAYMENT_FREQUENCY_ONE_TIME
	switch {
	case c.Type == nairav1.PaymentType_PAYMENT_TYPE_UNSPECIFIED:
		return fault.Field("paymentType", "Choose fixed, flexible or one-off.")
	case c.Frequency == nairav1.PaymentFrequency_PAYMENT_FREQUENCY_UNSPECIFIED:
		return fault.Field("paymentFrequency", "Choose how often it is paid.")
	case c.Type == nairav1.PaymentType_PAYMENT_TYPE_ONE_OFF && !oneTime:
		return fault.Field("paymentFrequency", "A one-off payment is paid one time.")
	case c.Type == nairav1.PaymentType_PAYMENT_TYPE_FIXED && oneTime:
		return fault.Field("paymentFrequency", "A fixed contribution repeats; choose how often, or make it one-off.")
	}
	return nil
}
