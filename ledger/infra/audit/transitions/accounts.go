package transitions

import nairav1 "adashi.ng/proto/gen/naira/v1"

// An account needs no opening event, and nothing follows its closing.
var accounts = of(
	on[*nairav1.BvnVerified](active, Nothing, active),
	on[*nairav1.BvnFailed](active, Nothing, active),
	on[*nairav1.BvnMatchUndone](active, Nothing, active),
	on[*nairav1.SecurityAlertRaised](active, Nothing, active),
	on[*nairav1.PasswordTried](active, Nothing, active),
	on[*nairav1.GuardianConsented](active, Nothing, active),
	on[*nairav1.TierSet](active, Nothing, active),
	on[*nairav1.RecordsLost](active, Nothing, active),
	on[*nairav1.OutgoingFrozen](active, Nothing, active),
	on[*nairav1.FrozenMoneyHeld](active, Nothing, active),
	on[*nairav1.FrozenMoneyTaken](active, active),
	on[*nairav1.ThawAsked](active, Nothing, active),
	on[*nairav1.OutgoingThawed](active, Nothing, active),
	on[*nairav1.WitnessKeyRegistered](active, Nothing, active),
	on[*nairav1.WitnessKeyRevoked](active, active),
	on[*nairav1.AttestKeyRegistered](active, Nothing, active),
	on[*nairav1.AttestKeyRevoked](active, active),
	on[*nairav1.AccountRemedyProposed](active, Nothing, active),
	on[*nairav1.AccountRemedyDeclined](active, active),
	on[*nairav1.AccountGivenBackV2](active, active),
	on[*nairav1.AccountSessionsEnded](active, active),
	on[*nairav1.StolenActFound](active, active),
	on[*nairav1.AnotherBvnLetIn](active, active),
	on[*nairav1.AccountClosed](ended, Nothing, active),
)

var staff = of(on[*nairav1.StaffActed](active, Nothing, active))

// A user without access who asks is at initiated, one with access at approved, one with access who asks again at
// validated.
var ajoAccess = of(
	when(func(m *nairav1.AjoAccessAsked) step {
		if m.GetHasAccess() {
			return step{to: validated, from: []Stage{approved}}
		}
		return step{to: initiated, from: []Stage{Nothing, ended}}
	}),
	on[*nairav1.AjoAccessGranted](approved, initiated, validated),
	when(func(m *nairav1.AjoAccessRefused) step { return ajoAskEnds(m.GetHasAccess()) }),
	when(func(m *nairav1.AjoAccessWithdrawn) step { return ajoAskEnds(m.GetHasAccess()) }),
	on[*nairav1.AjoAccessLost](ended, approved, validated),
)

func ajoAskEnds(hasAccess bool) step {
	if hasAccess {
		return step{to: approved, from: []Stage{validated}}
	}
	return step{to: ended, from: []Stage{initiated}}
}

var standingOrders = of(
	on[*nairav1.StandingOrderSet](active, Nothing),
	on[*nairav1.StandingOrderRan](active, active),
	on[*nairav1.StandingOrderMissed](active, active),
	on[*nairav1.StandingOrderPaused](paused, active),
	on[*nairav1.StandingOrderResumed](active, paused),
	on[*nairav1.StandingOrderEnded](ended, active, paused),
)
