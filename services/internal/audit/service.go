// Package audit is what the officials of groups and ajo see to: every payment with what the bank and the ledger say of
// it, and the marks that they give.
package audit

import (
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/months"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
)

// Service shows payments of a group or an ajo and takes the marks of those who audit them.
type Service struct {
	*usecase.Base
	Membership *membership.Reader // Knows to whose own account a group paid.
}

// ReadModels are the read models that the audit of groups stands on, and AjoReadModels those of the audit of ajo.
var (
	ReadModels    = []string{groups.Name, months.Name}
	AjoReadModels = []string{ajos.Name, months.Name}
)
