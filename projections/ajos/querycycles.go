package ajos

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/projections/query"
)

// Cycle is a cycle with payments, or whose pot may be paid out.
type Cycle struct {
	AjoID                        string
	Cycle                        int
	State                        ajopot.Cycle // Without votes and bids.
	PaidIn                       money.Kobo   // The pot's balance.
	Seat                         int          // The collecting seat; 0 until the pot may be paid out, as the next figures.
	Collected, Netted            money.Kobo
	Missing, Discount            money.Kobo
	ReadyAt                      *time.Time
	RequestedBy                  string
	RequestedAt                  *time.Time
	Destination                  nairav1.AjoDestination
	Approvals                    int
	HeldUntil, PaysItself        *time.Time
	PaidAt                       *time.Time
	Gross, Fee, VAT, SetOff, Net money.Kobo // Its payout; Net went to Holder.
	OtherNet                     money.Kobo
	Holder, OtherHolder          string
	ByItself                     bool
}

const cycleColumns = `SELECT ajo_id, cycle, state, seat, collected, netted, missing, discount, ready_at, requested_by, requested_at, destination,
	approvals, held_until, pays_itself, paid_at, gross, fee, vat, set_off, net, other_net, holder, other_holder, by_itself FROM rm_ajo_cycles `

// cycles reads cycles and the payments into them, at one moment.
func cycles(ctx context.Context, pool *pgxpool.Pool, sql string, args ...any) (all []Cycle, err error) {
	err = pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if all, err = cycleRows(tx.Query(ctx, cycleColumns+sql, args...)); err != nil {
			return err
		}
		var named namedCycles
		at := map[string]int{}
		for i, c := range all {
			named.add(c.AjoID, int32(c.Cycle))
			at[c.Key()] = i
		}
		return paidInto(ctx, tx, named, func(ajo string, cycle int, payments []ajopot.Payment) {
			c := &all[at[key(ajo, cycle)]]
			c.State.Payments = payments
			c.PaidIn = held(c.State)
		})
	})
	return all, err
}

func cycleRows(rows pgx.Rows, err error) ([]Cycle, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (c Cycle, err error) {
		var state query.Lent
		if err = row.Scan(&c.AjoID, &c.Cycle, &state, &c.Seat, &c.Collected, &c.Netted, &c.Missing, &c.Discount, &c.ReadyAt, &c.RequestedBy,
			&c.RequestedAt, &c.Destination, &c.Approvals, &c.HeldUntil, &c.PaysItself, &c.PaidAt, &c.Gross, &c.Fee, &c.VAT, &c.SetOff, &c.Net, &c.OtherNet,
			&c.Holder, &c.OtherHolder, &c.ByItself); err != nil {
			return c, err
		}
		c.State, err = thawed[ajopot.Cycle](ajopot.Cycles, state)
		return c, err
	})
}

// Cycles reads the cycles of an ajo that have something to show, by their number.
func Cycles(ctx context.Context, pool *pgxpool.Pool, ajoID string) ([]Cycle, error) {
	return cycles(ctx, pool, "WHERE ajo_id = $1 ORDER BY cycle", ajoID)
}

// CurrentOf reads the current cycles of some ajos, by their ids. A cycle without payments is absent.
func CurrentOf(ctx context.Context, pool *pgxpool.Pool, ajoIDs []string) (map[string]Cycle, error) {
	all, err := cycles(ctx, pool, "WHERE (ajo_id, cycle) IN (SELECT a.ajo_id, a.cycle FROM rm_ajos a WHERE a.ajo_id = ANY($1))", ajoIDs)
	current := make(map[string]Cycle, len(all))
	for _, c := range all {
		current[c.AjoID] = c
	}
	return current, err
}

// Missing is the unpaid dues of each place in the current cycle, whose state is c; also of the collecting seat, whose
// due can be netted. It is empty if no cycle is current.
func (a Ajo) Missing(c ajopot.Cycle) []Missing {
	if a.Cycle == 0 {
		return nil
	}
	return unpaid(a.State, c, a.Cycle, 0)
}

// Places is how many places pay in the current cycle, whose state is c, and how many of them have paid. The collecting
// seat is not one of them.
func (a Ajo) Places(c ajopot.Cycle) (places, paid int) {
	if a.Cycle == 0 {
		return 0, 0
	}
	collects := a.State.Order[a.Cycle-1]
	for i, seat := range a.State.Seats {
		for _, p := range seat.Places {
			due := a.State.DueOf(i+1, p, a.Cycle)
			if due == 0 || i+1 == collects {
				continue
			}
			if places++; c.Paid(i+1, p.User) >= due {
				paid++
			}
		}
	}
	return places, paid
}

// DebtRow is a debt of one person to another, open or paid.
type DebtRow struct {
	AjoID, ID, AjoName   string
	Pos                  int64
	Kind                 nairav1.AjoDebtKind
	Cycle, Seat          int
	Debtor, Creditor     string // An empty creditor is Adashi.
	Amount, Penalty      money.Kobo
	Paid, Forgiven, Left money.Kobo
	OpenedAt             time.Time
}

const (
	debtSelect = `SELECT d.ajo_id, d.debt_id, coalesce(a.name, ''), d.pos, d.kind, d.cycle, d.seat, d.debtor, d.creditor, d.kobo, d.penalty, d.paid, d.forgiven,
	d.left_kobo, d.opened_at`
	debtFrom    = " FROM rm_ajo_debts d LEFT JOIN rm_ajos a USING (ajo_id) "
	debtColumns = debtSelect + debtFrom
)

// Debts reads an ajo's debts, the oldest first.
func Debts(ctx context.Context, pool *pgxpool.Pool, ajoID string) ([]DebtRow, error) {
	return list[DebtRow](pool.Query(ctx, debtColumns+"WHERE d.ajo_id = $1 ORDER BY d.pos", ajoID))
}

// AllDebtsOf reads all debts of a user and to them, open or paid, the oldest first.
func AllDebtsOf(ctx context.Context, pool *pgxpool.Pool, userID string) ([]DebtRow, error) {
	return list[DebtRow](pool.Query(ctx, debtColumns+"WHERE d.debtor = $1 OR d.creditor = $1 ORDER BY d.pos", userID))
}

// DebtsOf reads the open debts of a user and to them, the oldest first.
func DebtsOf(ctx context.Context, pool *pgxpool.Pool, userID string) ([]DebtRow, error) {
	return list[DebtRow](pool.Query(ctx, debtColumns+"WHERE (d.debtor = $1 OR d.creditor = $1) AND d.left_kobo > 0 ORDER BY d.pos", userID))
}
