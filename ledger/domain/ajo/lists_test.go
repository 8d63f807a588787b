package ajo_test

import (
	"encoding/hex"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoaccess"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

func TestTermsThatCannotBeAreRefusedByTheirField(t *testing.T) {
	t.Parallel()
	w := Given(t, start, verified(1))
	for sentence, c := range map[string]struct {
		field  string
		listed bool
		change func(*nairav1.AjoTerms)
	}{
		"₦12,345.67 cannot be halved to the kobo.": {"amount", false, func(x *nairav1.AjoTerms) { x.AmountKobo = 12_345_67 }},
		"between ₦500.00 and ₦5,000,000.00":        {"amount", false, func(x *nairav1.AjoTerms) { x.AmountKobo = 499_98 }},
		"The amount must be between":               {"amount", false, func(x *nairav1.AjoTerms) { x.AmountKobo = 5_000_000_02 }},
		"Between 2 and 50 seats.":                  {"memberCapacity", false, func(x *nairav1.AjoTerms) { x.Seats = 51 }},
		"Between 2 and 50 seats":                   {"memberCapacity", false, func(x *nairav1.AjoTerms) { x.Seats = 1 }},
		"Between 2 and 12 seats.":                  {"memberCapacity", true, func(x *nairav1.AjoTerms) { x.Seats, x.Deposits = 13, 1 }},
		"a month that has passed":                  {"startMonthId", false, func(x *nairav1.AjoTerms) { x.StartMonth = 10 }},
		"within a year from now":                   {"startMonthId", false, func(x *nairav1.AjoTerms) { x.StartYear = 2028 }},
		"a month from 1 to 12":                     {"startMonthId", false, func(x *nairav1.AjoTerms) { x.StartMonth = 13 }},
		"a day from 1 to 31":                       {"dueDay", false, func(x *nairav1.AjoTerms) { x.DueDay = 32 }},
		"none, one or two contributions":           {"deposit", false, func(x *nairav1.AjoTerms) { x.Deposits = 3 }},
		"at least one contribution":                {"deposit", true, func(x *nairav1.AjoTerms) {}},
		"weekly, every two weeks or monthly": {"frequency", false, func(x *nairav1.AjoTerms) {
			x.Frequency = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_DAILY
		}},
		"how it is decided who collects when": {"order", false, func(x *nairav1.AjoTerms) { x.Order = 0 }},
		"where the draw's chance comes from":  {"draw", false, func(x *nairav1.AjoTerms) { x.Draw = 0 }},
	} {
		command := create(terms(5, c.change))
		command.Listed = c.listed
		refusal := w.When(command).ThenFault(fault.Invalid)
		require.Equal(t, c.field, refusal.Field)
		require.Contains(t, refusal.Message, sentence)
	}
	last := terms(50, func(x *nairav1.AjoTerms) { x.AmountKobo = 500_02 })
	w.And(create(last))
	require.Len(t, state(w).Seats, 50)
}

func TestWhoMayNotJoinIsToldWhatToDo(t *testing.T) {
	t.Parallel()
	x := terms(9)
	w := Given(t, start, verified(1), verified(2), create(x))
	wants := func(change func(*ajo.Join)) ajo.Join {
		c := join(x, 2, 2)
		change(&c)
		return c
	}
	refused(t, w, join(x, 3, 2), fault.Conflict, "You need a verified BVN for ajo. Verify it in your profile first.")
	refused(t, w, wants(func(c *ajo.Join) { c.UnderAge = true }), fault.Forbidden, "from the age of 18 on")
	refused(t, w, wants(func(c *ajo.Join) { c.TermsHash = make([]byte, 32) }), fault.Conflict, "The terms have changed since you read them.")
	refused(t, w, wants(func(c *ajo.Join) { c.Nonce = c.Nonce[:15] }), fault.Invalid, "16 random bytes")
	refused(t, w, wants(func(c *ajo.Join) { c.Commitment = nil }), fault.Invalid, "commit to a secret")
	refused(t, w, wants(func(c *ajo.Join) { c.Seat = 1 }), fault.Conflict, "Seat 1 is taken. Choose another.")
	refused(t, w, wants(func(c *ajo.Join) { c.Seat = 10 }), fault.Conflict, "Seat 10 is taken.")
	refused(t, w, wants(func(c *ajo.Join) { c.AjoID = id(9) }), fault.NotFound, "There is no such ajo.")
	for _, halves := range []int{0, -2, 7} {
		refused(t, w, join(x, 2, halves), fault.Invalid, "at most 3 hands")
	}
	w.And(join(x, 2, 6))
	refused(t, w, join(x, 2, 1), fault.Invalid, "One person holds at most 3 hands here.")
}

func TestOfAListedAjoOneNeedsAccessOrAnInvitation(t *testing.T) {
	t.Parallel()
	x := terms(5, func(x *nairav1.AjoTerms) { x.Deposits, x.AmountKobo = 1, 70_000_00 })
	c := create(x)
	c.Listed = true
	w := Given(t, start, verified(1), verified(2), verified(3), verified(4), c)
	stranger := func(n, halves int) ajo.Join {
		j := join(x, n, halves)
		j.Invited = false
		return j
	}
	refused(t, w, stranger(2, 2), fault.Forbidden, "Ask for ajo access first, or for an invitation.")
	w.And(join(x, 2, 2)) // With an invitation.
	w.And(salaried(3, 210_000*money.Naira), stranger(3, 2))
	w.And(salaried(4, 209_999_99), stranger(4, 1))
	refused(t, w, stranger(4, 1), fault.Conflict, "You would commit ₦70,000.00 a month; a third of your salary is ₦69,999.99.")
	other := create(terms(5, func(x *nairav1.AjoTerms) { x.AmountKobo = 35_000_00 }))
	other.AjoID, other.Owner = id(2), joiner(other.Terms, id(2), 4, 2)
	refused(t, w, other, fault.Conflict, "You would commit ₦70,000.00 a month") // Of all ajo together.
}

func TestOfTenJoinsAtTheThirdCommitmentOneGoesThrough(t *testing.T) {
	t.Parallel()
	w := Given(t, start)
	people(w, 20)
	x := terms(2)
	for k := range 12 {
		c := create(x)
		c.AjoID, c.Owner = id(k+1), joiner(x, id(k+1), k+2, 2)
		w.And(c)
	}
	joins := func(k int) ajo.Join { return ajo.Join{AjoID: id(k), Joiner: joiner(x, id(k), 1, 2)} }
	w.And(joins(1), joins(2))
	through := 0
	for k := 3; k <= 12; k++ {
		if outcome := w.When(joins(k)); outcome.Err == nil {
			through++
		} else {
			require.Equal(t, "You are in three ajo already. You can join another when one of them is over.", outcome.ThenFault(fault.Conflict).Message)
		}
	}
	require.Equal(t, 1, through)
	require.Contains(t, joins(4).Streams(), ajo.CommitStream(person(1)), "joins of one person write to one stream, so that none passes another")
	w.And(ajo.Leave{AjoID: id(1), User: person(1), Now: start}, joins(12))
	refused(t, w, joins(11), fault.Conflict, "three ajo already")
}

func TestChangedTermsAreAcceptedOnlyByWhoMayPromiseThem(t *testing.T) {
	t.Parallel()
	x := terms(6, func(x *nairav1.AjoTerms) { x.Deposits = 1 })
	c := create(x)
	c.Listed = true
	w := Given(t, start, verified(1), verified(2), salaried(2, 30_000*money.Naira), c, join(x, 2, 2), verified(3), join(x, 3, 4))
	dear := terms(6, func(x *nairav1.AjoTerms) { x.Deposits, x.AmountKobo = 1, 10_000_02 })
	hash := ajo.TermsHash(dear)
	refused(t, w, ajo.ChangeTerms(id(1), person(2), dear, start), fault.Forbidden, "Only the ajo's owner")
	refused(t, w, ajo.ChangeTerms(id(1), person(1), x, start), fault.Conflict, "These are the terms already.")
	w.And(ajo.ChangeTerms(id(1), person(1), dear, start))
	require.EqualValues(t, 10_000_02, w.State(ajo.CommitStream(person(1))).(ajo.Commitments).Total(), "the owner promises more too")
	refused(t, w, ajo.AcceptTerms(id(1), person(2), hash[:]), fault.Conflict, "a third of your salary is ₦10,000.00")
	refused(t, w, ajo.AcceptTerms(id(1), person(2), make([]byte, 32)), fault.Conflict, "Please read them again.")
	w.And(ajo.AcceptTerms(id(1), person(3), hash[:]))
	require.EqualValues(t, 20_000_04, w.State(ajo.CommitStream(person(3))).(ajo.Commitments).Total())
	refused(t, w, ajo.AcceptTerms(id(1), person(3), hash[:]), fault.Conflict, "already")
	late := ajo.Leave{AjoID: id(1), User: person(2), Unanswered: true, Now: start.Add(48*time.Hour - 1)}
	refused(t, w, late, fault.Conflict, "There is still time to accept the terms.")
	late.Now = start.Add(48 * time.Hour)
	w.And(late)
	require.Zero(t, w.State(ajo.CommitStream(person(2))).(ajo.Commitments).Total())
	few := terms(4, func(x *nairav1.AjoTerms) { x.Deposits = 1 })
	w.And(ajo.ChangeTerms(id(1), person(1), few, start))
	hash = ajo.TermsHash(few)
	refused(t, w, ajo.AcceptTerms(id(1), person(3), hash[:]), fault.Invalid, "One person holds at most one hand here.")
	refused(t, w, ajo.ChangeTerms(id(1), person(1), terms(2, func(x *nairav1.AjoTerms) { x.Deposits = 1 }), start), fault.Invalid, "3 seats are taken")
}

func TestAListIsNotSealedBeforeItIsWhole(t *testing.T) {
	t.Parallel()
	x := terms(4, func(x *nairav1.AjoTerms) { x.Deposits = 1 })
	w := Given(t, start)
	people(w, 5)
	w.And(create(x), join(x, 2, 2), join(x, 3, 2), join(x, 4, 1))
	refused(t, w, closing(w), fault.Conflict, "Seat 4 has half a hand free.")
	w.And(ajo.Leave{AjoID: id(1), User: person(4), Now: start})
	refused(t, w, closing(w), fault.Conflict, "Seat 4 is free. Invite somebody, or give the ajo fewer seats.")
	w.And(join(x, 4, 1), join(x, 5, 1))
	byAnother := closing(w)
	byAnother.By = person(2)
	refused(t, w, byAnother, fault.Forbidden, "Only the ajo's owner can do this.")
	fewer := closing(w)
	fewer.Members = fewer.Members[:4]
	refused(t, w, fewer, fault.Conflict, "The list has changed just now.")
	deposits := map[int]money.Kobo{1: 8_000_00, 2: 8_000_00, 3: 8_000_00, 4: 4_000_00, 5: 4_000_00}
	for n := range 5 {
		refused(t, w, closing(w), fault.Conflict, "still has to deposit "+deposits[n+1].String())
		refused(t, w, ajopot.PayDeposit{AjoID: id(1), User: person(n + 1), Amount: 1_00, Channel: wal}, fault.Invalid, "not ₦1.00")
		w.And(ajopot.PayDeposit{AjoID: id(1), User: person(n + 1), Amount: deposits[n+1], Channel: wal})
	}
	changed := terms(4, func(x *nairav1.AjoTerms) { x.Deposits, x.DueDay = 1, 9 })
	w.And(ajo.ChangeTerms(id(1), person(1), changed, start))
	hash := ajo.TermsHash(changed)
	for n := 2; n <= 5; n++ {
		refused(t, w, closing(w), fault.Conflict, "has not accepted the new terms yet")
		w.And(ajo.AcceptTerms(id(1), person(n), hash[:]))
	}
	w.And(closing(w))
	require.Equal(t, ajo.Active, state(w).Status)
}

func TestAListOfSomebodyWithoutAVerifiedBvnIsNotSealed(t *testing.T) {
	t.Parallel()
	x := terms(2)
	w := Given(t, start, verified(1), create(x))
	hash := ajo.TermsHash(x)
	w.And(event.On(ajo.Stream(id(1)), &nairav1.AjoSeatTakenV2{AjoId: id(1), Seat: 2, UserId: person(2), Halves: 2, Nonce: make([]byte, 16), TermsHash: hash[:]}))
	refused(t, w, closing(w), fault.Conflict, "Seat 2 needs a verified BVN.")
}

func TestAPastThatSomebodyDeniesIsNotBroughtAlong(t *testing.T) {
	t.Parallel()
	x := terms(3)
	w := Given(t, start)
	people(w, 3)
	bad := create(x)
	for _, past := range [][]ajo.Past{
		{{Cycle: 2, Seat: 2}},
		{{Cycle: 1, Seat: 4}},
		{{Cycle: 1, Seat: 2}, {Cycle: 2, Seat: 2}},
		{{Cycle: 1, Seat: 2, Paid: []int{1, 1}}},
		{{Cycle: 1, Seat: 1}, {Cycle: 2, Seat: 2}, {Cycle: 3, Seat: 3}},
	} {
		bad.Past = past
		w.When(bad).ThenField("existing")
	}
	c := create(x)
	c.Past = []ajo.Past{{Cycle: 1, Seat: 2, Paid: []int{1, 2, 3}}}
	w.And(c, inSeat(2, join(x, 2, 2)), join(x, 3, 2))
	refused(t, w, closing(w), fault.Conflict, "Seat 2 has not confirmed yet that it collected in cycle 1.")
	w.And(ajo.AnswerPast(id(1), person(2), true), ajo.AnswerPast(id(1), person(3), false))
	refused(t, w, closing(w), fault.Conflict, "Seat 3 says that the past was not as you told it.")
	refused(t, w, ajo.AnswerPast(id(1), person(3), false), fault.Conflict, "You have said so already.")
	w.And(ajo.TellPast(id(1), person(1), []ajo.Past{{Cycle: 1, Seat: 2, Paid: []int{1, 2}}}))
	refused(t, w, closing(w), fault.Conflict, "Seat 2 has not confirmed yet")
	w.And(ajo.AnswerPast(id(1), person(2), true), closing(w))
	require.Equal(t, []int{2, 3, 1}, state(w).Order, "who collected before has no second turn")
	require.Equal(t, 2, state(w).FirstCycle)
	require.Empty(t, w.Balances()["pot:"+id(1)+":1"], "the past moves no money")
}

func TestOtherTermsLeaveTheSeatsWhereThePastSawThem(t *testing.T) {
	t.Parallel()
	x := terms(3)
	c := create(x)
	c.Past = []ajo.Past{{Cycle: 1, Seat: 3}}
	w := Given(t, start)
	people(w, 3)
	w.And(c, join(x, 2, 2), inSeat(3, join(x, 3, 2)), ajo.Leave{AjoID: id(1), User: person(2), Now: start})
	w.And(ajo.ChangeTerms(id(1), person(1), terms(3, func(x *nairav1.AjoTerms) { x.DueDay = 5 }), start))
	require.Equal(t, []string{person(3)}, state(w).Seats[2].Users(), "seat 3 collected in cycle 1, whoever left")
}

func TestASealedListTakesNobodyAndLetsNobodyGo(t *testing.T) {
	t.Parallel()
	x := terms(3, func(x *nairav1.AjoTerms) { x.Order = nairav1.AjoOrder_AJO_ORDER_RANDOM })
	w := filled(t, x)
	w.And(verified(9), closing(w))
	sealed := "The list is sealed until the draw at"
	refused(t, w, join(x, 9, 2), fault.Conflict, sealed)
	refused(t, w, ajo.Leave{AjoID: id(1), User: person(2), Now: start}, fault.Conflict, sealed)
	refused(t, w, ajo.ChangeTerms(id(1), person(1), terms(4), start), fault.Conflict, sealed)
	refused(t, w, closing(w), fault.Conflict, sealed)
	s := secret(2)
	w.And(ajo.RevealPhone(id(1), person(2), s[:], start))
	cancel := ajo.Cancel{AjoID: id(1), By: person(1), Members: state(w).Members(), Now: state(w).Closing.DrawAt}
	refused(t, w, cancel, fault.Conflict, "is known already")
	cancel.Now = cancel.Now.Add(-1) // The round that draws is not known, whatever phones have revealed.
	w.And(cancel)
}

func TestAListThatDoesNotFillIsCancelledFourteenDaysAfterTheStart(t *testing.T) {
	t.Parallel()
	x := terms(4, func(x *nairav1.AjoTerms) { x.Deposits = 1 })
	w := Given(t, start)
	people(w, 3)
	w.And(create(x), join(x, 2, 2), ajopot.PayDeposit{AjoID: id(1), User: person(2), Amount: 8_000_00, Channel: wal})
	lapse := ajo.Cancel{AjoID: id(1), Members: state(w).Members(), Now: time.Date(2026, 11, 14, 23, 0, 0, 0, time.UTC)}
	refused(t, w, lapse, fault.Conflict, "There is still time to fill the list.")
	byAnother := lapse
	byAnother.By = person(2)
	refused(t, w, byAnother, fault.Forbidden, "Only the ajo's owner")
	refused(t, w, ajo.Leave{AjoID: id(1), User: person(1), Now: start}, fault.Conflict, "You made this ajo. Cancel it")
	lapse.Now = time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC)
	w.And(lapse)
	require.Equal(t, ajo.Cancelled, state(w).Status)
	require.EqualValues(t, 1_000_000_00, wallet(w, 2), "the deposit went back")
	require.Empty(t, w.State(ajo.CommitStream(person(2))).(ajo.Commitments).Running)
	refused(t, w, join(x, 3, 2), fault.Conflict, "This ajo has ended.")
}

func TestTermsHaveAKnownHash(t *testing.T) {
	t.Parallel()
	hash := ajo.TermsHash(terms(5))
	require.Equal(t, "10753236b5bdabe6b529a85763b237805f12a2b76f47ea681c3e3ba02ca0cac2", hex.EncodeToString(hash[:]))
	other := ajo.TermsHash(terms(5, func(x *nairav1.AjoTerms) { x.RetryDays = []int32{5} }))
	require.NotEqual(t, hash, other)
}

func TestFeesAndSharesInKobo(t *testing.T) {
	t.Parallel()
	x := terms(5)
	for pot, want := range map[money.Kobo][2]money.Kobo{
		0: {0, 0}, 99: {0, 0}, 100: {1, 0}, 40_000_00: {400_00, 27_90}, 499_999_00: {4_999_99, 348_83}, 500_000_00: {5_000_00, 348_83}, 250_000_000_00: {5_000_00, 348_83},
	} {
		fee, vat := ajo.Fee(x, pot)
		require.Equal(t, want, [2]money.Kobo{fee, vat}, pot.String())
	}
	require.EqualValues(t, 4_000_00, ajo.Share(x, 1))
	require.EqualValues(t, 8_000_00, ajo.Monthly(x, 2))
	x.Frequency = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY
	require.EqualValues(t, 34_666_66, ajo.Monthly(x, 2))
	x.Frequency = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_BIWEEKLY
	require.EqualValues(t, 17_333_33, ajo.Monthly(x, 2))
	require.EqualValues(t, 4, ajo.Penalty(x, 99))
	for seats, halves := range map[int]int{2: 2, 5: 2, 6: 4, 11: 6, 12: 8, 50: 32} {
		require.Equal(t, halves, ajo.MaxHalves(terms(seats)), "%d seats", seats)
	}
}

func TestPhonesDrawOnlyWhereEveryPhoneGaveItsPart(t *testing.T) {
	t.Parallel()
	beacon := terms(3, ordered(nairav1.AjoOrder_AJO_ORDER_RANDOM, nairav1.AjoDrawSource_AJO_DRAW_SOURCE_BEACON))
	byPhones := terms(3, ordered(nairav1.AjoOrder_AJO_ORDER_RANDOM, phones))
	for _, gave := range []bool{true, false} {
		w := Given(t, start)
		people(w, 2)
		second := join(beacon, 2, 2)
		if !gave {
			second.Joiner.Commitment = nil
		}
		w.And(create(beacon), second)
		if gave {
			w.And(ajo.ChangeTerms(id(1), person(1), byPhones, start))
		} else {
			w.When(ajo.ChangeTerms(id(1), person(1), byPhones, start)).ThenField("draw")
		}
	}
}

func TestWhoFoundsAnAjoForStrangersNeedsAccess(t *testing.T) {
	t.Parallel()
	w := Given(t, start)
	people(w, 1)
	c := create(terms(6, func(x *nairav1.AjoTerms) { x.Deposits, x.AmountKobo = 1, 500_000_00 }))
	c.Listed, c.Owner.Invited = true, false
	_, err := w.Do(c)
	require.Error(t, err, "₦500,000 a month with strangers, and nobody has looked at a paper of theirs")
}

func TestWhoTakesAnotherHandOnNewTermsHasAcceptedThem(t *testing.T) {
	t.Parallel()
	x, dear := terms(6), terms(6, func(x *nairav1.AjoTerms) { x.AmountKobo = 9_000_00 })
	w := Given(t, start)
	people(w, 2)
	w.And(create(x), join(x, 2, 2), ajo.ChangeTerms(id(1), person(1), dear, start), join(dear, 2, 2))
	_, err := w.Do(ajo.Leave{AjoID: id(1), User: person(2), Unanswered: true, Now: start.AddDate(0, 0, 2)})
	require.Error(t, err, "both hands, and they had read and accepted the terms")
}

func TestAListThatIsMadeLateInItsMonthHasItsDaysToo(t *testing.T) {
	t.Parallel()
	x := terms(6)
	late := time.Date(int(x.GetStartYear()), time.Month(x.GetStartMonth()), 28, 9, 0, 0, 0, time.UTC)
	w := Given(t, late)
	people(w, 1)
	c := create(x)
	c.Now = late
	w.And(c)
	lapses := func(days int) error {
		_, err := w.Do(ajo.Cancel{AjoID: id(1), Reason: ajo.Lapsed, Members: state(w).Members(), Now: late.AddDate(0, 0, days)})
		return err
	}
	require.ErrorContains(t, lapses(0), "There is still time to fill the list.")
	require.ErrorContains(t, lapses(6), "There is still time to fill the list.")
	require.NoError(t, lapses(7))
}

func TestAListWhoseChanceNeverComesEnds(t *testing.T) {
	t.Parallel()
	x := terms(4, func(x *nairav1.AjoTerms) {
		x.Order, x.Draw, x.Deposits = nairav1.AjoOrder_AJO_ORDER_RANDOM, nairav1.AjoDrawSource_AJO_DRAW_SOURCE_BEACON, 1
	})
	w := begun(t, x)
	require.Equal(t, ajo.Ordering, state(w).Status)
	at := state(w).Closing.DrawAt.AddDate(0, 3, 0)
	w.And(at)
	_, mine := w.Do(ajo.Cancel{AjoID: id(1), By: person(1), Reason: "It never came", Members: state(w).Members(), Now: at})
	_, itself := w.Do(ajo.Cancel{AjoID: id(1), Reason: ajo.Lapsed, Members: state(w).Members(), Now: at})
	require.True(t, mine == nil || itself == nil, "three months later: %v; %v", mine, itself)
}

func TestEachSeatThatIsSaidToHaveCollectedIsConfirmed(t *testing.T) {
	t.Parallel()
	x := terms(6)
	w := Given(t, start)
	people(w, 6)
	c := create(x)
	everybody := []int{1, 2, 3, 4, 5, 6}
	c.Past = []ajo.Past{{Cycle: 1, Seat: 2, Paid: everybody}, {Cycle: 2, Seat: 3, Paid: everybody}}
	w.And(c, inSeat(2, join(x, 2, 2)), inSeat(3, join(x, 3, 2)), join(x, 4, 2), join(x, 5, 2), ajo.AnswerPast(id(1), person(2), true))
	w.And(ajo.Leave{AjoID: id(1), User: person(3), Now: start}, inSeat(3, join(x, 2, 2)), join(x, 6, 2))
	require.Equal(t, []int{2, 3}, state(w).SeatsOf(person(2)))
	_, err := w.Do(closing(w))
	require.Error(t, err, "nobody has said that seat 3 collected in cycle 2")
}

func TestNobodyIsSeatedUnaskedOnAHandThatHasCollected(t *testing.T) {
	t.Parallel()
	x := terms(3)
	c := create(x)
	c.Past = []ajo.Past{{Cycle: 1, Seat: 2, Paid: []int{1, 2, 3}}}
	w := Given(t, start)
	people(w, 3)
	w.And(c, join(x, 2, 2))
	require.Equal(t, []int{3}, state(w).SeatsOf(person(2)))
	f := w.When(join(x, 3, 1)).ThenFault(fault.Invalid)
	require.Equal(t, "seat", f.Field)
	require.Contains(t, f.Message, "such as seat 2")
	w.And(inSeat(2, join(x, 3, 1)))
	require.Equal(t, []int{2}, state(w).SeatsOf(person(3)), "whoever asks for it has it")
}

// inSeat is a join by somebody who asks for a seat.
func inSeat(seat int, c ajo.Join) ajo.Join {
	c.Seat = seat
	return c
}

func TestLosingAccessForOwingLiftsNoLimit(t *testing.T) {
	t.Parallel()
	x := terms(5, func(x *nairav1.AjoTerms) { x.Deposits, x.AmountKobo = 1, 70_000_00 })
	c := create(x)
	c.Listed = true
	w := Given(t, start, verified(1), verified(2), c, salaried(2, 30_000*money.Naira))
	refused(t, w, join(x, 2, 2), fault.Conflict, "You would commit ₦70,000.00 a month; a third of your salary is ₦10,000.00.")
	w.And(ajoaccess.Lose(person(2), "You collected from an ajo and did not pay your due since.", id(9)))
	_, err := w.Do(join(x, 2, 2))
	require.Error(t, err, "who defaulted may promise more than before")
}

func TestADepositFollowsLowerTerms(t *testing.T) {
	t.Parallel()
	one := func(kobo int64) func(*nairav1.AjoTerms) {
		return func(x *nairav1.AjoTerms) { x.Deposits, x.AmountKobo = 1, kobo }
	}
	dear, cheap := terms(6, one(9_000_00)), terms(6, one(5_000_00))
	w := Given(t, start)
	people(w, 2)
	w.And(create(dear), join(dear, 2, 2))
	for n := 1; n <= 2; n++ {
		w.And(ajopot.PayDeposit{AjoID: id(1), User: person(n), Amount: 9_000_00, Channel: nairav1.Channel_CHANNEL_WALLET})
	}
	hash := ajo.TermsHash(cheap)
	w.And(ajo.ChangeTerms(id(1), person(1), cheap, start), ajo.AcceptTerms(id(1), person(2), hash[:]))
	for n := 1; n <= 2; n++ {
		require.EqualValues(t, 5_000_00, w.Balance(posting.Deposit(id(1), person(n))), "person %d", n)
	}
}
