package trail

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Reader reads the trail for replays: see replay.Trail.
type Reader struct{}

const missing = "the trail is not made here yet"

// Open locks the trail until the transaction ends, and answers the position that the trail has reached. It must be the
// first read of the transaction: otherwise the transaction's snapshot could be older than the trail. If there is no
// usable trail, why says so.
func (Reader) Open(ctx context.Context, tx pgx.Tx) (reached int64, why string, err error) {
	err = pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "LOCK TABLE rm_trail, projections IN ACCESS SHARE MODE")
		return err
	})
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "42P01" {
		return 0, missing, nil
	}
	if err != nil {
		return 0, "", err
	}
	var (
		stands int
		paused string
	)
	err = tx.QueryRow(ctx, "SELECT version, pos, paused FROM projections WHERE name = $1 AND part = 0", Name).Scan(&stands, &reached, &paused)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return 0, missing, nil
	case err != nil:
		return 0, "", err
	case stands != version:
		return 0, fmt.Sprintf("the trail is of version %d, and this build reads version %d", stands, version), nil
	case paused != "":
		return 0, "the trail is paused at an event that it cannot take", nil
	}
	return reached, "", nil
}

// Marks answers the positions of events that may name a subject, after one position and up to another, in order: the
// first ones or, with back, the last ones, from the last on. late says of each whether the event counts from another
// time than it was recorded at.
func (Reader) Marks(ctx context.Context, tx pgx.Tx, kind, id string, after, to int64, limit int, back bool) (positions []int64, late []bool, err error) {
	order := "ASC"
	if back {
		order = "DESC"
	}
	rows, err := tx.Query(ctx, "SELECT mark FROM rm_trail WHERE subject = $1 AND mark > $2 AND mark <= $3 ORDER BY mark "+order+" LIMIT $4",
		Key(Kind(kind), id), 2*after+1, 2*to+1, limit)
	if err != nil {
		return nil, nil, err
	}
	var mark int64
	_, err = pgx.ForEachRow(rows, []any{&mark}, func() error {
		positions, late = append(positions, mark/2), append(late, mark%2 == 1)
		return nil
	})
	return positions, late, err
}

// Meet reports whether an event names both a member and one of some subjects, which are keys.
func Meet(ctx context.Context, pool *pgxpool.Pool, member string, subjects []int64) (meet bool, err error) {
	err = pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM rm_trail a JOIN rm_trail b USING (mark) WHERE a.subject = $1 AND b.subject = ANY ($2))",
		Key(Member, member), subjects).Scan(&meet)
	return meet, err
}
