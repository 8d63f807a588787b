package people

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/fault"
)

// The roles.
const (
	RoleUser       = "User"       // Everyone who signs up.
	RoleSupport    = "Support"    // Looks, and changes nothing.
	RoleFinanceOps = "FinanceOps" // Looks, and proposes adjustments.
	RoleAdmin      = "Admin"
)

// Roles are those that somebody can be granted.
var Roles = []string{RoleUser, RoleSupport, RoleFinanceOps, RoleAdmin}

// Has reports whether the caller holds any of the roles.
func (c Caller) Has(roles ...string) bool {
	return slices.ContainsFunc(c.Roles, func(role string) bool { return slices.Contains(roles, role) })
}

// GrantRole gives an account a role; one that it holds already is no error. Sessions that are open see it within
// cacheValid. Errors: fault.Invalid for no such role, fault.NotFound for no such account.
func GrantRole(ctx context.Context, pool *pgxpool.Pool, email, role string) error {
	if !slices.Contains(Roles, role) {
		return fault.Field("role", "There is no role %q. The roles are %s.", role, strings.Join(Roles, ", "))
	}
	tag, err := pool.Exec(ctx, `UPDATE accounts SET roles = CASE WHEN $2 = ANY (roles) THEN roles ELSE roles || $2::text END WHERE email = $1`,
		NormaliseEmail(email), role)
	if err == nil && tag.RowsAffected() == 0 {
		return fmt.Errorf("people: grant: %w", fault.New(fault.NotFound, "There is no account with this e-mail."))
	}
	return outage("grant", err)
}

// RevokeRole takes a role of our staff away from an account and ends its sessions: what is under way in one of them is
// refused, and its streams end within a beat. An account without that role is no error. Errors are those of GrantRole.
func RevokeRole(ctx context.Context, pool *pgxpool.Pool, email, role string) error {
	if !slices.Contains(Roles, role) || role == RoleUser {
		return fault.Field("role", "There is no role %q that can be taken away. The roles are %s.", role, strings.Join(Roles[1:], ", "))
	}
	return outage("revoke", pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		var id uuid.UUID
		err := tx.QueryRow(ctx, `UPDATE accounts SET roles = array_remove(roles, $2) WHERE email = $1 RETURNING id`, NormaliseEmail(email), role).Scan(&id)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.New(fault.NotFound, "There is no account with this e-mail.")
		}
		if err == nil {
			_, err = endAll(ctx, tx, id)
		}
		return err
	}))
}
