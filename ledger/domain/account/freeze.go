package account

import (
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// ThawAfter is how long a wallet stays frozen after its owner showed who they are: whoever stole their password does
// not thaw it before they hear of it.
const ThawAfter = 24 * time.Hour

// FrozenFor is how long what a freeze sets aside may be held. The owner's thaw ends it.
const FrozenFor = 100 * 365 * 24 * time.Hour

// FreezePurpose is what holds of a freeze are for.
const FreezePurpose = "freeze"

// FrozenHold is money that a freeze set aside.
type FrozenHold struct {
	ID     string
	Amount money.Kobo
}

// Freeze sets all that a wallet has aside, and has nothing leave it for a bank.
type Freeze struct {
	User      string
	DisputeID string // The dispute that it is for; empty where there is none.
	HoldID    string // A new one.
	Keep      bool   // The account is frozen, and what came in since is set aside.
	Now       time.Time
}

// Streams implements event.Command.
func (c Freeze) Streams() []string { return []string{Stream(c.User), holds.Stream(c.HoldID)} }

// Accounts implements event.Command.
func (c Freeze) Accounts() []string { return c.place(0).Accounts() }

func (c Freeze) place(amount money.Kobo) holds.Place {
	return holds.Place{HoldID: c.HoldID, Account: posting.Wallet(c.User), Amount: amount, Purpose: FreezePurpose, Now: c.Now, ExpiresAt: c.Now.Add(FrozenFor)}
}

// Decide implements event.Command. A second freeze takes back that a thaw was asked for.
func (c Freeze) Decide(v event.View) (drafts []event.Draft, err error) {
	a, balance := event.StateOf[Account](v, Stream(c.User)), v.Balance(posting.Wallet(c.User))
	stands := a.Frozen && (a.ThawAt.IsZero() || c.Keep)
	switch {
	case standing.May(v, c.User, standing.Keep) != nil:
		return nil, standing.May(v, c.User, standing.Keep)
	case c.Keep && (!a.Frozen || balance == 0):
		return nil, fault.New(fault.Conflict, "There is nothing to set aside.")
	case stands && balance == 0:
		return nil, fault.New(fault.Conflict, "Your money is frozen already.")
	}
	if !stands {
		drafts = append(drafts, event.On(Stream(c.User), &nairav1.OutgoingFrozen{UserId: c.User, DisputeId: c.DisputeID}))
	}
	if balance == 0 {
		return drafts, nil
	}
	held, err := c.place(balance).Decide(v)
	drafts = append(drafts, event.On(Stream(c.User), &nairav1.FrozenMoneyHeld{UserId: c.User, HoldId: c.HoldID, AmountKobo: int64(balance)}))
	return append(drafts, held...), err
}

// AskThaw has a frozen account thawed a day from now.
type AskThaw struct {
	User string
	Now  time.Time
}

// Streams implements event.Command.
func (c AskThaw) Streams() []string { return []string{Stream(c.User)} }

// Accounts implements event.Command.
func (AskThaw) Accounts() []string { return nil }

// Decide implements event.Command.
func (c AskThaw) Decide(v event.View) ([]event.Draft, error) {
	switch a := event.StateOf[Account](v, Stream(c.User)); {
	case !a.Frozen:
		return nil, fault.New(fault.Conflict, "Your money is not frozen.")
	case !a.ThawAt.IsZero():
		return nil, fault.New(fault.Conflict, "You have asked for this already. Please wait until the time that you were told.")
	}
	return []event.Draft{event.On(Stream(c.User), &nairav1.ThawAsked{UserId: c.User, ThawAt: timestamppb.New(c.Now.Add(ThawAfter))})}, nil
}

// Thaw gives a frozen account's money back to its wallet once its time has come. Holds are those that its state names.
type Thaw struct {
	User  string
	Holds []FrozenHold
	Now   time.Time
}

// Streams implements event.Command.
func (c Thaw) Streams() []string {
	streams := []string{Stream(c.User)}
	for _, h := range c.Holds {
		streams = append(streams, holds.Stream(h.ID))
	}
	return streams
}

// Accounts implements event.Command.
func (c Thaw) Accounts() []string {
	return []string{posting.Wallet(c.User), posting.Held(posting.Wallet(c.User))}
}

// Decide implements event.Command.
func (c Thaw) Decide(v event.View) ([]event.Draft, error) {
	switch a := event.StateOf[Account](v, Stream(c.User)); {
	case !a.Frozen || a.ThawAt.IsZero():
		return nil, fault.New(fault.Conflict, "There is nothing to thaw.")
	case c.Now.Before(a.ThawAt):
		return nil, fault.New(fault.Conflict, "It is too early to thaw this.")
	case !slices.Equal(a.FrozenHolds, c.Holds):
		return nil, fault.New(fault.Conflict, "More money came in meanwhile. Please try again.")
	}
	drafts := []event.Draft{event.On(Stream(c.User), &nairav1.OutgoingThawed{UserId: c.User})}
	for _, h := range c.Holds {
		given, err := holds.Release(h.ID, posting.Wallet(c.User), h.Amount).Decide(v)
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, given...)
	}
	return drafts, nil
}

// frozen is an account after an event about its freezing.
func frozen(a Account, e event.Happened) Account {
	switch m := e.Message.(type) {
	case *nairav1.OutgoingFrozen:
		a.Frozen, a.ThawAt = true, time.Time{}
	case *nairav1.FrozenMoneyHeld:
		a.FrozenHolds = append(slices.Clip(a.FrozenHolds), FrozenHold{m.GetHoldId(), money.Kobo(m.GetAmountKobo())})
	case *nairav1.FrozenMoneyTaken:
		a.FrozenHolds = slices.Clone(a.FrozenHolds)
		if i := slices.IndexFunc(a.FrozenHolds, func(h FrozenHold) bool { return h.ID == m.GetHoldId() }); i >= 0 {
			if a.FrozenHolds[i].Amount -= money.Kobo(m.GetAmountKobo()); a.FrozenHolds[i].Amount <= 0 {
				a.FrozenHolds = slices.Delete(a.FrozenHolds, i, i+1)
			}
		}
	case *nairav1.ThawAsked:
		a.ThawAt = m.GetThawAt().AsTime()
	case *nairav1.OutgoingThawed:
		a.Frozen, a.ThawAt, a.FrozenHolds = false, time.Time{}, nil
	}
	return a
}
