package boot

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/apart"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/redecide"
)

// RulesCheck decides all events again. It holds the state of every stream in memory.
func (v *Visit) RulesCheck() audit.More {
	return audit.More{Name: "rules", Rule: "the rules come to each event again, from what was there before it", Run: func(ctx context.Context, c *audit.Check) error {
		_, head, err := history.Head(ctx, v.Pool)
		if err != nil || head == 0 {
			return err
		}
		conn, end, err := apart.Connect(ctx, v.Pool)
		if err != nil {
			return err
		}
		defer end()
		result, err := redecide.Run(ctx, conn, head, redecide.Options{
			Aggregates: ledger.Aggregates(), Wishes: ledger.Wishes(v.beacons...), Behind: ledger.Behind, Read: history.At(ctx, v.Pool), Differs: func(pos int64, why string) { c.Violate(pos, "command", "%s", why) },
		})
		var archived *history.ArchivedError
		if errors.As(err, &archived) {
			c.Skipped = archived.Error()
			return nil
		}
		c.Looked, c.Said = result.Decided, undecided(result)
		return err
	}}
}

// undecided says what was taken as it is recorded.
func undecided(r redecide.Result) string {
	var taken int64
	var most []string
	for _, typ := range slices.SortedFunc(maps.Keys(r.Taken), func(a, b string) int { return int(r.Taken[b] - r.Taken[a]) }) {
		taken += r.Taken[typ]
		if len(most) < 3 {
			most = append(most, fmt.Sprintf("%d %s", r.Taken[typ], strings.TrimPrefix(typ, "naira.v1.")))
		}
	}
	if taken == 0 {
		return ""
	}
	return fmt.Sprintf("%d events are taken as they are recorded, since no command is known that they come from: %s, …", taken, strings.Join(most, ", "))
}
