package boot

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/services/internal/config"
)

// Database opens the ledger's database alone, for a command that ends: DATABASE_URL, or the private server in the data
// folder, which must not be in use by another process then. stop closes it.
func Database(ctx context.Context, cfg config.Config) (pool *pgxpool.Pool, stop func(), err error) {
	if cfg.DatabaseURL == "" { // A private database never stands without its keys.
		if _, err := cfg.Secrets(); err != nil {
			return nil, nil, err
		}
	}
	i := &Instance{Config: cfg, failed: make(chan error, 8)}
	for _, step := range []func(context.Context) error{i.openPostgres, i.migrate} {
		if err := step(ctx); err != nil {
			i.Stop()
			return nil, nil, err
		}
	}
	return i.Pool, i.Stop, nil
}
