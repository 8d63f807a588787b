package dues

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// Cover pays another member's open dues from one's own wallet. The payment counts as the other's savings.
type Cover struct {
	GroupID, SubAccountID string
	User                  string // Whose dues.
	By                    string // Whose wallet.
	Amount                money.Kobo
	At                    time.Time
}

// Streams implements event.Command.
func (c Cover) Streams() []string {
	return []string{
		savings.GroupStream(c.GroupID), savings.MemberStream(c.GroupID, c.By), savings.MemberStream(c.GroupID, c.User), savings.SubStream(c.SubAccountID), Stream(c.SubAccountID, c.User),
		account.Stream(c.User),
	}
}

// Accounts implements event.Command.
func (c Cover) Accounts() []string {
	return []string{posting.Wallet(c.By), posting.Pool(c.SubAccountID)}
}

// OnlyTakes implements incoming.OnlyTakes.
func (Cover) OnlyTakes() bool { return true }

// Decide implements event.Command.
func (c Cover) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID))
	by := event.StateOf[savings.Member](v, savings.MemberStream(c.GroupID, c.By))
	m := event.StateOf[savings.Member](v, savings.MemberStream(c.GroupID, c.User))
	sub := event.StateOf[savings.SubAccount](v, savings.SubStream(c.SubAccountID))
	switch {
	case sub.Status == savings.None || sub.Group != c.GroupID:
		return nil, errNoSub()
	case by.Standing().May(standing.CoverDues) != nil:
		return nil, by.Standing().May(standing.CoverDues)
	case c.User == c.By:
		return nil, fault.Field("memberId", "These are your own dues: pay them as your own.")
	case m.Standing().May(standing.BePaidFor) != nil:
		return nil, m.Standing().May(standing.BePaidFor)
	case g.Status != savings.Active:
		return nil, notCollecting(g.Status)
	case standing.May(v, c.User, standing.BePaidFor) != nil:
		return nil, standing.May(v, c.User, standing.BePaidFor, "member")
	}
	b := openBook(v, c.GroupID, c.SubAccountID, c.User)
	settled, err := b.cover(c.Amount, c.At)
	if err != nil {
		return nil, err
	}
	if err := wallet.Enough(v, c.By, c.Amount); err != nil {
		return nil, err
	}
	return append(b.drafts, event.On(b.stream(), &nairav1.ContributionCovered{
		GroupId: c.GroupID, SubAccountId: c.SubAccountID, UserId: c.User, PaidBy: c.By, AmountKobo: int64(c.Amount),
		Settled: settled, MemberTotalKobo: int64(b.dues.Total + c.Amount),
	})), nil
}

// cover settles what is open, and no more.
func (b *book) cover(amount money.Kobo, at time.Time) ([]*nairav1.Settlement, error) {
	if b.dues.Flexible() {
		return nil, fault.New(fault.Conflict, "Nothing is due in this sub-account, so there is nothing to pay for others.")
	}
	settled, err := b.take(amount, 0, at)
	if open := b.dues.Open(savings.Day(at)); amount > open {
		if open == 0 {
			return nil, fault.New(fault.Conflict, "This member owes nothing here now. You have not been charged.")
		}
		return nil, fault.Field("amount", "That is more than this member owes: %s is open.", open)
	}
	return settled, err
}
