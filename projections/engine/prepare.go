package engine

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Tables are the engine's own.
var Tables = []string{"projections", "dead_letters", "rebuilds"}

// tables makes the engine's own tables. A part's checkpoint is one row; all rows of a model say the same version.
//
// It brings tables of an older build up to this one. It alters nothing without need: an ALTER would wait for, and
// delay, the keepers of the models.
//
//go:embed tables.sql
var tables string

// Prepare makes the tables of every model that has none. It leaves tables of another version as they are: these serve
// until a rebuild has replaced them. See AwaitServing.
func (e *Engine) Prepare(ctx context.Context) error {
	return pgx.BeginFunc(ctx, e.Pool, func(tx pgx.Tx) error {
		// Several processes may start at once.
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtext('adashi projections ' || current_schema()))"); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, tables); err != nil {
			return err
		}
		for _, m := range e.Models {
			if err := prepare(ctx, tx, m); err != nil {
				return fmt.Errorf("read model %s: %w", m.Name, err)
			}
		}
		return nil
	})
}

func prepare(ctx context.Context, tx pgx.Tx, m Model) error {
	if _, err := tx.Exec(ctx, m.Kept); err != nil {
		return err
	}
	tag, err := tx.Exec(ctx, "UPDATE projections SET tables = $2 WHERE name = $1 AND version = $3 AND tables <> $2", m.Name, m.Tables, m.Version)
	if err != nil || tag.RowsAffected() > 0 {
		return err
	}
	var stands bool
	if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM projections WHERE name = $1)", m.Name).Scan(&stands); err != nil || stands {
		return err
	}
	if _, err := tx.Exec(ctx, m.Schema+";"+m.Indexes); err != nil {
		return err
	}
	return stand(ctx, tx, m, make([]int64, m.parts()))
}

// stand writes the checkpoints of a model's parts.
func stand(ctx context.Context, tx pgx.Tx, m Model, pos []int64) error {
	_, err := tx.Exec(ctx, `INSERT INTO projections (name, part, version, pos, tables)
		SELECT $1, n - 1, $2, pos, $3 FROM unnest($4::bigint[]) WITH ORDINALITY AS p (pos, n)`, m.Name, m.Version, m.Tables, pos)
	return err
}

// Serving answers nil when every model's tables can answer this build's queries, else an error that names one.
func (e *Engine) Serving(ctx context.Context) error {
	for _, m := range e.Models {
		var version int
		if err := e.Pool.QueryRow(ctx, "SELECT version FROM projections WHERE name = $1 LIMIT 1", m.Name).Scan(&version); err != nil {
			return err
		}
		oldest := m.Serves
		if oldest == 0 {
			oldest = m.Version
		}
		if version < oldest {
			return fmt.Errorf("read model %s stands at version %d and is being rebuilt to %d: %w", m.Name, version, m.Version, errOutdated)
		}
		if version > m.Version {
			return fmt.Errorf("read model %s stands at version %d, newer than this build's %d; to go back to this build, rebuild the model with it", m.Name, version, m.Version)
		}
	}
	return nil
}

// AwaitServing waits until a projector, in whatever process, has brought every model to a version that this build's
// queries can read. It fails at once when a newer version stands.
func (e *Engine) AwaitServing(ctx context.Context) error {
	for {
		err := e.Serving(ctx)
		if !errors.Is(err, errOutdated) {
			return err
		}
		if pause(ctx, sweep/2); ctx.Err() != nil {
			return errors.Join(ctx.Err(), err)
		}
	}
}
