package correction

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// AdjustmentMost is the most that one adjustment moves.
const AdjustmentMost = 100_000 * money.Naira

// Adjust pays a member from Adashi's own account what no other command reaches, or takes back what Adashi paid them
// wrongly. It comes behind the Apply of the correction that it is a step of.
type Adjust struct {
	DisputeID      string
	PlanID         string // Empty where it is only tried.
	User           string
	Amount         money.Kobo
	TakesBack      bool
	By, ApprovedBy string
	Reason         string
}

// Streams implements event.Command.
func (c Adjust) Streams() []string { return []string{Stream(c.DisputeID), account.Stream(c.User)} }

// Accounts implements event.Command.
func (c Adjust) Accounts() []string { return []string{posting.Wallet(c.User), posting.Corrections} }

// Decide implements event.Command.
func (c Adjust) Decide(v event.View) ([]event.Draft, error) {
	held := v.Balance(posting.Wallet(c.User))
	switch {
	case c.PlanID != "" && !event.StateOf[Plan](v, Stream(c.DisputeID)).adjusts(c):
		return nil, fault.New(fault.Conflict, "Only an applied correction adjusts what a member has.")
	case c.amount() != nil:
		return nil, c.amount()
	case standing.May(v, c.User, c.act()) != nil:
		return nil, standing.May(v, c.User, c.act())
	case c.TakesBack && held < c.Amount:
		return nil, fault.New(fault.Insufficient, "The member's wallet has %s, so %s cannot be taken back. Take back what is there at most.", held, c.Amount)
	}
	return []event.Draft{event.On(Stream(c.DisputeID), &nairav1.AdjustmentPosted{
		DisputeId: c.DisputeID, PlanId: c.PlanID, UserId: c.User, AmountKobo: int64(c.Amount), TakesBack: c.TakesBack, ProposedBy: c.By, ApprovedBy: c.ApprovedBy,
		Reason: c.Reason,
	})}, nil
}

// act is what it does to the member.
func (c Adjust) act() standing.Act {
	if c.TakesBack {
		return standing.BeTakenFrom
	}
	return standing.BeAdjusted
}

// amount refuses an amount that no adjustment may have.
func (c Adjust) amount() error {
	switch {
	case c.Amount <= 0:
		return fault.Field("steps", "Say how much is paid or taken back.")
	case c.Amount > AdjustmentMost:
		return fault.Field("steps", "An adjustment is %s at most, and this one is %s.", AdjustmentMost, c.Amount)
	}
	return nil
}

// adjusts reports whether a correction is applied and has an adjustment as its step that was not made yet.
func (p Plan) adjusts(c Adjust) bool {
	if p.ID != c.PlanID || p.Status != Applied || p.Adjusted {
		return false
	}
	for _, s := range p.Steps {
		if s.Kind == nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_ADJUST && s.User == c.User && s.Amount == c.Amount && s.TakesBack == c.TakesBack {
			return true
		}
	}
	return false
}
