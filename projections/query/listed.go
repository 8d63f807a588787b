package query

import (
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"
)

// ListOf says which payments of a group or an ajo are in a month's list: those up to a position that count from before
// End, and either from Since on or were reported after a position.
type ListOf struct {
	Upto          int64
	Since, End    time.Time
	ToldLateAfter int64
	Said          time.Time // When it was attested: a later query is a change.
}

// Change counts the changes of a list: how many payments were queried since it was attested (also if the query is
// resolved), how many have no mark, and how many were reversed.
type Change struct{ Queried, Unreviewed, Undone int }

// Bounds are the bounds of several lists, column by column, for a query that reads them together.
func Bounds(lists []ListOf) (upto []int64, since, end []time.Time, late []int64, said []time.Time) {
	for _, l := range lists {
		upto, since, end, late, said = append(upto, l.Upto), append(since, l.Since), append(end, l.End), append(late, l.ToldLateAfter), append(said, l.Said)
	}
	return upto, since, end, late, said
}

// Listed is a payment of such a list.
type Listed struct {
	Pos    int64
	Event  uuid.UUID
	At     time.Time
	Always bool // It is always checked: a payout, or an unusual payment.
	Mark   nairav1.Mark
	Undone bool // It was reversed, or given back.
	// BackAt is the position at which a due of an ajo was first given back; 0 for others, and for incoming payments of
	// groups.
	BackAt int64
	Stand  int64 // The read model's position.
}
