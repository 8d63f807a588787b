package ajo

import (
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// Owing says which seats owe, from debts of cycles that are over.
type Owing interface {
	// Owes is what the holders of a seat owe in this ajo, in kobo.
	OwesSeat(seat int) int64
	Misses
}

// swap is a command that reads the ajo's debts: who owes cannot change turns, and who owes no more is not expelled.
type swap struct {
	ajo, by string
	debts   string // The stream of the ajo's debts.
	decide  func(Ajo, Owing) ([]proto.Message, error)
}

// Streams implements event.Command.
func (c swap) Streams() []string { return []string{Stream(c.ajo), c.debts} }

// Accounts implements event.Command.
func (swap) Accounts() []string { return nil }

// Decide implements event.Command.
func (c swap) Decide(v event.View) ([]event.Draft, error) {
	a, err := Read(v, c.ajo, c.by)
	if err != nil {
		return nil, err
	}
	messages, err := c.decide(a, v.State(c.debts).(interface{ In(Ajo) Owing }).In(a))
	if err != nil {
		return nil, err
	}
	return drafts(c.ajo, messages...), nil
}

// DebtStream is the stream of an ajo's debts.
func DebtStream(ajoID string) string { return "ajodebt:" + ajoID }

// swappable says why two seats cannot change turns, if they cannot.
func (a Ajo) swappable(owing Owing, seats ...int) error {
	if a.Status != Active && a.Status != Paused {
		return fault.New(fault.Conflict, "Turns can be swapped once the order is set, and while the ajo runs.")
	}
	for _, seat := range seats {
		switch {
		case seat < 1 || seat > len(a.Seats):
			return fault.New(fault.NotFound, "There is no such seat.")
		case a.HasCollected(seat):
			return fault.New(fault.Conflict, "Seat %d has collected, or may ask for its pot now, so its turn cannot be swapped.", seat)
		case owing.OwesSeat(seat) > 0:
			return fault.New(fault.Conflict, "Seat %d owes %s, so its turn cannot be swapped.", seat, naira(owing.OwesSeat(seat)))
		case a.IsLeft(seat):
			return fault.New(fault.Conflict, "Somebody who held seat %d has closed their account, so its turn cannot be swapped.", seat)
		}
		if _, frozen := a.FrozenAt(seat); frozen {
			return fault.New(fault.Conflict, "Seat %d pays no more and collects last, so its turn cannot be swapped.", seat)
		}
	}
	return nil
}

// ProposeSwap proposes that two seats change turns. By holds the first.
func ProposeSwap(ajoID, swapID, by string, seat, with int) event.Command {
	return standing.Decides(by, standing.Decide, swap{ajoID, by, DebtStream(ajoID), func(a Ajo, owing Owing) ([]proto.Message, error) {
		if err := a.swappable(owing, seat, with); err != nil {
			return nil, err
		}
		_, holds := a.Place(seat, by)
		switch {
		case seat == with:
			return nil, fault.Field("withSeat", "Choose another seat than your own.")
		case !holds:
			return nil, fault.New(fault.Forbidden, "You do not hold seat %d.", seat)
		case slices.ContainsFunc(a.Swaps, func(s Swap) bool { return s.Seat == seat || s.With == seat || s.Seat == with || s.With == with }):
			return nil, fault.New(fault.Conflict, "A swap of one of these seats is proposed already. Answer it first.")
		}
		return a.agreed(ajoID, Swap{ID: swapID, By: by, Seat: seat, With: with, Agreed: []string{by}}, []proto.Message{
			&nairav1.AjoSwapProposed{AjoId: ajoID, SwapId: swapID, ProposedBy: by, Seat: int32(seat), WithSeat: int32(with)},
		}), nil
	}})
}

// AgreeSwap is the word of somebody whose word is needed: who holds one of the seats, and the owner. The last one's
// changes the turns.
func AgreeSwap(ajoID, swapID, by string) event.Command {
	return standing.Decides(by, standing.Decide, swap{ajoID, by, DebtStream(ajoID), func(a Ajo, owing Owing) ([]proto.Message, error) {
		s, err := a.swap(swapID)
		if err != nil {
			return nil, err
		}
		if err := a.swappable(owing, s.Seat, s.With); err != nil {
			return nil, err
		}
		switch {
		case slices.Contains(s.Agreed, by):
			return nil, fault.New(fault.Conflict, "You have agreed to this swap already.")
		case !slices.Contains(a.SwapNeeds(s), by):
			return nil, fault.New(fault.Forbidden, "Only the two seats and the owner decide on this swap.")
		}
		s.Agreed = append(slices.Clone(s.Agreed), by)
		return a.agreed(ajoID, s, []proto.Message{&nairav1.AjoSwapAgreed{AjoId: ajoID, SwapId: swapID, UserId: by}}), nil
	}})
}

// agreed adds the change of turns once everybody has agreed.
func (a Ajo) agreed(ajoID string, s Swap, messages []proto.Message) []proto.Message {
	for _, user := range a.SwapNeeds(s) {
		if !slices.Contains(s.Agreed, user) {
			return messages
		}
	}
	order := slices.Clone(a.Order)
	i, j := a.Turn(s.Seat)-1, a.Turn(s.With)-1
	order[i], order[j] = order[j], order[i]
	return append(messages, Turns(ajoID, order, nairav1.AjoTurnReason_AJO_TURN_REASON_SWAPPED, s.ID, s.Seat, s.With))
}

// Turns is an order from now on.
func Turns(ajoID string, order []int, reason nairav1.AjoTurnReason, swapID string, seats ...int) *nairav1.AjoTurnsChanged {
	return &nairav1.AjoTurnsChanged{AjoId: ajoID, Seats: Int32s(seats), Order: Int32s(order), Reason: reason, SwapId: swapID}
}

// SwapNeeds are whose word a swap needs.
func (a Ajo) SwapNeeds(s Swap) []string {
	return append(append(a.Seats[s.Seat-1].Users(), a.Seats[s.With-1].Users()...), a.Owner)
}

// DeclineSwap ends a proposed swap: whose word it needs declines it, or who proposed it takes it back.
func DeclineSwap(ajoID, swapID, by string) event.Command {
	return step{ajoID, by, func(a Ajo) ([]proto.Message, error) {
		s, err := a.swap(swapID)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(a.SwapNeeds(s), by) {
			return nil, fault.New(fault.Forbidden, "Only the two seats and the owner decide on this swap.")
		}
		return []proto.Message{&nairav1.AjoSwapEnded{AjoId: ajoID, SwapId: swapID, UserId: by}}, nil
	}}
}

func (a Ajo) swap(id string) (Swap, error) {
	for _, s := range a.Swaps {
		if s.ID == id {
			return s, nil
		}
	}
	return Swap{}, fault.New(fault.NotFound, "There is no such swap, or it was decided already.")
}

// Later is the order with a seat moved behind others: before the frozen ones at the end.
func (a Ajo) Later(seat int) []int {
	order := slices.DeleteFunc(slices.Clone(a.Order), func(s int) bool { return s == seat })
	end := len(order)
	for end > a.Last() {
		if _, frozen := a.FrozenAt(order[end-1]); !frozen {
			break
		}
		end--
	}
	return slices.Insert(order, end, seat)
}

// Sooner is the order with a seat moved to the current cycle.
func (a Ajo) Sooner(seat int) []int {
	order := slices.DeleteFunc(slices.Clone(a.Order), func(s int) bool { return s == seat })
	return slices.Insert(order, a.Last(), seat)
}

// OpenPlace begins a member's leaving of a place that has not collected: who takes it over is looked for.
func OpenPlace(ajoID, user string, seat int, now time.Time) event.Command {
	return standing.Decides(user, standing.Decide, step{ajoID, user, func(a Ajo) ([]proto.Message, error) {
		if err := a.leavable(user, seat); err != nil {
			return nil, err
		}
		return []proto.Message{a.opened(ajoID, user, seat, false, now)}, nil
	}})
}

// leavable says why a place cannot be given up, if it cannot.
func (a Ajo) leavable(user string, seat int) error {
	_, holds := a.Place(seat, user)
	_, frozen := a.FrozenAt(seat)
	switch {
	case a.Status != Active && a.Status != Paused:
		return fault.New(fault.Conflict, "Leave freely while the list is open; a place is given up while the ajo runs.")
	case !holds:
		return fault.New(fault.NotFound, "There is no such place.")
	case a.HasCollected(seat):
		return fault.New(fault.Conflict, "Seat %d has collected, so it can be left only by paying all that is still due.", seat)
	case frozen:
		return fault.New(fault.Conflict, "Seat %d pays no more already.", seat)
	case a.opening(seat, user) >= 0:
		return fault.New(fault.Conflict, "Somebody is looked for already who takes this place over.")
	}
	return nil
}

// opening is the index of the opening of a place, or less than 0.
func (a Ajo) opening(seat int, user string) int {
	return slices.IndexFunc(a.Openings, func(o Opening) bool { return o.Seat == seat && o.User == user })
}

func (a Ajo) opened(ajoID, user string, seat int, expelled bool, now time.Time) *nairav1.AjoPlaceOpened {
	return &nairav1.AjoPlaceOpened{
		AjoId: ajoID, Seat: int32(seat), UserId: user, Expelled: expelled, Until: timestamp(now.AddDate(0, 0, int(a.Terms.GetReplacementDays()))),
	}
}

// KeepPlace takes back that a member leaves. Who was expelled cannot.
func KeepPlace(ajoID, user string, seat int) event.Command {
	return step{ajoID, user, func(a Ajo) ([]proto.Message, error) {
		for _, o := range a.Openings {
			if o.Seat == seat && o.User == user && !o.Expelled {
				return []proto.Message{&nairav1.AjoPlaceKept{AjoId: ajoID, Seat: int32(seat), UserId: user}}, nil
			}
		}
		return nil, fault.New(fault.Conflict, "There is nothing to take back.")
	}}
}
