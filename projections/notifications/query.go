package notifications

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/money"
	"adashi.ng/projections/notifications/told"
)

// Notification is one notification as its reader sees it.
type Notification struct {
	ID           uuid.UUID
	Pos          int64
	Type         string
	CreatedAt    time.Time // When it took effect.
	RecordedAt   time.Time // When the ledger recorded it.
	EventID      uuid.UUID
	About        string // The member it is about, or the standing order.
	GroupID      string
	SubAccountID string
	Amount       money.Kobo
	Detail       string
	Subject      string // The request that it is about; empty for anything else.
	Read         bool
}

// Told is a notification with its recipient.
type Told struct {
	Notification
	User string
}

// scanned reads a row of columns or paymentColumns, and whether it was read.
func scanned(row pgx.CollectableRow) (t Told, err error) {
	var code int16
	err = row.Scan(&t.User, &t.Pos, &code, &t.CreatedAt, &t.EventID, &t.About, &t.GroupID, &t.SubAccountID, &t.Amount, &t.Detail, &t.Subject, &t.RecordedAt, &t.Read)
	t.ID, t.Type = idOf(t.User, t.Pos, code, t.EventID), told.TypeOf(code)
	return t, err
}

// columns are the columns of stored notifications.
const columns = "n.user_id, n.pos, n.type, n.created_at, n.event_id, n.about_id, n.group_id, n.sub_account_id, n.kobo, n.detail, n.subject_id, n.recorded_at"

// paymentColumns are the same columns for a payment a in the notifications of the official of a term t.
const paymentColumns = `t.user_id, a.pos, 1::smallint AS type, a.effective_at AS created_at, a.id,
	CASE a.kind WHEN 'COVER' THEN a.paid_by ELSE a.user_id END AS about_id, a.group_id, a.sub_account_id, a.kobo,
	CASE a.kind WHEN 'COVER' THEN a.user_id ELSE '' END AS detail, '' AS subject_id, a.recorded_at`

// isTold is the condition that an official is notified of a payment: it came while they held the office, and they
// neither made it nor is it for them. Beyond this model's position the officials are not known.
const isTold = `a.group_id = t.group_id AND a.pos > t.from_pos AND a.pos < t.to_pos AND t.told
	AND a.kind IN ('CONTRIBUTION', 'COVER') AND t.user_id <> a.user_id AND t.user_id <> a.paid_by
	AND a.pos <= (SELECT min(pos) FROM projections WHERE name = 'notifications')`

// cleared are the bounds of a user, $1.
const cleared = `WITH c AS (SELECT coalesce(max(read_pos), 0) AS read_pos, coalesce(max(deleted_pos), 0) AS deleted_pos
	FROM notification_cleared WHERE user_id = $1) `

// seen joins the reader's marks for a row of m.
const seen = " LEFT JOIN notification_seen s ON s.user_id = m.user_id AND s.pos = m.pos AND s.type = m.type "

const isRead = "s.read_at IS NOT NULL OR m.pos <= (SELECT read_pos FROM c)"

// ErrNone is returned for a notification that does not exist or is another reader's.
var ErrNone = errors.New("notifications: no such notification")

// Page reads a user's notifications before a position (0: from the newest), newest first, without the given types. It
// never splits a position: it may answer a few more than limit.
func Page(ctx context.Context, pool *pgxpool.Pool, userID string, before int64, limit int, without ...string) ([]Notification, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	hidden, payments := hiding(without)
	// Each part reads a page's worth, and so does each term, so that the cost does not depend on how many there are.
	rows, err := pool.Query(ctx, cleared+`SELECT m.*, `+isRead+` FROM (
		(SELECT m.* FROM (SELECT `+columns+` FROM rm_notifications n) m`+seen+`
			WHERE m.user_id = $1 AND m.pos < $2 AND m.pos > (SELECT deleted_pos FROM c) AND m.type <> ALL($3) AND s.deleted_at IS NULL
			ORDER BY m.pos DESC FETCH FIRST ($4) ROWS WITH TIES)
		UNION ALL
		(SELECT p.* FROM rm_notified_terms t CROSS JOIN LATERAL (
			SELECT `+paymentColumns+` FROM rm_contributions a
				LEFT JOIN notification_seen s ON s.user_id = $1 AND s.pos = a.pos AND s.type = 1
				WHERE `+isTold+` AND a.pos < $2 AND a.pos > (SELECT deleted_pos FROM c) AND s.deleted_at IS NULL
				ORDER BY a.pos DESC LIMIT $4) p
			WHERE t.user_id = $1 AND t.told AND $5 AND t.from_pos < $2 AND t.to_pos > (SELECT deleted_pos FROM c))
		ORDER BY pos DESC FETCH FIRST ($4) ROWS WITH TIES) m`+seen+"ORDER BY m.pos DESC, m.type DESC", userID, before, hidden, limit, payments)
	if err != nil {
		return nil, err
	}
	return notificationsOf(pgx.CollectRows(rows, scanned))
}

func notificationsOf(all []Told, err error) ([]Notification, error) {
	list := make([]Notification, len(all))
	for i, t := range all {
		list[i] = t.Notification
	}
	return list, err
}

// hiding are the codes of hidden types, and whether payments to officials are shown.
func hiding(without []string) (hidden []int16, payments bool) {
	hidden, payments = []int16{}, true
	for _, typ := range without {
		if code := told.Code(typ); code != 0 {
			hidden, payments = append(hidden, code), payments && code != told.PaymentReceivedCode
		}
	}
	return hidden, payments
}

// One reads one notification.
func One(ctx context.Context, pool *pgxpool.Pool, userID string, id uuid.UUID) (Notification, error) {
	pos, code, ok := placeOf(id)
	if !ok {
		return Notification{}, ErrNone
	}
	rows, err := pool.Query(ctx, cleared+`SELECT m.*, `+isRead+` FROM (
		SELECT `+columns+` FROM rm_notifications n WHERE n.user_id = $1 AND n.pos = $2 AND n.type = $3
		UNION ALL
		SELECT `+paymentColumns+` FROM rm_contributions a JOIN rm_notified_terms t ON `+isTold+` WHERE a.pos = $2 AND t.user_id = $1 AND $3 = 1) m`+seen+`
		WHERE m.pos > (SELECT deleted_pos FROM c) AND s.deleted_at IS NULL`, userID, pos, code)
	if err != nil {
		return Notification{}, err
	}
	t, err := pgx.CollectExactlyOneRow(rows, scanned)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && t.ID != id {
		return Notification{}, ErrNone
	}
	return t.Notification, err
}

// UnreadMost is the number at which counting unread ones stops.
const UnreadMost = 100

// Unread counts a user's unread notifications, without the given types; UnreadMost also means any more.
func Unread(ctx context.Context, pool *pgxpool.Pool, userID string, without ...string) (n int, err error) {
	hidden, payments := hiding(without)
	err = pool.QueryRow(ctx, cleared+fmt.Sprintf(`, b AS (SELECT greatest(read_pos, deleted_pos) AS pos FROM c)
		SELECT count(*) FROM (
			(SELECT 1 FROM rm_notifications m`+seen+`WHERE m.user_id = $1 AND m.pos > (SELECT pos FROM b) AND m.type <> ALL($2)
				AND s.read_at IS NULL AND s.deleted_at IS NULL LIMIT %[1]d)
			UNION ALL
			(SELECT 1 FROM rm_notified_terms t CROSS JOIN LATERAL (
				SELECT 1 FROM rm_contributions a LEFT JOIN notification_seen s ON s.user_id = $1 AND s.pos = a.pos AND s.type = 1
					WHERE `+isTold+` AND a.pos > (SELECT pos FROM b) AND s.read_at IS NULL AND s.deleted_at IS NULL ORDER BY a.pos DESC LIMIT %[1]d) p
				WHERE t.user_id = $1 AND t.told AND $3 AND t.to_pos > (SELECT pos FROM b))
			LIMIT %[1]d) AS unread`, UnreadMost), userID, hidden, payments).Scan(&n)
	return n, err
}

// MarkRead marks one notification read.
func MarkRead(ctx context.Context, pool *pgxpool.Pool, userID string, id uuid.UUID, now time.Time) error {
	n, err := One(ctx, pool, userID, id)
	if err != nil {
		return err
	}
	_, err = pool.Exec(ctx, `INSERT INTO notification_seen AS s (user_id, pos, type, read_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (user_id, pos, type) DO UPDATE SET read_at = coalesce(s.read_at, excluded.read_at)`, userID, n.Pos, told.Code(n.Type), now.UTC())
	return err
}

// restored drops readers' marks after a position of a ledger that no longer exists.
func restored(ctx context.Context, tx pgx.Tx, pos int64) error {
	if _, err := tx.Exec(ctx, "DELETE FROM notification_seen WHERE pos > $1", pos); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `UPDATE notification_cleared SET read_pos = least(read_pos, $1), deleted_pos = least(deleted_pos, $1)
		WHERE greatest(read_pos, deleted_pos) > $1`, pos)
	return err
}

// MarkAllRead marks all of a user's notifications so far as read.
func MarkAllRead(ctx context.Context, pool *pgxpool.Pool, userID string, now time.Time) error {
	return mark(ctx, pool, userID, now, false)
}

// Clear hides all of a user's notifications so far from them.
func Clear(ctx context.Context, pool *pgxpool.Pool, userID string, now time.Time) error {
	return mark(ctx, pool, userID, now, true)
}

// mark moves a user's bounds to the newest of their notifications, up to the lesser position of both models. Stored
// ones beyond it are marked one by one: a payment before them may still be added.
func mark(ctx context.Context, pool *pgxpool.Pool, userID string, now time.Time, deleted bool) error {
	_, err := pool.Exec(ctx, `WITH known AS (SELECT min(pos) AS pos FROM projections WHERE name IN ('notifications', 'groups')),
		beyond AS (
			INSERT INTO notification_seen AS s (user_id, pos, type, read_at, deleted_at)
			SELECT n.user_id, n.pos, n.type, $3::timestamptz, CASE WHEN $2 THEN $3::timestamptz END FROM rm_notifications n
				WHERE n.user_id = $1 AND n.pos > (SELECT pos FROM known)
			ON CONFLICT (user_id, pos, type) DO UPDATE SET
				read_at = coalesce(s.read_at, excluded.read_at), deleted_at = coalesce(s.deleted_at, excluded.deleted_at)),
		newest AS (SELECT coalesce(max(pos), 0) AS pos FROM (
			SELECT max(n.pos) AS pos FROM rm_notifications n WHERE n.user_id = $1 AND n.pos <= (SELECT pos FROM known)
			UNION ALL
			SELECT p.pos FROM rm_notified_terms t CROSS JOIN LATERAL (
				SELECT a.pos FROM rm_contributions a WHERE `+isTold+` AND a.pos <= (SELECT pos FROM known) ORDER BY a.pos DESC LIMIT 1) p
				WHERE t.user_id = $1 AND t.told) AS every)
		INSERT INTO notification_cleared AS c (user_id, read_pos, deleted_pos)
		SELECT $1, newest.pos, CASE WHEN $2 THEN newest.pos ELSE 0 END FROM newest
		ON CONFLICT (user_id) DO UPDATE SET
			read_pos = greatest(c.read_pos, excluded.read_pos), deleted_pos = greatest(c.deleted_pos, excluded.deleted_pos)`, userID, deleted, now.UTC())
	return err
}
