package engine

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"

	"adashi.ng/ledger/base/clock"
)

// Tracker knows the position of each model, in whatever process it is kept, so that a reader can wait for its own
// writes. A model's position is that of its slowest part.
type Tracker struct {
	pool  *pgxpool.Pool
	mu    sync.Mutex
	pos   map[string]map[int]stands // By model and part.
	moved chan struct{}             // Closed and replaced whenever a position moves.

	// Fold brings the read models up to date when a reader waits and no process keeps them; nil if one does.
	Fold func(ctx context.Context) error
}

// stands is a part's position, and since when.
type stands struct {
	pos   int64
	since clock.Watch
}

// NewTracker starts from the checkpoints and listens to ReachedSubject. bus may be nil: then it asks only Postgres.
func NewTracker(ctx context.Context, pool *pgxpool.Pool, bus *nats.Conn) (*Tracker, error) {
	t := &Tracker{pool: pool, pos: map[string]map[int]stands{}, moved: make(chan struct{})}
	if bus != nil {
		_, err := bus.Subscribe(ReachedSubject, func(msg *nats.Msg) {
			for line := range bytes.Lines(msg.Data) {
				var (
					model string
					part  int
					pos   int64
				)
				if _, err := fmt.Sscan(string(line), &model, &part, &pos); err == nil {
					t.note(model, part, pos)
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return t, t.refresh(ctx)
}

func (t *Tracker) note(model string, part int, pos int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	parts := t.pos[model]
	if parts == nil {
		parts = map[int]stands{}
		t.pos[model] = parts
	}
	// A new part, at 0, holds the others back.
	if was, known := parts[part]; pos > was.pos || !known {
		parts[part] = stands{pos, clock.Start()}
		close(t.moved)
		t.moved = make(chan struct{})
	}
}

func (t *Tracker) refresh(ctx context.Context) error {
	rows, err := t.pool.Query(ctx, "SELECT name, part, pos FROM projections")
	if err != nil {
		return err
	}
	var (
		name string
		part int
		pos  int64
	)
	_, err = pgx.ForEachRow(rows, []any{&name, &part, &pos}, func() error { t.note(name, part, pos); return nil })
	return err
}

// Position is the least position of the given models.
func (t *Tracker) Position(models ...string) int64 {
	pos, _ := t.at(models)
	return pos
}

func (t *Tracker) at(models []string) (int64, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	least, known := int64(0), false
	for _, m := range models {
		if len(t.pos[m]) == 0 {
			return 0, t.moved
		}
		for _, s := range t.pos[m] {
			if !known || s.pos < least {
				least, known = s.pos, true
			}
		}
	}
	return least, t.moved
}

// Moving answers the position of the slowest part that moved of late, and whether any did.
func (t *Tracker) Moving(within time.Duration) (least int64, some bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, parts := range t.pos {
		for _, s := range parts {
			if s.since.Took() < within && (!some || s.pos < least) {
				least, some = s.pos, true
			}
		}
	}
	return least, some
}

// WaitFor waits until the models have reached a position, at most for d. It answers their position; less than pos means
// that a read now is stale.
func (t *Tracker) WaitFor(ctx context.Context, pos int64, d time.Duration, models ...string) int64 {
	if t.Fold != nil {
		if t.Fold(ctx) == nil {
			_ = t.refresh(ctx)
		}
		at, _ := t.at(models)
		return at
	}
	deadline := time.NewTimer(d)
	defer deadline.Stop()
	// A message may be lost between processes, so look in Postgres half way.
	look := time.NewTimer(d / 2)
	defer look.Stop()
	for {
		at, moved := t.at(models)
		if at >= pos {
			return at
		}
		select {
		case <-moved:
		case <-look.C:
			_ = t.refresh(ctx)
		case <-deadline.C:
			return at
		case <-ctx.Done():
			return at
		}
	}
}
