// Package activity is the read model of every movement of a member's money, and of the payments on their way.
package activity

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"

	"adashi.ng/ledger/money"
)

// Name is the model's name.
const Name = "activity"

// The kinds of movement.
const (
	WalletFunded         = "WALLET_FUNDED"
	PaymentReversed      = "PAYMENT_REVERSED"
	Contribution         = "CONTRIBUTION"
	ContributionReversed = "CONTRIBUTION_REVERSED"
	MoneyHeld            = "MONEY_HELD"
	HoldEnded            = "HOLD_ENDED" // Held money came back.
)

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 2, Tables: []string{"rm_movements", "rm_payments"}, Fold: fold,
		Schema: `
			CREATE TABLE rm_movements (
				pos bigint PRIMARY KEY, id uuid NOT NULL, user_id text NOT NULL, kind text NOT NULL,
				kobo bigint NOT NULL, charge_kobo bigint NOT NULL, balance_kobo bigint NOT NULL,
				effective_at timestamptz NOT NULL, recorded_at timestamptz NOT NULL,
				reference text NOT NULL, channel integer NOT NULL, group_id text NOT NULL, sub_account_id text NOT NULL,
				settled jsonb NOT NULL, lines jsonb NOT NULL, leaf bytea NOT NULL);
			CREATE TABLE rm_payments (
				payment_id text PRIMARY KEY, user_id text NOT NULL, status text NOT NULL, channel integer NOT NULL,
				kobo bigint NOT NULL, charge_kobo bigint NOT NULL, created_at timestamptz NOT NULL, expires_at timestamptz NOT NULL,
				paid_at timestamptz, group_id text NOT NULL, sub_account_id text NOT NULL, month_id integer NOT NULL, reason text NOT NULL)`,
		Indexes: `
			ALTER TABLE rm_movements ADD UNIQUE (id);
			CREATE INDEX ON rm_movements (user_id, pos DESC);
			CREATE INDEX ON rm_payments (user_id, created_at DESC);
			CREATE INDEX ON rm_payments (created_at) WHERE status IN ('INITIATED', 'PENDING')`,
	}
}

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	var (
		changes  engine.Changes
		payments payments
		rows     [][]any
	)
	for _, e := range events {
		if m, moved := movementOf(e); moved {
			rows = append(rows, m.row(e))
			changes.User(m.user, "activity")
		}
		if user := payments.take(e); user != "" {
			changes.User(user, "activity")
		}
	}
	if len(rows) > 0 {
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{"rm_movements"}, []string{
			"pos", "id", "user_id", "kind", "kobo", "charge_kobo",
			"balance_kobo", "effective_at", "recorded_at", "reference", "channel", "group_id", "sub_account_id", "settled", "lines", "leaf",
		},
			pgx.CopyFromRows(rows)); err != nil {
			return changes, err
		}
	}
	return changes, payments.write(ctx, tx)
}

// Line is one leg of a movement's double entry.
type Line struct {
	Account string     `json:"account"`
	Kobo    money.Kobo `json:"kobo"`
}

// Settled is a due that a contribution went to.
type Settled struct {
	Period string     `json:"period"`
	Kobo   money.Kobo `json:"kobo"`
}

// moved is what an event did to a member's wallet.
type moved struct {
	user, kind, reference, group, sub string
	kobo, charge                      int64
	channel                           nairav1.Channel
	settled                           []*nairav1.Settlement
}

// movementOf answers what an event did to somebody's wallet, if it did anything.
func movementOf(e engine.Event) (moved, bool) {
	switch m := e.Message.(type) {
	case *nairav1.PaymentConfirmed:
		return moved{user: m.GetUserId(), kind: WalletFunded, kobo: m.GetAmountKobo(), charge: m.GetChargeKobo(), reference: m.GetPaymentId(), channel: m.GetChannel()}, true
	case *nairav1.PaymentReversed:
		return moved{user: m.GetUserId(), kind: PaymentReversed, kobo: m.GetAmountKobo() - m.GetShortfallKobo(), charge: m.GetChargeKobo(), reference: m.GetPaymentId(), channel: m.GetChannel()}, true
	case *nairav1.ContributionReceived:
		reference := m.GetPaymentId()
		if reference == "" {
			reference = e.Correlation
		}
		return moved{
			user: m.GetUserId(), kind: Contribution, kobo: m.GetAmountKobo(), reference: reference, channel: m.GetChannel(),
			group: m.GetGroupId(), sub: m.GetSubAccountId(), settled: m.GetSettled(),
		}, true
	case *nairav1.ContributionReversed:
		return moved{
			user: m.GetUserId(), kind: ContributionReversed, kobo: m.GetAmountKobo(), reference: m.GetEventId(), channel: nairav1.Channel_CHANNEL_WALLET,
			group: m.GetGroupId(), sub: m.GetSubAccountId(),
		}, true
	case *nairav1.HoldPlaced:
		return held(MoneyHeld, m)
	case *nairav1.HoldReleased:
		return held(HoldEnded, m)
	case *nairav1.HoldExpired:
		return held(HoldEnded, m)
	}
	return moved{}, false
}

// held is what a hold did, if it is one of a wallet's money. What is captured has left the wallet before.
func held(kind string, m interface {
	GetHoldId() string
	GetAccount() string
	GetAmountKobo() int64
},
) (moved, bool) {
	user, ok := strings.CutPrefix(m.GetAccount(), "wallet:")
	return moved{user: user, kind: kind, kobo: m.GetAmountKobo(), reference: m.GetHoldId(), channel: nairav1.Channel_CHANNEL_WALLET}, ok
}

func (m moved) row(e engine.Event) []any {
	lines, balance := make([]Line, 0, len(e.Lines)), money.Kobo(0)
	for _, l := range e.Lines {
		lines = append(lines, Line{l.Account, l.Amount})
		if l.Account == "wallet:"+m.user {
			balance = l.Balance
		}
	}
	dues := make([]Settled, 0, len(m.settled))
	for _, s := range m.settled {
		dues = append(dues, Settled{s.GetPeriod(), money.Kobo(s.GetAmountKobo())})
	}
	leaf := e.Leaf()
	return []any{
		e.Pos, [16]byte(e.ID()), m.user, m.kind, m.kobo, m.charge, int64(balance), e.EffectiveAt, e.RecordedAt, m.reference,
		int32(m.channel), m.group, m.sub, dues, lines, leaf[:],
	}
}

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
}

const movementColumns = "pos, id, user_id, kind, kobo, charge_kobo, balance_kobo, effective_at, recorded_at, reference, channel, group_id, sub_account_id, settled, lines, leaf"

// Page reads a member's movements recorded before a position (0: from the newest), newest first.
func Page(ctx context.Context, pool *pgxpool.Pool, userID string, before int64, limit int) ([]Movement, error) {
	rows, err := pool.Query(ctx, "SELECT "+movementColumns+` FROM rm_movements
		WHERE user_id = $1 AND ($2 = 0 OR pos < $2) ORDER BY pos DESC LIMIT $3`, userID, before, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Movement])
}

// Last is when a member's money last moved; the zero time when it never did.
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

// One reads a member's movement by its id; ErrNone when it is not theirs.
func One(ctx context.Context, pool *pgxpool.Pool, userID string, id uuid.UUID) (Movement, error) {
	rows, err := pool.Query(ctx, "SELECT "+movementColumns+" FROM rm_movements WHERE user_id = $1 AND id = $2", userID, [16]byte(id))
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

// Payment is a payment through a gateway.
type Payment struct {
	ID, User, Status      string
	Channel               nairav1.Channel
	Amount, Charge        money.Kobo
	CreatedAt, ExpiresAt  time.Time
	PaidAt                *time.Time
	GroupID, SubAccountID string
	MonthID               int32
	Reason                string
}

const paymentColumns = "payment_id, user_id, status, channel, kobo, charge_kobo, created_at, expires_at, paid_at, group_id, sub_account_id, month_id, reason"

// PaymentOf reads one payment; ErrNone when there is none.
func PaymentOf(ctx context.Context, pool *pgxpool.Pool, id string) (Payment, error) {
	rows, err := pool.Query(ctx, "SELECT "+paymentColumns+" FROM rm_payments WHERE payment_id = $1", id)
	if err != nil {
		return Payment{}, err
	}
	return one(pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Payment]))
}

// OpenPayments reads a member's payments that are neither confirmed nor ended, newest first.
func OpenPayments(ctx context.Context, pool *pgxpool.Pool, userID string, limit int) ([]Payment, error) {
	return collect(pool.Query(ctx, "SELECT "+paymentColumns+` FROM rm_payments
		WHERE status IN ('INITIATED', 'PENDING') AND user_id = $1 ORDER BY created_at DESC LIMIT $2`, userID, limit))
}

// AnyOpenPayments reads some of everybody's open payments. They are drawn by lot, so that each one's turn comes however
// many there are and however long the others stay.
func AnyOpenPayments(ctx context.Context, pool *pgxpool.Pool, limit int) ([]Payment, error) {
	return collect(pool.Query(ctx, "SELECT "+paymentColumns+` FROM rm_payments
		WHERE status IN ('INITIATED', 'PENDING') ORDER BY random() LIMIT $1`, limit))
}

func collect(rows pgx.Rows, err error) ([]Payment, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Payment])
}

// Months sums what a member contributed by Lagos month since a day; months without a contribution are absent.
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
