// Package engine keeps read models: it feeds each one the ledger's events in order, exactly once in effect.
//
// Events arrive from JetStream for speed, but nothing depends on it: a gap, a wiped stream or a broker that is down is
// filled from Postgres. A model's checkpoint moves in the same transaction as its tables, and only from the position
// it was at, so that two projectors at once or a crash at any moment leave it right.
package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"google.golang.org/protobuf/proto"

	"adashi.ng/ledger/event"
)

// Event is a recorded event with its body decoded.
type Event struct {
	event.Record
	Message proto.Message
}

// Changes say what a batch changed, so that whoever shows it can read it again.
type Changes struct {
	Users  map[string][]string // Topics by user: wallet, activity, notifications, groups, group:{id}.
	Groups []string
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
	if !slices.Contains(c.Groups, groupID) {
		c.Groups = append(c.Groups, groupID)
	}
}

// Model is one read model: its tables and its fold.
type Model struct {
	Name string
	// Version of the tables and the fold. Another version than the one that stands is built afresh.
	Version int
	// Schema makes the tables; Tables names them, so that they can be dropped.
	Schema string
	Tables []string
	// Fold applies events, in order, within the transaction. It must be deterministic: the same events, the same rows.
	Fold func(ctx context.Context, tx pgx.Tx, events []Event) (Changes, error)
}

// Source reads the ledger: the records after a position, in order, at most limit.
type Source func(ctx context.Context, after int64, limit int) ([]event.Record, error)

// Changed is what is told on ChangedSubject after each batch.
type Changed struct {
	Model    string              `json:"model"`
	Position int64               `json:"position"`
	Users    map[string][]string `json:"users,omitempty"`
	Groups   []string            `json:"groups,omitempty"`
}

// ChangedSubject is the core NATS subject of Changed, as JSON.
const ChangedSubject = "adashi.changed"

const (
	batchMax = 500
	// sweep is how long a model trusts silence before it looks in Postgres for what JetStream did not bring.
	sweep = 500 * time.Millisecond
)

// Engine runs models.
type Engine struct {
	pool   *pgxpool.Pool
	source Source
	models []Model
	bus    *nats.Conn // Nil: nobody is told.
	inbox  map[string]chan Event
}

// New makes an engine.
func New(pool *pgxpool.Pool, source Source, bus *nats.Conn, models []Model) *Engine {
	e := &Engine{pool: pool, source: source, models: models, bus: bus, inbox: map[string]chan Event{}}
	for _, m := range models {
		e.inbox[m.Name] = make(chan Event, 4*batchMax)
	}
	return e
}

const checkpoints = `CREATE TABLE IF NOT EXISTS projections (
	name text PRIMARY KEY, version integer NOT NULL, pos bigint NOT NULL, paused text NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS dead_letters (
	model text NOT NULL, pos bigint NOT NULL, error text NOT NULL, at timestamptz NOT NULL, PRIMARY KEY (model, pos))`

// Prepare makes the tables of every model. One that stands at another version is dropped and starts from nothing.
func (e *Engine) Prepare(ctx context.Context) error {
	return pgx.BeginFunc(ctx, e.pool, func(tx pgx.Tx) error {
		// Several processes may start at once.
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtext('adashi projections ' || current_schema()))"); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, checkpoints); err != nil {
			return err
		}
		for _, m := range e.models {
			if err := prepare(ctx, tx, m); err != nil {
				return fmt.Errorf("read model %s: %w", m.Name, err)
			}
		}
		return nil
	})
}

func prepare(ctx context.Context, tx pgx.Tx, m Model) error {
	var version int
	err := tx.QueryRow(ctx, "SELECT version FROM projections WHERE name = $1", m.Name).Scan(&version)
	if err == nil && version == m.Version {
		return nil
	}
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	for _, table := range m.Tables {
		if _, err := tx.Exec(ctx, "DROP TABLE IF EXISTS "+pgx.Identifier{table}.Sanitize()); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(ctx, m.Schema); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO projections (name, version, pos) VALUES ($1, $2, 0)
		ON CONFLICT (name) DO UPDATE SET version = excluded.version, pos = 0, paused = ''`, m.Name, m.Version)
	return err
}

// Run keeps every model until the context ends. js may be nil: then Postgres alone is read.
func (e *Engine) Run(ctx context.Context, js jetstream.JetStream, streamName func(context.Context) (string, error)) {
	var wg sync.WaitGroup
	if js != nil {
		wg.Go(func() { e.feed(ctx, js, streamName) })
	}
	for _, m := range e.models {
		wg.Go(func() { e.keep(ctx, m) })
	}
	wg.Wait()
}

// CatchUp brings every model to the ledger's end, from Postgres, and returns.
func (e *Engine) CatchUp(ctx context.Context) error {
	for _, m := range e.models {
		k := &keeper{engine: e, model: m}
		if err := k.load(ctx); err != nil {
			return err
		}
		if err := k.fill(ctx); err != nil {
			return fmt.Errorf("read model %s: %w", m.Name, err)
		}
	}
	return nil
}

// feed hands what JetStream brings to every model. A model that is behind misses some and reads them from Postgres.
func (e *Engine) feed(ctx context.Context, js jetstream.JetStream, streamName func(context.Context) (string, error)) {
	for ctx.Err() == nil {
		if err := e.consume(ctx, js, streamName); err != nil && ctx.Err() == nil {
			slog.Warn("projections: JetStream is away; reading Postgres meanwhile", "error", err)
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
}

func (e *Engine) consume(ctx context.Context, js jetstream.JetStream, streamName func(context.Context) (string, error)) error {
	name, err := streamName(ctx)
	if err != nil {
		return err
	}
	consumer, err := js.OrderedConsumer(ctx, name, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverNewPolicy})
	if err != nil {
		return err
	}
	failed := make(chan error, 1)
	consuming, err := consumer.Consume(func(msg jetstream.Msg) {
		r, err := event.DecodeRecord(msg.Data())
		if err != nil {
			return // Not ours, or damaged: every model finds the position missing and reads Postgres.
		}
		e.hand(r)
	}, jetstream.ConsumeErrHandler(func(_ jetstream.ConsumeContext, err error) {
		if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConnectionClosed) {
			select {
			case failed <- err:
			default:
			}
		}
	}))
	if err != nil {
		return err
	}
	defer consuming.Stop()
	select {
	case <-ctx.Done():
		return nil
	case err := <-failed:
		return err
	case <-consuming.Closed():
		return errors.New("the consumer closed")
	}
}

func (e *Engine) hand(r event.Record) {
	m, err := r.Message()
	if err != nil {
		return // The models meet it in Postgres and say so.
	}
	for _, inbox := range e.inbox {
		select {
		case inbox <- Event{r, m}:
		default:
		}
	}
}

// keep runs one model until the context ends or it is paused.
func (e *Engine) keep(ctx context.Context, m Model) {
	k := &keeper{engine: e, model: m}
	for ctx.Err() == nil {
		err := k.run(ctx)
		if errors.Is(err, errPaused) || ctx.Err() != nil {
			return
		}
		slog.Warn("projections: starting over", "model", m.Name, "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// errPaused ends a model that met an event it cannot take.
var errPaused = errors.New("paused")

// poison tells an error that the event is to blame for from an outage: data and constraint errors, and what the fold
// itself refuses.
func poison(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return len(pg.Code) == 5 && (pg.Code[:2] == "22" || pg.Code[:2] == "23" || pg.Code[:2] == "42")
	}
	var refusal *Refusal
	return errors.As(err, &refusal)
}

// Refusal is how a fold says that it cannot take an event.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return r.Reason }

func (e *Engine) tell(model string, pos int64, c Changes) {
	if e.bus == nil {
		return
	}
	raw, err := json.Marshal(Changed{Model: model, Position: pos, Users: c.Users, Groups: c.Groups})
	if err == nil {
		err = e.bus.Publish(ChangedSubject, raw)
	}
	if err != nil {
		slog.Warn("projections: nobody was told of a change", "model", model, "error", err)
	}
}
