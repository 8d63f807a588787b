// Package ajopot decides the money of rotating savings: what members pay into the pot of each cycle, what happens to
// what is missing, and how a pot is paid out. Who takes part in which order is decided in ledger/domain/ajo.
//
//	Cycle  UPCOMING ▶ COLLECTING ▶ GRACE ▶ READY ▶ PAYOUT_REQUESTED ▶ PAID      ON_HOLD while a refusal stands
//	Debt   OPEN ▶ PAID | FORGIVEN                                               it outlives the ajo
//
// A place owes its whole due to each cycle, or nothing. What is missing when the days of grace are over comes out of
// its deposit, and then is a debt to whoever collects. Time is the bank's: what came in time and was told late
// undoes its penalty.
package ajopot

import (
	"slices"
	"strconv"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/event"
)

// CycleStream is the stream of one cycle of an ajo.
func CycleStream(ajoID string, cycle int) string {
	return "ajocycle:" + ajoID + ":" + strconv.Itoa(cycle)
}

// Weight is how much room it takes in memory, in quarters of a kilobyte.
func (c Cycle) Weight() int { return 1 + len(c.Payments) + len(c.Votes) + len(c.Bids) }

// Weight is how much room they take in memory, in quarters of a kilobyte.
func (d Debts) Weight() int { return 1 + len(d.All) }

// Payment is money that stands in a cycle's pot.
type Payment struct {
	Seat        int        `json:",omitempty"`
	User, By    string     `json:",omitempty"` // Whose due, and whose money.
	Amount      money.Kobo `json:",omitempty"`
	Day         time.Time  `json:",omitzero"` // The Lagos day it counts from.
	Gift        bool       `json:",omitempty"`
	FromDeposit bool       `json:",omitempty"`
	PaymentID   string     `json:",omitempty"`
}

// Bid is what a holder of a seat offers for its turn.
type Bid struct {
	Seat       int
	User       string
	Commitment []byte
	At         time.Time
	Revealed   bool
	Discount   money.Kobo
}

// Vote is one seat's vote for who collects next.
type Vote struct {
	User string
	For  int
}

// Refusal holds a payout until a moment.
type Refusal struct {
	User   string
	Why    nairav1.AjoRefusal
	Reason string
	Until  time.Time
}

// Paying is how a pot was paid out.
type Paying struct {
	Gross, Fee, VAT, Netted money.Kobo
	SetOff, Discount        money.Kobo
	Holders                 []Part
}

// Cycle is the state of a cycle's stream.
type Cycle struct {
	Payments    []Payment              `json:",omitempty"`
	Votes       []Vote                 `json:",omitempty"`
	Bids        []Bid                  `json:",omitempty"`
	RequestedBy string                 `json:",omitempty"`
	RequestedAt time.Time              `json:",omitzero"`
	Destination nairav1.AjoDestination `json:",omitempty"`
	Approvals   []string               `json:",omitempty"`
	Refusals    []Refusal              `json:",omitempty"`
	PaidOut     bool                   `json:",omitempty"`
	PaidAt      time.Time              `json:",omitzero"`
	Paying      Paying                 `json:",omitzero"`
}

// contribution is a payment to a pot that counts from a time.
func contribution(m *nairav1.AjoContributed, at time.Time) Payment {
	by := m.GetPaidBy()
	if by == m.GetUserId() {
		by = m.GetUserId() // One text is kept in memory, not two.
	}
	return Payment{
		Seat: int(m.GetSeat()), User: m.GetUserId(), By: by, Amount: money.Kobo(m.GetAmountKobo()), Day: day(at),
		Gift: m.GetGift(), PaymentID: m.GetPaymentId(),
	}
}

// Cycles folds the stream of a cycle.
var Cycles = event.Of("ajocycle", 5, func(c Cycle, e event.Happened) Cycle {
	switch m := e.Message.(type) {
	case *nairav1.AjoContributed:
		c.Payments = slices.Concat(c.Payments, []Payment{contribution(m, e.EffectiveAt)})
	case *nairav1.AjoDepositUsed:
		c.Payments = append(slices.Clone(c.Payments), Payment{
			Seat: int(m.GetSeat()), User: m.GetUserId(), By: m.GetUserId(), Amount: money.Kobo(m.GetAmountKobo()), Day: day(e.EffectiveAt), FromDeposit: true,
		})
	case *nairav1.AjoContributionReturned:
		c.Payments = c.Returned(int(m.GetSeat()), m.GetUserId(), m.GetPaidBy(), money.Kobo(m.GetAmountKobo()))
	case *nairav1.AjoNeedVoted:
		c.Votes = ajo.Without(c.Votes, func(v Vote) bool { return v.User == m.GetUserId() })
		c.Votes = append(c.Votes, Vote{m.GetUserId(), int(m.GetForSeat())})
	case *nairav1.AjoBidCommitted:
		c.Bids = ajo.Without(c.Bids, func(b Bid) bool { return b.Seat == int(m.GetSeat()) && b.User == m.GetUserId() })
		c.Bids = append(c.Bids, Bid{Seat: int(m.GetSeat()), User: m.GetUserId(), Commitment: m.GetCommitment(), At: e.EffectiveAt})
	case *nairav1.AjoBidRevealed:
		c.Bids = slices.Clone(c.Bids)
		for i, b := range c.Bids {
			if b.Seat == int(m.GetSeat()) && b.User == m.GetUserId() {
				c.Bids[i].Revealed, c.Bids[i].Discount = true, money.Kobo(m.GetDiscountKobo())
			}
		}
	case *nairav1.AjoBidEnded:
		c.Bids = ajo.Without(c.Bids, func(b Bid) bool { return b.Seat == int(m.GetSeat()) && b.User == m.GetUserId() })
	case *nairav1.AjoVoteEnded:
		c.Votes = ajo.Without(c.Votes, func(v Vote) bool { return v.User == m.GetUserId() })
		c.Approvals = ajo.Without(c.Approvals, func(user string) bool { return user == m.GetUserId() })
	default:
		return c.payout(e)
	}
	return c
})

// payout folds how a pot is paid out.
func (c Cycle) payout(e event.Happened) Cycle {
	switch m := e.Message.(type) {
	case *nairav1.AjoPayoutRequested:
		c.RequestedBy, c.RequestedAt, c.Destination = m.GetUserId(), e.EffectiveAt, m.GetDestination()
	case *nairav1.AjoPayoutApproved:
		c.Approvals = append(slices.Clone(c.Approvals), m.GetUserId())
		c.Refusals = slices.Clone(c.Refusals)
		for i, r := range c.Refusals {
			if r.User == m.GetUserId() {
				c.Refusals[i].Until = e.EffectiveAt
			}
		}
	case *nairav1.AjoPayoutRefused:
		c.Refusals = append(slices.Clone(c.Refusals), Refusal{m.GetUserId(), m.GetRefusal(), m.GetReason(), m.GetUntil().AsTime()})
	case *nairav1.AjoPaid:
		c.PaidOut, c.PaidAt = true, e.EffectiveAt
		c.Paying = Paying{
			Gross: money.Kobo(m.GetGrossKobo()), Fee: money.Kobo(m.GetFeeKobo()), VAT: money.Kobo(m.GetVatKobo()), Netted: money.Kobo(m.GetNettedKobo()),
			SetOff: money.Kobo(m.GetSetOffKobo()), Discount: money.Kobo(m.GetDiscountKobo()), Holders: []Part{{m.GetUserId(), money.Kobo(m.GetAmountKobo())}},
		}
		if m.GetOtherUserId() != "" {
			c.Paying.Holders = append(c.Paying.Holders, Part{m.GetOtherUserId(), money.Kobo(m.GetOtherAmountKobo())})
		}
	}
	return c
}

// Returned are the payments without what went back of one.
func (c Cycle) Returned(seat int, user, by string, amount money.Kobo) []Payment {
	payments := slices.Clone(c.Payments)
	for i, p := range payments {
		if p.Seat == seat && p.User == user && p.By == by && p.Amount >= amount {
			if payments[i].Amount -= amount; payments[i].Amount == 0 {
				payments = ajo.Without(payments, func(p Payment) bool { return p.Amount == 0 })
			}
			return payments
		}
	}
	return payments
}

// Paid is what was paid for a place.
func (c Cycle) Paid(seat int, user string) money.Kobo {
	var sum money.Kobo
	for _, p := range c.Payments {
		if p.Seat == seat && p.User == user {
			sum += p.Amount
		}
	}
	return sum
}

// Held is until when refusals hold the payout; zero when none does.
func (c Cycle) Held(now time.Time) time.Time {
	var until time.Time
	for _, r := range c.Refusals {
		if r.Until.After(now) && r.Until.After(until) {
			until = r.Until
		}
	}
	return until
}

// Debt is what one person owes another.
type Debt struct {
	ID               string
	Kind             nairav1.AjoDebtKind
	Cycle, Seat      int
	Debtor, Creditor string // An empty creditor is Adashi.
	Amount, Penalty  money.Kobo
	Paid, Forgiven   money.Kobo
	OpenedAt         time.Time
	Relieved         bool // Its penalty was undone.
	InTime           bool `json:",omitempty"` // The money was at the bank in time, and was told late.
}

// Left is what is still owed of it.
func (d Debt) Left() money.Kobo { return d.Amount + d.Penalty - d.Paid - d.Forgiven }

// Debts are an ajo's debts, the oldest first.
type Debts struct{ All []Debt }

// DebtsOf folds the stream of an ajo's debts.
var DebtsOf = event.Of("ajodebt", 3, func(d Debts, e event.Happened) Debts {
	switch m := e.Message.(type) {
	case *nairav1.AjoDebtOpened:
		d.All = append(slices.Clone(d.All), Debt{
			ID: m.GetDebtId(), Kind: m.GetKind(), Cycle: int(m.GetCycle()), Seat: int(m.GetSeat()), Debtor: m.GetDebtorId(), Creditor: m.GetCreditorId(),
			Amount: money.Kobo(m.GetAmountKobo()), Penalty: money.Kobo(m.GetPenaltyKobo()), OpenedAt: e.EffectiveAt,
		})
	case *nairav1.AjoDebtPaid:
		return d.change(m.GetDebtId(), func(x *Debt) {
			x.Paid += money.Kobo(m.GetAmountKobo())
			if m.GetPaymentId() != "" {
				x.InTime = true
			}
		})
	case *nairav1.AjoDebtForgiven:
		return d.change(m.GetDebtId(), func(x *Debt) { x.Forgiven += money.Kobo(m.GetAmountKobo()) })
	case *nairav1.AjoPenaltyReversed:
		return d.relieve(m.GetDebtId(), m.GetAmountKobo()).change(m.GetDebtId(), func(x *Debt) { x.InTime = true })
	case *nairav1.AjoPenaltyWaived:
		return d.relieve(m.GetDebtId(), m.GetAmountKobo())
	}
	return d
})

// relieve takes a penalty off a debt.
func (d Debts) relieve(id string, kobo int64) Debts {
	return d.change(id, func(x *Debt) { x.Penalty, x.Relieved = x.Penalty-money.Kobo(kobo), true })
}

func (d Debts) change(id string, edit func(*Debt)) Debts {
	d.All = slices.Clone(d.All)
	for i := range d.All {
		if d.All[i].ID == id {
			edit(&d.All[i])
		}
	}
	return d
}

// ByID is a debt.
func (d Debts) ByID(id string) (Debt, bool) {
	for _, x := range d.All {
		if x.ID == id {
			return x, true
		}
	}
	return Debt{}, false
}

// Open are the debts of a debtor of which something is left, the oldest first.
func (d Debts) Open(debtor string) []Debt {
	var open []Debt
	for _, x := range d.All {
		if x.Debtor == debtor && x.Left() > 0 {
			open = append(open, x)
		}
	}
	return open
}

// Owed is what a debtor owes in all. What they got and should not have is no sign of not paying.
func (d Debts) Owed(debtor string) money.Kobo {
	var sum money.Kobo
	for _, x := range d.Open(debtor) {
		if x.Kind != nairav1.AjoDebtKind_AJO_DEBT_KIND_REFUND {
			sum += x.Left()
		}
	}
	return sum
}

// OwedInAll is what a debtor owes with what they owe back.
func (d Debts) OwedInAll(debtor string) (sum money.Kobo) {
	for _, x := range d.Open(debtor) {
		sum += x.Left()
	}
	return sum
}

// MissesOf implements ajo.Misses: the cycles of which something is still missing.
func (d Debts) MissesOf(user string) int {
	cycles := map[int]bool{}
	for _, x := range d.Open(user) {
		if x.Kind == nairav1.AjoDebtKind_AJO_DEBT_KIND_SHORTFALL {
			cycles[x.Cycle] = true
		}
	}
	return len(cycles)
}

// In answers what the seats of an ajo owe.
func (d Debts) In(a ajo.Ajo) ajo.Owing { return owing{a, d} }

type owing struct {
	ajo   ajo.Ajo
	debts Debts
}

// MissesOf implements ajo.Misses.
func (o owing) MissesOf(user string) int { return o.debts.MissesOf(user) }

// OwesSeat implements ajo.Owing. A cover of a cycle that is not over yet does not count: nobody who pays the due of
// another early can push their turn back by it.
func (o owing) OwesSeat(seat int) int64 {
	var sum money.Kobo
	for _, user := range o.ajo.Seats[seat-1].Users() {
		for _, d := range o.debts.Open(user) {
			if d.Kind != nairav1.AjoDebtKind_AJO_DEBT_KIND_REFUND && d.Cycle <= o.ajo.Last() {
				sum += d.Left()
			}
		}
	}
	return int64(sum)
}

// Book is what a member lets Adashi take by itself for an ajo, and what they deposited in all.
type Book struct {
	Dues, Sweep bool
	SetAt       time.Time // When they last agreed to more.
	Deposited   money.Kobo
	Payments    []Deposited `json:",omitempty"`
}

// Deposited is what a payment through a bank or gateway put into a deposit.
type Deposited struct {
	PaymentID string
	Amount    money.Kobo
}

// TakesDues implements ajo.Consents.
func (b Book) TakesDues() bool { return b.Dues }

// By is what a payment put into the deposit.
func (b Book) By(paymentID string) (sum money.Kobo) {
	for _, p := range b.Payments {
		if p.PaymentID == paymentID {
			sum += p.Amount
		}
	}
	return sum
}

// Books folds a member's book.
var Books = event.Of("ajopaid", 3, func(b Book, e event.Happened) Book {
	switch m := e.Message.(type) {
	case *nairav1.AjoConsentSet:
		if m.GetDues() && !b.Dues || m.GetSweep() && !b.Sweep {
			b.SetAt = e.EffectiveAt
		}
		b.Dues, b.Sweep = m.GetDues(), m.GetSweep()
	case *nairav1.AjoConsentEnded:
		b.Dues, b.Sweep = false, false
	case *nairav1.AjoDepositPaid:
		b.Deposited += money.Kobo(m.GetAmountKobo())
		if m.GetPaymentId() != "" {
			b.Payments = append(slices.Clone(b.Payments), Deposited{m.GetPaymentId(), money.Kobo(m.GetAmountKobo())})
		}
	case *nairav1.AjoDepositReturned:
		b.Deposited -= money.Kobo(m.GetAmountKobo())
	}
	return b
})
