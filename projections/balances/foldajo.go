package balances

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

// inAjo notes that more of a member's money, or less, stands in pots, deposits and cards.
func (f *folding) inAjo(user string, kobo int64) {
	if f.ajo == nil {
		f.ajo = map[string]int64{}
	}
	f.ajo[user] += kobo
	f.changes.User(user, "wallet")
}

// ajoHandlers follow whose the money in pots, deposits and cards is: what stands in a pot is whose wallet or deposit it
// came from, until the pot is paid out, and what is on a card is its saver's. A debt or a discount that a pot pays is a
// part of what its payers have had in it.
var ajoHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoContributed) { f.inAjo(m.GetPaidBy(), m.GetAmountKobo()) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoContributionReturned) {
		f.inAjo(m.GetPaidBy(), -m.GetAmountKobo())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoDepositPaid) { f.inAjo(m.GetUserId(), m.GetAmountKobo()) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoDepositReturned) {
		f.inAjo(m.GetUserId(), -m.GetAmountKobo())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoDebtPaid) {
		if m.GetFrom() == nairav1.AjoDebtFrom_AJO_DEBT_FROM_DEPOSIT {
			f.inAjo(m.GetDebtorId(), -m.GetAmountKobo())
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoPaid) {
		for _, payer := range m.GetPayers() {
			f.inAjo(payer.GetUserId(), -payer.GetAmountKobo())
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoCardFilled) { f.inAjo(m.GetUserId(), m.GetAmountKobo()) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoCardBroken) { f.inAjo(m.GetUserId(), -m.GetAmountKobo()) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoCardMatured) {
		f.inAjo(m.GetUserId(), -m.GetAmountKobo())
	}),
}

// queueAjo adds to what members have in ajo.
func (f *folding) queueAjo() {
	if len(f.ajo) == 0 {
		return
	}
	var users []string
	var kobo []int64
	for user, amount := range f.ajo {
		users, kobo = append(users, user), append(kobo, amount)
	}
	const all = "unnest($1::text[], $2::bigint[])"
	f.batch.Upsert(len(users), "UPDATE rm_ajo_balances b SET kobo = b.kobo + n.kobo FROM "+all+" AS n (user_id, kobo) WHERE b.user_id = n.user_id",
		"INSERT INTO rm_ajo_balances (user_id, kobo) SELECT * FROM "+all+" ON CONFLICT (user_id) DO NOTHING", users, kobo)
}
