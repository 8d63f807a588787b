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
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// funds are what everybody begins with. Some run out of it.
const funds = 200_000_00

// lived counts what happened in all lives, so that a test of nothing is seen.
type lived map[string]int

// Whole ajos of 2 to 12 seats are lived by people who pay, miss, cover, swap, leave, take over, vote, bid, hold
// payouts, forgive, give, close their accounts, and whose money comes late or goes back to the bank. Every invariant
// is checked after every step, and everybody's money comes out even at the end: what they got, less what they paid, is
// what they still owe less what is owed to them.
func TestWholeAjosComeOutEvenForEverybody(t *testing.T) {
	t.Parallel()
	happened := lived{}
	for range lives / 100 { // A hundred in each check.
		rapid.Check(t, func(t *rapid.T) { live(t, happened) })
	}
	for _, needed := range []string{
		"AjoContributed", "AjoDepositUsed", "AjoDebtOpened", "AjoDebtPaid", "AjoTurnsChanged", "AjoSeatFrozen", "AjoPlaceTaken", "AjoTerminated",
		"AjoCompleted", "AjoPenaltyReversed", "AjoContributionReturned", "AjoPaused", "AjoPayoutRefused", "AjoPaid", "AjoBidRevealed", "AjoNeedVoted",
		"PaymentReversedV3", "AjoDepositReturned", "AjoDiscountPaid", "AccountClosed", "ReturnedMoneyParkedV2", "AjoDebtForgiven", "AjoPlaceKept",
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
	for l.toldLate(t, happened) { // Also money that is told when all is over.
		l.holds(t)
	}
	l.even(t)
}

// random is what only a life of the random test has.
type random struct {
	first   []ajo.Seat            // Who held the seats when the ajo started.
	banked  []byBank              // What came through a bank.
	away    map[string]money.Kobo // What people sent to their own banks.
	given   map[string]money.Kobo // What creditors forgave, by debt.
	closed  []string              // Who closed their account.
	offered []ajo.Opening         // Every place that was ever offered.
	sealed  map[sealed]bid        // What people bid, and nobody knows yet.
	taken   map[ajopot.Vote]time.Time
	lost    map[int]int  // The seat that a swap after the days of grace took a cycle's turn from.
	told    map[due]bool // The dues of which money was told late.
}

// sealed is whose bid it is.
type sealed struct {
	cycle, seat int
	user        string
}

// bid is a discount that is offered, and whether its bidder opens it in time.
type bid struct {
	discount money.Kobo
	opens    bool
}

// remembers gives a life the memory of the random test.
func (l *life) remembers() *life {
	l.away, l.given, l.sealed = map[string]money.Kobo{}, map[string]money.Kobo{}, map[sealed]bid{}
	l.taken, l.lost, l.told = map[ajopot.Vote]time.Time{}, map[int]int{}, map[due]bool{}
	return l
}

// drawn is an ajo of any kind, maybe with a past.
func drawn(t *rapid.T) *life {
	seats := rapid.IntRange(2, 12).Draw(t, "seats")
	past := pastOf(t, seats)
	terms := terms(seats, func(terms *nairav1.AjoTerms) {
		if len(past) == 0 && rapid.Bool().Draw(t, "odd kobo") {
			terms.AmountKobo += 2 // A half cannot be halved.
		}
		terms.Order = nairav1.AjoOrder(rapid.IntRange(1, 5).Draw(t, "order"))
		terms.Frequency = rapid.SampledFrom([]nairav1.PaymentFrequency{
			nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_BIWEEKLY, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY,
		}).Draw(t, "frequency")
		terms.Deposits, terms.DueDay = int32(rapid.IntRange(0, 2).Draw(t, "deposits")), int32(rapid.IntRange(1, 31).Draw(t, "due day"))
		terms.FeeBasisPoints = rapid.SampledFrom([]int32{0, 0, 100, 250}).Draw(t, "fee")
		terms.FeeCapKobo = rapid.SampledFrom([]int64{terms.GetFeeCapKobo(), 300_00}).Draw(t, "most of a fee")
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
	return imports(t, terms, past, funds, halves...).remembers()
}

// pastOf is what an ajo of so many seats may have been before: cycles that were collected, and who paid to them.
func pastOf(t *rapid.T, seats int) (past []ajo.Past) {
	if rapid.IntRange(0, 2).Draw(t, "ran before") > 0 {
		return nil
	}
	order := rapid.Permutation(upTo(seats)).Draw(t, "past order")
	for c, seat := range order[:rapid.IntRange(1, seats-1).Draw(t, "past cycles")] {
		paid := slices.DeleteFunc(upTo(seats), func(s int) bool { return s != seat && rapid.IntRange(0, 4).Draw(t, "did not pay") == 0 })
		past = append(past, ajo.Past{Cycle: c + 1, Seat: seat, Paid: paid})
	}
	return past
}

// try gives a command that may be refused, and counts what it did.
func (l *life) try(c event.Command, happened lived) bool {
	before, a, debts := len(l.Drafts), l.ajo(), l.debts()
	if _, err := l.Do(c); err != nil {
		return false
	}
	for _, d := range l.Drafts[before:] {
		happened[strings.TrimPrefix(event.TypeOf(d.Message), "naira.v1.")]++
	}
	l.holdsDone(a, debts, l.Drafts[before:])
	return true
}

// step is what one moment may bring: a while goes by, the jobs run, and somebody does something.
func (l *life) step(t *rapid.T, happened lived) {
	l.at(l.now.Add(time.Duration(rapid.IntRange(0, 150).Draw(t, "hours")) * time.Hour))
	if rapid.IntRange(0, 5).Draw(t, "the jobs are late") == 0 && !l.ajo().Over() {
		l.hurries(t, happened)
	}
	l.jobs(happened)
	members := l.ajo().Members()
	if len(members) == 0 || l.ajo().Settled {
		return
	}
	user, other := rapid.SampledFrom(members).Draw(t, "who"), rapid.SampledFrom(members).Draw(t, "other")
	seats, theirs := l.ajo().SeatsOf(user), l.ajo().SeatsOf(other)
	seat, with := seats[0], theirs[len(theirs)-1]
	k := l.ajo().Current()
	switch rapid.IntRange(0, 24).Draw(t, "what") {
	case 0, 1, 2, 3, 4: // Most pay.
		l.mostPay(t, members, other, happened)
	case 5:
		if k <= len(l.ajo().Order) {
			cover := l.payFor(with, other, user)
			cover.Gift = rapid.IntRange(0, 3).Draw(t, "gift") == 0
			l.try(cover, happened)
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
		l.swaps(user, seat, with, happened)
	case 10:
		l.leave(t, user, seat, happened)
	case 11:
		l.vote(t, user, other, happened)
	case 12:
		l.choose(t, happened)
	case 13:
		l.toldLate(t, happened)
	case 14:
		if l.ajo().HasCollected(seat) {
			l.prepay(user, seat, happened)
		}
	case 16:
		l.paysByBank(t, user, seat, happened)
	case 17:
		l.bankTakesBack(t, happened)
	case 18, 21:
		l.takesOver(t, happened)
	case 19:
		l.closesAccount(t, happened)
	case 20:
		l.paysDebtByBank(t, user, seat, happened)
	case 22:
		l.forgives(t, happened)
	case 23, 24:
		for _, r := range l.ajo().Cycles { // One approves, and another may later.
			l.try(ajopot.ApprovePayout(ajoID, r.Cycle, user, l.people(), l.now), happened)
		}
	case 15:
		for _, r := range l.ajo().Cycles {
			l.try(ajopot.RefusePayout(ajoID, r.Cycle, user, nairav1.AjoRefusal_AJO_REFUSAL_DISPUTE, "I do not know this", l.now), happened)
		}
	}
}

// mostPay has all but one pay their dues.
func (l *life) mostPay(t *rapid.T, members []string, but string, happened lived) {
	for _, m := range members {
		if m == but {
			continue
		}
		for _, s := range l.ajo().SeatsOf(m) {
			if l.ajo().Over() {
				return
			}
			pay := l.payFor(s, m, m)
			pay.Ready = rapid.Bool().Draw(t, "and makes the pot ready")
			l.try(pay, happened)
		}
	}
}

// hurries has somebody swap the current turn, or take over a place, before a job has closed a cycle that is over.
func (l *life) hurries(t *rapid.T, happened lived) {
	user, turn := rapid.SampledFrom(l.ajo().Members()).Draw(t, "who is first"), l.ajo().Order[l.ajo().Current()-1]
	if rapid.Bool().Draw(t, "swaps") {
		l.swaps(user, l.ajo().SeatsOf(user)[0], turn, happened)
	} else {
		l.takesOver(t, happened)
	}
}

// swaps has everybody agree to a swap of two seats that somebody proposes.
func (l *life) swaps(user string, seat, with int, happened lived) {
	id := l.id()
	if l.try(ajo.ProposeSwap(ajoID, id, user, seat, with), happened) {
		for _, m := range l.ajo().Members() {
			l.try(ajo.AgreeSwap(ajoID, id, m), happened)
		}
	}
}

// jobs are what happens by itself, and the payouts that people ask for and approve.
func (l *life) jobs(happened lived) {
	a := l.ajo()
	for _, b := range l.cycle(a.Current()).Bids { // Phones open bids as soon as they may.
		if offer := l.sealed[sealed{a.Current(), b.Seat, b.User}]; offer.opens {
			l.try(ajopot.RevealBid(ajoID, a.Current(), b.Seat, b.User, offer.discount, []byte("salt"), l.now), happened)
		}
	}
	l.try(ajo.Resume(ajoID, savings.Day(l.now)), happened)
	for _, user := range l.closed {
		l.try(ajo.Vacate{AjoID: ajoID, User: user, Now: l.now}, happened)
	}
	a = l.ajo()
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
	for k := len(a.Past) + 1; k <= len(a.Order); k++ {
		cycles = append(cycles, k)
	}
	l.try(ajopot.Complete(ajoID, cycles, l.people()), happened)
}

func (l *life) leave(t *rapid.T, user string, seat int, happened lived) {
	if !l.try(ajo.OpenPlace(ajoID, user, seat, l.now), happened) {
		return
	}
	l.offered = append(l.offered, ajo.Opening{Seat: seat, User: user})
	if rapid.Bool().Draw(t, "somebody comes at once") {
		l.takesOver(t, happened)
	}
}

// takesOver has somebody take over a place that was offered, maybe many steps ago: a new member, or another one.
func (l *life) takesOver(t *rapid.T, happened lived) {
	offers := l.ajo().Openings
	if len(l.offered) > 0 && rapid.IntRange(0, 3).Draw(t, "an old offer") == 0 {
		offers = l.offered
	}
	if len(offers) == 0 || l.ajo().Over() {
		return
	}
	o := rapid.SampledFrom(offers).Draw(t, "place")
	p, holds := l.ajo().Place(o.Seat, o.User)
	if !holds {
		return
	}
	next := person(100 + l.n)
	if rapid.Bool().Draw(t, "a member") {
		next = rapid.SampledFrom(l.ajo().Members()).Draw(t, "taker")
	} else {
		l.And(funded(next, funds), verified(next))
		l.n++
	}
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

// sends has somebody send all that their wallet has to their own bank, and answers how much that is.
func (l *life) sends(user string) money.Kobo {
	all := l.Balance(posting.Wallet(user))
	if all > 0 {
		l.And(event.On("ajocycle:other:1", &nairav1.AjoContributed{AjoId: "other", Cycle: 1, PaidBy: user, AmountKobo: int64(all)}))
		l.away[user] += all
	}
	return all
}

// fetches brings back what somebody sent to their bank.
func (l *life) fetches(user string, some money.Kobo) {
	if some > 0 {
		l.And(event.On("ajocycle:other:1", &nairav1.AjoContributionReturned{AjoId: "other", Cycle: 1, PaidBy: user, ToUserId: user, AmountKobo: int64(some)}))
		l.away[user] -= some
	}
}

// closesAccount has somebody close their account, mostly a person who left. A member closes it where an ajo took them
// in while they did.
func (l *life) closesAccount(t *rapid.T, happened lived) {
	people := l.people()
	if rapid.Bool().Draw(t, "a creditor") {
		for _, d := range l.debts().All {
			if d.Left() > 0 {
				people = append(people, d.Creditor, d.Creditor, d.Creditor)
			}
		}
	}
	user := rapid.SampledFrom(people).Draw(t, "who goes")
	if l.ajo().IsMember(user) && rapid.Bool().Draw(t, "a member") {
		return
	}
	all := l.sends(user)
	if l.try(account.Close{User: user}, happened) {
		l.closed = append(l.closed, user)
	} else {
		l.fetches(user, all)
	}
}

// forgives has a creditor let their debtor off a debt, or the desk waive the penalty of one. A cover that may still go
// back is left alone: it would be no gift then.
func (l *life) forgives(t *rapid.T, happened lived) {
	open := slices.DeleteFunc(slices.Clone(l.debts().All), func(d ajopot.Debt) bool {
		return d.Left() <= 0 || d.Kind == nairav1.AjoDebtKind_AJO_DEBT_KIND_COVER && !l.cycle(d.Cycle).PaidOut
	})
	if len(open) == 0 {
		return
	}
	d := rapid.SampledFrom(open).Draw(t, "debt")
	if rapid.Bool().Draw(t, "waive") {
		l.try(ajopot.WaivePenalty{AjoID: ajoID, DebtID: d.ID, User: d.Debtor, DisputeID: "d"}, happened)
	} else if l.try(ajopot.Forgive{AjoID: ajoID, DebtID: d.ID, By: d.Creditor}, happened) {
		l.given[d.ID] += d.Left()
	}
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
	steps := len(l.ajo().Order) * 24 // 30% of the pot, in steps of ₦100.
	for _, user := range l.ajo().Members() {
		l.try(ajopot.VoteNeed(ajoID, k, user, rapid.IntRange(1, len(l.ajo().Seats)).Draw(t, "needs it"), l.now), happened)
		if l.terms.GetOrder() != nairav1.AjoOrder_AJO_ORDER_BIDDING {
			continue
		}
		for _, seat := range l.ajo().SeatsOf(user) {
			offer := bid{
				discount: 100_00 * money.Kobo(rapid.SampledFrom([]int{0, 1, 1, 2, 2, 3, steps}).Draw(t, "bid")),
				opens:    rapid.IntRange(0, 3).Draw(t, "opens it") > 0,
			}
			hash := ajopot.BidHash(k, seat, offer.discount, salt)
			if l.try(ajopot.CommitBid(ajoID, k, seat, user, hash[:], l.now), happened) {
				l.sealed[sealed{k, seat, user}] = offer
			}
		}
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
