package ajopot_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

const ajoID = "01900000-0000-7000-8000-000000000001"

// start is a morning in Lagos.
var start = time.Date(2026, time.November, 3, 8, 0, 0, 0, time.UTC)

// person is the id of the n-th person.
func person(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// funded gives a person money, out of nowhere.
func funded(user string, amount money.Kobo) event.Draft {
	return event.On("payment:of "+user, &nairav1.PaymentConfirmedV2{UserId: user, Provider: string(event.Vfd), AmountKobo: int64(amount)})
}

func verified(user string) event.Command { return account.EndCheck(user, "check", 0) }

func nonce(user string) []byte { return []byte(user)[20:36] }

func secret(user string) [32]byte {
	var s [32]byte
	copy(s[:], "secret of "+user)
	return s
}

func commitment(user string) []byte {
	c, err := draw.Commitment(ajoID, user, secret(user))
	if err != nil {
		panic(err)
	}
	return c[:]
}

func joiner(terms *nairav1.AjoTerms, user string, halves int) ajo.Joiner {
	hash := ajo.TermsHash(terms)
	return ajo.Joiner{User: user, Halves: halves, Invited: true, Nonce: nonce(user), Commitment: commitment(user), TermsHash: hash[:]}
}

// terms are usual ones of so many seats, drawn by phones unless changed.
func terms(seats int, change func(*nairav1.AjoTerms)) *nairav1.AjoTerms {
	t := ajo.Usual()
	t.AmountKobo, t.Seats, t.StartMonth, t.StartYear = 8_000_00, int32(seats), 11, 2026
	t.Order, t.Draw = nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES
	if change != nil {
		change(t)
	}
	return t
}

// life is an ajo in a world, with its clock.
type life struct {
	*ledgertest.World
	t     ledgertest.T
	now   time.Time
	terms *nairav1.AjoTerms
	n     int // Ids given so far.
	random
}

// begun is an ajo that has started: each of people holds so many halves, the first is the owner. They come in seats.
func begun(t ledgertest.T, terms *nairav1.AjoTerms, funds money.Kobo, halves ...int) *life {
	return imports(t, terms, nil, funds, halves...)
}

// imports is an ajo like that of begun with a past. A member whose seat has collected asks for it and confirms it.
func imports(t ledgertest.T, terms *nairav1.AjoTerms, past []ajo.Past, funds money.Kobo, halves ...int) *life {
	l := &life{World: ledgertest.Given(t, start).Quick(), t: t, now: start, terms: terms}
	for i := range halves {
		l.And(funded(person(i+1), funds), verified(person(i+1)))
	}
	l.do(ajo.Create{AjoID: ajoID, Name: "Balogun ajo", Terms: terms, Past: past, Owner: joiner(terms, person(1), halves[0]), Now: l.now})
	l.join(halves)
	for _, user := range l.ajo().Members() {
		if due := l.ajo().Deposit(user); due > 0 {
			l.do(ajopot.PayDeposit{AjoID: ajoID, User: user, Amount: due, Channel: nairav1.Channel_CHANNEL_WALLET})
		}
	}
	proposed := slices.DeleteFunc(upTo(int(terms.GetSeats())), func(seat int) bool { _, is := l.ajo().CollectedBefore(seat); return is })
	l.do(ajo.CloseList{AjoID: ajoID, By: person(1), Members: l.ajo().Members(), Proposed: proposed, Now: l.now})
	for _, user := range l.ajo().Members()[min(1, len(l.ajo().Proposed)):] {
		switch {
		case len(l.ajo().Proposed) > 0:
			l.do(ajo.AcceptOrder(ajoID, user, l.now))
		case l.ajo().Status == ajo.Ordering:
			s := secret(user)
			l.do(ajo.RevealPhone(ajoID, user, s[:], l.now))
		}
	}
	if l.ajo().Status == ajo.Ordering {
		l.do(ajo.DrawPhones(ajoID, l.now))
	}
	require.Equal(t, ajo.Active, l.ajo().Status)
	l.first = l.ajo().Seats
	return l
}

// join has all but the owner take their halves in order. Each asks for a seat that has collected.
func (l *life) join(halves []int) {
	taken := halves[0]
	for i, h := range halves[1:] {
		user, each := person(i+2), h
		if len(l.ajo().Past) > 0 {
			each = min(h, 2) // Who asks for a seat takes one at a time.
		}
		for left := h; left > 0; left -= each {
			j := joiner(l.terms, user, each)
			_, collected := l.ajo().CollectedBefore(taken/2 + 1)
			if collected {
				j.Seat = taken/2 + 1
			}
			l.do(ajo.Join{AjoID: ajoID, Joiner: j})
			taken += each
		}
	}
	for _, user := range l.ajo().Members()[1:] {
		if slices.ContainsFunc(l.ajo().Past, func(p ajo.Past) bool { return l.ajo().Seats[p.Seat-1].Holds(user) }) {
			l.do(ajo.AnswerPast(ajoID, user, true))
		}
	}
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i + 1
	}
	return out
}

// do gives a command that must go through.
func (l *life) do(c event.Command) {
	l.t.Helper()
	_, err := l.Do(c)
	require.NoError(l.t, err, "%T", c)
}

// at moves the clock.
func (l *life) at(now time.Time) *life {
	l.now = now
	l.And(now)
	return l
}

// morning is a day's morning.
func morning(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), 8, 0, 0, 0, time.UTC)
}

func (l *life) ajo() ajo.Ajo { return l.State(ajo.Stream(ajoID)).(ajo.Ajo) }

func (l *life) cycle(k int) ajopot.Cycle {
	return l.State(ajopot.CycleStream(ajoID, k)).(ajopot.Cycle)
}

func (l *life) debts() ajopot.Debts { return l.State(ajo.DebtStream(ajoID)).(ajopot.Debts) }

func (l *life) wallet(n int) money.Kobo { return l.Balance(posting.Wallet(person(n))) }

// id is a new id.
func (l *life) id() string {
	l.n++
	return fmt.Sprintf("x%d", l.n)
}

// people are all whose money may move.
func (l *life) people() []string {
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
	return people
}

// pay is a place's due of the current cycle from its holder's wallet.
func (l *life) pay(n int) ajopot.Pay {
	user := person(n)
	seat := l.ajo().SeatsOf(user)[0]
	return l.payFor(seat, user, user)
}

func (l *life) payFor(seat int, user, by string) ajopot.Pay {
	a := l.ajo()
	k := a.Current()
	p, _ := a.Place(seat, user)
	return ajopot.Pay{
		AjoID: ajoID, Cycle: k, Seat: seat, User: user, By: by, Amount: a.DueOf(seat, p, k) - l.cycle(k).Paid(seat, user),
		Channel: nairav1.Channel_CHANNEL_WALLET, DebtID: l.id(), At: l.now,
	}
}

func (l *life) judge() ajopot.Judge {
	return ajopot.Judge{AjoID: ajoID, Cycle: l.ajo().Current(), People: l.people(), Now: l.now}
}

func (l *life) split(k int) ajopot.Split {
	ready, _ := l.ajo().ReadyOf(k)
	return ajopot.SplitOf(l.ajo(), ready, l.cycle(k), l.debts(), l.Balance(posting.Pot(ajoID, k)))
}

func (l *life) ask(k, n int) event.Command {
	return ajopot.RequestPayout(ajoID, k, person(n), nairav1.AjoDestination_AJO_DESTINATION_WALLET, l.split(k).Of(person(n)), l.people())
}

func (l *life) approve(k, n int) event.Command {
	return ajopot.ApprovePayout(ajoID, k, person(n), l.people(), l.now)
}
