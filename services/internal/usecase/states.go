package usecase

import (
	"context"
	"time"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
)

// AccountState returns the state of a member's account.
func (b *Base) AccountState(ctx context.Context, user string) (account.Account, error) {
	state, err := b.Ledger.Load(ctx, account.Stream(user))
	if err != nil {
		return account.Account{}, err
	}
	return state.(account.Account), nil
}

// PaidFor returns the purpose of the payment that the card's bank disputes in a case; the zero Paid for every other
// case.
func (b *Base) PaidFor(ctx context.Context, disputeID string) (dispute.Paid, error) {
	state, err := b.Ledger.Load(ctx, dispute.Stream(disputeID))
	if err != nil {
		return dispute.Paid{}, err
	}
	payment := state.(dispute.Dispute).Card.Payment
	if payment == "" {
		return dispute.Paid{}, nil
	}
	state, err = b.Ledger.Load(ctx, wallet.Stream(payment))
	if err != nil {
		return dispute.Paid{}, err
	}
	return dispute.PaidFor(payment, state.(wallet.Payment)), nil
}

// GroupState returns a group from the ledger.
func (b *Base) GroupState(ctx context.Context, id string) (savings.Group, error) {
	state, err := b.Ledger.Load(ctx, savings.GroupStream(id))
	if err != nil {
		return savings.Group{}, err
	}
	return state.(savings.Group), nil
}

// MemberState returns a user's membership of a group from the ledger.
func (b *Base) MemberState(ctx context.Context, groupID, user string) (savings.Member, error) {
	state, err := b.Ledger.Load(ctx, savings.MemberStream(groupID, user))
	if err != nil {
		return savings.Member{}, err
	}
	return state.(savings.Member), nil
}

// GroupOfSub returns the group that a sub-account belongs to.
func (b *Base) GroupOfSub(ctx context.Context, subAccountID string) (string, error) {
	if group, ok := b.groupOf.Load(subAccountID); ok {
		return group.(string), nil
	}
	state, err := b.Ledger.Load(ctx, savings.SubStream(subAccountID))
	if err != nil {
		return "", err
	}
	sub := state.(savings.SubAccount)
	if sub.Status == savings.None {
		return "", fault.New(fault.NotFound, "There is no such sub-account.")
	}
	b.groupOf.Store(subAccountID, sub.Group)
	return sub.Group, nil
}

// LiquidationState returns a request for a group's money from the ledger.
func (b *Base) LiquidationState(ctx context.Context, id string) (liquidation.Liquidation, error) {
	state, err := b.Ledger.Load(ctx, liquidation.Stream(id))
	if err != nil {
		return liquidation.Liquidation{}, err
	}
	return state.(liquidation.Liquidation), nil
}

// WithdrawalState returns a withdrawal from the ledger.
func (b *Base) WithdrawalState(ctx context.Context, id string) (payout.Withdrawal, error) {
	state, err := b.Ledger.Load(ctx, payout.Stream(id))
	if err != nil {
		return payout.Withdrawal{}, err
	}
	return state.(payout.Withdrawal), nil
}

// ReadModelWait is how long an answer waits for the read models.
const ReadModelWait = time.Second

// InGroup reports whether a membership with this status may see its group's business.
func InGroup(s savings.Status) bool { return s == savings.Active || s == savings.Inactive }
