package ledger

import (
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"
)

// Behind reports whether an event is only ever recorded behind others of one command: it fixes who decides, counts what
// is held, or ends what went on. One command records such events alone: it ends what a member said in an ajo once their
// account is given back.
func Behind(m proto.Message) bool {
	switch m.(type) {
	case *nairav1.AdjustmentCounted, *nairav1.CardMoneyTakenBack, *nairav1.DebtOpened, *nairav1.FrozenMoneyTaken, *nairav1.PaymentArrivalNamed, *nairav1.PaymentsCounted:
		return true
	case *nairav1.AjoAccessLost, *nairav1.AjoBidEnded, *nairav1.AjoCompleted, *nairav1.AjoOfficesPassed, *nairav1.AjoOrderProposed,
		*nairav1.AjoMotionVoteEnded, *nairav1.AjoPaused, *nairav1.AjoStarted, *nairav1.AjoTerminated, *nairav1.AjoVoteEnded,
		*nairav1.ContributionReversed, *nairav1.DisputeCounted, *nairav1.DisputeHoldRejected, *nairav1.DisputedMoneyHeld, *nairav1.LateTermsSet,
		*nairav1.LiquidationDecidersFixed, *nairav1.PaymentMeantForAjo, *nairav1.PaymentMeantForDue, *nairav1.PenaltyReversed, *nairav1.RecheckAsked, *nairav1.RequestsCounted,
		*nairav1.SavingsDrawn, *nairav1.SeatFreed, *nairav1.SeatTaken, *nairav1.SubAccountCounted, *nairav1.VotersFixed, *nairav1.WaiverDecidersFixed,
		*nairav1.WithdrawalsCounted:
		return true
	}
	return false
}
