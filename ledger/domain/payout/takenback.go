package payout

import (
	"slices"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// TakenBack is a reversal of a payment that takes what the wallet lacks out of the amounts that are held of it, before
// anything is owed: out of what a freeze holds, and out of withdrawals that no bank was told of, which are called off.
type TakenBack struct {
	event.Command // The reversal, with what it undoes in an ajo.

	User   string
	Frozen []account.FrozenHold // As the account's state names them.
	Unsent []string             // Withdrawals that may not have been sent; one that was sent is left alone.
}

// Streams implements event.Command.
func (c TakenBack) Streams() []string {
	streams := append(slices.Clone(c.Command.Streams()), account.Stream(c.User), OutflowStream(c.User))
	for _, h := range c.Frozen {
		streams = append(streams, holds.Stream(h.ID))
	}
	for _, id := range c.Unsent {
		streams = append(streams, Stream(id))
	}
	return streams
}

// Accounts implements event.Command.
func (c TakenBack) Accounts() []string {
	return append(slices.Clone(c.Command.Accounts()), posting.Wallet(c.User), posting.Held(posting.Wallet(c.User)))
}

// Decide implements event.Command.
func (c TakenBack) Decide(v event.View) ([]event.Draft, error) {
	drafts, err := c.Command.Decide(v)
	short := wallet.Lent(drafts)
	if err != nil || short == 0 {
		return drafts, err
	}
	thawed, out, err := c.thaw(v, short)
	if err != nil {
		return nil, err
	}
	called, back, err := c.callOff(v, short-out)
	if err != nil {
		return nil, err
	}
	drafts, err = c.Command.Decide(wallet.With(v, c.User, out+back))
	return slices.Concat(thawed, called, drafts), err
}

// thaw takes up to so much out of what a freeze holds.
func (c TakenBack) thaw(v event.View, need money.Kobo) (drafts []event.Draft, sum money.Kobo, err error) {
	if !slices.Equal(event.StateOf[account.Account](v, account.Stream(c.User)).FrozenHolds, c.Frozen) {
		return nil, 0, fault.New(fault.Unavailable, "More money was set aside meanwhile. Please try again.")
	}
	for _, h := range c.Frozen {
		part := min(h.Amount, need-sum)
		if part <= 0 {
			break
		}
		released, err := holds.Release(h.ID, posting.Wallet(c.User), part).Decide(v)
		if err != nil {
			return nil, 0, err
		}
		sum += part
		drafts = append(append(drafts, released...), event.On(account.Stream(c.User), &nairav1.FrozenMoneyTaken{UserId: c.User, HoldId: h.ID, AmountKobo: int64(part)}))
	}
	return drafts, sum, nil
}

// callOff calls unsent withdrawals off until they hold so much.
func (c TakenBack) callOff(v event.View, need money.Kobo) (drafts []event.Draft, sum money.Kobo, err error) {
	var day money.Kobo // Of the day's limit that the next one finds used less.
	for _, id := range c.Unsent {
		w := event.StateOf[Withdrawal](v, Stream(id))
		if sum >= need || w.Status != Requested || w.User != c.User {
			continue
		}
		failed, err := Fail(id, c.User, "", calledOff).Decide(v)
		if err != nil {
			return nil, 0, err
		}
		if len(failed) > 1 {
			day += w.Amount
			counted := failed[1].Message.(*nairav1.WithdrawalsCounted)
			counted.TotalKobo = max(0, counted.GetTotalKobo()-int64(day-w.Amount))
		}
		drafts, sum = append(drafts, failed...), sum+w.Amount
	}
	return drafts, sum, nil
}
