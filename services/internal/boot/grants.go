package boot

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/roles"
	"adashi.ng/projections"
)

// GrantRoles makes the database roles of every part, and grants them what they need.
func GrantRoles(ctx context.Context, pool *pgxpool.Pool) error {
	return roles.Ensure(ctx, pool, projections.Tables())
}
