package evidence

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"

	rules "adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/services/internal/disputes"
	"adashi.ng/services/internal/evidence/bundle"
)

// gathering collects a member's own events.
type gathering struct {
	user    string
	events  map[int64]*event.Record
	streams map[string]bool // Their own, which the bundle contains in full.
	known   map[int64]bool  // Positions of all events that name them.
	earlier bool
	salted  int64 // The position from which every event has random bytes of its own.
}

// stepsAtOnce limits how many events that name the member are read at once: bundle.LookedMost in all, because a
// validator's own events are among all those that they marked.
const stepsAtOnce = 2048

// gather reads the latest of a member's own events up to a position, and all of a dispute: those of their own streams,
// and those that move their accounts. The member may not show other people's events that name them: a vote, a mark, a
// look by staff.
func (s *Service) gather(ctx context.Context, user string, d disputes.Dispute, size int64) (*gathering, error) {
	g := &gathering{user: user, events: map[int64]*event.Record{}, streams: map[string]bool{rules.Stream(d.Id): true}, known: map[int64]bool{}}
	before := size + 1
	for page := 0; ; page++ {
		steps, err := s.Reader.Steps(ctx, replay.Subject{Member: user}, before, stepsAtOnce, true)
		if err != nil {
			return nil, err
		}
		for _, step := range steps {
			g.take(step)
		}
		if len(steps) < stepsAtOnce {
			break
		}
		before = steps[0].Record.Pos
		if (page+1)*stepsAtOnce == bundle.LookedMost || len(g.events) > bundle.EventsMost {
			g.earlier = true
			break
		}
	}
	first := int64(1)
	if g.earlier {
		first = before
	}
	if err := s.complete(ctx, g, rules.Stream(d.Id), first, size); err != nil {
		return nil, err
	}
	if err := s.related(ctx, g, d, size); err != nil {
		return nil, err
	}
	g.cut(d.Id)
	return g, nil
}

func (g *gathering) take(step replay.Step) {
	r := step.Record
	g.known[r.Pos] = true
	isOwn := bundle.OwnStream(g.user, r.Stream, step.Message)
	if isOwn {
		g.streams[r.Stream] = true
	}
	if isOwn || slices.ContainsFunc(r.Lines, func(l event.Line) bool { return bundle.Owns(g.user, l.Account) }) {
		g.events[r.Pos] = r
	}
}

// related reads the steps of the dispute that are in no stream of the member: the correction was applied, the bank has
// our answer, the hold ended.
func (s *Service) related(ctx context.Context, g *gathering, d disputes.Dispute, size int64) error {
	var positions []int64
	for _, step := range d.Steps {
		if step.Position <= size && g.events[step.Position] == nil {
			positions = append(positions, step.Position)
		}
	}
	records, err := history.ReadAt(ctx, s.Pool, positions)
	for i := range records {
		if r := &records[i]; bundle.IsRelated(d.Id, r) {
			g.events[r.Pos], g.known[r.Pos] = r, true
		}
	}
	return err
}

// complete reads the events of the member's streams that do not name them.
func (s *Service) complete(ctx context.Context, g *gathering, dispute string, first, size int64) error {
	parts := make([]history.Stretch, 0, len(g.streams))
	for stream := range g.streams {
		parts = append(parts, history.Stretch{Stream: stream, From: 1, To: math.MaxInt64})
	}
	return pgx.BeginTxFunc(ctx, s.Pool, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		records, err := history.ReadStretches(ctx, tx, parts, size)
		for i := range records {
			if r := &records[i]; (r.Pos >= first || r.Stream == dispute) && g.events[r.Pos] == nil {
				g.events[r.Pos], g.known[r.Pos] = r, true
			}
		}
		return err
	})
}

// cut keeps the latest events that fit into a bundle, and all of its dispute.
func (g *gathering) cut(disputeID string) {
	over := len(g.events) - bundle.EventsMost
	for _, pos := range slices.Sorted(maps.Keys(g.events)) {
		if over <= 0 {
			return
		}
		if !bundle.IsOf(disputeID, g.events[pos]) {
			delete(g.events, pos)
			g.earlier, over = true, over-1
		}
	}
}

// inOrder returns the events by their positions.
func (g *gathering) inOrder() []*event.Record {
	return slices.SortedFunc(maps.Values(g.events), func(a, b *event.Record) int { return cmp.Compare(a.Pos, b.Pos) })
}
