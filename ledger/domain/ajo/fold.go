package ajo

import (
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
)

// Ajos folds an ajo's stream.
var Ajos = event.Of("ajo", 7, func(a Ajo, e event.Happened) Ajo {
	foldList(&a, e)
	foldOrder(&a, e)
	foldCycles(&a, e)
	foldVotes(&a, e)
	return a
})

// foldList folds who takes part on which terms.
func foldList(a *Ajo, e event.Happened) {
	switch m := e.Message.(type) {
	case *nairav1.AjoCreated:
		*a = Ajo{
			Status: Open, Name: m.GetName(), Description: m.GetDescription(), CreatedAt: e.EffectiveAt, Owner: m.GetOwnerId(), Listed: m.GetListed(), Terms: m.GetTerms(), Seats: make([]Seat, max(0, m.GetTerms().GetSeats())),
		}
	case *nairav1.AjoTermsChanged:
		a.Terms, a.AcceptBy = m.GetTerms(), m.GetAcceptBy().AsTime()
		a.Seats = resized(a.Seats, int(m.GetTerms().GetSeats()))
	case *nairav1.AjoTermsAccepted:
		a.Seats = edited(a.Seats, m.GetUserId(), func(p *Place) { p.Terms = m.GetTermsHash() })
	case *nairav1.AjoSeatTakenV2:
		a.Seats = taken(a.Seats, int(m.GetSeat()), Place{
			User: m.GetUserId(), Halves: int(m.GetHalves()), Nonce: m.GetNonce(), Commitment: m.GetCommitment(), Version: int(m.GetCommitmentVersion()),
			Terms: m.GetTermsHash(), Since: e.EffectiveAt,
		})
	case *nairav1.AjoSeatFreed:
		a.Seats = freed(a.Seats, int(m.GetSeat()), m.GetUserId())
		a.unanswered(m.GetUserId())
	case *nairav1.AjoPlaceTaken:
		a.Seats = edited(a.Seats, "", nil)
		if n := int(m.GetSeat()); n >= 1 && n <= len(a.Seats) {
			a.Seats[n-1].Places = takenOver(a.Seats[n-1].Places, m, e.EffectiveAt)
		}
		a.Openings = closedPlace(a.Openings, int(m.GetSeat()), m.GetFromUserId())
		if len(a.SeatsOf(m.GetFromUserId())) == 0 { // Offices go with the place.
			a.Expelled, a.Closed = without(a.Expelled, m.GetFromUserId()), without(a.Closed, m.GetFromUserId())
			if a.Owner == m.GetFromUserId() {
				a.Owner = m.GetToUserId()
			}
			if a.Validator == m.GetFromUserId() {
				a.Validator = m.GetToUserId()
			}
		}
	case *nairav1.AjoPlaceOpened:
		a.Openings = append(closedPlace(a.Openings, int(m.GetSeat()), m.GetUserId()), Opening{
			Seat: int(m.GetSeat()), User: m.GetUserId(), Expelled: m.GetExpelled(), Until: m.GetUntil().AsTime(),
		})
		if m.GetExpelled() {
			a.Expelled = append(without(a.Expelled, m.GetUserId()), m.GetUserId())
		}
	case *nairav1.AjoHolderClosed:
		a.Closed = append(without(a.Closed, m.GetUserId()), m.GetUserId())
	case *nairav1.AjoPlaceKept:
		a.Openings = closedPlace(a.Openings, int(m.GetSeat()), m.GetUserId())
	case *nairav1.AjoPastTold:
		a.Past, a.Confirmed, a.ConfirmedFor, a.Denied = nil, nil, nil, nil
		for _, c := range m.GetCycles() {
			a.Past = append(a.Past, Past{Cycle: int(c.GetCycle()), Seat: int(c.GetSeat()), Paid: ints(c.GetPaid())})
		}
	case *nairav1.AjoPastAnswered:
		a.unanswered(m.GetUserId())
		if m.GetConfirmed() {
			a.Confirmed = append(a.Confirmed, m.GetUserId())
			for _, seat := range a.SeatsOf(m.GetUserId()) {
				a.ConfirmedFor = append(a.ConfirmedFor, SeatOf{m.GetUserId(), seat})
			}
		} else {
			a.Denied = append(a.Denied, m.GetUserId())
		}
	}
}

// takenOver are a seat's places when somebody takes one over. Who holds the other half holds the seat then.
func takenOver(places []Place, m *nairav1.AjoPlaceTaken, at time.Time) []Place {
	i := slices.IndexFunc(places, func(p Place) bool { return p.User == m.GetFromUserId() })
	if i < 0 {
		return places
	}
	if j := slices.IndexFunc(places, func(p Place) bool { return p.User == m.GetToUserId() }); j >= 0 && j != i {
		places[j].Halves, places[j].Terms = places[j].Halves+places[i].Halves, m.GetTermsHash()
		return slices.Delete(places, i, i+1)
	}
	places[i] = Place{User: m.GetToUserId(), Halves: places[i].Halves, Nonce: places[i].Nonce, Terms: m.GetTermsHash(), TakenOver: true, Since: at}
	return places
}

// unanswered takes back what a user answered of the past.
func (a *Ajo) unanswered(user string) {
	a.Confirmed, a.Denied = without(a.Confirmed, user), without(a.Denied, user)
	a.ConfirmedFor = Without(a.ConfirmedFor, func(s SeatOf) bool { return s.User == user })
}

// foldOrder folds how the order came about.
func foldOrder(a *Ajo, e event.Happened) {
	switch m := e.Message.(type) {
	case *nairav1.AjoListClosedV2:
		a.Status = Ordering
		a.Closing = Closing{
			Digest: m.GetRosterDigest(), Source: m.GetSource(), Order: m.GetOrder(), Round: m.GetRound(), Chain: m.GetChainHash(),
			DrawAt: m.GetDrawAt().AsTime(), TermsHash: m.GetTermsHash(), Salt: m.GetSalt(), At: e.EffectiveAt,
		}
		a.Sealed = a.roster(m.GetAjoId())
	case *nairav1.AjoPhoneRevealed:
		a.Revealed = append(slices.Clone(a.Revealed), Reveal{m.GetUserId(), m.GetSecret()})
	case *nairav1.AjoOrderDrawn:
		a.Drawn, a.Signature = ints(m.GetOrder()), m.GetSignature()
		if m.GetSource() == nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES {
			a.DrawnFrom = a.reveals(m.GetAjoId())
		}
	case *nairav1.AjoOrderProposed:
		a.Proposed, a.AcceptOrderBy, a.AcceptedBy = ints(m.GetOrder()), m.GetAcceptBy().AsTime(), nil
	case *nairav1.AjoOrderAccepted:
		a.AcceptedBy = append(slices.Clone(a.AcceptedBy), m.GetUserId())
	case *nairav1.AjoOrderAcceptanceEnded:
		a.AcceptedBy = without(a.AcceptedBy, m.GetUserId())
	case *nairav1.AjoStarted:
		a.Status, a.Order, a.Base = Active, ints(m.GetOrder()), ints(m.GetOrder())
		a.FirstDue, a.FirstCycle, a.Validator, a.StartedAt = m.GetFirstDue(), int(m.GetFirstCycle()), m.GetValidatorId(), e.EffectiveAt
	case *nairav1.AjoTurnsChanged:
		if m.GetReason() == nairav1.AjoTurnReason_AJO_TURN_REASON_SWAPPED && a.swapsLate(ints(m.GetOrder()), e.EffectiveAt) {
			a.Late = a.Order
		}
		a.Order = ints(m.GetOrder())
		a.Swaps = Without(a.Swaps, func(s Swap) bool { return s.ID == m.GetSwapId() })
	case *nairav1.AjoCancelled:
		a.Status = Cancelled
	}
}

// swapsLate reports whether another order gives the current turn to another seat after its days of grace, and is the
// first that does.
func (a *Ajo) swapsLate(order []int, at time.Time) bool {
	last := a.Last()
	return len(a.Late) == 0 && a.FirstDue != "" && last < len(a.Order) && last < len(order) && order[last] != a.Order[last] &&
		savings.Day(at).After(a.Deadline(last+1))
}

// foldCycles folds how its cycles go by.
func foldCycles(a *Ajo, e event.Happened) {
	switch m := e.Message.(type) {
	case *nairav1.AjoCycleReady:
		a.Late = nil
		a.Cycles = append(slices.Clone(a.Cycles), Ready{
			Cycle: int(m.GetCycle()), Seat: int(m.GetSeat()), Collected: money.Kobo(m.GetCollectedKobo()), Netted: money.Kobo(m.GetNettedKobo()),
			Missing: money.Kobo(m.GetMissingKobo()), Discount: money.Kobo(m.GetDiscountKobo()), At: e.EffectiveAt,
		})
	case *nairav1.AjoPaused:
		a.Status, a.Pauses = Paused, append(slices.Clone(a.Pauses), int(m.GetFromCycle()))
	case *nairav1.AjoResumed:
		a.Status = Active
	case *nairav1.AjoSeatFrozen:
		a.Frozen = append(slices.Clone(a.Frozen), Frozen{int(m.GetSeat()), int(m.GetPaidCycles())})
		a.Openings = Without(a.Openings, func(o Opening) bool { return o.Seat == int(m.GetSeat()) })
	case *nairav1.AjoTerminated:
		a.Status, a.Openings, a.Swaps, a.Motions = Terminated, nil, nil, nil
	case *nairav1.AjoCompleted:
		if a.Status != Terminated {
			a.Status = Completed
		}
		a.Settled, a.Swaps, a.Motions = true, nil, nil
	}
}

// foldVotes folds what members propose to each other.
func foldVotes(a *Ajo, e event.Happened) {
	switch m := e.Message.(type) {
	case *nairav1.AjoSwapProposed:
		a.Swaps = append(slices.Clone(a.Swaps), Swap{
			ID: m.GetSwapId(), By: m.GetProposedBy(), Seat: int(m.GetSeat()), With: int(m.GetWithSeat()), Agreed: []string{m.GetProposedBy()},
		})
	case *nairav1.AjoSwapAgreed:
		a.Swaps = slices.Clone(a.Swaps)
		for i, s := range a.Swaps {
			if s.ID == m.GetSwapId() {
				a.Swaps[i].Agreed = append(slices.Clone(s.Agreed), m.GetUserId())
			}
		}
	case *nairav1.AjoSwapEnded:
		a.Swaps = Without(a.Swaps, func(s Swap) bool { return s.ID == m.GetSwapId() })
	case *nairav1.AjoMotionMade:
		a.Motions = append(slices.Clone(a.Motions), Motion{
			ID: m.GetMotionId(), Kind: m.GetKind(), User: m.GetUserId(), By: m.GetMadeBy(), Until: m.GetUntil().AsTime(),
		})
	case *nairav1.AjoMotionVoted:
		a.Motions = slices.Clone(a.Motions)
		for i, motion := range a.Motions {
			if motion.ID != m.GetMotionId() {
				continue
			}
			if m.GetAgrees() {
				a.Motions[i].For = append(slices.Clone(motion.For), m.GetUserId())
			} else {
				a.Motions[i].Against = append(slices.Clone(motion.Against), m.GetUserId())
			}
		}
	case *nairav1.AjoOfficesPassed:
		a.Owner, a.Validator = m.GetOwnerId(), m.GetValidatorId()
	case *nairav1.AjoMotionVoteEnded:
		a.Motions = slices.Clone(a.Motions)
		for i, motion := range a.Motions {
			if motion.ID == m.GetMotionId() {
				a.Motions[i].For, a.Motions[i].Against = without(motion.For, m.GetUserId()), without(motion.Against, m.GetUserId())
			}
		}
	case *nairav1.AjoMotionEnded:
		a.Motions = Without(a.Motions, func(x Motion) bool { return x.ID == m.GetMotionId() })
	}
}

// resized are seats in another number: those that are taken, in their order, and free ones.
func resized(seats []Seat, n int) []Seat {
	if n == len(seats) {
		return seats
	}
	out := make([]Seat, 0, max(0, n))
	for _, s := range seats {
		if len(s.Places) > 0 {
			out = append(out, s)
		}
	}
	for len(out) < n {
		out = append(out, Seat{})
	}
	return out
}

// edited is a copy of seats, with each place of a user changed.
func edited(seats []Seat, user string, edit func(*Place)) []Seat {
	out := make([]Seat, len(seats))
	for i, s := range seats {
		out[i].Places = slices.Clone(s.Places)
		for j := range out[i].Places {
			if edit != nil && out[i].Places[j].User == user {
				edit(&out[i].Places[j])
			}
		}
	}
	return out
}

// taken are seats with one more place. Who holds half of the seat holds all of it then.
func taken(seats []Seat, n int, p Place) []Seat {
	seats = slices.Clone(seats)
	for len(seats) < n && n <= 2*MaxSeats {
		seats = append(seats, Seat{})
	}
	if n < 1 || n > len(seats) {
		return seats
	}
	seats[n-1].Places = slices.Clone(seats[n-1].Places)
	for i, held := range seats[n-1].Places {
		if held.User == p.User {
			p.Halves, p.Since = p.Halves+held.Halves, held.Since
			seats[n-1].Places[i] = p
			return seats
		}
	}
	seats[n-1].Places = append(seats[n-1].Places, p)
	return seats
}

func freed(seats []Seat, n int, user string) []Seat {
	seats = edited(seats, "", nil)
	if n >= 1 && n <= len(seats) {
		seats[n-1].Places = Without(seats[n-1].Places, func(p Place) bool { return p.User == user })
	}
	for i := range seats {
		if len(seats[i].Places) == 0 {
			seats[i].Places = nil
		}
	}
	return seats
}

func closedPlace(openings []Opening, seat int, user string) []Opening {
	return Without(openings, func(o Opening) bool { return o.Seat == seat && o.User == user })
}

func without(users []string, user string) []string {
	return Without(users, func(u string) bool { return u == user })
}

func ints(numbers []int32) []int {
	out := make([]int, len(numbers))
	for i, n := range numbers {
		out[i] = int(n)
	}
	return out
}

// Int32s are numbers as events have them.
func Int32s(numbers []int) []int32 {
	out := make([]int32, len(numbers))
	for i, n := range numbers {
		out[i] = int32(n)
	}
	return out
}

// Without is a list without some of it, and nil where nothing is left: a state that was written down and read again is
// the same.
func Without[T any](list []T, gone func(T) bool) []T {
	left := slices.DeleteFunc(slices.Clone(list), gone)
	if len(left) == 0 {
		return nil
	}
	return left
}
