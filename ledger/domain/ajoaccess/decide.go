package ajoaccess

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wording"
	"adashi.ng/ledger/event"
)

// streams are those that a decision about a member's access is made from.
func streams(user string) []string { return []string{Stream(user), account.Stream(user)} }

// seen is what they say.
func seen(v event.View, user string) (Access, account.Account, error) {
	a, owner := event.StateOf[Access](v, Stream(user)), event.StateOf[account.Account](v, account.Stream(user))
	return a, owner, standing.May(v, user, standing.AskAccess)
}

// Ask asks for access, with what the vault holds of the member.
type Ask struct {
	User, AskID                string
	Adult                      bool
	Salary                     money.Kobo
	BankStatement, OfferLetter bool // They are on file.
}

// Streams implements event.Command.
func (c Ask) Streams() []string { return streams(c.User) }

// Accounts implements event.Command.
func (Ask) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Ask) Decide(v event.View) ([]event.Draft, error) {
	a, owner, err := seen(v, c.User)
	switch {
	case err != nil:
		return nil, err
	case a.Status == Asked:
		return nil, fault.New(fault.Conflict, "You have asked already, and our finance team looks at it. Wait for their answer, or withdraw the request.")
	case !c.Adult:
		return nil, standing.Minor.May(standing.AskAccess)
	case owner.Bvn != account.Verified:
		return nil, fault.New(fault.Conflict, "Your BVN is not verified. Verify it in your profile, then ask again.")
	case c.Salary <= 0:
		return nil, fault.New(fault.Conflict, "Your monthly salary is missing. Enter it in your profile, then ask again.")
	case !c.BankStatement:
		return nil, fault.New(fault.Conflict, "Your bank statement is missing. Upload it in your profile, then ask again.")
	case !c.OfferLetter:
		return nil, fault.New(fault.Conflict, "Your offer letter is missing. Upload it in your profile, then ask again.")
	case a.Has && a.Base == c.Salary:
		return nil, fault.New(fault.Conflict, "You have ajo access up to %s a month already. Ask again when your salary has changed.", a.Limit)
	case LimitOf(c.Salary) <= 0:
		return nil, fault.New(fault.Conflict, "A third of your salary is less than one kobo. Correct it in your profile, then ask again.")
	}
	return []event.Draft{{Stream: Stream(c.User), Message: &nairav1.AjoAccessAsked{
		UserId: c.User, AskId: c.AskID, SalaryKobo: int64(c.Salary), HasAccess: a.Has,
	}}}, nil
}

// Withdraw takes the member's request back.
type Withdraw struct{ User string }

// Streams implements event.Command.
func (c Withdraw) Streams() []string { return streams(c.User) }

// Accounts implements event.Command.
func (Withdraw) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Withdraw) Decide(v event.View) ([]event.Draft, error) {
	a, _, err := seen(v, c.User)
	switch {
	case err != nil:
		return nil, err
	case a.Status != Asked:
		return nil, fault.New(fault.Conflict, "You have no request for ajo access that waits. Look at how it stands in your profile.")
	}
	return []event.Draft{{Stream: Stream(c.User), Message: &nairav1.AjoAccessWithdrawn{UserId: c.User, AskId: a.AskID, HasAccess: a.Has}}}, nil
}

// Review is who decides on which request of whom.
type Review struct {
	Staff, User, AskID string
	SharesBank         bool // They are paid to one bank account.
}

// Streams implements event.Command.
func (c Review) Streams() []string { return append(streams(c.User), account.Stream(c.Staff)) }

// Accounts implements event.Command.
func (Review) Accounts() []string { return nil }

// MayReview refuses those who may not look at somebody's request, nor decide on it.
func (c Review) MayReview() error {
	switch {
	case c.Staff == c.User:
		return standing.Own.May(standing.ReviewAccess)
	case c.SharesBank:
		return standing.Tied.May(standing.ReviewAccess)
	}
	return nil
}

func (c Review) open(v event.View) (Access, account.Account, error) {
	a, owner, _ := seen(v, c.User)
	switch {
	case standing.May(v, c.User, standing.BeReviewed) != nil:
		return a, owner, standing.May(v, c.User, standing.BeReviewed)
	case a.Status != Asked:
		return a, owner, fault.New(fault.Conflict, "This request waits no more: it was decided or withdrawn. Go back to the list.")
	case a.AskID != c.AskID:
		return a, owner, fault.New(fault.Conflict, "They have asked anew since you looked. Open the request again and look at what it says now.")
	}
	if err := c.MayReview(); err != nil {
		return a, owner, err
	}
	return a, owner, standing.May(v, c.Staff, standing.ReviewAccess)
}

// Grant gives access up to a third of the salary that was asked with.
type Grant struct{ Review }

// Decide implements event.Command.
func (c Grant) Decide(v event.View) ([]event.Draft, error) {
	a, owner, err := c.open(v)
	switch {
	case err != nil:
		return nil, err
	case owner.Bvn != account.Verified:
		return nil, fault.New(fault.Conflict, "Their BVN is not verified any more. Refuse the request, and ask them to verify it.")
	}
	return []event.Draft{{Stream: Stream(c.User), Message: &nairav1.AjoAccessGranted{
		UserId: c.User, AskId: a.AskID, LimitKobo: int64(LimitOf(a.Salary)), ReviewedBy: c.Staff,
	}}}, nil
}

// Refuse turns a request down and says why, for the member to read.
type Refuse struct {
	Review
	Reason string
}

const reasonMin, reasonMax = 5, 200

// Decide implements event.Command.
func (c Refuse) Decide(v event.View) ([]event.Draft, error) {
	a, _, err := c.open(v)
	if err != nil {
		return nil, err
	}
	reason, err := wording.Text("reason", "The reason", c.Reason, reasonMin, reasonMax)
	switch {
	case err != nil:
		return nil, err
	case wording.Particulars(reason):
		return nil, fault.Field("reason", "This is kept for ever. Leave account numbers and the BVN out.")
	}
	return []event.Draft{{Stream: Stream(c.User), Message: &nairav1.AjoAccessRefused{
		UserId: c.User, AskId: a.AskID, Reason: reason, ReviewedBy: c.Staff, HasAccess: a.Has,
	}}}, nil
}

// Lose takes access away from a member who has collected in an ajo and owes there.
func Lose(user, reason, ajoID string) event.Command { return lose{user, reason, ajoID} }

type lose struct{ user, reason, ajo string }

// Streams implements event.Command.
func (c lose) Streams() []string { return []string{Stream(c.user)} }

// Accounts implements event.Command.
func (lose) Accounts() []string { return nil }

// Decide implements event.Command.
func (c lose) Decide(v event.View) ([]event.Draft, error) {
	if !event.StateOf[Access](v, Stream(c.user)).Has {
		return nil, fault.New(fault.Conflict, "This member has no ajo access to lose.")
	}
	return []event.Draft{Lost(c.user, c.reason, c.ajo)}, nil
}
