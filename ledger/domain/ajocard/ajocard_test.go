package ajocard_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajocard"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

const (
	daily   = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_DAILY
	weekly  = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY
	monthly = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY
	box     = 500 * money.Naira
)

// start is a morning in Lagos, of the 31st: a month has no such day everywhere.
var start = time.Date(2027, time.January, 31, 8, 0, 0, 0, time.UTC)

func day(year int, month time.Month, d int) time.Time {
	return time.Date(year, month, d, 0, 0, 0, 0, time.UTC)
}

func funded(user string, amount money.Kobo) event.Draft {
	return event.On("payment:of "+user, &nairav1.PaymentConfirmedV2{UserId: user, Provider: string(event.Vfd), AmountKobo: int64(amount)})
}

// people are verified, with money.
func people(t *testing.T) *World {
	w := Given(t, start)
	for _, user := range []string{"ada", "bisi", "chidi"} {
		w.And(account.EndCheck(user, "check", 0), funded(user, 100_000*money.Naira))
	}
	return w
}

func open(change ...func(*ajocard.OpenCard)) ajocard.OpenCard {
	c := ajocard.OpenCard{CardID: "c", User: "ada", Name: "School fees", Amount: box, Frequency: daily, Start: day(2027, time.January, 31), Now: start}
	for _, f := range change {
		f(&c)
	}
	return c
}

func fill(by string, boxes int) ajocard.Fill {
	return ajocard.Fill{CardID: "c", User: "ada", By: by, Boxes: boxes, Channel: nairav1.Channel_CHANNEL_WALLET, At: start}
}

func state(w *World) ajocard.Card { return w.State(ajocard.Stream("c")).(ajocard.Card) }

func refused(t *testing.T, w *World, c event.Command, code fault.Code, sentence string) {
	t.Helper()
	require.Contains(t, w.When(c).ThenFault(code).Message, sentence)
}

// ripe is the moment at which the card matures.
func ripe(w *World) time.Time {
	finish, err := time.Parse(time.DateOnly, state(w).Finish)
	if err != nil {
		panic(err)
	}
	return finish.Add(7 * time.Hour) // 08:00 in Lagos.
}

func TestACardIsOpenedWithinItsBounds(t *testing.T) {
	t.Parallel()
	w := people(t)
	for field, change := range map[string]func(*ajocard.OpenCard){
		"name":         func(c *ajocard.OpenCard) { c.Name = "ab" },
		"amount":       func(c *ajocard.OpenCard) { c.Amount = ajocard.MaxAmount + 1 },
		"startMonthId": func(c *ajocard.OpenCard) { c.Start = day(2027, time.January, 30) },
		"duration":     func(c *ajocard.OpenCard) { c.Frequency, c.Boxes = weekly, 1 },
		"frequency":    func(c *ajocard.OpenCard) { c.Frequency, c.Boxes = 0, 5 },
	} {
		w.When(open(change)).ThenField(field)
	}
	refused(t, w, open(func(c *ajocard.OpenCard) { c.UnderAge = true }), fault.Forbidden, "from the age of 18 on")
	refused(t, w, open(func(c *ajocard.OpenCard) { c.User = "unknown" }), fault.Conflict, "You need a verified BVN")
	w.And(open())
	refused(t, w, open(), fault.Conflict, "exists already")
}

func TestACardEndsOnTheDayAfterItsLastBox(t *testing.T) {
	t.Parallel()
	for _, want := range []struct {
		frequency nairav1.PaymentFrequency
		boxes     int
		finish    string
	}{{daily, 31, "2027-03-03"}, {weekly, 4, "2027-02-28"}, {monthly, 1 + 1, "2027-03-31"}, {monthly, 13, "2028-02-29"}} {
		w := people(t)
		w.And(open(func(c *ajocard.OpenCard) { c.Frequency, c.Boxes = want.frequency, want.boxes }))
		require.Equal(t, want.finish, state(w).Finish, "%s, %d boxes", want.frequency, want.boxes)
		refused(t, w, ajocard.End{CardID: "c", User: "ada", Now: ripe(w).Add(-time.Millisecond)}, fault.Conflict, "This card is paid out on")
		w.And(ajocard.End{CardID: "c", User: "ada", Now: ripe(w)})
		require.Equal(t, ajocard.Matured, state(w).Status)
		refused(t, w, ajocard.End{CardID: "c", User: "ada", Now: ripe(w)}, fault.Conflict, "This card has ended.")
	}
}

// A box of a month is expected from the day of the month on which the card began.
func TestABoxIsExpectedOnceItsDayHasCome(t *testing.T) {
	t.Parallel()
	for _, want := range []struct {
		frequency    nairav1.PaymentFrequency
		start, today string
		boxes        int
	}{
		{monthly, "2027-01-31", "2027-01-30", 0},
		{monthly, "2027-01-31", "2027-01-31", 1},
		{monthly, "2027-01-31", "2027-02-01", 1},
		{monthly, "2027-01-31", "2027-02-27", 1},
		{monthly, "2027-01-31", "2027-02-28", 2},
		{monthly, "2027-01-31", "2027-03-30", 2},
		{monthly, "2027-01-31", "2027-03-31", 3},
		{monthly, "2027-01-15", "2027-02-14", 1},
		{monthly, "2027-12-15", "2028-01-15", 2},
		{weekly, "2027-01-31", "2027-02-06", 1},
		{weekly, "2027-01-31", "2027-02-07", 2},
		{daily, "2027-01-31", "2027-02-01", 2},
	} {
		c := ajocard.Card{Start: want.start, Frequency: want.frequency, Boxes: 12}
		require.Equal(t, want.boxes, c.Expected(savings.ParseDay(want.today)), "%s from %s on %s", want.frequency, want.start, want.today)
	}
}

func TestBoxesAreFilledWhileTheCardIsOpen(t *testing.T) {
	t.Parallel()
	w := people(t).And(open())
	refused(t, w, fill("bisi", 1), fault.NotFound, "There is no such card.")
	for _, boxes := range []int{0, -1, 32} {
		w.When(fill("ada", boxes)).ThenField("boxes")
	}
	w.And(fill("ada", 30))
	w.When(fill("ada", 2)).ThenField("boxes")
	w.And(fill("ada", 1))
	require.EqualValues(t, 31*box, w.Balance(posting.Card("c")))
	late := fill("ada", 1)
	late.At = ripe(w)
	refused(t, w, late, fault.Conflict, "This card has ended.")
	w.And(ajocard.End{CardID: "c", User: "ada", Now: ripe(w)})
	require.Zero(t, w.Balance(posting.Card("c")))
	require.EqualValues(t, 100_000*money.Naira, w.Balance(posting.Wallet("ada")), "a matured card costs nothing")
}

func TestABrokenCardCostsWhatWasSaid(t *testing.T) {
	t.Parallel()
	w := people(t).And(open(), fill("ada", 10))
	fee := 10 * box / 40 // 2.5 per cent.
	breaks := ajocard.End{CardID: "c", User: "ada", Break: true, Net: 10 * box, Now: start}
	refused(t, w, breaks, fault.Conflict, "You get ₦4,875.00 if you break it now")
	breaks.Net = 10*box - fee
	other := breaks
	other.User = "bisi"
	refused(t, w, other, fault.NotFound, "There is no such card.")
	early := breaks
	early.Now = ripe(w)
	refused(t, w, early, fault.Conflict, "paid out whole today")
	w.And(breaks)
	require.Equal(t, ajocard.Broken, state(w).Status)
	require.EqualValues(t, 100_000*money.Naira-fee, w.Balance(posting.Wallet("ada")))
	require.EqualValues(t, fee*75/1_075, w.Balance(posting.TaxVAT))
	require.EqualValues(t, fee, w.Balance(posting.FeesAjo)+w.Balance(posting.TaxVAT))
}

func TestACollectorEarnsOneBoxInThirtyOneThatTheyFilled(t *testing.T) {
	t.Parallel()
	set := func(collector string, commission bool) ajocard.SetCollector {
		return ajocard.SetCollector{CardID: "c", User: "ada", Collector: collector, Commission: commission}
	}
	w := people(t).And(open())
	w.When(set("ada", true)).ThenField("collector")
	refused(t, w, set("unknown", true), fault.Conflict, "A collector needs a verified BVN.")
	w.And(set("bisi", true), fill("bisi", 20), fill("ada", 11))
	refused(t, w, set("chidi", true), fault.Conflict, "has earned a commission on this card")
	refused(t, w, set("bisi", true), fault.Conflict, "This is set so already.")
	w.And(set("", false))
	refused(t, w, fill("bisi", 1), fault.NotFound, "There is no such card.")
	w.And(set("bisi", true))
	require.Equal(t, 20, state(w).ByCollector, "who comes back keeps what they earned")
	commission := 20 * box / 31
	refused(t, w, ajocard.End{CardID: "c", User: "ada", Now: ripe(w)}, fault.Conflict, "The card has changed just now.")
	w.And(ajocard.End{CardID: "c", User: "ada", Collector: "bisi", Now: ripe(w)})
	require.EqualValues(t, 100_000*money.Naira-20*box+commission, w.Balance(posting.Wallet("bisi")))
	require.EqualValues(t, 100_000*money.Naira+20*box-commission, w.Balance(posting.Wallet("ada")))
}

func TestTheCommissionOfAClosedAccountIsParked(t *testing.T) {
	t.Parallel()
	w := people(t).And(open(), ajocard.SetCollector{CardID: "c", User: "ada", Collector: "bisi", Commission: true}, fill("bisi", 31))
	w.And(event.On(account.Stream("bisi"), &nairav1.AccountClosed{UserId: "bisi"}))
	left := w.Balance(posting.Wallet("bisi"))
	w.And(ajocard.End{CardID: "c", User: "ada", Collector: "bisi", Now: ripe(w)})
	require.Equal(t, left, w.Balance(posting.Wallet("bisi")))
	require.EqualValues(t, box, w.Balance(posting.Unmatched))
}

func TestACollectorsRoundIsPaidWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	w := people(t)
	round := ajocard.FillMany{}
	for _, saver := range []string{"ada", "chidi"} {
		id := "card of " + saver
		w.And(open(func(c *ajocard.OpenCard) { c.CardID, c.User, c.Amount = id, saver, 10_000*money.Naira }),
			ajocard.SetCollector{CardID: id, User: saver, Collector: "bisi"})
		round.Fills = append(round.Fills, ajocard.Fill{CardID: id, User: saver, By: "bisi", Boxes: 5, At: start})
	}
	w.When(ajocard.FillMany{}).ThenField("cards")
	w.When(ajocard.FillMany{Fills: make([]ajocard.Fill, ajocard.MaxFillAtOnce+1)}).ThenField("cards")
	w.When(ajocard.FillMany{Fills: append(round.Fills, round.Fills[0])}).ThenField("cards.2")
	bad := ajocard.FillMany{Fills: append([]ajocard.Fill{}, round.Fills...)}
	bad.Fills[1].Boxes = 32
	w.When(bad).ThenField("cards.1")
	dear := ajocard.FillMany{Fills: append([]ajocard.Fill{}, round.Fills...)}
	dear.Fills[1].Boxes = 6 // 110,000 in all, and the wallet has 100,000.
	refused(t, w, dear, fault.Insufficient, "Your wallet has ₦50,000.00 and this payment needs ₦60,000.00.")
	w.And(round)
	require.Zero(t, w.Balance(posting.Wallet("bisi")))
	require.EqualValues(t, 50_000*money.Naira, w.Balance(posting.Card("card of chidi")))
}

func TestAFrozenAccountBreaksNoCard(t *testing.T) {
	t.Parallel()
	w := people(t).And(open(), fill("ada", 20), account.Freeze{User: "ada", HoldID: "h", Now: start})
	card := state(w)
	fee, _ := card.Charge()
	refused(t, w, ajocard.End{CardID: "c", User: "ada", Break: true, Net: card.Holds() - fee, Now: start}, fault.Conflict, "Your money is frozen")
	w.When(ajocard.End{CardID: "c", User: "ada", Now: ripe(w)}).ThenBalance(posting.Wallet("ada"), card.Holds())
}
