package store

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// Backend is what the appender reads and writes: Postgres for real, memory in the simulation. Whatever error is not one
// of this package's sentinels is an outage, and nothing was written.
type Backend interface {
	// Load reads what is committed.
	Load(ctx context.Context, n Need) (Found, error)
	// Lock opens a transaction that holds the head's lock, and reads in it. The caller ends it with Commit or Rollback.
	Lock(ctx context.Context, n Need) (Locked, Found, error)
	// Write writes in one transaction of its own, if the ledger still ends at from: else ErrMoved. It fails with
	// ErrBefore if one of w.Refused was recorded, and with ErrEnded if one of w.Sessions has ended.
	Write(ctx context.Context, from Tip, w Writes) error
	// Settle brings the balances to the ledger's end and answers the position they stand for then. It fails with
	// ErrUnsettled.
	Settle(ctx context.Context) (pos int64, err error)
}

// Locked is a transaction that holds the head's lock.
type Locked interface {
	Load(ctx context.Context, n Need) (Found, error)
	// Commit writes and ends the transaction.
	Commit(ctx context.Context, w Writes) error
	// Rollback ends the transaction; it does no harm after Commit.
	Rollback()
}

var (
	// ErrMoved is returned by Write when another process has written since.
	ErrMoved = errors.New("store: another process has written since")
	// ErrBefore is returned by Write when a command that is refused now was recorded before.
	ErrBefore = errors.New("store: a command that would be refused was recorded before")
	// ErrEnded is returned by Write when a session in which something was asked for has ended.
	ErrEnded = errors.New("store: a session has ended in which something was asked for")
	// ErrConstraint is returned when the database itself refuses what was to be read or written: nothing was written.
	ErrConstraint = errors.New("store: the database refuses this")
	// ErrUnsettled is returned when the balances that are kept and the events do not agree.
	ErrUnsettled = errors.New("store: the balances and the events do not agree")
	// ErrParted is returned while histories have parted and the epoch is not raised: nothing is appended. See Part.
	ErrParted = errors.New("store: the ledger's history has parted from what was told of it")
	// ErrUnanswered is returned when the commit was sent and its answer is not known.
	ErrUnanswered = errors.New("store: the commit was not answered")
)

// Tip is where the ledger ends.
type Tip struct {
	Pos        int64
	RecordedAt time.Time
	Leaf       [32]byte // Of the event at Pos, so that one history is told from another of the same length.
}

// Need names what a batch is decided on.
type Need struct {
	Streams    []string
	Folds      []int32 // For each stream the version of its fold, for snapshots.
	Accounts   []string
	Settle     bool        // Under the lock: the balances are to be brought to the ledger's end first.
	Now        bool        // Without it: the balances are wanted as of the ledger's end, not as they were settled.
	Recorded   []uuid.UUID // Commands whose records are wanted, if they were recorded.
	Refused    []uuid.UUID // Commands whose refusal is wanted, if they were refused.
	Tried      []string    // Actors of whom it is wanted how many refusals were remembered since TriedSince.
	TriedSince time.Time
	// Sessions to lock until the transaction ends; Found.Ended lists those that have ended. Only with Backend.Lock.
	Sessions []uuid.UUID
	Tail     bool // The events from a position on are wanted too, if they are not many.
	From     int64
}

// TailMax is how many events a process reads of what others wrote; beyond it, starting afresh is cheaper.
const TailMax = 20_000

func (n Need) empty() bool {
	return len(n.Streams)+len(n.Accounts)+len(n.Recorded)+len(n.Refused)+len(n.Tried)+len(n.Sessions) == 0
}

// Found is what there is of what was needed.
type Found struct {
	Tip       Tip
	Snapshots []Snapshot            // By stream and version. Those of other folds come without their state.
	Events    []event.Record        // By stream and version; of streams with a snapshot those after it. Only what a fold needs.
	Balances  map[string]money.Kobo // As they were settled, a little behind the events.
	Settled   int64                 // The position they stand for.
	Recorded  []event.Record        // By position.
	Archived  []uuid.UUID           // Of the commands that were recorded, those whose records are archived.
	Refusals  []Refusal
	Tried     map[string]int
	Ended     []uuid.UUID // Of the sessions.
	Tail      []Followed  // By position, at most TailMax + 1.
}

// Followed is an event that another process recorded: what a fold needs, and the lines' accounts and balances.
type Followed struct {
	event.Record
	Leaf [32]byte
}

// Snapshot is a stream's state as a version of its fold came to.
type Snapshot struct {
	Stream  string
	Fold    int32
	Version int64
	State   []byte
}

// Refusal is the remembered answer to a command that came with a key.
type Refusal struct {
	Command uuid.UUID
	Hash    [16]byte
	Actor   string // Whose it is. It is written and counted, never read.
	Fault   fault.Fault
	Seal    []byte // See refusals.Key; empty without a key. It is written, never read.
}

// Writes are what a batch writes, all or nothing.
type Writes struct {
	Tip       Tip
	Records   []*event.Record
	Leaves    [][32]byte // Of the records.
	Commands  []Recorded
	Snapshots []Snapshot
	Refusals  []Refusal
	Refused   []uuid.UUID // Commands refused by the state just now, which must not have been recorded before.
	Sessions  []uuid.UUID // Those in which the commands were asked for. Under the lock they are held already.
}

// Recorded says where a command's events are.
type Recorded struct {
	Command uuid.UUID
	Pos     int64 // Of its first event.
	Events  int
}
