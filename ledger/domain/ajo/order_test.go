package ajo_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/draw"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

func ordered(order nairav1.AjoOrder, source nairav1.AjoDrawSource) func(*nairav1.AjoTerms) {
	return func(x *nairav1.AjoTerms) { x.Order, x.Draw = order, source }
}

func TestOnlyTheSealedRoundOfTheSealedChainDraws(t *testing.T) {
	t.Parallel()
	w := filled(t, terms(5, ordered(nairav1.AjoOrder_AJO_ORDER_RANDOM, nairav1.AjoDrawSource_AJO_DRAW_SOURCE_BEACON)))
	b, sign := beacon(t)
	c := closing(w)
	c.Beacon = b
	drafts := w.When(c).Decided
	require.Len(t, drafts, 1, "a list is never sealed and drawn at once")
	round := state(w).Closing.Round
	require.False(t, state(w).Closing.DrawAt.Before(start.Add(30*time.Minute)), "the round comes half an hour after the sealing at least")
	require.Equal(t, b.At(round), state(w).Closing.DrawAt)
	submit := func(b draw.Beacon, signature []byte) error {
		_, err := w.Do(ajo.SubmitBeacon(id(1), b, signature, start.Add(time.Hour)))
		return err
	}
	require.ErrorContains(t, submit(b, sign(round-1)), "That is not the beacon of round")
	require.ErrorContains(t, submit(b, sign(round+1)), "That is not the beacon of round")
	changed := sign(round)
	changed[47] ^= 1
	require.ErrorContains(t, submit(b, changed), "That is not the beacon of round")
	require.ErrorContains(t, submit(b, nil), "That is not the beacon of round")
	other := b
	other.Chain[0] ^= 1
	require.ErrorContains(t, submit(other, sign(round)), "That is not the chain of beacons that was sealed.")
	require.ErrorContains(t, submit(draw.Quicknet, sign(round)), "That is not the chain")
	refused(t, w, ajo.DrawPhones(id(1), start.Add(time.Hour)), fault.Conflict, "Nothing is to be drawn here.")
	cancel := ajo.Cancel{AjoID: id(1), By: person(1), Members: state(w).Members(), Now: state(w).Closing.DrawAt}
	refused(t, w, cancel, fault.Conflict, "The chance that orders the list is known already")
	w.And(ajo.SubmitBeacon(id(1), b, sign(round), start.Add(time.Hour)))
	a := state(w)
	digest, err := draw.V2.RosterDigest(id(1), ajo.TermsHash(a.Terms), a.Sealed)
	require.NoError(t, err)
	require.Equal(t, draw.Order(draw.V2.Seed(digest, sign(round)), 5), a.Order, "anybody who holds list and signature comes to this order")
	require.ErrorContains(t, submit(b, sign(round)), "Nothing is to be drawn here.")
}

// namesNobody holds that neither the list nor what phones gave has a user id, nor anything that one could be tried on.
func namesNobody(t *testing.T, a ajo.Ajo) {
	t.Helper()
	hidden, err := json.Marshal([]any{a.Sealed, a.DrawnFrom})
	require.NoError(t, err)
	for n, user := range a.Members() {
		require.NotContains(t, string(hidden), user)
		pseudonym, err := draw.Pseudonym(salt, id(1), user)
		require.NoError(t, err)
		require.Contains(t, string(hidden), pseudonym)
		for _, r := range a.DrawnFrom {
			if r.Secret != nil {
				tried, err := draw.Commitment(id(1), user, *r.Secret)
				require.NoError(t, err)
				require.NotEqual(t, tried, r.Commitment, "member %d", n)
			}
		}
	}
}

func TestAListIsSealedByPseudonymsOfItsSalt(t *testing.T) {
	t.Parallel()
	for _, source := range []nairav1.AjoDrawSource{phones, nairav1.AjoDrawSource_AJO_DRAW_SOURCE_BEACON} {
		w := filled(t, terms(3, ordered(nairav1.AjoOrder_AJO_ORDER_RANDOM, source)))
		b, sign := beacon(t)
		c := closing(w)
		c.Beacon = b
		c.Salt = salt[:31]
		w.When(c).ThenField("salt")
		if c.Salt = nil; source == phones {
			w.When(c).ThenField("salt")
		}
		c.Salt = salt
		w.And(c)
		if source == phones {
			for n := 1; n <= 2; n++ {
				s := secret(n)
				w.And(ajo.RevealPhone(id(1), person(n), s[:], start))
			}
		}
		w.And(ajo.SubmitBeacon(id(1), b, sign(state(w).Closing.Round), start.Add(25*time.Hour)))
		a := state(w)
		require.False(t, a.EarlierPhones())
		require.Equal(t, salt, a.Closing.Salt)
		namesNobody(t, a)
		require.Equal(t, a.Sealed[1].Holders[0].ID, a.NameOf(id(1), person(2)))
		digest, err := draw.V2.RosterDigest(id(1), ajo.TermsHash(a.Terms), a.Sealed)
		require.NoError(t, err)
		require.Equal(t, digest[:], a.Closing.Digest)
	}
}

// A phone that joined with an earlier page committed to its user id, which a draw without ids could not check.
func TestAListWithAnEarlierPhoneIsDrawnAsEarlierBuildsDrew(t *testing.T) {
	t.Parallel()
	x := terms(3, ordered(nairav1.AjoOrder_AJO_ORDER_RANDOM, phones))
	w := Given(t, start)
	people(w, 3)
	first := create(x)
	first.Owner = earlier(first.Owner, id(1), 1)
	by := func(n int) ajo.Join { return ajo.Join{AjoID: id(1), Joiner: earlier(joiner(x, id(1), n, 2), id(1), n)} }
	w.And(first, by(2))
	w.When(join(x, 3, 2)).ThenField("commitment")
	require.True(t, state(w).EarlierPhones())
	w.And(by(3))
	w.And(closing(w))
	a := state(w)
	require.Empty(t, a.Closing.Salt)
	digest, err := draw.V1.RosterDigest(id(1), ajo.TermsHash(a.Terms), a.Sealed)
	require.NoError(t, err)
	require.Equal(t, digest[:], a.Closing.Digest)
	for n := 1; n <= 3; n++ {
		s := secret(n)
		w.And(ajo.RevealPhone(id(1), person(n), s[:], start))
	}
	w.And(ajo.DrawPhones(id(1), start))
	require.Equal(t, person(3), state(w).DrawnFrom[2].ID)
	require.Equal(t, person(3), state(w).NameOf(id(1), person(3)))

	w = Given(t, start)
	people(w, 3)
	w.And(create(x))
	w.When(by(2)).ThenField("commitment")
}

func TestWhoWithholdsCollectsLast(t *testing.T) {
	t.Parallel()
	w := filled(t, terms(5, ordered(nairav1.AjoOrder_AJO_ORDER_RANDOM, phones)))
	b, sign := beacon(t)
	c := closing(w)
	c.Beacon = b
	w.And(c)
	reveal := func(n, of int, at time.Time) error {
		s := secret(of)
		_, err := w.Do(ajo.RevealPhone(id(1), person(n), s[:], at))
		return err
	}
	end := state(w).Closing.DrawAt
	require.WithinDuration(t, start.Add(24*time.Hour), end, 3*time.Second)
	require.ErrorContains(t, reveal(2, 3, start), "not the secret that this phone committed to")
	for _, n := range []int{1, 2, 4, 5} {
		require.NoError(t, reveal(n, n, start))
	}
	require.ErrorContains(t, reveal(2, 2, start), "already")
	refused(t, w, ajo.DrawPhones(id(1), end.Add(-1)), fault.Conflict, "Not every phone has revealed its secret yet.")
	require.ErrorContains(t, reveal(3, 3, end), "The time to reveal is over.")
	round := state(w).Closing.Round
	require.Equal(t, 30*time.Second, b.At(round).Sub(end), "nobody who may reveal knows the round")
	refused(t, w, ajo.DrawPhones(id(1), end), fault.Conflict, "The round of the beacon that this list names has not come yet.")
	refused(t, w, ajo.SubmitBeacon(id(1), b, sign(round), end.Add(-1)), fault.Conflict, "Phones can reveal their secrets until")
	refused(t, w, ajo.SubmitBeacon(id(1), b, sign(round+1), end), fault.Invalid, "")
	w.And(ajo.SubmitBeacon(id(1), b, sign(round), end))
	require.Equal(t, 3, state(w).Order[4])
	require.Equal(t, draw.V3, state(w).Closing.Version())
}

// Lists that earlier builds sealed name no round: phones draw alone.
func TestPhonesDrawAloneWhereTheirListNamesNoRound(t *testing.T) {
	t.Parallel()
	w := filled(t, terms(3, ordered(nairav1.AjoOrder_AJO_ORDER_RANDOM, phones)))
	c := closing(w)
	c.Beacon = draw.Beacon{}
	w.And(c)
	require.Equal(t, draw.V2, state(w).Closing.Version())
	refused(t, w, ajo.SubmitBeacon(id(1), draw.Quicknet, []byte("x"), start.Add(25*time.Hour)), fault.Conflict, "Nothing is to be drawn here.")
	for n := 1; n <= 3; n++ {
		s := secret(n)
		w.And(ajo.RevealPhone(id(1), person(n), s[:], start))
	}
	w.And(ajo.DrawPhones(id(1), start))
	require.Equal(t, ajo.Active, state(w).Status)
}

// A list of phones whose round does not come for so long as an open list waits is called off, also where phones
// revealed.
func TestAListOfPhonesWhoseRoundDoesNotComeIsCalledOff(t *testing.T) {
	t.Parallel()
	w := filled(t, terms(3, ordered(nairav1.AjoOrder_AJO_ORDER_RANDOM, phones)))
	w.And(closing(w))
	s := secret(2)
	w.And(ajo.RevealPhone(id(1), person(2), s[:], start))
	a := state(w)
	late := a.Closing.DrawAt.AddDate(0, 0, int(a.Terms.GetCancelDays()))
	require.False(t, a.Silent(late.Add(-1)))
	require.True(t, a.Silent(late))
}

func TestADrawInWhichNoPhoneRevealsIsCalledOff(t *testing.T) {
	t.Parallel()
	x := terms(5, ordered(nairav1.AjoOrder_AJO_ORDER_RANDOM, phones), func(x *nairav1.AjoTerms) { x.Deposits = 1 })
	w := filled(t, x)
	for n := 1; n <= 5; n++ {
		w.And(ajopot.PayDeposit{AjoID: id(1), User: person(n), Amount: 8_000_00, Channel: wal})
	}
	b, sign := beacon(t)
	c := closing(w)
	c.Beacon = b
	w.And(c)
	end := state(w).Closing.DrawAt
	cancel := func(at time.Time) ajo.Cancel {
		return ajo.Cancel{AjoID: id(1), Members: state(w).Members(), Reason: "No phone revealed its secret in time.", Now: at}
	}
	refused(t, w, cancel(end.Add(-1)), fault.Conflict, "The order can still be drawn.")
	refused(t, w, ajo.SubmitBeacon(id(1), b, sign(state(w).Closing.Round), end), fault.Conflict, "No phone has revealed its secret")
	before := w.Balance(posting.Wallet(person(3)))
	w.And(cancel(end))
	require.Equal(t, ajo.Cancelled, state(w).Status)
	require.EqualValues(t, 8_000_00, w.Balance(posting.Wallet(person(3)))-before, "the deposit is back")

	w = filled(t, terms(5, ordered(nairav1.AjoOrder_AJO_ORDER_RANDOM, phones)))
	w.And(closing(w))
	s := secret(4)
	w.And(ajo.RevealPhone(id(1), person(4), s[:], start))
	refused(t, w, cancel(end), fault.Conflict, "The order can still be drawn.")
}

func TestAManualOrderNeedsEverybodyElseItIsDrawn(t *testing.T) {
	t.Parallel()
	x := terms(3, ordered(nairav1.AjoOrder_AJO_ORDER_MANUAL, phones))
	w := filled(t, x)
	b, sign := beacon(t)
	c := closing(w)
	c.Beacon = b
	for _, wrong := range [][]int{nil, {1, 2}, {1, 2, 2}, {1, 2, 4}} {
		c.Proposed = wrong
		w.When(c).ThenField("order")
	}
	c.Proposed = []int{3, 1, 2}
	w.And(c)
	by := start.Add(72 * time.Hour)
	refused(t, w, ajo.AcceptOrder(id(1), person(1), start), fault.Conflict, "already")
	refused(t, w, ajo.AcceptOrder(id(1), person(9), start), fault.NotFound, "There is no such ajo.")
	w.And(ajo.AcceptOrder(id(1), person(2), start))
	s := secret(3)
	refused(t, w, ajo.RevealPhone(id(1), person(3), s[:], by.Add(-1)), fault.Conflict, "It is drawn only if not everybody does.")
	refused(t, w, ajo.AcceptOrder(id(1), person(3), by), fault.Conflict, "so it is drawn")
	w.And(ajo.RevealPhone(id(1), person(3), s[:], by), ajo.SubmitBeacon(id(1), b, sign(state(w).Closing.Round), by.Add(24*time.Hour)))
	require.Equal(t, 3, state(w).Order[0], "the others withheld")

	w = filled(t, x)
	w.And(c, ajo.AcceptOrder(id(1), person(2), start), ajo.AcceptOrder(id(1), person(3), by.Add(-1)))
	require.Equal(t, []int{3, 1, 2}, state(w).Order)
}

func TestTheOrganiserCollectsLastInTheOrderOfJoining(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(4))
	require.Equal(t, []int{2, 3, 4, 1}, state(w).Order)
	require.Equal(t, person(4), state(w).Validator, "who collects last and is not the owner")
	refused(t, w, ajo.Leave{AjoID: id(1), User: person(4), Now: start}, fault.Conflict, "Seat 4 has begun; propose who takes it over.")
	refused(t, w, ajo.Cancel{AjoID: id(1), By: person(1), Members: state(w).Members(), Now: start}, fault.Conflict, "The order is set")
}

func day(text string) time.Time {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

// started is a calendar.
func started(x *nairav1.AjoTerms, pauses ...int) ajo.Ajo {
	return ajo.Ajo{
		Terms: x, FirstDue: ajo.FirstDue(x, day("2026-11-03")).Format(time.DateOnly), FirstCycle: 1, StartedAt: start, Pauses: pauses,
	}
}

func TestTheCalendarOfAnAjo(t *testing.T) {
	t.Parallel()
	weekly, biweekly := nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_BIWEEKLY
	monthly := nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY
	for name, c := range map[string]struct {
		frequency nairav1.PaymentFrequency
		month     int32
		day       int32
		pauses    []int
		due       map[int]string
	}{
		"the 31st is the last of a shorter month": {monthly, 11, 31, nil, map[int]string{1: "2026-11-30", 2: "2026-12-31", 4: "2027-02-28", 6: "2027-04-30", 16: "2028-02-29"}},
		"a month whose day is past starts next":   {monthly, 11, 1, nil, map[int]string{1: "2026-12-01", 12: "2027-11-01"}},
		"three days' notice":                      {monthly, 11, 6, nil, map[int]string{1: "2026-11-06"}},
		"less is too little":                      {monthly, 11, 5, nil, map[int]string{1: "2026-12-05"}},
		"weeks":                                   {weekly, 11, 20, nil, map[int]string{1: "2026-11-20", 2: "2026-11-27", 3: "2026-12-04", 7: "2027-01-01"}},
		"weeks from a day that is past":           {weekly, 11, 1, nil, map[int]string{1: "2026-11-08", 5: "2026-12-06"}},
		"two weeks":                               {biweekly, 11, 30, nil, map[int]string{1: "2026-11-30", 2: "2026-12-14", 4: "2027-01-11"}},
		"a pause":                                 {monthly, 11, 31, []int{3}, map[int]string{2: "2026-12-31", 3: "2027-02-28", 4: "2027-03-31"}},
		"two pauses":                              {weekly, 11, 20, []int{2, 3}, map[int]string{1: "2026-11-20", 2: "2026-12-04", 3: "2026-12-18", 4: "2026-12-25"}},
		"a pause of two weeks":                    {biweekly, 11, 30, []int{2}, map[int]string{1: "2026-11-30", 2: "2026-12-28"}},
	} {
		a := started(terms(50, func(x *nairav1.AjoTerms) { x.Frequency, x.StartMonth, x.DueDay = c.frequency, c.month, c.day }), c.pauses...)
		for cycle, want := range c.due {
			require.Equal(t, want, a.Due(cycle).Format(time.DateOnly), "%s: cycle %d", name, cycle)
			require.Equal(t, a.Due(cycle).AddDate(0, 0, 5), a.Deadline(cycle))
		}
		require.Equal(t, day("2026-11-03"), a.Opens(1), name)
		for cycle := 2; cycle <= 50; cycle++ {
			require.False(t, a.Opens(cycle).Before(a.Due(cycle-1).AddDate(0, 0, 1)), "%s: %d opens after the due day before", name, cycle)
			require.True(t, a.Opens(cycle).Before(a.Due(cycle)), "%s: %d opens before it is due", name, cycle)
		}
	}
	a := started(terms(5), 3)
	require.Equal(t, []string{"2026-12-02", "2027-02-02"}, []string{a.Opens(2).Format(time.DateOnly), a.Opens(3).Format(time.DateOnly)})
}
