package ajopot

import (
	"fmt"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

func day(at time.Time) time.Time { return savings.Day(at) }

// Pay pays a place's due to the current cycle, or to the next once it opens, whole. By may be another member, to whom
// it is owed then unless it is a gift. Money that came in time for a cycle whose pot was ready by then pays what
// became of the due; see late.
type Pay struct {
	AjoID       string
	Cycle, Seat int
	User, By    string // Whose due, and whose wallet.
	Amount      money.Kobo
	Channel     nairav1.Channel
	PaymentID   string // The payment the money came with, if it did.
	Gift        bool
	DebtID      string   // Of the debt that a cover opens, or a penalty that is undone.
	People      []string // All to whom it may go: needed for money that may be told late.
	Creditors   []string // To whom the place's debts of this cycle are owed, for money that is told late.
	Ready       bool     // Makes the pot ready too where this fills it and nobody's other money moves.
	Taken       bool     // By consent.
	At          time.Time
}

// Streams implements event.Command. What fills a deposit again is money that is told late: nobody else's book is read.
func (c Pay) Streams() []string {
	streams := []string{ajo.Stream(c.AjoID), CycleStream(c.AjoID, c.Cycle), ajo.DebtStream(c.AjoID)}
	if len(c.People) > 0 || c.Taken {
		streams = append(streams, ajo.BookStream(c.AjoID, c.User))
	}
	if c.By != c.User || c.Taken {
		streams = append(streams, account.Stream(c.User))
	}
	return append(streams, creditorStreams(c.Creditors, c.PaymentID)...)
}

// Accounts implements event.Command.
func (c Pay) Accounts() []string {
	accounts := []string{posting.Wallet(c.By), posting.Pot(c.AjoID, c.Cycle)}
	for _, user := range c.People {
		accounts = append(accounts, posting.Wallet(user))
	}
	if len(c.People) > 0 {
		accounts = append(accounts, posting.Deposit(c.AjoID, c.User), posting.Losses, posting.Unmatched)
	}
	return accounts
}

// OnlyTakes implements incoming.OnlyTakes: the pot gets all of a due that nobody was told of late.
func (c Pay) OnlyTakes() bool { return len(c.People) == 0 }

// Decide implements event.Command.
func (c Pay) Decide(v event.View) ([]event.Draft, error) {
	cycle, debts := event.StateOf[Cycle](v, CycleStream(c.AjoID, c.Cycle)), event.StateOf[Debts](v, ajo.DebtStream(c.AjoID))
	a := event.StateOf[ajo.Ajo](v, ajo.Stream(c.AjoID))
	ready, is := a.ReadyOf(c.Cycle)
	if is && !a.Earlier && c.By == c.User && c.missed(cycle, debts) {
		return c.late(v, a, ready, cycle, debts) // They may have left since.
	}
	a, err := ajo.Read(v, c.AjoID, c.By)
	if err != nil {
		return nil, err
	}
	place, err := placeOf(a, c.Seat, c.User)
	if err != nil {
		return nil, err
	}
	if c.Taken && !Agreed(v, c.AjoID, c.User, "due") {
		return nil, fault.New(fault.Forbidden, "The member has not agreed to this.")
	}
	if c.By != c.User {
		if err := standing.May(v, c.User, standing.BePaidFor, "member"); err != nil {
			return nil, err
		}
	}
	if is {
		return c.late(v, a, ready, cycle, debts)
	}
	if err := running(a); err != nil {
		return nil, err
	}
	due := a.DueOf(c.Seat, place, c.Cycle)
	if err := c.payable(a, due, cycle, debts); err != nil {
		return nil, err
	}
	if err := wallet.Enough(v, c.By, c.Amount); err != nil {
		return nil, err
	}
	out := []event.Draft{event.On(CycleStream(c.AjoID, c.Cycle), &nairav1.AjoContributed{
		AjoId: c.AjoID, Cycle: int32(c.Cycle), Seat: int32(c.Seat), UserId: c.User, PaidBy: c.By, AmountKobo: int64(c.Amount),
		Channel: c.Channel, PaymentId: c.PaymentID, Gift: c.Gift && c.By != c.User, MissingKobo: int64(c.missing(a, cycle)),
	})}
	if c.By != c.User && !c.Gift {
		out = append(out, opened(c.AjoID, Debt{
			ID: c.DebtID, Kind: nairav1.AjoDebtKind_AJO_DEBT_KIND_COVER, Cycle: c.Cycle, Seat: c.Seat, Debtor: c.User, Creditor: c.By, Amount: c.Amount,
		}))
	}
	return append(out, c.filled(v, a, out)...), nil
}

// filled makes the pot ready with a payment that fills it. Where that has to name others whose money would move, the
// pot is made ready by a Judge of its own.
func (c Pay) filled(v event.View, a ajo.Ajo, paid []event.Draft) []event.Draft {
	m := paid[0].Message.(*nairav1.AjoContributed)
	// Another seat may collect than the order says. Then what is missing by the order is that seat's due.
	if !c.Ready || len(paid) > 1 || m.GetMissingKobo() > int64(ajo.Share(a.Terms, 2)) {
		return nil
	}
	cycle := event.StateOf[Cycle](v, paid[0].Stream)
	cycle.Payments = append(slices.Clone(cycle.Payments), contribution(m, c.At))
	ready, err := Judge{AjoID: c.AjoID, Cycle: c.Cycle, Now: c.At}.Decide(withPayment{v, paid[0].Stream, cycle, posting.Pot(c.AjoID, c.Cycle), c.Amount})
	if err != nil {
		return nil
	}
	return ready
}

// withPayment is a view after a payment to a cycle.
type withPayment struct {
	event.View
	stream string
	cycle  Cycle
	pot    string
	amount money.Kobo
}

// State implements event.View.
func (p withPayment) State(stream string) any {
	if stream == p.stream {
		return p.cycle
	}
	return p.View.State(stream)
}

// Balance implements event.View.
func (p withPayment) Balance(account string) money.Kobo {
	kobo := p.View.Balance(account)
	if account == p.pot {
		kobo += p.amount
	}
	return kobo
}

// missing is what others owe to the pot once this is paid, but for whose turn it is.
func (c Pay) missing(a ajo.Ajo, cycle Cycle) money.Kobo {
	var sum money.Kobo
	for i, seat := range a.Seats {
		for _, p := range seat.Places {
			if i+1 != a.Order[c.Cycle-1] && (i+1 != c.Seat || p.User != c.User) {
				sum += max(0, a.DueOf(i+1, p, c.Cycle)-cycle.Paid(i+1, p.User))
			}
		}
	}
	return sum
}

// ErrClosing is answered to who pays when the days of grace are over and the cycle has not been judged yet: whoever
// asks has it judged, and asks again.
var ErrClosing = fault.New(fault.Conflict, "The cycle is being closed just now. Please try again in a moment. You have not been charged.")

// errMadeReady: the pot was made ready, and debts opened, since the command was built. It is built again, so it is no
// refusal: money that came for it is told again, and is nobody's until then.
var errMadeReady = fault.New(fault.Unavailable, "The cycle was closed just now. Please try again in a moment.")

// placeOf is a user's place of a seat.
func placeOf(a ajo.Ajo, seat int, user string) (ajo.Place, error) {
	p, holds := a.Place(seat, user)
	if !holds {
		return p, fault.New(fault.NotFound, "There is no such place in this ajo.")
	}
	return p, nil
}

// running refuses what can be done only between the start and the end.
func running(a ajo.Ajo) error {
	switch {
	case a.HasStarted():
		return nil
	case a.Status == ajo.Open || a.Status == ajo.Ordering:
		return fault.New(fault.Conflict, "The order is not set yet. The first cycle opens once it is.")
	default:
		return fault.New(fault.Conflict, "This ajo has ended.")
	}
}

// payable says why a due cannot be paid, if it cannot.
func (c Pay) payable(a ajo.Ajo, due money.Kobo, cycle Cycle, debts Debts) error {
	today, paid := day(c.At), cycle.Paid(c.Seat, c.User)
	switch {
	case c.Cycle < 1 || c.Cycle > len(a.Order):
		return fault.New(fault.NotFound, "There is no such cycle.")
	case c.Cycle <= len(a.Past):
		return fault.New(fault.Conflict, "Cycle %d was over before the ajo came here.", c.Cycle)
	case c.Cycle != a.Current() && c.Cycle != a.Current()+1 || today.Before(a.Opens(c.Cycle)):
		return fault.New(fault.Conflict, "Cycle %d opens on %s.", c.Cycle, ajo.Day(a.Opens(c.Cycle)))
	case c.Cycle != a.Current() && today.After(a.Deadline(a.Current())):
		return ErrClosing
	case due == 0:
		return fault.New(fault.Conflict, "Seat %d owes nothing to cycle %d. You have not been charged.", c.Seat, c.Cycle)
	case paid >= due:
		return fault.New(fault.Conflict, "This due of cycle %d is paid already. You have not been charged.", c.Cycle)
	case today.After(a.Deadline(c.Cycle)):
		return ErrClosing
	case c.Amount != due-paid:
		return fault.Field("amount", "The due of seat %d for cycle %d is %s, not %s.", c.Seat, c.Cycle, due-paid, c.Amount)
	}
	if c.By != c.User || !today.After(a.Due(c.Cycle)) {
		return nil
	}
	if open := debts.Open(c.User); len(open) > 0 {
		return fault.New(fault.Conflict, "The due day is over, so what you owe of cycle %d comes first: %s. You have not been charged.", open[0].Cycle, open[0].Left())
	}
	return nil
}

// opened is the draft of a debt.
func opened(ajoID string, d Debt) event.Draft {
	return event.On(ajo.DebtStream(ajoID), &nairav1.AjoDebtOpened{
		AjoId: ajoID, DebtId: d.ID, Kind: d.Kind, Cycle: int32(d.Cycle), Seat: int32(d.Seat), DebtorId: d.Debtor, CreditorId: d.Creditor,
		AmountKobo: int64(d.Amount), PenaltyKobo: int64(d.Penalty),
	})
}

// shortfalls are the debts that were opened for the place's due of the cycle.
func (c Pay) shortfalls(debts Debts) (missed []Debt) {
	for _, d := range debts.All {
		if d.Kind == nairav1.AjoDebtKind_AJO_DEBT_KIND_SHORTFALL && d.Cycle == c.Cycle && d.Seat == c.Seat && d.Debtor == c.User {
			missed = append(missed, d)
		}
	}
	return missed
}

// used is what was taken out of the deposit for the place's due of the cycle.
func (c Pay) used(cycle Cycle) (payments []Payment, sum money.Kobo) {
	for _, p := range cycle.Payments {
		if p.FromDeposit && p.Seat == c.Seat && p.User == c.User {
			payments, sum = append(payments, p), sum+p.Amount
		}
	}
	return payments, sum
}

// missed reports whether the place's due of the cycle was missed.
func (c Pay) missed(cycle Cycle, debts Debts) bool {
	_, used := c.used(cycle)
	return used > 0 || len(c.shortfalls(debts)) > 0
}

// late takes money that came in time for a cycle whose pot was ready when it was told. It makes good what became of
// the due: the deposit that was used, and the debts that were opened, whose penalty is undone.
func (c Pay) late(v event.View, a ajo.Ajo, ready ajo.Ready, cycle Cycle, debts Debts) ([]event.Draft, error) {
	var out []event.Draft
	left, open := c.Amount, c.shortfalls(debts)
	fromDeposit, used := c.used(cycle)
	whole := used
	for _, d := range open {
		whole += d.Amount
	}
	if c.Seat == ready.Seat {
		return nil, fault.New(fault.Conflict, "The pot of cycle %d is ready, and your own due is taken out of it. You have nothing to pay.", ready.Cycle)
	}
	if day(c.At).After(a.Deadline(ready.Cycle)) || c.By != c.User || c.PaymentID == "" || len(open) == 0 && used == 0 {
		return nil, fault.New(fault.Conflict, "Cycle %d is closed. What is missing of it is a debt now: pay the debt. You have not been charged.", ready.Cycle)
	}
	if c.Amount < whole {
		return nil, fault.Field("amount", "%s was missing of cycle %d. A part of it does not make it good: pay the debt.", whole, ready.Cycle)
	}
	var paid []Part
	for i, d := range open {
		if d.Creditor != "" && !slices.Contains(c.Creditors, d.Creditor) {
			return nil, errMadeReady
		}
		relieved, drafts := c.relieve(d, i)
		out = append(out, drafts...)
		if part := min(left, relieved.Left()); part > 0 {
			payment, err := payOff(c.AjoID, relieved, part, payer{from: nairav1.AjoDebtFrom_AJO_DEBT_FROM_WALLET, by: c.User, payment: c.PaymentID})
			if err != nil {
				return nil, err
			}
			out, left = append(out, payment), left-part
			paid = append(paid, Part{d.Creditor, part})
		}
	}
	out = append(out, parked(v, c.PaymentID, paid)...)
	spare, with := left, c.PaymentID
	if !cycle.PaidOut && !a.Earlier {
		for _, p := range fromDeposit {
			out, left, with = append(out, c.instead(p)...), left-p.Amount, ""
		}
	}
	if missing := min(spare, max(0, a.Deposit(c.User)-v.Balance(posting.Deposit(c.AjoID, c.User)))); used > 0 && missing > 0 && !a.Done() {
		out = append(out, event.On(ajo.BookStream(c.AjoID, c.User), &nairav1.AjoDepositPaid{
			AjoId: c.AjoID, UserId: c.User, AmountKobo: int64(missing), Channel: c.Channel, PaymentId: with,
		}))
		left = min(left, spare-missing)
	}
	if len(out) == 0 {
		return nil, fault.New(fault.Conflict, "What was missing of cycle %d is paid already. The money waits in your wallet.", ready.Cycle)
	}
	if err := wallet.Enough(v, c.By, c.Amount-left); err != nil {
		return nil, err
	}
	return out, nil
}

// instead pays into a pot that is not paid out in place of what was taken out of the deposit, which goes back.
func (c Pay) instead(p Payment) []event.Draft {
	return []event.Draft{
		event.On(CycleStream(c.AjoID, c.Cycle), &nairav1.AjoContributed{
			AjoId: c.AjoID, Cycle: int32(c.Cycle), Seat: int32(c.Seat), UserId: c.User, PaidBy: c.User, AmountKobo: int64(p.Amount),
			Channel: c.Channel, PaymentId: c.PaymentID,
		}),
		event.On(CycleStream(c.AjoID, c.Cycle), &nairav1.AjoContributionReturned{
			AjoId: c.AjoID, Cycle: int32(c.Cycle), Seat: int32(c.Seat), UserId: c.User, PaidBy: c.User, AmountKobo: int64(p.Amount),
			Reason: "The due was paid in time, so the deposit is not needed for it.", ToUserId: c.User,
		}),
	}
}

// relieve undoes the penalty of a debt. What was paid of it already is owed back by who got it.
func (c Pay) relieve(d Debt, n int) (Debt, []event.Draft) {
	if d.Penalty == 0 {
		return d, nil
	}
	penalty := d.Penalty
	out := []event.Draft{event.On(ajo.DebtStream(c.AjoID), &nairav1.AjoPenaltyReversed{
		AjoId: c.AjoID, DebtId: d.ID, DebtorId: d.Debtor, CreditorId: d.Creditor, AmountKobo: int64(penalty),
	})}
	d.Penalty = 0
	out = append(out, refund(c.AjoID, fmt.Sprintf("%s.%d", c.DebtID, n), d)...)
	return d, out
}

// payer is whose money pays a debt.
type payer struct {
	from    nairav1.AjoDebtFrom
	by      string
	cycle   int
	taken   string
	payment string
}

// payOff is the draft that pays a part of a debt.
func payOff(ajoID string, d Debt, part money.Kobo, with payer) (event.Draft, error) {
	if part <= 0 || part > d.Left() {
		return event.Draft{}, fault.Field("amount", "That is more than is owed here: %s is left.", d.Left())
	}
	return event.On(ajo.DebtStream(ajoID), &nairav1.AjoDebtPaid{
		AjoId: ajoID, DebtId: d.ID, DebtorId: d.Debtor, CreditorId: d.Creditor, AmountKobo: int64(part), From: with.from, PaidBy: with.by,
		Cycle: int32(with.cycle), LeftKobo: int64(d.Left() - part), Taken: with.taken, PaymentId: with.payment,
	}), nil
}

// Prepay pays all that is still due of a seat that has collected: its holder is free of it then.
type Prepay struct {
	AjoID  string
	Seat   int
	User   string
	Amount money.Kobo // All of it, as the member was told.
	Cycles []int      // From the current one to the last.
	At     time.Time
}

// Streams implements event.Command.
func (c Prepay) Streams() []string {
	streams := []string{ajo.Stream(c.AjoID), ajo.DebtStream(c.AjoID), ajo.CommitStream(c.User)}
	for _, k := range c.Cycles {
		streams = append(streams, CycleStream(c.AjoID, k))
	}
	return streams
}

// Accounts implements event.Command.
func (c Prepay) Accounts() []string {
	accounts := []string{posting.Wallet(c.User)}
	for _, k := range c.Cycles {
		accounts = append(accounts, posting.Pot(c.AjoID, k))
	}
	return accounts
}

// Decide implements event.Command.
func (c Prepay) Decide(v event.View) ([]event.Draft, error) {
	a, err := ajo.Read(v, c.AjoID, c.User)
	if err != nil {
		return nil, err
	}
	place, err := placeOf(a, c.Seat, c.User)
	if err != nil {
		return nil, err
	}
	if err := running(a); err != nil {
		return nil, err
	}
	open := event.StateOf[Debts](v, ajo.DebtStream(c.AjoID)).Open(c.User)
	switch {
	case !a.HasCollected(c.Seat):
		return nil, fault.New(fault.Conflict, "Seat %d has not collected yet. Propose who takes it over if you want to leave.", c.Seat)
	case len(open) > 0:
		return nil, fault.New(fault.Conflict, "You still owe %s of cycle %d. Pay that first.", open[0].Left(), open[0].Cycle)
	case len(c.Cycles) != len(a.Order)-a.Last() || len(c.Cycles) > 0 && c.Cycles[0] != a.Current():
		return nil, fault.New(fault.Conflict, "A cycle has ended just now. Please look at what is left and try again.")
	case len(c.Cycles) > 0 && day(c.At).After(a.Deadline(a.Current())):
		return nil, fault.New(fault.Conflict, "Cycle %d is being closed just now. Please try again in a moment. You have not been charged.", a.Current())
	}
	var out []event.Draft
	var sum money.Kobo
	for _, k := range c.Cycles {
		missing := a.DueOf(c.Seat, place, k) - event.StateOf[Cycle](v, CycleStream(c.AjoID, k)).Paid(c.Seat, c.User)
		if missing <= 0 {
			continue
		}
		sum += missing
		out = append(out, event.On(CycleStream(c.AjoID, k), &nairav1.AjoContributed{
			AjoId: c.AjoID, Cycle: int32(k), Seat: int32(c.Seat), UserId: c.User, PaidBy: c.User, AmountKobo: int64(missing),
			Channel: nairav1.Channel_CHANNEL_WALLET,
		}))
	}
	switch {
	case len(out) == 0:
		return nil, fault.New(fault.Conflict, "All that is due of seat %d is paid already.", c.Seat)
	case sum != c.Amount:
		return nil, fault.Field("amount", "What is still due of seat %d is %s, not %s.", c.Seat, sum, c.Amount)
	}
	out = append(out, promisesLess(v, a, c.AjoID, c.User, place.Halves)...)
	return out, wallet.Enough(v, c.User, sum)
}

// promisesLess counts again what a member promises once so many half hands of theirs pay no more. What they paid
// ahead for another is not promised again.
func promisesLess(v event.View, a ajo.Ajo, ajoID, user string, halves int) []event.Draft {
	was := event.StateOf[ajo.Commitments](v, ajo.CommitStream(user)).Of(ajoID)
	now := max(0, min(ajo.Monthly(a.Terms, a.PayingHalves(user)-halves), was-ajo.Monthly(a.Terms, halves)))
	if now == was {
		return nil
	}
	return []event.Draft{event.On(ajo.CommitStream(user), &nairav1.CommitmentCounted{UserId: user, AjoId: ajoID, MonthlyKobo: int64(now), Listed: now > 0 && a.Listed})}
}

// PayDeposit pays what a member still has to deposit.
type PayDeposit struct {
	AjoID, User string
	Amount      money.Kobo
	Channel     nairav1.Channel
	PaymentID   string
}

// Streams implements event.Command.
func (c PayDeposit) Streams() []string {
	return []string{ajo.Stream(c.AjoID), ajo.BookStream(c.AjoID, c.User)}
}

// Accounts implements event.Command.
func (c PayDeposit) Accounts() []string {
	return []string{posting.Wallet(c.User), posting.Deposit(c.AjoID, c.User)}
}

// Decide implements event.Command.
func (c PayDeposit) Decide(v event.View) ([]event.Draft, error) {
	a, err := ajo.Read(v, c.AjoID, c.User)
	if err != nil {
		return nil, err
	}
	missing := a.Deposit(c.User) - v.Balance(posting.Deposit(c.AjoID, c.User))
	switch {
	case !TakesDeposit(a, c.User):
		return nil, fault.New(fault.Conflict, "No deposit can be paid now.")
	case missing <= 0:
		return nil, fault.New(fault.Conflict, "Your deposit is in. You have not been charged.")
	case c.Amount != missing:
		return nil, fault.Field("amount", "Your deposit still needs %s, not %s.", missing, c.Amount)
	}
	if err := wallet.Enough(v, c.User, c.Amount); err != nil {
		return nil, err
	}
	return []event.Draft{event.On(ajo.BookStream(c.AjoID, c.User), &nairav1.AjoDepositPaid{
		AjoId: c.AjoID, UserId: c.User, AmountKobo: int64(c.Amount), Channel: c.Channel, PaymentId: c.PaymentID,
	})}, nil
}

// TakesDeposit reports whether a member can pay a deposit now.
func TakesDeposit(a ajo.Ajo, user string) bool {
	if a.Earlier {
		frozen := slices.ContainsFunc(a.SeatsOf(user), func(s int) bool { _, is := a.FrozenAt(s); return is })
		return a.Status == ajo.Open || a.HasStarted() && !frozen
	}
	return a.Deposit(user) > 0 && (a.Status == ajo.Open || a.HasStarted() && !a.Done())
}
