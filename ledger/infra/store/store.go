package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/migrate"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/refusals"
	"adashi.ng/ledger/infra/store/bulk"
	"adashi.ng/ledger/infra/store/text"
	"adashi.ng/ledger/infra/store/tries"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Options tune a store; the zero value is right for production.
type Options struct {
	Batch    int           // Commands a transaction at most; 1,000 when zero.
	Queue    int           // Commands that may wait; 8,192 when zero. Further callers are told to come back.
	Cache    int           // Streams, by their weight, and accounts kept in memory; 200,000 when zero.
	Keys     int           // Commands remembered, while small enough; 10,000 when zero. The database has all.
	Refusals int           // Remembered for an actor in an hour; 1,000 when zero. Then the actor must wait.
	Freeze   int           // After how many events a stream's state is saved as a snapshot; 256 when zero.
	Doubt    time.Duration // How long to look for the outcome of a commit that was not answered; 2 s when zero.
	Settle   time.Duration // How long after commits the stored balances are brought up to date; 250 ms when zero.
	Clock    clock.Clock   // clock.System when nil.
	Random   io.Reader     // The source of the salts; crypto/rand's when nil.
	Sealing  refusals.Key  // Seals the refusals that are remembered. Without it they have no seal.
	// Hold runs before a command is queued and again before it is decided. If it returns an error, the command fails
	// with it, unless its caller chose its id and it was recorded or refused before. May be nil.
	Hold func() error
	// Around wraps each command, as it is decided, in the rules that hold for all commands. It gets the command's id.
	// Nil for none.
	Around func(id uuid.UUID, c event.Command) event.Command
	// Pace gets each batch's last position once it is written, and answers how long the next one waits.
	Pace func(pos int64) time.Duration
}

// Command is a domain command with the facts that the ledger records about it.
type Command struct {
	ID          uuid.UUID // Identifies the request; a retry carries the same.
	Hash        [16]byte  // Of the request's fields: see Fingerprint.
	Keyed       bool      // The caller chose the ID and may retry with it, so a refusal is remembered.
	Actor       string    // An opaque user id, or "system".
	Correlation string    // Shared by related commands; the command's ID when empty.
	EffectiveAt time.Time // The time from which it counts; now when zero.
	// Session is the session that asked for it; zero for none. The store locks the session until the events are
	// committed. If it has ended, the command fails with fault.Unauthenticated and nothing is recorded.
	Session uuid.UUID
	event.Command
}

// Result is the outcome of a command.
type Result struct {
	Records  []event.Record // In order; their positions are consecutive.
	Decided  []event.Draft  // The drafts of Records. None if they were read from the database, as for a repeated command.
	Repeated bool           // The command was recorded earlier; these are the events from then.
}

// Position is the last position recorded.
func (r Result) Position() int64 {
	if len(r.Records) == 0 {
		return 0
	}
	return r.Records[len(r.Records)-1].Pos
}

// ErrUnknown is returned when the store could not learn whether a command was recorded.
var ErrUnknown = errors.New("store: whether the command was recorded is not known; ask again with the same id")

// Store is the event store. Make it with Open; it is safe for concurrent use.
type Store struct {
	backend   Backend
	opt       Options
	folds     map[string]event.Aggregate
	queue     chan *waiting
	committed chan struct{}
	stopping  chan struct{}
	stopped   chan struct{}
	unsettled chan struct{} // Something was committed since the balances were settled.
	settling  sync.WaitGroup
	replying  sync.WaitGroup
	next      nextBatch
	distrust  atomic.Bool // The balances do not agree: do not rely on the memory.

	// Only the appender uses these.
	memory    memory
	contended int
	tries     tries.Tries
}

// Migrate brings the ledger's tables to this build's version, recorded in goose_ledger.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return migrate.Up(ctx, pool, folder, "goose_ledger")
}

// Open starts the appender. Close stops it.
func Open(backend Backend, aggregates []event.Aggregate, opt Options) *Store {
	opt.Batch, opt.Queue, opt.Cache = orElse(opt.Batch, 1000), orElse(opt.Queue, 8192), orElse(opt.Cache, 200_000)
	opt.Keys, opt.Freeze, opt.Refusals = orElse(opt.Keys, 10_000), orElse(opt.Freeze, 256), orElse(opt.Refusals, 1000)
	if opt.Settle == 0 {
		opt.Settle = 250 * time.Millisecond
	}
	if opt.Doubt == 0 {
		opt.Doubt = 2 * time.Second
	}
	if opt.Clock == nil {
		opt.Clock = clock.System
	}
	if opt.Random == nil {
		opt.Random = rand.Reader
	}
	if opt.Hold == nil {
		opt.Hold = func() error { return nil }
	}
	s := &Store{
		backend: backend, opt: opt, folds: byCategory(aggregates), queue: make(chan *waiting, opt.Queue),
		committed: make(chan struct{}, 1), stopping: make(chan struct{}), stopped: make(chan struct{}),
		unsettled: make(chan struct{}, 1), memory: newMemory(opt.Cache, opt.Keys),
		next: nextBatch{taken: make(chan struct{}, 1)}, tries: tries.New(opt.Refusals),
	}
	s.settling.Go(s.keepSettled)
	go s.run()
	return s
}

func byCategory(aggregates []event.Aggregate) map[string]event.Aggregate {
	folds := make(map[string]event.Aggregate, len(aggregates))
	for _, a := range aggregates {
		folds[a.Category] = a
	}
	return folds
}

func orElse(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}

// Close refuses new commands, answers those that wait and stops the appender.
func (s *Store) Close() {
	close(s.stopping)
	<-s.stopped
	s.settling.Wait()
}

// Committed receives after commits of this process, so that a listener need not poll. Signals merge.
func (s *Store) Committed() <-chan struct{} { return s.committed }

// Append decides a command and records its events. The package comment says what the errors mean.
func (s *Store) Append(ctx context.Context, c Command) (Result, error) {
	if c.Correlation == "" {
		c.Correlation = c.ID.String()
	}
	if err := s.opt.Hold(); err != nil && !c.Keyed {
		return Result{}, err
	}
	if c.EffectiveAt.IsZero() {
		c.EffectiveAt = event.DecidesAt(c.Command)
	}
	c.Command = bulk.Around(s.opt.Around, c.ID, c.Command)
	w, err := wait(c)
	if err != nil {
		return Result{}, err
	}
	select {
	case <-s.stopping:
		return Result{}, errBusy()
	default:
	}
	select {
	case s.queue <- w:
	default:
		return Result{}, errBusy()
	}
	select {
	case a := <-w.answer:
		return a.result, a.err
	case <-s.stopped:
		// The appender answers everything it took before it stops.
		select {
		case a := <-w.answer:
			return a.result, a.err
		default:
			return Result{}, errBusy()
		}
	case <-ctx.Done():
		if w.giveUp() {
			return Result{}, fault.New(fault.Unavailable, "This took too long and was given up. Nothing was taken. Please try again shortly.")
		}
		return Result{}, fmt.Errorf("%w: %w", ErrUnknown, ctx.Err())
	}
}

// wait asks a command for its names, and refuses names that the tables cannot hold.
func wait(c Command) (w *waiting, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = undecided(&c, 0, fmt.Errorf("panic: %v", r))
		}
	}()
	w = &waiting{command: c, answer: make(chan answer, 1), since: clock.Start(), streams: c.Streams(), accounts: c.Accounts()}
	if !text.Storable(c.Actor, c.Correlation) || !text.Storable(w.streams...) || !text.Storable(w.accounts...) {
		return nil, text.Err()
	}
	return w, nil
}

func errBusy() *fault.Fault {
	return fault.New(fault.Unavailable, "We are very busy just now. Nothing was taken. Please try again shortly.")
}

// CommandID derives a command's id from the actor, the operation and the key that the caller chose. A key that is a
// version 7 UUID puts its time in front, so that the index of commands grows at its end. Jobs find by this id alone
// what they have done, so its input never changes.
func CommandID(actor, operation, key string) uuid.UUID {
	sum := sha256.Sum256([]byte("adashi command v1\x00" + actor + "\x00" + operation + "\x00" + key))
	id := uuid.UUID(sum[:16])
	if timed, err := uuid.Parse(key); err == nil && timed.Version() == 7 {
		copy(id[:6], timed[:6])
	}
	return id
}

// NewCommandID is a fresh id for a command whose caller will not retry with it.
func NewCommandID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// Fingerprint hashes the fields of a request: the type and the value of each.
func Fingerprint(fields ...any) [16]byte {
	all := make([]byte, 0, 256)
	for _, field := range fields {
		if text, is := field.(string); is { // Written as the others are, but without reflection.
			all = append(append(append(all, "string\x00"...), text...), 0)
		} else {
			all = fmt.Appendf(all, "%T\x00%v\x00", field, field)
		}
	}
	sum := sha256.Sum256(all)
	return [16]byte(sum[:16])
}

func (s *Store) fold(stream string) (event.Aggregate, error) {
	category, _, _ := strings.Cut(stream, ":")
	a, ok := s.folds[category]
	if !ok {
		return a, fmt.Errorf("store: no aggregate folds the stream %q", stream)
	}
	return a, nil
}
