package ajopot_test

import (
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// byBank is a payment through a bank, which the bank may take back in parts.
type byBank struct {
	id, user string
	plain    bool // It went to the wallet, and from there to the ajo.
	cycle    int
	out      money.Kobo // What that took out of the deposit.
}

// due is what a member has to pay for a seat in a cycle.
type due struct {
	cycle, seat int
	user        string
}

// received starts and confirms a payment to the ajo that the bank had at this moment.
func (l *life) received(b byBank, amount money.Kobo, pay event.Command, happened lived) bool {
	if amount < wallet.MinPayment {
		return false
	}
	l.do(wallet.StartPayment{PaymentID: b.id, User: b.user, Channel: transfer, Provider: event.Vfd, Amount: amount, ExpiresAt: l.now.AddDate(2, 0, 0)})
	confirm := wallet.ConfirmPayment{PaymentID: b.id, User: b.user, Provider: event.Vfd, Gross: amount, ProviderRef: b.id, PaidAt: l.now}
	var all event.Command = confirm
	if !b.plain {
		all = ajopot.ByPayment{Confirm: confirm, AjoID: ajoID, Amount: amount, Pay: pay}
	}
	if !l.try(all, happened) {
		return false
	}
	l.banked = append(l.banked, b)
	return !b.plain || l.try(pay, happened)
}

// paysByBank pays a due, the due of another member or a deposit with money that comes through a bank.
func (l *life) paysByBank(t *rapid.T, user string, seat int, happened lived) {
	a, b := l.ajo(), byBank{id: l.id(), user: user}
	if slices.Contains(l.closed, user) {
		return
	}
	missing := a.Deposit(user) - l.Balance(posting.Deposit(ajoID, user))
	switch {
	case missing > 0 && ajopot.TakesDeposit(a, user):
		l.received(b, missing, ajopot.PayDeposit{AjoID: ajoID, User: user, Amount: missing, Channel: transfer, PaymentID: b.id}, happened)
	case !a.Over():
		other := user
		if rapid.IntRange(0, 3).Draw(t, "for another") == 0 {
			other = rapid.SampledFrom(a.Members()).Draw(t, "whose due")
			seat = a.SeatsOf(other)[0]
		}
		pays := l.payFor(seat, other, user)
		pays.PaymentID, pays.Channel, b.cycle = b.id, transfer, pays.Cycle
		l.received(b, pays.Amount, pays, happened)
	}
}

// paysDebtByBank pays a debt, or all that is left of a seat that has collected, with money that came through a bank.
func (l *life) paysDebtByBank(t *rapid.T, user string, seat int, happened lived) {
	b := byBank{id: l.id(), user: user, plain: true}
	if slices.Contains(l.closed, user) {
		return
	}
	if open := l.debts().Open(user); len(open) > 0 {
		d := rapid.SampledFrom(open).Draw(t, "debt")
		l.received(b, d.Left(), ajopot.PayDebt{AjoID: ajoID, DebtID: d.ID, By: user, Creditor: d.Creditor, Amount: d.Left(), Key: l.id()}, happened)
	} else if pays := l.ahead(user, seat); l.ajo().HasCollected(seat) {
		l.received(b, pays.Amount, pays, happened)
	}
}

// ahead is all that is left to pay of a place.
func (l *life) ahead(user string, seat int) ajopot.Prepay {
	a := l.ajo()
	p, _ := a.Place(seat, user)
	pays := ajopot.Prepay{AjoID: ajoID, Seat: seat, User: user, At: l.now}
	for k := a.Current(); k <= len(a.Order); k++ {
		pays.Cycles = append(pays.Cycles, k)
		pays.Amount += max(0, a.DueOf(seat, p, k)-l.cycle(k).Paid(seat, user))
	}
	return pays
}

// reversing is what was before a bank took some of a payment back.
type reversing struct {
	some, wallet, deposit, owed, lent money.Kobo
	whole                             bool
}

// bankTakesBack takes a payment back, whole or in part, once or again.
func (l *life) bankTakesBack(t *rapid.T, happened lived) {
	if len(l.banked) == 0 {
		return
	}
	b := &l.banked[rapid.IntRange(0, len(l.banked)-1).Draw(t, "payment")]
	p := l.State(wallet.Stream(b.id)).(wallet.Payment)
	left := p.Amount - p.Returned
	if left <= 0 {
		return
	}
	r := reversing{some: left, whole: rapid.Bool().Draw(t, "whole")}
	if !r.whole {
		r.some = money.Kobo(rapid.Int64Range(1, int64(left)).Draw(t, "taken back"))
		r.whole = r.some == left
	}
	if rapid.Bool().Draw(t, "their money is elsewhere") {
		defer l.fetches(b.user, l.sends(b.user))
	}
	r.wallet, r.deposit = l.Balance(posting.Wallet(b.user)), l.Balance(posting.Deposit(ajoID, b.user))
	r.owed, r.lent = l.debts().OwedInAll(b.user), l.Balance(posting.Owed(b.user))
	ref := "back." + l.id()
	var back event.Command = wallet.ReversePayment{PaymentID: b.id, User: b.user, Provider: event.Vfd, Gross: r.some, ProviderRef: ref, Reason: "Taken back"}
	if !b.plain {
		back = ajopot.TakenBack{
			Reversal: back.(wallet.ReversePayment),
			Pot:      ajopot.Reverse{AjoID: ajoID, Cycle: b.cycle, PaymentID: b.id, User: b.user, DebtID: "reversal." + ref},
		}
	}
	mark := len(l.Drafts)
	require.True(t, l.try(back, happened), "what a bank took has happened")
	l.holdsReversal(t, b, r, l.Drafts[mark:])
}

// holdsReversal is that what the bank took of a payment comes out of what the payment put in and of its payer: nothing
// of it stays where others could take it, no more goes out than is needed, and nobody but the payer bears the rest.
func (l *life) holdsReversal(t *rapid.T, b *byBank, r reversing, drafts []event.Draft) {
	var out, debt money.Kobo
	for _, d := range drafts {
		switch m := d.Message.(type) {
		case *nairav1.AjoContributionReturned:
			out += money.Kobo(m.GetAmountKobo())
		case *nairav1.AjoDepositReturned:
			out, b.out = out+money.Kobo(m.GetAmountKobo()), b.out+money.Kobo(m.GetAmountKobo())
		case *nairav1.AjoDebtOpened:
			if m.GetKind() == nairav1.AjoDebtKind_AJO_DEBT_KIND_SHORTFALL && m.GetDebtorId() == b.user {
				debt += money.Kobo(m.GetAmountKobo())
			}
		}
	}
	require.Zero(t, l.Balance(posting.Losses), "Adashi bears what the bank took back")
	require.LessOrEqual(t, out, r.some, "more goes out than the bank took")
	require.True(t, r.whole || out <= max(0, r.some-r.wallet), "a part comes out of the wallet first")
	require.LessOrEqual(t, debt, out, "they owe only what was taken out")
	deposit := l.Balance(posting.Deposit(ajoID, b.user))
	if debt > 0 {
		require.Zero(t, deposit, "the deposit comes first")
	}
	put := l.State(ajo.BookStream(ajoID, b.user)).(ajopot.Book).By(b.id)
	require.LessOrEqual(t, b.out, put, "more comes out of the deposit than the payment put in")
	if l.Balance(posting.Owed(b.user)) == r.lent {
		return
	}
	require.True(t, deposit == 0 || b.out == put, "a deposit that the bank took back stays in")
	for k := 1; k <= len(l.ajo().Order); k++ {
		for _, p := range l.cycle(k).Payments {
			require.False(t, p.PaymentID == b.id && !l.cycle(k).PaidOut, "a payment that the bank took back stays in pot %d", k)
		}
	}
}

// missed are the dues that were missed and of which no money was told late yet, with what was missing.
func (l *life) missed() (missed []due, sums map[due]money.Kobo) {
	sums = map[due]money.Kobo{}
	add := func(d due, amount money.Kobo) {
		if sums[d] == 0 && !l.told[d] {
			missed = append(missed, d)
		}
		sums[d] += amount
	}
	for _, d := range l.debts().All {
		if d.Kind == nairav1.AjoDebtKind_AJO_DEBT_KIND_SHORTFALL {
			add(due{d.Cycle, d.Seat, d.Debtor}, d.Amount)
		}
	}
	for _, r := range l.ajo().Cycles {
		for _, p := range l.cycle(r.Cycle).Payments {
			if p.FromDeposit {
				add(due{r.Cycle, p.Seat, p.User}, p.Amount)
			}
		}
	}
	return missed, sums
}

// toldLate has the bank tell late of a payment. The money came in time for a cycle that its payer missed, and the payer
// may have left since.
func (l *life) toldLate(t *rapid.T, happened lived) bool {
	missed, sums := l.missed()
	if len(missed) == 0 {
		return false
	}
	d := rapid.SampledFrom(missed).Draw(t, "missed due")
	l.told[d] = true
	if slices.Contains(l.closed, d.user) {
		return true
	}
	now, b := l.now, byBank{id: l.id(), user: d.user, cycle: d.cycle}
	l.at(morning(l.ajo().Deadline(d.cycle)))
	pays := ajopot.Pay{
		AjoID: ajoID, Cycle: d.cycle, Seat: d.seat, User: d.user, By: d.user, Amount: sums[d], Channel: transfer,
		PaymentID: b.id, DebtID: l.id(), People: append(l.people(), d.user), Creditors: creditors(l.debts(), d.cycle, d.user), At: l.now,
	}
	mark := len(l.Drafts)
	l.received(b, sums[d], pays, happened)
	l.at(now)
	if slices.ContainsFunc(l.Drafts[mark:], func(d event.Draft) bool { _, paid := d.Message.(*nairav1.AjoDebtPaid); return paid }) {
		for _, x := range l.debts().All {
			require.False(t, x.Cycle == d.cycle && x.Seat == d.seat && x.Debtor == d.user && x.Penalty > 0, "a penalty stands for a due that was paid in time")
		}
	}
	return true
}
