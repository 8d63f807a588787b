// Package audit is the desk of the officials of groups and ajo: every payment with the evidence of the bank and the
// ledger, and the officials' marks.
package audit

import (
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/months"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
)

// Service shows payments of a group or an ajo and takes their auditors' marks.
type Service struct {
	*usecase.Base
	Membership *membership.Reader // Knows the owner of the bank account that a group paid.
}

// ReadModels are the read models of the groups' audit, and AjoReadModels those of the ajo's.
var (
	ReadModels    = []string{groups.Name, months.Name}
	AjoReadModels = []string{ajos.Name, months.Name}
)
