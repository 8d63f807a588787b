package ajos

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/letters"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/projections/query"
)

// Ajo is an ajo in its current state.
type Ajo struct {
	ID, Name, Description string
	Pos                   int64 // Of its creation.
	CreatedAt             time.Time
	Members, FreeHalves   int
	Cycle                 int    // The current cycle; 0 when there is none.
	Opens, Due            string // Days of that cycle; empty when there is none.
	ChosenBy, Deadline    string
	Full                  bool // All seats but one have paid, and any of them may collect.
	PaidOut               bool // Every cycle's pot is paid out, and the ajo is not completed.
	Carried               bool // Its members have voted to end it.
	State                 ajo.Ajo
}

const columns = `SELECT a.ajo_id, a.name, a.description, a.created_pos, a.created_at, a.members, a.free_halves, a.cycle, a.opens, a.due, a.chosen_by,
	a.deadline, a.is_full, a.is_paid_out, a.is_carried, s.state, a.ready FROM rm_ajos a JOIN rm_ajo_states s USING (ajo_id) `

// querier is a pool, or a transaction that sees one moment.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

func collect(ctx context.Context, from querier, sql string, args ...any) ([]Ajo, error) {
	rows, err := from.Query(ctx, columns+sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (a Ajo, err error) {
		var state, ready query.Lent
		if err = row.Scan(&a.ID, &a.Name, &a.Description, &a.Pos, &a.CreatedAt, &a.Members, &a.FreeHalves, &a.Cycle, &a.Opens, &a.Due, &a.ChosenBy,
			&a.Deadline, &a.Full, &a.PaidOut, &a.Carried, &state, &ready); err != nil {
			return a, err
		}
		a.State, err = ajoOf(state, ready)
		return a, err
	})
}

// ErrNone is returned for an ajo or a card that does not exist.
var ErrNone = errors.New("ajos: no such row")

// ByID reads an ajo.
func ByID(ctx context.Context, pool *pgxpool.Pool, id string) (Ajo, error) {
	return byID(ctx, pool, id)
}

func byID(ctx context.Context, from querier, id string) (Ajo, error) {
	found, err := collect(ctx, from, "WHERE a.ajo_id = $1", id)
	if err == nil && len(found) == 0 {
		err = ErrNone
	}
	if err != nil {
		return Ajo{}, err
	}
	return found[0], nil
}

// From reads the ids of some ajos in order, from one on, and then continues from the beginning.
func From(ctx context.Context, pool *pgxpool.Pool, id string, limit int) ([]string, error) {
	rows, err := pool.Query(ctx, `(SELECT ajo_id FROM rm_ajos WHERE ajo_id >= $1 ORDER BY ajo_id LIMIT $2) UNION ALL
		(SELECT ajo_id FROM rm_ajos WHERE ajo_id < $1 ORDER BY ajo_id LIMIT $2) LIMIT $2`, id, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// OfUser reads the ajos in which a user holds a place, newest first.
func OfUser(ctx context.Context, pool *pgxpool.Pool, userID string) ([]Ajo, error) {
	return collect(ctx, pool, "JOIN rm_ajo_members m USING (ajo_id) WHERE m.user_id = $1 AND NOT m.has_left ORDER BY a.created_pos DESC", userID)
}

// EverOfUser are the ajos in which a user holds a place or held one, newest first.
func EverOfUser(ctx context.Context, pool *pgxpool.Pool, userID string) ([]Ajo, error) {
	return collect(ctx, pool, "JOIN rm_ajo_members m USING (ajo_id) WHERE m.user_id = $1 ORDER BY a.created_pos DESC", userID)
}

// Available reads the ajos that a user can join, and those in which they hold a place, created before a position (0:
// from the newest), newest first, whose name contains a text, regardless of case and accents.
func Available(ctx context.Context, pool *pgxpool.Pool, userID, text string, before int64, limit int) ([]Ajo, error) {
	return collect(ctx, pool, `WHERE a.created_pos < $2 AND ($3 = '' OR strpos(a.folded, $3) > 0) AND (a.listed AND a.status = 'OPEN' AND a.free_halves > 0
			OR EXISTS (SELECT 1 FROM rm_ajo_members m WHERE m.ajo_id = a.ajo_id AND m.user_id = $1 AND NOT m.has_left))
		ORDER BY a.created_pos DESC LIMIT $4`, userID, orNewest(before), letters.Folded(text), limit)
}

func orNewest(before int64) int64 {
	if before == 0 {
		return math.MaxInt64
	}
	return before
}

// Member is a person who holds a place, or held one.
type Member struct {
	AjoID, User string
	Seats       []int32
	Halves      int
	Left        bool
	Dues, Sweep bool       // What Adashi may take from their wallet automatically.
	Deposit     money.Kobo // Their deposit.
}

// Members reads the current and former holders of places of an ajo.
func Members(ctx context.Context, pool *pgxpool.Pool, ajoID string) ([]Member, error) {
	return list[Member](pool.Query(ctx, "SELECT ajo_id, user_id, seats, halves, has_left, dues, sweep, deposit FROM rm_ajo_members WHERE ajo_id = $1 ORDER BY has_left, seats, user_id", ajoID))
}

// PlacesOf reads the places that a user holds, or held, in all ajo.
func PlacesOf(ctx context.Context, pool *pgxpool.Pool, userID string) ([]Member, error) {
	return list[Member](pool.Query(ctx, "SELECT ajo_id, user_id, seats, halves, has_left, dues, sweep, deposit FROM rm_ajo_members WHERE user_id = $1 ORDER BY has_left, ajo_id", userID))
}

// MemberOf reads a member's place in an ajo; ErrNone when they never had one.
func MemberOf(ctx context.Context, pool *pgxpool.Pool, ajoID, userID string) (Member, error) {
	all, err := list[Member](pool.Query(ctx, "SELECT ajo_id, user_id, seats, halves, has_left, dues, sweep, deposit FROM rm_ajo_members WHERE ajo_id = $1 AND user_id = $2", ajoID, userID))
	if err == nil && len(all) == 0 {
		err = ErrNone
	}
	if err != nil {
		return Member{}, err
	}
	return all[0], nil
}

func list[T any](rows pgx.Rows, err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[T])
}

// Movement is one movement of an ajo's money.
type Movement struct {
	AjoID            string
	Pos              int64
	Cycle, Seat      int
	User, By, To     string // The owner of the due or debt, its payer, and the receiving wallet; empty for none.
	Amount           money.Kobo
	Kind, Source     string
	At               time.Time // The time from which it counts.
	Payment, AjoName string
	EventID          uuid.UUID
}

const movements = `SELECT p.ajo_id, p.pos, p.cycle, p.seat, p.user_id, p.paid_by, p.to_user, p.kobo, p.kind, p.source, p.effective_at, p.payment_id, a.name, p.event_id
	FROM rm_ajo_payments p JOIN rm_ajos a USING (ajo_id) `

// History reads the movements of an ajo's money before a position (0: from the newest), newest first. It never
// answers a part of one position: it may answer a few more than limit.
func History(ctx context.Context, pool *pgxpool.Pool, ajoID string, before int64, limit int) ([]Movement, error) {
	return list[Movement](pool.Query(ctx, movements+"WHERE p.ajo_id = $1 AND p.pos < $2 ORDER BY p.pos DESC FETCH FIRST ($3) ROWS WITH TIES", ajoID, orNewest(before), limit))
}

// HistoryOf is History of one user's movements, in one ajo or, if that is empty, in all of theirs.
func HistoryOf(ctx context.Context, pool *pgxpool.Pool, userID, ajoID string, before int64, limit int) ([]Movement, error) {
	part := func(where string) string {
		return "(SELECT ajo_id, pos, n FROM rm_ajo_payments WHERE " + where + " AND ($2 = '' OR ajo_id = $2) AND pos < $3 ORDER BY pos DESC FETCH FIRST ($4) ROWS WITH TIES)"
	}
	return list[Movement](pool.Query(ctx, "WITH found AS ("+part("user_id = $1")+" UNION "+part("paid_by = $1 AND paid_by <> user_id")+" UNION "+part("to_user = $1 AND to_user <> user_id AND to_user <> ''")+") "+movements+
		"WHERE (p.ajo_id, p.pos, p.n) IN (SELECT ajo_id, pos, n FROM found) ORDER BY p.pos DESC FETCH FIRST ($4) ROWS WITH TIES", userID, ajoID, orNewest(before), limit))
}

// Total is the sums of a member's money in an ajo.
type Total struct {
	User        string
	Contributed money.Kobo // Paid into pots for their dues, by anybody.
	Collected   money.Kobo // Paid to them out of pots, including what paid their debts.
	Owed        money.Kobo // Their open debts here.
}

// Totals reads the totals of each member, also of those who left.
func Totals(ctx context.Context, pool *pgxpool.Pool, ajoID string) ([]Total, error) {
	return list[Total](pool.Query(ctx, `SELECT m.user_id, coalesce(p.contributed, 0)::bigint, coalesce(p.collected, 0)::bigint, coalesce(d.owed, 0)::bigint
		FROM rm_ajo_members m LEFT JOIN (SELECT user_id,
				sum(CASE kind WHEN 'RETURNED' THEN -kobo ELSE kobo END) FILTER (WHERE kind IN ('DUE', 'COVER', 'GIFT', 'DEPOSIT_USED', 'RETURNED')) AS contributed,
				sum(kobo) FILTER (WHERE kind IN ('PAYOUT', 'DISCOUNT') OR kind = 'DEBT' AND source = 'POT') AS collected
			FROM rm_ajo_payments WHERE ajo_id = $1 GROUP BY user_id) p USING (user_id)
		LEFT JOIN (SELECT debtor AS user_id, sum(left_kobo) AS owed FROM rm_ajo_debts WHERE ajo_id = $1 AND left_kobo > 0 GROUP BY debtor) d USING (user_id)
		WHERE m.ajo_id = $1 ORDER BY m.has_left, m.seats, m.user_id`, ajoID))
}

// Names reads the names of some ajos and cards, by their ids.
func Names(ctx context.Context, pool *pgxpool.Pool, ids []string) (map[string]string, error) {
	names := map[string]string{}
	if len(ids) == 0 {
		return names, nil
	}
	rows, err := pool.Query(ctx, `SELECT ajo_id, name FROM rm_ajos WHERE ajo_id = ANY($1) UNION ALL SELECT card_id, name FROM rm_ajo_cards WHERE card_id = ANY($1)`, ids)
	if err != nil {
		return nil, err
	}
	var id, name string
	_, err = pgx.ForEachRow(rows, []any{&id, &name}, func() error { names[id] = name; return nil })
	return names, err
}
