// Package ajocard decides the card of somebody who saves alone, box by box: individual ajo.
//
//	OPEN ──▶ MATURED     on its day, whole and free
//	  └────▶ BROKEN      before it, whole, less a charge
//
// An empty box is no debt. A collector may fill many people's cards from their own wallet against cash; they never
// take money out of one.
package ajocard

import (
	"fmt"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/domain/wording"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// Status is where a card stands.
type Status string

// The statuses.
const (
	None    Status = ""
	Open    Status = "OPEN"
	Matured Status = "MATURED"
	Broken  Status = "BROKEN"
)

// The bounds and figures of a card as they are proposed today.
const (
	MinAmount     = 100 * money.Naira
	MaxAmount     = 1_000_000 * money.Naira
	MaxBoxes      = 366
	DailyBoxes    = 31
	BreakCharge   = 250 // Basis points.
	MatureHour    = 8   // In Lagos.
	CommissionIn  = 31  // One box in so many that a collector filled.
	MaxFillAtOnce = 500
)

// Card is the state of a card.
type Card struct {
	Status       Status
	Name         string
	Description  string
	User         string
	Amount       money.Kobo // Of a box.
	Boxes        int
	Filled       int
	ByCollector  int // Of the filled boxes.
	Frequency    nairav1.PaymentFrequency
	Start        string
	Finish       string
	BreakCharge  int // Basis points.
	Collector    string
	CollectorAt  time.Time // When their saver named the collector, or went on without one.
	Earned       string    // Who the commission goes to: the last collector.
	CommissionIn int       // 0 for none.
	Collectors   []string  // Everybody who ever collected for it.
}

// Holds is what it holds.
func (c Card) Holds() money.Kobo { return c.Amount * money.Kobo(c.Filled) }

// Cards folds a card's stream.
var Cards = event.Of("ajocard", 3, func(c Card, e event.Happened) Card {
	switch m := e.Message.(type) {
	case *nairav1.AjoCardOpened:
		return Card{
			Status: Open, Name: m.GetName(), Description: m.GetDescription(), User: m.GetUserId(), Amount: money.Kobo(m.GetAmountKobo()), Boxes: int(m.GetBoxes()), Frequency: m.GetFrequency(),
			Start: m.GetStartDate(), Finish: m.GetFinishDate(), BreakCharge: int(m.GetBreakBasisPoints()),
		}
	case *nairav1.AjoCardCollectorSet:
		c.CollectorAt = e.EffectiveAt
		if c.Collector = m.GetCollectorId(); c.Collector != "" {
			if c.Earned != c.Collector || c.CommissionIn == 0 { // Who comes back keeps what they earned.
				c.ByCollector = 0
			}
			c.Earned, c.CommissionIn = c.Collector, int(m.GetCommissionIn())
			if !slices.Contains(c.Collectors, c.Collector) {
				c.Collectors = append(slices.Clip(c.Collectors), c.Collector)
			}
		}
	case *nairav1.AjoCardFilled:
		c.Filled += int(m.GetBoxes())
		if m.GetPaidBy() != m.GetUserId() {
			c.ByCollector += int(m.GetBoxes())
		}
	case *nairav1.AjoCardBroken:
		c.Status = Broken
	case *nairav1.AjoCardMatured:
		c.Status = Matured
	}
	return c
})

// Stream is the stream of a card.
func Stream(cardID string) string { return "ajocard:" + cardID }

func errNone() error { return fault.New(fault.NotFound, "There is no such card.") }

// OpenCard starts saving alone.
type OpenCard struct {
	CardID, User      string
	Name, Description string
	Amount            money.Kobo
	Frequency         nairav1.PaymentFrequency // DAILY, WEEKLY or MONTHLY.
	Boxes             int                      // 31 of a daily card.
	Start             time.Time                // A Lagos day as midnight UTC, today or later.
	UnderAge          bool
	Now               time.Time
}

// Streams implements event.Command.
func (c OpenCard) Streams() []string { return []string{Stream(c.CardID), account.Stream(c.User)} }

// Accounts implements event.Command.
func (OpenCard) Accounts() []string { return nil }

// Decide implements event.Command.
func (c OpenCard) Decide(v event.View) ([]event.Draft, error) {
	name, err := wording.Text("name", "The card's name", c.Name, 3, 60)
	if err != nil {
		return nil, err
	}
	description, err := wording.Text("description", "The description", c.Description, 0, 500)
	today := savings.Day(c.Now)
	switch {
	case err != nil:
		return nil, err
	case event.StateOf[Card](v, Stream(c.CardID)).Status != None:
		return nil, fault.New(fault.Conflict, "This card exists already.")
	case standing.May(v, c.User, standing.OpenCard) != nil:
		return nil, standing.May(v, c.User, standing.OpenCard)
	case c.UnderAge:
		return nil, standing.Minor.May(standing.OpenCard)
	case event.StateOf[account.Account](v, account.Stream(c.User)).Bvn != account.Verified:
		return nil, fault.New(fault.Conflict, "You need a verified BVN for ajo. Verify it in your profile first.")
	case c.Amount < MinAmount || c.Amount > MaxAmount:
		return nil, fault.Field("amount", "A box is between %s and %s.", MinAmount, MaxAmount)
	case c.Start.Before(today) || c.Start.After(today.AddDate(1, 0, 0)):
		return nil, fault.Field("startMonthId", "It cannot start in the past, nor more than a year from now.")
	}
	boxes := c.Boxes
	if c.Frequency == nairav1.PaymentFrequency_PAYMENT_FREQUENCY_DAILY {
		boxes = DailyBoxes
	}
	if boxes < 2 || boxes > MaxBoxes {
		return nil, fault.Field("duration", "A card has 2 to %d boxes.", MaxBoxes)
	}
	finish, err := finishes(c.Frequency, c.Start, boxes)
	if err != nil {
		return nil, err
	}
	return c.one(&nairav1.AjoCardOpened{
		CardId: c.CardID, UserId: c.User, Name: name, Description: description, AmountKobo: int64(c.Amount), Boxes: int32(boxes), Frequency: c.Frequency,
		StartDate: c.Start.Format(time.DateOnly), FinishDate: finish.Format(time.DateOnly), BreakBasisPoints: BreakCharge,
	}), nil
}

func (c OpenCard) one(m *nairav1.AjoCardOpened) []event.Draft {
	return []event.Draft{event.On(Stream(c.CardID), m)}
}

// finishes is the day after a card's last box.
func finishes(frequency nairav1.PaymentFrequency, start time.Time, boxes int) (time.Time, error) {
	switch frequency {
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_DAILY:
		return start.AddDate(0, 0, boxes), nil
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY:
		return start.AddDate(0, 0, 7*boxes), nil
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY:
		return monthsOn(start, boxes), nil
	default:
		return start, fault.Field("frequency", "A card is filled daily, weekly or monthly.")
	}
}

// monthsOn is the same day of so many months later, or the last of a month that has no such day.
func monthsOn(start time.Time, months int) time.Time {
	first := time.Date(start.Year(), start.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(start.Day(), last)-1)
}

// CollectorShown is the version of who fills a card beside its saver, and of what they get for it.
func (c Card) CollectorShown() seen.Version { return seen.Of(c.Collector, c.CommissionIn) }

// SetCollector lets a collector fill the card, or nobody with none. A collector cannot be replaced while a
// commission is still to be paid to one.
type SetCollector struct {
	CardID, User, Collector string
	Seen                    seen.Version // Who their saver saw as the collector; empty not to ask.
	Commission              bool
}

// Streams implements event.Command.
func (c SetCollector) Streams() []string {
	return []string{Stream(c.CardID), account.Stream(c.User), account.Stream(c.Collector)}
}

// Accounts implements event.Command.
func (SetCollector) Accounts() []string { return nil }

// Decide implements event.Command.
func (c SetCollector) Decide(v event.View) ([]event.Draft, error) {
	card := event.StateOf[Card](v, Stream(c.CardID))
	collector := event.StateOf[account.Account](v, account.Stream(c.Collector))
	switch {
	case card.Status == None || card.User != c.User:
		return nil, errNone()
	case card.Status != Open:
		return nil, ended()
	case c.Seen.IfSaid(card.CollectorShown()) != nil:
		return nil, c.Seen.IfSaid(card.CollectorShown())
	case c.Collector == c.User:
		return nil, fault.Field("collector", "You fill your own card without a collector.")
	case c.Collector == card.Collector:
		return nil, fault.New(fault.Conflict, "This is set so already.")
	case c.Collector != "" && card.ByCollector > 0 && card.CommissionIn > 0 && (card.Earned != c.Collector || !c.Commission):
		return nil, fault.New(fault.Conflict, "Your collector before has earned a commission on this card. Let this card end first, or go on without a collector.")
	case c.Collector != "" && standing.May(v, c.Collector, standing.Collect) != nil:
		return nil, standing.May(v, c.Collector, standing.Collect)
	case c.Collector != "" && collector.Bvn != account.Verified:
		return nil, fault.New(fault.Conflict, "A collector needs a verified BVN.")
	case c.Collector != "": // A commission may be given away; to go on without a collector gives nothing.
		if err := standing.May(v, c.User, standing.Decide); err != nil {
			return nil, err
		}
	}
	m := &nairav1.AjoCardCollectorSet{CardId: c.CardID, UserId: c.User, CollectorId: c.Collector}
	if c.Commission && c.Collector != "" {
		m.CommissionIn = CommissionIn
	}
	return []event.Draft{event.On(Stream(c.CardID), m)}, nil
}

func ended() error { return fault.New(fault.Conflict, "This card has ended.") }

// Fill fills boxes of a card from the saver's wallet, or from their collector's.
type Fill struct {
	CardID, User, By string // User is the saver.
	Boxes            int
	Channel          nairav1.Channel
	PaymentID        string
	At               time.Time
}

// Streams implements event.Command.
func (c Fill) Streams() []string {
	if c.By == c.User {
		return []string{Stream(c.CardID)}
	}
	return []string{Stream(c.CardID), account.Stream(c.User)}
}

// Accounts implements event.Command.
func (c Fill) Accounts() []string { return []string{posting.Wallet(c.By), posting.Card(c.CardID)} }

// Decide implements event.Command.
func (c Fill) Decide(v event.View) ([]event.Draft, error) {
	card := event.StateOf[Card](v, Stream(c.CardID))
	switch {
	case card.Status == None || card.User != c.User || c.By != c.User && c.By != card.Collector:
		return nil, errNone()
	case card.Status != Open || !lagos8(card.Finish).After(c.At):
		return nil, ended()
	case c.By != c.User && standing.May(v, c.User, standing.BePaidFor) != nil:
		return nil, standing.May(v, c.User, standing.BePaidFor, "saver")
	case c.Boxes < 1 || card.Filled+c.Boxes > card.Boxes:
		return nil, fault.Field("boxes", "This card has %d of %d boxes left.", card.Boxes-card.Filled, card.Boxes)
	}
	amount := card.Amount * money.Kobo(c.Boxes)
	if err := wallet.Enough(v, c.By, amount); err != nil {
		return nil, err
	}
	return []event.Draft{event.On(Stream(c.CardID), &nairav1.AjoCardFilled{
		CardId: c.CardID, UserId: c.User, PaidBy: c.By, FirstBox: int32(card.Filled + 1), Boxes: int32(c.Boxes), AmountKobo: int64(amount),
		Channel: c.Channel, PaymentId: c.PaymentID,
	})}, nil
}

// FillMany fills one saver's card after another from a collector's wallet: all of them or none.
type FillMany struct{ Fills []Fill }

// Streams implements event.Command.
func (c FillMany) Streams() []string {
	var streams []string
	for _, f := range c.Fills {
		streams = append(streams, f.Streams()...)
	}
	return streams
}

// Accounts implements event.Command.
func (c FillMany) Accounts() []string {
	var accounts []string
	for _, f := range c.Fills {
		accounts = append(accounts, f.Accounts()...)
	}
	return accounts
}

// Decide implements event.Command. A refusal names the card by its place in the list, from 0.
func (c FillMany) Decide(v event.View) ([]event.Draft, error) {
	if len(c.Fills) == 0 || len(c.Fills) > MaxFillAtOnce {
		return nil, fault.Field("cards", "Choose 1 to %d savers.", MaxFillAtOnce)
	}
	var out []event.Draft
	var spent money.Kobo
	var cards []string
	for i, f := range c.Fills {
		if slices.Contains(cards, f.CardID) || f.By != c.Fills[0].By {
			return nil, fault.Field(fmt.Sprintf("cards.%d", i), "Choose each saver once.")
		}
		cards = append(cards, f.CardID)
		drafts, err := f.Decide(wallet.With(v, f.By, -spent))
		if refusal := fault.As(err); refusal != nil && refusal.Code != fault.Insufficient {
			return nil, &fault.Fault{Code: refusal.Code, Field: fmt.Sprintf("cards.%d", i), Message: refusal.Message}
		}
		if err != nil {
			return nil, err
		}
		out = append(out, drafts...)
		spent += money.Kobo(drafts[0].Message.(*nairav1.AjoCardFilled).GetAmountKobo())
	}
	return out, nil
}

// lagos8 is when a card matures: 08:00 in Lagos on its last day.
func lagos8(finish string) time.Time {
	d := savings.ParseDay(finish)
	return time.Date(d.Year(), d.Month(), d.Day(), MatureHour, 0, 0, 0, lagos.Zone)
}

// Commission is what the collector gets of it: one box in so many that they filled, to the kobo below.
func (c Card) Commission() money.Kobo {
	if c.CommissionIn == 0 {
		return 0
	}
	return c.Amount * money.Kobo(c.ByCollector) / money.Kobo(c.CommissionIn)
}

// Charge is what breaking it now costs, and the VAT inside: a part of 75 in 1,075.
func (c Card) Charge() (fee, vat money.Kobo) {
	fee = c.Holds() * money.Kobo(c.BreakCharge) / 10_000
	return fee, fee * 75 / 1_075
}

// End is the command that pays a card out.
type End struct {
	CardID, User string
	Collector    string     // Who gets a commission; empty for nobody.
	Break        bool       // Before its day.
	Net          money.Kobo // What its saver was told they get, when they break it.
	Now          time.Time
}

// Streams implements event.Command.
func (c End) Streams() []string {
	streams := []string{Stream(c.CardID)}
	if c.Break {
		streams = append(streams, account.Stream(c.User))
	}
	if c.Collector != "" {
		streams = append(streams, account.Stream(c.Collector), wallet.ReturnStream(event.Vfd, c.parking()))
	}
	return streams
}

// parking names the commission of a collector who has closed their account: it goes into suspense.
func (c End) parking() string { return "commission of " + c.CardID }

// Accounts implements event.Command.
func (c End) Accounts() []string {
	accounts := []string{posting.Wallet(c.User), posting.Card(c.CardID), posting.FeesAjo, posting.TaxVAT}
	if c.Collector != "" {
		accounts = append(accounts, posting.Wallet(c.Collector), posting.Unmatched)
	}
	return accounts
}

// Decide implements event.Command.
func (c End) Decide(v event.View) ([]event.Draft, error) {
	card := event.StateOf[Card](v, Stream(c.CardID))
	commission := card.Commission()
	earner := card.Earned
	if commission == 0 {
		earner = ""
	}
	ripe := !c.Now.Before(lagos8(card.Finish))
	fee, vat := card.Charge()
	switch {
	case card.Status == None || card.User != c.User:
		return nil, errNone()
	case card.Status != Open:
		return nil, ended()
	case earner != "" && earner != c.Collector:
		return nil, fault.New(fault.Conflict, "The card has changed just now. Please look at it and try again.")
	case c.Break && ripe:
		return nil, fault.New(fault.Conflict, "Your card is paid out whole today, so it need not be broken.")
	case c.Break && c.Net != card.Holds()-fee-commission:
		return nil, &fault.Fault{Code: fault.Conflict, Field: "amount", Message: "You get " + (card.Holds() - fee - commission).String() + " if you break it now, not " + c.Net.String() + ". Please look at it again."}
	case c.Break && standing.May(v, c.User, standing.Decide) != nil:
		return nil, standing.May(v, c.User, standing.Decide)
	case c.Break:
		return c.paid(v, earner, commission, &nairav1.AjoCardBroken{
			CardId: c.CardID, UserId: c.User, AmountKobo: int64(card.Holds()), FeeKobo: int64(fee), VatKobo: int64(vat),
			CollectorId: earner, CommissionKobo: int64(commission),
		}), nil
	case !ripe:
		return nil, fault.New(fault.Conflict, "This card is paid out on %s at 08:00.", savings.ParseDay(card.Finish).Format("2 January 2006"))
	}
	return c.paid(v, earner, commission, &nairav1.AjoCardMatured{
		CardId: c.CardID, UserId: c.User, AmountKobo: int64(card.Holds()), CollectorId: earner, CommissionKobo: int64(commission),
	}), nil
}

func (c End) paid(v event.View, earner string, commission money.Kobo, ended proto.Message) []event.Draft {
	out := []event.Draft{event.On(Stream(c.CardID), ended)}
	if earner != "" && standing.May(v, earner, standing.Receive) != nil {
		out = append(out, wallet.ParkReturned(event.Vfd, c.parking(), posting.Wallet(earner), commission,
			"A commission of a card was earned by a member who has closed their account."))
	}
	return out
}

// Expected is how many boxes should be filled by a day, at the card's pace. An empty box is no debt.
func (c Card) Expected(today time.Time) int {
	start := savings.ParseDay(c.Start)
	if today.Before(start) {
		return 0
	}
	days := int(today.Sub(start).Hours() / 24)
	passed := days
	switch c.Frequency {
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY:
		passed = days / 7
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY:
		passed = (today.Year()-start.Year())*12 + int(today.Month()) - int(start.Month())
		if today.Before(monthsOn(start, passed)) {
			passed--
		}
	}
	return min(c.Boxes, passed+1)
}
