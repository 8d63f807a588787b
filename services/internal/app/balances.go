package app

import (
	"context"

	contract "adashi.ng/proto/gen/httpapi"
)

// Balances are a member's money. The total is the sum of the others.
func (a *App) Balances(ctx context.Context, user string) (contract.Balances, error) {
	b, err := a.balances.Of(ctx, user)
	if err != nil {
		return contract.Balances{}, err
	}
	return contract.Balances{
		Balance: naira(b.Wallet), SavingsBalance: naira(b.Savings),
		GroupAjoBalance: naira(0), // No event can put money into an ajo yet.
		TotalBalance:    naira(b.Wallet + b.Savings),
		Held:            nairaPtr(b.Held),
	}, nil
}
