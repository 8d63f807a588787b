package requests

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// Request is a request as it stands.
type Request struct {
	ID                     string
	Pos                    int64
	Group, SubAccount      string
	RequestedBy            string
	Kind                   nairav1.LiquidationKind
	Status                 string
	Amount, Fee, VAT, Duty money.Kobo
	Provider               event.Provider
	Reason                 string
	RequestedAt, ExpiresAt time.Time
	ApprovedAt             *time.Time // By the last who had to, or when it was to be sent again.
	SentAt, PaidAt         *time.Time
	Unfunded               bool // Its amount is not held yet.
	Validators, Approvers  []string
	Needed                 int
	OwnAccount, Shown      bool
	PayableFrom            *time.Time
	Stage                  string // Where it stood when it was put on hold; ANSWERED once it was and goes on.
}

// Charges are what it costs, out of the amount.
func (r Request) Charges() money.Kobo { return r.Fee + r.VAT + r.Duty }

// Net is what arrives.
func (r Request) Net() money.Kobo { return r.Amount - r.Charges() }

const columns = `SELECT id, pos, group_id, sub_account_id, requested_by, kind, status, kobo, fee, vat, duty, provider, reason, requested_at, expires_at,
	approved_at, sent_at, paid_at, unfunded, validators, approvers, needed, own_account, shown, payable_from, stage FROM rm_requests `

func read(ctx context.Context, pool *pgxpool.Pool, sql string, args ...any) ([]Request, error) {
	rows, err := pool.Query(ctx, columns+sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (r Request, err error) {
		err = row.Scan(&r.ID, &r.Pos, &r.Group, &r.SubAccount, &r.RequestedBy, &r.Kind, &r.Status, &r.Amount, &r.Fee, &r.VAT, &r.Duty, &r.Provider, &r.Reason,
			&r.RequestedAt, &r.ExpiresAt, &r.ApprovedAt, &r.SentAt, &r.PaidAt, &r.Unfunded, &r.Validators, &r.Approvers, &r.Needed, &r.OwnAccount, &r.Shown, &r.PayableFrom, &r.Stage)
		return r, err
	})
}

// LastPaid is when a group last paid anything, by the bank's word; the zero time if it never did.
func LastPaid(ctx context.Context, pool *pgxpool.Pool, group string) (time.Time, error) {
	var last *time.Time
	err := pool.QueryRow(ctx, "SELECT max(paid_at) FROM rm_requests WHERE group_id = $1 AND status = 'PAID'", group).Scan(&last)
	if err != nil || last == nil {
		return time.Time{}, err
	}
	return *last, nil
}

// ErrNone is returned for a request that is not there.
var ErrNone = errors.New("requests: no such request")

// One reads a request.
func One(ctx context.Context, pool *pgxpool.Pool, id string) (Request, error) {
	found, err := read(ctx, pool, "WHERE id = $1", id)
	if err == nil && len(found) == 0 {
		err = ErrNone
	}
	if err != nil {
		return Request{}, err
	}
	return found[0], nil
}

// Filter narrows a page. Empty means all.
type Filter struct {
	Statuses []string
	// Own is a member who sees their own alone, and with Payments what the group pays; of what is set aside for those
	// only what is of the sub-accounts in Shown.
	Own      string
	Payments bool
	Shown    []string
}

// Page reads a group's requests before a position (0: from the newest), newest first.
func Page(ctx context.Context, pool *pgxpool.Pool, groupID string, f Filter, before int64, limit int) ([]Request, error) {
	return read(ctx, pool, `WHERE group_id = $1 AND ($2 = 0 OR pos < $2) AND (cardinality($3::text[]) = 0 OR status = ANY($3))
		AND ($4 = '' OR requested_by = $4 OR $6 AND kind = $5) ORDER BY pos DESC LIMIT $7`,
		groupID, before, all(f.Statuses), f.Own, int32(nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT), f.Payments, limit)
}

// Standing reads requests in some statuses after a position, the oldest first.
func Standing(ctx context.Context, pool *pgxpool.Pool, after int64, limit int, statuses ...string) ([]Request, error) {
	return read(ctx, pool, "WHERE status = ANY($1) AND pos > $2 ORDER BY pos LIMIT $3", statuses, after, limit)
}

// Of reads requests of a member in some statuses, the oldest first.
func Of(ctx context.Context, pool *pgxpool.Pool, userID string, limit int, statuses ...string) ([]Request, error) {
	return read(ctx, pool, "WHERE requested_by = $1 AND status = ANY($2) ORDER BY pos LIMIT $3", userID, statuses, limit)
}

// OpenOf is how many requests of a member are not over.
func OpenOf(ctx context.Context, pool *pgxpool.Pool, userID string) (n int, err error) {
	err = pool.QueryRow(ctx, "SELECT count(*) FROM rm_requests WHERE requested_by = $1 AND status IN ('REQUESTED', 'VALIDATED', 'ON_HOLD', 'APPROVED', 'PAYOUT_PENDING', 'PAYOUT_FAILED')", userID).Scan(&n)
	return n, err
}

// Overdue reads requests that nobody approved by a moment, the oldest first.
func Overdue(ctx context.Context, pool *pgxpool.Pool, at time.Time, limit int) ([]Request, error) {
	return read(ctx, pool, "WHERE status IN ('REQUESTED', 'VALIDATED', 'ON_HOLD') AND expires_at <= $1 ORDER BY pos LIMIT $2", at, limit)
}

// InTransit is how many requests are approved and neither paid nor failed, and what is to arrive of them in all.
func InTransit(ctx context.Context, pool *pgxpool.Pool) (count int, net money.Kobo, err error) {
	err = pool.QueryRow(ctx, "SELECT count(*), coalesce(sum(kobo - fee - vat - duty), 0)::bigint FROM rm_requests WHERE status IN ('APPROVED', 'PAYOUT_PENDING')").Scan(&count, &net)
	return count, net, err
}

// Step is something that happened to a request: REQUESTED, VALIDATED, APPROVED, OBJECTED, ANSWERED, REJECTED,
// CANCELLED, EXPIRED, SENT, PAID, FAILED, RETRIED, RELEASED or REVERSED.
type Step struct {
	Request    string
	Pos        int64
	Step       string
	By, Detail string
	At         time.Time
}

// Steps reads what happened to requests, in order, by their ids.
func Steps(ctx context.Context, pool *pgxpool.Pool, ids []string) (map[string][]Step, error) {
	rows, err := pool.Query(ctx, "SELECT request_id, pos, step, by_id, detail, at FROM rm_request_steps WHERE request_id = ANY($1) ORDER BY pos", ids)
	if err != nil {
		return nil, err
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Step])
	steps := map[string][]Step{}
	for _, s := range list {
		steps[s.Request] = append(steps[s.Request], s)
	}
	return steps, err
}

// all is a list that is never null.
func all(list []string) []string { return append([]string{}, list...) }

// Held is what is set aside for the open requests of a group that a filter lets through, whatever statuses it names. A
// member's own requests count whole, held or not, which tells them nothing of what the sub-account has.
func Held(ctx context.Context, pool *pgxpool.Pool, groupID string, f Filter) (held money.Kobo, err error) {
	err = pool.QueryRow(ctx, `SELECT coalesce(sum(kobo), 0)::bigint FROM rm_requests WHERE group_id = $1 AND (NOT unfunded OR $2 <> '') AND status IN ('REQUESTED', 'VALIDATED', 'ON_HOLD', 'APPROVED', 'PAYOUT_PENDING', 'PAYOUT_FAILED')
		AND ($2 = '' OR requested_by = $2 OR kind = $3 AND sub_account_id = ANY($4::text[]))`,
		groupID, f.Own, int32(nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT), all(f.Shown)).Scan(&held)
	return held, err
}

// Disputed is what a member disputes of a payout of a sub-account.
type Disputed struct {
	Dispute, SubAccount, Request, User string
	Amount                             money.Kobo
	Until                              time.Time
}

// DisputedMoney reads what is disputed of sub-accounts at a moment.
func DisputedMoney(ctx context.Context, pool *pgxpool.Pool, now time.Time, subAccounts ...string) ([]Disputed, error) {
	rows, err := pool.Query(ctx, "SELECT dispute_id, sub_account_id, request_id, user_id, kobo, until FROM rm_disputed_money WHERE sub_account_id = ANY($1) AND until > $2", subAccounts, now)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Disputed])
}
