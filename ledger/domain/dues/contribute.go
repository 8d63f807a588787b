package dues

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// advance is how far ahead of today dues may be paid.
const advanceMonths = 12

// Contribute pays a sub-account from the member's wallet.
type Contribute struct {
	GroupID, SubAccountID string
	User                  string
	Amount                money.Kobo
	MonthID               int    // The month paid for: its oldest open due. 0 for the oldest open due of all.
	Period                string // The first day of the due that is paid for, YYYY-MM-DD; empty for whichever is the oldest.
	Channel               nairav1.Channel
	PaymentID             string    // The payment the money came with, if it did.
	At                    time.Time // When the money counts from; the command's events must take effect then.
}

// Streams implements event.Command.
func (c Contribute) Streams() []string {
	return []string{savings.GroupStream(c.GroupID), savings.MemberStream(c.GroupID, c.User), savings.SubStream(c.SubAccountID), Stream(c.SubAccountID, c.User)}
}

// Accounts implements event.Command.
func (c Contribute) Accounts() []string {
	return []string{posting.Wallet(c.User), posting.Pool(c.SubAccountID)}
}

// OnlyTakes implements incoming.OnlyTakes.
func (Contribute) OnlyTakes() bool { return true }

// Decide implements event.Command. Penalties come before the contribution: those that are due by its time, and those
// that it takes back because it came in time after all.
func (c Contribute) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID))
	m := event.StateOf[savings.Member](v, savings.MemberStream(c.GroupID, c.User))
	sub := event.StateOf[savings.SubAccount](v, savings.SubStream(c.SubAccountID))
	_, earlier := v.(standing.Earlier) // Earlier builds told who had left that there is no such sub-account, and took nothing late.
	switch {
	case sub.Status == savings.None || sub.Group != c.GroupID:
		return nil, errNoSub()
	case m.Status == savings.None && m.Was && !earlier:
		return nil, fault.New(fault.Conflict, "You are no longer a member of the group. You have not been charged.")
	case m.Standing().May(standing.PayDues) != nil:
		return nil, m.Standing().May(standing.PayDues)
	case g.Status != savings.Active && (earlier || !g.Took(c.At)):
		return nil, notCollecting(g.Status)
	}
	b := openBook(v, c.GroupID, c.SubAccountID, c.User)
	if err := b.dues.isNext(c.Period); err != nil {
		return nil, err
	}
	settled, err := b.take(c.Amount, c.MonthID, c.At)
	if err != nil {
		return nil, err
	}
	if err := wallet.Enough(v, c.User, c.Amount); err != nil {
		return nil, err
	}
	return append(b.drafts, event.On(b.stream(), &nairav1.ContributionReceived{
		GroupId: c.GroupID, SubAccountId: c.SubAccountID, UserId: c.User, AmountKobo: int64(c.Amount), Channel: c.Channel,
		PaymentId: c.PaymentID, Settled: settled, MemberTotalKobo: int64(b.dues.Total + c.Amount),
	})), nil
}

func errNoSub() error { return fault.New(fault.NotFound, "There is no such sub-account.") }

// notCollecting says why a group takes no money, and what may be done.
func notCollecting(s savings.Status) error {
	switch s {
	case savings.Suspended:
		return fault.New(fault.Conflict, "The group is suspended, so it takes no contributions. Ask its owner, or contact us.")
	case savings.Closing:
		return fault.New(fault.Conflict, "The group is closing and takes no more contributions.")
	case savings.Closed, savings.Rejected, savings.Cancelled:
		return fault.New(fault.Conflict, "The group has ended and takes no more contributions.")
	default:
		return fault.New(fault.Conflict, "The group is not active yet, so it cannot take contributions. It needs a validator first.")
	}
}
