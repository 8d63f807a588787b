package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/projections/engine/recent"
)

// The states of a model.
const (
	Following  = "following"  // It is kept up to date.
	Paused     = "paused"     // It met an event that it cannot take. See its dead letter, and Retry.
	Rebuilding = "rebuilding" // New tables are being built; the old ones are kept and serve meanwhile.
	Outdated   = "outdated"   // The stored version is not this build's.
)

// The states of a rebuild.
const (
	RebuildAsked   = "asked"
	RebuildRunning = "running"
	RebuildDone    = "done"
	RebuildFailed  = "failed" // For good: a rebuild that an outage interrupted is tried again and stays running.
)

// Status is the state of all models.
type Status struct {
	Epoch  int
	Head   int64
	Models []ModelStatus
}

// ModelStatus is the state of one model.
type ModelStatus struct {
	Name        string
	State       string
	Version     int           // The stored version.
	Pos         int64         // The least of its parts.
	Lag         time.Duration // How long ago the first missing event was recorded; 0 when none is missing.
	Parts       []PartStatus
	DeadLetters int            // Not resolved.
	Rebuild     *RebuildStatus // The latest; nil when there never was one.
}

// PartStatus is the state of one part of a model.
type PartStatus struct {
	Part   int
	Pos    int64
	Paused string // Why; empty while it runs.
}

// RebuildStatus is a rebuild's progress or result.
type RebuildStatus struct {
	State     string
	Pos, Head int64 // The fold's position, and its target.
	Error     string
	AskedAt   time.Time
	StartedAt *time.Time
	EndedAt   *time.Time
}

// Status reads the state of all models, whichever process keeps them.
func (e *Engine) Status(ctx context.Context) (Status, error) {
	epoch, head, err := e.Head(ctx)
	if err != nil {
		return Status{}, err
	}
	status := Status{Epoch: epoch, Head: head}
	since := map[int64]time.Duration{}
	for _, m := range e.Models {
		s, err := e.modelStatus(ctx, m)
		if err != nil {
			return Status{}, fmt.Errorf("read model %s: %w", m.Name, err)
		}
		if s.Pos < head {
			if _, known := since[s.Pos]; !known {
				since[s.Pos], err = e.waits(ctx, s.Pos)
			}
			s.Lag = since[s.Pos]
		}
		if err != nil {
			return Status{}, err
		}
		status.Models = append(status.Models, s)
	}
	return status, nil
}

// waits answers how long ago the event after a position was recorded.
func (e *Engine) waits(ctx context.Context, pos int64) (time.Duration, error) {
	records, _, err := e.Source(ctx, pos, 1, nil)
	if err != nil || len(records) == 0 {
		return 0, err
	}
	return max(0, e.Clock().Sub(records[0].RecordedAt)), nil
}

func (e *Engine) modelStatus(ctx context.Context, m Model) (ModelStatus, error) {
	s := ModelStatus{Name: m.Name, State: Following}
	rows, err := e.Pool.Query(ctx, "SELECT part, version, pos, paused FROM projections WHERE name = $1 ORDER BY part", m.Name)
	if err != nil {
		return s, err
	}
	var p PartStatus
	_, err = pgx.ForEachRow(rows, []any{&p.Part, &s.Version, &p.Pos, &p.Paused}, func() error {
		if len(s.Parts) == 0 || p.Pos < s.Pos {
			s.Pos = p.Pos
		}
		if p.Paused != "" {
			s.State = Paused
		}
		s.Parts = append(s.Parts, p)
		return nil
	})
	if err != nil {
		return s, err
	}
	if s.Version != m.Version || len(s.Parts) != m.parts() {
		s.State = Outdated
	}
	err = e.Pool.QueryRow(ctx, "SELECT count(*) FROM dead_letters WHERE model = $1 AND resolved_at IS NULL", m.Name).Scan(&s.DeadLetters)
	if err != nil {
		return s, err
	}
	var r RebuildStatus
	err = e.Pool.QueryRow(ctx, "SELECT state, pos, head, error, asked_at, started_at, ended_at FROM rebuilds WHERE model = $1", m.Name).
		Scan(&r.State, &r.Pos, &r.Head, &r.Error, &r.AskedAt, &r.StartedAt, &r.EndedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return s, nil
	}
	s.Rebuild = &r
	if r.State == RebuildAsked || r.State == RebuildRunning {
		s.State = Rebuilding
	}
	return s, err
}

// DeadLetter is an event that a model could not take.
type DeadLetter struct {
	Model      string
	Pos        int64
	Error      string
	At         time.Time
	ResolvedAt *time.Time // When the model passed it.
	Type       string
	Event      json.RawMessage // The whole record, see recent.JSON; null when it cannot be read.
}

// lettersMax is how many dead letters are listed.
const lettersMax = 100

// DeadLetters reads the events that models could not take: first those that still stop a model, then the latest.
func (e *Engine) DeadLetters(ctx context.Context) ([]DeadLetter, error) {
	rows, err := e.Pool.Query(ctx, `SELECT model, pos, error, at, resolved_at FROM dead_letters
		ORDER BY resolved_at IS NOT NULL, at DESC, model LIMIT $1`, lettersMax)
	if err != nil {
		return nil, err
	}
	letters, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (l DeadLetter, err error) {
		err = row.Scan(&l.Model, &l.Pos, &l.Error, &l.At, &l.ResolvedAt)
		return l, err
	})
	if err != nil {
		return nil, err
	}
	for i := range letters {
		l := &letters[i]
		l.Event = json.RawMessage("null")
		records, _, err := e.Source(ctx, l.Pos-1, 1, nil)
		if err != nil {
			return nil, err
		}
		if len(records) == 0 || records[0].Pos != l.Pos {
			continue
		}
		l.Type = records[0].Type
		if l.Event, err = recent.JSON(records[0]); err != nil {
			return nil, err
		}
	}
	return letters, nil
}

// settle resolves the dead letters that every part of a model has passed.
func (e *Engine) settle(ctx context.Context, model string) error {
	_, err := e.Pool.Exec(ctx, `UPDATE dead_letters SET resolved_at = $2 WHERE model = $1 AND resolved_at IS NULL
		AND pos <= (SELECT min(pos) FROM projections WHERE name = $1)`, model, e.Clock().UTC())
	return err
}

// Retry makes a paused model try its event again, after the cause was fixed. The process that keeps it notices within a
// second; the model pauses again if it still cannot take the event. A model that is not paused continues as before.
// ErrNoModel.
func (e *Engine) Retry(ctx context.Context, model string) error {
	if _, err := e.model(model); err != nil {
		return err
	}
	_, err := e.Pool.Exec(ctx, "UPDATE projections SET paused = '' WHERE name = $1 AND paused <> ''", model)
	return err
}

// AskRebuild asks a projector, in any process, to rebuild a model, see Rebuild, as soon as it can; the request is kept
// in Postgres. A rebuild that is asked for or runs already is not asked for twice. ErrNoModel.
func (e *Engine) AskRebuild(ctx context.Context, model string) error {
	m, err := e.model(model)
	if err != nil {
		return err
	}
	_, err = e.Pool.Exec(ctx, `INSERT INTO rebuilds (model, version, state, pos, head, error, asked_at) VALUES ($1, $2, 'asked', 0, 0, '', $3)
		ON CONFLICT (model) DO UPDATE SET version = excluded.version, state = 'asked', pos = 0, head = 0, error = '', asked_at = excluded.asked_at, started_at = NULL, ended_at = NULL
		WHERE rebuilds.state NOT IN ('asked', 'running')`, m.Name, m.Version, e.Clock().UTC())
	return err
}

// rebuildAsked does the rebuilds that are asked for, that a process left unfinished when it died, or that an older
// version needs, all of them together.
func (e *Engine) rebuildAsked(ctx context.Context) error {
	var names []string
	for _, m := range e.Models {
		due, err := e.due(ctx, m)
		if err != nil {
			return err
		}
		if due {
			names = append(names, m.Name)
		}
	}
	_, errs := e.rebuildTogether(ctx, names, true, nil)
	for _, err := range errs {
		if !errors.Is(err, ErrBusy) && !errors.Is(err, errNotDue) {
			slog.Warn("projections: a rebuild did not come about", "error", err)
		}
	}
	return nil
}

func (e *Engine) due(ctx context.Context, m Model) (bool, error) {
	var (
		state   string
		version int
	)
	err := e.Pool.QueryRow(ctx, "SELECT state, version FROM rebuilds WHERE model = $1", m.Name).Scan(&state, &version)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return false, err
	}
	if version == m.Version && (state == RebuildAsked || state == RebuildRunning) {
		return true, nil
	}
	all, err := standing(ctx, e.Pool, m.Name)
	// A rebuild that failed for this version waits for a request.
	return errors.Is(m.fits(all), errOutdated) && !(state == RebuildFailed && version == m.Version), err
}

// rebuildLog writes a rebuild's progress to a table.
type rebuildLog struct {
	engine   *Engine
	model    Model
	progress func(pos, head int64)
	written  clock.Watch
}

func (l *rebuildLog) start(ctx context.Context) error {
	_, err := l.engine.Pool.Exec(ctx, `INSERT INTO rebuilds (model, version, state, pos, head, error, asked_at, started_at) VALUES ($1, $2, 'running', 0, 0, '', $3, $3)
		ON CONFLICT (model) DO UPDATE SET version = excluded.version, state = 'running', pos = 0, head = 0, error = '', started_at = excluded.started_at, ended_at = NULL,
			asked_at = CASE WHEN rebuilds.state IN ('asked', 'running') THEN rebuilds.asked_at ELSE excluded.asked_at END`, l.model.Name, l.model.Version, l.engine.Clock().UTC())
	return err
}

// note saves the progress about once a second; a failure does no harm.
func (l *rebuildLog) note(pos, head int64) {
	if l.progress != nil {
		l.progress(pos, head)
	}
	if l.written.Took() < time.Second {
		return
	}
	l.written = clock.Start()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, _ = l.engine.Pool.Exec(ctx, "UPDATE rebuilds SET pos = $2, head = $3 WHERE model = $1", l.model.Name, pos, head)
}

// end records the result. After an outage or a stop the rebuild stays running: the next projector begins it again.
func (l *rebuildLog) end(ctx context.Context, cause error) {
	state, text := RebuildDone, ""
	var differs *DiffersError
	switch {
	case cause == nil:
	case poison(cause) || errors.As(cause, &differs):
		state, text = RebuildFailed, cause.Error()
	default:
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_, err := l.engine.Pool.Exec(ctx, "UPDATE rebuilds SET state = $2, error = $3, ended_at = $4, pos = CASE WHEN $2 = 'done' THEN head ELSE pos END WHERE model = $1", l.model.Name, state, text, l.engine.Clock().UTC())
	if err != nil {
		slog.Warn("projections: what a rebuild came to was not written down", "model", l.model.Name, "error", err)
	}
}
