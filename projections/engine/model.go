package engine

import (
	"context"
	"errors"
	"hash/fnv"
	"log/slog"
	"slices"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/guard"
	"adashi.ng/projections/engine/recent"
)

// Event is a recorded event with its body decoded.
type Event = recent.Event

// Changes are the changes of a batch, so that screens that show them can read them again.
type Changes struct {
	Users  map[string][]string // Topics by user: wallet, activity, notifications, groups, group:{id}.
	Groups []string
	Desks  []string            // Of our own staff: SupportDesk, FinanceDesk.
	known  map[string]struct{} // The same groups as a set.
}

// User notes that a topic changed for a user.
func (c *Changes) User(userID, topic string) {
	if c.Users == nil {
		c.Users = map[string][]string{}
	}
	if !slices.Contains(c.Users[userID], topic) {
		c.Users[userID] = append(c.Users[userID], topic)
	}
}

// Group notes that a group changed.
func (c *Changes) Group(groupID string) {
	if _, known := c.known[groupID]; known {
		return
	}
	if c.known == nil {
		c.known = map[string]struct{}{}
	}
	c.known[groupID] = struct{}{}
	c.Groups = append(c.Groups, groupID)
}

// The desks of our staff whose screens a read model can change.
const (
	SupportDesk = "support" // Disputes and corrections.
	FinanceDesk = "finance" // Unmatched money, payouts, and requests for access to ajo.
)

// Model is one read model: its tables and its fold.
type Model struct {
	Name string
	// Version of the tables and the fold. A newer version than the stored one is built beside it and replaces it once
	// it has caught up.
	Version int
	// Serves is the oldest version whose tables this build's queries can read; Version itself when zero. A process that
	// serves readers is not ready while the tables are older.
	Serves int
	// Partitions is how many workers share the model; one when zero. Like the version it is stored: a change of it
	// rebuilds the model.
	Partitions int
	// Schema makes the tables and the indexes that the fold itself uses; Tables names them. Names are not qualified: a
	// rebuild makes the same tables in a schema of its own.
	Schema string
	Tables []string
	// Indexes are the ones that the fold itself does not need, primary keys and constraints too. A rebuild makes them
	// once the bulk is in: sorting once is cheaper than keeping an index in order.
	Indexes string
	// Kept makes tables that are no projection, such as a reader's own marks: they outlive every rebuild. The fold can
	// neither read nor write them. It runs at every start, so it must be repeatable.
	Kept       string
	KeptTables []string // Their names.
	// Restored deletes rows about positions after pos from the kept tables: the ledger was restored, and ended at pos
	// when the projector found its tables beyond that. The ledger may since have recorded other events there. Optional.
	Restored func(ctx context.Context, tx pgx.Tx, pos int64) error
	// Ignores are the types that Fold ignores, see event.Others. Fold does not get them, and they cost the model
	// nothing. A type that this build does not know is never among them: the model pauses at it.
	Ignores []string
	// Fold applies events, in order, within the transaction, as far as they concern the part's keys. It must be
	// deterministic, however the events are cut into batches: the same events, the same rows. It sees its own tables
	// only, and the data that it left in memory.Of at the batch before. It gets the whole, Part{0, 1}, unless
	// Partitions is more than one.
	Fold func(ctx context.Context, tx pgx.Tx, part Part, events []Event) (Changes, error)
}

// fold is Fold with a panic turned into a refusal: an event that it cannot take is the event's fault.
func (m Model) fold(ctx context.Context, tx pgx.Tx, part Part, events []Event) (changes Changes, err error) {
	defer func() {
		var panicked *guard.Panicked
		if errors.As(err, &panicked) {
			slog.Error("projections: a fold broke off", "model", m.Name, "from position", events[0].Pos, "to position", events[len(events)-1].Pos,
				"panic", panicked.Value, "stack", string(panicked.Stack))
			err = &Refusal{panicked.Error()}
		}
	}()
	defer guard.Into(&err)
	return m.Fold(ctx, tx, part, events)
}

// ignores is Ignores as a set.
func (m Model) ignores() map[string]bool {
	all := make(map[string]bool, len(m.Ignores))
	for _, name := range m.Ignores {
		all[name] = true
	}
	return all
}

func (m Model) parts() int { return max(1, m.Partitions) }

// Part is one worker's share of a model: number N of Of, from 0.
type Part struct{ N, Of int }

// Owns reports whether a key, such as an account, belongs to this part.
func (p Part) Owns(key string) bool { return PartOf(key, p.Of) == p.N }

// PartOf is the number of the part that owns a key. It is the same in every process and for ever.
func PartOf(key string, of int) int {
	if of <= 1 {
		return 0
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(key))
	return int(h.Sum32() % uint32(of))
}
