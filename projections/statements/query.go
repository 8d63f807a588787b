package statements

import (
	"context"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/money"
	"adashi.ng/projections/engine"
)

// Balance is an account's balance, and the position up to which it counts. An account that was never posted to has
// zero.
type Balance struct {
	Kobo     money.Kobo
	Position int64
}

// standing is a scalar subquery for the position of the model's part that keeps an account. $2 is the part.
const standing = "(SELECT pos FROM projections WHERE name = '" + Name + "' AND part = $2)"

func part(account string) int { return engine.PartOf(account, partitions) }

// AtPosition answers an account's balance right after a position. Position is the one asked for, or less when the model
// has not reached it yet.
func AtPosition(ctx context.Context, pool *pgxpool.Pool, account string, pos int64) (Balance, error) {
	return one(pool.Query(ctx, `SELECT coalesce((SELECT balance_kobo FROM rm_entries WHERE account = $1 AND pos <= $3 ORDER BY pos DESC, n DESC LIMIT 1), 0),
		least($3, `+standing+`)`, Key(account), part(account), pos))
}

// AtRecorded answers an account's balance at a time, as the ledger recorded it by then. Position is the model's
// position: later events are not counted yet, even if they were recorded before the time.
//
// Positions are in the order of recording, so a binary search over the positions finds the last entry by then. It takes
// as many lookups in the primary key as the latest position has bits, however many entries there are.
func AtRecorded(ctx context.Context, pool *pgxpool.Pool, account string, at time.Time) (Balance, error) {
	return one(pool.Query(ctx, `
		WITH RECURSIVE search (low, high) AS (
			SELECT 0::bigint, (SELECT coalesce(max(pos), 0) FROM rm_entries WHERE account = $1)
			UNION ALL
			SELECT CASE WHEN by_then THEN mid ELSE low END, CASE WHEN by_then THEN high ELSE mid - 1 END
			FROM search, LATERAL (SELECT (low + high + 1) / 2 AS mid) m, LATERAL (SELECT coalesce((SELECT recorded_at <= $3 FROM rm_entries
				WHERE account = $1 AND pos <= mid ORDER BY pos DESC LIMIT 1), true) AS by_then) b
			WHERE low < high)
		SELECT coalesce((SELECT balance_kobo FROM rm_entries, search WHERE account = $1 AND low = high AND pos <= low ORDER BY pos DESC, n DESC LIMIT 1), 0),
			`+standing, Key(account), part(account), at.UTC()))
}

// AtEffective answers an account's balance at a time from all events that count from then or before, whenever they were
// recorded: back-dated events count. Position is the model's position. It sums the days before and, of the day itself,
// the entries between the positions of its first and last.
func AtEffective(ctx context.Context, pool *pgxpool.Pool, account string, at time.Time) (Balance, error) {
	day := time.Unix(floorDay(at)*int64(dayHours.Seconds()), 0).UTC()
	return one(pool.Query(ctx, `SELECT (coalesce((SELECT sum(kobo) FROM rm_account_days WHERE account = $1 AND day < $4::date), 0)
		+ coalesce((SELECT sum(e.kobo) FROM rm_account_days d JOIN rm_entries e ON e.account = d.account AND e.pos BETWEEN d.first_pos AND d.last_pos
			WHERE d.account = $1 AND d.day = $4::date AND e.effective_at >= $5 AND e.effective_at <= $3), 0))::bigint,
		`+standing, Key(account), part(account), at.UTC(), day, day))
}

func one(rows pgx.Rows, err error) (Balance, error) {
	if err != nil {
		return Balance{}, err
	}
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Balance])
}

// Entry is one line of an event, as posted to an account.
type Entry struct {
	Pos         int64
	N           int // The line of the event, from 0.
	Amount      money.Kobo
	Balance     money.Kobo // Of the account, after the line.
	EffectiveAt time.Time
	RecordedAt  time.Time
}

// Entries reads an account's entries from a position to another, both included, oldest first, at most limit. A to of 0
// means no end.
func Entries(ctx context.Context, pool *pgxpool.Pool, account string, from, to int64, limit int) ([]Entry, error) {
	if to == 0 {
		to = math.MaxInt64
	}
	rows, err := pool.Query(ctx, `SELECT pos, n, kobo, balance_kobo, effective_at, recorded_at FROM rm_entries
		WHERE account = $1 AND pos BETWEEN $2 AND $3 ORDER BY pos, n LIMIT $4`, Key(account), from, to, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Entry])
}
