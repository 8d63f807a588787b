package boot

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/infra/roles"
	"adashi.ng/projections"
	"adashi.ng/services/internal/session"
	"adashi.ng/services/internal/vault"
)

// GrantRoles makes the database roles of every part, and grants them what they need.
func GrantRoles(ctx context.Context, pool *pgxpool.Pool) error {
	if err := roles.Ensure(ctx, pool, projections.Tables()); err != nil {
		return err
	}
	if err := vault.Grant(ctx, pool); err != nil {
		return err
	}
	return session.Grant(ctx, pool, roles.Appender, vault.Role)
}
