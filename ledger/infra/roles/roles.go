// Package roles defines the database roles of the parts of the system, so that a part that is broken into can do no
// more than its own work: no role may change or remove an event.
package roles

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// The roles. They belong to the whole server; their rights are granted for one schema at a time.
const (
	Appender  = "adashi_appender"  // Adds events, and moves the balances and the head that go with them.
	Relay     = "adashi_relay"     // Reads events, seals them, raises the epoch.
	Projector = "adashi_projector" // Reads events and owns the read models.
)

//go:embed grants.sql
var grants string

// Ensure makes the roles and grants them their rights on the tables of the first schema of the pool's search_path.
// tables are those of the read models, which the projector will own. It runs after the migrations, as their owner, who
// must be allowed to create roles.
func Ensure(ctx context.Context, pool *pgxpool.Pool, tables []string) error {
	for _, role := range []string{Appender, Relay, Projector} {
		if err := Create(ctx, pool, role); err != nil {
			return err
		}
	}
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		// Grants are rows of the server's own tables: two processes that start at once would collide.
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtext('adashi roles'))"); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, grants); err != nil {
			return fmt.Errorf("roles: %w", err)
		}
		for _, table := range tables {
			if _, err := tx.Exec(ctx, "ALTER TABLE IF EXISTS "+pgx.Identifier{table}.Sanitize()+" OWNER TO "+Projector); err != nil {
				return fmt.Errorf("roles: %s: %w", table, err)
			}
		}
		return nil
	})
}

// Create makes a role without login, unless it exists, and lets the pool's user act as it.
func Create(ctx context.Context, pool *pgxpool.Pool, role string) error {
	var there bool
	if err := pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", role).Scan(&there); err != nil {
		return err
	}
	if !there {
		_, err := pool.Exec(ctx, "CREATE ROLE "+role+" NOLOGIN")
		var pg *pgconn.PgError
		if errors.As(err, &pg) && (pg.Code == "42710" || pg.Code == "23505") {
			err = nil // Another process was faster.
		}
		if err != nil {
			return fmt.Errorf("the database role %s is missing and this user may not create it: %w", role, err)
		}
	}
	var member bool
	if err := pool.QueryRow(ctx, "SELECT pg_has_role(current_user, $1, 'MEMBER')", role).Scan(&member); err != nil || member {
		return err
	}
	if _, err := pool.Exec(ctx, "GRANT "+role+" TO CURRENT_USER"); err != nil {
		return fmt.Errorf("this database user may not act as %s: %w", role, err)
	}
	return nil
}

// Pool opens a pool of at most that many connections that work under a role, to the database of another pool.
func Pool(ctx context.Context, like *pgxpool.Pool, role string, most int32) (*pgxpool.Pool, error) {
	config := like.Config()
	config.ConnConfig.RuntimeParams["role"] = role
	config.ConnConfig.RuntimeParams["application_name"] = role // So that pg_stat_activity tells them apart.
	config.MaxConns, config.MinConns = most, 0
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("roles: a pool as %s: %w", role, err)
	}
	return pool, nil
}
