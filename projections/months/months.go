// Package months is the read model of months that are closed: their lists, samples and attestations.
package months

import (
	"context"
	_ "embed"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

// Name is the model's name.
const Name = "months"

var (
	//go:embed tables.sql
	tables string
	//go:embed indexes.sql
	indexes string
)

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 1, Tables: []string{"rm_months"}, Fold: fold,
		Ignores: table.Ignores(),
		Schema:  tables,
		Indexes: indexes,
	}
}

// folding gathers what a batch of events did.
type folding struct {
	batch   pgx.Batch
	changes engine.Changes
}

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	f := &folding{}
	for _, e := range events {
		table.Take(f, e)
	}
	if f.batch.Len() == 0 {
		return f.changes, nil
	}
	return f.changes, tx.SendBatch(ctx, &f.batch).Close()
}

// ofMonth is an event of a month of a group or ajo.
type ofMonth interface {
	GetGroupId() string
	GetAjoId() string
	GetMonth() string
}

// place is the id of the event's group or ajo, whose members look again.
func (f *folding) place(m ofMonth) string {
	if id := m.GetAjoId(); id != "" {
		f.changes.Group(id)
		return id
	}
	f.changes.Group(m.GetGroupId())
	return m.GetGroupId()
}

var table = engine.Handlers(
	engine.On(func(f *folding, e engine.Event, m *nairav1.MonthSampleNamed) {
		f.batch.Queue(`INSERT INTO rm_months (place_id, ajo, month, pos, named_by, named_at, round, chain_hash, draw_at, position, since, told_late_after, population, digest, always, margin)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
			f.place(m), m.GetAjoId() != "", m.GetMonth(), e.Pos, m.GetBy(), e.EffectiveAt, int64(m.GetRound()), m.GetChainHash(), m.GetDrawAt().AsTime(), m.GetPosition(),
			m.GetSince().AsTime(), m.GetToldLateAfter(), m.GetPopulation(), m.GetDigest(), append([]int64{}, m.GetAlways()...), m.GetMarginBasisPoints())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.SampleDrawn) {
		f.batch.Queue("UPDATE rm_months SET drawn_at = $3, signature = $4, sample = $5 WHERE place_id = $1 AND month = $2",
			f.place(m), m.GetMonth(), e.EffectiveAt, m.GetSignature(), append([]int64{}, m.GetPositions()...))
		if m.GetAjoId() != "" {
			f.changes.User(m.GetToUserId(), "ajo")
		}
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.PeriodAttested) {
		f.batch.Queue(`UPDATE rm_months SET attested_at = $3, attested_by = $4, counted_at = $5, validated = $6, queried = $7, resolved = $8, unreviewed = $9,
			drawn_queried = $10, always_queried = $11, undone = $12 WHERE place_id = $1 AND month = $2`,
			f.place(m), m.GetMonth(), e.EffectiveAt, m.GetBy(), m.GetPosition(), m.GetValidated(), m.GetQueried(), m.GetResolved(), m.GetUnreviewed(),
			m.GetDrawnQueried(), m.GetAlwaysQueried(), m.GetUndone())
	}),
)
