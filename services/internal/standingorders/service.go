// Package standingorders is what members have paid from their wallets into their groups by themselves, week by week or
// month by month.
package standingorders

import (
	orders "adashi.ng/projections/standing"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/usecase"
)

// Service takes standing orders and runs them.
type Service struct {
	*usecase.Base
	Dues *dues.Service // Says what may be paid.
}

// ReadModels are the read models that orders stand on.
var ReadModels = []string{orders.Name}
