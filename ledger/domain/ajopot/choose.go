package ajopot

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// chosen is the seat, of some, that was voted or bid for, and what it bid. Ties are settled by the order as it was
// set first. Without votes or bids it is the first of the order as it is.
func (c Cycle) chosen(a ajo.Ajo, free []int) (seat int, discount money.Kobo) {
	score := map[int]money.Kobo{}
	switch a.Terms.GetOrder() {
	case nairav1.AjoOrder_AJO_ORDER_NEED:
		for _, v := range c.Votes {
			if _, own := a.Place(v.For, v.User); a.Counts(v.User) && !own || a.Earlier {
				score[v.For] += money.Kobo(a.HalvesOf(v.User))
			}
		}
	case nairav1.AjoOrder_AJO_ORDER_BIDDING:
		for _, seat := range free {
			score[seat] = c.bidOf(a, seat)
		}
	default:
		return free[0], 0
	}
	best := free[0]
	for _, s := range free {
		if score[s] > score[best] || score[s] == score[best] && score[s] > 0 && slices.Index(a.Base, s) < slices.Index(a.Base, best) {
			best = s
		}
	}
	if a.Terms.GetOrder() == nairav1.AjoOrder_AJO_ORDER_BIDDING {
		discount = score[best]
	}
	return best, discount
}

// bidOf is what a seat bid: the least that its holders did, for the pot of both pays it, and nothing where one of them
// did not. In earlier builds the last bid of a seat counted, whose ever it was.
func (c Cycle) bidOf(a ajo.Ajo, seat int) (bid money.Kobo) {
	var by []string
	for _, b := range c.Bids {
		switch {
		case b.Seat != seat:
		case a.Earlier:
			bid, by = 0, nil
			if b.Revealed && b.standing(a) {
				bid = b.Discount
			}
		case b.Revealed && b.standing(a):
			if len(by) == 0 || b.Discount < bid {
				bid = b.Discount
			}
			by = append(by, b.User)
		}
	}
	if len(by) < len(a.Seats[seat-1].Places) && !a.Earlier {
		return 0
	}
	return bid
}

// standing reports whether a bid still counts: who made it holds the seat. Earlier builds ended no bids.
func (b Bid) standing(a ajo.Ajo) bool {
	_, holds := a.Place(b.Seat, b.User)
	return holds && a.HasVoice(b.User)
}

// endBids ends the bids for a seat of which somebody takes over a place, or that pays no more: nobody who takes a place
// over has bid for it.
func (e *ending) endBids(seat int) {
	k := e.a.Current()
	for _, b := range e.cycle(k).Bids {
		if b.Seat == seat {
			e.on(event.On(CycleStream(e.ajoID, k), &nairav1.AjoBidEnded{AjoId: e.ajoID, Cycle: int32(k), Seat: int32(seat), UserId: b.User}))
		}
	}
}

// endVotes ends what was voted and approved with a place that somebody takes over, and what was voted for its seat: the
// votes were for the need of the holder who leaves. A member who keeps another place keeps their own votes.
func (e *ending) endVotes(seat int, from string) {
	leaves := len(e.a.SeatsOf(from)) == 1
	for _, k := range e.cycles {
		c := e.cycle(k)
		for _, v := range c.Votes {
			if v.For == seat || leaves && v.User == from {
				e.endVote(k, v.User)
			}
		}
		if leaves && !c.PaidOut && slices.Contains(c.Approvals, from) {
			e.endVote(k, from)
		}
	}
	for _, m := range e.a.Motions {
		if leaves && (slices.Contains(m.For, from) || slices.Contains(m.Against, from)) {
			e.on(event.On(ajo.Stream(e.ajoID), &nairav1.AjoMotionVoteEnded{AjoId: e.ajoID, MotionId: m.ID, UserId: from}))
		}
	}
	for _, s := range e.a.Swaps { // Who agreed to a swap agreed to it with another.
		if s.Seat == seat || s.With == seat {
			e.on(event.On(ajo.Stream(e.ajoID), &nairav1.AjoSwapEnded{AjoId: e.ajoID, SwapId: s.ID}))
		}
	}
}

func (e *ending) endVote(cycle int, user string) {
	e.on(event.On(CycleStream(e.ajoID, cycle), &nairav1.AjoVoteEnded{AjoId: e.ajoID, Cycle: int32(cycle), UserId: user}))
}

// choosing is a member's cycle in which who collects is chosen, refused where it is not or where they have no say.
func choosing(v event.View, ajoID string, k int, user string, order nairav1.AjoOrder) (ajo.Ajo, Cycle, error) {
	a, err := ajo.Read(v, ajoID, user)
	if err != nil {
		return a, Cycle{}, err
	}
	if err := running(a); err != nil {
		return a, Cycle{}, err
	}
	switch {
	case a.Terms.GetOrder() != order:
		return a, Cycle{}, fault.New(fault.Conflict, "In this ajo who collects is not chosen like this.")
	case k != a.Current() || a.Over():
		return a, Cycle{}, fault.New(fault.Conflict, "Only who collects in the current cycle is chosen now: cycle %d.", a.Current())
	case !a.HasVoice(user):
		return a, Cycle{}, fault.New(fault.Forbidden, "Only a member who holds a seat, and was not expelled, has a say in this.")
	}
	return a, event.StateOf[Cycle](v, CycleStream(ajoID, k)), nil
}

// eligible refuses a seat that cannot collect next.
func eligible(a ajo.Ajo, debts Debts, seat int) error {
	_, frozen := a.FrozenAt(seat)
	switch {
	case seat < 1 || seat > len(a.Seats):
		return fault.New(fault.NotFound, "There is no such seat.")
	case a.HasCollected(seat):
		return fault.New(fault.Conflict, "Seat %d has collected already.", seat)
	case frozen:
		return fault.New(fault.Conflict, "Seat %d pays no more and collects last.", seat)
	case debts.In(a).OwesSeat(seat) > 0:
		return fault.New(fault.Conflict, "Seat %d owes, so it cannot collect next.", seat)
	case a.IsLeft(seat):
		return fault.New(fault.Conflict, "Somebody who held seat %d has closed their account, so it collects last.", seat)
	}
	return nil
}

// choice is a command about who collects in a cycle: a vote, or a bid, which gives money away.
type choice struct {
	ajoID  string
	cycle  int
	user   string
	order  nairav1.AjoOrder
	decide func(ajo.Ajo, Cycle, Debts) (event.Draft, error)
}

// Streams implements event.Command.
func (c choice) Streams() []string {
	return []string{ajo.Stream(c.ajoID), CycleStream(c.ajoID, c.cycle), ajo.DebtStream(c.ajoID), account.Stream(c.user)}
}

// Accounts implements event.Command.
func (choice) Accounts() []string { return nil }

// Decide implements event.Command.
func (c choice) Decide(v event.View) ([]event.Draft, error) {
	a, cycle, err := choosing(v, c.ajoID, c.cycle, c.user, c.order)
	if err != nil {
		return nil, err
	}
	draft, err := c.decide(a, cycle, event.StateOf[Debts](v, ajo.DebtStream(c.ajoID)))
	if err == nil {
		err = standing.May(v, c.user, standing.Decide)
	}
	if err != nil {
		return nil, err
	}
	return []event.Draft{draft}, nil
}

// VoteNeed is a member's secret vote for the seat that needs the pot next. It can be changed until the due day is
// over.
func VoteNeed(ajoID string, cycle int, user string, forSeat int, now time.Time) event.Command {
	return choice{ajoID, cycle, user, nairav1.AjoOrder_AJO_ORDER_NEED, func(a ajo.Ajo, c Cycle, debts Debts) (event.Draft, error) {
		if err := eligible(a, debts, forSeat); err != nil {
			return event.Draft{}, err
		}
		_, own := a.Place(forSeat, user)
		switch {
		case day(now).After(a.Due(cycle)):
			return event.Draft{}, fault.New(fault.Conflict, "The vote ended with the due day.")
		case own:
			return event.Draft{}, fault.New(fault.Forbidden, "Nobody votes for a seat of their own.")
		}
		return event.On(CycleStream(ajoID, cycle), &nairav1.AjoNeedVoted{AjoId: ajoID, Cycle: int32(cycle), UserId: user, ForSeat: int32(forSeat)}), nil
	}}
}

// BidHash is what a sealed bid commits to: SHA-256 over "adashi.ng/ajo-bid/v1\n", the cycle and the seat as u32be,
// the discount in kobo as u64be, and the salt.
func BidHash(cycle, seat int, discount money.Kobo, salt []byte) [32]byte {
	text := []byte("adashi.ng/ajo-bid/v1\n")
	text = binary.BigEndian.AppendUint32(text, uint32(cycle))
	text = binary.BigEndian.AppendUint32(text, uint32(seat))
	text = binary.BigEndian.AppendUint64(text, uint64(discount))
	return sha256.Sum256(append(text, salt...))
}

// CommitBid seals a bid for the current turn. It can be replaced until the due day is over.
func CommitBid(ajoID string, cycle, seat int, user string, commitment []byte, now time.Time) event.Command {
	return choice{ajoID, cycle, user, nairav1.AjoOrder_AJO_ORDER_BIDDING, func(a ajo.Ajo, c Cycle, debts Debts) (event.Draft, error) {
		if err := eligible(a, debts, seat); err != nil {
			return event.Draft{}, err
		}
		_, own := a.Place(seat, user)
		switch {
		case !own:
			return event.Draft{}, fault.New(fault.Forbidden, "Only who holds seat %d can bid for it.", seat)
		case day(now).After(a.Due(cycle)):
			return event.Draft{}, fault.New(fault.Conflict, "Bids ended with the due day.")
		case len(commitment) != sha256.Size:
			return event.Draft{}, fault.Field("commitment", "A sealed bid has 32 bytes. Please load the page again.")
		}
		return event.On(CycleStream(ajoID, cycle), &nairav1.AjoBidCommitted{
			AjoId: ajoID, Cycle: int32(cycle), Seat: int32(seat), UserId: user, Commitment: commitment,
		}), nil
	}}
}

// RevealBid opens a bid, after the due day. One that is not opened in time counts as none.
func RevealBid(ajoID string, cycle, seat int, user string, discount money.Kobo, salt []byte, now time.Time) event.Command {
	return choice{ajoID, cycle, user, nairav1.AjoOrder_AJO_ORDER_BIDDING, func(a ajo.Ajo, c Cycle, _ Debts) (event.Draft, error) {
		_, own := a.Place(seat, user)
		i := slices.IndexFunc(c.Bids, func(b Bid) bool { return b.Seat == seat && b.User == user })
		pot := money.Kobo(a.Terms.GetAmountKobo()) * money.Kobo(len(a.Order))
		most, step := pot*money.Kobo(a.Terms.GetBidBasisPoints())/10_000, money.Kobo(a.Terms.GetBidStepKobo())
		hash := BidHash(cycle, seat, discount, salt)
		switch {
		case !own:
			return event.Draft{}, fault.New(fault.Forbidden, "Only who holds seat %d can open a bid for it.", seat)
		case i < 0:
			return event.Draft{}, fault.New(fault.Conflict, "You have not bid for seat %d in this cycle, or your bid has ended: a bid ends when somebody takes over a place of its seat, or when the seat pays no more.", seat)
		case c.Bids[i].Revealed:
			return event.Draft{}, fault.New(fault.Conflict, "This bid is open already.")
		case !day(now).After(a.Due(cycle)):
			return event.Draft{}, fault.New(fault.Conflict, "Bids stay sealed until %s is over.", ajo.Day(a.Due(cycle)))
		case day(now).After(ChosenBy(a, cycle)):
			return event.Draft{}, fault.New(fault.Conflict, "The time to open bids is over.")
		case !bytes.Equal(hash[:], c.Bids[i].Commitment):
			return event.Draft{}, fault.Field("discount", "This is not the bid that you sealed. Use the phone with which you bid.")
		case discount < 0 || discount > most || discount%step != 0:
			return event.Draft{}, fault.Field("discount", "A bid is a multiple of %s, and at most %s.", step, most)
		}
		return event.On(CycleStream(ajoID, cycle), &nairav1.AjoBidRevealed{
			AjoId: ajoID, Cycle: int32(cycle), Seat: int32(seat), UserId: user, DiscountKobo: int64(discount), Salt: salt,
		}), nil
	}}
}

// ChosenBy is the last day on which it may still change who collects in a cycle: the due day of a vote, and the last
// one on which bids are opened. Elsewhere it is the day before the cycle opens.
func ChosenBy(a ajo.Ajo, cycle int) time.Time {
	switch a.Terms.GetOrder() {
	case nairav1.AjoOrder_AJO_ORDER_NEED:
		return a.Due(cycle)
	case nairav1.AjoOrder_AJO_ORDER_BIDDING:
		return a.Due(cycle).AddDate(0, 0, int(a.Terms.GetRevealDays()))
	default:
		return a.Opens(cycle).AddDate(0, 0, -1)
	}
}

// Collects is the seat that collects in the current cycle, as far as it is known on a day.
func Collects(a ajo.Ajo, cycle Cycle, debts Debts, today time.Time) int {
	if a.Earlier || !today.After(ChosenBy(a, a.Current())) {
		return a.Order[a.Current()-1]
	}
	j := &judging{c: Judge{Cycle: a.Current()}, a: a, cycle: cycle, debts: debts}
	seat, _ := j.beneficiary()
	return seat
}

// Unpaid are the members who have a due of the current cycle to pay on a day: not those of the seat that collects, once
// that is chosen, and before that not those whose turn it is.
func Unpaid(a ajo.Ajo, cycle Cycle, debts Debts, today time.Time) []string {
	k := a.Current()
	collects := Collects(a, cycle, debts, today)
	if a.Order[k-1] != collects {
		a.Order = a.Sooner(collects)
	}
	var owing []string
	for i, seat := range a.Seats {
		for _, p := range seat.Places {
			if i+1 != collects && cycle.Paid(i+1, p.User) < a.DueOf(i+1, p, k) && !slices.Contains(a.Closed, p.User) {
				owing = append(owing, p.User)
			}
		}
	}
	return owing
}
