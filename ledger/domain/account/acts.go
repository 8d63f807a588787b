package account

import (
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/event"
)

// Earlier is a view of a history that an earlier build decided: MayDecide, MayServe and IsClosed, which it did not ask,
// refuse nothing there.
type Earlier interface{ IsEarlier() }

// seen is a member's account as the rules of this file see it.
func seen(v event.View, user string) Account {
	if _, is := v.(Earlier); is {
		return Account{}
	}
	return event.StateOf[Account](v, Stream(user))
}

// MayDecide refuses an act of a member whose account is closed or frozen. Such a member approves nothing, votes for
// nothing, appoints nobody and gives nothing away. The command must name the account's stream.
func MayDecide(v event.View, user string) error {
	switch a := seen(v, user); {
	case a.Closed:
		return ErrClosed()
	case a.Frozen:
		return fault.New(fault.Conflict, "Your money is frozen, so you cannot do this now. You can thaw it in your profile, under Security: that takes a day.")
	}
	return nil
}

// MayServe refuses an office to another person whose account is closed or frozen. That somebody froze theirs is told to
// nobody else.
func MayServe(v event.View, user string) error {
	switch a := seen(v, user); {
	case a.Closed:
		return fault.New(fault.Conflict, "This person has closed their account, so they cannot hold an office.")
	case a.Frozen:
		return fault.New(fault.Conflict, "This person cannot take an office just now. Ask them, or choose somebody else.")
	}
	return nil
}

// ErrClosed is answered to a member whose account is closed.
func ErrClosed() error { return fault.New(fault.Conflict, closed) }

// IsClosed reports whether a member has closed their account: nothing goes to it any more.
func IsClosed(v event.View, user string) bool { return seen(v, user).Closed }

// Decides is a command by which a member decides something, as MayDecide allows. A frozen member who may not do it at
// all is told that first.
func Decides(user string, c event.Command) event.Command { return decides{c, user} }

type decides struct {
	event.Command
	user string
}

// Streams implements event.Command.
func (c decides) Streams() []string { return append(c.Command.Streams(), Stream(c.user)) }

// Decide implements event.Command.
func (c decides) Decide(v event.View) ([]event.Draft, error) {
	if IsClosed(v, c.user) {
		return nil, ErrClosed()
	}
	drafts, err := c.Command.Decide(v)
	if err == nil {
		err = MayDecide(v, c.user)
	}
	if err != nil {
		return nil, err
	}
	return drafts, nil
}
