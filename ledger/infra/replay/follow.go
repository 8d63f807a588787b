package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
)

// following is a replay by the trail.
type following struct {
	*replaying
	reader *Reader
	tx     pgx.Tx
	key    string   // Identifies the folds: see FoldsOf.
	owner  struct { // Whose trail lists the events: the subject's, or the account's owner's. No kind: the house.
		kind kind
		id   string
	}
	to      int64 // The last position.
	counted int64 // By effective time: the last position that was recorded by then. Else to.
	reached int64 // The last position that the trail covers.
	first   int64 // The first position after the keyframe that concerns the subject; 0 until there is one.
	after   int64 // All positions up to here were examined.
	small   bool  // The subject has too few events for a keyframe.
	skips   []Stretch
	ahead   *marks // All marks, if they were read beforehand.

	checking         *Keyframe // The keyframe that is made again; nil when there is none.
	made             []Keyframe
	since            int64 // The keyframe before, or the beginning.
	passed           int   // How many marks since.
	earliest, latest time.Time
}

// findOwner finds the owner of the trail that lists the subject's events.
func (f *following) findOwner(ctx context.Context) error {
	f.owner.kind, f.owner.id = f.kind, f.id
	if f.kind != 0 {
		return nil
	}
	of, id, _ := strings.Cut(strings.TrimPrefix(f.id, "held:"), ":")
	first := func(stream string) (proto.Message, error) { return f.opening(ctx, stream) }
	switch of {
	case "wallet", "owed":
		f.owner.kind, f.owner.id = member, id
	case "pot", "deposit":
		f.owner.kind = ajo
		f.owner.id, _, _ = strings.Cut(id, ":")
	case "pool":
		m, err := first("sub:" + id)
		if err != nil {
			return err
		}
		if opened, ok := m.(*nairav1.SubAccountOpened); ok {
			f.owner.kind, f.owner.id = group, opened.GetGroupId()
			return nil
		}
		return ErrUnknown
	case "card":
		m, err := first("ajocard:" + id)
		if err != nil {
			return err
		}
		if opened, ok := m.(*nairav1.AjoCardOpened); ok {
			f.owner.kind, f.owner.id = member, opened.GetUserId()
			return nil
		}
		return ErrUnknown
	}
	return nil
}

// opening is a stream's first event; nil when there is no such stream.
func (f *following) opening(ctx context.Context, stream string) (proto.Message, error) {
	records, err := history.ReadStretches(ctx, f.tx, []history.Stretch{{Stream: stream, From: 1, To: 1}}, f.to)
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, f.archived(ctx, 0, f.to)
	}
	return records[0].Message()
}

// house reads the balance of an account of the house: the last event that moved it records it.
func (f *following) house(ctx context.Context) error {
	if !f.opt.Effective.IsZero() || f.opt.Step != nil {
		return ErrHouse
	}
	rows, err := f.tx.Query(ctx, "SELECT "+history.Columns+" FROM events WHERE pos <= $1 AND accounts @> ARRAY[$2] ORDER BY pos DESC LIMIT 1", f.to, f.id)
	if err != nil {
		return err
	}
	last, err := pgx.CollectOneRow(rows, history.ScanRecord)
	if errors.Is(err, pgx.ErrNoRows) {
		return cmp.Or(f.archived(ctx, 0, f.to), ErrUnknown)
	}
	if err != nil {
		return err
	}
	for _, line := range last.Lines {
		if line.Account == f.id {
			f.state.Balances[f.id] = line.Balance
		}
	}
	f.state.OnlyBalance = true
	return f.archived(ctx, last.Pos, f.to)
}

// begin takes the newest keyframe that can be used.
func (f *following) begin(ctx context.Context) error {
	frames := f.reader.Keyframes
	if frames == nil || f.opt.Step != nil {
		return nil
	}
	upto := f.to
	if f.checking != nil {
		upto = f.checking.Pos - 1
	}
	newest, err := frames.Newest(ctx, f.tx, f.opt.Subject.String(), f.key, upto, f.opt.Effective)
	if err != nil {
		return err
	}
	if newest != nil {
		f.resume(ctx, newest)
	}
	if !f.opt.Effective.IsZero() {
		f.skips, err = frames.Stretches(ctx, f.tx, f.opt.Subject.String(), f.key, f.after)
	}
	return err
}

// resume begins from a keyframe, if it is of this history and can be read. Otherwise the replay begins from zero.
func (f *following) resume(ctx context.Context, k *Keyframe) {
	from := f.unpacked(ctx, f.opt, k, f.owner.kind)
	if from == nil {
		return
	}
	from.state.Position, from.state.Recorded, from.state.Keyframe = f.to, f.state.Recorded, k.Pos
	f.replaying, f.after, f.since, f.latest = from, k.Pos, k.Pos, k.Latest
}

// unpacked is the replay in a keyframe; nil if it is of another history or cannot be read.
func (f *following) unpacked(ctx context.Context, opt Options, k *Keyframe, of kind) *replaying {
	var ours bool
	err := f.tx.QueryRow(ctx, "SELECT leaf = $2 FROM events WHERE pos = $1", k.Pos, k.Leaf).Scan(&ours)
	if errors.Is(err, pgx.ErrNoRows) { // Archived events were sealed before.
		var archived *history.ArchivedError
		ours, err = errors.As(f.archived(ctx, k.Pos-1, k.Pos), &archived), nil
	}
	if err != nil || !ours {
		return nil
	}
	from, err := begin(opt)
	if err == nil {
		err = from.unpack(k.Body, of)
	}
	if err != nil {
		return nil
	}
	return from
}

// borrow starts a stream of a group or an ajo from the newest keyframe of that group or ajo, since such a stream is
// long if many members take part. A replay that makes keyframes of its own must not do so: it would skip events.
func (f *following) borrow(ctx context.Context, name string, s *stream) error {
	of, id, _ := strings.Cut(name, ":")
	opt := Options{Subject: Subject{Group: id}, Aggregates: f.opt.Aggregates}
	lender := group
	switch of {
	case "group":
	case "ajo", "ajodebt":
		opt.Subject, lender = Subject{Ajo: id}, ajo
	default:
		return nil
	}
	if f.reader.Keyframes == nil || f.opt.Step != nil || !f.small || lender == f.owner.kind {
		return nil
	}
	k, err := f.reader.Keyframes.Newest(ctx, f.tx, opt.Subject.String(), f.key, f.to, f.opt.Effective)
	if err != nil || k == nil {
		return err
	}
	if from := f.unpacked(ctx, opt, k, lender); from != nil && from.streams[name] != nil {
		*s = *from.streams[name]
		s.whole = f.isWhole(name)
	}
	return nil
}

func (f *following) isWhole(stream string) bool {
	category, _, _ := strings.Cut(stream, ":")
	return whole[f.owner.kind][category]
}

// next reads the next marks, and reports whether there may be more.
func (f *following) next(ctx context.Context) (bool, error) {
	f.skip()
	limit := min(batchMost, f.reader.every()-f.passed)
	positions, late, err := f.marksAfter(ctx, limit)
	if f.after == 0 {
		f.small = len(positions) < limit
	}
	if err != nil || len(positions) == 0 {
		f.after = max(f.after, f.reached)
		return false, err
	}
	f.after = positions[len(positions)-1]
	wanted := positions[:0:0]
	for i, pos := range positions {
		if pos <= f.counted || late[i] { // Others count from when they were recorded.
			wanted = append(wanted, pos)
		}
	}
	records, err := f.readAt(ctx, wanted)
	if err != nil {
		return false, err
	}
	if err := f.batch(ctx, records); err != nil {
		return false, err
	}
	f.passed += len(positions)
	if f.passed < f.reader.every() {
		return len(positions) == limit, nil
	}
	return true, f.keep(ctx)
}

// marks are the positions that the trail lists.
type marks struct {
	positions []int64
	late      []bool
}

// gather reads all marks.
func (f *following) gather(ctx context.Context) error {
	const most = 50_000
	all, after := &marks{}, int64(0)
	for {
		positions, late, err := f.reader.Trail.Marks(ctx, f.tx, f.owner.kind.String(), f.owner.id, after, f.reached, most, false)
		if err != nil {
			return err
		}
		all.positions, all.late = append(all.positions, positions...), append(all.late, late...)
		if len(positions) < most {
			f.ahead = all
			return nil
		}
		after = positions[len(positions)-1]
	}
}

// marksAfter are the next marks.
func (f *following) marksAfter(ctx context.Context, limit int) (positions []int64, late []bool, err error) {
	if f.ahead == nil {
		return f.reader.Trail.Marks(ctx, f.tx, f.owner.kind.String(), f.owner.id, f.after, f.reached, limit, false)
	}
	n := min(limit, len(f.ahead.positions))
	positions, late = f.ahead.positions[:n], f.ahead.late[:n]
	f.ahead.positions, f.ahead.late = f.ahead.positions[n:], f.ahead.late[n:]
	return positions, late, nil
}

// skip leaves out stretches in which no event counts yet.
func (f *following) skip() {
	for _, s := range f.skips {
		if s.Since <= f.after && s.Pos > f.after && s.Earliest.After(f.opt.Effective) {
			f.after = min(s.Pos, f.reached)
		}
	}
}

// beyond examines each event after the end of the trail.
func (f *following) beyond(ctx context.Context) error {
	if f.reached >= f.to {
		return nil
	}
	return f.each(ctx, max(f.reached, f.after)+1, f.to, func(records []event.Record) error { return f.batch(ctx, records) })
}

// each reads all events from one position to another, in batches.
func (f *following) each(ctx context.Context, from, to int64, do func([]event.Record) error) error {
	for ; from <= to; from += batchMost {
		var records []event.Record
		if err := history.Scan(ctx, f.tx.Conn(), from, min(to, from+batchMost-1), func(more []event.Record) error {
			records = append(records, more...)
			return nil
		}); err != nil {
			return err
		}
		if err := do(records); err != nil {
			return err
		}
	}
	return nil
}

// batch takes events that may concern the subject, in order. It notes those that do, and folds their streams.
func (f *following) batch(ctx context.Context, records []event.Record) error {
	var gaps []history.Stretch
	folding := make([]read, 0, len(records))
	for i := range records {
		e := &records[i]
		f.span(e.EffectiveAt)
		s := f.streams[e.Stream]
		begins := s == nil
		if begins && !f.mayConcern(e) {
			continue
		}
		m, err := e.Message()
		if err != nil {
			return fmt.Errorf("position %d: %w", e.Pos, err)
		}
		if f.counts(e.EffectiveAt) && f.concerns(e, m) {
			if f.first == 0 {
				f.first = e.Pos
			}
			if s, err = f.stream(e.Stream); err != nil {
				return fmt.Errorf("position %d: %w", e.Pos, err)
			}
			if begins {
				s.whole = f.isWhole(e.Stream)
				if err := f.borrow(ctx, e.Stream, s); err != nil {
					return err
				}
			}
			if err := f.take(e, m); err != nil {
				return err
			}
		}
		if s == nil || e.Version <= s.seen {
			continue
		}
		if e.Version > s.seen+1 && (begins || f.opt.Effective.IsZero() || !s.whole) {
			gaps = append(gaps, history.Stretch{Stream: e.Stream, From: s.seen + 1, To: e.Version - 1})
		}
		s.seen = e.Version
		folding = append(folding, read{e, m})
	}
	if len(gaps) > 0 {
		missed, err := f.missed(ctx, gaps)
		if err != nil {
			return err
		}
		folding = append(folding, unread(missed)...)
		slices.SortFunc(folding, func(a, b read) int { return cmp.Compare(a.Pos, b.Pos) })
	}
	return f.fold(folding)
}

// missed reads the events of concerned streams that do not concern the subject themselves, or came before they did.
func (f *following) missed(ctx context.Context, gaps []history.Stretch) ([]event.Record, error) {
	records, err := history.ReadStretches(ctx, f.tx, gaps, f.to)
	if err != nil {
		return nil, err
	}
	due := int64(0)
	for _, g := range gaps {
		due += g.To - g.From + 1
	}
	if int64(len(records)) != due {
		return nil, cmp.Or(f.archived(ctx, 0, f.to), fmt.Errorf("streams lack events: %d of %d are here", len(records), due))
	}
	return records, nil
}

// read is an event and its message, which is nil until it is decoded.
type read struct {
	*event.Record
	message proto.Message
}

func unread(records []event.Record) []read {
	all := make([]read, len(records))
	for i := range records {
		all[i].Record = &records[i]
	}
	return all
}

// fold folds events into their streams.
func (f *following) fold(events []read) (err error) {
	for _, e := range events {
		if f.latest.Before(e.EffectiveAt) {
			f.latest = e.EffectiveAt
		}
		if !f.counts(e.EffectiveAt) {
			continue
		}
		if e.message == nil {
			e.message, err = e.Message()
		}
		if err == nil {
			err = f.streams[e.Stream].fold(event.Happened{Message: e.message, EffectiveAt: e.EffectiveAt, RecordedAt: e.RecordedAt}, e.Version)
		}
		if err != nil {
			return fmt.Errorf("position %d: %w", e.Pos, err)
		}
	}
	return nil
}

// straysMost is how many streams are read at once.
const straysMost = 1000

// strays folds the streams that have events outside the trail up to a position.
func (f *following) strays(ctx context.Context, to int64) error {
	var open []history.Stretch
	for name, s := range f.streams {
		if !s.whole {
			open = append(open, history.Stretch{Stream: name, From: s.seen + 1, To: 1<<63 - 1})
		}
	}
	slices.SortFunc(open, func(a, b history.Stretch) int { return cmp.Compare(a.Stream, b.Stream) })
	for part := range slices.Chunk(open, straysMost) {
		records, err := history.ReadStretches(ctx, f.tx, part, to)
		if err != nil {
			return err
		}
		for i := range records {
			f.streams[records[i].Stream].seen = records[i].Version
		}
		if err := f.fold(unread(records)); err != nil {
			return err
		}
	}
	return nil
}

// span notes from when an examined event counts.
func (f *following) span(effective time.Time) {
	if f.earliest.IsZero() || effective.Before(f.earliest) {
		f.earliest = effective
	}
}

// keep makes a keyframe of the replay's current state.
func (f *following) keep(ctx context.Context) error {
	since, earliest := f.since, f.earliest
	f.since, f.passed, f.earliest = f.after, 0, time.Time{}
	if f.reader.Keyframes == nil || f.opt.Step != nil || !f.opt.Effective.IsZero() || len(f.made) == madeMost {
		return nil
	}
	if err := f.strays(ctx, f.after); err != nil {
		return err
	}
	k := Keyframe{Subject: f.opt.Subject.String(), Folds: f.key, Pos: f.after, Since: since, Earliest: earliest, Latest: f.latest}
	if err := f.tx.QueryRow(ctx, "SELECT leaf FROM events WHERE pos = $1", k.Pos).Scan(&k.Leaf); err != nil {
		return err
	}
	body, err := f.pack()
	k.Body = body
	f.made = append(f.made, k)
	return err
}
