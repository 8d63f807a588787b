package dues

import (
	"context"
	"fmt"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
)

// coverable returns the snapshot of a member whose dues a caller wants to pay: the caller must be allowed to see them.
func (s *Service) coverable(ctx context.Context, user, subID, memberID string) (membership.Snapshot, groups.Group, groups.Member, groups.SubAccount, error) {
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
	found, err := groups.SubAccountsByID(subID).Read(ctx, s.Pool)
	none := fault.New(fault.NotFound, "There is no such sub-account.")
	if err != nil || len(found) == 0 {
		return fail(usecase.OrErr(err, none))
	}
	c, g, seat, err := s.Membership.GroupFor(ctx, user, found[0].GroupID, user)
	switch {
	case fault.Is(err, fault.NotFound):
		return fail(none)
	case err != nil:
		return fail(err)
	case !seat.Active():
		return fail(membership.NotYet(seat))
	case membership.HidesTotal(g, found[0], seat):
		return fail(fault.New(fault.Forbidden, "The group's owner hides from members what the others pay, so you cannot pay for them."))
	}
	if c, err = s.Membership.Among(ctx, c, g, []string{memberID}); err != nil {
		return fail(err)
	}
	if len(c.Members[g.ID]) == 0 || c.Members[g.ID][0].Status != string(savings.Active) {
		return fail(fault.New(fault.NotFound, "There is no such member."))
	}
	return c, g, c.Members[g.ID][0], found[0], nil
}

// Coverable returns another member's open dues in a sub-account today, for a caller who wants to pay them.
func (s *Service) Coverable(ctx context.Context, user, subID, memberID string) (UnsettledPayments, error) {
	c, g, m, sub, err := s.coverable(ctx, user, subID, memberID)
	if err != nil {
		return UnsettledPayments{}, err
	}
	return s.unsettled(ctx, c, g, m, []groups.SubAccount{sub})
}

// Cover pays another member's dues, from the caller's wallet.
func (s *Service) Cover(ctx context.Context, who usecase.Who, form CoverRequest) (PaymentReceipt, error) {
	var none PaymentReceipt
	paid, err := s.Contribution(ctx, who, form.SubAccountId, form.Amount, Due{})
	if err != nil {
		return none, err
	}
	_, _, m, _, err := s.coverable(ctx, who.User, paid.SubAccountID, form.MemberId)
	if err != nil {
		return none, err
	}
	command, _ := who.ID("cover")
	result, err := s.Record(ctx, who, command, "", store.Fingerprint(paid.SubAccountID, m.User, paid.Amount), dues.Cover{
		GroupID: paid.GroupID, SubAccountID: paid.SubAccountID, User: m.User, By: who.User, Amount: paid.Amount, At: paid.At,
	})
	if err != nil {
		return none, err
	}
	return s.receiptOf(ctx, result.Records)
}

// receiptOf returns the receipt of the one payment among a command's records.
func (s *Service) receiptOf(ctx context.Context, records []event.Record) (PaymentReceipt, error) {
	receipts, err := s.receipts(ctx, records)
	if err == nil && len(receipts) != 1 {
		err = fmt.Errorf("dues: %d payments where there should be one", len(receipts))
	}
	if err != nil {
		return PaymentReceipt{}, err
	}
	return receipts[0], nil
}
