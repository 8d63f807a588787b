package months

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"
)

// Month is a month whose list is sealed.
type Month struct {
	Place                                    string
	Ajo                                      bool
	Month                                    string
	Pos                                      int64
	NamedBy                                  string
	NamedAt                                  time.Time
	Round                                    int64
	Chain                                    string
	DrawAt                                   time.Time
	Position                                 int64
	Since                                    time.Time
	ToldLateAfter                            int64
	Population                               int
	Digest                                   []byte
	Always                                   []int64
	Margin                                   int
	DrawnAt                                  *time.Time
	Signature                                []byte
	Sample                                   []int64 // Once it is drawn.
	AttestedAt                               *time.Time
	AttestedBy                               string
	CountedAt                                int64
	Validated, Queried, Resolved, Unreviewed int
	DrawnQueried, AlwaysQueried, Undone      int
	Key, Signed                              []byte // Of the device that signed the attestation; empty if none did.
	Device                                   nairav1.DeviceKind
}

const columns = `SELECT place_id, ajo, month, pos, named_by, named_at, round, chain_hash, draw_at, position, since, told_late_after, population, digest, always, margin,
	drawn_at, signature, sample, attested_at, attested_by, counted_at, validated, queried, resolved, unreviewed, drawn_queried, always_queried, undone,
	attest_key, attest_signature, attest_device FROM rm_months `

// ErrNone says that a month is not closed.
var ErrNone = errors.New("months: it is not closed")

func list(ctx context.Context, pool *pgxpool.Pool, where string, args ...any) ([]Month, error) {
	rows, err := pool.Query(ctx, columns+where, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Month])
}

// Of reads the closed months of a group or ajo, the newest first.
func Of(ctx context.Context, pool *pgxpool.Pool, place string) ([]Month, error) {
	return list(ctx, pool, "WHERE place_id = $1 ORDER BY month DESC", place)
}

// One reads a closed month, or answers ErrNone.
func One(ctx context.Context, pool *pgxpool.Pool, place, month string) (Month, error) {
	found, err := list(ctx, pool, "WHERE place_id = $1 AND month = $2", place, month)
	if err == nil && len(found) == 0 {
		err = ErrNone
	}
	if err != nil {
		return Month{}, err
	}
	return found[0], nil
}

// ToDraw reads some months whose draw is due, the earliest first.
func ToDraw(ctx context.Context, pool *pgxpool.Pool, now time.Time, limit int) ([]Month, error) {
	return list(ctx, pool, "WHERE drawn_at IS NULL AND draw_at <= $1 ORDER BY draw_at LIMIT $2", now, limit)
}

// ToLookAt reads the months of some groups and ajo that are drawn and not attested.
func ToLookAt(ctx context.Context, pool *pgxpool.Pool, places []string) ([]Month, error) {
	return list(ctx, pool, "WHERE sample IS NOT NULL AND attested_at IS NULL AND place_id = ANY($1) ORDER BY place_id", places)
}
