package reserves

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/proofs/liabilities"
)

// Check holds every commitment against what the accounts held at its position: its sum, and with the key its root too.
func Check(pool *pgxpool.Pool, key []byte) audit.More {
	return audit.More{
		Name: "liabilities", Rule: "what was committed to is what all accounts held that were owed, and everybody is shown that root",
		Run: func(ctx context.Context, c *audit.Check) error {
			return pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
				v := verifying{tx: tx, key: key, check: c}
				return v.run(ctx)
			})
		},
	}
}

// said is a commitment as the ledger has it.
type said struct {
	pos                     int64
	recordedAt, effectiveAt time.Time
	m                       *nairav1.LiabilitiesCommitted
}

type verifying struct {
	tx       pgx.Tx
	key      []byte
	check    *audit.Check
	kept     map[string]bool  // The commitments of which there are proofs.
	accounts map[string]int64 // As of a position that goes back from the ledger's end.
	bySum    int              // Of how many only the sum was looked at.
	archived int
}

func (v *verifying) run(ctx context.Context) error {
	all, err := v.said(ctx)
	if err != nil {
		return err
	}
	settled, first, err := v.begin(ctx)
	if err != nil {
		return err
	}
	if err := v.shown(ctx, all, first); err != nil {
		return err
	}
	for _, one := range all {
		if one.m.GetPosition()+1 < first {
			v.archived++
			continue
		}
		if err := v.back(ctx, one.m.GetPosition(), settled); err != nil {
			return err
		}
		settled = min(settled, one.m.GetPosition())
		if err := v.hold(ctx, one); err != nil {
			return err
		}
	}
	if v.bySum > 0 {
		v.check.Said = fmt.Sprintf("%d by their sum alone: their roots need ADASHI_IDENTITY_KEY", v.bySum)
	}
	if v.archived > 0 {
		v.check.Said += fmt.Sprintf(" (%d are of positions that are archived)", v.archived)
	}
	return nil
}

// begin reads the accounts as they are, of which position that is, and the first that is in this database.
func (v *verifying) begin(ctx context.Context) (settled, first int64, err error) {
	if err := v.tx.QueryRow(ctx, "SELECT pos, coalesce((SELECT pos FROM events ORDER BY pos LIMIT 1), 0) FROM ledger_settled").Scan(&settled, &first); err != nil {
		return 0, 0, err
	}
	v.accounts = map[string]int64{}
	rows, err := v.tx.Query(ctx, "SELECT account, balance FROM ledger_accounts")
	if err != nil {
		return 0, 0, err
	}
	var account string
	var kobo int64
	_, err = pgx.ForEachRow(rows, []any{&account, &kobo}, func() error {
		v.accounts[account] = kobo
		return nil
	})
	return settled, first, err
}

// said reads all commitments, the last position first.
func (v *verifying) said(ctx context.Context) (all []said, err error) {
	rows, err := v.tx.Query(ctx, "SELECT pos, recorded_at, effective_at, type, body FROM events WHERE stream > 'reserves:' AND stream < 'reserves;' AND type = 'naira.v1.LiabilitiesCommitted'")
	if err != nil {
		return nil, err
	}
	var pos int64
	var at, from time.Time
	var typ string
	var body []byte
	_, err = pgx.ForEachRow(rows, []any{&pos, &at, &from, &typ, &body}, func() error {
		m, err := event.DecodeRecorded(typ, body)
		if err == nil {
			all = append(all, said{pos, at, from, m.(*nairav1.LiabilitiesCommitted)})
		}
		return err
	})
	slices.SortFunc(all, func(a, b said) int { return cmp.Compare(b.m.GetPosition(), a.m.GetPosition()) })
	return all, err
}

// back takes the accounts back to a position.
func (v *verifying) back(ctx context.Context, to, from int64) error {
	rows, err := v.tx.Query(ctx, "SELECT accounts, amounts FROM events WHERE pos > $1 AND pos <= $2 AND cardinality(accounts) > 0", to, from)
	if err != nil {
		return err
	}
	var accounts []string
	var amounts []int64
	_, err = pgx.ForEachRow(rows, []any{&accounts, &amounts}, func() error {
		for i, account := range accounts {
			v.accounts[account] -= amounts[i]
		}
		return nil
	})
	return err
}

// hold holds a commitment against the accounts as they stand.
func (v *verifying) hold(ctx context.Context, one said) error {
	v.check.Looked++
	subject := "reserves:" + one.m.GetReconciliationId()
	var owed []liabilities.Account
	sum := int64(0)
	for name, kobo := range v.accounts {
		if Owed(name) {
			owed, sum = append(owed, liabilities.Account{Name: name, Kobo: kobo}), sum+kobo
		}
	}
	if sum != one.m.GetSumKobo() {
		v.check.Violate(one.pos, subject, "It says that %d kobo were owed at position %d, and the accounts held %d.", one.m.GetSumKobo(), one.m.GetPosition(), sum)
		return nil
	}
	planned, err := liabilities.Plan(owed)
	if err != nil {
		v.check.Violate(one.pos, subject, "Nothing can be committed to of what the accounts held at position %d: %v.", one.m.GetPosition(), err)
		return nil
	}
	if err := v.keptAccounts(ctx, one, planned); err != nil {
		return err
	}
	if len(v.key) == 0 || liabilities.KeyID(v.key) != one.m.GetKeyId() {
		v.bySum++
		return nil
	}
	tree, err := liabilities.Build(liabilities.SecretOf(v.key, one.m.GetReconciliationId()), planned)
	if err != nil {
		return err
	}
	if root := tree.Root(); !bytes.Equal(root.Hash[:], one.m.GetRoot()) || tree.Leaves() != one.m.GetLeaves() {
		v.check.Violate(one.pos, subject, "Its root is not that of what each account held at position %d.", one.m.GetPosition())
	}
	return nil
}
