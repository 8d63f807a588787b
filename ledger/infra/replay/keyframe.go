package replay

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/zstd"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// Keyframe is the stored state of a subject at a position, from which a replay can begin. It is a cache: the events
// alone give the same state. It is used only with the folds that made it, and on the history from which it was made.
type Keyframe struct {
	Subject string // Subject.String.
	Folds   string // See FoldsOf.
	Pos     int64
	Leaf    []byte // Of the event at the position.
	Since   int64  // The position of the keyframe before; 0 for the first.
	// Earliest is the earliest time from which one of the subject's events since the keyframe before counts; Latest is
	// the latest time from which any event in the state counts. UTC.
	Earliest, Latest time.Time
	Body             []byte // Compressed.
}

// Stretch is the part of a subject's events that led from one keyframe to the next.
type Stretch struct {
	Since, Pos int64
	Earliest   time.Time
}

// Keyframes keeps keyframes.
type Keyframes interface {
	// Newest is the newest keyframe of a subject at a position or before, by the given folds. With a time, it is the
	// newest whose events all count from then or before. It is nil when there is none.
	Newest(ctx context.Context, tx pgx.Tx, subject, folds string, upto int64, latest time.Time) (*Keyframe, error)
	// Stretches answers the stretches of a subject's keyframes after a position, in order.
	Stretches(ctx context.Context, tx pgx.Tx, subject, folds string, after int64) ([]Stretch, error)
	// Keep saves keyframes; existing ones stay.
	Keep(ctx context.Context, all []Keyframe) error
	// Drop removes a subject's keyframes from a position on.
	Drop(ctx context.Context, subject, folds string, from int64) error
}

// FoldsOf names the folds of all aggregates and the format of keyframes. Keyframes that another build made with another
// fold have another name.
func FoldsOf(aggregates []event.Aggregate) string {
	sorted := slices.SortedFunc(slices.Values(aggregates), func(a, b event.Aggregate) int { return cmp.Compare(a.Category, b.Category) })
	sum := sha256.New()
	fmt.Fprint(sum, "adashi keyframe v1\n")
	for _, a := range sorted {
		fmt.Fprintf(sum, "%s %d\n", a.Category, a.Fold)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:16])
}

// bodyMax is the largest body that is read: a keyframe that claims more gets no memory.
const bodyMax = 1 << 30

var (
	packer, _   = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1))
	unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(bodyMax))
)

// pack encodes a replay in its current state. The same replay always gives the same bytes.
func (r *replaying) pack() ([]byte, error) {
	var b []byte
	text := func(s []byte) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	b = binary.AppendVarint(b, r.state.Events)
	b = binary.AppendUvarint(b, uint64(len(r.accounts)))
	for _, account := range slices.Sorted(maps.Keys(r.accounts)) {
		text([]byte(account))
	}
	b = binary.AppendUvarint(b, uint64(len(r.state.Balances)))
	for _, account := range slices.Sorted(maps.Keys(r.state.Balances)) {
		text([]byte(account))
		b = binary.AppendVarint(b, int64(r.state.Balances[account]))
	}
	b = binary.AppendUvarint(b, uint64(len(r.streams)))
	for _, name := range slices.Sorted(maps.Keys(r.streams)) {
		s := r.streams[name]
		frozen, err := s.freeze()
		if err != nil {
			return nil, fmt.Errorf("the state of %s: %w", name, err)
		}
		text([]byte(name))
		b = binary.AppendVarint(b, s.seen)
		b = binary.AppendVarint(b, s.Version)
		text(frozen)
	}
	return packer.EncodeAll(b, nil), nil
}

// unpack begins a replay from an encoded one, in a trail of a kind.
func (r *replaying) unpack(body []byte, of kind) error {
	raw, err := unpacker.DecodeAll(body, nil)
	if err != nil {
		return err
	}
	d := &unpacking{raw: raw}
	r.state.Events = d.int()
	for range d.count() {
		r.accounts[string(d.text())] = true
	}
	for range d.count() {
		account := string(d.text())
		r.state.Balances[account] = money.Kobo(d.int())
	}
	n := d.count()
	all := make([]stream, n)
	r.streams = make(map[string]*stream, n)
	var category string
	var f *Folded
	for i := range all {
		name := string(d.text())
		if d.broken {
			break
		}
		if f == nil || !strings.HasPrefix(name, category) { // They are in order.
			var err error
			if f, err = r.folds.begin(name); err != nil {
				return err
			}
			category = f.aggregate.Category + ":"
		}
		s := &all[i]
		s.Folded, s.seen = *f, d.int()
		s.Version, s.frozen, s.whole = d.int(), d.text(), whole[of][f.aggregate.Category]
		r.streams[name] = s
	}
	if d.broken || len(d.raw) > 0 {
		return errors.New("it is cut off, or goes on")
	}
	return nil
}

// unpacking reads what pack wrote, and remembers whether it met bytes that it cannot read.
type unpacking struct {
	raw    []byte
	broken bool
}

func (d *unpacking) int() int64 {
	v, n := binary.Varint(d.raw)
	d.skip(n)
	return v
}

// count is a number of items that follow, each of at least a byte.
func (d *unpacking) count() int {
	v, n := binary.Uvarint(d.raw)
	d.skip(n)
	if v > uint64(len(d.raw)) {
		d.broken = true
	}
	if d.broken {
		return 0
	}
	return int(v)
}

func (d *unpacking) text() []byte {
	n := d.count()
	text := d.raw[:n:n]
	d.raw = d.raw[n:]
	return text
}

func (d *unpacking) skip(n int) {
	if n <= 0 {
		d.broken, d.raw = true, nil
		return
	}
	d.raw = d.raw[n:]
}
