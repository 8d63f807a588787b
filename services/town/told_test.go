package town

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/proto"

	"adashi.ng/ledger/event"
	"adashi.ng/projections/notifications/told"
)

// isTold is the question whether people are told of what others do to their money.
const isTold = "said and true: everybody is told"

// isByTable is the question whether notifications are what the table of who is told says.
const isByTable = "said and true: the table of who is told"

// asked are events by which the product does later what somebody asked for: their payment or their standing order pays.
var asked = []string{"naira.v1.ContributionReceived", "naira.v1.AjoContributed"}

// told: whose wallet or held money moves by an event that they did not bring about themselves is notified of it, or of
// something that was recorded with it.
func (t *Town) told(ctx context.Context) error {
	notes, err := t.notes(ctx)
	if err != nil {
		return err
	}
	noted, missed, first := map[string]bool{}, map[string]int{}, ""
	var moves []event.Record
	err = t.each(ctx, func(r event.Record) error {
		for _, n := range notes[r.Pos] {
			noted[n.User+r.RecordedAt.String()] = true
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

// note is a notification that is stored.
type note struct {
	User string
	Pos  int64
	Type int16
}

// notes are all of them, by the positions of their events.
func (t *Town) notes(ctx context.Context) (map[int64][]note, error) {
	rows, err := t.instance.Pool.Query(ctx, "SELECT user_id, pos, type FROM rm_notifications")
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[note])
	byPos := map[int64][]note{}
	for _, n := range all {
		byPos[n.Pos] = append(byPos[n.Pos], n)
	}
	return byPos, err
}

// toldByTable: whom a field of an event names, and the table always tells, has one notification of that type about it,
// and nobody has one that the table does not have.
func (t *Town) toldByTable(ctx context.Context) error {
	notes, err := t.notes(ctx)
	if err != nil {
		return err
	}
	wrong := map[string]int{}
	err = t.each(ctx, func(r event.Record) error {
		m, err := r.Message()
		if err != nil {
			return err
		}
		for _, n := range notes[r.Pos] {
			if !slices.ContainsFunc(told.Of(m).Tells, func(by told.Telling) bool { return told.Code(by.Type) == n.Type }) {
				wrong[fmt.Sprintf("%s tells of %s, and its row does not", r.Type, told.TypeOf(n.Type))]++
			}
		}
		for _, by := range told.Of(m).Tells {
			for user := range always(m, by) {
				if t.byID[user] != nil && !slices.Contains(notes[r.Pos], note{user, r.Pos, told.Code(by.Type)}) {
					wrong[fmt.Sprintf("%s does not tell of %s whom its row names", r.Type, by.Type)]++
				}
			}
		}
		return nil
	})
	if err != nil || len(wrong) == 0 {
		return err
	}
	var said []string
	for _, what := range slices.Sorted(maps.Keys(wrong)) {
		said = append(said, fmt.Sprintf("%s, %d times", what, wrong[what]))
	}
	return &Failure{isByTable, strings.Join(said, "; ")}
}

// always are those whom fields of an event name and a telling tells whatever else is so.
func always(m proto.Message, by told.Telling) map[string]bool {
	users := map[string]bool{}
	if by.When != "" || by.How() == told.Digest {
		return users
	}
	for _, who := range by.To {
		for _, user := range who.In(m, nil) {
			users[user] = true
		}
	}
	for _, who := range by.But {
		for _, user := range who.In(m, nil) {
			delete(users, user)
		}
	}
	return users
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
