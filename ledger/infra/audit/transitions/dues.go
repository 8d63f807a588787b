package transitions

import nairav1 "adashi.ng/proto/gen/naira/v1"

var dues = of(
	on[*nairav1.ContributionReceived](active, Nothing, active),
	on[*nairav1.ContributionCovered](active, Nothing, active),
	on[*nairav1.ContributionReversed](active, active),
	on[*nairav1.GroupRestPaid](active, Nothing, active),
	on[*nairav1.PenaltyApplied](active, Nothing, active),
	on[*nairav1.PenaltyReversed](active, active),
	on[*nairav1.PenaltyWaived](active, active),
	on[*nairav1.DueWaived](active, Nothing, active),
	on[*nairav1.SavingsDrawn](active, active),
	on[*nairav1.SavingsClosed](Nothing, Nothing, active), // A member who comes back begins again.
)

var waivers = of(
	on[*nairav1.WaiverRequested](pending, Nothing),
	on[*nairav1.WaiverDecidersFixed](pending, pending),
	on[*nairav1.WaiverApproved](confirmed, pending),
	on[*nairav1.WaiverRejected](failed, pending),
)

var reminders = of(on[*nairav1.DuesReminded](active, Nothing, active), on[*nairav1.AjoDuesReminded](active, Nothing, active))
