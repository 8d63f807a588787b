package account

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// TierMax is the highest tier.
const TierMax = 3

// Limits are what a tier allows, in kobo.
type Limits struct {
	Daily money.Kobo // What may leave for a bank in a Lagos day.
	Cap   money.Kobo // What a wallet may hold, what is set aside of it included; 0 for no cap.
}

// Tiers are the limits of tiers 0 to 3.
type Tiers [TierMax + 1]Limits

// DefaultTiers are the regulator's. Tier 0, nobody's identity known yet, holds no more than tier 1 and pays nothing
// out.
var DefaultTiers = Tiers{
	{Daily: 0, Cap: 300_000 * money.Naira},
	{Daily: 50_000 * money.Naira, Cap: 300_000 * money.Naira},
	{Daily: 200_000 * money.Naira, Cap: 500_000 * money.Naira},
	{Daily: 5_000_000 * money.Naira},
}

// Level is the tier that counts: what FinanceOps set, tier 1 when nobody did, and 0 without a verified BVN.
func (a Account) Level() int {
	switch {
	case a.Bvn != Verified:
		return 0
	case !a.TierGiven:
		return 1
	default:
		return a.Tier
	}
}

// TierShown is the version of whose tier a desk looked at, and which it was.
func (a Account) TierShown(user string) seen.Version { return seen.Of(user, a.Level(), a.Bvn) }

// SetTier records what a member's papers allow, and who looked at them for what case. It is Forbidden for oneself, and
// Conflict for any tier but 0 without a verified BVN.
type SetTier struct {
	Staff, User, Case string
	Seen              seen.Version // Whose tier the desk looked at; empty not to ask.
	Tier              int
}

// Streams implements event.Command.
func (c SetTier) Streams() []string {
	return []string{StaffStream(c.Staff), Stream(c.Staff), Stream(c.User)}
}

// Accounts implements event.Command.
func (SetTier) Accounts() []string { return nil }

// Decide implements event.Command.
func (c SetTier) Decide(v event.View) ([]event.Draft, error) {
	a := event.StateOf[Account](v, Stream(c.User))
	switch {
	case c.Tier < 0 || c.Tier > TierMax:
		return nil, fault.Field("tier", "Choose a tier from 0 to %d.", TierMax)
	case c.Staff == c.User:
		return nil, standing.Own.May(standing.SetTier)
	case standing.May(v, c.User, standing.BeReviewed) != nil:
		return nil, standing.May(v, c.User, standing.BeReviewed)
	case c.Seen.IfSaid(a.TierShown(c.User)) != nil:
		return nil, c.Seen.IfSaid(a.TierShown(c.User))
	case c.Tier > 0 && a.Bvn != Verified:
		return nil, fault.New(fault.Conflict, "Their BVN is not verified, so they stay at tier 0.")
	case a.TierGiven && a.Tier == c.Tier:
		return nil, fault.New(fault.Conflict, "They are at tier %d already.", c.Tier)
	}
	if err := standing.May(v, c.Staff, standing.SetTier); err != nil {
		return nil, err
	}
	act := Act{Staff: c.Staff, Action: nairav1.StaffAction_STAFF_ACTION_SET_TIER, Subject: c.User, Case: c.Case}
	drafts, err := act.Decide(v)
	if err != nil {
		return nil, err
	}
	return append(drafts, event.Draft{Stream: Stream(c.User), Message: &nairav1.TierSet{
		UserId: c.User, Tier: int32(c.Tier), SetBy: c.Staff, CaseId: c.Case,
	}}), nil
}
