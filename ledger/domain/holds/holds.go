// Package holds decides holds: money set aside for something that is not sure yet, such as a payout.
//
//	OPEN ──▶ CAPTURED | RELEASED | EXPIRED     in part or whole; it ends when nothing is left
//
// Held money moves to an account of its own (posting.Held), so every funds check counts it without knowing of holds,
// and no hold can pay out more than was set aside.
package holds

import (
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// Hold is the state of a hold's stream.
type Hold struct {
	Account   string
	Remaining money.Kobo // Still held; nil once it ended.
	ExpiresAt time.Time
	Last      string // What happened last: placed, captured, released or expired; empty when there is no such hold.
}

// Holds folds a hold's stream.
var Holds = event.Of("hold", 1, func(h Hold, e event.Happened) Hold {
	switch m := e.Message.(type) {
	case *nairav1.HoldPlaced:
		return Hold{Account: m.GetAccount(), Remaining: money.Kobo(m.GetAmountKobo()), ExpiresAt: m.GetExpiresAt().AsTime(), Last: "placed"}
	case *nairav1.HoldCaptured:
		h.Remaining, h.Last = money.Kobo(m.GetRemainingKobo()), "captured"
	case *nairav1.HoldReleased:
		h.Remaining, h.Last = money.Kobo(m.GetRemainingKobo()), "released"
	case *nairav1.HoldExpired:
		h.Remaining, h.Last = 0, "expired"
	}
	return h
})

// Stream is the stream of a hold.
func Stream(holdID string) string { return "hold:" + holdID }

// Place sets an amount of a wallet's or a pool's money aside until ExpiresAt.
type Place struct {
	HoldID    string
	Account   string
	Amount    money.Kobo
	Purpose   string
	ExpiresAt time.Time
	Now       time.Time
}

// Streams implements event.Command.
func (c Place) Streams() []string { return []string{Stream(c.HoldID)} }

// Accounts implements event.Command.
func (c Place) Accounts() []string { return []string{c.Account, posting.Held(c.Account)} }

// Decide implements event.Command.
func (c Place) Decide(v event.View) ([]event.Draft, error) {
	kind, _, _ := strings.Cut(c.Account, ":")
	switch balance := v.Balance(c.Account); {
	case event.StateOf[Hold](v, Stream(c.HoldID)).Last != "":
		return nil, fault.New(fault.Conflict, "This money is held already.")
	case kind != "wallet" && kind != "pool":
		return nil, fault.New(fault.Conflict, "Only the money of wallets and groups can be held.")
	case c.Amount <= 0 || c.Amount > money.Max:
		return nil, fault.Field("amount", "The amount must be between %s and %s.", money.Kobo(1), money.Max)
	case !c.ExpiresAt.After(c.Now):
		return nil, fault.New(fault.Conflict, "A hold must end after it begins.")
	case balance < c.Amount:
		return nil, fault.New(fault.Insufficient, "%s is available and this needs %s. Nothing was taken.", balance, c.Amount)
	}
	return c.draft(&nairav1.HoldPlaced{HoldId: c.HoldID, Account: c.Account, AmountKobo: int64(c.Amount), Purpose: c.Purpose, ExpiresAt: timestamppb.New(c.ExpiresAt)})
}

func (c Place) draft(m proto.Message) ([]event.Draft, error) {
	return []event.Draft{{Stream: Stream(c.HoldID), Message: m}}, nil
}

// End takes held money, in part or whole, to where it goes: Capture, Release and Expire make it.
type End struct {
	HoldID  string
	Account string // The hold's own.
	decide  func(Hold) (proto.Message, error)
	to      string
}

// Streams implements event.Command.
func (c End) Streams() []string { return []string{Stream(c.HoldID)} }

// Accounts implements event.Command.
func (c End) Accounts() []string { return []string{posting.Held(c.Account), c.to} }

// Decide implements event.Command.
func (c End) Decide(v event.View) ([]event.Draft, error) {
	h := event.StateOf[Hold](v, Stream(c.HoldID))
	switch {
	case h.Last == "" || h.Account != c.Account:
		return nil, fault.New(fault.NotFound, "There is no such hold.")
	case h.Remaining == 0:
		return nil, fault.New(fault.Conflict, "Nothing is held any more: the last of it was %s.", h.Last)
	}
	m, err := c.decide(h)
	if err != nil {
		return nil, err
	}
	return []event.Draft{{Stream: Stream(c.HoldID), Message: m}}, nil
}

// Capture sends held money where it was held for. The rest stays held. A hold that has expired cannot be captured,
// whether or not its expiry was recorded.
func Capture(holdID, account, to string, amount money.Kobo, now time.Time) End {
	return End{HoldID: holdID, Account: account, to: to, decide: func(h Hold) (proto.Message, error) {
		switch {
		case to == posting.Held(account):
			return nil, fault.New(fault.Conflict, "Held money cannot be captured into the hold itself.")
		case !now.Before(h.ExpiresAt):
			return nil, fault.New(fault.Conflict, "This hold has expired.")
		}
		if err := h.within(amount); err != nil {
			return nil, err
		}
		return &nairav1.HoldCaptured{HoldId: holdID, Account: account, ToAccount: to, AmountKobo: int64(amount), RemainingKobo: int64(h.Remaining - amount)}, nil
	}}
}

// Release gives held money back. The rest stays held.
func Release(holdID, account string, amount money.Kobo) End {
	return End{HoldID: holdID, Account: account, to: account, decide: func(h Hold) (proto.Message, error) {
		if err := h.within(amount); err != nil {
			return nil, err
		}
		return &nairav1.HoldReleased{HoldId: holdID, Account: account, AmountKobo: int64(amount), RemainingKobo: int64(h.Remaining - amount)}, nil
	}}
}

// Expire gives what is left back once the hold's time is over.
func Expire(holdID, account string, now time.Time) End {
	return End{HoldID: holdID, Account: account, to: account, decide: func(h Hold) (proto.Message, error) {
		if now.Before(h.ExpiresAt) {
			return nil, fault.New(fault.Conflict, "This hold has not expired yet.")
		}
		return &nairav1.HoldExpired{HoldId: holdID, Account: account, AmountKobo: int64(h.Remaining)}, nil
	}}
}

func (h Hold) within(amount money.Kobo) error {
	if amount <= 0 || amount > h.Remaining {
		return fault.Field("amount", "%s is held, so the amount must be between %s and %s.", h.Remaining, money.Kobo(1), h.Remaining)
	}
	return nil
}
