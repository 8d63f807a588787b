package ajopot

import (
	"fmt"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoaccess"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// Judge makes the current cycle's pot ready to be paid out: at once when everybody has paid, and otherwise when the
// days of grace are over. Who collects is settled then: as was voted or bid, and never a seat that owes while
// another does not. What is missing comes out of deposits, and the rest is a debt to whoever collects, with the
// penalty.
type Judge struct {
	AjoID  string
	Cycle  int
	People []string // All who hold a place, and whose money is in the pot; nobody where the pot is full and not more.
	Now    time.Time
}

// Streams implements event.Command.
func (c Judge) Streams() []string {
	streams := []string{ajo.Stream(c.AjoID), CycleStream(c.AjoID, c.Cycle), ajo.DebtStream(c.AjoID)}
	for _, user := range c.People {
		streams = append(streams, ajoaccess.Stream(user))
	}
	return append(streams, creditorStreams(c.People, c.key())...)
}

// key names it where money of it is parked.
func (c Judge) key() string { return fmt.Sprintf("%s ready %d", c.AjoID, c.Cycle) }

// Accounts implements event.Command.
func (c Judge) Accounts() []string {
	accounts := []string{posting.Pot(c.AjoID, c.Cycle)}
	if len(c.People) > 0 {
		accounts = append(accounts, posting.Unmatched)
	}
	for _, user := range c.People {
		accounts = append(accounts, posting.Deposit(c.AjoID, user), posting.Wallet(user))
	}
	return accounts
}

// judging is a cycle as it is made ready.
type judging struct {
	c      Judge
	v      event.View
	a      ajo.Ajo
	cycle  Cycle
	debts  Debts
	over   bool // The days of grace are over.
	drafts []event.Draft
	// What deposits still hold, what the pot holds, and what is missing of it.
	deposits             map[string]money.Kobo
	pot, netted, missing money.Kobo
}

// Decide implements event.Command.
func (c Judge) Decide(v event.View) ([]event.Draft, error) {
	a, err := ajo.Read(v, c.AjoID, "")
	if err != nil {
		return nil, err
	}
	if err := running(a); err != nil {
		return nil, err
	}
	j := &judging{
		c: c, v: v, a: a, cycle: event.StateOf[Cycle](v, CycleStream(c.AjoID, c.Cycle)), debts: event.StateOf[Debts](v, ajo.DebtStream(c.AjoID)),
		deposits: map[string]money.Kobo{}, pot: v.Balance(posting.Pot(c.AjoID, c.Cycle)),
	}
	if c.Cycle != a.Current() || a.Over() {
		return nil, fault.New(fault.Conflict, "Cycle %d is not the one that is paid now.", c.Cycle)
	}
	j.inTime()
	today := day(c.Now)
	j.over = today.After(a.Deadline(c.Cycle))
	seat, discount := j.beneficiary()
	switch {
	case today.Before(a.Opens(c.Cycle)):
		return nil, fault.New(fault.Conflict, "Cycle %d opens on %s.", c.Cycle, ajo.Day(a.Opens(c.Cycle)))
	case !j.over && !today.After(ChosenBy(a, c.Cycle)):
		return nil, fault.New(fault.Conflict, "Who collects in cycle %d is chosen until %s.", c.Cycle, ajo.Day(ChosenBy(a, c.Cycle)))
	case !j.over && !j.full(seat):
		return nil, fault.New(fault.Conflict, "This cycle waits until %s, or until all have paid.", ajo.Day(a.Deadline(c.Cycle).AddDate(0, 0, 1)))
	}
	j.turn(seat)
	if !j.even(seat) {
		if err := ajo.All(concerned(a, j.cycle), c.People); err != nil {
			return nil, err
		}
	}
	j.settle(seat)
	j.drafts = append(j.drafts, got(v, c.key(), returns(j.drafts))...)
	j.endOpenings(seat)
	return append(j.drafts, event.On(ajo.Stream(c.AjoID), &nairav1.AjoCycleReady{
		AjoId: c.AjoID, Cycle: int32(c.Cycle), Seat: int32(seat), CollectedKobo: int64(j.pot), NettedKobo: int64(j.netted),
		MissingKobo: int64(j.missing), DiscountKobo: int64(discount),
	})), nil
}

// endOpenings ends the search for who takes over a place of a seat that collects: it paid in what it gets now. Earlier
// builds left it open.
func (j *judging) endOpenings(seat int) {
	for _, o := range j.a.Openings {
		if o.Seat == seat && !j.a.Earlier {
			j.drafts = append(j.drafts, event.On(ajo.Stream(j.c.AjoID), &nairav1.AjoPlaceKept{AjoId: j.c.AjoID, Seat: int32(seat), UserId: o.User}))
		}
	}
}

// inTime takes back a swap of this turn that was agreed to after the days of grace: had the cycle been judged before
// it, as it is now, nobody would have missed a due that they could not pay any more.
func (j *judging) inTime() {
	if len(j.a.Late) == 0 || j.a.Earlier {
		return
	}
	var moved []int
	for k, seat := range j.a.Late {
		if j.a.Order[k] != seat {
			moved = append(moved, seat)
		}
	}
	j.a.Order = j.a.Late
	j.drafts = append(j.drafts, event.On(ajo.Stream(j.c.AjoID), ajo.Turns(j.c.AjoID, j.a.Order, nairav1.AjoTurnReason_AJO_TURN_REASON_SWAPPED, "", moved...)))
}

// concerned are who holds a place, and whose money is in a pot.
func concerned(a ajo.Ajo, c Cycle) []string {
	people := a.Members()
	for _, p := range c.Payments {
		if !slices.Contains(people, p.By) {
			people = append(people, p.By)
		}
	}
	return people
}

// full reports whether everybody has paid to a seat's turn; its own due is netted.
func (j *judging) full(beneficiary int) bool {
	a := j.as(beneficiary)
	for i, s := range a.Seats {
		for _, p := range s.Places {
			if seat := i + 1; seat != beneficiary && a.DueOf(seat, p, j.c.Cycle) > j.cycle.Paid(seat, p.User) {
				return false
			}
		}
	}
	return true
}

// even reports whether every place paid just what it owes, but for the one that collects, whose due is netted: then no
// money goes anywhere.
func (j *judging) even(beneficiary int) bool {
	for i, s := range j.a.Seats {
		for _, p := range s.Places {
			seat := i + 1
			due, paid := j.a.DueOf(seat, p, j.c.Cycle), j.cycle.Paid(seat, p.User)
			if paid > due || paid < due && seat != beneficiary {
				return false
			}
		}
	}
	return true
}

// as is the ajo with a seat's turn in the cycle.
func (j *judging) as(beneficiary int) ajo.Ajo {
	a := j.a
	if a.Order[j.c.Cycle-1] != beneficiary {
		a.Order = a.Sooner(beneficiary)
	}
	return a
}

// beneficiary is the seat that collects, and what it bid for that. Among seats that have not collected, one that
// owes nothing comes before one that owes; where all owe, the one that owes least. A frozen seat never comes before
// another, and one whose holder has closed their account comes before a frozen one alone.
func (j *judging) beneficiary() (seat int, discount money.Kobo) {
	var able []int
	for _, s := range j.a.Order[j.a.Last():] {
		if _, frozen := j.a.FrozenAt(s); !frozen {
			able = append(able, s)
		}
	}
	usual := j.a.Order[j.a.Last()]
	if len(able) == 0 {
		return usual, 0 // Only frozen seats are left.
	}
	if held := slices.DeleteFunc(slices.Clone(able), j.a.IsLeft); len(held) > 0 {
		able = held
	}
	owes := func(s int) int64 { return j.debts.In(j.a).OwesSeat(s) }
	free := slices.DeleteFunc(slices.Clone(able), func(s int) bool { return owes(s) > 0 })
	if len(free) == 0 {
		return slices.MinFunc(able, func(a, b int) int { return int(min(1, max(-1, owes(a)-owes(b)))) }), 0
	}
	return j.cycle.chosen(j.a, free)
}

// turn changes the turns where another seat collects than the order said.
func (j *judging) turn(seat int) {
	usual := j.a.Order[j.a.Last()]
	if seat == usual {
		return
	}
	reason := nairav1.AjoTurnReason_AJO_TURN_REASON_CHOSEN
	order, moved := j.a.Sooner(seat), seat
	if owes := j.debts.In(j.a).OwesSeat(usual) > 0; owes || j.a.IsLeft(usual) {
		// Who owed moves behind all others, and stays there. So does the seat of a closed account, which pays no more.
		reason, moved = nairav1.AjoTurnReason_AJO_TURN_REASON_OWES, usual
		if !owes {
			reason = nairav1.AjoTurnReason_AJO_TURN_REASON_FROZEN
		}
		later := j.a
		later.Order = j.a.Later(usual)
		order = later.Sooner(seat)
	}
	j.a.Order = order
	j.drafts = append(j.drafts, event.On(ajo.Stream(j.c.AjoID), ajo.Turns(j.c.AjoID, order, reason, "", moved)))
	for _, s := range j.a.Swaps { // Who agreed to a swap agreed to other turns.
		if slices.ContainsFunc([]int{s.Seat, s.With}, func(x int) bool { return x == seat || x == usual }) {
			j.drafts = append(j.drafts, event.On(ajo.Stream(j.c.AjoID), &nairav1.AjoSwapEnded{AjoId: j.c.AjoID, SwapId: s.ID}))
		}
	}
}

// settle makes good what is missing, as far as deposits go, and opens debts for the rest. What was paid and is not
// due goes back.
func (j *judging) settle(beneficiary int) {
	for i, s := range j.a.Seats {
		for n, p := range s.Places {
			seat := i + 1
			due, paid := j.a.DueOf(seat, p, j.c.Cycle), j.cycle.Paid(seat, p.User)
			switch {
			case paid > due:
				j.giveBack(seat, p.User, paid-due)
			case paid == due:
			case seat == beneficiary:
				j.netted += due - paid
			default:
				j.miss(beneficiary, seat, n, p, due-paid)
			}
		}
	}
}

// giveBack returns payments of a place.
func (j *judging) giveBack(seat int, user string, amount money.Kobo) {
	for _, p := range j.cycle.Payments {
		if p.Seat == seat && p.User == user && p.Amount <= amount {
			drafts, debts := returned(j.c.AjoID, j.c.Cycle, p, j.debts, "Nothing was due of this seat to this turn any more.")
			j.drafts, j.debts = append(j.drafts, drafts...), debts
			j.pot, amount = j.pot-p.Amount, amount-p.Amount
		}
	}
}

// returned gives a payment back. Of a cover, what its debtor has paid since is theirs, and what they have not is
// owed no more.
func returned(ajoID string, cycle int, p Payment, debts Debts, reason string) ([]event.Draft, Debts) {
	var out []event.Draft
	theirs, rest := money.Kobo(0), p.Amount // A bank may have taken a part of it, and of its debt.
	for _, d := range debts.All {
		if p.Gift || d.Kind != nairav1.AjoDebtKind_AJO_DEBT_KIND_COVER || d.Cycle != cycle || d.Seat != p.Seat || d.Debtor != p.User || d.Creditor != p.By {
			continue
		}
		off := min(rest, max(0, d.Left()))
		if off > 0 {
			out = append(out, forgiven(ajoID, d, off))
			debts = debts.change(d.ID, func(x *Debt) { x.Forgiven += off })
		}
		part := min(rest-off, d.Paid)
		rest, theirs = rest-off-part, theirs+part
	}
	for _, back := range []Part{{p.By, p.Amount - theirs}, {p.User, theirs}} {
		if back.Amount > 0 {
			out = append(out, event.On(CycleStream(ajoID, cycle), &nairav1.AjoContributionReturned{
				AjoId: ajoID, Cycle: int32(cycle), Seat: int32(p.Seat), UserId: p.User, PaidBy: p.By, AmountKobo: int64(back.Amount), Reason: reason, ToUserId: back.User,
			}))
		}
	}
	return out, debts
}

// miss is a place's due that was not paid. place is its number in the seat.
func (j *judging) miss(beneficiary, seat, place int, p ajo.Place, gap money.Kobo) {
	account := posting.Deposit(j.c.AjoID, p.User)
	held, known := j.deposits[p.User]
	if !known {
		held = j.v.Balance(account)
	}
	if used := min(held, gap); used > 0 {
		j.drafts = append(j.drafts, event.On(CycleStream(j.c.AjoID, j.c.Cycle), &nairav1.AjoDepositUsed{
			AjoId: j.c.AjoID, UserId: p.User, Cycle: int32(j.c.Cycle), Seat: int32(seat), AmountKobo: int64(used),
		}))
		held, gap, j.pot = held-used, gap-used, j.pot+used
	}
	j.deposits[p.User] = held
	if gap == 0 {
		return
	}
	j.missing += gap
	j.drafts = append(j.drafts, shortfalls(j.c.AjoID, j.a, beneficiary, Debt{
		ID: fmt.Sprintf("%d.%d.%d", j.c.Cycle, seat, place+1), Cycle: j.c.Cycle, Seat: seat, Debtor: p.User, Amount: gap,
	})...)
	if j.a.HasCollected(seat) && event.StateOf[ajoaccess.Access](j.v, ajoaccess.Stream(p.User)).Has && !j.lost(p.User) {
		j.drafts = append(j.drafts, ajoaccess.Lost(p.User, "You collected from an ajo and did not pay your due since.", j.c.AjoID))
	}
}

// lost reports whether this cycle took a member's access already.
func (j *judging) lost(user string) bool {
	return slices.ContainsFunc(j.drafts, func(d event.Draft) bool { return d.Stream == ajoaccess.Stream(user) })
}
