package ledger

import (
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoconsent"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/ajoremind"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
	"adashi.ng/ledger/posting"
)

// asThen is a command that names what the ledger held then, such as the amount that its giver was told: it is made in
// the world in which it is decided.
type asThen struct {
	streams []string
	make    func(v event.View) event.Command
}

// Streams implements event.Command.
func (c asThen) Streams() []string { return c.streams }

// Accounts implements event.Command.
func (asThen) Accounts() []string { return nil }

// Decide implements event.Command.
func (c asThen) Decide(v event.View) ([]event.Draft, error) { return c.make(v).Decide(v) }

// ajoStreams are what a command about some cycles of an ajo reads.
func ajoStreams(id string, cycles ...int) []string {
	streams := []string{ajo.Stream(id), ajo.DebtStream(id)}
	for _, k := range cycles {
		streams = append(streams, ajopot.CycleStream(id, k))
	}
	return streams
}

// peopleOf are all whose money may move in an ajo.
func peopleOf(v event.View, id string) []string {
	a := event.StateOf[ajo.Ajo](v, ajo.Stream(id))
	all := a.Members()
	for k := len(a.Past) + 1; k <= min(a.Current()+1, len(a.Order)); k++ {
		for _, p := range event.StateOf[ajopot.Cycle](v, ajopot.CycleStream(id, k)).Payments {
			all = append(all, p.By, p.User)
		}
	}
	for _, d := range event.StateOf[ajopot.Debts](v, ajo.DebtStream(id)).All {
		all = append(all, d.Debtor, d.Creditor)
	}
	return all
}

// judge makes a cycle's pot ready.
func judge(id string, cycle int, now time.Time) event.Command {
	return asThen{ajoStreams(id, cycle), func(v event.View) event.Command {
		return ajopot.Judge{AjoID: id, Cycle: cycle, People: peopleOf(v, id), Now: now}
	}}
}

// freeze ends the search for who takes over a place.
func freeze(id string, seat int, now time.Time) event.Command {
	return asThen{ajoStreams(id), func(v event.View) event.Command {
		return ajopot.Freeze(id, seat, []int{event.StateOf[ajo.Ajo](v, ajo.Stream(id)).Current()}, peopleOf(v, id), now)
	}}
}

func terminate(id, motion string) event.Command {
	return asThen{ajoStreams(id), func(v event.View) event.Command {
		var cycles []int
		if a := event.StateOf[ajo.Ajo](v, ajo.Stream(id)); !a.Over() {
			cycles = append(cycles, a.Current())
		}
		return ajopot.Terminate(id, motion, cycles, peopleOf(v, id))
	}}
}

// complete ends an ajo of which every pot is paid out.
func complete(id string) event.Command {
	return asThen{ajoStreams(id), func(v event.View) event.Command {
		a := event.StateOf[ajo.Ajo](v, ajo.Stream(id))
		var cycles []int
		for k := len(a.Past) + 1; k <= len(a.Order); k++ {
			cycles = append(cycles, k)
		}
		return ajopot.Complete(id, cycles, peopleOf(v, id))
	}}
}

// ahead is the first event of a type from one on.
func ahead[M proto.Message](events []redecide.Recorded, at int) (m M, ok bool) {
	for _, e := range events[at:] {
		if m, ok = e.Message.(M); ok {
			return m, true
		}
	}
	return m, false
}

// wishAjo are what is paid in an ajo, what its jobs do, and how its pots are paid out.
func wishAjo(all redecide.Wishes) {
	wishIn(all, wishAjoDue)
	wishAjoReady(all)
	wishAjoDebts(all)
	wishAjoPayouts(all)
	wishAjoEnds(all)
	wish(all, func(m *nairav1.AjoConsentSet, _ redecide.Recorded) []event.Command {
		return one(ajoconsent.Set{AjoID: m.GetAjoId(), User: m.GetUserId(), Dues: m.GetDues(), Sweep: m.GetSweep()})
	})
	wish(all, func(m *nairav1.AjoConsentEnded, _ redecide.Recorded) []event.Command {
		return one(ajoconsent.End{AjoID: m.GetAjoId(), User: m.GetUserId()})
	})
	wishIn(all, func(_ event.View, m *nairav1.AjoDepositPaid, events []redecide.Recorded, at int) []event.Command {
		return append(byPayment(events[at], m.GetPaymentId()), ajopot.PayDeposit{
			AjoID: m.GetAjoId(), User: m.GetUserId(), Amount: money.Kobo(m.GetAmountKobo()), Channel: m.GetChannel(), PaymentID: m.GetPaymentId(),
		})
	})
	wish(all, func(m *nairav1.AjoContributionRefused, e redecide.Recorded) []event.Command {
		return byPayment(e, m.GetPaymentId())
	})
	wish(all, func(m *nairav1.AjoDuesReminded, e redecide.Recorded) []event.Command {
		return atEither(e, func(now time.Time) event.Command {
			return ajoremind.Remind{AjoID: m.GetAjoId(), Cycle: int(m.GetCycle()), Now: now}
		})
	})
}

// wishAjoDue is the payment of a due, or of all that is left of a seat. A cover's debt stands beside it; money that was
// told late goes to whoever the ajo's debts are owed to.
func wishAjoDue(v event.View, m *nairav1.AjoContributed, events []redecide.Recorded, at int) []event.Command {
	c := ajopot.Pay{
		AjoID: m.GetAjoId(), Cycle: int(m.GetCycle()), Seat: int(m.GetSeat()), User: m.GetUserId(), By: m.GetPaidBy(), Amount: money.Kobo(m.GetAmountKobo()),
		Channel: m.GetChannel(), PaymentID: m.GetPaymentId(), Gift: m.GetGift(), At: events[at].EffectiveAt,
	}
	if opened, ok := ahead[*nairav1.AjoDebtOpened](events, at); ok {
		c.DebtID = opened.GetDebtId()
	}
	late := c
	late.People = peopleOf(v, c.AjoID)
	late.Creditors = late.People
	whole := ajopot.Prepay{AjoID: c.AjoID, Seat: c.Seat, User: c.User, At: c.At}
	a := event.StateOf[ajo.Ajo](v, ajo.Stream(c.AjoID))
	for k := a.Current(); k <= len(a.Order); k++ {
		whole.Cycles = append(whole.Cycles, k)
	}
	for _, e := range events[at:] {
		other, is := e.Message.(*nairav1.AjoContributed)
		if !is || other.GetAjoId() != c.AjoID || int(other.GetSeat()) != c.Seat || other.GetUserId() != c.User {
			break
		}
		whole.Amount += money.Kobo(other.GetAmountKobo())
	}
	return []event.Command{c, late, whole}
}

// byPayment is what a payment comes to that is for an ajo. Should the ajo refuse it, its money waits in the wallet.
func byPayment(e redecide.Recorded, paymentID string) []event.Command {
	if paymentID == "" {
		return nil
	}
	return one(asThen{[]string{wallet.Stream(paymentID)}, func(v event.View) event.Command {
		p := event.StateOf[wallet.Payment](v, wallet.Stream(paymentID))
		id, k, seat := p.ForAjo.GetAjoId(), int(p.ForAjo.GetCycle()), int(p.ForAjo.GetSeat())
		people := peopleOf(v, id)
		var pays event.Command = ajopot.Pay{
			AjoID: id, Cycle: k, Seat: seat, User: p.User, By: p.User, Amount: p.Amount, Channel: p.Channel, PaymentID: paymentID, DebtID: "refund." + paymentID,
			People: people, Creditors: people, At: e.EffectiveAt,
		}
		if k == 0 {
			pays = ajopot.PayDeposit{AjoID: id, User: p.User, Amount: p.Amount, Channel: p.Channel, PaymentID: paymentID}
		}
		return confirmed{p, ajopot.ByPayment{Confirm: wallet.ConfirmPayment{PaymentID: paymentID, User: p.User}, AjoID: id, Amount: p.Amount, Pay: pays}}
	}})
}

// confirmed is what a payment that is confirmed already comes to in an ajo.
type confirmed struct {
	payment wallet.Payment
	ajopot.ByPayment
}

// Decide implements event.Command.
func (c confirmed) Decide(v event.View) ([]event.Draft, error) {
	if c.payment.Status != wallet.Confirmed || c.payment.ForAjo == nil {
		return nil, fault.New(fault.Conflict, "Its payment has not come.")
	}
	return c.Paid(v)
}

// wishAjoReady are what making a pot ready may begin with.
func wishAjoReady(all redecide.Wishes) {
	wishIn(all, func(_ event.View, _ *nairav1.AjoCycleReady, events []redecide.Recorded, at int) []event.Command {
		return judged(events, at)
	})
	wishIn(all, func(_ event.View, _ *nairav1.AjoTurnsChanged, events []redecide.Recorded, at int) []event.Command {
		return judged(events, at)
	})
	wishIn(all, func(_ event.View, _ *nairav1.AjoDepositUsed, events []redecide.Recorded, at int) []event.Command {
		return judged(events, at)
	})
	wishIn(all, func(_ event.View, _ *nairav1.AjoDebtOpened, events []redecide.Recorded, at int) []event.Command {
		return judged(events, at)
	})
	wishIn(all, func(v event.View, _ *nairav1.AjoContributionReturned, events []redecide.Recorded, at int) []event.Command {
		return append(append(append(placeTaken(events, at), judged(events, at)...), frozen(events, at)...), takenBack(v, events, at)...)
	})
	wishIn(all, func(_ event.View, m *nairav1.AjoDebtForgiven, events []redecide.Recorded, at int) []event.Command {
		forgives := ajopot.Forgive{AjoID: m.GetAjoId(), DebtID: m.GetDebtId(), By: m.GetCreditorId()}
		return append(append(judged(events, at), frozen(events, at)...), forgives)
	})
}

// judged is that a pot is made ready by some events, of which the last says so.
func judged(events []redecide.Recorded, at int) []event.Command {
	m, ok := ahead[*nairav1.AjoCycleReady](events, at)
	if !ok {
		return nil
	}
	return atEither(events[at], func(now time.Time) event.Command { return judge(m.GetAjoId(), int(m.GetCycle()), now) })
}

func frozen(events []redecide.Recorded, at int) []event.Command {
	m, ok := ahead[*nairav1.AjoSeatFrozen](events, at)
	if !ok {
		return nil
	}
	return atEither(events[at], func(now time.Time) event.Command { return freeze(m.GetAjoId(), int(m.GetSeat()), now) })
}

// wishAjoDebts are how debts are paid.
func wishAjoDebts(all redecide.Wishes) {
	wishIn(all, func(v event.View, m *nairav1.AjoDebtPaid, events []redecide.Recorded, at int) []event.Command {
		switch {
		case m.GetFrom() == nairav1.AjoDebtFrom_AJO_DEBT_FROM_POT:
			return silent(events, at)
		case m.GetFrom() == nairav1.AjoDebtFrom_AJO_DEBT_FROM_DEPOSIT:
			return completed(events, at)
		case m.GetPaymentId() != "":
			return byPayment(events[at], m.GetPaymentId())
		case m.GetTaken() != "":
			return takenDebt(m)
		}
		return append(placeTaken(events, at), paidDebt(v, m, events, at)...)
	})
	wishIn(all, func(_ event.View, m *nairav1.AjoPenaltyReversed, events []redecide.Recorded, at int) []event.Command {
		if paid, ok := ahead[*nairav1.AjoDebtPaid](events, at); ok && paid.GetPaymentId() != "" {
			return byPayment(events[at], paid.GetPaymentId())
		}
		if opened, ok := ahead[*nairav1.AjoDebtOpened](events, at); ok { // What was paid of it is owed back: refund.<payment>.<n>
			id := strings.TrimPrefix(opened.GetDebtId(), "refund.")
			if dot := strings.LastIndex(id, "."); dot > 0 {
				return byPayment(events[at], id[:dot])
			}
		}
		return nil
	})
}

// takenDebt is a debt, or a part of it, that is taken by consent: on a day of the terms what the wallet has, and no
// more than is left.
func takenDebt(m *nairav1.AjoDebtPaid) (out []event.Command) {
	id := m.GetAjoId()
	c := ajopot.PayDebt{
		AjoID: id, DebtID: m.GetDebtId(), By: m.GetPaidBy(), Creditor: m.GetCreditorId(), Amount: money.Kobo(m.GetAmountKobo()), Taken: m.GetTaken(), Key: m.GetDebtId(),
	}
	return []event.Command{asThen{c.Streams(), func(v event.View) event.Command {
		d, _ := event.StateOf[ajopot.Debts](v, ajo.DebtStream(id)).ByID(c.DebtID)
		then := c
		if c.Taken == "retry" {
			then.Amount = v.Balance(posting.Wallet(c.By))
		}
		then.Amount = min(then.Amount, max(d.Left(), 0))
		if d.Left() <= 0 {
			then.Amount = c.Amount
		}
		return then
	}}, c}
}

// paidDebt is a debt that somebody pays. What its debtor paid before it was opened pays the due.
func paidDebt(v event.View, m *nairav1.AjoDebtPaid, events []redecide.Recorded, at int) []event.Command {
	c := ajopot.PayDebt{
		AjoID: m.GetAjoId(), DebtID: m.GetDebtId(), By: m.GetPaidBy(), Creditor: m.GetCreditorId(), Amount: money.Kobo(m.GetAmountKobo()), Gift: true,
	}
	if parked, ok := ahead[*nairav1.ReturnedMoneyParkedV2](events, at); ok { // debt <key> to <creditor>
		c.Key = strings.TrimSuffix(strings.TrimPrefix(parked.GetReference(), "debt "), " to "+c.Creditor)
	}
	if opened, ok := ahead[*nairav1.AjoDebtOpened](events, at); ok && opened.GetCreditorId() == c.By {
		c.Gift, c.Key = false, opened.GetDebtId()
	}
	d, _ := event.StateOf[ajopot.Debts](v, ajo.DebtStream(c.AjoID)).ByID(c.DebtID)
	a := event.StateOf[ajo.Ajo](v, ajo.Stream(c.AjoID))
	place, holds := a.Place(d.Seat, d.Debtor)
	if holds && c.By == d.Debtor && d.Kind == nairav1.AjoDebtKind_AJO_DEBT_KIND_SHORTFALL && savings.Day(events[at].EffectiveAt).Before(savings.Day(d.OpenedAt)) {
		return one(ajopot.Pay{
			AjoID: c.AjoID, Cycle: d.Cycle, Seat: d.Seat, User: d.Debtor, By: d.Debtor, Amount: ajo.Share(a.Terms, place.Halves),
			Channel: nairav1.Channel_CHANNEL_WALLET, At: events[at].EffectiveAt,
		})
	}
	return one(c)
}

// wishAjoPayouts are how pots are asked for, decided about and paid out.
func wishAjoPayouts(all redecide.Wishes) {
	wish(all, func(m *nairav1.AjoPayoutRequested, _ redecide.Recorded) []event.Command {
		id, k, by := m.GetAjoId(), int(m.GetCycle()), m.GetUserId()
		return one(asThen{ajoStreams(id, k), func(v event.View) event.Command {
			a := event.StateOf[ajo.Ajo](v, ajo.Stream(id))
			var net money.Kobo
			if ready, is := a.ReadyOf(k); is { // What they are told that they get.
				net = ajopot.SplitOf(a, ready, event.StateOf[ajopot.Cycle](v, ajopot.CycleStream(id, k)), event.StateOf[ajopot.Debts](v, ajo.DebtStream(id)), v.Balance(posting.Pot(id, k))).Of(by)
			}
			return ajopot.RequestPayout(id, k, by, m.GetDestination(), net, peopleOf(v, id))
		}})
	})
	wish(all, func(m *nairav1.AjoPayoutApproved, e redecide.Recorded) []event.Command {
		id, k := m.GetAjoId(), int(m.GetCycle())
		return atEither(e, func(now time.Time) event.Command {
			return asThen{ajoStreams(id, k), func(v event.View) event.Command {
				return ajopot.ApprovePayout(id, k, m.GetUserId(), peopleOf(v, id), now)
			}}
		})
	})
	wishIn(all, func(v event.View, m *nairav1.AjoPayoutRefused, _ []redecide.Recorded, _ int) []event.Command {
		now := m.GetUntil().AsTime().AddDate(0, 0, -int(event.StateOf[ajo.Ajo](v, ajo.Stream(m.GetAjoId())).Terms.GetHoldDays()))
		return one(ajopot.RefusePayout(m.GetAjoId(), int(m.GetCycle()), m.GetUserId(), m.GetRefusal(), m.GetReason(), now))
	})
	wishIn(all, func(_ event.View, _ *nairav1.AjoDiscountPaid, events []redecide.Recorded, at int) []event.Command {
		return silent(events, at)
	})
	wishIn(all, func(_ event.View, _ *nairav1.AjoPaid, events []redecide.Recorded, at int) []event.Command {
		return silent(events, at)
	})
}

// silent is that a pot pays itself by some events, of which the last says so.
func silent(events []redecide.Recorded, at int) []event.Command {
	m, ok := ahead[*nairav1.AjoPaid](events, at)
	if !ok || !m.GetByItself() {
		return nil
	}
	return atEither(events[at], func(now time.Time) event.Command { return paySilent(m.GetAjoId(), int(m.GetCycle()), now) })
}

func paySilent(id string, cycle int, now time.Time) event.Command {
	return asThen{ajoStreams(id, cycle), func(v event.View) event.Command { return ajopot.PaySilent(id, cycle, peopleOf(v, id), now) }}
}

// wishAjoEnds are what the calendar and votes bring.
func wishAjoEnds(all redecide.Wishes) {
	wishIn(all, func(_ event.View, _ *nairav1.AjoSeatFrozen, events []redecide.Recorded, at int) []event.Command {
		return frozen(events, at)
	})
	wishIn(all, func(v event.View, _ *nairav1.AjoDepositReturned, events []redecide.Recorded, at int) []event.Command {
		return append(completed(events, at), takenBack(v, events, at)...)
	})
	wishIn(all, func(_ event.View, _ *nairav1.CommitmentCounted, events []redecide.Recorded, at int) []event.Command {
		return completed(events, at)
	})
	wishIn(all, func(v event.View, m *nairav1.AjoMotionEnded, events []redecide.Recorded, at int) []event.Command {
		if motion, named := namedMotion(v, m.GetAjoId(), m.GetMotionId()); named {
			return namedEnded(m.GetAjoId(), motion, m.GetCarried())
		}
		ends := atEither(events[at], func(now time.Time) event.Command { return ajo.EndMotion(m.GetAjoId(), m.GetMotionId(), now) })
		if m.GetCarried() {
			return append(one(terminate(m.GetAjoId(), m.GetMotionId())), ends...)
		}
		return ends
	})
	wish(all, func(m *nairav1.AjoResumed, e redecide.Recorded) []event.Command {
		return atEither(e, func(now time.Time) event.Command { return ajo.Resume(m.GetAjoId(), savings.Day(now)) })
	})
}

func completed(events []redecide.Recorded, at int) []event.Command {
	if m, ok := ahead[*nairav1.AjoCompleted](events, at); ok {
		return one(complete(m.GetAjoId()))
	}
	return nil
}
