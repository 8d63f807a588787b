// Package months is the read model of samples of a group's or ajo's payments: closed months with their lists, samples
// and attestations, and the payments that the owner checks again.
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
		Name: Name, Version: 4, Tables: []string{"rm_months", "rm_rechecks"}, Fold: fold,
		Ignores: table.Ignores(),
		Schema:  tables,
		Indexes: indexes,
	}
}

// folding collects the effects of a batch of events.
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

// ofPlace is an event of a group or an ajo.
type ofPlace interface {
	GetGroupId() string
	GetAjoId() string
}

// place is the id of the event's group or ajo, whose members must read again.
func (f *folding) place(m ofPlace) string {
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
	engine.On(func(f *folding, e engine.Event, m *nairav1.PeriodAttestedV2) {
		f.batch.Queue(`UPDATE rm_months SET attested_at = $3, attested_by = $4, counted_at = $5, validated = $6, queried = $7, resolved = $8, unreviewed = $9,
			drawn_queried = $10, always_queried = $11, undone = $12, attest_key = $13, attest_signature = $14, attest_device = $15 WHERE place_id = $1 AND month = $2`,
			f.place(m), m.GetMonth(), e.EffectiveAt, m.GetBy(), m.GetPosition(), m.GetValidated(), m.GetQueried(), m.GetResolved(), m.GetUnreviewed(),
			m.GetDrawnQueried(), m.GetAlwaysQueried(), m.GetUndone(), append([]byte{}, m.GetPublicKey()...), append([]byte{}, m.GetSignature()...), m.GetDevice())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.RecheckAsked) {
		f.batch.Queue("INSERT INTO rm_rechecks (place_id, pos, mark) VALUES ($1, $2, $3) ON CONFLICT (place_id, pos) DO UPDATE SET mark = $3", f.place(m), m.GetPosition(), nairav1.Mark_MARK_VALIDATED)
		if m.GetAjoId() != "" {
			f.changes.User(m.GetToUserId(), "ajo")
		}
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.RecheckAgreed) {
		f.batch.Queue("UPDATE rm_rechecks SET agreed_by = $3, agreed_at = $4 WHERE place_id = $1 AND pos = $2", f.place(m), m.GetPosition(), m.GetBy(), e.EffectiveAt)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PaymentMarkedV2) {
		f.marked(m.GetGroupId(), m.GetPosition(), m.GetMark())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoPaymentMarkedV2) {
		f.marked(m.GetAjoId(), m.GetPosition(), m.GetMark())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PaymentUnmarked) {
		f.marked(m.GetGroupId(), m.GetPosition(), 0)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoPaymentUnmarked) {
		f.marked(m.GetAjoId(), m.GetPosition(), 0)
	}),
)

// marked keeps the mark of a payment that the owner is asked to check again. A resolution ends that; once the owner has
// agreed, any mark does.
func (f *folding) marked(place string, pos int64, mark nairav1.Mark) {
	f.batch.Queue("DELETE FROM rm_rechecks WHERE place_id = $1 AND pos = $2 AND ($3 OR agreed_at IS NOT NULL)", place, pos, mark == nairav1.Mark_MARK_RESOLVED)
	f.batch.Queue("UPDATE rm_rechecks SET mark = $3 WHERE place_id = $1 AND pos = $2", place, pos, mark)
}
