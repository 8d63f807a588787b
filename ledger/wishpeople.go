package ledger

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standingorder"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
)

// wishPeople are what people decide about groups, about who is in them, and about their standing orders and disputes.
func wishPeople(all redecide.Wishes) {
	wish(all, func(m *nairav1.GroupCancelled, _ redecide.Recorded) []event.Command {
		return one(savings.CancelGroup(m.GetGroupId(), m.GetBy(), m.GetReason()))
	})
	wish(all, func(m *nairav1.GroupRejected, _ redecide.Recorded) []event.Command {
		return one(savings.RejectGroup(m.GetGroupId(), m.GetBy(), m.GetReason()))
	})
	wish(all, func(m *nairav1.GroupSuspended, _ redecide.Recorded) []event.Command {
		return one(savings.SuspendGroup(m.GetGroupId(), m.GetBy(), m.GetReason()))
	})
	wish(all, func(m *nairav1.GroupResumed, _ redecide.Recorded) []event.Command {
		return one(savings.ResumeGroup(m.GetGroupId(), m.GetBy(), m.GetReason()))
	})
	wish(all, func(m *nairav1.MembershipRejected, _ redecide.Recorded) []event.Command {
		if m.GetRejectedBy() == m.GetUserId() { // Who asked to join takes that back.
			return one(dues.LeaveGroup{GroupID: m.GetGroupId(), User: m.GetUserId()})
		}
		return one(savings.RejectMember{GroupID: m.GetGroupId(), User: m.GetUserId(), By: m.GetRejectedBy(), Reason: m.GetReason()})
	})
	wishIn(all, func(v event.View, m *nairav1.ContributionRefused, events []redecide.Recorded, at int) []event.Command {
		return atEither(events[at], func(now time.Time) event.Command { return paidIn(v, m, now) })
	})
	wish(all, func(m *nairav1.InvitationDeclined, _ redecide.Recorded) []event.Command {
		return one(savings.DeclineInvitation{GroupID: m.GetGroupId(), User: m.GetUserId()})
	})
	wish(all, func(m *nairav1.StandingOrderPaused, _ redecide.Recorded) []event.Command {
		return one(standingorder.Pause(m.GetOrderId(), m.GetUserId()))
	})
	wish(all, func(m *nairav1.StandingOrderResumed, e redecide.Recorded) []event.Command {
		return atEither(e, func(now time.Time) event.Command { return standingorder.Resume(m.GetOrderId(), m.GetUserId(), now) })
	})
	wish(all, func(m *nairav1.StandingOrderEnded, _ redecide.Recorded) []event.Command {
		return one(standingorder.End(m.GetOrderId(), m.GetUserId(), m.GetReason()))
	})
	wishIn(all, func(v event.View, m *nairav1.DisputeAnswered, _ []redecide.Recorded, _ int) []event.Command {
		d := event.StateOf[dispute.Dispute](v, dispute.Stream(m.GetDisputeId()))
		stood := m.GetDecideBy().AsTime().Sub(d.DecideBy) // The clock goes on by so much.
		return one(dispute.Answer(m.GetDisputeId(), m.GetUserId(), m.GetWords(), d.AskedAt.Add(stood)))
	})
	wish(all, func(m *nairav1.DisputeReopened, _ redecide.Recorded) []event.Command {
		return one(dispute.Reopen(m.GetDisputeId(), m.GetUserId(), m.GetWords(), m.GetAcknowledgeBy().AsTime().Add(-dispute.AcknowledgeIn)))
	})
}

// paidIn is what a payment comes to in a group that it was for, once it is confirmed.
func paidIn(v event.View, m *nairav1.ContributionRefused, now time.Time) event.Command {
	p := event.StateOf[wallet.Payment](v, wallet.Stream(m.GetPaymentId()))
	return settled{p, dues.ContributeByPayment{
		Confirm: wallet.ConfirmPayment{PaymentID: m.GetPaymentId(), User: p.User},
		Contribute: dues.Contribute{
			GroupID: p.For.GetGroupId(), SubAccountID: p.For.GetSubAccountId(), User: p.User, Amount: p.Amount, MonthID: int(p.For.GetMonthId()), Period: p.Period, Channel: p.Channel,
			PaymentID: m.GetPaymentId(), At: now,
		},
	}}
}

// settled is a payment for a group that is confirmed already.
type settled struct {
	payment wallet.Payment
	dues.ContributeByPayment
}

// Decide implements event.Command.
func (c settled) Decide(v event.View) ([]event.Draft, error) {
	if c.payment.Status != wallet.Confirmed || c.payment.For == nil {
		return nil, fault.New(fault.Conflict, "Its payment has not come.")
	}
	return c.Paid(v)
}
