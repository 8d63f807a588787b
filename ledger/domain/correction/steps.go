package correction

import (
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
)

// StepsMax is how many steps a correction may have.
const StepsMax = 10

// Step is one ordinary command.
type Step struct {
	Kind        nairav1.CorrectionStepKind
	User        string
	Provider    event.Provider
	ProviderRef string
	Group, Sub  string
	Period      string
	Ajo, Debt   string // Of a penalty in an ajo.
	Amount      money.Kobo
	TakesBack   bool // An adjustment takes the amount back instead of paying it.
	EventID     string
	Position    int64
	Original    event.Record `json:"-"` // Of what is reversed, as the ledger holds it; it comes with the command.
}

// StepOf is a step as it is recorded.
func StepOf(m *nairav1.CorrectionStepV2) Step {
	return Step{
		Kind: m.GetKind(), User: m.GetUserId(), Provider: event.Provider(m.GetProvider()), ProviderRef: m.GetProviderRef(), Group: m.GetGroupId(),
		Sub: m.GetSubAccountId(), Period: m.GetPeriod(), Ajo: m.GetAjoId(), Debt: m.GetDebtId(), Amount: money.Kobo(m.GetAmountKobo()),
		TakesBack: m.GetTakesBack(), EventID: m.GetEventId(), Position: m.GetPosition(),
	}
}

func (s Step) message() *nairav1.CorrectionStepV2 {
	return &nairav1.CorrectionStepV2{
		Kind: s.Kind, UserId: s.User, Provider: string(s.Provider), ProviderRef: s.ProviderRef, GroupId: s.Group, SubAccountId: s.Sub, Period: s.Period,
		AjoId: s.Ajo, DebtId: s.Debt, AmountKobo: int64(s.Amount), TakesBack: s.TakesBack, EventId: s.EventID, Position: s.Position,
	}
}

// Order says for which correction steps are done, by whom, and from when they count.
type Order struct {
	DisputeID string
	PlanID    string // Empty where the steps are only tried.
	By        string // Who proposed it.
	// Who approved it, the last of them.
	ApprovedBy string
	Reason     string
	From       time.Time
}

// commands are what a step does.
func (s Step) commands(o Order) ([]event.Command, error) {
	switch s.Kind {
	case nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_ASSIGN:
		return []event.Command{
			wallet.ProposeUnmatched{ProviderRef: s.ProviderRef, Provider: s.Provider, User: s.User, By: o.By, Reason: o.Reason},
			wallet.DecideUnmatched{ProviderRef: s.ProviderRef, Provider: s.Provider, User: s.User, By: o.ApprovedBy, Approve: true},
		}, nil
	case nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_PAY_DUE:
		return []event.Command{dues.Contribute{
			GroupID: s.Group, SubAccountID: s.Sub, User: s.User, Amount: s.Amount, Period: s.Period, Channel: nairav1.Channel_CHANNEL_WALLET, At: o.From,
		}}, nil
	case nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_REVERSE:
		return []event.Command{dues.ReverseContribution{Original: s.Original, By: o.By, ApprovedBy: o.ApprovedBy, Reason: o.Reason, At: o.From}}, nil
	case nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_ADJUST:
		c := Adjust{
			DisputeID: o.DisputeID, PlanID: o.PlanID, User: s.User, Amount: s.Amount, TakesBack: s.TakesBack, By: o.By, ApprovedBy: o.ApprovedBy, Reason: o.Reason,
		}
		return []event.Command{c}, c.amount()
	case nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_WAIVE:
		if s.Ajo != "" {
			return []event.Command{ajopot.WaivePenalty{AjoID: s.Ajo, DebtID: s.Debt, User: s.User, DisputeID: o.DisputeID, PlanID: o.PlanID}}, nil
		}
		return []event.Command{dues.WaivePenalty{
			GroupID: s.Group, SubAccountID: s.Sub, User: s.User, Period: s.Period, DisputeID: o.DisputeID, PlanID: o.PlanID,
		}}, nil
	}
	return nil, fault.Field("steps", "Choose what each step does.")
}

// Commands are what a correction does, in order. Each step that reverses something comes with its original.
func Commands(steps []Step, o Order) ([]event.Command, error) {
	if len(steps) == 0 || len(steps) > StepsMax {
		return nil, fault.Field("steps", "A correction has 1 to %d steps.", StepsMax)
	}
	var all []event.Command
	adjusts := false
	for _, s := range steps {
		is := s.Kind == nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_ADJUST
		if is && adjusts {
			return nil, fault.Field("steps", "A correction adjusts once. Make one adjustment of the two.")
		}
		adjusts = adjusts || is
		commands, err := s.commands(o)
		if err != nil {
			return nil, err
		}
		all = append(all, commands...)
	}
	return all, nil
}

// touched are the streams that a correction's commands read or write, beside its own.
func touched(disputeID string, steps []Step) []string {
	commands, err := Commands(steps, Order{DisputeID: disputeID})
	if err != nil {
		return nil
	}
	var streams []string
	for _, c := range commands {
		streams = append(streams, c.Streams()...)
	}
	slices.Sort(streams)
	return slices.DeleteFunc(slices.Compact(streams), func(name string) bool { return name == Stream(disputeID) })
}

// original is the contribution that a step reverses, if it does.
func (s Step) original() *nairav1.ContributionReceived {
	if s.Kind != nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_REVERSE {
		return nil
	}
	m, err := s.Original.Message()
	if err != nil {
		return nil
	}
	received, _ := m.(*nairav1.ContributionReceived)
	return received
}
