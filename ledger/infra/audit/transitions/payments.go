package transitions

import nairav1 "adashi.ng/proto/gen/naira/v1"

var payments = of(
	on[*nairav1.PaymentInitiatedV2](initiated, Nothing),
	on[*nairav1.PaymentMeantForAjo](initiated, initiated),
	on[*nairav1.PaymentPending](pending, initiated),
	on[*nairav1.PaymentMeantForDue](initiated, initiated),
	on[*nairav1.PaymentConfirmedV2](confirmed, initiated, pending, failed, expired), // Its money was in time after all.
	on[*nairav1.PaymentFailed](failed, initiated, pending),
	on[*nairav1.PaymentExpired](expired, initiated),
	on[*nairav1.PaymentReversedV3](reversed, confirmed, reversed), // A part, and then the rest.
	on[*nairav1.PaymentLossBorne](reversed, reversed),             // More went back than came in.
	stays[*nairav1.PaymentArrivalNamed](),
	on[*nairav1.ContributionRefused](confirmed, confirmed),
	on[*nairav1.AjoContributionRefused](confirmed, confirmed),
)

// Money under a bank reference belongs to a payment, is known under another reference, waits in suspense, or waits for
// a person to say whether it is a duplicate.
var arrivals = of(
	on[*nairav1.ArrivalCreditedV2](ended, Nothing, held),
	on[*nairav1.ArrivalNamedV2](ended, Nothing, held),
	on[*nairav1.ArrivalHeldV2](held, Nothing),
	when(func(m *nairav1.HeldArrivalSettledV2) step {
		if m.GetPaymentId() == "" {
			return step{to: Nothing, from: []Stage{held}} // It is received next.
		}
		return step{to: ended, from: []Stage{held}}
	}),
	on[*nairav1.UnmatchedMoneyReceivedV2](active, Nothing, held),
	on[*nairav1.ReturnedMoneyParkedV2](active, Nothing),
	on[*nairav1.ReturnedMoneyMatched](ended, Nothing, active, pending, reversed), // Its bank may have taken it back before.
	on[*nairav1.UnmatchedProposed](pending, active),
	on[*nairav1.ReturnProposed](pending, active),
	on[*nairav1.ReturnAgreed](pending, pending),
	on[*nairav1.UnmatchedDeclined](active, pending),
	on[*nairav1.UnmatchedAssigned](ended, pending),
	on[*nairav1.UnmatchedMatchedV2](ended, active, pending),
	when(func(m *nairav1.UnmatchedTakenBack) step {
		switch {
		case m.GetAmountKobo() == 0: // It was the return of a group's payout, or more went back before.
			return step{to: reversed, from: []Stage{ended, reversed}}
		case m.GetLeftKobo() == 0:
			return step{to: reversed, from: []Stage{active, pending, reversed}}
		}
		return step{to: active, from: []Stage{active, pending}}
	}),
	on[*nairav1.AssignedTakenBack](ended, ended),
	stays[*nairav1.MoneyClaimed](),
	// Money to send back to its sender is agreed (approved), sent (initiated) and paid (confirmed).
	on[*nairav1.SendBackProposed](pending, active),
	on[*nairav1.SendBackAgreed](approved, pending),
	on[*nairav1.SendBackSent](initiated, approved),
	on[*nairav1.SendBackPaid](confirmed, initiated),
	when(func(m *nairav1.SendBackFailed) step { return comesAgain(m, approved, initiated) }),
	when(func(m *nairav1.SendBackReturned) step { return comesAgain(m, confirmed) }),
	stays[*nairav1.SendBackLossBorne](),
	stays[*nairav1.SendBackPartReturned](),
	when(func(m *nairav1.ReturnedPartKept) step {
		if m.GetLeftKobo() == 0 {
			return step{to: reversed, from: []Stage{active}}
		}
		return step{to: active, from: []Stage{active}}
	}),
)

// comesAgain is the step when money that was to be sent back is in suspense again, unless the bank took all of it.
func comesAgain(m interface {
	GetAmountKobo() int64
	GetRecoveredKobo() int64
}, from ...Stage,
) step {
	if m.GetRecoveredKobo() == m.GetAmountKobo() {
		return step{to: reversed, from: from}
	}
	return step{to: active, from: from}
}

var sendBacks = of(on[*nairav1.SendBackOpened](ended, Nothing))

var withdrawals = of(
	on[*nairav1.WithdrawalRequestedV2](initiated, Nothing),
	on[*nairav1.WithdrawalSent](pending, initiated),
	on[*nairav1.WithdrawalPaidV2](confirmed, pending),
	on[*nairav1.WithdrawalFailed](failed, initiated, pending),
	on[*nairav1.WithdrawalReversedV2](reversed, confirmed),
)

var bankCharges = of(
	on[*nairav1.BankChargePosted](active, Nothing, active),
	on[*nairav1.FailedPayoutLeft](active, Nothing, active),
	on[*nairav1.FailedPayoutReturned](active, active),
)

var outflows = of(on[*nairav1.WithdrawalsCounted](active, Nothing, active))

var holds = of(
	on[*nairav1.HoldPlaced](held, Nothing),
	when(func(m *nairav1.HoldCaptured) step {
		return step{to: whileLeft(m.GetRemainingKobo()), from: []Stage{held}}
	}),
	when(func(m *nairav1.HoldReleased) step {
		return step{to: whileLeft(m.GetRemainingKobo()), from: []Stage{held}}
	}),
	on[*nairav1.HoldExpired](ended, held),
)

// whileLeft is the stage of a hold with this amount left.
func whileLeft(kobo int64) Stage {
	if kobo > 0 {
		return held
	}
	return ended
}

// A member's debt is at pending while its write-off is proposed.
var debts = of(
	on[*nairav1.DebtOpened](active, Nothing, active, pending), // This ends a proposed write-off, and so does a payment.
	on[*nairav1.DebtSettled](active, active, pending),
	on[*nairav1.WriteOffProposed](pending, active),
	on[*nairav1.WriteOffDeclined](active, pending),
	on[*nairav1.DebtWrittenOff](active, pending),
)

var underWay = of(on[*nairav1.PaymentsCounted](active, Nothing, active))

var cards = of(
	on[*nairav1.CardMoneyReceived](active, Nothing, active),
	on[*nairav1.CardMoneyTakenBack](active, Nothing, active),
	on[*nairav1.CardsUnlocked](active, active),
)

var (
	attestations = of(on[*nairav1.ReservesAttestedV2](active, Nothing), on[*nairav1.LiabilitiesCommitted](ended, active))
	reversals    = of(on[*nairav1.EventReversed](ended, Nothing))
)
