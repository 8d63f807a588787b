// Package liquidations is what members ask of their groups' money: their own savings, or a payment of the group; who
// decides, who objects, and what became of it.
package liquidations

import (
	"time"

	"adashi.ng/projections/groups"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/payouts"
	"adashi.ng/services/internal/usecase"
)

// Service takes requests for groups' money, and what people decide on them.
type Service struct {
	*usecase.Base
	Membership *membership.Reader
	Payouts    *payouts.Service // Sends what is approved, and knows where it goes.
}

// at answers a Service whose commands take effect at a moment.
func (s *Service) at(moment time.Time) *Service {
	then := *s
	then.Base = s.Base.At(moment)
	return &then
}

// ReadModels are the read models that requests stand on.
var ReadModels = []string{groups.Name, requests.Name}
