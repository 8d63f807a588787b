package evidence

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/services/internal/evidence/bundle"
)

// ofMember are the categories of streams that end in the id of the member whose they are.
var ofMember = map[string]bool{
	"account": true, "outflow": true, "debt": true, "cards": true, "underway": true, "disputes": true, "dues": true, "member": true, "requests": true, "ajopaid": true, "ajocommit": true, "ajoaccess": true,
}

// byID are the categories of streams of which every event that names a user names the one whose they are.
var byID = map[string]bool{"dispute": true, "payment": true, "withdrawal": true, "standing": true, "ajocard": true}

// gathering collects a member's own events.
type gathering struct {
	user    string
	events  map[int64]*event.Record
	streams map[string]bool // Their own, which are told whole.
	known   map[int64]bool  // Positions of all events that name them.
	earlier bool
}

const (
	stepsAtOnce = 2048
	// pagesMost bounds how far back is looked for a validator's own events among those that they marked.
	pagesMost = 16
)

// gather reads the latest of a member's own events up to a position: those of their own streams, and those that move
// their accounts. Others' events that name them are not theirs to show: a vote, a mark, what staff looked at.
func (s *Service) gather(ctx context.Context, user string, size int64) (*gathering, error) {
	g := &gathering{user: user, events: map[int64]*event.Record{}, streams: map[string]bool{}, known: map[int64]bool{}}
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
		if page+1 == pagesMost || len(g.events) > bundle.EventsMost {
			g.earlier = true
			break
		}
	}
	first := int64(1)
	if g.earlier {
		first = before
	}
	if err := s.complete(ctx, g, first, size); err != nil {
		return nil, err
	}
	g.cut()
	return g, nil
}

func (g *gathering) take(step replay.Step) {
	r := step.Record
	g.known[r.Pos] = true
	category, id, _ := strings.Cut(r.Stream, ":")
	m, named := step.Message.(interface{ GetUserId() string })
	switch {
	case ofMember[category]:
		if id != g.user && !strings.HasSuffix(id, ":"+g.user) {
			category = "" // Another's.
		}
	case !byID[category] || !named || m.GetUserId() != g.user:
		category = ""
	}
	if category != "" {
		g.streams[r.Stream] = true
	}
	if category != "" || slices.ContainsFunc(r.Lines, func(l event.Line) bool { return bundle.Owns(g.user, l.Account) }) {
		g.events[r.Pos] = r
	}
}

// complete reads those of the member's streams' events that do not name them.
func (s *Service) complete(ctx context.Context, g *gathering, first, size int64) error {
	parts := make([]history.Stretch, 0, len(g.streams))
	for stream := range g.streams {
		parts = append(parts, history.Stretch{Stream: stream, From: 1, To: math.MaxInt64})
	}
	return pgx.BeginTxFunc(ctx, s.Pool, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		records, err := history.ReadStretches(ctx, tx, parts, size)
		for i := range records {
			if r := &records[i]; r.Pos >= first && g.events[r.Pos] == nil {
				g.events[r.Pos], g.known[r.Pos] = r, true
			}
		}
		return err
	})
}

// cut keeps the latest events that a bundle has room for.
func (g *gathering) cut() {
	positions := slices.Sorted(maps.Keys(g.events))
	over := max(0, len(positions)-bundle.EventsMost)
	for _, pos := range positions[:over] {
		delete(g.events, pos)
		g.earlier = true
	}
}

// inOrder are the events by their positions.
func (g *gathering) inOrder() []*event.Record {
	return slices.SortedFunc(maps.Values(g.events), func(a, b *event.Record) int { return cmp.Compare(a.Pos, b.Pos) })
}
