package app

import (
	"context"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/usecase"
)

// Balances are a member's money. The total is the sum of the others.
func (a *App) Balances(ctx context.Context, user string) (contract.Balances, error) {
	b, err := a.balances.Of(ctx, user)
	if err != nil {
		return contract.Balances{}, err
	}
	return contract.Balances{
		Balance: usecase.Naira(b.Wallet), SavingsBalance: usecase.Naira(b.Savings),
		GroupAjoBalance: usecase.Naira(0), // No event can put money into an ajo yet.
		TotalBalance:    usecase.Naira(b.Wallet + b.Savings),
		Held:            usecase.NairaPtr(b.Held),
	}, nil
}
