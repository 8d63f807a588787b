// Package notices is what members are told: their notifications in words, and the letters about them.
package notices

import (
	"context"

	"adashi.ng/projections/groups"
	"adashi.ng/projections/notifications"
	"adashi.ng/services/internal/usecase"
)

// Service tells members of things.
type Service struct {
	*usecase.Base
	Settings  Settings // Nil where everybody wants everything.
	PublicURL string   // Without a trailing slash.
}

// Settings are how members want to hear of things.
type Settings interface {
	// Hidden are the types of notifications that a member does not want to see.
	Hidden(ctx context.Context, user string) ([]string, error)
	// Unmailed are those that some members do not want by mail; it fails when it cannot answer for one of them.
	Unmailed(ctx context.Context, users ...string) (map[string][]string, error)
}

// ReadModels are the read models that notifications stand on.
var ReadModels = []string{notifications.Name, groups.Name}
