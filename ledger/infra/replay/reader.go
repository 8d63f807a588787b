package replay

import (
	"context"
	"errors"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
)

// Trail lists the events that name a member, a group or an ajo; its kinds are "member", "group" and "ajo". It may list
// events of others too; the event itself decides.
type Trail interface {
	// Open comes first in a transaction. It answers the position that the trail has reached, or why there is no trail.
	Open(ctx context.Context, tx pgx.Tx) (reached int64, why string, err error)
	// Marks answers the first positions of a subject's events after one position and up to another, in order; with
	// back, the last ones, from the last on. late says of each whether the event counts from another time than it was
	// recorded at.
	Marks(ctx context.Context, tx pgx.Tx, kind, id string, after, to int64, limit int, back bool) (positions []int64, late []bool, err error)
}

// NoTrailError says why nothing can be replayed by the trail. Run needs none.
type NoTrailError struct{ Why string }

func (e *NoTrailError) Error() string { return "replay: " + e.Why }

// Reader replays by the trail. It is safe for concurrent use.
type Reader struct {
	Pool       *pgxpool.Pool // Its user may read the events, the trail and the keyframes.
	Trail      Trail
	Keyframes  Keyframes // May be nil.
	Aggregates []event.Aggregate
	// Every is the number of a subject's events between two keyframes; 2,048 when zero.
	Every int
}

const (
	everyUsual = 2048
	// batchMost is how many events are read at once.
	batchMost = 2048
	// madeMost is how many keyframes one replay makes.
	madeMost = 64
)

func (r *Reader) every() int {
	if r.Every > 0 {
		return r.Every
	}
	return everyUsual
}

// At is the state of a subject at a position or a time. It fails with ErrUnknown when no event up to there concerns it,
// with a *history.ArchivedError when events that it needs are archived, and with a *NoTrailError. For an account of the
// house it has only the balance, and not by effective time.
func (r *Reader) At(ctx context.Context, s Subject, until Until) (State, error) {
	return r.Run(ctx, Options{Subject: s, Until: until})
}

// ErrHouse is returned for answers that need every event: the steps of an account of the house, and its balance by
// effective time. Run can answer them.
var ErrHouse = errors.New("this account is of the house: all events have to be read")

// Run is At with options. When a step is asked for, no keyframe is used.
func (r *Reader) Run(ctx context.Context, opt Options) (State, error) {
	f, err := r.run(ctx, opt)
	if err != nil {
		return State{}, err
	}
	if len(f.made) > 0 {
		// Keyframes are a cache: the replay is right without them.
		if err := r.Keyframes.Keep(ctx, f.made); err != nil {
			slog.WarnContext(ctx, "replay: keyframes are not kept", "subject", opt.Subject.String(), "error", err)
		}
	}
	return f.finish()
}

func (r *Reader) run(ctx context.Context, opt Options) (*following, error) {
	opt.Aggregates = r.Aggregates
	f := &following{reader: r, key: FoldsOf(r.Aggregates)}
	var err error
	if f.replaying, err = begin(opt); err != nil {
		return nil, err
	}
	err = pgx.BeginTxFunc(ctx, r.Pool, reading, func(tx pgx.Tx) error {
		if err := f.open(ctx, tx); err != nil || f.to == 0 {
			return err
		}
		if opt.Step != nil && f.owner.kind != 0 {
			return f.gather(ctx)
		}
		return f.follow(ctx)
	})
	if err != nil || f.ahead == nil {
		return f, err
	}
	// The caller's Step may take long. It must not hold the trail's lock meanwhile, for which a starting process may
	// wait.
	return f, pgx.BeginTxFunc(ctx, r.Pool, reading, func(tx pgx.Tx) error {
		f.tx = tx
		return f.follow(ctx)
	})
}

// open locks the trail and finds the end of the replay, and the owner whose events it reads.
func (f *following) open(ctx context.Context, tx pgx.Tx) error {
	f.tx = tx
	reached, why, err := f.reader.Trail.Open(ctx, tx)
	if err != nil {
		return err
	}
	if why != "" {
		return &NoTrailError{why}
	}
	if f.to, err = end(ctx, tx, f.opt.Until); err != nil {
		return err
	}
	f.counted = f.to
	switch {
	case !f.opt.Recorded.IsZero():
		f.to, err = history.LastBy(ctx, tx, f.to, f.opt.Recorded)
		f.counted = f.to
	case !f.opt.Effective.IsZero():
		f.counted, err = history.LastBy(ctx, tx, f.to, f.opt.Effective)
	}
	if err != nil || f.to == 0 {
		return err
	}
	f.reached = min(reached, f.to)
	f.state.Position = f.to
	err = tx.QueryRow(ctx, "SELECT recorded_at FROM events WHERE pos = $1", f.to).Scan(&f.state.Recorded)
	if errors.Is(err, pgx.ErrNoRows) {
		return f.archived(ctx, f.to-1, f.to)
	}
	if err != nil {
		return err
	}
	f.state.Recorded = f.state.Recorded.UTC()
	return f.findOwner(ctx)
}

// follow replays.
func (f *following) follow(ctx context.Context) error {
	if f.owner.kind == 0 {
		return f.house(ctx)
	}
	if err := f.begin(ctx); err != nil {
		return err
	}
	for {
		more, err := f.next(ctx)
		if err != nil {
			return err
		}
		if f.opt.Progress != nil {
			f.opt.Progress(f.after, f.to)
		}
		if !more {
			break
		}
	}
	if err := f.beyond(ctx); err != nil {
		return err
	}
	if len(f.streams) == 0 {
		return nil
	}
	// The states of streams after archived events are not known.
	if err := f.archived(ctx, max(f.state.Keyframe, f.first-1), f.to); err != nil {
		return err
	}
	return f.strays(ctx, f.to)
}

// archived fails when events after one position and up to another are not here.
func (f *following) archived(ctx context.Context, after, to int64) error {
	var from, beyond *int64
	err := f.tx.QueryRow(ctx, `SELECT min(from_pos), max(to_pos) FROM ledger_partitions
		WHERE to_pos > $1::bigint + 1 AND from_pos <= $2 AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass(name) AND NOT inhdetachpending)`, after, to).Scan(&from, &beyond)
	if err != nil || from == nil {
		return err
	}
	return &history.ArchivedError{From: *from, To: *beyond - 1}
}
