package ledger

import (
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/correction"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
	"adashi.ng/ledger/posting"
)

// wishReversals are what is taken back: payments by their bank, contributions by two of us.
func wishReversals(all redecide.Wishes) {
	wishIn(all, func(v event.View, _ *nairav1.PaymentReversedV3, events []redecide.Recorded, at int) []event.Command {
		return takenBack(v, events, at)
	})
	wishIn(all, func(v event.View, _ *nairav1.PaymentLossBorne, events []redecide.Recorded, at int) []event.Command {
		return takenBack(v, events, at)
	})
	wishIn(all, func(v event.View, m *nairav1.UnmatchedTakenBack, _ []redecide.Recorded, _ int) []event.Command {
		return one(arrivalTakenBack(v, m, ""))
	})
	wishIn(all, func(v event.View, m *nairav1.AssignedTakenBack, events []redecide.Recorded, at int) []event.Command {
		return one(outOfHolds(v, events, at, m.GetUserId(), arrivalTakenBack(v, m, m.GetUserId())))
	})
	wishDebts(all)
	wish(all, func(m *nairav1.EventReversed, e redecide.Recorded) []event.Command {
		original, ok := e.Original(m.GetPosition())
		if !ok {
			return nil
		}
		return atEither(e, func(now time.Time) event.Command {
			return dues.ReverseContribution{Original: original, By: m.GetBy(), ApprovedBy: m.GetApprovedBy(), Reason: m.GetReason(), At: now}
		})
	})
}

// arrivalTakenBack is that a bank takes money back that fits no payment, or that is the return of a payout.
func arrivalTakenBack(v event.View, m interface {
	GetProvider() string
	GetProviderRef() string
	GetAmountKobo() int64
	GetLostKobo() int64
	GetBackRef() string
	GetReason() string
}, user string,
) wallet.TakeBackArrival {
	c := wallet.TakeBackArrival{
		ProviderRef: m.GetProviderRef(), Provider: event.Provider(m.GetProvider()), User: user, Gross: money.Kobo(m.GetAmountKobo() + m.GetLostKobo()), BackRef: m.GetBackRef(), Reason: m.GetReason(),
	}
	if _, a := wallet.ArrivalAt(v.State, c.Provider, c.ProviderRef); a.Payout != "" {
		return liquidation.TakeBackReturn(c, a.Payout)
	}
	return c
}

// takenBack is that a bank takes a payment back, of which some events tell, and with it what it paid in an ajo.
func takenBack(v event.View, events []redecide.Recorded, at int) []event.Command {
	m, reversed := ahead[*nairav1.PaymentReversedV3](events, at)
	lost, borne := ahead[*nairav1.PaymentLossBorne](events, at)
	if !reversed && !borne {
		return nil
	}
	if !reversed {
		m = &nairav1.PaymentReversedV3{PaymentId: lost.GetPaymentId(), UserId: lost.GetUserId(), Provider: lost.GetProvider(), ProviderRef: lost.GetBackRef(), Reason: lost.GetReason()}
	}
	reversal := wallet.ReversePayment{
		PaymentID: m.GetPaymentId(), User: m.GetUserId(), Provider: event.Provider(m.GetProvider()), Gross: money.Kobo(m.GetAmountKobo() + m.GetChargeKobo() + lost.GetAmountKobo()),
		FeeBack: money.Kobo(m.GetGatewayFeeKobo()), ProviderRef: m.GetProviderRef(), Reason: m.GetReason(), At: events[at].EffectiveAt,
	}
	if back, is := ahead[*nairav1.CardMoneyTakenBack](events, at); is && back.GetPaymentId() == m.GetPaymentId() {
		reversal.AskedFor = back.GetAskedFor()
	}
	p := event.StateOf[wallet.Payment](v, wallet.Stream(reversal.PaymentID))
	if p.ForAjo == nil {
		return one(outOfHolds(v, events, at, m.GetUserId(), reversal))
	}
	return one(outOfHolds(v, events, at, m.GetUserId(), ajopot.TakenBack{Reversal: reversal, Pot: ajopot.Reverse{
		AjoID: p.ForAjo.GetAjoId(), Cycle: int(p.ForAjo.GetCycle()), PaymentID: reversal.PaymentID, User: p.User, DebtID: "reversal." + reversal.ProviderRef,
	}}))
}

// outOfHolds is what a gateway takes back, out of what is held of a member's wallet too.
func outOfHolds(v event.View, events []redecide.Recorded, at int, user string, back event.Command) event.Command {
	c := payout.TakenBack{Command: back, User: user, Frozen: event.StateOf[account.Account](v, account.Stream(user)).FrozenHolds}
	for _, e := range events[:at] {
		if failed, is := e.Message.(*nairav1.WithdrawalFailed); is {
			c.Unsent = append(c.Unsent, failed.GetWithdrawalId())
		}
	}
	return c
}

// wishDebts are what members owe Adashi, and what their cards paid in.
func wishDebts(all redecide.Wishes) {
	wish(all, func(m *nairav1.DebtSettled, _ redecide.Recorded) []event.Command { return one(settles{m.GetUserId()}) })
	wish(all, func(m *nairav1.WriteOffProposed, _ redecide.Recorded) []event.Command {
		return one(wallet.ProposeWriteOff{User: m.GetUserId(), ProposalID: m.GetProposalId(), By: m.GetProposedBy(), Reason: m.GetReason()})
	})
	wish(all, func(m *nairav1.WriteOffDeclined, _ redecide.Recorded) []event.Command {
		return one(wallet.DecideWriteOff{User: m.GetUserId(), Seen: seen.Version(m.GetProposalId()), By: m.GetDeclinedBy(), Reason: m.GetReason()})
	})
	wish(all, func(m *nairav1.DebtWrittenOff, _ redecide.Recorded) []event.Command {
		return one(wallet.DecideWriteOff{User: m.GetUserId(), Seen: seen.Version(m.GetProposalId()), By: m.GetApprovedBy(), Approve: true})
	})
	wish(all, func(m *nairav1.CardsUnlocked, _ redecide.Recorded) []event.Command {
		return one(wallet.UnlockCards{User: m.GetUserId(), By: m.GetReviewedBy(), Reason: m.GetReason()})
	})
	wish(all, func(m *nairav1.CardMoneyReceived, _ redecide.Recorded) []event.Command {
		return one(fromCard{m})
	})
}

// settles is that what came into a wallet pays what its owner owes, whatever brought it.
type settles struct{ user string }

// Streams implements event.Command.
func (c settles) Streams() []string { return []string{wallet.DebtStream(c.user)} }

// Accounts implements event.Command.
func (c settles) Accounts() []string {
	return []string{posting.Wallet(c.user), posting.Owed(c.user)}
}

// Decide implements event.Command.
func (c settles) Decide(v event.View) ([]event.Draft, error) {
	owed := wallet.OwedBy(v, c.user)
	pays := min(owed, v.Balance(posting.Wallet(c.user)))
	if pays <= 0 {
		return nil, fault.New(fault.Conflict, "Nothing is owed that the wallet could pay.")
	}
	return []event.Draft{wallet.Settled(c.user, owed, pays)}, nil
}

// fromCard is that a payment which is confirmed came by card, into the wallet or a sub-account.
type fromCard struct{ *nairav1.CardMoneyReceived }

// Streams implements event.Command.
func (c fromCard) Streams() []string {
	return []string{wallet.Stream(c.GetPaymentId()), wallet.CardsStream(c.GetUserId())}
}

// Accounts implements event.Command.
func (fromCard) Accounts() []string { return nil }

// Decide implements event.Command.
func (c fromCard) Decide(v event.View) ([]event.Draft, error) {
	p := event.StateOf[wallet.Payment](v, wallet.Stream(c.GetPaymentId()))
	if p.Status != wallet.Confirmed || p.Channel != nairav1.Channel_CHANNEL_CARD || c.GetSubAccountId() != "" && c.GetSubAccountId() != p.For.GetSubAccountId() {
		return nil, fault.New(fault.Conflict, "No card paid this.")
	}
	return []event.Draft{event.On(wallet.CardsStream(p.User), &nairav1.CardMoneyReceived{
		UserId: p.User, PaymentId: c.GetPaymentId(), AmountKobo: int64(p.Amount), SubAccountId: c.GetSubAccountId(),
	})}, nil
}

// wishPlans are how corrections are proposed, declined and given up.
func wishPlans(all redecide.Wishes) {
	wishIn(all, func(v event.View, m *nairav1.CorrectionProposedV2, events []redecide.Recorded, at int) []event.Command {
		d := event.StateOf[dispute.Dispute](v, dispute.Stream(m.GetDisputeId()))
		c := correction.Propose{
			DisputeID: m.GetDisputeId(), Dispute: d, Paid: paidFor(v, d), PlanID: m.GetPlanId(), By: m.GetProposedBy(),
			CountsFrom: m.GetCountsFrom().AsTime(), Words: m.GetWords(), Now: events[at].RecordedAt,
		}
		for _, s := range m.GetSteps() {
			step := correction.StepOf(s)
			if step.Position > 0 {
				original, ok := events[at].Original(step.Position)
				if !ok {
					return nil
				}
				step.Original = original
			}
			c.Steps = append(c.Steps, step)
		}
		return one(proposed{c, m})
	})
	wishIn(all, func(v event.View, m *nairav1.CorrectionDeclined, _ []redecide.Recorded, _ int) []event.Command {
		d := event.StateOf[dispute.Dispute](v, dispute.Stream(m.GetDisputeId()))
		p := event.StateOf[correction.Plan](v, correction.Stream(m.GetDisputeId()))
		return one(correction.Decision{DisputeID: m.GetDisputeId(), Dispute: d, Paid: paidFor(v, d), Plan: p, By: m.GetDeclinedBy(), Words: m.GetWords()})
	})
	wish(all, func(m *nairav1.CorrectionStale, _ redecide.Recorded) []event.Command {
		return one(correction.GiveUp{DisputeID: m.GetDisputeId(), PlanID: m.GetPlanId(), Reason: m.GetReason()})
	})
}

// proposed is the proposal of a correction. It names the streams that it touches; what they held is recorded by a
// digest of how their states were written down then, which may not be how they are written today.
type proposed struct {
	correction.Propose
	was *nairav1.CorrectionProposedV2
}

// Decide implements event.Command.
func (c proposed) Decide(v event.View) ([]event.Draft, error) {
	drafts, err := c.Propose.Decide(v)
	if err != nil {
		return nil, err
	}
	m := drafts[0].Message.(*nairav1.CorrectionProposedV2)
	if slices.EqualFunc(m.GetBasis(), c.was.GetBasis(), func(a, b *nairav1.CorrectionBasis) bool { return a.GetStream() == b.GetStream() }) {
		m.Basis = c.was.GetBasis()
	}
	return drafts, nil
}
