package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"adashi.ng/projections/engine/compare"
)

// Report is the result of Check.
type Report struct {
	Model    string
	Position int64 // Where both were compared: the least of the parts, each of which was compared at its own position.
	Rows     int64 // How many rows the fold has.
	Digest   string
	// Differences are the tables that differ; none when the model matches the ledger.
	Differences []compare.Difference
}

// Check folds a model from zero into scratch tables and compares them with the serving ones, row by row and both ways,
// at one position. It changes and delays nothing that serves, and leaves nothing behind. progress may be nil. Errors:
// ErrNoModel, ErrBusy, a *Refusal for an event that cannot be folded, a model whose tables have another version,
// outages. A model that differs is no error: see Report.
func (e *Engine) Check(ctx context.Context, model string, progress func(pos, head int64)) (Report, error) {
	b, err := e.begin(ctx, model, "check", progress)
	if err != nil {
		return Report{}, err
	}
	defer b.close()
	b.scratch = true
	report, err := b.check(ctx)
	if err != nil {
		return Report{}, fmt.Errorf("check of read model %s: %w", model, err)
	}
	return report, nil
}

func (b *build) check(ctx context.Context) (Report, error) {
	report := Report{Model: b.model.Name}
	until, comparable, err := b.target(ctx)
	if err != nil {
		return report, err
	}
	if !comparable {
		return report, fmt.Errorf("what stands cannot be compared with this build's version %d on this ledger; rebuild it", b.model.Version)
	}
	defer b.drop()
	if err := b.create(ctx); err != nil {
		return report, err
	}
	if err := b.bulk(ctx, until); err != nil {
		return report, err
	}
	err = b.atEqual(ctx, func(tx pgx.Tx) error {
		report.Position = slices.Min(b.pos)
		fresh, err := compare.Digest(ctx, tx, b.green, b.model.Tables)
		if err != nil {
			return err
		}
		report.Rows, report.Digest = fresh.Rows, fresh.Hex
		report.Differences, err = compare.Differences(ctx, tx, b.green, b.serving, b.model.Tables)
		return err
	})
	return report, err
}
