package ledger_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger"
	"adashi.ng/ledger/ledgertest"
)

// unwished are the types of events without a wish, and why they have none.
func unwished() map[string]string {
	reasons := map[string][]string{
		"comes beside another event, whose wish it is": {
			"AdjustmentCounted", "CardMoneyTakenBack", "DebtOpened", "FrozenMoneyTaken", "PaymentArrivalNamed", "PaymentsCounted",
			"AjoAccessLost", "AjoCompleted", "AjoOfficesPassed", "AjoOrderProposed", "AjoPaused", "AjoStarted", "AjoTerminated", "ArrivalCreditedV2", "ArrivalNamedV2", "ContributionReversed",
			"DisputeCounted", "DisputeHoldRejected", "DisputedMoneyHeld", "LateTermsSet", "LiquidationDecidersFixed", "PaymentMeantForAjo", "PaymentMeantForDue", "PenaltyReversed", "RecheckAsked", "RequestsCounted", "ReturnedMoneyParkedV2", "SavingsDrawn",
			"SeatFreed", "SeatTaken", "VotersFixed", "WaiverDecidersFixed", "SubAccountCounted", "UnmatchedMatchedV2", "WithdrawalsCounted",
			"MoneyClaimed", "SendBackOpened", "SendBackPartReturned", "ReturnedPartKept",
		},
		"what the house counts, is told or sees": {
			"LiabilitiesCommitted", "ReservesAttestedV2", "RecordsLost", "BvnMatchUndone", "PasswordTried", "SecurityAlertRaised", "StaffActed", "DuesReminded",
		},
	}
	all := map[string]string{}
	for why, types := range reasons {
		for _, typ := range types {
			all[typ] = why
		}
	}
	return all
}

func TestEveryTypeOfEventHasAWishOrAReasonWhyNot(t *testing.T) {
	t.Parallel()
	wishes, without := ledger.Wishes(), unwished()
	for _, mt := range ledgertest.CurrentEventTypes() {
		name := string(mt.Descriptor().Name())
		_, has := wishes[reflect.TypeOf(mt.New().Interface())]
		_, listed := without[name]
		byItself := []string{"AjoBidEnded", "AjoMotionVoteEnded", "AjoVoteEnded"} // Of a member alone whose account was given back.
		require.False(t, has && ledger.Behind(mt.New().Interface()) && !slices.Contains(byItself, name), "%s has a wish, so it does come by itself", name)
		require.NotEqual(t, has, listed, "%s: give it a wish in ledger/wish*.go, or say here why it has none", name)
		delete(without, name)
	}
	require.Empty(t, without, "there are no such events")
}
