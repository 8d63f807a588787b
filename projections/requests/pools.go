package requests

import (
	"strings"

	"github.com/jackc/pgx/v5"

	"adashi.ng/projections/engine"
	"adashi.ng/projections/query"

	"adashi.ng/ledger/base/money"
)

// takeMoney notes what sub-accounts hold.
func (f *folding) takeMoney(e engine.Event) {
	for _, line := range e.Lines {
		if sub, ok := strings.CutPrefix(line.Account, "pool:"); ok {
			f.pools[sub] = int64(line.Balance)
		} else if sub, ok := strings.CutPrefix(line.Account, "held:pool:"); ok {
			f.held[sub] = int64(line.Balance)
		}
	}
}

func (f *folding) flushPools() {
	for column, figures := range map[string]map[string]int64{"kobo": f.pools, "held": f.held} {
		if len(figures) == 0 {
			continue
		}
		subs, kobo := make([]string, 0, len(figures)), make([]int64, 0, len(figures))
		for sub, amount := range figures {
			subs, kobo = append(subs, sub), append(kobo, amount)
		}
		f.batch.Queue(`INSERT INTO rm_pools (sub_account_id, `+column+`) SELECT * FROM unnest($1::text[], $2::bigint[])
			ON CONFLICT (sub_account_id) DO UPDATE SET `+column+` = excluded.`+column, subs, kobo)
	}
}

// Pool is what a sub-account has, in kobo.
type Pool struct {
	Available money.Kobo
	Held      money.Kobo // Set aside: for requests that are not over, for example.
}

// Book is all of it.
func (p Pool) Book() money.Kobo { return p.Available + p.Held }

// Pools reads what sub-accounts hold, by their ids; one that never had money is absent.
func Pools(subAccountIDs ...string) query.Of[map[string]Pool] {
	where, arg := query.In("sub_account_id", subAccountIDs)
	return query.New(pools, "SELECT sub_account_id, kobo, held FROM rm_pools WHERE "+where, arg)
}

func pools(rows pgx.Rows) (map[string]Pool, error) {
	pools := map[string]Pool{}
	var sub string
	var p Pool
	_, err := pgx.ForEachRow(rows, []any{&sub, &p.Available, &p.Held}, func() error { pools[sub] = p; return nil })
	return pools, err
}
