package projections_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajocard"
	"adashi.ng/ledger/domain/ajoconsent"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/ajoremind"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/balances"
)

// A batch of dues alone reads little of its ajo, and must leave the same rows as any other batch.
func TestDuesThatArePaidOneByOneAreCounted(t *testing.T) {
	t.Parallel()
	h, ctx := setup(t), context.Background()
	l := h.somebody(4).living(ajoID(1), func(t *nairav1.AjoTerms) { t.Seats, t.Order = 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER }, false, 2, 2, 2, 2).begun()
	l.opens()
	e := h.engine()
	require.NoError(t, e.CatchUp(ctx))
	// After three payments all others have paid, whichever seat collects.
	oneByOne := func(k int, seats ...int) {
		t.Helper()
		for paid, n := range seats {
			user := ajoUser(n)
			l.do(ajopot.Pay{AjoID: l.id, Cycle: k, Seat: n, User: user, By: user, Amount: handAmount, Channel: nairav1.Channel_CHANNEL_WALLET, At: l.now})
			require.NoError(t, e.CatchUp(ctx))
			a, err := ajos.ByID(ctx, h.pool, l.id)
			require.NoError(t, err)
			require.Equal(t, paid >= 2, a.Full, "after %d", paid+1)
			cycles, err := ajos.Cycles(ctx, h.pool, l.id)
			require.NoError(t, err)
			require.Len(t, cycles, k)
			require.Equal(t, money.Kobo((paid+1)*handAmount), cycles[k-1].PaidIn)
			require.Equal(t, l.cycle(k), cycles[k-1].State)
			require.Len(t, a.Missing(cycles[k-1].State), 3-paid)
		}
	}
	require.Equal(t, 2, l.ajo().Order[0])
	oneByOne(1, 3, 1, 4, 2)
	compared := func() {
		t.Helper()
		result, err := h.engine().Rebuild(ctx, ajos.Name, nil)
		require.NoError(t, err)
		require.True(t, result.Compared, "one batch writes what many wrote")
	}
	compared()
	l.do(ajopot.Judge{AjoID: l.id, Cycle: 1, People: l.ajo().Members(), Now: l.now})
	require.NoError(t, e.CatchUp(ctx))
	a, err := ajos.ByID(ctx, h.pool, l.id)
	require.NoError(t, err)
	require.Equal(t, l.ajo().Cycles, a.State.Cycles)
	require.Equal(t, 2, a.Cycle)
	compared()

	l.opens()
	l.pays(nil) // All in one batch, which finds no row of the cycle.
	l.judged(false)
	require.NoError(t, e.CatchUp(ctx))
	compared()

	l.opens()
	order := l.ajo().Order
	oneByOne(3, order[2], order[0], order[1]) // The last one may still collect, in place of the next in the order.
	last := ajoUser(order[3])
	l.do(ajopot.Pay{AjoID: l.id, Cycle: 3, Seat: order[3], User: last, By: last, Amount: handAmount, Channel: nairav1.Channel_CHANNEL_WALLET, Ready: true, At: l.now})
	require.NoError(t, e.CatchUp(ctx))
	a, err = ajos.ByID(ctx, h.pool, l.id)
	require.NoError(t, err)
	require.Equal(t, l.ajo().Cycles, a.State.Cycles)
	require.Equal(t, 4, a.Cycle, "the due that fills it makes it ready")
	compared()
}

// A vote is secret, and no read model has it. The model learns of the cycle from the due after it.
func TestACycleIsKnownByItsFirstDueAlsoWhereAVoteCameBefore(t *testing.T) {
	t.Parallel()
	h, ctx := setup(t), context.Background()
	l := h.somebody(4).living(ajoID(1), func(t *nairav1.AjoTerms) { t.Seats, t.Order = 4, nairav1.AjoOrder_AJO_ORDER_NEED }, false, 2, 2, 2, 2).begun()
	l.opens()
	e := h.engine()
	for n := range 3 {
		if n == 0 {
			l.do(ajopot.VoteNeed(l.id, 1, ajoUser(1), 2, l.now))
		} else {
			user := ajoUser(n)
			l.do(ajopot.Pay{AjoID: l.id, Cycle: 1, Seat: n, User: user, By: user, Amount: handAmount, Channel: nairav1.Channel_CHANNEL_WALLET, At: l.now})
		}
		require.NoError(t, e.CatchUp(ctx))
		cycles, err := ajos.Cycles(ctx, h.pool, l.id)
		require.NoError(t, err)
		require.Len(t, cycles, min(n, 1))
	}
}

// The model drops its brief of an ajo when a member takes over a place.
func TestADueCountsForWhoHoldsThePlaceNow(t *testing.T) {
	t.Parallel()
	h, ctx := setup(t), context.Background()
	l := h.somebody(5).living(ajoID(1), func(t *nairav1.AjoTerms) { t.Seats, t.Order = 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER }, false, 2, 2, 2, 2).begun()
	l.opens()
	h.run()
	h.caughtUp()
	pays := func(seat, n int) {
		t.Helper()
		user := ajoUser(n)
		l.do(ajopot.Pay{AjoID: l.id, Cycle: 1, Seat: seat, User: user, By: user, Amount: handAmount, Channel: nairav1.Channel_CHANNEL_WALLET, At: l.now})
		h.caughtUp()
	}
	order := l.ajo().Order
	pays(order[1], order[1])
	l.do(ajo.OpenPlace(l.id, ajoUser(order[2]), order[2], l.now))
	l.do(ajopot.TakePlace{AjoID: l.id, Seat: order[2], From: ajoUser(order[2]), To: l.joiner(5, 2), Cycles: []int{1}, People: l.concerned()}.Command())
	h.caughtUp()
	pays(order[3], order[3])
	pays(order[2], 5)
	a, err := ajos.ByID(ctx, h.pool, l.id)
	require.NoError(t, err)
	require.True(t, a.Full)
}

// Once a seat is frozen, the dues depend on the collector: a frozen seat gets dues only from those for whose turns it
// paid.
func TestWithAFrozenSeatAPotIsFullForWhoeverCouldCollect(t *testing.T) {
	t.Parallel()
	h, ctx := setup(t), context.Background()
	l := h.somebody(5).living(ajoID(1), func(t *nairav1.AjoTerms) { t.Seats, t.Order = 5, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER }, false, 2, 2, 2, 2, 2).begun()
	for range 2 {
		l.opens()
		l.pays(nil)
		l.judged(false)
	}
	l.do(ajo.OpenPlace(l.id, ajoUser(5), 5, l.now))
	l.now = l.now.AddDate(0, 0, 14)
	l.do(ajopot.Freeze(l.id, 5, []int{3}, l.concerned(), l.now))
	e := h.engine()
	l.opens()
	for _, seat := range l.ajo().Order[:2] {
		require.NoError(t, e.CatchUp(ctx))
		a, err := ajos.ByID(ctx, h.pool, l.id)
		require.NoError(t, err)
		require.False(t, a.Full)
		user := ajoUser(seat)
		l.do(ajopot.Pay{AjoID: l.id, Cycle: 3, Seat: seat, User: user, By: user, Amount: handAmount, Channel: nairav1.Channel_CHANNEL_WALLET, At: l.now})
	}
	require.NoError(t, e.CatchUp(ctx))
	a, err := ajos.ByID(ctx, h.pool, l.id)
	require.NoError(t, err)
	require.True(t, a.Full)
	result, err := h.engine().Rebuild(ctx, ajos.Name, nil)
	require.NoError(t, err)
	require.True(t, result.Compared)
}

// A member who joins and leaves stays in the model as one who has left, even if one batch has both.
func TestWhoJoinsAndLeavesInOneBatchIsRemembered(t *testing.T) {
	t.Parallel()
	for _, apart := range []bool{true, false} {
		h, ctx := setup(t), context.Background()
		l := h.somebody(3).living(ajoID(1), func(t *nairav1.AjoTerms) { t.Seats, t.Deposits = 3, 0 }, false, 2, 2, 2)
		e := h.engine()
		if apart {
			require.NoError(t, e.CatchUp(ctx))
		}
		l.do(ajo.Leave{AjoID: l.id, User: ajoUser(3), Now: l.now})
		require.NoError(t, e.CatchUp(ctx))
		var left int
		require.NoError(t, h.pool.QueryRow(ctx, "SELECT count(*) FROM rm_ajo_members WHERE ajo_id = $1 AND user_id = $2 AND has_left", l.id, ajoUser(3)).Scan(&left))
		require.Equal(t, 1, left, "apart: %v", apart)
	}
}

// The states in the model equal those of the ledger's own aggregates, however the events are cut into batches.
func TestTheStatesOfAjosAreTheLedgers(t *testing.T) {
	t.Parallel()
	h, ctx := setup(t), context.Background()
	lives := h.ajos()
	require.NoError(t, h.engine().CatchUp(ctx))
	h.agree()
	same := func(want, got any) {
		t.Helper()
		a, err := ajo.Ajos.Freeze(want)
		require.NoError(t, err)
		b, err := ajo.Ajos.Freeze(got)
		require.NoError(t, err)
		require.JSONEq(t, string(a), string(b))
	}
	var inPots money.Kobo
	for _, l := range lives {
		a, err := ajos.ByID(ctx, h.pool, l.id)
		require.NoError(t, err)
		require.Empty(t, a.State.Sealed, "the list that was sealed is the ledger's: nobody reads it here")
		shown := l.ajo()
		shown.Sealed, shown.DrawnFrom = nil, nil
		same(shown, a.State)
		cycles, err := ajos.Cycles(ctx, h.pool, l.id)
		require.NoError(t, err)
		for _, c := range cycles {
			same(l.cycle(c.Cycle), c.State)
			inPots += c.PaidIn
			if c.PaidAt != nil {
				require.Equal(t, c.Gross, c.Net+c.OtherNet+c.Fee+c.SetOff, "all of a pot goes somewhere")
			}
		}
		debts, err := ajos.Debts(ctx, h.pool, l.id)
		require.NoError(t, err)
		require.Len(t, debts, len(l.debts().All))
		for i, d := range l.debts().All {
			require.Equal(t, []any{d.ID, d.Left(), d.Debtor, d.Creditor}, []any{debts[i].ID, debts[i].Left, debts[i].Debtor, debts[i].Creditor})
		}
		totals, err := ajos.Totals(ctx, h.pool, l.id)
		require.NoError(t, err)
		for _, total := range totals {
			require.Equal(t, l.debts().Owed(total.User), total.Owed)
		}
		history, err := ajos.History(ctx, h.pool, l.id, 0, 1000)
		require.NoError(t, err)
		var paged []ajos.Movement
		for before := int64(0); ; before = paged[len(paged)-1].Pos {
			page, err := ajos.History(ctx, h.pool, l.id, before, 3)
			require.NoError(t, err)
			if len(page) == 0 {
				break
			}
			paged = append(paged, page...)
		}
		require.Equal(t, history, paged)
	}
	require.Positive(t, inPots)
	require.Equal(t, h.heldBy("pot"), inPots)
	_, err := ajos.ByID(ctx, h.pool, "none")
	require.ErrorIs(t, err, ajos.ErrNone)
	for _, name := range []string{ajos.Name, balances.Name} {
		result, err := h.engine().Rebuild(ctx, name, nil)
		require.NoError(t, err)
		require.True(t, result.Compared)
	}
}

func TestWhatMembersHaveInAjoIsWhatItsAccountsHold(t *testing.T) {
	t.Parallel()
	h, ctx := setup(t), context.Background()
	lives := h.ajos()
	require.NoError(t, h.engine().CatchUp(ctx))
	cards, err := ajos.CardsOf(ctx, h.pool, ajoUser(1))
	require.NoError(t, err)
	var sum money.Kobo
	for n := 1; n <= 6; n++ {
		b, err := balances.Of(ctx, h.pool, ajoUser(n))
		require.NoError(t, err)
		var want money.Kobo
		for _, l := range lives {
			want += l.has(ajoUser(n))
		}
		for _, card := range cards {
			if card.Status == ajos.Open && card.User == ajoUser(n) {
				want += card.Holds()
			}
		}
		require.Equal(t, want, b.Ajo, "person %d", n)
		sum += b.Ajo
	}
	held, err := ajos.Held(ctx, h.pool)
	require.NoError(t, err)
	require.Positive(t, sum)
	require.Equal(t, h.heldBy("pot", "deposit", "card"), sum)
	require.Equal(t, sum, held)
	h.agree()
	for table, change := range map[string]string{
		"rm_ajo_balances": "UPDATE rm_ajo_balances SET kobo = kobo + 1 WHERE user_id = '" + ajoUser(1) + "'",
		"rm_ajo_payments": "UPDATE rm_ajo_payments SET kobo = kobo + 1 WHERE ajo_id = '" + ajoID(3) + "' AND kind = 'DUE'",
		"rm_ajo_members":  "UPDATE rm_ajo_members SET deposit = deposit + 1 WHERE ajo_id = '" + ajoID(3) + "' AND user_id = '" + ajoUser(2) + "'",
		"rm_ajo_cards":    "UPDATE rm_ajo_cards SET filled = filled + 1 WHERE status = 'OPEN'",
	} {
		h.exec(change)
		require.NotEmpty(t, h.disagree(), table)
		h.exec(strings.NewReplacer("+ 1", "- 1").Replace(change))
	}
	h.agree()
}

// A collector's list of cards shows the earnings that the ledger has.
func TestTheListOfACollectorShowsWhatTheyEarned(t *testing.T) {
	t.Parallel()
	h, ctx := setup(t), context.Background()
	lives := h.ajos()
	require.NoError(t, h.engine().CatchUp(ctx))
	cards, err := ajos.Collects(ctx, h.pool, ajoUser(2))
	require.NoError(t, err)
	require.Len(t, cards, 1)
	kept := lives[0].world.State(ajocard.Stream(cards[0].ID)).(ajocard.Card)
	require.Equal(t, 3, kept.ByCollector)
	require.Equal(t, []any{kept.ByCollector, kept.Earned, kept.CommissionIn}, []any{cards[0].ByCollector, cards[0].Earned, cards[0].CommissionIn})
}

// has is a user's money in an ajo's pots and deposits.
func (l *life) has(user string) money.Kobo {
	sum := l.world.Balance(posting.Deposit(l.id, user))
	for k := 1; k <= len(l.ajo().Order); k++ {
		for _, p := range l.cycle(k).Payments {
			if p.By == user && !l.cycle(k).PaidOut {
				sum += p.Amount
			}
		}
	}
	return sum
}

// asked is a job's question.
type asked func(without []string, limit int) ([]ajos.Ajo, error)

// offers checks whether a job is offered an ajo, and that it is not offered one in its list.
func (l *life) offers(want bool, ask asked) {
	l.Helper()
	require.NoError(l, l.engine().CatchUp(context.Background()))
	found, err := ask(nil, 10)
	require.NoError(l, err)
	require.Equal(l, want, len(found) == 1 && found[0].ID == l.id, "%v", found)
	found, err = ask([]string{l.id}, 10)
	require.NoError(l, err)
	require.Empty(l, found)
}

// on is a job's question about a Lagos day.
func on(h *house, day string, f func(context.Context, *pgxpool.Pool, string, []string, int) ([]ajos.Ajo, error)) asked {
	return func(without []string, limit int) ([]ajos.Ajo, error) {
		return f(context.Background(), h.pool, day, without, limit)
	}
}

// at is a job's question about a moment.
func at(h *house, now time.Time, f func(context.Context, *pgxpool.Pool, time.Time, []string, int) ([]ajos.Ajo, error)) asked {
	return func(without []string, limit int) ([]ajos.Ajo, error) {
		return f(context.Background(), h.pool, now, without, limit)
	}
}

func dayOf(day time.Time) string { return day.Format(time.DateOnly) }

func TestEachJobIsOfferedAnAjoOnceItsTimeHasCome(t *testing.T) {
	t.Parallel()
	h, ctx := setup(t), context.Background()
	some := h.somebody(5)
	l := some.living(ajoID(1), func(t *nairav1.AjoTerms) { t.Seats = 3 }, true, 2, 2, 2)
	seen := func(want bool, user string) {
		t.Helper()
		found, err := ajos.Available(ctx, h.pool, user, "OGUN", 0, 10)
		require.NoError(t, err)
		require.Equal(t, want, len(found) == 1)
	}
	lapses := l.ajo().Lapses()
	l.offers(false, on(h, dayOf(lapses.AddDate(0, 0, -1)), ajos.ToLapse))
	l.offers(true, on(h, dayOf(lapses), ajos.ToLapse))
	seen(false, ajoUser(5)) // It has no free hand.
	seen(true, ajoUser(2))
	l.do(ajo.Leave{AjoID: l.id, User: ajoUser(3), Now: l.now})
	require.NoError(t, h.engine().CatchUp(ctx))
	seen(true, ajoUser(5))
	changed := ajo.Usual()
	changed.AmountKobo, changed.StartMonth, changed.StartYear, changed.Seats, changed.Deposits = handAmount, 11, 2026, 3, 1
	changed.Frequency, changed.Draw = l.terms.Frequency, l.terms.Draw
	changed.DueDay = 20
	l.do(ajo.ChangeTerms(l.id, ajoUser(1), changed, l.now))
	hash := ajo.TermsHash(changed)
	l.offers(false, at(h, l.now.Add(time.Hour), ajos.ToRelease))
	l.offers(true, at(h, l.now.Add(48*time.Hour), ajos.ToRelease))
	l.do(ajo.AcceptTerms(l.id, ajoUser(2), hash[:]))
	l.offers(false, at(h, l.now.Add(48*time.Hour), ajos.ToRelease))
	l.terms = changed
	l.do(ajo.Join{AjoID: l.id, Joiner: l.joiner(4, 2)})
	l.do(ajopot.PayDeposit{AjoID: l.id, User: ajoUser(4), Amount: handAmount, Channel: nairav1.Channel_CHANNEL_WALLET})
	l.do(ajo.CloseList{AjoID: l.id, By: ajoUser(1), Members: l.ajo().Members(), Salt: ledgertest.Salt(), Now: l.now})
	l.offers(false, at(h, l.now.Add(time.Hour), ajos.ToDraw))
	l.offers(true, at(h, l.now.Add(25*time.Hour), ajos.ToDraw))
	for _, user := range l.ajo().Members() {
		s := l.secret(user)
		l.do(ajo.RevealPhone(l.id, user, s[:], l.now))
	}
	l.offers(true, at(h, l.now, ajos.ToDraw))
	l.do(ajo.DrawPhones(l.id, l.now))
	l.offers(false, at(h, l.now.Add(25*time.Hour), ajos.ToDraw))
	l.cyclesOffered()
}

// cyclesOffered continues with an ajo that has begun.
func (l *life) cyclesOffered() {
	h, a := l.house, l.ajo()
	due, deadline := a.Due(1), a.Deadline(1)
	l.opens()
	reminded := func(today time.Time, after string, want int) {
		page, err := ajos.ToRemind(context.Background(), h.pool, dayOf(today), dayOf(today.AddDate(0, 0, ajoremind.SoonDays)), after, 10)
		require.NoError(h, err)
		require.Len(h, page, want)
	}
	reminded(due.AddDate(0, 0, -ajoremind.SoonDays-1), "", 0)
	reminded(due.AddDate(0, 0, -ajoremind.SoonDays), "", 1)
	reminded(deadline, "", 1)
	reminded(deadline, l.id, 0)
	reminded(deadline.AddDate(0, 0, 1), "", 0)
	l.offers(false, on(h, dayOf(due), ajos.Agreed))
	l.do(ajoconsent.Set{AjoID: l.id, User: ajoUser(2), Dues: true})
	l.offers(true, on(h, dayOf(due), ajos.Agreed))
	l.offers(false, on(h, dayOf(deadline), ajos.ToJudge))
	l.offers(true, on(h, dayOf(deadline.AddDate(0, 0, 1)), ajos.ToJudge))
	beneficiary := a.Seats[a.Order[0]-1].Places[0].User
	l.pays(map[string]string{beneficiary: ""}) // Their own due can be netted.
	l.offers(true, on(h, dayOf(l.now), ajos.ToJudge))
	found, err := ajos.ByID(context.Background(), h.pool, l.id)
	require.NoError(h, err)
	require.Equal(h, []ajos.Missing{{Seat: a.Order[0], User: beneficiary, Amount: handAmount}}, found.Missing(l.cycle(1)))
	l.judged(false)
	l.offers(false, on(h, dayOf(l.now), ajos.ToJudge))
	ready, _ := l.ajo().ReadyOf(1)
	by := ajopot.PayByItself(l.ajo(), ready, l.cycle(1))
	for at, want := range map[time.Time]int{by.Add(-time.Second): 0, by: 1} {
		pots, err := ajos.Unpaid(context.Background(), h.pool, at, nil, 10)
		require.NoError(h, err)
		require.Len(h, pots, want)
	}
	l.do(ajo.Move{AjoID: l.id, MotionID: "m1", By: ajoUser(1), Kind: nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE, Reason: "We move away.", Now: l.now})
	l.offers(false, at(h, l.now, ajos.ToEndMotions))
	l.offers(true, at(h, l.now.AddDate(0, 0, 7), ajos.ToEndMotions))
	carried := func(without []string, limit int) ([]ajos.Ajo, error) {
		return ajos.ToTerminate(context.Background(), h.pool, without, limit)
	}
	l.offers(false, carried)
	l.do(ajo.VoteMotion(l.id, "m1", ajoUser(2), true, l.now))
	l.offers(true, carried)
	last := l.ajo().Seats[l.ajo().Order[2]-1].Places[0].User
	l.do(ajo.OpenPlace(l.id, last, l.ajo().Order[2], l.now))
	l.offers(false, at(h, l.now, ajos.ToFreeze))
	l.offers(true, at(h, l.now.AddDate(0, 0, 14), ajos.ToFreeze))
	l.do(ajopot.Terminate(l.id, "m1", []int{2}, l.concerned()))
	l.offers(false, carried)
	for !l.ajo().Over() {
		l.opens()
		l.pays(map[string]string{})
		l.judged(true)
	}
	whole := func(without []string, limit int) ([]ajos.Ajo, error) {
		return ajos.ToComplete(context.Background(), h.pool, without, limit)
	}
	l.offers(false, whole)
	for k := 1; k <= 3; k++ {
		l.silent(k)
	}
	l.offers(true, whole)
	l.do(ajopot.Complete(l.id, []int{1, 2, 3}, l.concerned()))
	l.offers(false, whole)
	l.agree()
}
