package transitions

import nairav1 "adashi.ng/proto/gen/naira/v1"

// Events about seats, terms and votes leave an ajo's stage unchanged.
var ajos = of(
	on[*nairav1.AjoCreated](created, Nothing),
	on[*nairav1.AjoTermsChanged](created, created),
	on[*nairav1.AjoTermsAccepted](created, created),
	on[*nairav1.AjoSeatTakenV2](created, created),
	on[*nairav1.AjoSeatFreed](created, created, pending), // A sealed list may be cancelled.
	on[*nairav1.AjoPastTold](created, created),
	on[*nairav1.AjoPastAnswered](created, created),
	on[*nairav1.AjoListClosedV2](pending, created),
	on[*nairav1.AjoPhoneRevealed](pending, pending),
	on[*nairav1.AjoOrderProposed](pending, pending),
	on[*nairav1.AjoOrderAccepted](pending, pending),
	on[*nairav1.AjoOrderAcceptanceEnded](pending, pending),
	on[*nairav1.AjoOrderDrawn](pending, pending),
	on[*nairav1.AjoStarted](active, pending),
	on[*nairav1.AjoCancelled](ended, created, pending),
	stays[*nairav1.AjoSwapProposed](),
	stays[*nairav1.AjoSwapAgreed](),
	stays[*nairav1.AjoSwapEnded](),
	stays[*nairav1.AjoTurnsChanged](),
	stays[*nairav1.AjoMotionMade](),
	stays[*nairav1.AjoMotionVoted](),
	stays[*nairav1.AjoMotionEnded](),
	stays[*nairav1.AjoMotionVoteEnded](),
	stays[*nairav1.AjoOfficesPassed](),
	stays[*nairav1.AjoHolderClosed](),
	on[*nairav1.AjoPaused](paused, active),
	on[*nairav1.AjoResumed](active, paused),
	stays[*nairav1.AjoPlaceOpened](),
	stays[*nairav1.AjoPlaceKept](),
	stays[*nairav1.AjoPlaceTaken](),
	stays[*nairav1.AjoCycleReady](),
	stays[*nairav1.AjoSeatFrozen](),
	on[*nairav1.AjoTerminated](closing, active, paused),
	on[*nairav1.AjoCompleted](ended, active, paused, closing),
)

// Members pay into a cycle, may vote or bid in it, and it is paid out once.
var ajoCycles = of(
	begins[*nairav1.AjoContributed](active, active, pending, approved), // Money in time may arrive while the payout is asked for.
	stays[*nairav1.AjoContributionReturned](),                          // The bank may reverse it while the payout is asked for.
	begins[*nairav1.AjoDepositUsed](active, active, pending, approved), // It replaces a reversed contribution.
	on[*nairav1.AjoNeedVoted](active, Nothing, active),
	on[*nairav1.AjoBidCommitted](active, Nothing, active),
	on[*nairav1.AjoBidRevealed](active, active),
	on[*nairav1.AjoBidEnded](active, active),
	stays[*nairav1.AjoVoteEnded](), // Fewer of a pot's approvals may be left than it had.
	on[*nairav1.AjoPayoutRequested](pending, Nothing, active),
	when(func(m *nairav1.AjoPayoutApproved) step {
		if m.GetApprovals() < m.GetNeeded() {
			return step{to: pending, from: []Stage{pending, approved}}
		}
		return step{to: approved, from: []Stage{pending, approved}}
	}),
	stays[*nairav1.AjoPayoutRefused](),
	stays[*nairav1.AjoDiscountPaid](),
	on[*nairav1.AjoPaid](ended, Nothing, active, pending, approved),
)

var (
	ajoBooks = of(
		on[*nairav1.AjoConsentSet](active, Nothing, active),
		on[*nairav1.AjoConsentEnded](active, active),
		on[*nairav1.AjoDepositPaid](active, Nothing, active),
		on[*nairav1.AjoDepositReturned](active, active),
	)
	ajoDebts = of(
		on[*nairav1.AjoDebtOpened](active, Nothing, active),
		on[*nairav1.AjoDebtPaid](active, active),
		on[*nairav1.AjoDebtForgiven](active, active),
		on[*nairav1.AjoPenaltyReversed](active, active),
		on[*nairav1.AjoPenaltyWaived](active, active),
	)
	ajoCommitments = of(on[*nairav1.CommitmentCounted](active, Nothing, active))
	ajoCards       = of(
		on[*nairav1.AjoCardOpened](active, Nothing),
		on[*nairav1.AjoCardCollectorSet](active, active),
		on[*nairav1.AjoCardFilled](active, active),
		on[*nairav1.AjoCardBroken](ended, active),
		on[*nairav1.AjoCardMatured](ended, active),
	)
)
