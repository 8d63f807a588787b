package ajo_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
)

func TestASwapNeedsBothSeatsAndTheOwner(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(4)) // 2, 3, 4, 1.
	refused(t, w, ajo.ProposeSwap(id(1), "s", person(2), 2, 2), fault.Invalid, "another seat than your own")
	refused(t, w, ajo.ProposeSwap(id(1), "s", person(2), 3, 4), fault.Forbidden, "You do not hold seat 3.")
	refused(t, w, ajo.ProposeSwap(id(1), "s", person(2), 2, 5), fault.NotFound, "There is no such seat.")
	w.And(ajo.ProposeSwap(id(1), "s", person(2), 2, 4))
	refused(t, w, ajo.ProposeSwap(id(1), "s2", person(3), 3, 4), fault.Conflict, "Answer it first.")
	refused(t, w, ajo.AgreeSwap(id(1), "s", person(2)), fault.Conflict, "already")
	refused(t, w, ajo.AgreeSwap(id(1), "s", person(3)), fault.Forbidden, "Only the two seats and the owner decide on this swap.")
	refused(t, w, ajo.DeclineSwap(id(1), "s", person(3)), fault.Forbidden, "Only the two seats")
	w.And(ajo.AgreeSwap(id(1), "s", person(1)))
	require.Equal(t, []int{2, 3, 4, 1}, state(w).Order)
	w.And(ajo.AgreeSwap(id(1), "s", person(4)))
	require.Equal(t, []int{4, 3, 2, 1}, state(w).Order)
	refused(t, w, ajo.AgreeSwap(id(1), "s", person(4)), fault.NotFound, "was decided already")
}

func TestWhoOwesOrMayAskForAPotDoesNotSwap(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(4)) // 2, 3, 4, 1.
	w.And(ajo.ProposeSwap(id(1), "s", person(2), 2, 1))
	judged(w, 1, 4) // Seat 2 collects; seat 3 misses.
	refused(t, w, ajo.AgreeSwap(id(1), "s", person(1)), fault.Conflict, "Seat 2 has collected, or may ask for its pot now")
	refused(t, w, ajo.ProposeSwap(id(1), "s2", person(3), 3, 4), fault.Conflict, "Seat 3 owes ₦8,400.00, so its turn cannot be swapped.")
	refused(t, w, ajo.ProposeSwap(id(1), "s2", person(4), 4, 3), fault.Conflict, "Seat 3 owes")
}

func TestASwapEndsWhenATurnOfItMoves(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(4))                                                                   // 2, 3, 4, 1.
	w.And(ajo.ProposeSwap(id(1), "s", person(3), 3, 4), ajo.AgreeSwap(id(1), "s", person(4))) // Turns 2 and 3.
	judged(w, 1, 2, 4)
	judged(w, 1, 2, 4) // Seat 3 owes, so its turn moves last.
	require.Equal(t, []int{2, 4, 1, 3}, state(w).Order)
	d := debts(w).Open(person(3))
	for _, d := range d {
		w.And(ajopot.PayDebt{AjoID: id(1), DebtID: d.ID, By: person(3), Creditor: d.Creditor, Amount: d.Left(), Key: "k" + d.ID})
	}
	refused(t, w, ajo.AgreeSwap(id(1), "s", person(1)), fault.NotFound, "was decided already")
}

func TestAPlaceIsGivenUpByWhoHasNotCollected(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(3)) // 2, 3, 1.
	judged(w, 1, 3)
	refused(t, w, ajo.OpenPlace(id(1), person(2), 2, start), fault.Conflict, "it can be left only by paying all that is still due")
	refused(t, w, ajo.OpenPlace(id(1), person(2), 3, start), fault.NotFound, "There is no such place.")
	w.And(ajo.OpenPlace(id(1), person(3), 3, start))
	refused(t, w, ajo.OpenPlace(id(1), person(3), 3, start), fault.Conflict, "Somebody is looked for already")
	w.And(ajo.KeepPlace(id(1), person(3), 3))
	refused(t, w, ajo.KeepPlace(id(1), person(3), 3), fault.Conflict, "There is nothing to take back.")
	w.And(ajo.OpenPlace(id(1), person(3), 3, start))
	refused(t, w, ajopot.Freeze(id(1), 3, []int{2}, all(w), start.AddDate(0, 0, 14).Add(-time.Second)), fault.Conflict, "Somebody is still looked for")
	w.And(ajopot.Freeze(id(1), 3, []int{2}, all(w), start.AddDate(0, 0, 14)))
	refused(t, w, ajo.ProposeSwap(id(1), "s", person(1), 1, 3), fault.Conflict, "Seat 3 pays no more and collects last")
}
