package ajopot_test

import (
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/posting"
)

// nets are what people have more than they had, and by how many kobo that may be off since a kobo is not halved.
type nets struct{ sum, odd map[string]money.Kobo }

// even is that everybody's money comes out even once all is over: their wallets, what they sent away, what is parked
// for them and what is owed, but for penalties, bids, fees and gifts, and with what they paid before the ajo came here.
func (l *life) even(t *rapid.T) {
	n := nets{map[string]money.Kobo{}, map[string]money.Kobo{}}
	var earned, fees money.Kobo
	for account, balance := range l.Balances() {
		kind, user, _ := strings.Cut(account, ":")
		switch kind {
		case "wallet":
			n.sum[user] += balance - funds
		case "owed":
			n.sum[user] += balance
		case "deposit", "pot":
			require.True(t, balance == 0 || strings.HasPrefix(account, "pot:other:"), "%s is not empty at the end", account)
		}
		if account == posting.FeesAjo || account == posting.TaxVAT {
			earned += balance
		}
	}
	for user, amount := range l.away {
		n.sum[user] += amount
	}
	for _, d := range l.debts().All {
		left := max(0, d.Left()) // What was overpaid is a debt of its own.
		n.moves(d.Debtor, d.Creditor, left-d.Penalty)
		n.moves(d.Debtor, d.Creditor, min(l.given[d.ID], max(0, d.Amount+d.Penalty-d.Paid)))
	}
	l.evenOutside(n)
	l.evenPast(n)
	for k := 1; k <= len(l.ajo().Order); k++ {
		for _, p := range l.cycle(k).Payments {
			if p.Gift {
				n.moves(p.User, p.By, p.Amount)
			}
		}
	}
	for _, d := range l.Drafts {
		if m, ok := d.Message.(*nairav1.AjoPaid); ok {
			l.evenPot(n, m)
			fees += money.Kobo(m.GetFeeKobo())
		}
	}
	require.Equal(t, fees, earned, "what Adashi earns is what pots paid")
	for user, sum := range n.sum {
		require.LessOrEqual(t, max(sum, -sum), n.odd[user], "%s is %s off", user, sum)
	}
}

// moves takes an amount from one person's net to another's.
func (n nets) moves(from, to string, amount money.Kobo) {
	n.sum[from] -= amount
	n.sum[to] += amount
}

// evenPot gives those who collected a pot back its fee and discount, which were theirs to bear: half each.
func (l *life) evenPot(n nets, m *nairav1.AjoPaid) {
	fee, discount := money.Kobo(m.GetFeeKobo()), money.Kobo(m.GetDiscountKobo())
	for _, d := range l.Drafts {
		if paid, is := d.Message.(*nairav1.AjoDiscountPaid); is && paid.GetCycle() == m.GetCycle() {
			n.sum[paid.GetUserId()] -= money.Kobo(paid.GetAmountKobo())
		}
		if owed, is := d.Message.(*nairav1.AjoDebtOpened); is && m.GetOtherUserId() != "" && owed.GetCycle() == m.GetCycle() {
			n.odd[owed.GetCreditorId()]++
		}
	}
	if m.GetOtherUserId() == "" {
		n.sum[m.GetUserId()] += fee + discount
		return
	}
	usual, _ := ajo.Fee(l.terms, money.Kobo(m.GetGrossKobo()+m.GetNettedKobo()))
	bears := [2]money.Kobo{fee - fee/2, fee / 2}
	if whole := [2]bool{m.GetAmountKobo() > 0 || l.setOff(m, m.GetUserId()), m.GetOtherAmountKobo() > 0 || l.setOff(m, m.GetOtherUserId())}; fee < usual && whole[0] != whole[1] {
		less := slices.Index(whole[:], false) // The half whose part did not go so far.
		bears[less], bears[1-less] = fee-(usual-usual/2), usual-usual/2
	}
	for i, user := range []string{m.GetUserId(), m.GetOtherUserId()} {
		n.sum[user] += bears[i] + discount/2
		n.odd[user] += 2
	}
	n.sum[m.GetUserId()] += discount % 2
}

// setOff reports whether some of a pot paid somebody's debts.
func (l *life) setOff(m *nairav1.AjoPaid, user string) bool {
	for _, d := range l.Drafts {
		paid, is := d.Message.(*nairav1.AjoDebtPaid)
		if is && paid.GetFrom() == nairav1.AjoDebtFrom_AJO_DEBT_FROM_POT && paid.GetCycle() == m.GetCycle() && paid.GetDebtorId() == user {
			return true
		}
	}
	return false
}

// evenOutside takes out of nets what came and went through banks, and adds what is parked.
func (l *life) evenOutside(n nets) {
	for _, d := range l.Drafts {
		switch m := d.Message.(type) {
		case *nairav1.PaymentConfirmedV2:
			if m.GetPaymentId() != "" {
				n.sum[m.GetUserId()] -= money.Kobo(m.GetAmountKobo())
			}
		case *nairav1.PaymentReversedV3:
			n.sum[m.GetUserId()] += money.Kobo(m.GetAmountKobo())
		case *nairav1.ReturnedMoneyParkedV2:
			n.sum[strings.TrimPrefix(m.GetAccount(), "wallet:")] += money.Kobo(m.GetAmountKobo())
		}
	}
}

// evenPast adds what is said to have been paid before the ajo came here: those who held the seats then paid it. Who
// did not pay owes it outside, but for a seat that froze: it neither pays nor collects that.
func (l *life) evenPast(n nets) {
	a := l.ajo()
	for _, p := range a.Past {
		for i := range a.Seats {
			payers := l.first[i]
			if !slices.Contains(p.Paid, i+1) {
				if payers = a.Seats[i]; slices.ContainsFunc(a.Frozen, func(f ajo.Frozen) bool { return f.Seat == i+1 }) {
					continue
				}
			}
			for _, from := range payers.Places {
				for _, to := range l.first[p.Seat-1].Places {
					n.moves(from.User, to.User, money.Kobo(l.terms.GetAmountKobo())*money.Kobo(from.Halves*to.Halves)/4)
				}
			}
		}
	}
}
