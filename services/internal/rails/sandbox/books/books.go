// Package books holds the true record of money in the sandbox, whatever the sandbox reports: the journal of the money
// that it holds for us, and the money that each account received and sent. The view sandbox_journal is the one source
// of the balances, of the bank's statement and of everything here, so they agree unless a manner makes the bank report
// something else.
package books

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails/sandbox/acts"
)

// Books reads that record.
type Books struct {
	Pool *pgxpool.Pool
	Now  clock.Clock
}

// Entry is an amount that moved from one account to another. Accounts are named as sandbox_journal says.
type Entry struct {
	Rail     string // acts.VFD or acts.Paystack: where our money moved.
	Kind     string // in, out, fee, return, refund, chargeback, recall, or kept (by another bank, of a return).
	Source   string // What it belongs to, such as "payout 12".
	From, To string
	Amount   money.Kobo
	BookedAt time.Time // When it moved, UTC.
}

// Entries returns all entries until now, by time.
func (b Books) Entries(ctx context.Context) ([]Entry, error) {
	rows, err := b.Pool.Query(ctx, `SELECT rail, kind, source, from_account, to_account, amount, booked_at AT TIME ZONE 'UTC' FROM sandbox_journal
		WHERE booked_at <= $1 ORDER BY booked_at, source, kind DESC`, b.Now())
	if err != nil {
		return nil, fmt.Errorf("sandbox: entries: %w", err)
	}
	entries, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Entry])
	if err != nil {
		return nil, fmt.Errorf("sandbox: entries: %w", err)
	}
	return entries, nil
}

// Holds is the money that the bank and the gateway hold for us now, by rail.
func (b Books) Holds(ctx context.Context) (map[string]money.Kobo, error) {
	var bank, gateway money.Kobo
	err := b.Pool.QueryRow(ctx, `SELECT
		coalesce(sum(CASE WHEN to_account = 'adashi:vfd' THEN amount WHEN from_account = 'adashi:vfd' THEN -amount END), 0)::bigint,
		coalesce(sum(CASE WHEN to_account = 'adashi:paystack' THEN amount WHEN from_account = 'adashi:paystack' THEN -amount END), 0)::bigint
		FROM sandbox_journal WHERE booked_at <= $1`, b.Now()).Scan(&bank, &gateway)
	if err != nil {
		return nil, fmt.Errorf("sandbox: holds: %w", err)
	}
	return map[string]money.Kobo{acts.VFD: bank, acts.Paystack: gateway}, nil
}

// Flow is the money that an account received and sent.
type Flow struct{ Received, Sent money.Kobo }

// Flows returns the money that each bank account has received and sent. Cards and senders with an unknown account are
// summed under the zero Account.
func (b Books) Flows(ctx context.Context) (map[acts.Account]Flow, error) {
	rows, err := b.Pool.Query(ctx, `SELECT account, sum(received)::bigint, sum(sent)::bigint FROM (
			SELECT to_account AS account, amount AS received, 0 AS sent, booked_at FROM sandbox_journal
			UNION ALL SELECT from_account, 0, amount, booked_at FROM sandbox_journal) l
		WHERE booked_at <= $1 AND account NOT LIKE 'adashi:%' AND account NOT LIKE 'fees:%' AND account NOT LIKE 'kept:%' GROUP BY account`, b.Now())
	if err != nil {
		return nil, fmt.Errorf("sandbox: flows: %w", err)
	}
	flows := map[acts.Account]Flow{}
	var name string
	var one Flow
	if _, err := pgx.ForEachRow(rows, []any{&name, &one.Received, &one.Sent}, func() error {
		var account acts.Account
		if !strings.Contains(name, ":") {
			account.Bank, account.Number, _ = strings.Cut(name, "/")
		}
		sum := flows[account]
		flows[account] = Flow{sum.Received + one.Received, sum.Sent + one.Sent}
		return nil
	}); err != nil {
		return nil, fmt.Errorf("sandbox: flows: %w", err)
	}
	return flows, nil
}

// Gains is how much more each person has now than they began with, by the BVN of the person who really controls the
// accounts. The sum of accounts and cards with an unknown owner is under "".
func (b Books) Gains(ctx context.Context) (map[string]money.Kobo, error) {
	flows, err := b.Flows(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := b.Pool.Query(ctx, `SELECT bank_code, account_number, coalesce(nullif(owner, ''), bvn) FROM sandbox_people`)
	if err != nil {
		return nil, fmt.Errorf("sandbox: gains: %w", err)
	}
	owners := map[acts.Account]string{}
	var account acts.Account
	var owner string
	if _, err := pgx.ForEachRow(rows, []any{&account.Bank, &account.Number, &owner}, func() error {
		owners[account] = owner
		return nil
	}); err != nil {
		return nil, fmt.Errorf("sandbox: gains: %w", err)
	}
	gains := map[string]money.Kobo{}
	for account, flow := range flows {
		gains[owners[account]] += flow.Received - flow.Sent
	}
	return gains, nil
}

// Line is a line of the bank's statement.
type Line struct {
	Txn, Reference, Session string
	Kind                    string // CREDIT or DEBIT
	Amount, Fee             money.Kobo
	At                      time.Time
	Payee                   string // The account of a payout, its fee or its return; empty for others.
}

// Statement returns a page of the bank's statement since a moment, and its number of lines in all.
func (b Books) Statement(ctx context.Context, from time.Time, page, size int) (lines []Line, total int, err error) {
	const told = ` FROM sandbox_journal WHERE rail = 'vfd' AND txn <> '' AND told_at <= $1 AND at >= $2`
	if err = b.Pool.QueryRow(ctx, `SELECT coalesce(sum(copies), 0)`+told, b.Now(), from).Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("sandbox: statement: %w", err)
	}
	rows, err := b.Pool.Query(ctx, `SELECT txn, reference, session, line, amount, line_fee, at, payee FROM (SELECT *`+told+`) l, generate_series(1, copies)
		ORDER BY at, txn LIMIT $3 OFFSET $4`, b.Now(), from, size, page*size)
	if err == nil {
		lines, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Line])
	}
	if err != nil {
		return nil, 0, fmt.Errorf("sandbox: statement: %w", err)
	}
	return lines, total, nil
}
