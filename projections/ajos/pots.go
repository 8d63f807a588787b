package ajos

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/query"
)

// intoPots are the kinds of movement that the payments of a cycle are folded from.
const intoPots = "('DUE', 'COVER', 'GIFT', 'DEPOSIT_USED', 'RETURNED')"

// Pots is a table of the balance of each cycle's pot, in kobo: it reads every payment.
const Pots = `(SELECT c.ajo_id, c.cycle, CASE WHEN c.paid_at IS NULL THEN coalesce(p.kobo, 0) ELSE 0 END AS kobo FROM rm_ajo_cycles c
	LEFT JOIN (SELECT ajo_id, cycle, sum(CASE kind WHEN 'RETURNED' THEN -kobo ELSE kobo END)::bigint AS kobo FROM rm_ajo_payments
		WHERE kind IN ` + intoPots + ` GROUP BY ajo_id, cycle) p USING (ajo_id, cycle))`

// namedCycles are cycles named by ajo and number, column by column. One that is named twice is read once.
type namedCycles struct {
	ajos   []string
	cycles []int32
}

func (n *namedCycles) add(ajo string, cycle int32) {
	n.ajos, n.cycles = append(n.ajos, ajo), append(n.cycles, cycle)
}

// paidInto reads the payments into cycles, as the ledger folds them. It leaves out cycles without payments.
func paidInto(ctx context.Context, tx pgx.Tx, n namedCycles, take func(ajo string, cycle int, payments []ajopot.Payment)) error {
	if len(n.ajos) == 0 {
		return nil
	}
	rows, err := tx.Query(ctx, `SELECT ajo_id, cycle, seat, user_id, paid_by, kobo, kind, effective_at, payment_id
		FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::integer[]) AS k (ajo_id, cycle)) k JOIN rm_ajo_payments p USING (ajo_id, cycle)
		WHERE kind IN `+intoPots+" ORDER BY ajo_id, cycle, pos, n", n.ajos, n.cycles)
	if err != nil {
		return err
	}
	var (
		id, by, kind  query.Lent
		ajo           string
		number, cycle int
		p             ajopot.Payment
		at            time.Time
		c             ajopot.Cycle
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &cycle, &p.Seat, &p.User, &by, &p.Amount, &kind, &at, &p.PaymentID}, func() error {
		if cycle != number || string(id) != ajo {
			if number != 0 {
				take(ajo, number, c.Payments)
			}
			ajo, number, c.Payments = string(id), cycle, nil
		}
		if p.By = p.User; string(by) != p.User {
			p.By = string(by)
		}
		if string(kind) == Returned {
			c.Payments = c.Returned(p.Seat, p.User, p.By, p.Amount)
			return nil
		}
		p.Day, p.Gift, p.FromDeposit = savings.Day(at), string(kind) == Gift, string(kind) == DepositUsed
		c.Payments = append(c.Payments, p)
		return nil
	})
	if err == nil && number != 0 {
		take(ajo, number, c.Payments)
	}
	return err
}

// cycleText encodes a cycle's state without its payments.
func cycleText(c ajopot.Cycle) string {
	c.Payments = nil
	return string(frozen(ajopot.Cycles, c))
}

// held is the balance of a cycle's pot.
func held(c ajopot.Cycle) (kobo money.Kobo) {
	if c.PaidOut {
		return 0
	}
	for _, p := range c.Payments {
		kobo += p.Amount
	}
	return kobo
}
