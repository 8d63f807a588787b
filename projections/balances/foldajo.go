package balances

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

// inAjo adds to a member's money in pots, deposits and cards, or takes from it.
func (f *folding) inAjo(user string, kobo int64) {
	if f.ajo == nil {
		f.ajo = map[string]int64{}
	}
	f.ajo[user] += kobo
	f.changes.User(user, "wallet")
}

// ajoHandlers follow the owners of the money in pots, deposits and cards. Until a pot is paid out, its money belongs to
// those whose wallets or deposits it came from, and a card's money to its saver. A debt or a discount that a pot pays
// comes out of its payers' money.
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

// queueAjo writes the changes of members' ajo money.
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
