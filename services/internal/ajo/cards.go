package ajo

import (
	"context"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajocard"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/ajos"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

func errNoCard() error { return fault.New(fault.NotFound, "There is no such card.") }

// fillsMax limits the fillings that a card shows.
const fillsMax = 100

// card returns a card as the ledger has it, for its saver or its collector.
func (s *Service) card(ctx context.Context, user, id string) (string, ajocard.Card, error) {
	id, err := usecase.ParseID(id, "card")
	if err != nil {
		return "", ajocard.Card{}, err
	}
	state, err := s.Ledger.Load(ctx, ajocard.Stream(id))
	if err != nil {
		return "", ajocard.Card{}, err
	}
	c := state.(ajocard.Card)
	if c.Status == ajocard.None || c.User != user && c.Collector != user {
		return "", c, errNoCard()
	}
	return id, c, nil
}

// Card returns one card.
func (s *Service) Card(ctx context.Context, user, id string) (AjoCard, error) {
	id, c, err := s.card(ctx, user, id)
	if err != nil {
		return AjoCard{}, err
	}
	fills, err := ajos.Fills(ctx, s.Pool, id, 0, fillsMax)
	if err != nil {
		return AjoCard{}, err
	}
	ids := []string{c.User, c.Collector}
	for _, f := range fills {
		ids = append(ids, f.By)
	}
	cards, err := s.names(ctx, usecase.UniqueIDs(ids))
	if err != nil {
		return AjoCard{}, err
	}
	view := s.cardView(user, id, c, cards)
	for _, f := range fills {
		view.Fills = append(view.Fills, AjoCardFill{FirstBox: f.FirstBox, Boxes: f.Boxes, Amount: usecase.Naira(f.Amount), By: usecase.FullName(cards, f.By), Date: f.At.UTC()})
	}
	return view, nil
}

func (s *Service) cardView(user, id string, c ajocard.Card, cards map[string]people.Card) AjoCard {
	fee, _ := c.Charge()
	view := AjoCard{
		Id: id, Name: c.Name, Description: c.Description, Amount: usecase.Naira(c.Amount), Boxes: c.Boxes, Filled: c.Filled, Holds: usecase.Naira(c.Holds()),
		Frequency: AjoCardFrequency(c.Frequency.String()[len("PAYMENT_FREQUENCY_"):]), StartDate: c.Start, FinishDate: c.Finish, Status: AjoCardStatus(c.Status),
		IsMine: c.User == user, Saver: usecase.FullName(cards, c.User), CollectorVersion: string(c.CollectorShown()), Commission: c.CommissionIn > 0, CommissionNow: usecase.Naira(c.Commission()),
		BreakFee: usecase.Naira(fee), BreakNet: usecase.Naira(c.Holds() - fee - c.Commission()), Fills: []AjoCardFill{}, Expected: c.Expected(s.today()),
	}
	if c.Collector != "" {
		view.CollectorId, view.Collector = usecase.OrNil(c.Collector), usecase.OrNil(usecase.FullName(cards, c.Collector))
	}
	return view
}

// cardsOf returns the views of cards in a list.
func (s *Service) cardsOf(ctx context.Context, user string, list []ajos.Card) ([]AjoCard, error) {
	var ids []string
	for _, c := range list {
		ids = append(ids, c.User, c.Collector)
	}
	cards, err := s.names(ctx, usecase.UniqueIDs(ids))
	out := []AjoCard{}
	for _, c := range list {
		out = append(out, s.cardView(user, c.ID, ajocard.Card{
			Status: ajocard.Status(c.Status), Name: c.Name, Description: c.Description, User: c.User, Amount: c.Amount, Boxes: c.Boxes, Filled: c.Filled, ByCollector: c.ByCollector,
			Frequency: c.Frequency, Start: c.Start, Finish: c.Finish, BreakCharge: c.BreakBasisPoints, Collector: c.Collector, Earned: c.Earned, CommissionIn: c.CommissionIn,
		}, cards))
	}
	return out, err
}

// Cards returns the caller's own cards.
func (s *Service) Cards(ctx context.Context, user string) ([]AjoCard, error) {
	list, err := ajos.CardsOf(ctx, s.Pool, user)
	if err != nil {
		return nil, err
	}
	return s.cardsOf(ctx, user, list)
}

// Round returns the open cards that the caller fills for others.
func (s *Service) Round(ctx context.Context, user string) ([]AjoCard, error) {
	list, err := ajos.Collects(ctx, s.Pool, user)
	if err != nil {
		return nil, err
	}
	return s.cardsOf(ctx, user, list)
}

// onCard gives a command about a card and returns the card after it.
func (s *Service) onCard(ctx context.Context, who usecase.Who, operation, id string, hash [16]byte, c event.Command) (AjoCard, int64, error) {
	pos, err := s.record(ctx, who, operation, id, hash, c)
	if err != nil {
		return AjoCard{}, 0, err
	}
	view, err := s.Card(ctx, who.User, id)
	return view, pos, err
}

// OpenCard starts saving alone.
func (s *Service) OpenCard(ctx context.Context, who usecase.Who, form OpenAjoCardRequest) (AjoCard, int64, error) {
	amount, err := usecase.Kobo("amount", form.Amount)
	if err != nil {
		return AjoCard{}, 0, err
	}
	grown, err := s.adult(ctx, who.User)
	if err != nil {
		return AjoCard{}, 0, err
	}
	command, _ := who.ID("open ajo card")
	c := ajocard.OpenCard{
		CardID: event.DeriveID(command, "card").String(), User: who.User, Name: form.Name, Amount: amount, UnderAge: !grown, Start: s.today(), Now: s.Now(),
		Frequency: nairav1.PaymentFrequency(nairav1.PaymentFrequency_value["PAYMENT_FREQUENCY_"+string(form.Frequency)]),
	}
	if form.Description != nil {
		c.Description = *form.Description
	}
	if form.Boxes != nil {
		c.Boxes = *form.Boxes
	}
	if form.StartDate != nil && *form.StartDate != "" {
		if c.Start, err = time.Parse(time.DateOnly, *form.StartDate); err != nil {
			return AjoCard{}, 0, fault.Field("startDate", "Enter a day as YYYY-MM-DD.")
		}
	}
	return s.onCard(ctx, who, "open ajo card", c.CardID, store.Fingerprint(c.Name, c.Description, c.Amount, c.Boxes, c.Frequency, savings.Day(c.Start).Unix()), c)
}

// FillCard fills boxes from the caller's wallet.
func (s *Service) FillCard(ctx context.Context, who usecase.Who, id string, boxes int) (AjoCard, int64, error) {
	id, c, err := s.card(ctx, who.User, id)
	if err != nil {
		return AjoCard{}, 0, err
	}
	return s.onCard(ctx, who, "fill ajo card", id, store.Fingerprint(id, boxes), ajocard.Fill{
		CardID: id, User: c.User, By: who.User, Boxes: boxes, Channel: nairav1.Channel_CHANNEL_WALLET, At: s.Now(),
	})
}

// FillCards fills many savers' cards from the caller's wallet, all or none.
func (s *Service) FillCards(ctx context.Context, who usecase.Who, form FillAjoCardsRequest) (AjoRoundPaid, int64, error) {
	var fills ajocard.FillMany
	var asked []any
	var total money.Kobo
	for _, f := range form.Cards {
		id, c, err := s.card(ctx, who.User, f.CardId)
		if err != nil {
			return AjoRoundPaid{}, 0, err
		}
		fills.Fills = append(fills.Fills, ajocard.Fill{CardID: id, User: c.User, By: who.User, Boxes: f.Boxes, Channel: nairav1.Channel_CHANNEL_WALLET, At: s.Now()})
		asked, total = append(asked, id, f.Boxes), total+c.Amount*money.Kobo(f.Boxes)
	}
	pos, err := s.record(ctx, who, "fill ajo cards", "", store.Fingerprint(asked...), fills)
	return AjoRoundPaid{Cards: len(fills.Fills), Total: usecase.Naira(total)}, pos, err
}

// SetCollector lets another person fill the card in exchange for cash.
func (s *Service) SetCollector(ctx context.Context, who usecase.Who, id string, form AjoCollectorRequest) (AjoCard, int64, error) {
	id, _, err := s.card(ctx, who.User, id)
	if err != nil {
		return AjoCard{}, 0, err
	}
	saw, err := usecase.Saw(form.Seen, true)
	if err != nil {
		return AjoCard{}, 0, err
	}
	c := ajocard.SetCollector{CardID: id, User: who.User, Seen: saw, Commission: form.Commission != nil && *form.Commission}
	if form.Email != nil && *form.Email != "" {
		c.Collector, err = s.People.Find(ctx, people.NormaliseEmail(*form.Email))
		if fault.Is(err, fault.NotFound) {
			return AjoCard{}, 0, fault.Field("email", "Nobody with a verified BVN has this e-mail address. Ask your collector for the one that they use here.")
		}
		if err != nil {
			return AjoCard{}, 0, err
		}
	}
	return s.onCard(ctx, who, "set ajo collector", id, store.Fingerprint(id, c.Collector, c.Commission), c)
}

// BreakCard pays a card out before its day.
func (s *Service) BreakCard(ctx context.Context, who usecase.Who, id string, form BreakAjoCardRequest) (AjoCard, int64, error) {
	id, c, err := s.card(ctx, who.User, id)
	if err != nil {
		return AjoCard{}, 0, err
	}
	net, err := money.FromNaira(form.Amount.Decimal)
	if err != nil {
		return AjoCard{}, 0, fault.Field("amount", "Enter what you were told you get.")
	}
	return s.onCard(ctx, who, "break ajo card", id, store.Fingerprint(id, net), ajocard.End{CardID: id, User: who.User, Collector: c.Earned, Break: true, Net: net, Now: s.Now()})
}
