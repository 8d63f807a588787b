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

// Request is a request in its current state.
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
	ApprovedAt             *time.Time // By the last required approver, or when it was approved to be sent again.
	SentAt, PaidAt         *time.Time
	Unfunded               bool // Its amount is not held yet.
	Validators, Approvers  []string
	Needed                 int
	OwnAccount, Shown      bool
	PayableFrom            *time.Time
	Stage                  string // Its stage when it was put on hold; ANSWERED once it was answered and continues.
}

// Charges are its costs, out of the amount.
func (r Request) Charges() money.Kobo { return r.Fee + r.VAT + r.Duty }

// Net is the amount that arrives.
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

// LastPaid is when a group last paid anything, by the bank's report; the zero time if it never did.
func LastPaid(ctx context.Context, pool *pgxpool.Pool, group string) (time.Time, error) {
	var last *time.Time
	err := pool.QueryRow(ctx, "SELECT max(paid_at) FROM rm_requests WHERE group_id = $1 AND status = 'PAID'", group).Scan(&last)
	if err != nil || last == nil {
		return time.Time{}, err
	}
	return *last, nil
}

// ErrNone is returned for a request that does not exist.
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

// Filter limits a page. Empty means all.
type Filter struct {
	Statuses []string
	// Own limits the filter to one member's own requests and, with Payments, to payments of the group. Of the amounts
	// held for those it counts only the sub-accounts in Shown.
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

// OpenIn reads the requests of some groups that are in some statuses, the oldest first.
func OpenIn(ctx context.Context, pool *pgxpool.Pool, groupIDs, statuses []string) ([]Request, error) {
	return read(ctx, pool, "WHERE group_id = ANY($1) AND status = ANY($2) ORDER BY pos", groupIDs, statuses)
}

// Of reads requests of a member in some statuses, the oldest first.
func Of(ctx context.Context, pool *pgxpool.Pool, userID string, limit int, statuses ...string) ([]Request, error) {
	return read(ctx, pool, "WHERE requested_by = $1 AND status = ANY($2) ORDER BY pos LIMIT $3", userID, statuses, limit)
}

// OpenOf is the number of a member's open requests.
func OpenOf(ctx context.Context, pool *pgxpool.Pool, userID string) (n int, err error) {
	err = pool.QueryRow(ctx, "SELECT count(*) FROM rm_requests WHERE requested_by = $1 AND status IN ('REQUESTED', 'VALIDATED', 'ON_HOLD', 'APPROVED', 'PAYOUT_PENDING', 'PAYOUT_FAILED')", userID).Scan(&n)
	return n, err
}

// Overdue reads requests that were not approved by a moment, the oldest first.
func Overdue(ctx context.Context, pool *pgxpool.Pool, at time.Time, limit int) ([]Request, error) {
	return read(ctx, pool, "WHERE status IN ('REQUESTED', 'VALIDATED', 'ON_HOLD') AND expires_at <= $1 ORDER BY pos LIMIT $2", at, limit)
}

// InTransit is the number of requests that are approved and neither paid nor failed, and the sum that is to arrive.
func InTransit(ctx context.Context, pool *pgxpool.Pool) (count int, net money.Kobo, err error) {
	err = pool.QueryRow(ctx, "SELECT count(*), coalesce(sum(kobo - fee - vat - duty), 0)::bigint FROM rm_requests WHERE status IN ('APPROVED', 'PAYOUT_PENDING')").Scan(&count, &net)
	return count, net, err
}

// Step is a step of a request: REQUESTED, VALIDATED, APPROVED, OBJECTED, ANSWERED, REJECTED, CANCELLED, EXPIRED, SENT,
// PAID, FAILED, RETRIED, RELEASED or REVERSED.
type Step struct {
	Request    string
	Pos        int64
	Step       string
	By, Detail string
	At         time.Time
}

// Steps reads the steps of requests, in order, by their ids.
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

// Held is the amount held for the open requests of a group that a filter lets through, whatever statuses it names. A
// member's own requests count whole, held or not, so that they do not reveal the sub-account's balance.
func Held(ctx context.Context, pool *pgxpool.Pool, groupID string, f Filter) (held money.Kobo, err error) {
	err = pool.QueryRow(ctx, `SELECT coalesce(sum(kobo), 0)::bigint FROM rm_requests WHERE group_id = $1 AND (NOT unfunded OR $2 <> '') AND status IN ('REQUESTED', 'VALIDATED', 'ON_HOLD', 'APPROVED', 'PAYOUT_PENDING', 'PAYOUT_FAILED')
		AND ($2 = '' OR requested_by = $2 OR kind = $3 AND sub_account_id = ANY($4::text[]))`,
		groupID, f.Own, int32(nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT), all(f.Shown)).Scan(&held)
	return held, err
}

// Disputed is the amount that a member disputes of a payout of a sub-account.
type Disputed struct {
	Dispute, SubAccount, Request, User string
	Amount                             money.Kobo
	Until                              time.Time
}

// DisputedMoney reads the disputed amounts of sub-accounts at a moment.
func DisputedMoney(ctx context.Context, pool *pgxpool.Pool, now time.Time, subAccounts ...string) ([]Disputed, error) {
	rows, err := pool.Query(ctx, "SELECT dispute_id, sub_account_id, request_id, user_id, kobo, until FROM rm_disputed_money WHERE sub_account_id = ANY($1) AND until > $2", subAccounts, now)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Disputed])
}
