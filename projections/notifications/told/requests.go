package told

import "google.golang.org/protobuf/reflect/protoreflect"

// unpaid notifies everybody else that a payment of the group is not made.
var unpaid = tell(LiquidationRejected, Everyone).but(Requester).when("the group would have paid")

// ofRequests are the events of requests for groups' money, and of payments that are audited.
var ofRequests = map[protoreflect.Name]Row{
	"LiquidationRequestedV2": tells(tell(LiquidationRequested, FirstDeciders).but(RequestedBy)).not(did, RequestedBy),
	"LiquidationAskedV2":     tells(tell(LiquidationRequested, FirstDeciders).but(RequestedBy)).not(did, RequestedBy),
	"LiquidationFunded":      nobody("the request goes on as it was"),
	"LiquidationDecidersFixed": tells(tell(LiquidationRequested, Everyone).but(Requester, FirstDeciders).when("members may object")).
		not("are told when it is their turn", "validator_ids", "approver_ids"),
	"LiquidationObjected": tells(
		tell(LiquidationOnHold, Everyone).when("enough objected"),
		tell(LiquidationOnHold, Approvers, Requester).when("not enough objected yet"),
	).not(did, "objected_by"),
	"LiquidationAnswered":  tells(tell(LiquidationOnHold, Everyone).when("enough answered")).not(did, "answered_by"),
	"LiquidationValidated": tells(tell(LiquidationValidated, Approvers).but("validated_by", Requester), tell(LiquidationValidated, Requester)).not(did, "validated_by"),
	"LiquidationApproved":  tells(tell(LiquidationApproved, Requester).when("enough approved")).not(did, "approved_by"),
	"LiquidationRejected":  tells(tell(LiquidationRejected, Requester), unpaid).not(did, "rejected_by"),
	"LiquidationCancelled": tells(unpaid),
	"LiquidationExpired":   tells(tell(LiquidationRejected, Requester), unpaid),
	"LiquidationSent":      nobody(later("LiquidationPaidV2", "LiquidationFailed")),
	"LiquidationPaidV2":    tells(tell(LiquidationPaid, RequestedBy, Validator, GroupOwner), tell(LiquidationPaid, Everyone).but(RequestedBy, Validator, GroupOwner).when("the group paid")),
	"LiquidationFailed":    tells(tell(LiquidationFailed, Approvers, Requester)),
	"LiquidationRetried":   nobody(later("LiquidationPaidV2", "LiquidationFailed")).not(did, "retried_by"),
	"LiquidationReleased":  tells(tell(LiquidationRejected, Requester), unpaid).not(did, "released_by"),
	"LiquidationReversedV3": tells(
		tell(LiquidationFailed, Approvers, Requester, Validator, GroupOwner),
		tell(LiquidationFailed, Everyone).but(Approvers, Requester, Validator, GroupOwner).when("the group had paid"),
	).not("is told as who asked for the money", RequestedBy),

	"PaymentMarkedV2":   tells(tell(PaymentQueried, User, Coverer).when("queried")).not(did, "marked_by"),
	"PaymentUnmarked":   nobody("a slip that is taken back at once").not("was not told of it either", User).not(did, "marked_by"),
	"QuestionAskedV2":   tells(tell(QuestionAsked, User, OtherUser)).not(did, "by"),
	"QuestionAnswered":  tells(tell(QuestionAnswered, ToUser)).not(did, User),
	"QuestionFileAdded": tells(tell(QuestionAnswered, ToUser)).not(did, User),
	"MonthSampleNamed":  nobody(later("SampleDrawn")).not(did, "by"),
	"SampleDrawn":       tells(tell(SampleDrawn, ToUser)),
	"PeriodAttestedV2":  nobody("members see it beside the month").not(did, "by"),
	"RecheckAsked":      tells(tell(RecheckAsked, ToUser).when("the first of those drawn together")).not("validated them", "marked_by"),
	"RecheckAgreed":     nobody("nothing changes").not(did, "by"),

	"LiquidationRequested":  nobody(Earlier),
	"LiquidationAsked":      nobody(Earlier),
	"LiquidationPaid":       nobody(Earlier),
	"LiquidationReversed":   nobody(Earlier),
	"LiquidationReversedV2": nobody(Earlier),
	"QuestionAsked":         nobody(Earlier),
	"PaymentMarked":         nobody(Earlier),
	"PeriodAttested":        nobody(Earlier),
}
