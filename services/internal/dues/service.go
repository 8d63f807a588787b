// Package dues is members' payments into their groups and their open dues: contributions, paying for others, unpaid
// dues, reminders, penalties and waivers, and the histories, grids and the group's book that show them.
package dues

import (
	"context"

	"adashi.ng/projections/groups"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
)

// Service takes contributions and shows dues.
type Service struct {
	*usecase.Base
	Membership *membership.Reader
	// MayContribute refuses people who may not pay into groups; nil refuses nobody.
	MayContribute func(ctx context.Context, user string) error
}

// ReadModels are the read models of dues and payments.
var ReadModels = []string{groups.Name, requests.Name}

// BookModels are those of a group's book.
var BookModels = []string{groups.Name}
