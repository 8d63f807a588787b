package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrNoEpoch is returned for an epoch that never began so, or is acknowledged already.
var ErrNoEpoch = errors.New("store: there is no such epoch to acknowledge")

// AcknowledgeEpoch notes who settled what was lost when an epoch began, and how: once. It fails with ErrNoEpoch.
func AcknowledgeEpoch(ctx context.Context, pool *pgxpool.Pool, epoch int, note string) error {
	if strings.TrimSpace(note) == "" {
		return errors.New("say who settled it, and what came of it")
	}
	tag, err := pool.Exec(ctx, "UPDATE ledger_epochs SET acknowledged = $2 WHERE epoch = $1 AND acknowledged = ''", epoch, note)
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "42P01" { // A ledger of before epochs were kept.
		return ErrNoEpoch
	}
	if err != nil {
		return fmt.Errorf("store: acknowledge epoch %d: %w", epoch, err)
	}
	if tag.RowsAffected() == 0 {
		return ErrNoEpoch
	}
	return nil
}
