package ajopot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// funds are what everybody begins with. Some run out of it.
const funds = 200_000_00

// lived counts what happened in all lives, so that a test of nothing is seen.
type lived map[string]int

// Whole ajos of 2 to 12 seats are lived by people who pay, miss, cover, swap, leave, take over, vote, hold payouts
// and are told of late. Every invariant is held after every step, and everybody's money comes out even at the end:
// what they got, less what they paid, is what they still owe less what is owed to them.
func TestWholeAjosComeOutEvenForEverybody(t *testing.T) {
	t.Parallel()
	happened := lived{}
	for range lives / 100 { // A hundred in each check.
		rapid.Check(t, func(t *rapid.T) { live(t, happened) })
	}
	for _, needed := range []string{
		"AjoContributed", "AjoDepositUsed", "AjoDebtOpened", "AjoDebtPaid", "AjoTurnsChanged", "AjoSeatFrozen", "AjoPlaceTaken", "AjoTerminated",
		"AjoCompleted", "AjoPenaltyReversed", "AjoContributionReturned", "AjoPaused", "AjoPayoutRefused", "AjoPaid", "AjoBidRevealed", "AjoNeedVoted",
		"PaymentReversedV3", "AjoDepositReturned",
	} {
		require.Positive(t, happened[needed], "%s never happened: %v", needed, happened)
	}
}

// lives is how many ajos are lived in a run of the test.
const lives = 500

func live(t *rapid.T, happened lived) {
	l := drawn(t)
	for range 400 {
		if l.ajo().Settled {
			break
		}
		l.step(t, happened)
		l.holds(t)
	}
	l.finish(t)
	l.even(t)
}

// drawn is an ajo of any kind. Its fee and penalty are nil, so that money must come out even to the kobo.
func drawn(t *rapid.T) *life {
	seats := rapid.IntRange(2, 12).Draw(t, "seats")
	terms := terms(seats, func(terms *nairav1.AjoTerms) {
		terms.Order = nairav1.AjoOrder(rapid.IntRange(1, 5).Draw(t, "order"))
		terms.Frequency = rapid.SampledFrom([]nairav1.PaymentFrequency{
			nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_BIWEEKLY, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY,
		}).Draw(t, "frequency")
		terms.Deposits, terms.DueDay = int32(rapid.IntRange(0, 2).Draw(t, "deposits")), int32(rapid.IntRange(1, 31).Draw(t, "due day"))
		terms.FeeBasisPoints = 0
		terms.BidBasisPoints = 3_000
	})
	var halves []int
	for left := 2 * seats; left > 0; {
		take := 2
		if len(halves) > 0 && rapid.IntRange(0, 3).Draw(t, "half a hand") == 0 {
			take = 1
		}
		if take == 1 && left >= 2 { // Both halves of a hand.
			halves, left = append(halves, 1, 1), left-2
			continue
		}
		if seats >= 6 && left >= 4 && rapid.IntRange(0, 5).Draw(t, "two hands") == 0 {
			take = 4
		}
		halves, left = append(halves, take), left-take
	}
	return begun(t, terms, funds, halves...)
}

// try gives a command that may be refused, and counts what it did.
func (l *life) try(c event.Command, happened lived) bool {
	before, a, debts := len(l.Drafts), l.ajo(), l.debts()
	if _, err := l.Do(c); err != nil {
		return false
	}
	for _, d := range l.Drafts[before:] {
		if ready, is := d.Message.(*nairav1.AjoCycleReady); is {
			l.holdsTurn(a, debts, int(ready.GetCycle()))
		}
		happened[strings.TrimPrefix(event.TypeOf(d.Message), "naira.v1.")]++
	}
	return true
}

// step is what one moment may bring: a while goes by, the jobs run, and somebody does something.
func (l *life) step(t *rapid.T, happened lived) {
	l.at(l.now.Add(time.Duration(rapid.IntRange(0, 150).Draw(t, "hours")) * time.Hour))
	l.jobs(happened)
	members := l.ajo().Members()
	if len(members) == 0 || l.ajo().Settled {
		return
	}
	user, other := rapid.SampledFrom(members).Draw(t, "who"), rapid.SampledFrom(members).Draw(t, "other")
	seats, theirs := l.ajo().SeatsOf(user), l.ajo().SeatsOf(other)
	seat, with := seats[0], theirs[len(theirs)-1]
	k := l.ajo().Current()
	switch rapid.IntRange(0, 18).Draw(t, "what") {
	case 0, 1, 2, 3, 4: // Most pay.
		if k <= len(l.ajo().Order) {
			for _, m := range members {
				if m != other {
					for _, s := range l.ajo().SeatsOf(m) {
						pay := l.payFor(s, m, m)
						pay.Ready = rapid.Bool().Draw(t, "and makes the pot ready")
						l.try(pay, happened)
					}
				}
			}
		}
	case 5:
		if k <= len(l.ajo().Order) {
			l.try(l.payFor(with, other, user), happened)
		}
	case 6, 7:
		if open := l.debts().Open(user); len(open) > 0 {
			d := open[0]
			amount := min(d.Left(), money.Kobo(rapid.Int64Range(1, int64(d.Left())*2).Draw(t, "part")))
			l.try(ajopot.PayDebt{AjoID: ajoID, DebtID: d.ID, By: user, Creditor: d.Creditor, Amount: amount, Key: l.id()}, happened)
		}
	case 8:
		if open := l.debts().Open(other); len(open) > 0 { // Somebody else pays it.
			l.try(ajopot.PayDebt{AjoID: ajoID, DebtID: open[0].ID, By: user, Creditor: open[0].Creditor, Amount: open[0].Left(), Key: l.id()}, happened)
		}
	case 9:
		id := l.id()
		if l.try(ajo.ProposeSwap(ajoID, id, user, seat, with), happened) {
			for _, m := range members {
				l.try(ajo.AgreeSwap(ajoID, id, m), happened)
			}
		}
	case 10:
		l.leave(t, user, seat, happened)
	case 11:
		l.vote(t, user, other, happened)
	case 12:
		l.choose(t, happened)
	case 13:
		l.toldLate(happened)
	case 14:
		if l.ajo().HasCollected(seat) {
			l.prepay(user, seat, happened)
		}
	case 16:
		l.paysByBank(t, user, seat, happened)
	case 17:
		l.bankTakesBack(t, happened)
	case 18:
		l.takesOver(t, happened)
	case 15:
		for _, r := range l.ajo().Cycles {
			l.try(ajopot.RefusePayout(ajoID, r.Cycle, user, nairav1.AjoRefusal_AJO_REFUSAL_DISPUTE, "I do not know this", l.now), happened)
		}
	}
}

// jobs are what happens by itself, and the payouts that people ask for and approve.
func (l *life) jobs(happened lived) {
	a := l.ajo()
	l.try(ajo.Resume(ajoID, savings.Day(l.now)), happened)
	for _, m := range a.Motions {
		l.try(ajo.EndMotion(ajoID, m.ID, l.now), happened)
	}
	for _, o := range a.Openings {
		l.try(ajopot.Freeze(ajoID, o.Seat, []int{a.Current()}, l.people(), l.now), happened)
	}
	for l.ajo().Current() <= len(l.ajo().Order) {
		nameless := l.judge()
		nameless.People = nil // Enough for a full pot.
		if !l.try(nameless, happened) && !l.try(l.judge(), happened) {
			break
		}
	}
	for _, r := range l.ajo().Cycles {
		if l.cycle(r.Cycle).PaidOut {
			continue
		}
		l.try(ajopot.PaySilent(ajoID, r.Cycle, l.people(), l.now), happened)
		for _, user := range l.ajo().Seats[r.Seat-1].Users() {
			l.try(ajopot.RequestPayout(ajoID, r.Cycle, user, nairav1.AjoDestination_AJO_DESTINATION_WALLET, l.split(r.Cycle).Of(user), l.people()), happened)
		}
		if l.now.Day()%2 == 0 { // Sometimes nobody looks.
			for _, user := range l.ajo().Members() {
				l.try(ajopot.ApprovePayout(ajoID, r.Cycle, user, l.people(), l.now), happened)
			}
		}
	}
	var cycles []int
	for k := 1; k <= len(l.ajo().Order); k++ {
		cycles = append(cycles, k)
	}
	l.try(ajopot.Complete(ajoID, cycles, l.people()), happened)
	for i, user := range l.ajo().Members() { // Phones open bids as soon as they may.
		for _, b := range l.cycle(l.ajo().Current()).Bids {
			if b.User == user {
				l.try(ajopot.RevealBid(ajoID, l.ajo().Current(), b.Seat, user, money.Kobo(i)*100_00, []byte("salt"), l.now), happened)
			}
		}
	}
}

func (l *life) leave(t *rapid.T, user string, seat int, happened lived) {
	if l.try(ajo.OpenPlace(ajoID, user, seat, l.now), happened) && rapid.Bool().Draw(t, "somebody comes at once") {
		l.takesOver(t, happened)
	}
}

// takesOver has somebody take over a place that is given up, maybe some steps ago: a new member, or another one.
func (l *life) takesOver(t *rapid.T, happened lived) {
	if len(l.ajo().Openings) == 0 {
		return
	}
	o := rapid.SampledFrom(l.ajo().Openings).Draw(t, "place")
	next := person(100 + l.n)
	if rapid.Bool().Draw(t, "a member") {
		next = rapid.SampledFrom(l.ajo().Members()).Draw(t, "taker")
	} else {
		l.And(funded(next, funds), verified(next))
		l.n++
	}
	p, _ := l.ajo().Place(o.Seat, o.User)
	cycles := []int{l.ajo().Current()}
	for _, r := range l.ajo().Cycles {
		cycles = append(cycles, r.Cycle)
	}
	collected := l.ajo().HasCollected(o.Seat)
	took := l.try(ajopot.TakePlace{
		AjoID: ajoID, Seat: o.Seat, From: o.User, To: joiner(l.terms, next, p.Halves), Price: ajopot.Par(l.ajo(), o.Seat, p), Cycles: cycles,
		People: append(l.people(), next), Now: l.now,
	}.Command(), happened)
	require.False(t, took && collected, "seat %d was sold after its turn had come", o.Seat)
}

// byBank is a payment through a bank to the ajo, which the bank may take back.
type byBank struct {
	id, user string
	cycle    int
	back     bool
}

// paysByBank pays a due or a deposit with money that comes through a bank.
func (l *life) paysByBank(t *rapid.T, user string, seat int, happened lived) {
	a, id := l.ajo(), l.id()
	var pay event.Command
	var amount money.Kobo
	k := 0
	if missing := a.Deposit(user) - l.Balance(posting.Deposit(ajoID, user)); missing > 0 && ajopot.TakesDeposit(a, user) {
		amount, pay = missing, ajopot.PayDeposit{AjoID: ajoID, User: user, Amount: missing, Channel: transfer, PaymentID: id}
	} else if !a.Over() {
		due := l.payFor(seat, user, user)
		due.PaymentID, due.Channel = id, transfer
		amount, pay, k = due.Amount, due, due.Cycle
	}
	if amount < wallet.MinPayment {
		return
	}
	l.do(wallet.StartPayment{PaymentID: id, User: user, Channel: transfer, Provider: event.Vfd, Amount: amount, ExpiresAt: l.now.AddDate(1, 0, 0)})
	l.try(ajopot.ByPayment{
		Confirm: wallet.ConfirmPayment{PaymentID: id, User: user, Provider: event.Vfd, Gross: amount, ProviderRef: id, PaidAt: l.now},
		AjoID:   ajoID, Amount: amount, Pay: pay,
	}, happened)
	l.banked = append(l.banked, byBank{id: id, user: user, cycle: k})
}

// bankTakesBack takes a payment back, whole or in part. What the payment put into the ajo is out of it then, or owed.
func (l *life) bankTakesBack(t *rapid.T, happened lived) {
	for i, b := range l.banked {
		if b.back {
			continue
		}
		l.banked[i].back = true
		p := l.State(wallet.Stream(b.id)).(wallet.Payment)
		some := money.Kobo(rapid.Int64Range(1, int64(p.Amount)).Draw(t, "taken back"))
		if rapid.Bool().Draw(t, "whole") {
			some = p.Amount
		}
		deposit, owed := posting.Deposit(ajoID, b.user), l.debts().OwedInAll(b.user)
		lent, put := l.Balance(posting.Owed(b.user)), l.putIn(b)
		away := l.Balance(posting.Wallet(b.user))
		if away > 0 && rapid.Bool().Draw(t, "their money is elsewhere") {
			l.And(event.On("ajocycle:other:1", &nairav1.AjoContributed{AjoId: "other", Cycle: 1, PaidBy: b.user, AmountKobo: int64(away)}))
			defer func() {
				l.And(event.On("ajocycle:other:1", &nairav1.AjoContributionReturned{AjoId: "other", Cycle: 1, PaidBy: b.user, ToUserId: b.user, AmountKobo: int64(away)}))
			}()
		}
		if !l.try(ajopot.TakenBack{
			Reversal: wallet.ReversePayment{PaymentID: b.id, User: b.user, Provider: event.Vfd, Gross: some, ProviderRef: "r" + b.id, Reason: "Taken back"},
			Pot:      ajopot.Reverse{AjoID: ajoID, Cycle: b.cycle, PaymentID: b.id, User: b.user, DebtID: "reversal." + b.id},
		}, happened) {
			return
		}
		owes := l.debts().OwedInAll(b.user) > owed
		require.Zero(t, l.Balance(posting.Losses), "Adashi bears what the bank took back")
		switch {
		case l.Balance(posting.Owed(b.user)) < lent:
			require.True(t, b.cycle > 0 || put == 0 || l.Balance(deposit) == 0, "a deposit that the bank took back stays in")
		case owes:
			require.Zero(t, l.Balance(deposit), "the deposit comes first")
		}
		return
	}
}

// putIn is what a payment put into the ajo.
func (l *life) putIn(b byBank) (sum money.Kobo) {
	sum = l.State(ajo.BookStream(ajoID, b.user)).(ajopot.Book).By(b.id)
	for k := 1; k <= len(l.ajo().Order); k++ {
		for _, p := range l.cycle(k).Payments {
			if p.PaymentID == b.id {
				sum += p.Amount
			}
		}
	}
	return sum
}

func (l *life) vote(t *rapid.T, user, other string, happened lived) {
	id := l.id()
	kinds := []nairav1.AjoMotionKind{nairav1.AjoMotionKind_AJO_MOTION_KIND_EXPEL, nairav1.AjoMotionKind_AJO_MOTION_KIND_PAUSE}
	if rapid.IntRange(0, 9).Draw(t, "enough of it") == 0 {
		kinds = append(kinds, nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE)
	}
	kind := rapid.SampledFrom(kinds).Draw(t, "motion")
	if kind != nairav1.AjoMotionKind_AJO_MOTION_KIND_EXPEL {
		other = ""
	}
	if !l.try(ajo.Move{AjoID: ajoID, MotionID: id, By: user, Kind: kind, User: other, Reason: "Because of it", Now: l.now}, happened) {
		return
	}
	for _, m := range l.ajo().Members() {
		l.try(ajo.VoteMotion(ajoID, id, m, true, l.now), happened)
	}
	l.try(ajopot.Terminate(ajoID, id, []int{l.ajo().Current()}, l.people()), happened)
}

// choose votes, bids, and opens bids.
func (l *life) choose(t *rapid.T, happened lived) {
	k, salt := l.ajo().Current(), []byte("salt")
	if k > len(l.ajo().Order) {
		return
	}
	for i, user := range l.ajo().Members() {
		seat := l.ajo().SeatsOf(user)[0]
		discount := money.Kobo(i) * 100_00
		hash := ajopot.BidHash(k, seat, discount, salt)
		l.try(ajopot.VoteNeed(ajoID, k, user, rapid.IntRange(1, len(l.ajo().Seats)).Draw(t, "needs it"), l.now), happened)
		l.try(ajopot.CommitBid(ajoID, k, seat, user, hash[:], l.now), happened)
	}
}

// toldLate is money that was at the bank in time for a cycle that somebody missed, and is told of now.
func (l *life) toldLate(happened lived) {
	for _, d := range l.debts().All {
		if d.Kind != nairav1.AjoDebtKind_AJO_DEBT_KIND_SHORTFALL || d.Relieved {
			continue
		}
		user := d.Debtor
		p, holds := l.ajo().Place(d.Seat, user)
		if !holds {
			continue
		}
		now, then := l.now, morning(l.ajo().Deadline(d.Cycle))
		id, amount := l.id(), ajo.Share(l.terms, p.Halves)
		l.at(then)
		l.do(wallet.StartPayment{PaymentID: id, User: user, Channel: transfer, Provider: event.Vfd, Amount: amount, ExpiresAt: now.AddDate(1, 0, 0)})
		l.banked = append(l.banked, byBank{id: id, user: user, cycle: d.Cycle})
		confirm := wallet.ConfirmPayment{PaymentID: id, User: user, Provider: event.Vfd, Gross: amount, ProviderRef: id, PaidAt: then}
		l.try(ajopot.ByPayment{Confirm: confirm, AjoID: ajoID, Amount: amount, Pay: ajopot.Pay{
			AjoID: ajoID, Cycle: d.Cycle, Seat: d.Seat, User: user, By: user, Amount: amount, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER,
			PaymentID: id, DebtID: l.id(), People: l.people(), Creditors: creditors(l.debts(), d.Cycle, user), At: then,
		}}, happened)
		l.at(now)
		return
	}
}

func (l *life) prepay(user string, seat int, happened lived) {
	a := l.ajo()
	p, _ := a.Place(seat, user)
	var cycles []int
	var sum money.Kobo
	for k := a.Current(); k <= len(a.Order); k++ {
		cycles = append(cycles, k)
		sum += max(0, a.DueOf(seat, p, k)-l.cycle(k).Paid(seat, user))
	}
	l.try(ajopot.Prepay{AjoID: ajoID, Seat: seat, User: user, Amount: sum, Cycles: cycles, At: l.now}, happened)
}

// finish lets time go by until every pot is paid.
func (l *life) finish(t *rapid.T) {
	for range 2_000 {
		if l.ajo().Settled {
			return
		}
		l.at(l.now.AddDate(0, 0, 3))
		l.jobs(lived{})
		l.holds(t)
	}
	require.Fail(t, "an ajo never ends", "%+v", l.ajo())
}

// holdsTurn is that no seat collected that owed, while another did not that had yet to collect. a and debts are from
// before the pot was made ready.
func (l *life) holdsTurn(a ajo.Ajo, debts ajopot.Debts, cycle int) {
	owes := func(seat int) bool { return debts.In(a).OwesSeat(seat) > 0 }
	ready, is := l.ajo().ReadyOf(cycle)
	if !is || !owes(ready.Seat) {
		return
	}
	for _, seat := range a.Order[a.Last():] {
		if _, frozen := a.FrozenAt(seat); !frozen && !owes(seat) {
			require.Fail(l.t, "who owes collects after who does not", "seat %d of %v, not %d", ready.Seat, a.Order, seat)
		}
	}
}

// holds is every invariant, at any moment.
func (l *life) holds(t *rapid.T) {
	a := l.ajo()
	require.Equal(t, upTo(len(a.Seats)), slices.Sorted(slices.Values(a.Order)), "each seat has one turn")
	collected := map[int]bool{}
	for _, r := range a.Cycles {
		require.False(t, collected[r.Seat], "seat %d benefits from one cycle", r.Seat)
		require.Equal(t, r.Seat, a.Order[r.Cycle-1], "turns that have come do not change")
		collected[r.Seat] = true
	}
	for k := 1; k <= len(a.Order); k++ {
		var sum money.Kobo
		c := l.cycle(k)
		for _, p := range c.Payments {
			sum += p.Amount
		}
		_, ready := a.ReadyOf(k)
		if c.PaidOut {
			require.True(t, ready, "nobody is paid before the pot is ready")
			sum = 0
		}
		require.Equal(t, sum, l.Balance(posting.Pot(ajoID, k)), "pot %d is what was paid in and not out", k)
	}
	for i, f := range a.Frozen {
		require.False(t, slices.ContainsFunc(a.Frozen[:i], func(x ajo.Frozen) bool { return x.Seat == f.Seat }), "a seat freezes once")
	}
	lastFree := 0
	for c, seat := range a.Order {
		if _, frozen := a.FrozenAt(seat); !frozen {
			lastFree = c
		}
	}
	for c, seat := range a.Order[a.Last():] {
		if _, frozen := a.FrozenAt(seat); frozen && c+a.Last() < lastFree {
			require.Fail(t, "a frozen seat collects last", "%v %v", a.Order, a.Frozen)
		}
	}
	for _, d := range l.debts().All {
		require.NotEqual(t, d.Debtor, d.Creditor, "nobody owes themselves")
		require.True(t, d.Left() >= 0 || d.Relieved, "%+v", d)
	}
	l.holdsPaid(t)
}

// holdsPaid is that nobody gets a pot while they owe: the last payouts set off all that their holders owed.
func (l *life) holdsPaid(t *rapid.T) {
	last, ok := l.Drafts[len(l.Drafts)-1].Message.(*nairav1.AjoPaid)
	if !ok {
		return
	}
	for _, share := range []struct {
		user   string
		amount int64
	}{{last.GetUserId(), last.GetAmountKobo()}, {last.GetOtherUserId(), last.GetOtherAmountKobo()}} {
		if share.user != "" && share.amount > 0 {
			require.Empty(t, l.debts().Open(share.user), "%s got %d while they owe", share.user, share.amount)
		}
	}
}

// even is that everybody's money comes out even once all is over, counting what is owed, but for what penalties and
// bids moved between members.
func (l *life) even(t *rapid.T) {
	net := map[string]money.Kobo{}
	for account, balance := range l.Balances() {
		if user, is := strings.CutPrefix(account, "wallet:"); is {
			net[user] += balance - funds
		}
		if user, is := strings.CutPrefix(account, "owed:"); is {
			net[user] += balance
		}
		if strings.HasPrefix(account, "deposit:") || strings.HasPrefix(account, "pot:") {
			require.Zero(t, balance, "%s is not empty at the end", account)
		}
	}
	for _, d := range l.debts().All {
		left := max(0, d.Left()) // What was overpaid is a debt of its own.
		net[d.Debtor] -= left
		net[d.Creditor] += left
		net[d.Debtor] += d.Penalty
		net[d.Creditor] -= d.Penalty
	}
	l.evenOutside(net)
	for _, d := range l.Drafts {
		if m, ok := d.Message.(*nairav1.AjoDiscountPaid); ok {
			net[m.GetUserId()] -= money.Kobo(m.GetAmountKobo())
			places := l.collectors(int(m.GetCycle()))
			for i, user := range places {
				part := money.Kobo(m.GetAmountKobo()) / money.Kobo(len(places))
				if i == 0 {
					part = money.Kobo(m.GetAmountKobo()) - part*money.Kobo(len(places)-1)
				}
				net[user] += part
			}
		}
	}
	for user, sum := range net {
		require.InDelta(t, 0, int64(sum), 40, "%s is %s off", user, sum)
	}
}

// evenOutside takes out of nets what came and went through banks: what Adashi lost of it is nobody's here.
func (l *life) evenOutside(net map[string]money.Kobo) {
	for _, d := range l.Drafts {
		switch m := d.Message.(type) {
		case *nairav1.PaymentConfirmedV2:
			if m.GetPaymentId() != "" {
				net[m.GetUserId()] -= money.Kobo(m.GetAmountKobo())
			}
		case *nairav1.PaymentReversedV3:
			net[m.GetUserId()] += money.Kobo(m.GetAmountKobo() - m.GetShortfallKobo())
		case *nairav1.AjoDebtOpened:
			if m.GetKind() == nairav1.AjoDebtKind_AJO_DEBT_KIND_REVERSAL {
				net[m.GetDebtorId()] += money.Kobo(m.GetAmountKobo())
			}
		}
	}
}

// collectors are who a pot was paid to.
func (l *life) collectors(cycle int) []string {
	for _, d := range l.Drafts {
		if m, ok := d.Message.(*nairav1.AjoPaid); ok && int(m.GetCycle()) == cycle {
			if m.GetOtherUserId() != "" {
				return []string{m.GetUserId(), m.GetOtherUserId()}
			}
			return []string{m.GetUserId()}
		}
	}
	return nil
}
