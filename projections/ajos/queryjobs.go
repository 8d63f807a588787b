package ajos

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/money"
)

// Each of these reads some ajo of all members, except those in a list, drawn at random, so that each gets its turn. The
// ledger decides about each again. Days are Lagos days, YYYY-MM-DD.

const some = " AND a.ajo_id <> ALL($2) ORDER BY random() LIMIT $3"

func jobs(ctx context.Context, pool *pgxpool.Pool, where string, arg any, without []string, limit int) ([]Ajo, error) {
	return collect(ctx, pool, "WHERE "+where+some, arg, append([]string{}, without...), limit)
}

// ToJudge are the ajo whose current pot may be ready: all have paid and the collector is settled, or the days of grace
// are over.
func ToJudge(ctx context.Context, pool *pgxpool.Pool, today string, without []string, limit int) ([]Ajo, error) {
	return jobs(ctx, pool, "a.cycle > 0 AND a.opens <= $1 AND (a.deadline < $1 OR a.is_full AND a.chosen_by < $1)", today, without, limit)
}

// ToDraw are the ajo whose list is sealed and whose order can be drawn.
func ToDraw(ctx context.Context, pool *pgxpool.Pool, now time.Time, without []string, limit int) ([]Ajo, error) {
	return jobs(ctx, pool, "a.status = 'ORDERING' AND a.draw_at <= $1", now, without, limit)
}

// ToLapse are the ajo whose list is still open on the day on which it is cancelled.
func ToLapse(ctx context.Context, pool *pgxpool.Pool, today string, without []string, limit int) ([]Ajo, error) {
	return jobs(ctx, pool, "a.status = 'OPEN' AND a.lapses > '' AND a.lapses <= $1", today, without, limit)
}

// ToRelease are the ajo in which some members did not accept changed terms in time.
func ToRelease(ctx context.Context, pool *pgxpool.Pool, now time.Time, without []string, limit int) ([]Ajo, error) {
	return jobs(ctx, pool, "a.accept_by <= $1", now, without, limit)
}

// ToFreeze are the ajo with a free place for which the time to find a member is over.
func ToFreeze(ctx context.Context, pool *pgxpool.Pool, now time.Time, without []string, limit int) ([]Ajo, error) {
	return jobs(ctx, pool, "a.opening_until <= $1", now, without, limit)
}

// ToEndMotions are the ajo with a vote whose time is over.
func ToEndMotions(ctx context.Context, pool *pgxpool.Pool, now time.Time, without []string, limit int) ([]Ajo, error) {
	return jobs(ctx, pool, "a.motion_until <= $1", now, without, limit)
}

// ToTerminate are the ajo whose members have voted to end them.
func ToTerminate(ctx context.Context, pool *pgxpool.Pool, without []string, limit int) ([]Ajo, error) {
	return jobs(ctx, pool, "a.is_carried = $1", true, without, limit)
}

// ToResume are the ajo whose pause is over.
func ToResume(ctx context.Context, pool *pgxpool.Pool, today string, without []string, limit int) ([]Ajo, error) {
	return jobs(ctx, pool, "a.status = 'PAUSED' AND a.resumes <= $1", today, without, limit)
}

// ToComplete are the ajo in which every pot is paid out.
func ToComplete(ctx context.Context, pool *pgxpool.Pool, without []string, limit int) ([]Ajo, error) {
	return jobs(ctx, pool, "a.is_paid_out = $1", true, without, limit)
}

// ToRemind are the ajo whose current cycle is due until a day, or is in its days of grace, sorted by id, after one.
func ToRemind(ctx context.Context, pool *pgxpool.Pool, today, until, after string, limit int) ([]Ajo, error) {
	return collect(ctx, pool, "WHERE a.cycle > 0 AND a.opens <= $1 AND a.due <= $2 AND a.deadline >= $1 AND a.ajo_id > $3 ORDER BY a.ajo_id LIMIT $4",
		today, until, after, limit)
}

// Agreed are the ajo with a member who lets Adashi take dues automatically, on the days on which they are taken: the
// due day and those of grace.
func Agreed(ctx context.Context, pool *pgxpool.Pool, today string, without []string, limit int) ([]Ajo, error) {
	return jobs(ctx, pool, `a.cycle > 0 AND a.opens <= $1 AND a.due <= $1 AND a.deadline >= $1
		AND EXISTS (SELECT 1 FROM rm_ajo_members m WHERE m.ajo_id = a.ajo_id AND m.dues AND NOT m.has_left)`, today, without, limit)
}

// Agreeing are the members of some ajos who let Adashi take dues automatically, by ajo.
func Agreeing(ctx context.Context, pool *pgxpool.Pool, ajoIDs []string) (map[string]map[string]bool, error) {
	rows, err := pool.Query(ctx, "SELECT ajo_id, user_id FROM rm_ajo_members WHERE ajo_id = ANY($1) AND dues AND NOT has_left", ajoIDs)
	if err != nil {
		return nil, err
	}
	agreed := map[string]map[string]bool{}
	var id, user string
	_, err = pgx.ForEachRow(rows, []any{&id, &user}, func() error {
		if agreed[id] == nil {
			agreed[id] = map[string]bool{}
		}
		agreed[id][user] = true
		return nil
	})
	return agreed, err
}

// Unpaid are pots that can be paid out and are not, and that pay themselves at a moment or before. Those in the list
// are named by ajo and cycle: see Key.
func Unpaid(ctx context.Context, pool *pgxpool.Pool, at time.Time, without []string, limit int) ([]Cycle, error) {
	return cycles(ctx, pool, `WHERE ready_at IS NOT NULL AND paid_at IS NULL AND pays_itself <= $1 AND ajo_id || ':' || cycle <> ALL($2)
		ORDER BY random() LIMIT $3`, at, append([]string{}, without...), limit)
}

// ToBank are pots that were paid out since a moment and are to be sent to a bank account.
func ToBank(ctx context.Context, pool *pgxpool.Pool, since time.Time, without []string, limit int) ([]Cycle, error) {
	return cycles(ctx, pool, `WHERE destination = 2 AND paid_at >= $1 AND ajo_id || ':' || cycle <> ALL($2) ORDER BY random() LIMIT $3`,
		since, append([]string{}, without...), limit)
}

// Retry is a debt with the day for which the debtor's wallet is to be tried.
type Retry struct {
	DebtRow
	Day string
}

// Key identifies a debt, and the day for which the wallet is tried.
func (r Retry) Key() string { return r.DebtRow.Key() + r.Day }

// ToRetry are open debts to take from the debtor's wallet, as the debtor agreed, for one of some days, of which the
// latest counts, and that paid nothing for it. Those in the list are named by debt and day: see Key.
func ToRetry(ctx context.Context, pool *pgxpool.Pool, days, without []string, limit int) ([]Retry, error) {
	return list[Retry](pool.Query(ctx, debtSelect+", r.day"+debtFrom+`JOIN rm_ajo_members m ON m.ajo_id = d.ajo_id AND m.user_id = d.debtor AND m.sweep
		CROSS JOIN LATERAL (SELECT max(day) AS day FROM unnest(d.retry_on) AS day WHERE day = ANY($1)) r
		WHERE d.retry_on && $1 AND d.left_kobo > 0 AND d.retried < r.day AND d.ajo_id || ':' || d.debt_id || r.day <> ALL($2) ORDER BY random() LIMIT $3`,
		days, append([]string{}, without...), limit))
}

// ToSweep are a user's debts in ajos where they agreed that incoming money pays them, the oldest first, paid ones too.
func ToSweep(ctx context.Context, pool *pgxpool.Pool, userID string) ([]DebtRow, error) {
	return list[DebtRow](pool.Query(ctx, debtColumns+`JOIN rm_ajo_members m ON m.ajo_id = d.ajo_id AND m.user_id = d.debtor AND m.sweep
		WHERE d.debtor = $1 ORDER BY d.pos`, userID))
}

// Sweepers are the next users, by their ids, with a debt that incoming money pays.
func Sweepers(ctx context.Context, pool *pgxpool.Pool, after string, limit int) ([]string, error) {
	rows, err := pool.Query(ctx, `SELECT DISTINCT d.debtor FROM rm_ajo_debts d JOIN rm_ajo_members m ON m.ajo_id = d.ajo_id AND m.user_id = d.debtor AND m.sweep
		WHERE d.left_kobo > 0 AND d.debtor > $1 ORDER BY d.debtor LIMIT $2`, after, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// ToMature are open cards whose last day has come.
func ToMature(ctx context.Context, pool *pgxpool.Pool, today string, without []string, limit int) ([]Card, error) {
	return list[Card](pool.Query(ctx, cardColumns+"WHERE status = 'OPEN' AND finish_day <= $1 AND card_id <> ALL($2) ORDER BY random() LIMIT $3",
		today, append([]string{}, without...), limit))
}

// Key identifies a cycle in a list of those to leave out.
func (c Cycle) Key() string { return key(c.AjoID, c.Cycle) }

// Key identifies a debt in a list of those to leave out.
func (d DebtRow) Key() string { return d.AjoID + ":" + d.ID }

// Held is the total of members' money in pots, deposits and cards, by this model.
func Held(ctx context.Context, pool *pgxpool.Pool) (kobo money.Kobo, err error) {
	err = pool.QueryRow(ctx, `SELECT ((SELECT coalesce(sum(kobo), 0) FROM `+Pots+` p) + (SELECT coalesce(sum(deposit), 0) FROM rm_ajo_members)
		+ (SELECT coalesce(sum(kobo * filled), 0) FROM rm_ajo_cards WHERE status = 'OPEN'))::bigint`).Scan(&kobo)
	return kobo, err
}
