package notifications

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Standing is the position up to which payments and their recipients are known: the lesser of both models' positions.
func Standing(ctx context.Context, pool *pgxpool.Pool) (pos int64, err error) {
	err = pool.QueryRow(ctx, "SELECT coalesce(min(pos), 0) FROM projections WHERE name IN ('notifications', 'groups')").Scan(&pos)
	return pos, err
}

// After reads the stored notifications to mail after a position, in order, without splitting a position: at least limit
// if there are as many. Payments, of which officials are notified, are not among them.
func After(ctx context.Context, pool *pgxpool.Pool, pos int64, limit int) ([]Told, error) {
	rows, err := pool.Query(ctx, "SELECT "+columns+" , false FROM rm_notifications n WHERE "+isMailed+` AND pos > $1
		ORDER BY pos FETCH FIRST ($2) ROWS WITH TIES`, pos, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanned)
}

// Of reads mailed notifications by their ids, in order; missing ones are left out.
func Of(ctx context.Context, pool *pgxpool.Pool, ids []string) ([]Told, error) {
	var positions []int64
	for _, text := range ids {
		if id, err := uuid.Parse(text); err == nil {
			pos, _, _ := placeOf(id)
			positions = append(positions, pos)
		}
	}
	rows, err := pool.Query(ctx, "SELECT "+columns+", false FROM rm_notifications n WHERE "+isMailed+" AND pos = ANY($1) ORDER BY pos", positions)
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, scanned)
	return slices.DeleteFunc(all, func(t Told) bool { return !slices.Contains(ids, t.ID.String()) }), err
}

// Payments reads the newest payments of which a user was notified as an official, between two positions, both included,
// which were recorded after a moment.
func Payments(ctx context.Context, pool *pgxpool.Pool, userID string, from, to int64, since time.Time, limit int) ([]Notification, error) {
	rows, err := pool.Query(ctx, `SELECT p.*, false FROM rm_notified_terms t CROSS JOIN LATERAL (
			SELECT `+paymentColumns+" FROM rm_contributions a WHERE "+isTold+` AND a.pos BETWEEN $2 AND $3 AND a.recorded_at > $4 ORDER BY a.pos DESC LIMIT $5) p
		WHERE t.user_id = $1 AND t.told AND t.from_pos < $3 AND t.to_pos > $2 ORDER BY p.pos DESC LIMIT $5`, userID, from, to, since, limit)
	if err != nil {
		return nil, err
	}
	return notificationsOf(pgx.CollectRows(rows, scanned))
}

// Totals is the query of the number and sum of payments of which each official was notified after the position $1 and
// up to $2, which were recorded after $3: user_id, group_id, sub_account_id, payments, kobo, first_pos, last_pos.
const Totals = `SELECT t.user_id, a.group_id, a.sub_account_id, count(*) AS payments, sum(a.kobo)::bigint AS kobo, min(a.pos) AS first_pos, max(a.pos) AS last_pos
	FROM rm_contributions a JOIN rm_notified_terms t ON ` + isTold + `
	WHERE a.pos > $1 AND a.pos <= $2 AND a.recorded_at > $3 AND t.to_pos > $1 GROUP BY t.user_id, a.group_id, a.sub_account_id`
