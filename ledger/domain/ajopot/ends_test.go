package ajopot_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/posting"
)

// small is an ajo of n seats without fee or penalty.
func small(t *testing.T, n int) *life {
	t.Helper()
	return begun(t, terms(n, func(x *nairav1.AjoTerms) { x.FeeBasisPoints, x.PenaltyBasisPoints = 0, 0 }), funds, upToTwice(n)...)
}

func upToTwice(n int) []int {
	halves := make([]int, n)
	for i := range halves {
		halves[i] = 2
	}
	return halves
}

// frozen gives up a seat and freezes it.
func (l *life) frozen(seat int) {
	l.do(ajo.OpenPlace(ajoID, l.ajo().Seats[seat-1].Places[0].User, seat, l.now.AddDate(0, 0, -14)))
	l.do(ajopot.Freeze(ajoID, seat, []int{l.ajo().Current()}, l.people(), l.now))
}

// paying pays all dues of the current cycle that are due, on its due day.
func (l *life) paying() {
	l.dueDay()
	for i, s := range l.ajo().Seats {
		p := l.payFor(i+1, s.Places[0].User, s.Places[0].User)
		if p.Amount > 0 {
			l.do(p)
		}
	}
}

// ended judges and pays out what is left, and holds that all nets are nil.
func (l *life) ended(what string) {
	for !l.ajo().Over() {
		l.paying()
		l.over()
	}
	var cycles []int
	for k := 1; k <= len(l.ajo().Order); k++ {
		cycles = append(cycles, k)
		if !l.cycle(k).PaidOut {
			l.do(ajopot.PaySilent(ajoID, k, l.people(), l.now.AddDate(0, 0, 60)))
		}
	}
	l.do(ajopot.Complete(ajoID, cycles, l.people()))
	for n := range l.ajo().Seats {
		require.EqualValues(l.t, funds, l.wallet(n+1), "%s: person %d is off", what, n+1)
	}
	for account, balance := range l.Balances() {
		if strings.HasPrefix(account, "pot:") || strings.HasPrefix(account, "deposit:") {
			require.Zero(l.t, balance, "%s: %s", what, account)
		}
	}
	require.Empty(l.t, l.debts().All, what)
}

// Every one or two seats freeze in every cycle in which they have not collected, before and after they paid to it:
// everybody comes out even.
func TestFreezingNetsToNil(t *testing.T) {
	t.Parallel()
	type stop struct {
		seat, cycle int
		paid        bool
	}
	worlds := 0
	for n := 2; n <= 6; n++ {
		stops := []stop{{}}
		for seat := 1; seat <= n; seat++ {
			for cycle := 1; cycle <= n; cycle++ {
				stops = append(stops, stop{seat, cycle, false}, stop{seat, cycle, true})
			}
		}
		for i, first := range stops {
			for _, second := range stops[i+1:] {
				if first.seat == second.seat {
					continue
				}
				l := small(t, n)
				froze := 0
				for k := 1; k <= n; k++ {
					freeze := func(paid bool) {
						for _, s := range []stop{first, second} {
							if s.seat != 0 && s.cycle == k && s.paid == paid && !l.ajo().HasCollected(s.seat) {
								l.frozen(s.seat)
								froze++
							}
						}
					}
					l.dueDay()
					freeze(false)
					l.paying()
					freeze(true)
					l.over()
				}
				if froze > 0 {
					l.ended(fmt.Sprint(n, " seats ", first, second))
					worlds++
				}
			}
		}
	}
	require.Greater(t, worlds, 2_000)
}

// An ajo is ended early in every cycle, before and after everybody paid to it: everybody comes out even.
func TestEndingEarlyNetsToNil(t *testing.T) {
	t.Parallel()
	for n := 2; n <= 8; n++ {
		for at := 1; at <= n; at++ {
			for _, paid := range []bool{false, true} {
				for frozen := 0; frozen <= n; frozen++ {
					l := small(t, n)
					for k := 1; k < at; k++ {
						l.paying()
						l.over()
					}
					l.dueDay()
					if paid {
						l.paying()
					}
					if frozen > 0 && !l.ajo().HasCollected(frozen) {
						l.frozen(frozen)
					}
					l.do(ajo.Move{AjoID: ajoID, MotionID: "end", By: person(1), Kind: nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE, Reason: "Because of it", Now: l.now})
					for m := 2; m <= n; m++ {
						l.do(ajo.VoteMotion(ajoID, "end", person(m), true, l.now))
					}
					l.do(ajopot.Terminate(ajoID, "end", []int{at}, l.people()))
					l.ended(fmt.Sprint(n, " seats ended in ", at, paid, frozen))
				}
			}
		}
	}
}

func TestAReplacementBuysInAtParAfterDebts(t *testing.T) {
	t.Parallel()
	l := five(t, func(x *nairav1.AjoTerms) { x.Deposits = 1 })
	l.And(funded(person(9), 4*share), verified(person(9)))
	l.paid(1, 3, 4, 5).over().out(1)
	take := ajopot.TakePlace{AjoID: ajoID, Seat: 5, From: person(5), To: joiner(l.terms, person(9), 2), Price: share, Cycles: []int{2}, People: l.people()}
	l.refuses(take.Command(), fault.Conflict, "Seat 5 is not given up any more.")
	l.do(ajo.OpenPlace(ajoID, person(5), 5, l.now))
	l.paid(1, 2, 4).over().out(2) // Another cycle is over meanwhile: the price has changed, and the deposit is used.
	take.Cycles, take.People = []int{3}, l.people()
	l.refuses(take.Command(), fault.Invalid, "Seat 5 costs ₦16,000.00 now, not ₦8,000.00.")
	take.Price = 2 * share
	take.To.TermsHash = make([]byte, 32)
	l.refuses(take.Command(), fault.Conflict, "The terms have changed since you read them.")
	take.To = joiner(l.terms, person(9), 2)
	before := l.wallet(5)
	l.do(take.Command())
	require.EqualValues(t, 2*share, l.wallet(5)-before)
	require.EqualValues(t, share, l.Balance(posting.Deposit(ajoID, person(9))))
	require.EqualValues(t, share, l.wallet(9))
	take.People = l.people()
	l.refuses(take.Command(), fault.Conflict, "Seat 5 is not given up any more.")
}

func TestAReplacementRacesACatchUp(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"catch-up", "replacement"} {
		l := five(t, nil)
		l.And(funded(person(9), 4*share), verified(person(9)))
		l.paid(1, 3, 4).over().out(1) // Seat 5 owes seat 2.
		l.do(ajo.OpenPlace(ajoID, person(5), 5, l.now))
		d := l.debts().Open(person(5))[0]
		pay := ajopot.PayDebt{AjoID: ajoID, DebtID: d.ID, By: person(5), Creditor: person(2), Amount: d.Left(), Key: "k"}
		take := ajopot.TakePlace{AjoID: ajoID, Seat: 5, From: person(5), To: joiner(l.terms, person(9), 2), Price: share, Cycles: []int{2}, People: l.people()}
		creditor := l.wallet(2)
		if first == "catch-up" {
			l.do(pay)
			l.do(take.Command())
			require.EqualValues(t, share+400_00, l.wallet(2)-creditor)
			require.EqualValues(t, funds-400_00, l.wallet(5))
			require.Zero(t, l.owes(5))
			continue
		}
		l.do(take.Command())
		require.EqualValues(t, share, l.wallet(2)-creditor, "the price pays the debt first")
		require.EqualValues(t, 400_00, l.owes(5))
		l.refuses(pay, fault.Invalid, "₦400.00 is left")
	}
}

func TestACoverIsGivenBackOnce(t *testing.T) {
	t.Parallel()
	for _, repaid := range []money.Kobo{0, 3_000_00, share} {
		l := five(t, nil)
		l.dueDay()
		l.do(l.payFor(5, person(5), person(3)))
		l.do(ajo.OpenPlace(ajoID, person(5), 5, l.now.AddDate(0, 0, -14)))
		d := l.debts().All[0]
		if repaid > 0 {
			l.do(ajopot.PayDebt{AjoID: ajoID, DebtID: d.ID, By: person(5), Creditor: person(3), Amount: repaid, Key: "k"})
		}
		l.And(funded(person(9), 4*share), verified(person(9)))
		l.do(ajopot.TakePlace{AjoID: ajoID, Seat: 5, From: person(5), To: joiner(l.terms, person(9), 2), Cycles: []int{1}, People: l.people()}.Command())
		require.EqualValues(t, funds, l.wallet(3), "who covered has what they had")
		require.EqualValues(t, funds, l.wallet(5))
		require.Zero(t, l.owes(5))
	}
}
