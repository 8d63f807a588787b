package people

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
