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
	on[*nairav1.AccountClosed](ended, Nothing, active),
)

var staff = of(on[*nairav1.StaffActed](active, Nothing, active))

var standingOrders = of(
	on[*nairav1.StandingOrderSet](active, Nothing),
	on[*nairav1.StandingOrderRan](active, active),
	on[*nairav1.StandingOrderMissed](active, active),
	on[*nairav1.StandingOrderPaused](paused, active),
	on[*nairav1.StandingOrderResumed](active, paused),
	on[*nairav1.StandingOrderEnded](ended, active, paused),
)
