package town

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/event"
)

// isTold is the question whether people are told of what others do to their money.
const isTold = "said and true: everybody is told"

// asked are events by which the product does later what somebody asked for: their payment or their standing order pays.
var asked = []string{"naira.v1.ContributionReceived", "naira.v1.AjoContributed"}

// told: whose wallet or held money moves by an event that they did not bring about themselves is notified of it, or of
// something that was recorded with it.
func (t *Town) told(ctx context.Context) error {
	rows, err := t.instance.Pool.Query(ctx, "SELECT user_id, pos FROM rm_notifications")
	if err != nil {
		return err
	}
	type note struct {
		User string
		Pos  int64
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[note])
	if err != nil {
		return err
	}
	byPos := map[int64][]string{}
	for _, n := range all {
		byPos[n.Pos] = append(byPos[n.Pos], n.User)
	}
	noted, missed, first := map[string]bool{}, map[string]int{}, ""
	var moves []event.Record
	err = t.each(ctx, func(r event.Record) error {
		for _, user := range byPos[r.Pos] {
			noted[user+r.RecordedAt.String()] = true
		}
		moves = append(moves, r)
		return nil
	})
	for _, r := range moves {
		for user, kobo := range moved(r) {
			if t.byID[user] != nil && kobo != 0 && r.Actor != user && !slices.Contains(asked, r.Type) && !noted[user+r.RecordedAt.String()] {
				missed[r.Type]++
				first = cmp.Or(first, fmt.Sprintf("first %s at %d", t.byID[user], r.Pos))
			}
		}
	}
	if err != nil || len(missed) == 0 {
		return err
	}
	var said []string
	for _, typ := range slices.Sorted(maps.Keys(missed)) {
		said = append(said, fmt.Sprintf("%d of %s", missed[typ], typ))
	}
	return &Failure{isTold, "nobody is told of " + strings.Join(said, ", ") + ": " + first}
}

// moved is by how much an event changes what each person has in their wallet, held money included.
func moved(r event.Record) map[string]int64 {
	by := map[string]int64{}
	for _, l := range r.Lines {
		if user, is := strings.CutPrefix(strings.TrimPrefix(l.Account, "held:"), "wallet:"); is {
			by[user] += int64(l.Amount)
		}
	}
	return by
}
