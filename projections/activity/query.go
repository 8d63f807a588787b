package activity

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
)

// Movement is one movement of a member's money.
type Movement struct {
	Pos                     int64
	ID                      uuid.UUID
	User, Kind              string
	Amount, Charge, Balance money.Kobo
	EffectiveAt, RecordedAt time.Time
	Reference               string
	Channel                 nairav1.Channel
	GroupID, SubAccountID   string
	Settled                 []Settled
	Lines                   []Line
	Leaf                    []byte
	AjoID                   string // Or a card's.
}

const movementColumns = "pos, id, user_id, kind, kobo, charge_kobo, balance_kobo, effective_at, recorded_at, reference, channel, group_id, sub_account_id, settled::json, lines::json, leaf, ajo_id"

// Filter narrows a member's movements. A zero one lets everything through.
type Filter struct {
	Kinds    []string // Any of them; nil means all.
	Incoming *bool
	Channel  nairav1.Channel
	GroupID  string
	From, To time.Time // When they count from, the end not included.
	Search   Search
}

// Search is a person's search: a movement fits if any of its fields fits. A zero Search finds nothing.
type Search struct {
	Text     string // In the reference, in upper or lower case.
	Groups   []string
	Subs     []string
	From, To money.Kobo // The amount, both ends included; 0 and 0 for none.
}

// found selects the positions of a member's movements that a filter lets through, between two positions, neither
// included. One index has all that it reads.
const found = ` SELECT pos FROM rm_movements WHERE user_id = $1 AND pos < $2 AND pos > $3
	AND ($4::text[] IS NULL OR kind = ANY($4)) AND ($5::boolean IS NULL OR incoming = $5) AND ($6 = 0 OR channel = $6) AND ($7 = '' OR group_id = $7)
	AND ($8::timestamptz IS NULL OR effective_at >= $8) AND ($9::timestamptz IS NULL OR effective_at < $9)
	AND ($10 = '' OR strpos(lower(reference), $10) > 0 OR group_id = ANY($11::text[]) OR sub_account_id = ANY($12::text[]) OR ($14 > 0 AND kobo BETWEEN $13 AND $14)) `

func (f Filter) args(userID string, before, after int64, limit int) []any {
	if before == 0 {
		before = math.MaxInt64
	}
	s := f.Search
	return []any{userID, before, after, f.Kinds, f.Incoming, int32(f.Channel), f.GroupID, orNull(f.From), orNull(f.To), s.Text, s.Groups, s.Subs, int64(s.From), int64(s.To), limit}
}

func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

const (
	newestFirst = "WITH page AS MATERIALIZED (" + found + "ORDER BY pos DESC LIMIT $15) SELECT " + movementColumns + " FROM rm_movements WHERE user_id = $1 AND pos = ANY(ARRAY(SELECT pos FROM page)) ORDER BY pos DESC"
	oldestFirst = "WITH page AS MATERIALIZED (" + found + "ORDER BY pos LIMIT $15) SELECT " + movementColumns + " FROM rm_movements WHERE user_id = $1 AND pos = ANY(ARRAY(SELECT pos FROM page)) ORDER BY pos"
)

// Page reads a member's movements recorded before a position (0: from the newest), newest first.
func Page(ctx context.Context, pool *pgxpool.Pool, userID string, f Filter, before int64, limit int) ([]Movement, error) {
	return read(pool.Query(ctx, newestFirst, f.args(userID, before, 0, limit)...))
}

// After reads a member's movements recorded after one position and before another (0: up to the newest), oldest first.
func After(ctx context.Context, pool *pgxpool.Pool, userID string, f Filter, after, before int64, limit int) ([]Movement, error) {
	return read(pool.Query(ctx, oldestFirst, f.args(userID, before, after, limit)...))
}

// Explain answers how the database reads a page, as its own JSON. It runs the query.
func Explain(ctx context.Context, pool *pgxpool.Pool, userID string, f Filter, before int64, limit int) (plan []byte, err error) {
	err = pool.QueryRow(ctx, "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) "+newestFirst, f.args(userID, before, 0, limit)...).Scan(&plan)
	return plan, err
}

func read(rows pgx.Rows, err error) ([]Movement, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Movement])
}

// SubAccounts are the sub-accounts of a member's movements, for themselves and for other members.
func SubAccounts(ctx context.Context, pool *pgxpool.Pool, userID string) ([]string, error) {
	rows, err := pool.Query(ctx, "SELECT DISTINCT sub_account_id FROM rm_movements WHERE user_id = $1 AND sub_account_id <> ''", userID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// Last is when a member's money last moved; the zero time if it never did.
func Last(ctx context.Context, pool *pgxpool.Pool, userID string) (time.Time, error) {
	var last *time.Time
	err := pool.QueryRow(ctx, "SELECT max(recorded_at) FROM rm_movements WHERE user_id = $1", userID).Scan(&last)
	if err != nil || last == nil {
		return time.Time{}, err
	}
	return *last, nil
}

// ErrNone is returned for a movement or payment that is not there.
var ErrNone = errors.New("activity: no such row")

// One reads a member's movement by its id; ErrNone when it is another member's, or does not exist.
func One(ctx context.Context, pool *pgxpool.Pool, userID string, id uuid.UUID) (Movement, error) {
	rows, err := pool.Query(ctx, "SELECT "+movementColumns+" FROM rm_movements WHERE user_id = $1 AND id = $2", userID, [16]byte(id))
	if err != nil {
		return Movement{}, err
	}
	return one(pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Movement]))
}

// OfPayment reads the movement by which a member's payment arrived; ErrNone until it has.
func OfPayment(ctx context.Context, pool *pgxpool.Pool, userID, paymentID string) (Movement, error) {
	return Of(ctx, pool, userID, WalletFunded, paymentID)
}

// Of reads a member's first movement of a kind with a reference; ErrNone when there is none.
func Of(ctx context.Context, pool *pgxpool.Pool, userID, kind, reference string) (Movement, error) {
	rows, err := pool.Query(ctx, "SELECT "+movementColumns+" FROM rm_movements WHERE user_id = $1 AND reference = $2 AND kind = $3 ORDER BY pos LIMIT 1", userID, reference, kind)
	if err != nil {
		return Movement{}, err
	}
	return one(pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Movement]))
}

func one[T any](row T, err error) (T, error) {
	if errors.Is(err, pgx.ErrNoRows) {
		return row, ErrNone
	}
	return row, err
}

// Months sums a member's contributions by Lagos month since a day; months without a contribution are absent.
func Months(ctx context.Context, pool *pgxpool.Pool, userID string, since time.Time) (map[string]money.Kobo, error) {
	rows, err := pool.Query(ctx, `SELECT to_char(effective_at AT TIME ZONE INTERVAL '1 hour', 'YYYY-MM'), sum(CASE kind WHEN 'CONTRIBUTION' THEN kobo ELSE -kobo END)::bigint FROM rm_movements
		WHERE user_id = $1 AND kind IN ('CONTRIBUTION', 'CONTRIBUTION_REVERSED') AND effective_at >= $2 GROUP BY 1`, userID, since)
	if err != nil {
		return nil, err
	}
	months := map[string]money.Kobo{}
	var (
		month string
		kobo  money.Kobo
	)
	_, err = pgx.ForEachRow(rows, []any{&month, &kobo}, func() error { months[month] = kobo; return nil })
	return months, err
}

// ofWallet leaves out movements that moved no money of a wallet.
const ofWallet = " AND kind NOT IN ('" + SavingsPaidOut + "', '" + SavingsReturned + "')"

// Flow is the money that came into a member's wallet and that left it.
type Flow struct{ In, Out money.Kobo }

// Flows sums the money that came into and left a member's wallet by Lagos month (YYYY-MM) since a day; months without
// any are absent.
func Flows(ctx context.Context, pool *pgxpool.Pool, userID string, since time.Time) (map[string]Flow, error) {
	rows, err := pool.Query(ctx, `SELECT to_char(effective_at AT TIME ZONE INTERVAL '1 hour', 'YYYY-MM'), coalesce(sum(kobo) FILTER (WHERE incoming), 0)::bigint,
		coalesce(sum(kobo) FILTER (WHERE NOT incoming), 0)::bigint FROM rm_movements WHERE user_id = $1 AND effective_at >= $2`+ofWallet+` GROUP BY 1`, userID, since)
	if err != nil {
		return nil, err
	}
	months := map[string]Flow{}
	var (
		month string
		flow  Flow
	)
	_, err = pgx.ForEachRow(rows, []any{&month, &flow.In, &flow.Out}, func() error { months[month] = flow; return nil })
	return months, err
}

// Statement is a member's movements between two times with the wallet's balances before and after them, all as of one
// position.
type Statement struct {
	Opening, Closing, In, Out money.Kobo
	Movements                 []Movement // Sorted by the time from which they count.
	Position                  int64
}

// ErrTooMany is returned for a statement with more movements than the limit.
var ErrTooMany = errors.New("activity: too many movements")

// StatementOf makes a statement of the time from one moment to before another; ErrTooMany when it has more than most
// movements.
func StatementOf(ctx context.Context, pool *pgxpool.Pool, userID string, from, to time.Time, most int) (s Statement, err error) {
	return s, pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT (SELECT pos FROM projections WHERE name = $3), coalesce(sum(CASE WHEN incoming THEN kobo ELSE -kobo END), 0)::bigint
			FROM rm_movements WHERE user_id = $1 AND effective_at < $2`+ofWallet, userID, from, Name).Scan(&s.Position, &s.Opening); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `WITH within AS MATERIALIZED (SELECT pos FROM rm_movements WHERE user_id = $1 AND effective_at >= $2 AND effective_at < $3`+ofWallet+` ORDER BY effective_at, pos LIMIT $4)
			SELECT `+movementColumns+" FROM rm_movements WHERE user_id = $1 AND pos = ANY(ARRAY(SELECT pos FROM within)) ORDER BY effective_at, pos", userID, from, to, most+1)
		if s.Movements, err = read(rows, err); err != nil {
			return err
		}
		if len(s.Movements) > most {
			return ErrTooMany
		}
		for _, m := range s.Movements {
			if Incoming(m.Kind) {
				s.In += m.Amount
			} else {
				s.Out += m.Amount
			}
		}
		s.Closing = s.Opening + s.In - s.Out
		return nil
	})
}
