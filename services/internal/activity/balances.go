package activity

import (
	"context"
	"errors"
	"fmt"

	"adashi.ng/projections/balances"
	"adashi.ng/projections/debts"
	"adashi.ng/services/internal/usecase"
)

// Balances returns a member's money. The total is all that they own: the sum of the others, including money of the
// wallet that is set aside.
func (s *Service) Balances(ctx context.Context, user string) (Balances, error) {
	b, err := s.Totals.Of(ctx, user)
	if err != nil {
		return Balances{}, err
	}
	owed, err := debts.Of(ctx, s.Pool, user)
	if err != nil {
		return Balances{}, err
	}
	view := Balances{
		Balance: usecase.Naira(b.Wallet), SavingsBalance: usecase.Naira(b.Savings),
		GroupAjoBalance: usecase.Naira(b.Ajo),
		TotalBalance:    usecase.Naira(b.Wallet + b.Held + b.Savings + b.Ajo),
		Held:            usecase.NairaPtr(b.Held),
	}
	if owed > 0 {
		view.Owed = usecase.NairaPtr(owed)
	}
	return view, nil
}

// Ties returns, for a person who wants to leave Adashi, the money that they still have.
func (s *Service) Ties(ctx context.Context, user string) (ties []string, err error) {
	b, err := balances.Of(ctx, s.Pool, user)
	if b.Wallet > 0 {
		ties = append(ties, fmt.Sprintf("Your wallet still has %s.", b.Wallet))
	}
	if b.Held > 0 {
		ties = append(ties, fmt.Sprintf("%s of yours is set aside for something that has not ended yet.", b.Held))
	}
	if b.Savings > 0 {
		ties = append(ties, fmt.Sprintf("%s of yours is in group savings.", b.Savings))
	}
	if b.Ajo > 0 {
		ties = append(ties, fmt.Sprintf("%s of yours is in ajo.", b.Ajo))
	}
	owed, failed := debts.Of(ctx, s.Pool, user)
	if owed > 0 {
		ties = append(ties, fmt.Sprintf("You owe Adashi %s. Add it to your wallet, and it is paid at once.", owed))
	}
	return ties, errors.Join(err, failed)
}
