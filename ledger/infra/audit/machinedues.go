package audit

import (
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"
)

// allowedDues is the transition of an event of dues: being late, let off, covered and reminded.
func allowedDues(category string, m proto.Message) (step, bool) {
	var of string
	var s step
	begun := step{[]stage{nothing, active}, active}
	switch m.(type) {
	case *nairav1.LateTermsSet:
		of, s = "sub", step{[]stage{active}, active}
	case *nairav1.ContributionCovered, *nairav1.PenaltyApplied, *nairav1.DueWaived:
		of, s = "dues", begun
	case *nairav1.PenaltyReversed:
		of, s = "dues", step{[]stage{active}, active}
	case *nairav1.SavingsClosed:
		of, s = "dues", step{[]stage{nothing, active}, nothing} // Who comes back begins anew.
	case *nairav1.WaiverRequested:
		of, s = "waiver", step{[]stage{nothing}, pending}
	case *nairav1.WaiverDecidersFixed:
		of, s = "waiver", step{[]stage{pending}, pending}
	case *nairav1.WaiverApproved:
		of, s = "waiver", step{[]stage{pending}, confirmed}
	case *nairav1.WaiverRejected:
		of, s = "waiver", step{[]stage{pending}, failed}
	case *nairav1.DuesReminded:
		of, s = "reminder", begun
	default:
		return step{}, false
	}
	return s, of == category
}
