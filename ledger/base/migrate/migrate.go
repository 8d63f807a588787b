// Package migrate applies a package's embedded SQL migrations with goose, each package under its own version table.
package migrate

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"adashi.ng/ledger/base/apart"
)

// Up applies every migration of files that table has not recorded yet, in the first schema of the pool's
// search_path. Processes that start together take turns.
func Up(ctx context.Context, pool *pgxpool.Pool, files fs.FS, table string) error {
	conn, end, err := apart.Connect(ctx, pool)
	if err != nil {
		return fmt.Errorf("migrate %s: %w", table, err)
	}
	defer end() // It ends the lock.
	const key = `hashtextextended(current_schema() || '.' || $1, 0)`
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(`+key+`)`, table); err != nil {
		return fmt.Errorf("migrate %s: %w", table, err)
	}
	db := stdlib.OpenDBFromPool(pool)
	defer func() { _ = db.Close() }()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files,
		goose.WithTableName(table), goose.WithDisableGlobalRegistry(true), goose.WithSlog(slog.New(slog.DiscardHandler)))
	if err != nil {
		return fmt.Errorf("migrate %s: %w", table, err)
	}
	if err := known(ctx, provider); err != nil {
		return fmt.Errorf("migrate %s: %w", table, err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate %s: %w", table, err)
	}
	return nil
}

// known refuses a database that a newer build has migrated: this build does not know the meaning of its tables.
func known(ctx context.Context, provider *goose.Provider) error {
	stands, err := provider.GetDBVersion(ctx)
	if err != nil {
		return err
	}
	newest := int64(0)
	for _, source := range provider.ListSources() {
		newest = max(newest, source.Version)
	}
	if stands > newest {
		return fmt.Errorf("the database is at version %d and this build of Adashi knows only %d: run the newer build. Nothing was changed", stands, newest)
	}
	return nil
}
