package correction

import (
	"maps"

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

// Adjusted is what corrections of all cases of a member adjusted, in kobo: what was paid, less what was taken back.
type Adjusted struct {
	Net money.Kobo
	Of  map[string]money.Kobo // By dispute.
}

// Adjustments folds what corrections adjusted of a member. What earlier builds adjusted is in Plan.Net alone.
var Adjustments = event.Of("adjusted", 1, func(a Adjusted, e event.Happened) Adjusted {
	if m, is := e.Message.(*nairav1.AdjustmentCounted); is {
		net := signed(m.GetAmountKobo(), m.GetTakesBack())
		of := maps.Clone(a.Of)
		if of == nil {
			of = map[string]money.Kobo{}
		}
		of[m.GetDisputeId()] += net
		a = Adjusted{Net: a.Net + net, Of: of}
	}
	return a
})

// AdjustedStream is the stream of what corrections adjusted of a member.
func AdjustedStream(user string) string { return "adjusted:" + user }

// signed is an adjustment as it changes what Adashi has paid a member.
func signed(kobo int64, takesBack bool) money.Kobo {
	if takesBack {
		return -money.Kobo(kobo)
	}
	return money.Kobo(kobo)
}

// Streams implements event.Command.
func (c Adjust) Streams() []string {
	return []string{Stream(c.DisputeID), AdjustedStream(c.User), account.Stream(c.User)}
}

// Accounts implements event.Command.
func (c Adjust) Accounts() []string { return []string{posting.Wallet(c.User), posting.Corrections} }

// Decide implements event.Command.
func (c Adjust) Decide(v event.View) ([]event.Draft, error) {
	held, paid := v.Balance(posting.Wallet(c.User)), c.paid(v)
	_, earlier := v.(standing.Earlier)
	switch {
	case c.PlanID != "" && !event.StateOf[Plan](v, Stream(c.DisputeID)).adjusts(c):
		return nil, fault.New(fault.Conflict, "Only an applied correction adjusts what a member has.")
	case c.amount() != nil:
		return nil, c.amount()
	case standing.May(v, c.User, c.act()) != nil:
		return nil, standing.May(v, c.User, c.act())
	case c.TakesBack && held < c.Amount:
		return nil, fault.New(fault.Insufficient, "The member's wallet has %s, so %s cannot be taken back. Take back what is there at most.", held, c.Amount)
	case c.TakesBack && paid < c.Amount && !earlier:
		return nil, fault.New(fault.Conflict, "Adashi has paid this member %s by corrections and not taken it back, so %s cannot be taken back.", max(0, paid), c.Amount)
	}
	counted := &nairav1.AdjustmentCounted{UserId: c.User, DisputeId: c.DisputeID, AmountKobo: int64(c.Amount), TakesBack: c.TakesBack}
	return []event.Draft{event.On(Stream(c.DisputeID), &nairav1.AdjustmentPosted{
		DisputeId: c.DisputeID, PlanId: c.PlanID, UserId: c.User, AmountKobo: int64(c.Amount), TakesBack: c.TakesBack, ProposedBy: c.By, ApprovedBy: c.ApprovedBy,
		Reason: c.Reason,
	}), event.On(AdjustedStream(c.User), counted)}, nil
}

// paid is what Adashi has paid the member by corrections and not taken back. Earlier builds counted nothing: what they
// adjusted is known of this case alone.
func (c Adjust) paid(v event.View) money.Kobo {
	all := event.StateOf[Adjusted](v, AdjustedStream(c.User))
	return all.Net + event.StateOf[Plan](v, Stream(c.DisputeID)).Net - all.Of[c.DisputeID]
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
