package requests

import (
	"strings"

	"adashi.ng/projections/engine"
)

// takeMoney notes the balances of sub-accounts.
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
