package ajopot

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// whole is a command about a whole ajo: its current pot, its deposits and its debts.
type whole struct {
	ajoID  string
	cycles []int    // Whose pots it reads or changes.
	people []string // Everybody who holds a place, whose money is in a pot, and to whom anybody owes.
	joins  ajo.Joiner
	key    string // Names the command where money of it is parked; used once in an ajo.
	decide func(*ending) error
}

// ending is an ajo as it is decided about.
type ending struct {
	whole
	v      event.View
	a      ajo.Ajo
	debts  Debts
	drafts []event.Draft
	paid   []Part // To creditors.
}

// Streams implements event.Command.
func (c whole) Streams() []string {
	streams := []string{ajo.Stream(c.ajoID), ajo.DebtStream(c.ajoID)}
	for _, k := range c.touched() {
		streams = append(streams, CycleStream(c.ajoID, k))
	}
	for _, user := range c.people {
		streams = append(streams, ajo.CommitStream(user), ajo.BookStream(c.ajoID, user))
	}
	if c.joins.User != "" {
		streams = append(streams, c.joins.Streams()...)
		streams = append(streams, ajo.BookStream(c.ajoID, c.joins.User))
	}
	for _, user := range c.people {
		streams = append(streams, parking(c.ajoID+" got "+c.key, user))
	}
	return append(streams, creditorStreams(c.people, c.ajoID+" "+c.key)...)
}

// touched are the cycles that it names, and the one after the first of them, which may have opened.
func (c whole) touched() []int {
	if len(c.cycles) == 0 || slices.Contains(c.cycles, c.cycles[0]+1) {
		return c.cycles
	}
	return append(slices.Clone(c.cycles), c.cycles[0]+1)
}

// Accounts implements event.Command.
func (c whole) Accounts() []string {
	accounts := creditorAccounts(c.people)
	for _, user := range c.people {
		accounts = append(accounts, posting.Deposit(c.ajoID, user))
	}
	for _, k := range c.touched() {
		accounts = append(accounts, posting.Pot(c.ajoID, k))
	}
	if c.joins.User != "" {
		accounts = append(accounts, posting.Wallet(c.joins.User), posting.Deposit(c.ajoID, c.joins.User))
	}
	return accounts
}

// Decide implements event.Command.
func (c whole) Decide(v event.View) ([]event.Draft, error) {
	a, err := ajo.Read(v, c.ajoID, "")
	if err != nil {
		return nil, err
	}
	if err := running(a); err != nil {
		return nil, err
	}
	e := &ending{whole: c, v: v, a: a, debts: event.StateOf[Debts](v, ajo.DebtStream(c.ajoID))}
	if err := ajo.All(e.concerned(), c.people); err != nil {
		return nil, err
	}
	if err := c.decide(e); err != nil {
		return nil, err
	}
	for _, p := range returns(e.drafts) { // Also what somebody paid for another, and gets back.
		if err := e.settles(p.User); err != nil {
			return nil, err
		}
	}
	return append(append(e.drafts, parked(v, c.ajoID+" "+c.key, e.paid)...), got(v, c.ajoID+" got "+c.key, returns(e.drafts))...), nil
}

func (e *ending) cycle(k int) Cycle { return event.StateOf[Cycle](e.v, CycleStream(e.ajoID, k)) }

// concerned are all whose money may move.
func (e *ending) concerned() []string {
	people := e.a.Members()
	for _, k := range e.touched() {
		people = append(people, concerned(e.a, e.cycle(k))...)
	}
	for _, d := range e.debts.All {
		if d.Left() > 0 && d.Creditor != "" {
			people = append(people, d.Creditor)
		}
	}
	return people
}

// on drafts an event of the ajo's own stream.
func (e *ending) on(drafts ...event.Draft) { e.drafts = append(e.drafts, drafts...) }

// lapse returns a member's deposit, less what they owe, but for what they still have to deposit for so many half hands.
// Earlier builds kept all of it for one.
func (e *ending) lapse(user string, halves int) error {
	if e.a.Earlier && halves > 0 {
		return nil
	}
	drafts, paid, err := lapse(e.v, e.ajoID, user, e.debts, ajo.Share(e.a.Terms, halves)*money.Kobo(e.a.Terms.GetDeposits()))
	e.drafts = append(e.drafts, drafts...)
	for _, p := range paid {
		e.paid = credit(e.paid, p.User, p.Amount)
	}
	for _, d := range drafts {
		if m, is := d.Message.(*nairav1.AjoDebtPaid); is {
			e.debts = e.debts.change(m.GetDebtId(), func(x *Debt) { x.Paid += money.Kobo(m.GetAmountKobo()) })
		}
	}
	return err
}

// settles pays what a member owes in the ajo out of what they get there. Earlier builds left that in
// their wallet.
func (e *ending) settles(user string) error {
	if e.a.Earlier {
		return nil
	}
	gets := money.Kobo(0)
	for _, p := range returns(e.drafts) {
		if p.User == user {
			gets = p.Amount
		}
	}
	for _, d := range e.debts.Open(user) {
		part := min(gets, d.Left())
		if part <= 0 {
			continue
		}
		draft, err := payOff(e.ajoID, d, part, payer{from: nairav1.AjoDebtFrom_AJO_DEBT_FROM_WALLET, by: user})
		if err != nil {
			return err
		}
		e.on(draft)
		gets, e.paid = gets-part, credit(e.paid, d.Creditor, part)
		e.debts = e.debts.change(d.ID, func(x *Debt) { x.Paid += part })
	}
	return nil
}

// emptied gives back some of what is in a pot that is open. Earlier builds opened one at a time.
func (e *ending) emptied(k int, which func(Payment) bool) {
	if k > len(e.a.Order) || e.a.Earlier && k != e.a.Current() {
		return
	}
	for _, p := range e.cycle(k).Payments {
		if which(p) {
			drafts, debts := returned(e.ajoID, k, p, e.debts, "The seat pays no more.")
			e.drafts, e.debts = append(e.drafts, drafts...), debts
		}
	}
}

// frozen drafts that a seat pays no more.
func (e *ending) frozen(seat, paid int) {
	e.on(event.On(ajo.Stream(e.ajoID), &nairav1.AjoSeatFrozen{AjoId: e.ajoID, Seat: int32(seat), PaidCycles: int32(paid)}))
	e.endBids(seat)
}

// Freeze ends the search for who takes over a place: its seat pays no more and collects last, one contribution of
// each whom its money helped. The holders owe nothing to anybody for it, and nobody to them.
func Freeze(ajoID string, seat int, cycles []int, people []string, now time.Time) event.Command {
	return whole{ajoID: ajoID, cycles: cycles, people: people, key: "seat " + strconv.Itoa(seat), decide: func(e *ending) error {
		i := slices.IndexFunc(e.a.Openings, func(o ajo.Opening) bool { return o.Seat == seat })
		switch {
		case i < 0 || e.a.HasCollected(seat):
			return fault.New(fault.Conflict, "Seat %d is not given up.", seat)
		case now.Before(e.a.Openings[i].Until):
			return fault.New(fault.Conflict, "Somebody is still looked for who takes over seat %d.", seat)
		case closing(e.a, now):
			return ErrClosing
		}
		return e.freeze(seat)
	}}
}

func (e *ending) freeze(seat int) error {
	k := e.a.Current()
	if !slices.Contains(e.cycles, k) {
		return errMoved()
	}
	e.emptied(k+1, func(p Payment) bool { return p.Seat == seat })
	paid, whole := k, true
	for _, p := range e.a.Seats[seat-1].Places {
		whole = whole && e.cycle(k).Paid(seat, p.User) > 0 && e.cycle(k).Paid(seat, p.User) >= e.a.DueOf(seat, p, k)
	}
	if !whole || e.a.Order[k-1] == seat {
		paid = k - 1
		e.emptied(k, func(p Payment) bool { return p.Seat == seat })
	}
	before := e.a
	e.frozen(seat, paid)
	e.a.Frozen = append(slices.Clone(e.a.Frozen), ajo.Frozen{Seat: seat, Paid: paid})
	if order := e.a.Later(seat); !slices.Equal(order, e.a.Order) {
		e.on(event.On(ajo.Stream(e.ajoID), ajo.Turns(e.ajoID, order, nairav1.AjoTurnReason_AJO_TURN_REASON_FROZEN, "", seat)))
	}
	for _, s := range e.a.Swaps {
		if s.Seat == seat || s.With == seat {
			e.on(event.On(ajo.Stream(e.ajoID), &nairav1.AjoSwapEnded{AjoId: e.ajoID, SwapId: s.ID}))
		}
	}
	return e.relieve(before, e.a.Seats[seat-1].Users())
}

// relieve ends the promises, and returns the deposits, of those who have no seat left that pays. Those who have one
// promise less than they did before.
func (e *ending) relieve(before ajo.Ajo, users []string) error {
	for _, user := range users {
		if err := e.settles(user); err != nil {
			return err
		}
		pays := slices.ContainsFunc(e.a.SeatsOf(user), func(s int) bool {
			_, frozen := e.a.FrozenAt(s)
			return !frozen
		})
		if pays {
			if err := e.lapse(user, e.a.PayingHalves(user)); err != nil {
				return err
			}
			e.on(promisesLess(e.v, before, e.ajoID, user, before.PayingHalves(user)-e.a.PayingHalves(user))...)
			continue
		}
		if err := e.lapse(user, 0); err != nil {
			return err
		}
		e.on(ajo.Uncounted(user, e.ajoID))
	}
	return nil
}

func errMoved() error {
	return fault.New(fault.Conflict, "A cycle has ended just now. Please look again and try once more.")
}

// Terminate ends an ajo early, once its owner and two thirds have voted for it: the current pot goes back, and every
// seat that has not collected is frozen. Those who have collected pay them back in the cycles that are left.
func Terminate(ajoID, motionID string, cycles []int, people []string) event.Command {
	return whole{ajoID: ajoID, cycles: cycles, people: people, key: "terminated", decide: func(e *ending) error {
		i := slices.IndexFunc(e.a.Motions, func(m ajo.Motion) bool {
			return m.ID == motionID && m.Kind == nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE
		})
		k := e.a.Current()
		switch {
		case i < 0 || !e.a.Carried(e.a.Motions[i]):
			return fault.New(fault.Conflict, "The owner and two thirds have not voted for this.")
		case !e.a.Over() && !slices.Contains(e.cycles, k):
			return errMoved()
		}
		e.on(event.On(ajo.Stream(ajoID), &nairav1.AjoMotionEnded{AjoId: ajoID, MotionId: motionID, Carried: true}))
		e.on(event.On(ajo.Stream(ajoID), &nairav1.AjoTerminated{AjoId: ajoID}))
		var users []string
		before := e.a
		if !e.a.Over() {
			// Those who have collected still pay, and what they paid ahead stays in.
			e.emptied(k, func(p Payment) bool { return e.a.Earlier || !e.a.HasCollected(p.Seat) })
			e.emptied(k+1, func(p Payment) bool { return !e.a.HasCollected(p.Seat) })
			for _, seat := range e.a.Order[e.a.Last():] {
				if _, frozen := e.a.FrozenAt(seat); !frozen {
					e.frozen(seat, k-1)
					e.a.Frozen = append(slices.Clone(e.a.Frozen), ajo.Frozen{Seat: seat, Paid: k - 1})
					users = append(users, e.a.Seats[seat-1].Users()...)
				}
			}
		}
		slices.Sort(users)
		return e.relieve(before, slices.Compact(users))
	}}
}

// Complete ends an ajo once every pot is paid out, or once one that was ended early has paid out its pots and nothing
// is due to those that are left: deposits go back, less what their members owe.
func Complete(ajoID string, cycles []int, people []string) event.Command {
	return whole{ajoID: ajoID, cycles: cycles, people: people, key: "completed", decide: func(e *ending) error {
		if !e.a.Done() || len(e.cycles) != len(e.a.Order)-len(e.a.Past) {
			return fault.New(fault.Conflict, "Not every cycle is over.")
		}
		for _, k := range e.cycles {
			if k <= e.a.Last() && !e.cycle(k).PaidOut {
				return fault.New(fault.Conflict, "The pot of cycle %d is not paid out yet.", k)
			}
			if k > e.a.Last() {
				e.emptied(k, func(Payment) bool { return true })
			}
		}
		for _, user := range e.a.Members() {
			if err := e.settles(user); err != nil {
				return err
			}
			if err := e.lapse(user, 0); err != nil {
				return err
			}
			e.on(ajo.Uncounted(user, ajoID))
		}
		e.on(event.On(ajo.Stream(ajoID), &nairav1.AjoCompleted{AjoId: ajoID}))
		return nil
	}}
}

// TakePlace takes over a place that its holder gives up, at par: what it paid in goes to them, less what they owe
// here, which is paid first. What stands in the current pot for it goes back, and the taker pays that due. Price is
// all that the taker was told they pay, but for their own deposit.
type TakePlace struct {
	AjoID  string
	Seat   int
	From   string
	To     ajo.Joiner
	Price  money.Kobo
	Cycles []int // The current one, and those whose pots are ready and not paid out.
	People []string
	Now    time.Time
}

// closing reports whether the days of grace of the current cycle are over: it is judged first, and then the command is
// asked again.
func closing(a ajo.Ajo, now time.Time) bool {
	return !a.Earlier && !a.Over() && day(now).After(a.Deadline(a.Current()))
}

// Par is what a place has paid in: its dues to the cycles that are over, missed ones too, for they are owed. What it is
// said to have paid before the ajo came here counts, as it does when the seat freezes. Earlier builds left that out.
func Par(a ajo.Ajo, seat int, p ajo.Place) money.Kobo {
	var sum money.Kobo
	for _, past := range a.Past {
		if past.Seat != seat && slices.Contains(past.Paid, seat) && !a.Earlier {
			sum += ajo.Share(a.Terms, p.Halves)
		}
	}
	for k := len(a.Past) + 1; k <= a.Last(); k++ {
		sum += a.DueOf(seat, p, k)
	}
	return sum
}

// Command is the command.
func (c TakePlace) Command() event.Command {
	key := fmt.Sprintf("seat %d from %s", c.Seat, c.From)
	return whole{ajoID: c.AjoID, cycles: c.Cycles, people: c.People, joins: c.To, key: key, decide: func(e *ending) error {
		p, holds := e.a.Place(c.Seat, c.From)
		open := slices.ContainsFunc(e.a.Openings, func(o ajo.Opening) bool { return o.Seat == c.Seat && o.User == c.From })
		hash := ajo.TermsHash(e.a.Terms)
		_, already := e.a.Place(c.Seat, c.To.User)
		switch {
		case !holds || !open:
			return fault.New(fault.Conflict, "Seat %d is not given up any more.", c.Seat)
		case c.To.User == c.From || already && e.a.Earlier: // Else one of two holders takes the other's half.
			return fault.New(fault.Conflict, "You hold this seat already.")
		case e.a.HasCollected(c.Seat) && !e.a.Earlier: // Earlier builds left it open.
			return fault.New(fault.Conflict, "Seat %d has collected, or may ask for its pot now, so nobody can take it over.", c.Seat)
		case e.a.Over() || !slices.Contains(c.Cycles, e.a.Current()):
			return errMoved()
		case closing(e.a, c.Now):
			return ErrClosing
		case !slices.Equal(c.To.TermsHash, hash[:]):
			return fault.New(fault.Conflict, "The terms have changed since you read them. Please read them again.")
		}
		counted, err := c.To.May(e.v, e.a, c.AjoID, e.a.HalvesOf(c.To.User)+p.Halves)
		if err != nil {
			return err
		}
		par := Par(e.a, c.Seat, p)
		if par != c.Price && !e.a.Earlier {
			return fault.Field("price", "Seat %d costs %s now, not %s. Please look at it again.", c.Seat, par, c.Price)
		}
		return e.handOver(c, p, par, counted)
	}}
}

// handOver moves the place and what is paid for it.
func (e *ending) handOver(c TakePlace, p ajo.Place, par money.Kobo, counted event.Draft) error {
	deposit := ajo.Share(e.a.Terms, p.Halves) * money.Kobo(e.a.Terms.GetDeposits())
	if err := wallet.Enough(e.v, c.To.User, par+deposit); err != nil {
		return err
	}
	rest := par
	for n, d := range e.debts.All {
		part := min(rest, d.Left())
		if d.Debtor != c.From || part <= 0 || d.Creditor == c.To.User {
			continue // What is owed to the taker comes out of what they pay.
		}
		draft, err := payOff(c.AjoID, d, part, payer{from: nairav1.AjoDebtFrom_AJO_DEBT_FROM_WALLET, by: c.To.User})
		if err != nil {
			return err
		}
		e.on(draft)
		rest, e.paid = rest-part, credit(e.paid, d.Creditor, part)
		e.debts.All = slices.Clone(e.debts.All)
		e.debts.All[n].Paid += part
	}
	for _, k := range []int{e.a.Current(), e.a.Current() + 1} {
		e.emptied(k, func(paid Payment) bool { return paid.Seat == c.Seat && paid.User == c.From })
	}
	hash := ajo.TermsHash(e.a.Terms)
	e.on(event.On(ajo.Stream(c.AjoID), &nairav1.AjoPlaceTaken{
		AjoId: c.AjoID, Seat: int32(c.Seat), FromUserId: c.From, ToUserId: c.To.User, Halves: int32(p.Halves), PriceKobo: int64(rest), TermsHash: hash[:],
	}), counted)
	if err := e.settles(c.From); err != nil {
		return err
	}
	if passed := e.a.PassedWith(c.AjoID, c.Seat, c.From, c.To.User); passed != nil {
		e.on(event.On(ajo.Stream(c.AjoID), passed))
	}
	e.endBids(c.Seat)
	e.endVotes(c.Seat, c.From)
	if deposit > 0 {
		e.on(event.On(ajo.BookStream(c.AjoID, c.To.User), &nairav1.AjoDepositPaid{
			AjoId: c.AjoID, UserId: c.To.User, AmountKobo: int64(deposit), Channel: nairav1.Channel_CHANNEL_WALLET,
		}))
	}
	if len(e.a.SeatsOf(c.From)) > 1 {
		if err := e.lapse(c.From, e.a.PayingHalves(c.From)-p.Halves); err != nil {
			return err
		}
		e.on(promisesLess(e.v, e.a, c.AjoID, c.From, p.Halves)...)
		return nil
	}
	if err := e.lapse(c.From, 0); err != nil {
		return err
	}
	if b := event.StateOf[Book](e.v, ajo.BookStream(c.AjoID, c.From)); b.Dues {
		e.on(event.On(ajo.BookStream(c.AjoID, c.From), &nairav1.AjoConsentSet{AjoId: c.AjoID, UserId: c.From, Sweep: b.Sweep}))
	}
	e.on(ajo.Uncounted(c.From, c.AjoID))
	return nil
}
