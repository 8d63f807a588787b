// Package groups is groups and the people in them: founding and closing, inviting, joining and leaving, offices and who
// takes them over, documents, and what a group's pages show.
package groups

import (
	"context"

	"adashi.ng/projections/groups"
	"adashi.ng/projections/requests"
	filestore "adashi.ng/services/internal/files"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
)

// Service leads groups.
type Service struct {
	*usecase.Base
	Membership *membership.Reader
	Files      *filestore.Store // Where groups' documents are kept.
	// Adult reports whether somebody is 18 or older; where it is nil everybody is.
	Adult         func(ctx context.Context, user string) (bool, error)
	InvitationKey []byte // Invitation codes are made from it.
	PublicURL     string // Without a trailing slash.
}

// Activator makes groups active whose last need was met elsewhere.
type Activator struct{ *usecase.Base }

// ReadModels are the read models that groups' pages stand on.
var ReadModels = []string{groups.Name, requests.Name}
