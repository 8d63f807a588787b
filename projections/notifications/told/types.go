package told

import "slices"

// The types of notifications.
const (
	PaymentReceived = "payment_received"
	PaymentFailed   = "payment_failed"
	PaymentReversed = "payment_reversed"
	WalletFunded    = "wallet_funded"
	MemberJoined    = "member_joined"
	MemberApproved  = "member_approved"
	ValidatorSet    = "validator_set"
	GroupApproved   = "group_approved"
	BvnVerified     = "bvn_verified"
	BvnFailed       = "bvn_failed"
	SecurityAlert   = "security_alert" // Its detail is the alert's kind, or begins with one of the fold's.

	WithdrawalPaid   = "withdrawal_paid"
	WithdrawalFailed = "withdrawal_failed"

	ContributionDue     = "contribution_due"
	ContributionOverdue = "contribution_overdue"
	PenaltyApplied      = "penalty_applied"
	PenaltyReversed     = "penalty_reversed"
	DueWaived           = "due_waived"
	PenaltyWaived       = "penalty_waived" // By a correction, as are those below. Their subject is the dispute.

	AdjustmentPaid   = "adjustment_paid"
	AdjustmentTaken  = "adjustment_taken"
	AjoPenaltyWaived = "ajo_penalty_waived" // Its subject is the ajo.
)

// The types about the people in a group, and its changes.
const (
	MemberInvited     = "member_invited"
	MemberDeactivated = "member_deactivated"
	MemberLeft        = "member_left"
	RoleChanged       = "role_changed"
	VisibilityChanged = "visibility_changed"
	GroupChanged      = "group_changed"
)

// The types about money that leaves groups, and about payments that are audited.
const (
	LiquidationRequested = "liquidation_requested"
	LiquidationValidated = "liquidation_validated"
	LiquidationApproved  = "liquidation_approved"
	LiquidationRejected  = "liquidation_rejected"
	LiquidationPaid      = "liquidation_paid"
	LiquidationFailed    = "liquidation_failed"
	LiquidationOnHold    = "liquidation_on_hold"
	PaymentQueried       = "payment_queried"   // Its subject is the payment.
	QuestionAsked        = "question_asked"    // The same.
	QuestionAnswered     = "question_answered" // The same; its detail is the ajo, if the payment is an ajo's.
	RecheckAsked         = "recheck_asked"     // Its detail is how many are drawn of how many, and the ajo where it is one's.
	SampleDrawn          = "sample_drawn"      // Its subject is the month; its detail how many, and the ajo where it is one's.
)

// TierSet is about the limits of a member. Its detail is the tier.
const TierSet = "tier_set"

// AccountRemedy is about a step that two of our staff take with a member's account. Its detail is RemedyGiveBack or
// RemedyAnotherBvn if it is proposed, RemedyDeclined, or RemedyGiven or RemedyLetIn with the time until which no money
// leaves the account for a bank; RemedyConsent, whose subject is the ajo for which a consent ended; or RemedyFound with
// an act of the thief in a group or an ajo.
const AccountRemedy = "account_remedy"

// GuardianConsented is that the guardian of a member of 15 to 17 allows them to pay.
const GuardianConsented = "guardian_consented"

// The types about access to ajo with strangers.
const (
	AjoAccessGranted = "ajo_access_granted"
	AjoAccessRefused = "ajo_access_refused" // Its detail is the reason.
	AjoAccessLost    = "ajo_access_lost"    // Its detail is the reason.
)

// The types about rotating savings. The subject of each is the ajo, or the card.
const (
	AjoStarted         = "ajo_started" // Its detail is the first due day.
	AjoOrderDrawn      = "ajo_order_drawn"
	AjoSwapRequested   = "ajo_swap_requested" // Its detail is the two seats.
	AjoTurnNext        = "ajo_turn_next"      // Its detail is the cycle.
	AjoPayoutReady     = "ajo_payout_ready"   // Its detail is the cycle, as of those that follow.
	AjoPayoutRequested = "ajo_payout_requested"
	AjoPayoutPaid      = "ajo_payout_paid"    // Discount follows the cycle where it is a part of the seat's bid.
	AjoPayoutShort     = "ajo_payout_short"   // Paid, and something was missing.
	AjoPayoutRefused   = "ajo_payout_refused" // Its detail is the cycle, and the reason.
	AjoDebtOpened      = "ajo_debt_opened"    // Its detail is Owes or Owed, and the kind of debt.
	AjoDebtPaid        = "ajo_debt_paid"      // Its detail, for its debtor, is Forgiven where nobody pays it any more, and Taken where their wallet paid by itself.
	AjoPenaltyApplied  = "ajo_penalty_applied"
	AjoPenaltyReversed = "ajo_penalty_reversed"
	AjoPlaceOpened     = "ajo_place_opened" // Its detail is the seat, as of those that follow.
	AjoFrozen          = "ajo_frozen"
	AjoExpelled        = "ajo_expelled"
	AjoTerminated      = "ajo_terminated" // Its detail is Cancelled where it ended before its start.
	AjoCompleted       = "ajo_completed"
	AjoTermsChanged    = "ajo_terms_changed" // Its detail is the time by which to accept them, or Released.
	AjoRefused         = "ajo_contribution_refused"
	AjoCardFilled      = "ajo_card_filled"  // By a collector, whom it is about.
	AjoCardMatured     = "ajo_card_matured" // Its detail is Commission for its collector.
	AjoDue             = "ajo_due"          // Its detail is the due day, as of the next.
	AjoOverdue         = "ajo_overdue"
	AjoPaymentQueried  = "ajo_payment_queried" // Its detail is the reason.
	AjoPlaceTaken      = "ajo_place_taken"     // Its detail is the seat, and Sold for the member who gave it up.
	AjoDepositUsed     = "ajo_deposit_used"    // Its detail is the cycle.
	AjoMotionMade      = "ajo_motion_made"     // Its detail is the subject of the vote.
	AjoPaused          = "ajo_paused"          // Its detail is the first cycle that comes later.
	AjoGift            = "ajo_gift"            // By the member whom it is about. Its detail is the cycle.
	AjoCardCollector   = "ajo_card_collector"  // Its detail is empty for the new collector, or says what changed.
	AjoOfficesPassed   = "ajo_offices_passed"  // About the new owner or, where its detail is NewValidator, the new validator.
)

// The types about disputes, whose subject is the dispute, and about a wallet that its owner froze.
const (
	DisputeOpened   = "dispute_opened"   // Its detail is the time by which it is decided.
	DisputeTaken    = "dispute_taken"    // The same.
	DisputeAsked    = "dispute_asked"    // Its detail is the time by which to answer.
	DisputeResolved = "dispute_resolved" // Its detail is Upheld or NotUpheld.
	DisputeLate     = "dispute_late"
	CardDisputed    = "card_disputed"      // The bank of a card disputes a payment. Its detail is by when we decide.
	CardDisputeOver = "card_dispute_ended" // Its detail is Upheld or NotUpheld.
	CardAnswered    = "card_answered"      // Its bank has our answer. Its detail is BankAgreed or BankDeclined.
	CardAnswerDue   = "card_answer_due"    // To the staff member with the case. Its detail is the gateway's deadline.
	DisputeHold     = "dispute_hold"       // Its detail is until when Support holds money; empty once that is over.
	MoneyFrozen     = "money_frozen"
	MoneyThawed     = "money_thawed" // Its detail is when, while it is only asked for.
)

// numbered are the types by number, as stored and as in ids, with how they reach people. A number is never reused.
// Changing a type to or from Letter needs another version of the read model, which has an index of them.
var numbered = [...]struct {
	name string
	how  How
}{
	PaymentReceivedCode: {PaymentReceived, Letter},
	2:                   {PaymentFailed, Letter}, 3: {PaymentReversed, Letter}, 4: {WalletFunded, Letter},
	5: {MemberJoined, App}, 6: {MemberApproved, App}, 7: {ValidatorSet, App}, 8: {GroupApproved, App},
	9: {BvnVerified, Letter}, 10: {BvnFailed, Letter}, 11: {SecurityAlert, Raiser}, 12: {WithdrawalPaid, Letter}, 13: {WithdrawalFailed, Letter},
	14: {ContributionDue, Letter}, 15: {ContributionOverdue, Letter}, 16: {PenaltyApplied, Letter}, 17: {PenaltyReversed, App}, 18: {DueWaived, App},
	19: {LiquidationRequested, Letter}, 20: {LiquidationValidated, App}, 21: {LiquidationApproved, App}, 22: {LiquidationRejected, Letter},
	23: {LiquidationPaid, Letter}, 24: {LiquidationFailed, Letter}, 25: {LiquidationOnHold, Letter}, 26: {PaymentQueried, Letter},
	27: {MemberInvited, Letter}, 28: {MemberDeactivated, Letter}, 29: {MemberLeft, App}, 30: {RoleChanged, Letter}, 31: {VisibilityChanged, App},
	32: {GroupChanged, Letter}, 33: {AjoAccessGranted, Letter}, 34: {AjoAccessRefused, Letter}, 35: {AjoAccessLost, Letter},
	36: {AjoStarted, Letter}, 37: {AjoOrderDrawn, App}, 38: {AjoSwapRequested, Letter}, 39: {AjoTurnNext, App}, 40: {AjoPayoutReady, Letter},
	41: {AjoPayoutRequested, Letter}, 42: {AjoPayoutPaid, Letter}, 43: {AjoPayoutShort, Letter}, 44: {AjoPayoutRefused, Letter},
	45: {AjoDebtOpened, Letter}, 46: {AjoDebtPaid, Letter}, 47: {AjoPenaltyApplied, Letter}, 48: {AjoPenaltyReversed, Letter},
	49: {AjoPlaceOpened, Letter}, 50: {AjoFrozen, Letter}, 51: {AjoExpelled, Letter}, 52: {AjoTerminated, Letter}, 53: {AjoCompleted, Letter},
	54: {AjoTermsChanged, Letter}, 55: {AjoRefused, Letter}, 56: {AjoCardFilled, App}, 57: {AjoCardMatured, Letter}, 58: {AjoDue, App},
	59: {AjoOverdue, App}, 60: {AjoPaymentQueried, Letter},
	61: {DisputeOpened, Letter}, 62: {DisputeTaken, App}, 63: {DisputeAsked, Letter}, 64: {DisputeResolved, Letter}, 65: {DisputeLate, Letter},
	66: {MoneyFrozen, Letter}, 67: {MoneyThawed, Letter}, 68: {DisputeHold, App}, 69: {CardDisputed, Letter}, 70: {CardDisputeOver, Letter},
	71: {QuestionAsked, Letter}, 72: {QuestionAnswered, App}, 73: {SampleDrawn, App},
	74: {AdjustmentPaid, Letter}, 75: {AdjustmentTaken, Letter}, 76: {PenaltyWaived, App}, 77: {AjoPenaltyWaived, App}, 78: {RecheckAsked, App},
	79: {CardAnswered, Letter}, 80: {CardAnswerDue, Letter},
	81: {AjoPlaceTaken, Letter}, 82: {AjoDepositUsed, Letter}, 83: {AjoMotionMade, Letter}, 84: {AjoOfficesPassed, Letter}, 85: {TierSet, Letter},
	86: {AccountRemedy, Letter},
	87: {AjoPaused, Letter}, 88: {AjoGift, App}, 89: {AjoCardCollector, Letter}, 90: {GuardianConsented, Letter},
}

// PaymentReceivedCode is the number of PaymentReceived, which SQL names.
const PaymentReceivedCode = 1

// Types lists all types, in the order of their numbers.
var Types = func() []string {
	var all []string
	for _, t := range numbered[1:] {
		all = append(all, t.name)
	}
	return all
}()

// codes are the numbers by type.
var codes = func() map[string]int16 {
	all := make(map[string]int16, len(numbered))
	for n, t := range numbered[1:] {
		all[t.name] = int16(n + 1)
	}
	return all
}()

// Code is the number of a type; 0 for an unknown one.
func Code(typ string) int16 { return codes[typ] }

// TypeOf is the type with a number; empty if there is none.
func TypeOf(code int16) string {
	if code < 1 || int(code) >= len(numbered) {
		return ""
	}
	return numbered[code].name
}

// HowOf is how notifications of a type reach people, unless a telling says otherwise.
func HowOf(typ string) How { return numbered[codes[typ]].how }

// Letters are the types whose stored notifications get letters.
func Letters() []string {
	return slices.DeleteFunc(slices.Clone(Types), func(typ string) bool { return HowOf(typ) != Letter })
}

// Always reports whether notifications of a type reach a member even if they muted them: they concern the safety of the
// account.
func Always(typ string) bool { return typ == SecurityAlert || AtEarlier(typ) }

// AtEarlier reports whether a letter of a type goes to a member's earlier addresses too: a person who took the account
// over may have changed the address to their own.
func AtEarlier(typ string) bool {
	return typ == MoneyFrozen || typ == MoneyThawed || typ == AccountRemedy
}
