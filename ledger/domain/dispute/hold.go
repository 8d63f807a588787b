package dispute

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/disputed"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// Who had so many holds for nothing within so long asks Support first.
const (
	rejectedMost   = 2
	rejectedWithin = 90 * 24 * time.Hour
)

// heldIn are the streams of what is held of a sub-account, if there is one.
func heldIn(sub string) []string {
	if sub == "" {
		return nil
	}
	return []string{disputed.Stream(sub)}
}

// heldBy is what a dispute holds of its sub-account.
func heldBy(v event.View, id string, d Dispute) (disputed.Hold, bool) {
	if d.Hold.Until.IsZero() {
		return disputed.Hold{}, false
	}
	held := event.StateOf[disputed.Money](v, disputed.Stream(d.SubAccount))[id]
	return held, !held.Until.IsZero()
}

// freed is that a dispute holds nothing any more.
func freed(id string, d Dispute, why nairav1.DisputeHoldEnd) event.Draft {
	return event.On(disputed.Stream(d.SubAccount), &nairav1.DisputedMoneyFreed{
		DisputeId: id, UserId: d.User, GroupId: d.Group, SubAccountId: d.SubAccount, LiquidationId: d.Hold.Liquidation, AmountKobo: int64(d.Hold.Amount), Why: why,
	})
}

// holds is that a dispute holds money until a time.
func holds(id string, d Dispute, h Hold) event.Draft {
	return event.On(disputed.Stream(d.SubAccount), &nairav1.DisputedMoneyHeld{
		DisputeId: id, UserId: d.User, GroupId: d.Group, SubAccountId: d.SubAccount, LiquidationId: h.Liquidation, AmountKobo: int64(h.Amount), Until: timestamppb.New(h.Until),
	})
}

// after is what follows from a step of a dispute, on other streams.
type after struct {
	v      event.View
	id     string
	d      Dispute
	drafts []event.Draft
}

// open are what the dispute's member has in dispute.
func (e *after) open() map[string]string {
	return event.StateOf[Disputes](e.v, MemberStream(e.d.User)).Open
}

// ends counts the dispute out and frees what it holds. A hold that was for nothing is remembered, also when the member
// takes the dispute back before it is decided.
func (e *after) ends(why nairav1.DisputeHoldEnd, forNothing bool) {
	user := e.d.User
	for about, id := range e.open() {
		if id == e.id {
			e.drafts = append(e.drafts, event.On(MemberStream(user), &nairav1.DisputeCounted{UserId: user, DisputeId: id, About: about}))
		}
	}
	if forNothing && !e.d.Hold.Until.IsZero() && !e.d.WasReopened {
		e.drafts = append(e.drafts, event.On(MemberStream(user), &nairav1.DisputeHoldRejected{UserId: user, DisputeId: e.id}))
	}
	if _, is := heldBy(e.v, e.id, e.d); is {
		e.drafts = append(e.drafts, freed(e.id, e.d, why))
	}
}

// HoldPayout has what a member disputes stay in a sub-account while a payout of it waits: at most what they saved
// there, and for disputed.For. Where the member had holds for nothing before, or held the same payout, Support allows
// it first.
type HoldPayout struct {
	DisputeID string
	User      string
	Of        liquidation.Of
	Amount    money.Kobo
	Now       time.Time
}

// Streams implements event.Command.
func (c HoldPayout) Streams() []string {
	return []string{Stream(c.DisputeID), MemberStream(c.User), disputed.Stream(c.Of.SubAccountID), liquidation.Stream(c.Of.LiquidationID), dues.Stream(c.Of.SubAccountID, c.User)}
}

// Accounts implements event.Command.
func (HoldPayout) Accounts() []string { return nil }

// Decide implements event.Command.
func (c HoldPayout) Decide(v event.View) ([]event.Draft, error) {
	d := event.StateOf[Dispute](v, Stream(c.DisputeID))
	switch {
	case !d.IsOpen() || d.User != c.User || d.Group != c.Of.GroupID || d.SubAccount != c.Of.SubAccountID:
		return nil, errNone()
	case d.Hold.Liquidation != "":
		return nil, fault.New(fault.Conflict, "This dispute holds money already.")
	}
	if err := holdable(v, c.Of, c.User, c.DisputeID, c.Amount, c.Now); err != nil {
		return nil, err
	}
	h := Hold{Liquidation: c.Of.LiquidationID, Amount: c.Amount}
	asked := &nairav1.DisputeHoldAsked{
		DisputeId: c.DisputeID, UserId: c.User, GroupId: d.Group, SubAccountId: d.SubAccount, LiquidationId: h.Liquidation, AmountKobo: int64(c.Amount),
	}
	drafts := []event.Draft{event.On(Stream(c.DisputeID), asked)}
	_, earlier := v.(standing.Earlier)
	again := !earlier && event.StateOf[disputed.Money](v, disputed.Stream(d.SubAccount)).Had(h.Liquidation, c.User, c.Now)
	if !again && !event.StateOf[Disputes](v, MemberStream(c.User)).asksFirst(c.Now) {
		h.Until = c.Now.Add(disputed.For)
		asked.Until = timestamppb.New(h.Until)
		drafts = append(drafts, holds(c.DisputeID, d, h))
	}
	return drafts, nil
}

// asksFirst reports whether Support allows a member's hold first.
func (all Disputes) asksFirst(now time.Time) bool {
	lately := 0
	for _, at := range all.Rejected {
		if now.Sub(at) < rejectedWithin {
			lately++
		}
	}
	return lately >= rejectedMost
}

// holdable refuses a hold on a payout that is over, or that has gone to the bank, and one of more than is the
// member's and is not held of it in another dispute.
func holdable(v event.View, of liquidation.Of, user, disputeID string, amount money.Kobo, now time.Time) error {
	l := event.StateOf[liquidation.Liquidation](v, liquidation.Stream(of.LiquidationID))
	others := event.StateOf[disputed.Money](v, disputed.Stream(of.SubAccountID)).OfPayout(of.LiquidationID, user, disputeID, now)
	most := max(0, event.StateOf[dues.State](v, dues.Stream(of.SubAccountID, user)).Savings()-others)
	switch {
	case l.Status == liquidation.None || liquidation.About(of.LiquidationID, l) != of:
		return fault.New(fault.NotFound, "There is no such request.")
	case l.RequestedBy == user:
		return fault.New(fault.Forbidden, "You asked for this payment yourself. Cancel it instead.")
	case l.Open() && !l.Waits():
		return fault.New(fault.Conflict, "The bank has this payment already, so nothing of it can be held. Open the dispute without a hold.")
	case !l.Open():
		return fault.New(fault.Conflict, "This payment waits no more, so nothing of it can be held. Open the dispute without a hold.")
	case most == 0:
		return fault.New(fault.Forbidden, "You have no savings in this sub-account that you could hold. Open the dispute without a hold.")
	case amount <= 0 || amount > most:
		return fault.Field("amount", "You can hold up to %s: what you saved in this sub-account.", most)
	}
	return nil
}

// AllowHold has Support allow a hold that was asked for, or extend one, once.
type AllowHold struct {
	Case
	Of  liquidation.Of // The payout that the hold is about.
	Now time.Time
}

// Streams implements event.Command.
func (c AllowHold) Streams() []string {
	return append(c.streams(), liquidation.Stream(c.Of.LiquidationID), dues.Stream(c.Of.SubAccountID, c.User))
}

// Accounts implements event.Command.
func (AllowHold) Accounts() []string { return nil }

// Decide implements event.Command.
func (c AllowHold) Decide(v event.View) ([]event.Draft, error) {
	d, err := c.read(v)
	if err == nil {
		err = c.has(d)
	}
	if err != nil {
		return nil, err
	}
	h := d.Hold
	switch {
	case h.Liquidation == "" || h.Liquidation != c.Of.LiquidationID || d.SubAccount != c.Of.SubAccountID:
		return nil, fault.New(fault.Conflict, "The member asks for no hold.")
	case h.Extended:
		return nil, fault.New(fault.Conflict, "This hold was extended already. Decide the case before it ends.")
	case !h.Until.IsZero() && !c.Now.Before(h.Until):
		return nil, fault.New(fault.Conflict, "This hold is over, so it cannot be extended.")
	}
	if _, earlier := v.(standing.Earlier); !earlier || h.Until.IsZero() { // Earlier builds extended any.
		if err := holdable(v, c.Of, c.User, c.DisputeID, h.Amount, c.Now); err != nil {
			return nil, err
		}
	}
	if h.Until.IsZero() {
		h.Until = c.Now
	}
	h.Until = h.Until.Add(disputed.For)
	return []event.Draft{
		event.On(Stream(c.DisputeID), &nairav1.DisputeHoldAllowed{DisputeId: c.DisputeID, UserId: c.User, StaffId: c.Staff, Until: timestamppb.New(h.Until)}),
		holds(c.DisputeID, d, h),
	}, nil
}
