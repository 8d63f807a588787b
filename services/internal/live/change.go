package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"adashi.ng/projections/engine"
)

// Subject is where projections say what changed, over core NATS.
const Subject = engine.ChangedSubject

// Change is a message on Subject.
type Change = engine.Changed

// topicGroups is the user topic that says that their memberships changed.
const topicGroups = "groups"

// heard is a change as it came. It may name a thousand users, few of whom look at a page of this process: it is read
// only for those who do.
type heard struct {
	position int64
	raw      []byte
	at       time.Duration // On the hub's watch.
}

func hear(message *nats.Msg, at time.Duration) (*heard, error) {
	position, err := strconv.ParseInt(message.Header.Get(engine.PositionHeader), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("live: a change without its position: %w", err)
	}
	return &heard{position, message.Data, at}, nil
}

// change reads it whole. An unreadable message concerns nobody.
func (h *heard) change() *Change {
	var change Change
	if err := json.Unmarshal(h.raw, &change); err != nil {
		slog.Warn("live: a change that we cannot read", "position", h.position, "error", err)
		return &Change{Position: h.position}
	}
	return &change
}

// names reports whether one of some ids, see quoted, may be in it; it is seldom wrong, and never when it says no.
func (h *heard) names(ids [][]byte) bool {
	return slices.ContainsFunc(ids, func(id []byte) bool { return bytes.Contains(h.raw, id) })
}

// quoted are ids as JSON writes them.
func quoted(ids ...string) [][]byte {
	all := make([][]byte, 0, len(ids))
	for _, id := range ids {
		if raw, err := json.Marshal(id); err == nil { // Strings always encode.
			all = append(all, raw)
		}
	}
	return all
}

// ring keeps the newest changes in the order they came: so many at most, of so many bytes together.
type ring struct {
	heard []*heard
	bytes int
	lost  time.Duration // When on the hub's watch the last one came that it no longer has, or may have come unheard.
}

const (
	ringMax  = 10_000
	bytesMax = 4 << 20
)

// newRing is a ring to which nothing has come yet.
func newRing() ring { return ring{lost: math.MinInt64} }

func (r *ring) add(h *heard) {
	r.heard = append(r.heard, h)
	r.bytes += len(h.raw)
	for len(r.heard) > ringMax || r.bytes > bytesMax && len(r.heard) > 1 {
		r.bytes -= len(r.heard[0].raw)
		r.lost, r.heard[0] = r.heard[0].at, nil
		r.heard = r.heard[1:]
	}
}

// last is the position of the newest change, or 0.
func (r *ring) last() int64 {
	if len(r.heard) == 0 {
		return 0
	}
	return r.heard[len(r.heard)-1].position
}

// since answers what came after the first change with that position, and whether there is such a one.
func (r *ring) since(position int64) ([]*heard, bool) {
	first := slices.IndexFunc(r.heard, func(h *heard) bool { return h.position == position })
	if first < 0 {
		return nil, false
	}
	return slices.Clone(r.heard[first+1:]), true
}

// after answers what came from a time of the hub's watch on, and whether all of it is there.
func (r *ring) after(at time.Duration) ([]*heard, bool) {
	first := len(r.heard)
	for first > 0 && r.heard[first-1].at >= at {
		first--
	}
	return slices.Clone(r.heard[first:]), r.lost < at
}
