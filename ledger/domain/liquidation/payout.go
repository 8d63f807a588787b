package liquidation

import (
	"slices"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/disputed"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// outside are the accounts that a payout posts to.
func (c Of) outside() []string {
	return append(c.within(), posting.Bank(c.Provider), posting.FeesGateway, posting.FeesCharged, posting.FeesVariance, posting.TaxVAT, posting.TaxDuty)
}

// Send records that the bank is about to be told, under a reference. Whoever has it recorded first, and nobody else,
// may tell the bank. Nothing leaves a group that is suspended, before its members had the time to object, out of what a
// member disputes, or for somebody who froze their account or owes Adashi since they asked. holders are the members who
// dispute it: of them it is asked what they have saved.
func Send(of Of, reference string, now time.Time, holders ...string) event.Command {
	return SendWithin(of, reference, now, Limits{}, holders...)
}

// Limits are what savings that go to their member's own bank are held to. The zero Limits hold them to nothing.
type Limits struct {
	Tiers    account.Tiers // They count towards the day's limit. Where they are more than that by themselves, nothing else leaves that day.
	CardHold time.Duration // What a card paid in leaves after it only.
}

// SendWithin is Send within limits.
func SendWithin(of Of, reference string, now time.Time, limits Limits, holders ...string) event.Command {
	return sending{now, limits, holders, step{Of: of, accounts: []string{posting.Pool(of.SubAccountID), posting.Owed(of.RequestedBy)}, decide: func(l Liquidation, g savings.Group, _ string) (proto.Message, Status, error) {
		switch {
		case l.Status != Approved:
			return nil, "", l.cannot("sent")
		case g.Status == savings.Suspended:
			return nil, "", fault.New(fault.Conflict, "The group is suspended, so nothing is paid out of it.")
		case now.Before(l.PayableFrom):
			return nil, "", fault.New(fault.Conflict, "Members can object until %s, so it is not paid before.", lagos.Clock(l.PayableFrom))
		case l.Told(reference):
			return nil, "", fault.New(fault.Conflict, "The bank was told of it under this reference already.")
		}
		return &nairav1.LiquidationSent{LiquidationId: of.LiquidationID, GroupId: of.GroupID, Reference: reference}, PayoutPending, nil
	}}}
}

// sending is the step of a payout that goes to the bank.
type sending struct {
	now     time.Time
	limits  Limits
	holders []string
	step
}

// Streams implements event.Command.
func (c sending) Streams() []string {
	streams := append(c.step.Streams(), disputed.Stream(c.SubAccountID), account.Stream(c.RequestedBy), wallet.CardsStream(c.RequestedBy),
		dues.Stream(c.SubAccountID, c.RequestedBy), payout.OutflowStream(c.RequestedBy))
	for _, user := range c.holders {
		streams = append(streams, dues.Stream(c.SubAccountID, user))
	}
	return streams
}

// DecidesAt implements event.Dated: it is of the day whose limit it uses.
func (c sending) DecidesAt() time.Time { return c.now }

// Decide implements event.Command. What others dispute of the sub-account's money has to stay in it.
func (c sending) Decide(v event.View) ([]event.Draft, error) {
	drafts, err := c.step.Decide(v)
	if err != nil {
		return nil, err
	}
	if event.StateOf[Liquidation](v, Stream(c.LiquidationID)).Doubtful(event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID))) {
		return nil, fault.New(fault.Conflict, "An official who decided on it had lost their account to somebody else, so it does not leave. It can be asked for again.")
	}
	saved := func(user string) money.Kobo {
		if !slices.Contains(c.holders, user) {
			return money.Max // They disputed it just now.
		}
		return event.StateOf[dues.State](v, dues.Stream(c.SubAccountID, user)).Savings()
	}
	held := event.StateOf[disputed.Money](v, disputed.Stream(c.SubAccountID))
	if sum, until := held.Against(c.LiquidationID, c.RequestedBy, c.now, saved); sum > v.Balance(posting.Pool(c.SubAccountID)) {
		return nil, fault.New(fault.Conflict, "A member disputes money of this sub-account, and too little would stay in it. It is paid once that is decided, or after %s.", lagos.Clock(until))
	}
	if err := c.mayLeave(v); err != nil {
		return nil, err
	}
	counted, err := c.counted(v)
	return append(drafts, counted...), err
}

// counted counts a member's own savings towards the limit of the day. Earlier builds did not.
func (c sending) counted(v event.View) ([]event.Draft, error) {
	l, owner := event.StateOf[Liquidation](v, Stream(c.LiquidationID)), event.StateOf[account.Account](v, account.Stream(c.RequestedBy))
	daily := c.limits.Tiers[owner.Level()].Daily
	if _, earlier := v.(standing.Earlier); earlier || !l.Withdrawal() || c.limits.Tiers == (account.Tiers{}) {
		return nil, nil
	}
	outflow := event.StateOf[payout.Outflow](v, payout.OutflowStream(c.RequestedBy))
	day := max(lagos.Day(c.now), outflow.Day)
	used := outflow.On(day)
	if used > 0 && used+l.Amount > daily {
		return nil, fault.New(fault.Conflict, "At tier %d up to %s may leave for its member's bank in a day, and %s is used today. It is paid tomorrow.", owner.Level(), daily, used)
	}
	return []event.Draft{event.On(payout.OutflowStream(c.RequestedBy), &nairav1.WithdrawalsCounted{UserId: c.RequestedBy, Day: day, TotalKobo: int64(used + l.Amount)})}, nil
}

// mayLeave refuses what its asker may not have any more, or not yet.
func (c sending) mayLeave(v event.View) error {
	l := event.StateOf[Liquidation](v, Stream(c.LiquidationID))
	_, earlier := v.(standing.Earlier)
	if err := event.StateOf[account.Account](v, account.Stream(c.RequestedBy)).Proposed(c.now); err != nil && !earlier {
		return err
	}
	if !l.Withdrawal() && !l.Deciders.OwnAccount {
		if earlier {
			return nil
		}
		if err := standing.May(v, c.RequestedBy, standing.Claim); err != nil {
			return err
		}
		return event.StateOf[account.Account](v, account.Stream(c.RequestedBy)).CalledOff(l.RequestedAt)
	}
	if err := payout.MayLeave(v, c.RequestedBy, standing.WithdrawSavings, l.RequestedAt); err != nil || !l.Withdrawal() {
		return err
	}
	cards, left := event.StateOf[wallet.Cards](v, wallet.CardsStream(c.RequestedBy)), event.StateOf[dues.State](v, dues.Stream(c.SubAccountID, c.RequestedBy)).Savings()
	if cards.Young(c.SubAccountID, c.now, c.limits.CardHold) > left {
		return fault.New(fault.Conflict, "A part of these savings was paid by card, and card money can go to a bank only after a while. It is paid after %s.",
			lagos.Clock(cards.FreeFrom(c.SubAccountID, left, 0, c.now, c.limits.CardHold)))
	}
	return nil
}

// Pay records that the bank has paid out what it was told of under a reference: it may pay what it was thought to have
// refused, and then under an earlier one.
func Pay(of Of, reference string, r payout.Receipt) event.Command {
	return step{Of: of, accounts: of.outside(), ends: true, decide: func(l Liquidation, _ savings.Group, _ string) (proto.Message, Status, error) {
		switch {
		case l.Status != Approved && l.Status != PayoutPending && l.Status != PayoutFailed || !l.Told(reference):
			return nil, "", l.cannot("paid")
		case r.Fee < 0 || r.Fee > l.Net():
			return nil, "", fault.New(fault.Conflict, "The bank names a fee of %s on %s.", r.Fee, l.Net())
		}
		return &nairav1.LiquidationPaidV2{
			LiquidationId: of.LiquidationID, GroupId: of.GroupID, SubAccountId: of.SubAccountID, RequestedBy: l.RequestedBy, Kind: l.Kind,
			AmountKobo: int64(l.Amount), FeeKobo: int64(l.Fee), VatKobo: int64(l.VAT), DutyKobo: int64(l.Duty), Provider: string(l.Provider),
			GatewayFeeKobo: int64(r.Fee), ProviderRef: r.ProviderRef, PaidAt: timestamppb.New(r.PaidAt),
		}, Paid, nil
	}}
}

// Fail records that the bank did not pay it, for certain, under a reference; empty when the bank was not told at all.
// Its amount stays held.
func Fail(of Of, reference, reason string) event.Command {
	return step{Of: of, decide: func(l Liquidation, _ savings.Group, _ string) (proto.Message, Status, error) {
		if l.Status != Approved && l.Status != PayoutPending || l.Status == PayoutPending && l.Last() != reference {
			return nil, "", l.cannot("failed")
		}
		return &nairav1.LiquidationFailed{LiquidationId: of.LiquidationID, GroupId: of.GroupID, Reason: reason}, PayoutFailed, nil
	}}
}

// returned is the step of a payout that came back.
type returned struct{ step }

// Streams implements event.Command.
func (c returned) Streams() []string {
	return append(c.step.Streams(), account.Stream(c.RequestedBy), wallet.ReturnStream(c.Provider, c.LiquidationID))
}

// Accounts implements event.Command.
func (c returned) Accounts() []string { return append(c.step.Accounts(), posting.Unmatched) }

// Decide implements event.Command. Savings that come back are their member's still, also after they left. Who has
// closed their account could not ask for them any more: then they go on to suspense.
func (c returned) Decide(v event.View) ([]event.Draft, error) {
	drafts, err := c.step.Decide(v)
	if err == nil {
		err = wallet.NoneParked(v, c.Provider, c.LiquidationID)
	}
	if err != nil {
		return nil, err
	}
	l := event.StateOf[Liquidation](v, Stream(c.LiquidationID))
	if !l.Withdrawal() || standing.May(v, c.RequestedBy, standing.Receive) == nil {
		return drafts, nil
	}
	parked := wallet.ParkReturned(c.Provider, c.LiquidationID, posting.Pool(c.SubAccountID), l.Amount, "A member's savings came back, and they have closed their account.")
	return []event.Draft{drafts[0], parked}, nil // The savings stay drawn.
}

// Reverse records that the receiving bank sent a payout back: the sub-account has the whole amount again.
func Reverse(of Of, providerRef, reason string) event.Command {
	return returned{step{Of: of, accounts: of.outside(), ends: true, decide: func(l Liquidation, _ savings.Group, _ string) (proto.Message, Status, error) {
		if l.Status != Paid {
			return nil, "", l.cannot("sent back")
		}
		return &nairav1.LiquidationReversedV3{
			LiquidationId: of.LiquidationID, GroupId: of.GroupID, SubAccountId: of.SubAccountID, AmountKobo: int64(l.Amount), FeeKobo: int64(l.Fee),
			VatKobo: int64(l.VAT), DutyKobo: int64(l.Duty), Provider: string(l.Provider), ProviderRef: providerRef, Reason: reason,
			RequestedBy: l.RequestedBy,
		}, Reversed, nil
	}}}
}
