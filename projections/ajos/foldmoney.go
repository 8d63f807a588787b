package ajos

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/engine"
)

const paymentsWritten = "ajo_id, pos, n, cycle, seat, user_id, paid_by, to_user, kobo, kind, source, channel, effective_at, payment_id, event_id"

// moved is a movement of an ajo's money.
type moved struct {
	ajo               string
	n                 int16 // Of the event's movements, from 0.
	cycle, seat       int32
	user, by, to      string
	kobo              int64
	kind, source, ref string
	channel           nairav1.Channel // Only of dues.
}

// moved writes a movement, and makes the people it concerns read it.
func (f *folding) moved(e engine.Event, m moved) {
	id := e.ID()
	f.rows.Row(f.fields)
	f.rows.Text(m.ajo)
	f.rows.Bigint(e.Pos)
	f.rows.Smallint(m.n)
	f.rows.Integer(m.cycle)
	f.rows.Integer(m.seat)
	f.rows.Text(m.user)
	f.rows.Text(m.by)
	f.rows.Text(m.to)
	f.rows.Bigint(m.kobo)
	f.rows.Text(m.kind)
	f.rows.Text(m.source)
	f.rows.Smallint(int16(m.channel))
	f.rows.Timestamptz(e.EffectiveAt)
	f.rows.Text(m.ref)
	f.rows.Bytes(id[:])
	f.tell(m.user, m.by, m.to)
}

// deposited adds to a member's deposit.
func (f *folding) deposited(ajoID, user string, kobo int64) {
	f.batch.Queue(`INSERT INTO rm_ajo_members (ajo_id, user_id, seats, halves, has_left, deposit) VALUES ($1, $2, '{}', 0, true, $3)
		ON CONFLICT (ajo_id, user_id) DO UPDATE SET deposit = rm_ajo_members.deposit + excluded.deposit`, ajoID, user, kobo)
}

// moneyHandlers write an ajo's history.
var moneyHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoContributed) {
		kind := Due
		switch {
		case m.GetGift():
			kind = Gift
		case m.GetPaidBy() != m.GetUserId():
			kind = Cover
		}
		f.moved(e, moved{
			ajo: m.GetAjoId(), cycle: m.GetCycle(), seat: m.GetSeat(), user: m.GetUserId(), by: m.GetPaidBy(), kobo: m.GetAmountKobo(), kind: kind,
			source: FromWallet, ref: m.GetPaymentId(), channel: m.GetChannel(),
		})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoContributionReturned) {
		f.moved(e, moved{
			ajo: m.GetAjoId(), cycle: m.GetCycle(), seat: m.GetSeat(), user: m.GetUserId(), by: m.GetPaidBy(), to: m.GetToUserId(),
			kobo: m.GetAmountKobo(), kind: Returned, source: FromPot,
		})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoDepositPaid) {
		f.deposited(m.GetAjoId(), m.GetUserId(), m.GetAmountKobo())
		f.moved(e, moved{
			ajo: m.GetAjoId(), user: m.GetUserId(), by: m.GetUserId(), kobo: m.GetAmountKobo(), kind: Deposit, source: FromWallet, ref: m.GetPaymentId(),
		})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoDepositUsed) {
		f.deposited(m.GetAjoId(), m.GetUserId(), -m.GetAmountKobo())
		f.moved(e, moved{
			ajo: m.GetAjoId(), cycle: m.GetCycle(), seat: m.GetSeat(), user: m.GetUserId(), by: m.GetUserId(), kobo: m.GetAmountKobo(),
			kind: DepositUsed, source: FromDeposit,
		})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoDepositReturned) {
		f.deposited(m.GetAjoId(), m.GetUserId(), -m.GetAmountKobo())
		f.moved(e, moved{
			ajo: m.GetAjoId(), user: m.GetUserId(), by: m.GetUserId(), to: m.GetUserId(), kobo: m.GetAmountKobo(), kind: DepositReturned, source: FromDeposit,
		})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoPlaceTaken) {
		if m.GetPriceKobo() > 0 {
			f.moved(e, moved{
				ajo: m.GetAjoId(), seat: m.GetSeat(), user: m.GetFromUserId(), by: m.GetToUserId(), to: m.GetFromUserId(), kobo: m.GetPriceKobo(),
				kind: Place, source: FromWallet,
			})
		}
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoDiscountPaid) {
		f.moved(e, moved{
			ajo: m.GetAjoId(), cycle: m.GetCycle(), seat: m.GetSeat(), user: m.GetUserId(), to: m.GetUserId(), kobo: m.GetAmountKobo(),
			kind: Discount, source: FromPot,
		})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoPaid) { f.paid(e, m) }),
}

// paid writes the amount for each holder of a seat, and the pot's outcome.
func (f *folding) paid(e engine.Event, m *nairav1.AjoPaid) {
	part := moved{ajo: m.GetAjoId(), cycle: m.GetCycle(), seat: m.GetSeat(), kind: Payout, source: FromPot}
	for n, share := range []*nairav1.AjoShare{{UserId: m.GetUserId(), AmountKobo: m.GetAmountKobo()}, {UserId: m.GetOtherUserId(), AmountKobo: m.GetOtherAmountKobo()}} {
		if share.GetUserId() == "" {
			continue
		}
		part.n, part.user, part.to, part.kobo = int16(n), share.GetUserId(), share.GetUserId(), share.GetAmountKobo()
		f.moved(e, part)
	}
	f.last = append(f.last, func() {
		f.batch.Queue(`UPDATE rm_ajo_cycles SET gross = $3, fee = $4, vat = $5, set_off = $6, holder = $7, net = $8, other_holder = $9, other_net = $10,
			by_itself = $11 WHERE ajo_id = $1 AND cycle = $2`, m.GetAjoId(), m.GetCycle(), m.GetGrossKobo(), m.GetFeeKobo(), m.GetVatKobo(), m.GetSetOffKobo(),
			m.GetUserId(), m.GetAmountKobo(), m.GetOtherUserId(), m.GetOtherAmountKobo(), m.GetByItself())
	})
}

// debtHandlers follow debts.
var debtHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoDebtOpened) {
		f.batch.Queue(`INSERT INTO rm_ajo_debts (ajo_id, debt_id, pos, kind, cycle, seat, debtor, creditor, kobo, penalty, opened_at, retry_on)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`, m.GetAjoId(), m.GetDebtId(), e.Pos, int32(m.GetKind()), m.GetCycle(), m.GetSeat(),
			m.GetDebtorId(), m.GetCreditorId(), m.GetAmountKobo(), m.GetPenaltyKobo(), e.EffectiveAt, retries(*f.ajos[m.GetAjoId()].state, e.EffectiveAt))
		f.owing(m)
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoDebtPaid) {
		f.debt("paid = paid + $3", m)
		if m.GetTaken() == "retry" {
			f.batch.Queue("UPDATE rm_ajo_debts SET retried = $3 WHERE ajo_id = $1 AND debt_id = $2", m.GetAjoId(), m.GetDebtId(), savings.Day(e.EffectiveAt).Format(time.DateOnly))
		}
		source := FromWallet
		switch m.GetFrom() {
		case nairav1.AjoDebtFrom_AJO_DEBT_FROM_POT:
			source = FromPot
		case nairav1.AjoDebtFrom_AJO_DEBT_FROM_DEPOSIT:
			source = FromDeposit
			f.deposited(m.GetAjoId(), m.GetDebtorId(), -m.GetAmountKobo())
		}
		f.moved(e, moved{
			ajo: m.GetAjoId(), cycle: m.GetCycle(), user: m.GetDebtorId(), by: m.GetPaidBy(), to: m.GetCreditorId(), kobo: m.GetAmountKobo(),
			kind: Debt, source: source, ref: m.GetPaymentId(),
		})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoDebtForgiven) { f.debt("forgiven = forgiven + $3", m) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoPenaltyReversed) { f.debt("penalty = penalty - $3", m) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoPenaltyWaived) { f.debt("penalty = penalty - $3", m) }),
}

// ofDebt is an event of a debt.
type ofDebt interface {
	ofAjo
	GetDebtId() string
	GetDebtorId() string
	GetCreditorId() string
	GetAmountKobo() int64
}

// debt changes one of a debt's figures.
func (f *folding) debt(set string, m ofDebt) {
	f.batch.Queue("UPDATE rm_ajo_debts SET "+set+" WHERE ajo_id = $1 AND debt_id = $2", m.GetAjoId(), m.GetDebtId(), m.GetAmountKobo())
	f.owing(m)
}

// owing makes the members read it again, and the debtor and creditor, who may have left.
func (f *folding) owing(m ofDebt) {
	f.tell(m.GetDebtorId(), m.GetCreditorId())
	f.told(*f.ajos[m.GetAjoId()].state)
}
