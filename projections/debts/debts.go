// Package debts is the read model of members' debts to Adashi, and of members whose card payments are locked.
package debts

import (
	"context"
	_ "embed"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/projections/engine"
)

// Name is the model's name.
const Name = "debts"

var (
	//go:embed tables.sql
	tables string
	//go:embed indexes.sql
	indexes string
)

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 1, Tables: []string{"rm_debts", "rm_locked_cards"}, Fold: fold,
		Ignores: table.Ignores(),
		Schema:  tables,
		Indexes: indexes,
	}
}

// folding collects the effects of a batch of events.
type folding struct {
	batch   *pgx.Batch
	changes engine.Changes
}

// queue changes a member's row.
func (f *folding) queue(user, sql string, args ...any) {
	f.batch.Queue(sql, append([]any{user}, args...)...)
	f.changes.User(user, "wallet") // It shows their debt.
}

var table = engine.Handlers(
	engine.On(func(f *folding, e engine.Event, m *nairav1.DebtOpened) {
		f.queue(m.GetUserId(), `INSERT INTO rm_debts AS d (user_id, pos, kobo, since, proposal_id, proposed_by, reason) VALUES ($1, $2, $3, $4, '', '', '')
			ON CONFLICT (user_id) DO UPDATE SET kobo = d.kobo + excluded.kobo, proposal_id = '', proposed_by = '', reason = '',
				pos = CASE WHEN d.kobo > 0 THEN d.pos ELSE excluded.pos END, since = CASE WHEN d.kobo > 0 THEN d.since ELSE excluded.since END`,
			e.Pos, m.GetAmountKobo(), e.EffectiveAt)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DebtSettled) {
		f.queue(m.GetUserId(), "UPDATE rm_debts SET kobo = $2, proposal_id = '', proposed_by = '', reason = '' WHERE user_id = $1", m.GetLeftKobo())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.WriteOffProposed) {
		f.queue(m.GetUserId(), "UPDATE rm_debts SET proposal_id = $2, proposed_by = $3, reason = $4 WHERE user_id = $1", m.GetProposalId(), m.GetProposedBy(), m.GetReason())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.WriteOffDeclined) {
		f.queue(m.GetUserId(), "UPDATE rm_debts SET proposal_id = '', proposed_by = '', reason = '' WHERE user_id = $1")
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DebtWrittenOff) {
		f.queue(m.GetUserId(), "UPDATE rm_debts SET kobo = kobo - $2, proposal_id = '', proposed_by = '', reason = '' WHERE user_id = $1", m.GetAmountKobo())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.CardMoneyTakenBack) {
		if m.GetLocks() {
			f.queue(m.GetUserId(), "INSERT INTO rm_locked_cards (user_id, pos, since) VALUES ($1, $2, $3) ON CONFLICT (user_id) DO NOTHING", e.Pos, e.EffectiveAt)
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.CardsUnlocked) {
		f.queue(m.GetUserId(), "DELETE FROM rm_locked_cards WHERE user_id = $1")
	}),
)

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	f := &folding{batch: &pgx.Batch{}}
	for _, e := range events {
		table.Take(f, e)
	}
	if f.batch.Len() == 0 {
		return f.changes, nil
	}
	f.changes.Desks = []string{engine.FinanceDesk}
	return f.changes, tx.SendBatch(ctx, f.batch).Close()
}

// Debt is a member's debt to Adashi.
type Debt struct {
	User                             string
	Pos                              int64
	Amount                           money.Kobo
	Since                            time.Time
	ProposalID, ProposedBy, Proposal string // A proposal to write it off: who made it, and why; empty if there is none.
}

// Page reads debts that were opened after a position, oldest first.
func Page(ctx context.Context, pool *pgxpool.Pool, after int64, limit int) ([]Debt, error) {
	rows, err := pool.Query(ctx, `SELECT user_id, pos, kobo, since, proposal_id, proposed_by, reason FROM rm_debts WHERE kobo > 0 AND pos > $1 ORDER BY pos LIMIT $2`, after, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Debt])
}

// Of is a member's debt.
func Of(ctx context.Context, pool *pgxpool.Pool, user string) (owed money.Kobo, err error) {
	err = pool.QueryRow(ctx, "SELECT coalesce(sum(kobo), 0)::bigint FROM rm_debts WHERE user_id = $1", user).Scan(&owed)
	return owed, err
}

// Sum is how many members have a debt, and the total.
func Sum(ctx context.Context, pool *pgxpool.Pool) (count int, sum money.Kobo, err error) {
	err = pool.QueryRow(ctx, "SELECT count(*), coalesce(sum(kobo), 0)::bigint FROM rm_debts WHERE kobo > 0").Scan(&count, &sum)
	return count, sum, err
}

// Locked is a member whose card payments are locked.
type Locked struct {
	User  string
	Pos   int64
	Since time.Time
}

// LockedCards reads members whose card payments are locked, the longest first.
func LockedCards(ctx context.Context, pool *pgxpool.Pool, limit int) ([]Locked, error) {
	rows, err := pool.Query(ctx, "SELECT user_id, pos, since FROM rm_locked_cards ORDER BY pos LIMIT $1", limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Locked])
}
