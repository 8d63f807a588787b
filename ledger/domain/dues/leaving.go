package dues

import (
	"reflect"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// LeaveGroup ends a membership for good: nothing is owed, nothing held or asked for, and what is saved was taken out
// or, with Forfeit, stays with the group. Dues of a membership that somebody else began, who used the account, keep
// nobody for some time once it is given back.
type LeaveGroup struct {
	GroupID     string
	User        string
	Forfeit     bool
	Saved       *money.Kobo // What the member was shown and agreed to give up with Forfeit. Nil where a caller names none.
	SubAccounts []string    // All of the group's.
	Closing     bool        // Their account is closed with it, so that an inactive member leaves too.
	Now         time.Time
}

// Streams implements event.Command.
func (c LeaveGroup) Streams() []string {
	out := []string{savings.GroupStream(c.GroupID), savings.MemberStream(c.GroupID, c.User), savings.RequestsStream(c.GroupID, c.User), account.Stream(c.User)}
	for _, sub := range c.SubAccounts {
		out = append(out, savings.SubStream(sub), Stream(sub, c.User))
	}
	return out
}

// Accounts implements event.Command.
func (LeaveGroup) Accounts() []string { return nil }

// Stake is what a member has to do with one sub-account.
type Stake struct {
	SubAccountID string
	Owed         money.Kobo // Open dues that keep them: see Dues.Binding.
	Saved        money.Kobo
	paid         State
}

// Stakes are a member's, of every sub-account that the command names.
func (c LeaveGroup) Stakes(v event.View) (stakes []Stake, owed, saved money.Kobo) {
	g := event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID))
	m := event.StateOf[savings.Member](v, savings.MemberStream(c.GroupID, c.User))
	a := event.StateOf[account.Account](v, account.Stream(c.User))
	undoes := a.MayUndo(m.Asked, c.Now)
	if _, earlier := v.(standing.Earlier); earlier { // The time counted from the end of the last theft.
		given, is := a.GivenBack()
		undoes = a.Stolen(m.Asked) && (!is || c.Now.Before(given.Add(account.UndoFor)))
	}
	for _, id := range c.SubAccounts {
		sub := event.StateOf[savings.SubAccount](v, savings.SubStream(id))
		if sub.Group != c.GroupID {
			continue
		}
		paid := event.StateOf[State](v, Stream(id, c.User))
		s := Stake{SubAccountID: id, Saved: paid.Savings(), paid: paid}
		if !undoes {
			s.Owed = Of(sub, m, paid).Shut(g.Shut).Binding(savings.Day(c.Now))
		}
		stakes, owed, saved = append(stakes, s), owed+s.Owed, saved+s.Saved
	}
	return stakes, owed, saved
}

// InTheWay says what keeps a member from leaving, in words; what is saved is not among it.
func (c LeaveGroup) InTheWay(v event.View) []string {
	g := event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID))
	reasons := []string{}
	if _, err := g.Resigns(c.GroupID, c.User, c.User); err != nil {
		reasons = append(reasons, fault.As(err).Message)
	}
	if _, owed, _ := c.Stakes(v); owed > 0 {
		reasons = append(reasons, "You owe "+owed.String()+". Pay it, or ask an approver to waive it.")
	}
	if event.StateOf[savings.OpenRequests](v, savings.RequestsStream(c.GroupID, c.User)).Any() {
		reasons = append(reasons, "A request of yours for money of the group is still open. Cancel it, or wait for it.")
	}
	return reasons
}

// Decide implements event.Command. Who waits to be let in takes that back with it.
func (c LeaveGroup) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID))
	m := event.StateOf[savings.Member](v, savings.MemberStream(c.GroupID, c.User))
	if m.Status == savings.Pending {
		return []event.Draft{
			event.On(savings.MemberStream(c.GroupID, c.User), &nairav1.MembershipRejected{GroupId: c.GroupID, UserId: c.User, RejectedBy: c.User}),
			savings.SeatFreed(g, c.GroupID, c.User),
		}, nil
	}
	if err := c.may(g, m); err != nil {
		return nil, err
	}
	if reasons := c.InTheWay(v); len(reasons) > 0 {
		return nil, fault.New(fault.Conflict, "%s", reasons[0])
	}
	stakes, _, saved := c.Stakes(v)
	if saved > 0 && !c.Forfeit {
		return nil, fault.New(fault.Conflict, "You have %s saved here. Ask for it back first, or leave it to the group.", saved)
	}
	if c.Forfeit && c.Saved != nil && saved != *c.Saved {
		return nil, fault.New(fault.Conflict, "You have %s saved here now, not %s. Look again before you give it up.", saved, *c.Saved)
	}
	if saved > 0 {
		if err := standing.May(v, c.User, standing.Decide); err != nil {
			return nil, err
		}
	}
	out, err := g.Resigns(c.GroupID, c.User, c.User)
	if err != nil {
		return nil, err
	}
	for _, s := range stakes {
		if reflect.DeepEqual(s.paid, State{}) {
			continue
		}
		out = append(out, event.On(Stream(s.SubAccountID, c.User), &nairav1.SavingsClosed{
			GroupId: c.GroupID, SubAccountId: s.SubAccountID, UserId: c.User, ForfeitedKobo: int64(s.Saved),
		}))
	}
	return append(out,
		event.On(savings.MemberStream(c.GroupID, c.User), &nairav1.MemberExited{GroupId: c.GroupID, UserId: c.User, ForfeitedKobo: int64(saved)}),
		savings.SeatFreed(g, c.GroupID, c.User),
	), nil
}

// may refuses those who are no active members, and a list of sub-accounts that is not whole.
func (c LeaveGroup) may(g savings.Group, m savings.Member) error {
	switch {
	case g.Status == savings.None:
		return savings.ErrNoGroup()
	case m.Standing() == standing.Inactive && c.Closing:
	case m.Standing().May(standing.Leave) != nil:
		return m.Standing().May(standing.Leave)
	}
	for _, id := range g.SubAccounts {
		if !slices.Contains(c.SubAccounts, id) {
			return fault.New(fault.Conflict, "The group has opened a sub-account just now. Please try again.")
		}
	}
	return g.GoesOn()
}

// CloseAccount ends an account for ever, and its owner's memberships with it: all or nothing. Each membership is left
// as LeaveGroup says, so that nobody closes an account with savings, debts or an office in a group, whatever the read
// models know.
type CloseAccount struct {
	User  string
	Leave []LeaveGroup // Each with Closing.
	Now   time.Time
}

// Streams implements event.Command.
func (c CloseAccount) Streams() []string {
	streams := account.Close{User: c.User}.Streams()
	for _, leave := range c.Leave {
		streams = append(streams, leave.Streams()...)
	}
	return streams
}

// Accounts implements event.Command.
func (c CloseAccount) Accounts() []string { return account.Close{User: c.User}.Accounts() }

// Decide implements event.Command.
func (c CloseAccount) Decide(v event.View) ([]event.Draft, error) {
	closed, err := account.Close{User: c.User, Now: c.Now}.Decide(v)
	if err != nil {
		return nil, err
	}
	var out []event.Draft
	for _, leave := range c.Leave {
		left, err := leave.Decide(v)
		if err != nil {
			return nil, err
		}
		out = append(out, left...)
	}
	return append(out, closed...), nil
}
