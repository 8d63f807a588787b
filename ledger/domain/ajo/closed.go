package ajo

import (
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// OwnerClosed is why a list is cancelled whose owner has closed their account: nobody else can close it.
const OwnerClosed = "The owner has closed their account."

// Vacate gives up what a user holds who has closed their account. An open list frees their seats. Elsewhere nobody
// waits for their word from then on; once the order is set, somebody is looked for who takes their places over, and
// their offices pass on. It is asked again for as long as they hold a place: see Vacated.
type Vacate struct {
	AjoID, User string
	Now         time.Time
}

// Streams implements event.Command.
func (c Vacate) Streams() []string {
	return append(Leave{AjoID: c.AjoID, User: c.User}.Streams(), DebtStream(c.AjoID))
}

// Accounts implements event.Command.
func (c Vacate) Accounts() []string { return Leave{AjoID: c.AjoID, User: c.User}.Accounts() }

// Decide implements event.Command.
func (c Vacate) Decide(v event.View) ([]event.Draft, error) {
	a, err := Read(v, c.AjoID, "")
	switch {
	case err != nil:
		return nil, err
	case standing.May(v, c.User, standing.HoldSeat) == nil:
		return nil, fault.New(fault.Conflict, "This account is open.")
	case a.Vacated(c.User):
		return nil, fault.New(fault.Conflict, "There is nothing left here that this member holds.")
	case a.Status == Open:
		return release(v, a, c.AjoID, c.User, "closed"), nil
	}
	messages := []proto.Message{&nairav1.AjoHolderClosed{AjoId: c.AjoID, UserId: c.User}}
	a.Closed = append(without(a.Closed, c.User), c.User)
	if a.Status == Ordering {
		if len(a.Proposed) > 0 && c.Now.Before(a.AcceptOrderBy) && a.allAccept() {
			messages = append(messages, a.start(c.AjoID, a.Proposed, c.Now))
		}
		return drafts(c.AjoID, messages...), nil
	}
	decided := a.decidedWithout(c, v.State(DebtStream(c.AjoID)).(interface{ In(Ajo) Owing }).In(a))
	for _, m := range decided { // No office passes on to whoever is expelled, or from whom it passed already.
		switch m := m.(type) {
		case *nairav1.AjoPlaceOpened:
			if m.GetExpelled() {
				a.Expelled = append(without(a.Expelled, m.GetUserId()), m.GetUserId())
			}
		case *nairav1.AjoOfficesPassed:
			a.Owner, a.Validator = m.GetOwnerId(), m.GetValidatorId()
		}
	}
	return drafts(c.AjoID, append(append(messages, decided...), a.vacated(c.AjoID, c.User, c.Now)...)...), nil
}

// Vacated reports whether nothing is to be given up of a user who has closed their account.
func (a Ajo) Vacated(user string) bool {
	switch {
	case !a.IsMember(user), a.Status == Open && user == a.Owner: // Its list is cancelled.
		return true
	case a.Status == Open, a.Status == Ordering:
		return slices.Contains(a.Closed, user)
	case !a.HasStarted():
		return true
	}
	opens := slices.ContainsFunc(a.SeatsOf(user), func(seat int) bool { return a.leavable(user, seat) == nil })
	return slices.Contains(a.Closed, user) && !opens && !a.passes(user)
}

// passes reports whether a user holds an office that somebody else can hold.
func (a Ajo) passes(user string) bool {
	return (user == a.Owner || user == a.Validator) && slices.ContainsFunc(a.Members(), a.HasVoice)
}

// vacated opens the places of a closed account, ends the swaps of its seats, and passes its offices on.
func (a Ajo) vacated(ajoID, user string, now time.Time) (messages []proto.Message) {
	for _, seat := range a.SeatsOf(user) {
		if a.leavable(user, seat) == nil {
			messages = append(messages, a.opened(ajoID, user, seat, false, now))
		}
	}
	for _, s := range a.Swaps {
		if a.IsLeft(s.Seat) || a.IsLeft(s.With) {
			messages = append(messages, &nairav1.AjoSwapEnded{AjoId: ajoID, SwapId: s.ID})
		}
	}
	if a.passes(user) {
		messages = append(messages, a.officesPass(ajoID, user))
	}
	return messages
}

// decidedWithout ends the votes that are decided now that a closed account has no vote in them. The end of the ajo is
// Terminate's.
func (a Ajo) decidedWithout(c Vacate, owing Owing) (messages []proto.Message) {
	for _, m := range a.Motions {
		switch {
		case m.About() == c.User, a.Lost(m):
			messages = append(messages, &nairav1.AjoMotionEnded{AjoId: c.AjoID, MotionId: m.ID})
		case m.Kind != nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE && a.Carried(m) && a.stands(m, owing) == nil:
			messages = append(messages, a.carries(c.AjoID, m, c.Now)...)
		}
	}
	return messages
}

// depositParking names a deposit that goes back to somebody who has closed their account: it goes into suspense.
func depositParking(ajoID, user string) string { return "deposit " + ajoID + " to " + user }

func depositStreams(ajoID, user string) []string {
	return []string{CommitStream(user), BookStream(ajoID, user), account.Stream(user), wallet.ReturnStream(event.Vfd, depositParking(ajoID, user))}
}

func depositAccounts(ajoID, user string) []string {
	return []string{posting.Wallet(user), posting.Deposit(ajoID, user), posting.Unmatched}
}

// depositParked takes a deposit into suspense that went back to a closed account. Earlier builds left it in its wallet.
func depositParked(v event.View, ajoID, user string, amount money.Kobo) []event.Draft {
	if _, earlier := v.(standing.Earlier); earlier || standing.May(v, user, standing.Receive) == nil {
		return nil
	}
	return []event.Draft{wallet.ParkReturned(event.Vfd, depositParking(ajoID, user), posting.Wallet(user), amount, "An ajo paid a member who has closed their account.")}
}
