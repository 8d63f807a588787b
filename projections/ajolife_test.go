package projections_test

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajocard"
	"adashi.ng/ledger/domain/ajoconsent"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

// life is an ajo that lives in a house and, in parallel, in memory, where its states are looked up.
type life struct {
	*house
	world *ledgertest.World
	id    string
	now   time.Time
	terms *nairav1.AjoTerms
	n     int // Ids given so far.
}

// ajoStart is a morning in Lagos.
var ajoStart = time.Date(2026, time.November, 3, 8, 0, 0, 0, time.UTC)

const handAmount = 10_000_00

func ajoUser(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

func ajoID(n int) string { return fmt.Sprintf("01900000-0000-7000-8000-%012d", n) }

// somebody is a world with n people who have money and a verified BVN, and have done nothing yet.
func (h *house) somebody(n int) *life {
	h.Helper()
	l := &life{house: h, world: ledgertest.Given(h, ajoStart).Quick(), now: ajoStart}
	l.people(n)
	return l
}

// living is an ajo made by the first of some people, in which each takes the given number of halves.
func (l *life) living(id string, change func(*nairav1.AjoTerms), listed bool, halves ...int) *life {
	l.Helper()
	l = &life{house: l.house, world: l.world, id: id, now: ajoStart, terms: ajo.Usual()}
	l.terms.AmountKobo, l.terms.StartMonth, l.terms.StartYear, l.terms.Deposits = handAmount, 11, 2026, 1
	l.terms.Frequency, l.terms.Order, l.terms.Draw = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY, nairav1.AjoOrder_AJO_ORDER_RANDOM, nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES
	change(l.terms)
	l.do(ajo.Create{AjoID: id, Name: "Balogun ajo " + id[len(id)-1:], Terms: l.terms, Listed: listed, Owner: l.joiner(1, halves[0]), Now: l.now})
	for i, n := range halves[1:] {
		l.do(ajo.Join{AjoID: id, Joiner: l.joiner(i+2, n)})
	}
	for _, user := range l.ajo().Members() {
		if due := l.ajo().Deposit(user); due > 0 {
			l.do(ajopot.PayDeposit{AjoID: id, User: user, Amount: due, Channel: nairav1.Channel_CHANNEL_WALLET})
		}
	}
	return l
}

// people gives n people a verified BVN and money.
func (l *life) people(n int) {
	for i := range n {
		user := ajoUser(i + 1)
		l.do(account.EndCheck(user, "check", 0))
		id := uuid.NewString()
		l.do(ledgertest.Raw{event.On("payment:"+id, &nairav1.PaymentConfirmedV2{PaymentId: id, UserId: user, Provider: string(event.Vfd), AmountKobo: 50 * handAmount, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER})})
	}
}

func (l *life) secret(user string) (s [32]byte) {
	copy(s[:], "secret of "+user)
	return s
}

func (l *life) joiner(n, halves int) ajo.Joiner {
	user, hash := ajoUser(n), ajo.TermsHash(l.terms)
	nonce := []byte(user)[20:36]
	c, err := draw.CommitmentOfNonce(l.id, [16]byte(nonce), l.secret(user))
	require.NoError(l, err)
	return ajo.Joiner{User: user, Halves: halves, Invited: true, Nonce: nonce, Commitment: c[:], Version: ajo.CommitmentOfNonce, TermsHash: hash[:]}
}

// do gives a command that must succeed, here and in memory.
func (l *life) do(c event.Command) {
	l.Helper()
	l.world.And(l.now)
	_, err := l.world.Do(c)
	require.NoError(l, err, "%T", c)
	_, err = l.store.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "t", EffectiveAt: l.now, Command: c})
	require.NoError(l, err, "%T", c)
}

func (l *life) ajo() ajo.Ajo { return l.world.State(ajo.Stream(l.id)).(ajo.Ajo) }

func (l *life) cycle(k int) ajopot.Cycle {
	return l.world.State(ajopot.CycleStream(l.id, k)).(ajopot.Cycle)
}

func (l *life) debts() ajopot.Debts { return l.world.State(ajo.DebtStream(l.id)).(ajopot.Debts) }

func (l *life) newID() string { l.n++; return fmt.Sprintf("x%d", l.n) }

// begun closes the list and draws.
func (l *life) begun() *life {
	l.do(ajo.CloseList{AjoID: l.id, By: ajoUser(1), Members: l.ajo().Members(), Salt: ledgertest.Salt(), Now: l.now})
	for _, user := range l.ajo().Members() {
		if l.ajo().Status == ajo.Ordering {
			s := l.secret(user)
			l.do(ajo.RevealPhone(l.id, user, s[:], l.now))
		}
	}
	if l.ajo().Status == ajo.Ordering {
		l.do(ajo.DrawPhones(l.id, l.now))
	}
	return l
}

// concerned are all people whose money may move.
func (l *life) concerned() []string {
	a := l.ajo()
	people := a.Members()
	for k := 1; k <= len(a.Order); k++ {
		for _, p := range l.cycle(k).Payments {
			people = append(people, p.By)
		}
	}
	for _, d := range l.debts().All {
		people = append(people, d.Debtor, d.Creditor)
	}
	slices.Sort(people)
	return slices.DeleteFunc(slices.Compact(people), func(user string) bool { return user == "" })
}

// opens moves the clock to when the current cycle opens.
func (l *life) opens() {
	day := l.ajo().Opens(l.ajo().Current())
	l.now = time.Date(day.Year(), day.Month(), day.Day(), 8, 0, 0, 0, time.UTC)
}

// pays pays the dues of the current cycle, except those of some people; another pays for one of them.
func (l *life) pays(by map[string]string) {
	a := l.ajo()
	k := a.Current()
	for i, s := range a.Seats {
		for _, p := range s.Places {
			payer, named := by[p.User]
			if !named {
				payer = p.User
			}
			amount := a.DueOf(i+1, p, k) - l.cycle(k).Paid(i+1, p.User)
			if payer == "" || amount <= 0 {
				continue
			}
			l.do(ajopot.Pay{
				AjoID: l.id, Cycle: k, Seat: i + 1, User: p.User, By: payer, Amount: amount, Channel: nairav1.Channel_CHANNEL_WALLET, DebtID: l.newID(), At: l.now,
			})
		}
	}
}

// judged makes the current pot ready, with late set only after the days of grace.
func (l *life) judged(late bool) {
	k := l.ajo().Current()
	if late {
		day := l.ajo().Deadline(k).AddDate(0, 0, 1)
		l.now = time.Date(day.Year(), day.Month(), day.Day(), 1, 0, 0, 0, time.UTC)
	}
	l.do(ajopot.Judge{AjoID: l.id, Cycle: k, People: l.concerned(), Now: l.now})
}

// paidOut asks for a pot, and has two approve it, after one has held it for a while.
func (l *life) paidOut(k int, held bool) {
	a := l.ajo()
	ready, _ := a.ReadyOf(k)
	holder := a.Seats[ready.Seat-1].Places[0].User
	split := ajopot.SplitOf(a, ready, l.cycle(k), l.debts(), l.world.Balance(posting.Pot(l.id, k)))
	l.do(ajopot.RequestPayout(l.id, k, holder, nairav1.AjoDestination_AJO_DESTINATION_BANK, split.Of(holder), l.concerned()))
	users, needed, needs := ajopot.Approvers(a, ready.Seat)
	if held {
		l.do(ajopot.RefusePayout(l.id, k, needs, nairav1.AjoRefusal_AJO_REFUSAL_DISPUTE, "Let us talk first.", l.now))
	}
	slices.SortStableFunc(users, func(a, b string) int {
		if a == needs {
			return -1
		}
		return 0
	})
	for _, user := range users[:needed] {
		l.do(ajopot.ApprovePayout(l.id, k, user, l.concerned(), l.now))
	}
}

// silent pays a pot about which nobody decides.
func (l *life) silent(k int) {
	ready, _ := l.ajo().ReadyOf(k)
	l.now = ajopot.PayByItself(l.ajo(), ready, l.cycle(k))
	l.do(ajopot.PaySilent(l.id, k, l.concerned(), l.now))
}

// ajos has ajos of every kind, and cards.
func (h *house) ajos() []*life {
	h.Helper()
	some := h.somebody(6)
	l := some.living(ajoID(1), func(t *nairav1.AjoTerms) { t.Seats = 4 }, false, 2, 2, 1, 1, 2).begun()
	a := l.ajo()
	last := a.Seats[a.Order[3]-1].Places[0].User // The last collector misses a due.
	l.do(ajoconsent.Set{AjoID: l.id, User: last, Dues: true, Sweep: true})
	l.do(ajo.ProposeSwap(l.id, l.newID(), a.Seats[a.Order[3]-1].Places[0].User, a.Order[3], a.Order[2]))
	l.opens()
	l.pays(map[string]string{ajoUser(3): ajoUser(2)}) // Another member pays for the holder of a half.
	l.judged(false)
	l.paidOut(1, true)
	l.opens()
	l.pays(map[string]string{last: ""}) // Their deposit fills it.
	l.judged(true)
	l.silent(2)
	l.opens()
	l.pays(map[string]string{last: ""}) // Now they owe.
	l.judged(true)
	l.paidOut(3, false)
	for _, d := range l.debts().All {
		if d.Left() > 0 && d.Debtor != last {
			l.do(ajopot.PayDebt{AjoID: l.id, DebtID: d.ID, By: d.Debtor, Creditor: d.Creditor, Amount: d.Left() / 2, Key: l.newID()})
			l.do(ajopot.Forgive{AjoID: l.id, DebtID: d.ID, By: d.Creditor})
		}
	}
	l.opens()
	others := slices.DeleteFunc(l.ajo().Members(), func(user string) bool { return user == last })
	l.pays(map[string]string{last: "", others[0]: others[1]}) // The covered due is paid out of a deposit at the end.
	l.judged(true)
	l.silent(4) // Their pot pays their debt.
	l.do(ajopot.Complete(l.id, []int{1, 2, 3, 4}, l.concerned()))

	open := some.living(ajoID(2), func(t *nairav1.AjoTerms) { t.Seats = 5 }, true, 2, 1)
	open.do(ajo.Leave{AjoID: open.id, User: ajoUser(2), Now: open.now})
	runs := some.living(ajoID(3), func(t *nairav1.AjoTerms) { t.Seats, t.Order = 2, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER }, false, 2, 2).begun()
	runs.opens()
	runs.do(ajo.Move{AjoID: runs.id, MotionID: "m1", By: ajoUser(1), Kind: nairav1.AjoMotionKind_AJO_MOTION_KIND_PAUSE, Reason: "A feast.", Now: runs.now})
	runs.pays(map[string]string{ajoUser(2): ajoUser(1)}) // The money in the pot for the place that is given up goes back.
	runs.do(ajo.OpenPlace(runs.id, ajoUser(1), 1, runs.now))
	runs.do(ajopot.TakePlace{AjoID: runs.id, Seat: 1, From: ajoUser(1), To: runs.joiner(3, 2), Cycles: []int{1}, People: runs.concerned()}.Command())
	h.cards(open)
	return []*life{l, open, runs}
}

// cards has one card that a collector fills and that matures, one that is broken, and one that is open.
func (h *house) cards(l *life) {
	saver, collector := ajoUser(1), ajoUser(2)
	for n := range 3 {
		id := fmt.Sprintf("01900000-0000-7000-8000-0000000009%02d", n)
		l.do(ajocard.OpenCard{
			CardID: id, User: saver, Name: "School fees", Amount: 500_00, Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_DAILY, Boxes: 31,
			Start: savings.Day(l.now), Now: l.now,
		})
		l.do(ajocard.Fill{CardID: id, User: saver, By: saver, Boxes: 2, Channel: nairav1.Channel_CHANNEL_WALLET, At: l.now})
		l.do(ajocard.SetCollector{CardID: id, User: saver, Collector: collector, Commission: true})
		l.do(ajocard.Fill{CardID: id, User: saver, By: collector, Boxes: 3, Channel: nairav1.Channel_CHANNEL_WALLET, At: l.now})
	}
	card := func(n int) (string, ajocard.Card) {
		id := fmt.Sprintf("01900000-0000-7000-8000-0000000009%02d", n)
		return id, l.world.State(ajocard.Stream(id)).(ajocard.Card)
	}
	id, _ := card(2)
	l.do(ajocard.SetCollector{CardID: id, User: saver})
	l.do(ajocard.SetCollector{CardID: id, User: saver, Collector: collector, Commission: true}) // The collector keeps earlier earnings.
	id, c := card(0)
	fee, _ := c.Charge()
	l.do(ajocard.End{CardID: id, User: saver, Collector: collector, Break: true, Net: c.Holds() - fee - c.Commission(), Now: l.now})
	id, _ = card(1)
	l.now = l.now.AddDate(0, 0, 40)
	l.do(ajocard.End{CardID: id, User: saver, Collector: collector, Now: l.now})
}

// heldBy is the balance of the ledger's accounts of some kinds.
func (h *house) heldBy(kinds ...string) (sum money.Kobo) {
	h.exec("SELECT ledger_settle()")
	for _, kind := range kinds {
		var kobo int64
		require.NoError(h, h.pool.QueryRow(context.Background(), "SELECT coalesce(sum(balance), 0)::bigint FROM ledger_accounts WHERE starts_with(account, $1)", kind+":").Scan(&kobo))
		sum += money.Kobo(kobo)
	}
	return sum
}
