package transitions

import nairav1 "adashi.ng/proto/gen/naira/v1"

// Events about offices, seats and what is shown leave a group's stage unchanged.
var groups = of(
	on[*nairav1.GroupCreated](created, Nothing),
	on[*nairav1.GroupActivated](active, created),
	on[*nairav1.GroupSuspended](paused, active, closing),
	on[*nairav1.GroupResumed](active, paused),
	on[*nairav1.GroupRejected](ended, created),
	on[*nairav1.GroupCancelled](ended, created),
	on[*nairav1.GroupClosing](closing, active),
	on[*nairav1.GroupClosed](ended, closing),
	stays[*nairav1.SeatTaken](),
	stays[*nairav1.SeatFreed](),
	stays[*nairav1.ValidatorAppointed](),
	stays[*nairav1.ApproverAppointed](),
	stays[*nairav1.ApproverRemoved](),
	stays[*nairav1.OwnershipOffered](),
	stays[*nairav1.OwnershipOfferEnded](),
	stays[*nairav1.OfficialGivenBack](),
	stays[*nairav1.OwnershipPassed](),
	stays[*nairav1.SuccessionProposed](),
	stays[*nairav1.SuccessionVoted](),
	stays[*nairav1.SuccessionEnded](),
	stays[*nairav1.VotersFixed](),
	stays[*nairav1.GroupNoticeSet](),
	stays[*nairav1.GroupVisibilitySet](),
	stays[*nairav1.GroupSearchViewSet](),
	stays[*nairav1.GroupDocumentAdded](),
	stays[*nairav1.GroupDocumentRemoved](),
	stays[*nairav1.SubAccountCounted](),
)

// A member who declined, was rejected or left is at Nothing, as if never invited.
var members = of(
	on[*nairav1.MemberInvited](initiated, Nothing),
	on[*nairav1.InvitationDeclined](Nothing, initiated),
	on[*nairav1.InvitationExpired](Nothing, initiated),
	on[*nairav1.InvitationWithdrawn](Nothing, initiated),
	on[*nairav1.MembershipRequested](pending, Nothing, initiated),
	on[*nairav1.MembershipRejected](Nothing, pending),
	on[*nairav1.MembershipApproved](active, Nothing, pending),
	on[*nairav1.MemberDeactivatedV2](paused, active),
	on[*nairav1.MemberReactivated](active, paused),
	on[*nairav1.MemberExited](Nothing, active),
)

var subAccounts = of(
	on[*nairav1.SubAccountOpened](active, Nothing),
	on[*nairav1.LateTermsSet](active, active),
	stays[*nairav1.SubAccountVisibilitySet](),
)
