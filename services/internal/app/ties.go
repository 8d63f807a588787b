package app

import (
	"context"
	"fmt"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/projections/balances"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/requests"
)

// Ties says in sentences what still ties a member to Adashi: money in their wallet, held, or in groups, payments under
// way, dues that are open, and groups that depend on them. None means that they may leave.
func (a *App) Ties(ctx context.Context, user string) ([]string, error) {
	var ties []string
	say := func(format string, args ...any) { ties = append(ties, fmt.Sprintf(format, args...)) }
	b, err := balances.Of(ctx, a.Pool, user)
	if err != nil {
		return nil, err
	}
	if b.Wallet > 0 {
		say("Your wallet still has %s.", b.Wallet)
	}
	if b.Held > 0 {
		say("%s of yours is set aside for something that has not ended yet.", b.Held)
	}
	if b.Savings > 0 {
		say("%s of yours is in group savings.", b.Savings)
	}
	open, err := a.Payments.OpenPayments(ctx, user)
	if err != nil {
		return nil, err
	}
	if len(open) > 0 {
		say("A payment of %s is still under way; it ends by itself within a day.", "₦"+open[0].Amount.StringFixed(2))
	}
	gs, err := groups.OfUser(ctx, a.Pool, user)
	if err != nil {
		return nil, err
	}
	for _, g := range gs {
		if g.Owner == user {
			say("You own the group %s.", g.Name)
		}
		if g.Validator == user {
			say("You are the validator of the group %s.", g.Name)
		}
	}
	asked, err := requests.OpenOf(ctx, a.Pool, user)
	if err != nil {
		return nil, err
	}
	if asked > 0 {
		say("You have asked for money of a group, and that is not over yet.")
	}
	due, err := a.Dashboard(ctx, user)
	if err != nil {
		return nil, err
	}
	for _, d := range due.Dues {
		if d.Status == contract.DueStatusDUE || d.Status == contract.DueStatusPARTIAL || d.Status == contract.DueStatusOVERDUE {
			say("You still owe %s · %s for %s.", d.GroupName, d.SubAccountName, d.Label)
		}
	}
	return ties, nil
}
