package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/guard"
	"adashi.ng/projections/engine/recent"
)

// Source reads the ledger.
type Source = recent.Source

// Head answers the ledger's epoch and its last position.
type Head func(ctx context.Context) (epoch int, pos int64, err error)

// Changed is the message on ChangedSubject after a batch that changed something that people see.
type Changed struct {
	Model    string              `json:"model"`
	Part     int                 `json:"part,omitempty"`
	Position int64               `json:"position"`
	Users    map[string][]string `json:"users,omitempty"`
	Groups   []string            `json:"groups,omitempty"`
	Desks    []string            `json:"desks,omitempty"`
}

const (
	// ChangedSubject is the core NATS subject of each Changed: all of it as JSON, which may name a thousand users. The
	// header PositionHeader has its position too, so that a receiver whom it does not concern need not decode it.
	ChangedSubject = "adashi.changed"
	// PositionHeader holds a decimal number.
	PositionHeader = "Position"
	// ReachedSubject is the core NATS subject for the positions of the models' parts. After every batch the engine
	// publishes the model, the part and the position, as text between blanks, a line for each part: "balances 0 1234".
	ReachedSubject = "adashi.reached"
)

const (
	batchMax = 1000
	// sweep is how long a paused or waiting part waits before it looks whether it may continue.
	sweep = 500 * time.Millisecond
	// A worker rests after a batch, longer after a larger one: a batch costs much the same however few events it has. A
	// single event is folded at once.
	restEach = 400 * time.Microsecond
	restMax  = 100 * time.Millisecond
	// unstoredMax is for how long a checkpoint may lag behind events that its model ignores.
	unstoredMax = 100 * time.Millisecond
)

// Options configure an engine. Pool, Source, Head, Models and Clock are required.
type Options struct {
	Pool   *pgxpool.Pool // Its current schema holds the read models.
	Source Source
	Head   Head
	Models []Model
	Clock  clock.Clock // For how late models are, and when they were rebuilt or stopped.
	Bus    *nats.Conn  // Nil: no messages are sent.
	// Sweep is how long a model waits for JetStream before it looks for new events in Postgres; 500 ms when zero.
	Sweep time.Duration
	// Busy is how much of a second one worker may fold before a second one takes models from it; 400 ms when zero.
	Busy time.Duration
	// Observe, when given, hears of every batch that was committed: how many events and how long the fold took.
	Observe func(model string, events int, took time.Duration)
}

// Engine runs models. Make it with New; it is safe for concurrent use.
type Engine struct {
	Options
	buffer *recent.Buffer
	joints []*joint
}

// New makes an engine.
func New(opt Options) *Engine {
	if opt.Observe == nil {
		opt.Observe = func(string, int, time.Duration) {}
	}
	opt.Sweep, opt.Busy = cmp.Or(opt.Sweep, sweep), cmp.Or(opt.Busy, busyFrom)
	e := &Engine{Options: opt, buffer: recent.New(opt.Source)}
	e.joints = newJoints(e)
	return e
}

// ErrNoModel is returned for the name of a read model that this build does not have.
var ErrNoModel = errors.New("engine: there is no such read model")

func (e *Engine) model(name string) (Model, error) {
	for _, m := range e.Models {
		if m.Name == name {
			return m, nil
		}
	}
	return Model{}, fmt.Errorf("%w: %q", ErrNoModel, name)
}

// Run keeps this process's share of the parts of all models, and does the rebuilds that are asked for, until the
// context ends. js may be nil: then it reads only Postgres.
func (e *Engine) Run(ctx context.Context, js jetstream.JetStream, streamName func(context.Context) (string, error)) {
	var wg sync.WaitGroup
	if js != nil {
		wg.Go(func() { e.buffer.Feed(ctx, js, streamName) })
	}
	for _, j := range e.joints {
		wg.Go(func() { j.run(ctx) })
	}
	wg.Go(func() { e.again(ctx, "the lock's connection", e.share) })
	wg.Go(func() { e.again(ctx, "rebuilds", e.rebuildAsked) })
	wg.Wait()
}

// again runs f until the context ends, and starts it again half a second after a failure.
func (e *Engine) again(ctx context.Context, what string, f func(context.Context) error) {
	for ctx.Err() == nil {
		if err := guard.Call(func() error { return f(ctx) }); err != nil && ctx.Err() == nil {
			slog.Warn("projections: starting over", "what", what, "error", err)
		}
		pause(ctx, sweep)
	}
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// CatchUp brings every model to the ledger's end, from Postgres, and returns. A model at an older version, or beyond
// the ledger's end, is rebuilt.
func (e *Engine) CatchUp(ctx context.Context) error {
	for _, m := range e.Models {
		for part := range m.parts() {
			k := newKeeper(e, m, part)
			err := k.load(ctx)
			if errors.Is(err, errOutdated) || errors.Is(err, errAhead) {
				_, err = e.Rebuild(ctx, m.Name, nil)
				err = errors.Join(err, k.load(ctx))
			}
			if err != nil {
				return err
			}
			if err := k.catchUp(ctx); err != nil {
				return fmt.Errorf("read model %s: %w", m.Name, err)
			}
		}
	}
	return nil
}

// errPaused ends a worker that met an event that it cannot take.
var errPaused = errors.New("paused")

// poison reports whether an error is an event's fault rather than an outage's: data and constraint errors, and refusals
// by the fold itself.
func poison(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return len(pg.Code) == 5 && (pg.Code[:2] == "22" || pg.Code[:2] == "23" || pg.Code[:2] == "42")
	}
	var refusal *Refusal
	return errors.As(err, &refusal)
}

// Refusal is a fold's error for an event that it cannot take.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return r.Reason }

// Message is the NATS message for ChangedSubject.
func (c Changed) Message() (*nats.Msg, error) {
	raw, err := json.Marshal(c)
	return &nats.Msg{Subject: ChangedSubject, Header: nats.Header{PositionHeader: {strconv.FormatInt(c.Position, 10)}}, Data: raw}, err
}

// tell publishes the new positions of parts and the changes that people see.
func (e *Engine) tell(all ...Changed) {
	if e.Bus == nil {
		return
	}
	var (
		reached []byte
		errs    []error
	)
	for _, c := range all {
		reached = fmt.Appendf(reached, "%s %d %d\n", c.Model, c.Part, c.Position)
	}
	errs = append(errs, e.Bus.Publish(ReachedSubject, reached))
	for _, c := range all {
		if len(c.Users)+len(c.Groups)+len(c.Desks) == 0 {
			continue
		}
		message, err := c.Message()
		if err == nil {
			err = e.Bus.PublishMsg(message)
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		slog.Warn("projections: nobody was told of a change", "error", err)
	}
}

// connect opens a connection of the engine's own, for work that outlives a transaction: a lock or a build.
func (e *Engine) connect(ctx context.Context) (*pgx.Conn, error) {
	return pgx.ConnectConfig(ctx, e.Pool.Config().ConnConfig.Copy())
}
