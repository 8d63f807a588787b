// Package membership reads groups as their members stand in them: who is in a group and as what, what each paid and
// owes, what the group holds, and who may see that. Several areas stand on it; it gives no commands.
package membership

import (
	"context"

	"adashi.ng/services/internal/usecase"
)

// Reader reads groups with their members.
type Reader struct {
	*usecase.Base
	// Avatars answers the ids of the pictures of those who have one; nil where there are none.
	Avatars func(ctx context.Context, users []string) (map[string]string, error)
	Tallies *Tallies // Shared by all who read.
}
