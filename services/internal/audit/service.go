// Package audit is what a group's officials see to: every payment with what the bank and the ledger say of it, and the
// marks that they give.
package audit

import (
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/usecase"
)

// Service shows a group's payments to its officials and takes their marks.
type Service struct{ *usecase.Base }

// ReadModels are the read models that the audit stands on.
var ReadModels = []string{groups.Name}
