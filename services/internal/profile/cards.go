package profile

import (
	"context"
	"slices"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/vault"
)

// Cards returns the cards that a member agreed to save, the latest first, limited to what may be shown.
func (s *Service) Cards(ctx context.Context, userID string) ([]contract.CardDetail, error) {
	cards, err := s.Vault.Cards(ctx, userID)
	views := make([]contract.CardDetail, 0, len(cards))
	for _, c := range cards {
		views = append(views, cardView(c))
	}
	return views, err
}

func cardView(c vault.Card) contract.CardDetail {
	view := contract.CardDetail{Id: &c.ID, Last4: c.Last4, Brand: orNil(c.Brand), Bank: orNil(c.Bank)}
	if c.ExpMonth >= 1 && c.ExpMonth <= 12 && c.ExpYear > 0 {
		view.ExpMonth, view.ExpYear = &c.ExpMonth, &c.ExpYear
	}
	return view
}

// ForgetCard removes a saved card of a member's.
func (s *Service) ForgetCard(ctx context.Context, userID, id string) error {
	return s.Vault.ForgetCard(ctx, userID, id)
}

// left returns the cards that a form no longer names: leaving one out removes it. A card cannot be typed in.
func (s *Service) left(ctx context.Context, userID string, form contract.UpdateUserInfoRequest) ([]string, error) {
	if form.CardDetailsDtos == nil {
		return nil, nil
	}
	cards, err := s.Vault.Cards(ctx, userID)
	if err != nil {
		return nil, err
	}
	var left []string
	known := 0
	for _, c := range cards {
		if slices.ContainsFunc(*form.CardDetailsDtos, func(d contract.CardDetail) bool { return d.Id != nil && *d.Id == c.ID && d.Last4 == c.Last4 }) {
			known++
		} else {
			left = append(left, c.ID)
		}
	}
	if known != len(*form.CardDetailsDtos) {
		return nil, fault.Field("cardDetailsDtos", "Cards are kept when you pay with one; they cannot be typed in.")
	}
	return left, nil
}
