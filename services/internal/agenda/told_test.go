package agenda_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/projections/notifications/told"
	"adashi.ng/services/internal/agenda"
)

// waiting are the types of notifications which say that something waits for their reader, with the rows in which the
// agenda has it.
var waiting = map[string][]agenda.Kind{
	told.ContributionDue: {agenda.GroupDue}, told.ContributionOverdue: {agenda.GroupDue}, told.PenaltyApplied: {agenda.GroupDue},
	told.AjoDue: {agenda.AjoDue}, told.AjoOverdue: {agenda.AjoDue},
	told.AjoPayoutReady: {agenda.Pot}, told.AjoPayoutRequested: {agenda.PotRequest},
	told.AjoDebtOpened: {agenda.Debt, agenda.DebtToMe}, told.AjoPenaltyApplied: {agenda.Debt},
	told.PaymentReversed: {agenda.AdashiDebt}, // If the wallet had too little for it.
	told.MemberJoined:    {agenda.Join}, told.MemberInvited: {agenda.Invitation},
	told.LiquidationRequested: {agenda.Request}, told.LiquidationValidated: {agenda.Request}, told.LiquidationOnHold: {agenda.Request}, told.LiquidationFailed: {agenda.Request},
	told.RoleChanged:      {agenda.Ownership, agenda.Succession},
	told.AjoSwapRequested: {agenda.Swap}, told.AjoMotionMade: {agenda.Vote},
	told.AjoTermsChanged: {agenda.Terms},
	told.PaymentQueried:  {agenda.Question}, told.AjoPaymentQueried: {agenda.Question}, told.QuestionAsked: {agenda.Question},
	told.QuestionAnswered: {agenda.Audit}, told.RecheckAsked: {agenda.Audit}, told.PaymentReceived: {agenda.Audit},
	told.SampleDrawn:  {agenda.Sample},
	told.DisputeAsked: {agenda.Dispute}, told.DisputeResolved: {agenda.DisputeNews},
	told.CardAnswerDue: {agenda.Case},
	told.BvnFailed:     {agenda.Verify},
	told.MoneyFrozen:   {agenda.Thaw},
}

const (
	done   = "it is done"
	undone = "it came to nothing, and nothing waits"
	known  = "it says what changed"
	safety = "it is for a person who did not do it themselves, who needs it at once and by letter"
)

// news are the types that say what happened, with the reason why nothing waits for their reader.
var news = map[string]string{
	told.PaymentFailed: undone, told.WalletFunded: done, told.MemberApproved: done, told.ValidatorSet: "the payments to look at wait, not the office", told.GroupApproved: done,
	told.BvnVerified: done, told.SecurityAlert: safety, told.WithdrawalPaid: done, told.WithdrawalFailed: undone,
	told.PenaltyReversed: known, told.DueWaived: known, told.PenaltyWaived: known, told.AdjustmentPaid: done, told.AdjustmentTaken: "the case that it is of is the news", told.AjoPenaltyWaived: known,
	told.MemberDeactivated: known, told.MemberLeft: known, told.VisibilityChanged: known, told.GroupChanged: known,
	told.LiquidationApproved: "the bank pays it", told.LiquidationRejected: undone, told.LiquidationPaid: done,
	told.TierSet: known, told.AccountRemedy: safety, told.GuardianConsented: done,
	told.AjoAccessGranted: done, told.AjoAccessRefused: undone, told.AjoAccessLost: known,
	told.AjoStarted: "each due waits by itself", told.AjoOrderDrawn: known, told.AjoTurnNext: "the pot waits once it is ready", told.AjoPayoutPaid: done,
	told.AjoPayoutShort: "a debt waits for what was missing", told.AjoPayoutRefused: "it goes on by itself after some days", told.AjoDebtPaid: done, told.AjoPenaltyReversed: known,
	told.AjoPlaceOpened: "anybody may take the place, nobody has to", told.AjoFrozen: known, told.AjoExpelled: known, told.AjoTerminated: known, told.AjoCompleted: done,
	told.AjoRefused: "the due waits, and the money is in the wallet", told.AjoCardFilled: done, told.AjoCardMatured: done, told.AjoPlaceTaken: done,
	told.AjoDepositUsed: known, told.AjoPaused: known, told.AjoGift: done, told.AjoCardCollector: known, told.AjoOfficesPassed: known,
	told.DisputeOpened: "Support has it", told.DisputeTaken: "Support has it", told.DisputeLate: "Support has it", told.CardDisputed: "Support has it",
	told.CardDisputeOver: done, told.CardAnswered: "the bank decides", told.DisputeHold: "Support has it", told.MoneyThawed: done,
}

// elsewhere are the kinds of which no notification tells, with the reason.
var elsewhere = map[agenda.Kind]string{
	agenda.AjoDeposit: "the person has just taken the place", agenda.Waiver: "approvers find it in the group", agenda.Correction: "Admins find it at the desk",
	agenda.Order: "members find it in the ajo", agenda.PhoneDraw: "members find it in the ajo", agenda.Bid: "a sealed bid", agenda.Past: "members find it in the ajo",
	agenda.GroupSetup: "a step that nobody took", agenda.AjoSetup: "a step that nobody took",
}

func TestEachNotificationWaitsInTheAgendaOrIsNews(t *testing.T) {
	t.Parallel()
	listed := slices.Concat(slices.Collect(maps.Keys(waiting)), slices.Collect(maps.Keys(news)))
	require.ElementsMatch(t, told.Types, listed, "say of a new type in which rows it waits, or why nothing does")
}

func TestEachKindOfRowIsToldOrSaysWhyNot(t *testing.T) {
	t.Parallel()
	kinds := map[agenda.Kind]bool{}
	for _, of := range waiting {
		for _, kind := range of {
			kinds[kind] = true
		}
	}
	for kind := range elsewhere {
		require.False(t, kinds[kind], "%s is told", kind)
		kinds[kind] = true
	}
	require.ElementsMatch(t, agenda.Kinds(), slices.Collect(maps.Keys(kinds)))
	for _, kind := range agenda.Kinds() {
		require.True(t, kind.Valid())
	}
}
