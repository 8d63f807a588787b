// Package notifications is the read model of what members were told, and keeps beside it what they did with it.
//
// A row holds ids and amounts, never a name: the sentence is made when it is read. Read and deleted marks are the
// reader's own and come from no event; they live in a table of their own that outlives a rebuild.
//
// That a contribution came in is not stored for the owner and the validator whom it is told to: it is read from the
// contributions of the model groups, between the events at which they took and left their office.
package notifications

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"adashi.ng/projections/engine"
)

// Name is the model's name.
const Name = "notifications"

// The types.
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
	SecurityAlert   = "security_alert" // Its detail is the alert's kind, or PasswordTried.

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

// PasswordTried is the detail of a security alert about many wrong passwords.
const PasswordTried = "PASSWORD_TRIED"

// AttestKey begins the detail of a security alert about a device that signs what its owner attests of months, and names
// what the device is.
const AttestKey = "ATTEST_KEY "

// RecordsLost begins the detail of a security alert about records that an epoch lost. How many follows, and
// after a space each the movements that are named: time (RFC 3339), kobo in, kobo out; and "others".
const RecordsLost = "RECORDS_LOST "

// codes are the types' numbers, as they are kept and as ids carry them. A number is never given to another type.
var codes = map[string]int16{
	PaymentReceived: paymentCode, PaymentFailed: 2, PaymentReversed: 3, WalletFunded: 4, MemberJoined: 5, MemberApproved: 6,
	ValidatorSet: 7, GroupApproved: 8, BvnVerified: 9, BvnFailed: 10, SecurityAlert: 11, WithdrawalPaid: 12, WithdrawalFailed: 13,
	ContributionDue: 14, ContributionOverdue: 15, PenaltyApplied: 16, PenaltyReversed: 17, DueWaived: 18,
	LiquidationRequested: 19, LiquidationValidated: 20, LiquidationApproved: 21, LiquidationRejected: 22, LiquidationPaid: 23,
	LiquidationFailed: 24, LiquidationOnHold: 25, PaymentQueried: 26,
	MemberInvited: 27, MemberDeactivated: 28, MemberLeft: 29, RoleChanged: 30, VisibilityChanged: 31, GroupChanged: 32,
	AjoAccessGranted: 33, AjoAccessRefused: 34, AjoAccessLost: 35,
	AjoStarted: 36, AjoOrderDrawn: 37, AjoSwapRequested: 38, AjoTurnNext: 39, AjoPayoutReady: 40, AjoPayoutRequested: 41, AjoPayoutPaid: 42,
	AjoPayoutShort: 43, AjoPayoutRefused: 44, AjoDebtOpened: 45, AjoDebtPaid: 46, AjoPenaltyApplied: 47, AjoPenaltyReversed: 48,
	AjoPlaceOpened: 49, AjoFrozen: 50, AjoExpelled: 51, AjoTerminated: 52, AjoCompleted: 53, AjoTermsChanged: 54, AjoRefused: 55,
	AjoCardFilled: 56, AjoCardMatured: 57, AjoDue: 58, AjoOverdue: 59, AjoPaymentQueried: 60,
	DisputeOpened: 61, DisputeTaken: 62, DisputeAsked: 63, DisputeResolved: 64, DisputeLate: 65, MoneyFrozen: 66, MoneyThawed: 67, DisputeHold: 68,
	CardDisputed: 69, CardDisputeOver: 70, QuestionAsked: 71, QuestionAnswered: 72, SampleDrawn: 73,
	AdjustmentPaid: 74, AdjustmentTaken: 75, PenaltyWaived: 76, AjoPenaltyWaived: 77, RecheckAsked: 78, CardAnswered: 79, CardAnswerDue: 80,
}

// paymentCode is that of PaymentReceived, which SQL names.
const paymentCode = 1

// types are the types by their codes.
var types = func() map[int16]string {
	all := make(map[int16]string, len(codes))
	for typ, code := range codes {
		all[code] = typ
	}
	return all
}()

// Types are all of them, by their codes.
var Types = func() []string {
	var all []string
	for _, code := range slices.Sorted(maps.Keys(types)) {
		all = append(all, types[code])
	}
	return all
}()

// mailed are the types of which what is stored is also told by mail: receipts, and what became of a payment or a BVN.
// A security alert is mailed by who raises it, but for that of a device that signs. Another list is another version: an
// index is made of it.
var mailed = []string{
	PaymentReceived, WalletFunded, PaymentFailed, PaymentReversed, WithdrawalPaid, WithdrawalFailed,
	ContributionDue, ContributionOverdue, PenaltyApplied,
	LiquidationRequested, LiquidationPaid, LiquidationRejected, LiquidationFailed, LiquidationOnHold, PaymentQueried, AjoPaymentQueried,
	MemberInvited, MemberDeactivated, RoleChanged, GroupChanged, BvnVerified, BvnFailed,
	AjoAccessGranted, AjoAccessRefused, AjoAccessLost,
	AjoStarted, AjoSwapRequested, AjoPayoutReady, AjoPayoutRequested, AjoPayoutPaid, AjoPayoutShort, AjoPayoutRefused, AjoDebtOpened, AjoDebtPaid,
	AjoPenaltyApplied, AjoPenaltyReversed, AjoPlaceOpened, AjoFrozen, AjoExpelled, AjoTerminated, AjoCompleted, AjoTermsChanged, AjoRefused, AjoCardMatured,
	DisputeOpened, DisputeAsked, DisputeResolved, DisputeLate, MoneyFrozen, MoneyThawed,
	CardDisputed, CardDisputeOver, CardAnswered, CardAnswerDue, QuestionAsked, AdjustmentPaid, AdjustmentTaken,
}

// isMailed is the condition that a row is of one of them. A device that signs is told of in the ledger alone, so that
// its letter is written from there, once, however often the registration was sent.
var isMailed = func() string {
	var list []string
	for _, typ := range mailed {
		list = append(list, strconv.Itoa(int(codes[typ])))
	}
	return fmt.Sprintf("(type IN (%s) OR type = %d AND detail LIKE '%s%%')", strings.Join(list, ", "), codes[SecurityAlert], AttestKey)
}()

var (
	//go:embed tables.sql
	tables string
	//go:embed indexes.sql
	indexes string
	//go:embed kept.sql
	kept string
)

// keptNow is what makes the kept tables, with the codes of those types that older marks are about.
func keptNow() string {
	var list []string
	for _, typ := range Types {
		list = append(list, fmt.Sprintf("('%s', %d)", typ, codes[typ]))
	}
	return strings.ReplaceAll(kept, "{codes}", strings.Join(list, ", "))
}

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 24, Fold: fold,
		Tables:     []string{"rm_notifications", "rm_notified_terms", "rm_notified_requests", "rm_notified_people", "rm_notified_ajos", "rm_notified_pots", "rm_notified_covers"},
		Schema:     tables,
		Indexes:    indexes + "CREATE INDEX ON rm_notifications (pos) WHERE " + isMailed,
		KeptTables: []string{"notification_seen", "notification_cleared"},
		Kept:       keptNow(),
	}
}
