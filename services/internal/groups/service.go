// Package groups manages groups and their people: founding and closing, inviting, joining and leaving, offices and
// successors, documents, and the groups' pages.
package groups

import (
	"context"

	"adashi.ng/projections/groups"
	"adashi.ng/projections/requests"
	filestore "adashi.ng/services/internal/files"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
)

// Service manages groups.
type Service struct {
	*usecase.Base
	Membership *membership.Reader
	Files      *filestore.Store // Stores groups' documents.
	// Adult reports whether a person is 18 or older; when nil, everybody is.
	Adult         func(ctx context.Context, user string) (bool, error)
	InvitationKey []byte // Invitation codes are made from it.
	PublicURL     string // Without a trailing slash.
}

// Activator activates groups whose last missing condition was met elsewhere.
type Activator struct{ *usecase.Base }

// ReadModels are the read models of groups' pages.
var ReadModels = []string{groups.Name, requests.Name}
