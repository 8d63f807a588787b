package notifications

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/money"
)

// Notification is one notification as its reader has it.
type Notification struct {
	ID           uuid.UUID
	Pos          int64
	Type         string
	CreatedAt    time.Time
	EventID      uuid.UUID
	About        string // The member it is about, or the standing order.
	GroupID      string
	SubAccountID string
	Amount       money.Kobo
	Detail       string
	Subject      string // The request that it is about; empty for anything else.
	Read         bool
}

const visible = ` FROM rm_notifications n
	LEFT JOIN notification_marks k ON k.id = n.id
	LEFT JOIN notification_cleared c ON c.user_id = n.user_id
	WHERE n.user_id = $1 AND n.type <> ALL($2::text[]) AND k.deleted_at IS NULL AND n.pos > coalesce(c.deleted_pos, 0)`

const columns = "SELECT n.id, n.pos, n.type, n.created_at, n.event_id, n.about_id, n.group_id, n.sub_account_id, n.kobo, n.detail, n.subject_id, k.read_at IS NOT NULL OR n.pos <= coalesce(c.read_pos, 0)"

// ErrNone is returned for a notification that is not the reader's.
var ErrNone = errors.New("notifications: no such notification")

// Page reads a user's notifications before a position (0: from the newest), newest first, without those types.
func Page(ctx context.Context, pool *pgxpool.Pool, userID string, before int64, limit int, without ...string) ([]Notification, error) {
	rows, err := pool.Query(ctx, columns+visible+" AND ($3 = 0 OR n.pos < $3) ORDER BY n.pos DESC, n.id DESC LIMIT $4", userID, all(without), before, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Notification])
}

// One reads one notification.
func One(ctx context.Context, pool *pgxpool.Pool, userID string, id uuid.UUID) (Notification, error) {
	rows, err := pool.Query(ctx, columns+visible+" AND n.id = $3", userID, []string{}, id)
	if err != nil {
		return Notification{}, err
	}
	n, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Notification])
	if errors.Is(err, pgx.ErrNoRows) {
		return n, ErrNone
	}
	return n, err
}

// all is a list that is never null.
func all(types []string) []string { return append([]string{}, types...) }

// Unread counts what a user has not read, without those types.
func Unread(ctx context.Context, pool *pgxpool.Pool, userID string, without ...string) (int, error) {
	var n int
	err := pool.QueryRow(ctx, "SELECT count(*)"+visible+" AND k.read_at IS NULL AND n.pos > coalesce(c.read_pos, 0)", userID, all(without)).Scan(&n)
	return n, err
}

// Told is a notification and whom it is for.
type Told struct {
	Notification
	User string
}

// After reads what anybody was told after a position, in order and never a part of one position: at least limit
// notifications where there are as many.
func After(ctx context.Context, pool *pgxpool.Pool, pos int64, limit int) ([]Told, error) {
	rows, err := pool.Query(ctx, `SELECT id, pos, type, created_at, event_id, about_id, group_id, sub_account_id, kobo, detail, subject_id, false, user_id FROM rm_notifications
		WHERE pos > $1 AND pos <= (SELECT max(pos) FROM (SELECT pos FROM rm_notifications WHERE pos > $1 ORDER BY pos LIMIT $2) AS next)
		ORDER BY pos, id`, pos, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Told])
}

// Of reads notifications by their ids, in order; those that are not there are left out.
func Of(ctx context.Context, pool *pgxpool.Pool, ids []string) ([]Told, error) {
	rows, err := pool.Query(ctx, `SELECT id, pos, type, created_at, event_id, about_id, group_id, sub_account_id, kobo, detail, subject_id, false, user_id FROM rm_notifications
		WHERE id = ANY($1::uuid[]) ORDER BY pos, id`, ids)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Told])
}

// Newest is the position of the newest notification of all; 0 when there is none.
func Newest(ctx context.Context, pool *pgxpool.Pool) (pos int64, err error) {
	err = pool.QueryRow(ctx, "SELECT coalesce(max(pos), 0) FROM rm_notifications").Scan(&pos)
	return pos, err
}

// MarkRead marks one notification read.
func MarkRead(ctx context.Context, pool *pgxpool.Pool, userID string, id uuid.UUID) error {
	if _, err := One(ctx, pool, userID, id); err != nil {
		return err
	}
	_, err := pool.Exec(ctx, `INSERT INTO notification_marks (id, user_id, read_at) VALUES ($1, $2, now())
		ON CONFLICT (id) DO UPDATE SET read_at = coalesce(notification_marks.read_at, excluded.read_at)`, id, userID)
	return err
}

// MarkAllRead marks everything a user has been told so far read.
func MarkAllRead(ctx context.Context, pool *pgxpool.Pool, userID string) error {
	return mark(ctx, pool, userID, "read_pos = excluded.read_pos")
}

// Clear removes everything a user has been told so far from their sight.
func Clear(ctx context.Context, pool *pgxpool.Pool, userID string) error {
	return mark(ctx, pool, userID, "read_pos = excluded.read_pos, deleted_pos = excluded.deleted_pos")
}

func mark(ctx context.Context, pool *pgxpool.Pool, userID, set string) error {
	deleted := "0"
	if set != "read_pos = excluded.read_pos" {
		deleted = "latest.pos"
	}
	_, err := pool.Exec(ctx, `INSERT INTO notification_cleared (user_id, read_pos, deleted_pos)
		SELECT $1, latest.pos, `+deleted+` FROM (SELECT coalesce(max(pos), 0) AS pos FROM rm_notifications WHERE user_id = $1) AS latest
		ON CONFLICT (user_id) DO UPDATE SET `+set, userID)
	return err
}
