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

// Backend is the storage that the appender reads and writes: Postgres in production, memory in the simulation. Any
// error other than this package's sentinels means an outage, and that nothing was written.
type Backend interface {
	// Load reads committed data.
	Load(ctx context.Context, n Need) (Found, error)
	// Lock opens a transaction that holds the head's lock, and reads in it. The caller ends it with Commit or Rollback.
	Lock(ctx context.Context, n Need) (Locked, Found, error)
	// Write writes in a transaction of its own if the ledger still ends at from; otherwise it fails with ErrMoved. It
	// fails with ErrBefore if one of w.Refused was recorded, and with ErrEnded if one of w.Sessions has ended.
	Write(ctx context.Context, from Tip, w Writes) error
	// Settle brings the stored balances up to the ledger's end and answers the position that they include. It fails
	// with ErrUnsettled.
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
	// ErrBefore is returned by Write when a command that is refused now was recorded earlier.
	ErrBefore = errors.New("store: a command that would be refused was recorded before")
	// ErrEnded is returned by Write when a session that asked for a command has ended.
	ErrEnded = errors.New("store: a session has ended in which something was asked for")
	// ErrConstraint is returned when the database itself refuses a read or a write: nothing was written.
	ErrConstraint = errors.New("store: the database refuses this")
	// ErrUnsettled is returned when the stored balances and the events do not agree.
	ErrUnsettled = errors.New("store: the balances and the events do not agree")
	// ErrParted is returned while histories have parted and the epoch is not raised: nothing is appended. See Part.
	ErrParted = errors.New("store: the ledger's history has parted from what was told of it")
	// ErrUnanswered is returned when the commit was sent and its answer is not known.
	ErrUnanswered = errors.New("store: the commit was not answered")
)

// Tip is the end of the ledger.
type Tip struct {
	Pos        int64
	RecordedAt time.Time
	Leaf       [32]byte // Of the event at Pos: it tells two histories of the same length apart.
}

// Need names the data that a batch is decided on.
type Need struct {
	Streams    []string
	Folds      []int32 // For each stream the version of its fold, for snapshots.
	Accounts   []string
	Settle     bool        // Under the lock: first bring the balances to the ledger's end.
	Now        bool        // Without the lock: read the balances as of the ledger's end, not as they were settled.
	Recorded   []uuid.UUID // Commands whose records to read, if they were recorded.
	Refused    []uuid.UUID // Commands whose refusals to read, if they were refused.
	Tried      []string    // Actors whose remembered refusals since TriedSince to count.
	TriedSince time.Time
	// Sessions to lock until the transaction ends; Found.Ended lists those that have ended. Only with Backend.Lock.
	Sessions []uuid.UUID
	Tail     bool // Also read the events from position From on, if they are not many.
	From     int64
}

// TailMax is how many events of other processes a process reads; beyond it, starting with an empty memory is cheaper.
const TailMax = 20_000

func (n Need) empty() bool {
	return len(n.Streams)+len(n.Accounts)+len(n.Recorded)+len(n.Refused)+len(n.Tried)+len(n.Sessions) == 0
}

// Found is the data that was read for a Need.
type Found struct {
	Tip       Tip
	Snapshots []Snapshot            // By stream and version. Those of other folds come without their state.
	Events    []event.Record        // By stream and version; those after a snapshot, if there is one. Only what a fold needs.
	Balances  map[string]money.Kobo // As they were settled, a little behind the events.
	Settled   int64                 // The position that Balances include.
	Recorded  []event.Record        // By position.
	Archived  []uuid.UUID           // The recorded commands whose records are archived.
	Refusals  []Refusal
	Tried     map[string]int
	Ended     []uuid.UUID // Of the sessions.
	Tail      []Followed  // By position, at most TailMax + 1.
}

// Followed is an event of another process: the fields that a fold needs, and the lines' accounts and balances.
type Followed struct {
	event.Record
	Leaf [32]byte
}

// Snapshot is a stream's state after an event, in the encoding of one fold version.
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
	Actor   string // The actor of the command. It is written and counted, never read.
	Fault   fault.Fault
	Seal    []byte // See refusals.Key; empty without a key. It is written, never read.
}

// Writes are all rows that a batch writes, all or nothing.
type Writes struct {
	Tip       Tip
	Records   []*event.Record
	Leaves    [][32]byte // Of the records.
	Commands  []Recorded
	Snapshots []Snapshot
	Refusals  []Refusal
	Refused   []uuid.UUID // Commands that the current state refuses; they must not have been recorded earlier.
	Sessions  []uuid.UUID // The sessions that asked for the commands. Under the lock they are locked already.
}

// Recorded gives the position of a command's events.
type Recorded struct {
	Command uuid.UUID
	Pos     int64 // Of its first event.
	Events  int
}
