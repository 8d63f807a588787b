package boot

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/relay"
	"adashi.ng/ledger/infra/roles"
	"adashi.ng/projections"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/disputes"
	"adashi.ng/services/internal/lists"
	"adashi.ng/services/internal/months"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/reserves"
	"adashi.ng/services/internal/witnesses"
)

// Models is an engine of the read models that runs nothing by itself. It works as the projector, whose tables they are.
func (v *Visit) Models(ctx context.Context) (e *engine.Engine, stop func(), err error) {
	pool, err := roles.Pool(ctx, v.Pool, roles.Projector, 4)
	if err != nil {
		return nil, nil, err
	}
	return engine.New(engine.Options{
		Pool: pool, Models: projections.All(), Clock: v.Config.Now,
		Source: history.Source(pool),
		Head:   history.Heads(pool),
	}), pool.Close, nil
}

// ModelChecks hold the read models against a fresh fold of the ledger, and their figures against one another.
func (v *Visit) ModelChecks(ctx context.Context) (checks []audit.More, stop func(), err error) {
	var made bool
	if err := v.Pool.QueryRow(ctx, "SELECT to_regclass('projections') IS NOT NULL").Scan(&made); err != nil {
		return nil, nil, err
	}
	if !made {
		return []audit.More{{Name: "read models", Rule: "each is a fresh fold of the events", Run: func(_ context.Context, c *audit.Check) error {
			c.Skipped = "nothing has made them here yet"
			return nil
		}}}, func() {}, nil
	}
	e, stop, err := v.Models(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, m := range e.Models {
		checks = append(checks, audit.More{
			Name: "read model " + m.Name, Rule: "it is a fresh fold of the events, row by row and both ways",
			Run: func(ctx context.Context, c *audit.Check) error { return checkModel(ctx, e, m.Name, c) },
		})
	}
	return append(checks, audit.More{
		Name: "figures", Rule: "totals are the sums of their parts, a wallet is the sum of its history, and nobody is told twice",
		Run: func(ctx context.Context, c *audit.Check) error { return checkFigures(ctx, v.Pool, c) },
	}), stop, nil
}

// LiabilitiesCheck holds what was committed to against the accounts.
func (v *Visit) LiabilitiesCheck() audit.More { return reserves.Check(v.Pool, v.identity) }

// DisputesCheck holds what is held because of disputes, and who looked at what for one, against the disputes.
func (v *Visit) DisputesCheck() audit.More { return disputes.Check(v.Pool) }

// MonthsCheck holds the months that are closed against their payments and marks.
func (v *Visit) MonthsCheck() audit.More { return months.Check(v.Pool) }

// ListsCheck compares when lists were sealed with when their rounds came.
func (v *Visit) ListsCheck() audit.More { return lists.Check(v.Pool) }

// WitnessesCheck holds the ledger against what witnesses signed of it.
func (v *Visit) WitnessesCheck() audit.More { return witnesses.Check(v.Pool, v.Keys) }

// InstructionCheck holds where payments are to be paid against what the gateway said.
func (v *Visit) InstructionCheck() audit.More {
	return audit.More{Name: "payment instructions", Rule: "payers are sent where the gateway said, proven by a key that is not in the database", Run: func(ctx context.Context, c *audit.Check) error {
		var made bool
		if err := v.Pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('payment_instructions') AND attname = 'mac')").Scan(&made); err != nil {
			return err
		}
		if !made {
			c.Skipped = "nothing has made them here yet"
			return nil
		}
		if len(v.identity) == 0 {
			c.Skipped = "ADASHI_IDENTITY_KEY is not given: it proves them"
			return nil
		}
		rows, err := v.Pool.Query(ctx, "SELECT payment_id, account_number, account_name, bank_name, checkout_url, mac FROM payment_instructions ORDER BY payment_id")
		if err != nil {
			return err
		}
		var (
			id     string
			to     rails.Instructions
			mac    []byte
			before int64
		)
		if _, err := pgx.ForEachRow(rows, []any{&id, &to.AccountNumber, &to.AccountName, &to.BankName, &to.CheckoutURL, &mac}, func() error {
			switch {
			case len(mac) == 0:
				before++ // Of before they were proven: shown to nobody.
			case !to.Holds(v.identity, id, mac):
				c.Violate(0, "payment "+id, "Where it is to be paid is not what the gateway said.")
				fallthrough
			default:
				c.Looked++
			}
			return nil
		}); err != nil {
			return err
		}
		if before > 0 {
			c.Said = fmt.Sprintf("%d more are unproven and shown to nobody", before)
		}
		return nil
	}}
}

func checkModel(ctx context.Context, e *engine.Engine, model string, c *audit.Check) error {
	report, err := e.Check(ctx, model, nil)
	var archived *history.ArchivedError
	switch {
	case errors.As(err, &archived), errors.Is(err, engine.ErrBusy):
		c.Skipped = oneLine(err)
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		c.Violate(0, model, "It cannot be compared with a fresh fold: %s.", oneLine(err))
		return nil
	}
	c.Looked = report.Rows
	for _, d := range report.Differences {
		for _, example := range d.Examples {
			says := "The row is not what the events come to: %s"
			if example.Missing {
				says = "The row that the events come to is missing: %s"
			}
			c.Violate(report.Position, d.Table+" "+example.Key, says, example.Row)
		}
		for range d.Missing + d.Extra - int64(len(d.Examples)) {
			c.Violate(report.Position, d.Table, "One more row differs.")
		}
	}
	return nil
}

// figures are queries that answer what must not be: a subject and a sentence. Each looks at one model, or at models
// that stand at one position.
var figures = []struct{ count, wrong string }{
	{"SELECT count(*) FROM rm_groups", `SELECT g.id, format('The group''s total is %s kobo, its sub-accounts have %s and its members, with those who left, %s.', g.total_kobo, s.kobo, m.kobo)
		FROM rm_groups g, LATERAL (SELECT coalesce(sum(total_kobo), 0) AS kobo FROM rm_sub_accounts WHERE group_id = g.id) s,
		LATERAL (SELECT coalesce(sum(total_kobo), 0) + (SELECT coalesce(sum(closed_kobo), 0) FROM rm_sub_accounts WHERE group_id = g.id) AS kobo FROM rm_contributors WHERE group_id = g.id) m
		WHERE g.total_kobo <> s.kobo OR g.total_kobo <> m.kobo ORDER BY 1`},
	{"SELECT count(*) FROM rm_sub_accounts", `SELECT s.id, format('The sub-account''s total is %s kobo and its members, with those who left, have %s.', s.total_kobo, m.kobo)
		FROM rm_sub_accounts s, LATERAL (SELECT coalesce(sum(total_kobo), 0) + s.closed_kobo AS kobo FROM rm_contributors WHERE sub_account_id = s.id) m
		WHERE s.total_kobo <> m.kobo ORDER BY 1`},
	{"SELECT count(*) FROM rm_pools", `SELECT s.id, format('The sub-account''s total is %s kobo, less what was paid out of it %s, and its pool has %s.', s.total_kobo, s.total_kobo - r.kobo, coalesce(p.kobo + p.held, 0))
		FROM rm_sub_accounts s LEFT JOIN rm_pools p ON p.sub_account_id = s.id, LATERAL (SELECT coalesce(sum(CASE status WHEN 'PAID' THEN kobo ELSE parked END), 0) AS kobo FROM rm_requests WHERE sub_account_id = s.id) r
		WHERE s.total_kobo - r.kobo <> coalesce(p.kobo + p.held, 0) AND (SELECT min(pos) = max(pos) FROM projections WHERE name IN ('groups', 'requests')) ORDER BY 1`},
	{"SELECT count(DISTINCT account) FROM rm_entries", `SELECT account::text, format('The account holds %s kobo and its history sums to %s.', balance, total) FROM
		(SELECT account, sum(kobo) AS total, (array_agg(balance_kobo ORDER BY pos DESC, n DESC))[1] AS balance FROM rm_entries GROUP BY account) a
		WHERE balance <> total ORDER BY 1`},
	{"SELECT count(*) FROM rm_wallets", `SELECT w.user_id, format('The wallet holds %s kobo and its history sums to %s.', w.kobo, e.kobo)
		FROM rm_wallets w, LATERAL (SELECT coalesce(sum(kobo), 0) AS kobo FROM rm_entries
			WHERE account = encode(substr(sha256(convert_to('wallet:' || w.user_id, 'UTF8')), 1, 16), 'hex')::uuid) e
		WHERE w.kobo <> e.kobo AND (SELECT min(pos) = max(pos) FROM projections WHERE name IN ('balances', 'statements')) ORDER BY 1`},
	{"SELECT count(DISTINCT user_id) FROM rm_movements", `SELECT w.user_id, format('The wallet holds %s kobo and its movements sum to %s.', w.kobo, m.kobo)
		FROM rm_wallets w, LATERAL (SELECT coalesce(sum(CASE WHEN incoming THEN kobo ELSE -kobo END), 0) AS kobo FROM rm_movements WHERE user_id = w.user_id AND kind NOT IN ('SAVINGS_PAID_OUT', 'SAVINGS_RETURNED')) m
		WHERE w.kobo <> m.kobo AND (SELECT min(pos) = max(pos) FROM projections WHERE name IN ('balances', 'activity')) ORDER BY 1`},
	{"SELECT count(*) FROM rm_ajo_balances", `SELECT 'ajo', format('Members have %s kobo in ajo, and pots, deposits and cards hold %s.', b.kobo, h.kobo)
		FROM (SELECT coalesce(sum(kobo), 0) AS kobo FROM rm_ajo_balances) b, (SELECT (SELECT coalesce(sum(kobo), 0) FROM ` + ajos.Pots + ` p)
			+ (SELECT coalesce(sum(deposit), 0) FROM rm_ajo_members) + (SELECT coalesce(sum(kobo * filled), 0) FROM rm_ajo_cards WHERE status = 'OPEN') AS kobo) h
		WHERE b.kobo <> h.kobo AND (SELECT min(pos) = max(pos) FROM projections WHERE name IN ('balances', 'ajos'))`},
	{
		"SELECT (SELECT count(*) FROM rm_ajo_cycles) + (SELECT count(*) FROM rm_ajo_members) + (SELECT count(*) FROM rm_ajo_cards)",
		`SELECT x.account, format('It is shown with %s kobo and its history sums to %s.', x.kobo, e.kobo)
		FROM (SELECT 'pot:' || ajo_id || ':' || cycle AS account, kobo FROM ` + ajos.Pots + ` p UNION ALL SELECT 'deposit:' || ajo_id || ':' || user_id, deposit FROM rm_ajo_members
			UNION ALL SELECT 'card:' || card_id, CASE status WHEN 'OPEN' THEN kobo * filled ELSE 0 END FROM rm_ajo_cards) x,
		LATERAL (SELECT coalesce(sum(kobo), 0) AS kobo FROM rm_entries WHERE account = encode(substr(sha256(convert_to(x.account, 'UTF8')), 1, 16), 'hex')::uuid) e
		WHERE x.kobo <> e.kobo AND (SELECT min(pos) = max(pos) FROM projections WHERE name IN ('ajos', 'statements')) ORDER BY 1`,
	},
	{"SELECT count(*) FROM rm_notified_terms", `SELECT t.group_id, format('At event %s %s is the group''s %s and %s its %s: of payments one is told too often.', o.from_pos, t.user_id, t.role, o.user_id, o.role)
		FROM rm_notified_terms t JOIN rm_notified_terms o ON o.group_id = t.group_id AND (o.role, o.from_pos) <> (t.role, t.from_pos) AND o.from_pos >= t.from_pos AND o.from_pos < t.to_pos
		WHERE o.role = t.role OR o.user_id = t.user_id AND o.told AND t.told ORDER BY 1`},
	{"SELECT count(*) FROM rm_notifications", `SELECT n.user_id, format('They were told twice of the payment of event %s.', n.event_id)
		FROM rm_notifications n JOIN rm_contributions a ON a.pos = n.pos JOIN rm_notified_terms t ON t.group_id = a.group_id AND t.user_id = n.user_id AND t.told AND a.pos > t.from_pos AND a.pos < t.to_pos
		WHERE n.type = 1 AND t.user_id NOT IN (a.user_id, a.paid_by) ORDER BY 1`},
}

func checkFigures(ctx context.Context, pool *pgxpool.Pool, c *audit.Check) error {
	return pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		for _, f := range figures {
			var n int64
			if err := tx.QueryRow(ctx, f.count).Scan(&n); err != nil {
				return fmt.Errorf("the read models cannot be read: %w", err)
			}
			c.Looked += n
			rows, err := tx.Query(ctx, f.wrong)
			if err != nil {
				return err
			}
			var subject, says string
			if _, err := pgx.ForEachRow(rows, []any{&subject, &says}, func() error {
				c.Violate(0, subject, "%s", says)
				return nil
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// Least is the read model that lags the most.
type Least struct {
	Model    string
	Position int64
}

// LeastModel finds the read model that lags the most.
func (v *Visit) LeastModel(ctx context.Context) (Least, error) {
	var l Least
	err := v.Pool.QueryRow(ctx, "SELECT name, pos FROM projections ORDER BY pos, name LIMIT 1").Scan(&l.Model, &l.Position)
	if err != nil {
		return l, fmt.Errorf("the read models cannot be read: %w", err)
	}
	return l, nil
}

// Streamed answers the last position in the stream of the ledger's epoch. OpenStream comes first.
func (v *Visit) Streamed(ctx context.Context) (int64, error) {
	if v.JS == nil {
		return 0, errors.New(v.NoStream)
	}
	epoch, _, err := history.Head(ctx, v.Pool)
	if err != nil {
		return 0, err
	}
	stream, err := v.JS.Stream(ctx, relay.StreamName(epoch))
	if err != nil {
		return 0, err
	}
	return int64(stream.CachedInfo().State.LastSeq), nil
}
