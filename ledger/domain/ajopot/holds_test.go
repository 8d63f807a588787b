package ajopot_test

import (
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// holdsTurn is that no seat collected that owed, or whose holder had closed their account, while another had yet to
// collect of which neither was so. a and debts are from before the pot was made ready.
func (l *life) holdsTurn(a ajo.Ajo, debts ajopot.Debts, cycle int) {
	owes := func(seat int) bool { return debts.In(a).OwesSeat(seat) > 0 || a.IsLeft(seat) }
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
	for _, o := range a.Openings {
		require.False(t, a.HasCollected(o.Seat), "seat %d is for sale, and has collected", o.Seat)
	}
	for _, user := range l.closed {
		require.Zero(t, l.Balance(posting.Wallet(user)), "%s has closed their account", user)
	}
}

// holdsDone is what must be true of what one command did. a and debts are from before it.
func (l *life) holdsDone(a ajo.Ajo, debts ajopot.Debts, drafts []event.Draft) {
	settles, readied := false, false
	for _, d := range drafts {
		switch m := d.Message.(type) {
		case *nairav1.AjoCycleReady:
			readied = true
			l.holdsTurn(a, debts, int(m.GetCycle()))
			l.holdsBid(a, debts, m)
		case *nairav1.AjoTurnsChanged:
			l.losesTurn(a, m)
		case *nairav1.AjoPlaceTaken:
			settles = true
			l.taken[ajopot.Vote{User: m.GetToUserId(), For: int(m.GetSeat())}] = l.now
			l.holdsHandover(m)
		case *nairav1.AjoPaid:
			settles = true
			l.holdsHalves(m, drafts)
			l.holdsDiscounts(m, drafts)
		case *nairav1.AjoSeatFrozen, *nairav1.AjoTerminated, *nairav1.AjoCompleted:
			settles = true
		}
	}
	if settles {
		l.holdsSettled(drafts)
	}
	for _, d := range drafts {
		if m, is := d.Message.(*nairav1.AjoDebtOpened); is && readied && m.GetPenaltyKobo() > 0 {
			l.holdsInTime(m)
		}
	}
}

// holdsSettled is that nobody gets money of a pot, of a place or of a deposit while they owe.
func (l *life) holdsSettled(drafts []event.Draft) {
	gets := map[string]money.Kobo{}
	for _, d := range drafts {
		_, pays := d.Message.(*nairav1.AjoDebtPaid)
		if _, parks := d.Message.(*nairav1.ReturnedMoneyParkedV2); parks {
			continue
		}
		for _, line := range posting.Lines(d.Message) {
			if user, is := strings.CutPrefix(line.Account, "wallet:"); is && (line.Amount < 0 || !pays) {
				gets[user] += line.Amount
			}
		}
	}
	for user, amount := range gets {
		require.False(l.t, amount > 0 && len(l.debts().Open(user)) > 0, "%s got %d while they owe", user, amount)
	}
}

// holdsHandover is that nothing that somebody bid, voted or approved stays with a place that another has now.
func (l *life) holdsHandover(m *nairav1.AjoPlaceTaken) {
	a, seat, from := l.ajo(), int(m.GetSeat()), m.GetFromUserId()
	left := len(a.SeatsOf(from)) == 0
	for k := 1; k <= min(a.Current(), len(a.Order)); k++ {
		c := l.cycle(k)
		if k == a.Current() {
			require.False(l.t, slices.ContainsFunc(c.Bids, func(b ajopot.Bid) bool { return b.Seat == seat }), "a bid stays with a place that was sold")
			require.False(l.t, slices.ContainsFunc(c.Votes, func(v ajopot.Vote) bool { return v.For == seat || left && v.User == from }), "a vote stays with a place that was sold")
		}
		require.False(l.t, left && !c.PaidOut && slices.Contains(c.Approvals, from), "an approval stays with a place that was sold")
	}
	for _, motion := range a.Motions {
		require.False(l.t, left && (slices.Contains(motion.For, from) || slices.Contains(motion.Against, from)), "a vote stays with a place that was sold")
	}
	for _, s := range a.Swaps {
		require.False(l.t, s.Seat == seat || s.With == seat, "a swap stays with a place that was sold")
	}
}

// offer is what a seat bids for a cycle: the least of what its holders opened since they hold it, if all of them did.
func (l *life) offer(a ajo.Ajo, cycle, seat int) money.Kobo {
	opened, places := map[string]money.Kobo{}, a.Seats[seat-1].Places
	for _, d := range l.Drafts {
		switch m := d.Message.(type) {
		case *nairav1.AjoPlaceTaken:
			if int(m.GetSeat()) == seat {
				clear(opened)
			}
		case *nairav1.AjoBidRevealed:
			if int(m.GetSeat()) == seat && int(m.GetCycle()) == cycle && !slices.Contains(a.Expelled, m.GetUserId()) {
				opened[m.GetUserId()] = money.Kobo(m.GetDiscountKobo())
			}
		}
	}
	bids := make([]money.Kobo, len(places))
	for i, p := range places {
		bids[i] = opened[p.User]
	}
	return slices.Min(bids)
}

// holdsBid is that who collects for a discount offered it, that nobody who could collect offered more, and that the
// order as it was set first settles a tie.
func (l *life) holdsBid(a ajo.Ajo, debts ajopot.Debts, m *nairav1.AjoCycleReady) {
	if m.GetDiscountKobo() == 0 {
		return
	}
	won := money.Kobo(m.GetDiscountKobo())
	require.Equal(l.t, l.offer(a, int(m.GetCycle()), int(m.GetSeat())), won, "a discount that not every holder of the seat offered")
	for _, seat := range a.Order[a.Last():] {
		if _, frozen := a.FrozenAt(seat); frozen || a.IsLeft(seat) || debts.In(a).OwesSeat(seat) > 0 || seat == int(m.GetSeat()) {
			continue
		}
		bid := l.offer(a, int(m.GetCycle()), seat)
		require.LessOrEqual(l.t, bid, won, "seat %d offered more", seat)
		require.False(l.t, bid == won && slices.Index(a.Base, seat) < slices.Index(a.Base, int(m.GetSeat())), "the first order settles a tie")
	}
}

// losesTurn remembers from which seat a swap took the current turn after it could be paid. Where who collects is chosen
// cycle by cycle, no seat had the turn.
func (l *life) losesTurn(a ajo.Ajo, m *nairav1.AjoTurnsChanged) {
	if order := l.terms.GetOrder(); order == nairav1.AjoOrder_AJO_ORDER_BIDDING || order == nairav1.AjoOrder_AJO_ORDER_NEED {
		return
	}
	k := a.Current()
	_, known := l.lost[k]
	if m.GetReason() == nairav1.AjoTurnReason_AJO_TURN_REASON_SWAPPED && !known && !a.Over() && int(m.GetOrder()[k-1]) != a.Order[k-1] && savings.Day(l.now).After(l.payableUntil(k)) {
		l.lost[k] = a.Order[k-1]
	}
}

// payableUntil is the last of the days of grace that follow the due day and the day on which everybody could pay.
func (l *life) payableUntil(cycle int) time.Time {
	from := l.ajo().Due(cycle)
	if before, is := l.ajo().ReadyOf(cycle - 1); is && savings.Day(before.At).After(from) {
		from = savings.Day(before.At)
	}
	return from.AddDate(0, 0, int(l.terms.GetGraceDays()))
}

// holdsInTime is that nobody owes the penalty for a due that they could not pay in all the days of grace.
func (l *life) holdsInTime(m *nairav1.AjoDebtOpened) {
	k, seat, until := int(m.GetCycle()), int(m.GetSeat()), l.payableUntil(int(m.GetCycle()))
	require.True(l.t, savings.Day(l.now).After(until), "a penalty before %s", until)
	if took, is := l.taken[ajopot.Vote{User: m.GetDebtorId(), For: seat}]; is {
		require.False(l.t, savings.Day(took).After(until), "a penalty for a due that the taker could not pay")
	}
	require.NotEqual(l.t, l.lost[k], seat, "a penalty of a seat whose turn it was when it could pay")
}

// holdsHalves is that two holders of a seat get the same of its pot, counting what is set off and netted of each; an
// odd kobo is the first's.
func (l *life) holdsHalves(m *nairav1.AjoPaid, drafts []event.Draft) {
	if m.GetOtherUserId() == "" {
		return
	}
	a, c := l.ajo(), l.cycle(int(m.GetCycle()))
	gets := map[string]money.Kobo{m.GetUserId(): money.Kobo(m.GetAmountKobo()), m.GetOtherUserId(): money.Kobo(m.GetOtherAmountKobo())}
	for _, d := range drafts {
		if paid, is := d.Message.(*nairav1.AjoDebtPaid); is && paid.GetFrom() == nairav1.AjoDebtFrom_AJO_DEBT_FROM_POT {
			gets[paid.GetDebtorId()] += money.Kobo(paid.GetAmountKobo())
		}
	}
	for user, part := range gets {
		if part == 0 && m.GetFeeKobo() > 0 {
			return // Their part does not go as far as the fee of their half.
		}
		p, _ := a.Place(int(m.GetSeat()), user)
		gets[user] += max(0, a.DueOf(int(m.GetSeat()), p, int(m.GetCycle()))-c.Paid(int(m.GetSeat()), user))
	}
	more := gets[m.GetUserId()] - gets[m.GetOtherUserId()]
	require.True(l.t, more == 0 || more == 1, "one holder gets %d more", more)
}

// holdsDiscounts is that a bid is shared whole, and evenly to the odd kobo, which is the lower seat's and the first
// holder's.
func (l *life) holdsDiscounts(m *nairav1.AjoPaid, drafts []event.Draft) {
	parts, sum := map[string]money.Kobo{}, money.Kobo(0)
	for _, d := range drafts {
		if paid, is := d.Message.(*nairav1.AjoDiscountPaid); is {
			parts[paid.GetUserId()], sum = money.Kobo(paid.GetAmountKobo()), sum+money.Kobo(paid.GetAmountKobo())
		}
	}
	if sum == 0 {
		return
	}
	ready, _ := l.ajo().ReadyOf(int(m.GetCycle()))
	most := 3 * money.Kobo(m.GetGrossKobo()+m.GetNettedKobo()) / 10
	require.Equal(l.t, min(ready.Discount, most, money.Kobo(m.GetGrossKobo()-m.GetFeeKobo())), sum, "a bid is shared whole")
	last := money.Kobo(-1)
	for i, s := range l.ajo().Seats {
		share, one := money.Kobo(0), i+1 != ready.Seat
		for _, p := range s.Places {
			share, one = share+parts[p.User], one && len(l.ajo().SeatsOf(p.User)) == 1
		}
		if !one || share == 0 {
			continue // Those who hold other seats too get it in one.
		}
		if len(s.Places) == 2 {
			more := parts[s.Places[0].User] - parts[s.Places[1].User]
			require.True(l.t, more == 0 || more == 1, "one holder gets %d more of a discount", more)
		}
		require.True(l.t, last < 0 || last == share || last == share+1, "the odd kobo are the lowest seats'")
		last = share
	}
}
