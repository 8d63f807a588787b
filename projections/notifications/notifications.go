// Package notifications is the read model of what members were told, and keeps beside it what they did with it.
//
// A row holds ids and amounts, never a name: the sentence is made when it is read. Read and deleted marks are the
// reader's own and come from no event; they live in a table of their own that outlives a rebuild.
package notifications

import (
	_ "embed"

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
)

// PasswordTried is the detail of a security alert about many wrong passwords.
const PasswordTried = "PASSWORD_TRIED"

// RecordsLost begins the detail of a security alert about records that an epoch lost. How many follows, and
// after a space each the movements that are named: time (RFC 3339), kobo in, kobo out; and "others".
const RecordsLost = "RECORDS_LOST "

// Types are all of them.
var Types = []string{
	PaymentReceived, PaymentFailed, PaymentReversed, WalletFunded, MemberJoined, MemberApproved, ValidatorSet, GroupApproved,
	BvnVerified, BvnFailed, SecurityAlert, WithdrawalPaid, WithdrawalFailed,
	ContributionDue, ContributionOverdue, PenaltyApplied, PenaltyReversed, DueWaived,
	LiquidationRequested, LiquidationValidated, LiquidationApproved, LiquidationRejected, LiquidationPaid, LiquidationFailed, LiquidationOnHold, PaymentQueried,
	MemberInvited, MemberDeactivated, MemberLeft, RoleChanged, VisibilityChanged, GroupChanged,
}

var (
	//go:embed tables.sql
	tables string
	//go:embed indexes.sql
	indexes string
	//go:embed kept.sql
	kept string
)

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 10, Fold: fold,
		Tables:     []string{"rm_notifications", "rm_notified_roles", "rm_notified_requests", "rm_notified_people"},
		Schema:     tables,
		Indexes:    indexes,
		KeptTables: []string{"notification_marks", "notification_cleared"},
		Kept:       kept,
	}
}
