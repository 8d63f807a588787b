// Package dues is what members pay into their groups and what they owe: contributions, paying for others, what is not
// paid yet, reminders, penalties and waivers, and how all that shows in histories, grids and the group's book.
package dues

import (
	"context"

	"adashi.ng/projections/groups"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
)

// Service takes contributions and says what is due.
type Service struct {
	*usecase.Base
	Membership *membership.Reader
	// MayContribute refuses those who may not pay into groups; nil refuses nobody.
	MayContribute func(ctx context.Context, user string) error
}

// ReadModels are the read models that what is due and paid stands on.
var ReadModels = []string{groups.Name, requests.Name}

// BookModels are those that a group's book stands on.
var BookModels = []string{groups.Name}
