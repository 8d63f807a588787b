package ajo_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

// closes closes a person's account whose money is elsewhere.
func closes(w *World, n int) {
	w.And(event.On(account.Stream(person(n)), &nairav1.AccountClosed{UserId: person(n)}))
}

func vacate(n int) event.Command { return ajo.Vacate{AjoID: id(1), User: person(n), Now: start} }

// deposited is a list of three, each with a deposit of ₦8,000.
func deposited(t *testing.T) *World {
	terms := terms(3, func(x *nairav1.AjoTerms) { x.Deposits = 1 })
	w := filled(t, terms)
	for n := 1; n <= 3; n++ {
		w.And(ajopot.PayDeposit{AjoID: id(1), User: person(n), Amount: 8_000 * money.Naira, Channel: wal})
	}
	return w
}

func TestAnOpenListFreesTheSeatOfAClosedAccount(t *testing.T) {
	t.Parallel()
	w := deposited(t)
	closes(w, 2)
	before := w.Balance(posting.Wallet(person(2)))
	w.When(closing(w)).ThenFault(fault.Conflict)
	w.And(vacate(2))
	require.Zero(t, state(w).HalvesOf(person(2)))
	require.Equal(t, before, w.Balance(posting.Wallet(person(2))), "nothing enters a closed account")
	require.EqualValues(t, 8_000*money.Naira, w.Balance(posting.Unmatched), "its deposit waits")
	w.And(verified(4), funded(4, 1_000_000*money.Naira), join(state(w).Terms, 4, 2))
	require.Equal(t, 2, state(w).SeatsOf(person(4))[0])
}

func TestAListIsCancelledWhoseOwnerClosedTheirAccount(t *testing.T) {
	t.Parallel()
	w := deposited(t)
	cancel := ajo.Cancel{AjoID: id(1), Reason: ajo.OwnerClosed, Members: state(w).Members(), Now: start}
	w.When(cancel).ThenFault(fault.Conflict)
	closes(w, 1)
	w.When(vacate(1)).ThenFault(fault.Conflict)
	w.When(ajo.Cancel{AjoID: id(1), Reason: ajo.Lapsed, Members: state(w).Members(), Now: start}).ThenFault(fault.Conflict)
	w.And(cancel)
	require.Equal(t, ajo.Cancelled, state(w).Status)
	require.EqualValues(t, 8_000*money.Naira, w.Balance(posting.Unmatched), "the owner's deposit waits")
	require.EqualValues(t, 1_000_000*money.Naira, w.Balance(posting.Wallet(person(2))), "the others have theirs")
}

func TestAnOrderWaitsForNoWordOfAClosedAccount(t *testing.T) {
	t.Parallel()
	for _, last := range []bool{true, false} { // Theirs is the last word that is missing, or not.
		w := filled(t, terms(3, func(x *nairav1.AjoTerms) { x.Order = nairav1.AjoOrder_AJO_ORDER_MANUAL }))
		c := closing(w)
		c.Proposed = []int{2, 3, 1}
		w.And(c)
		accept := func(n int) { w.And(ajo.AcceptOrder(id(1), person(n), start)) }
		if last {
			accept(2)
		}
		closes(w, 3)
		w.And(vacate(3))
		if !last {
			w.When(vacate(3)).ThenFault(fault.Conflict)
			require.Equal(t, ajo.Ordering, state(w).Status)
			accept(2)
		}
		require.Equal(t, ajo.Active, state(w).Status)
		require.Equal(t, person(2), state(w).Validator, "not who collects last of all")
		require.Empty(t, state(w).Openings)
		w.And(vacate(3))
		require.Len(t, state(w).Openings, 1)
		w.When(vacate(3)).ThenFault(fault.Conflict)
	}
}

func TestTheOfficeOfAnOwnerWhoClosesTheirAccountBeforeTheDrawPassesOnAfterIt(t *testing.T) {
	t.Parallel()
	w := filled(t, terms(3, func(x *nairav1.AjoTerms) { x.Order = nairav1.AjoOrder_AJO_ORDER_RANDOM }))
	c := closing(w)
	c.Beacon = draw.Beacon{}
	w.And(c)
	closes(w, 1)
	w.And(vacate(1))
	require.Equal(t, person(1), state(w).Owner)
	for n := 2; n <= 3; n++ {
		s := secret(n)
		w.And(ajo.RevealPhone(id(1), person(n), s[:], start))
	}
	w.And(ajo.DrawPhones(id(1), state(w).Closing.DrawAt))
	require.Equal(t, 1, state(w).Order[2], "who withheld collects last")
	w.And(vacate(1))
	require.Equal(t, person(state(w).Order[1]), state(w).Owner)
	require.Equal(t, person(state(w).Order[0]), state(w).Validator)
}
