package app

import (
	"context"
	"fmt"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
)

// coverable is the circle of a member whose dues a caller would pay: a caller who may see them.
func (a *App) coverable(ctx context.Context, user, subID, memberID string) (membership.Snapshot, groups.Group, groups.Member, groups.SubAccount, error) {
	fail := func(err error) (membership.Snapshot, groups.Group, groups.Member, groups.SubAccount, error) {
		return membership.Snapshot{}, groups.Group{}, groups.Member{}, groups.SubAccount{}, err
	}
	subID, err := usecase.ParseID(subID, "sub-account")
	if err != nil {
		return fail(err)
	}
	if memberID, err = usecase.ParseID(memberID, "member"); err != nil {
		return fail(err)
	}
	found, err := groups.SubAccountsByID(subID).Read(ctx, a.Pool)
	none := fault.New(fault.NotFound, "There is no such sub-account.")
	if err != nil || len(found) == 0 {
		return fail(usecase.OrErr(err, none))
	}
	c, g, s, err := a.Membership.GroupFor(ctx, user, found[0].GroupID, user)
	switch {
	case fault.Is(err, fault.NotFound):
		return fail(none)
	case err != nil:
		return fail(err)
	case !s.Active():
		return fail(membership.NotYet(s))
	case membership.HidesTotal(g, found[0], s):
		return fail(fault.New(fault.Forbidden, "The group's owner hides from members what the others pay, so you cannot pay for them."))
	}
	if c, err = a.Membership.Among(ctx, c, g, []string{memberID}); err != nil {
		return fail(err)
	}
	if len(c.Members[g.ID]) == 0 || c.Members[g.ID][0].Status != string(savings.Active) {
		return fail(fault.New(fault.NotFound, "There is no such member."))
	}
	return c, g, c.Members[g.ID][0], found[0], nil
}

// Coverable is what another member owes a sub-account today, for who would pay it for them.
func (a *App) Coverable(ctx context.Context, user, subID, memberID string) (contract.UnsettledPayments, error) {
	c, g, m, s, err := a.coverable(ctx, user, subID, memberID)
	if err != nil {
		return contract.UnsettledPayments{}, err
	}
	return a.unsettled(ctx, c, g, m, []groups.SubAccount{s})
}

// Cover pays what another member owes, from the caller's wallet.
func (a *App) Cover(ctx context.Context, who usecase.Who, form contract.CoverRequest) (contract.PaymentReceipt, error) {
	var none contract.PaymentReceipt
	paid, err := a.contribution(ctx, who, form.SubAccountId, form.Amount, Due{})
	if err != nil {
		return none, err
	}
	_, _, m, _, err := a.coverable(ctx, who.User, paid.SubAccountID, form.MemberId)
	if err != nil {
		return none, err
	}
	command, _ := who.ID("cover")
	result, err := a.Record(ctx, who, command, "", store.Fingerprint(paid.SubAccountID, m.User, paid.Amount), savings.Cover{
		GroupID: paid.GroupID, SubAccountID: paid.SubAccountID, User: m.User, By: who.User, Amount: paid.Amount, At: paid.At,
	})
	if err != nil {
		return none, err
	}
	return a.receiptOf(ctx, result.Records)
}

// receiptOf is the receipt of the one payment among a command's records.
func (a *App) receiptOf(ctx context.Context, records []event.Record) (contract.PaymentReceipt, error) {
	receipts, err := a.receipts(ctx, records)
	if err == nil && len(receipts) != 1 {
		err = fmt.Errorf("app: %d payments where there should be one", len(receipts))
	}
	if err != nil {
		return contract.PaymentReceipt{}, err
	}
	return receipts[0], nil
}
