package boot

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/infra/roles"
	"adashi.ng/projections"
	"adashi.ng/services/internal/vault"
)

// GrantRoles makes the database roles of every part, and grants them what they need.
func GrantRoles(ctx context.Context, pool *pgxpool.Pool) error {
	if err := roles.Ensure(ctx, pool, projections.Tables()); err != nil {
		return err
	}
	return vault.Grant(ctx, pool)
}
