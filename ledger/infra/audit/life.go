package audit

import (
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"
)

// allowedLife is the life of groups and memberships. Who declined, was rejected or left is as if never there.
func allowedLife(category string, m proto.Message) (step, bool) {
	switch category {
	case "group":
		return allowedGroup(m)
	case "member":
		return allowedMember(m)
	default:
		return step{}, false
	}
}

func allowedGroup(m proto.Message) (step, bool) {
	switch m.(type) {
	case *nairav1.GroupSuspended:
		return step{[]stage{active}, paused}, true
	case *nairav1.GroupResumed:
		return step{[]stage{paused}, active}, true
	case *nairav1.GroupRejected, *nairav1.GroupCancelled:
		return step{[]stage{created}, ended}, true
	case *nairav1.GroupClosing:
		return step{[]stage{active}, closing}, true
	case *nairav1.GroupClosed:
		return step{[]stage{closing}, ended}, true
	default:
		return step{}, false
	}
}

func allowedMember(m proto.Message) (step, bool) {
	switch m.(type) {
	case *nairav1.MemberInvited:
		return step{[]stage{nothing}, initiated}, true
	case *nairav1.InvitationDeclined, *nairav1.InvitationExpired:
		return step{[]stage{initiated}, nothing}, true
	case *nairav1.MembershipRequested:
		return step{[]stage{nothing, initiated}, pending}, true
	case *nairav1.MembershipRejected:
		return step{[]stage{pending}, nothing}, true
	case *nairav1.MemberDeactivated:
		return step{[]stage{active}, paused}, true
	case *nairav1.MemberReactivated:
		return step{[]stage{paused}, active}, true
	case *nairav1.MemberExited:
		return step{[]stage{active}, nothing}, true
	default:
		return step{}, false
	}
}

// keepsLife reports offices, seats and sights: they leave a stream's stage as it is.
func keepsLife(category string, m proto.Message) bool {
	switch m.(type) {
	case *nairav1.ApproverAppointed, *nairav1.ApproverRemoved, *nairav1.OwnershipOffered, *nairav1.OwnershipOfferEnded, *nairav1.OwnershipPassed,
		*nairav1.SuccessionProposed, *nairav1.SuccessionVoted, *nairav1.SuccessionEnded, *nairav1.GroupVisibilitySet, *nairav1.SubAccountCounted,
		*nairav1.VotersFixed, *nairav1.GroupNoticeSet,
		*nairav1.GroupSearchViewSet, *nairav1.SeatFreed, *nairav1.GroupDocumentAdded, *nairav1.GroupDocumentRemoved:
		return category == "group"
	case *nairav1.SubAccountVisibilitySet:
		return category == "sub"
	default:
		return false
	}
}
