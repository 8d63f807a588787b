package redecide

import (
	"maps"
	"reflect"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/event"
)

// Jobs are the commands that jobs give by themselves once the lab differs from the record.
type Jobs struct {
	// Together answers the name under which jobs look at a stream; they look at all streams with one name together.
	Together func(stream string) string
	// Daily answers their commands at the beginning of a Lagos day; m is the last message on the streams, and names the
	// owner.
	Daily func(v event.View, name string, m proto.Message, at time.Time) []event.Command
	// AtOnce answers the commands that follow an event at once, on those streams or on others.
	AtOnce func(name string, m proto.Message, at time.Time) []event.Command
	// Between answers at which time within a day jobs run next after a time; zero for none.
	Between func(v event.View, name string, after time.Time) time.Time
}

// DaysMost is the largest number of days for which jobs are followed, over all streams together.
const DaysMost = 800

// watched is a set of streams that jobs look at together.
type watched struct {
	parted map[string]bool // Those of its streams that differ from the record.
	since  time.Time       // Up to when jobs have run in the lab; zero if no stream differs.
	last   proto.Message   // The last message on the streams.
}

func (w *lab) together(stream string) string {
	if w.Jobs.Together == nil {
		return stream
	}
	return w.Jobs.Together(stream)
}

// watch is the set of streams that jobs look at together with a stream.
func (w *lab) watch(stream string) *watched {
	name := w.together(stream)
	if w.watched[name] == nil {
		w.watched[name] = &watched{parted: map[string]bool{}}
	}
	return w.watched[name]
}

// part notes which of the last events' streams differ from the record, and since when.
func (w *lab) part(at time.Time) {
	for _, name := range w.applied {
		t, what := w.track(name), w.watch(name)
		if reflect.DeepEqual(t.was, t.would) {
			delete(what.parted, name)
		} else {
			what.parted[name] = true
		}
		switch {
		case len(what.parted) == 0:
			what.since = time.Time{}
			delete(w.otherwise, w.together(name))
		case what.since.IsZero():
			what.since = at
			w.otherwise[w.together(name)] = true
		}
	}
	w.applied = w.applied[:0]
}

// follow runs the jobs in the lab at the beginning of each Lagos day, and between, from the time at which the streams
// began to differ up to the given time.
func (w *lab) follow(name string, now time.Time) {
	what := w.watched[name]
	if what == nil || what.since.IsZero() || w.Jobs.Daily == nil {
		return
	}
	news := w.news // The consequences of jobs' own commands follow on the next day.
	for next := w.next(name, what.since); !next.After(now) && !what.since.IsZero(); next = w.next(name, next) {
		if w.days == DaysMost {
			w.followedUntil(what.since)
			break
		}
		w.days++
		what.since = next
		w.give(w.Jobs.Daily(side{w, true}, name, what.last, next), next)
	}
	w.news = news
}

// next is when jobs run next after a time: at the beginning of the next day, or before it.
func (w *lab) next(name string, after time.Time) time.Time {
	next := dawn(after).AddDate(0, 0, 1)
	if w.Jobs.Between != nil {
		if at := w.Jobs.Between(side{w, true}, name, after); !at.IsZero() && at.Before(next) {
			return at
		}
	}
	return next
}

// followedUntil notes from which time on the jobs of some streams are no longer followed.
func (w *lab) followedUntil(at time.Time) {
	if until := &w.found.FollowedUntil; until.IsZero() || at.Before(*until) {
		*until = at
	}
}

// atOnce gives the commands that follow at once from the new messages in the lab.
func (w *lab) atOnce(at time.Time) {
	news := w.news
	w.news = nil
	if w.Jobs.AtOnce == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(w.otherwise)) {
		for _, m := range news {
			if commands := w.Jobs.AtOnce(name, m, at); len(commands) > 0 {
				w.bring(name, at)
				w.give(commands, at)
			}
		}
	}
	w.news = nil
}

// bring makes the insertions that concern some streams and runs their jobs, up to a time.
func (w *lab) bring(name string, at time.Time) {
	for i := 0; i < len(w.inserts); i++ {
		if last := w.inserts[i].At; last.Before(at) && w.reads(w.inserts[i], name) {
			for len(w.inserts) > 0 && !w.inserts[0].At.After(last) { // Also earlier insertions, such as money.
				w.insert()
			}
			i = -1
		}
	}
	w.follow(name, at)
}

// reads reports whether an insertion reads a stream that jobs look at under a name.
func (w *lab) reads(insert Edit, name string) bool {
	return slices.ContainsFunc(insert.Insert, func(c event.Command) bool {
		return slices.ContainsFunc(c.Streams(), func(stream string) bool { return w.together(stream) == name })
	})
}

// give applies the commands of jobs in the lab, except those that would have had an outcome in the record too: such a
// command is decided again where history has it, and if history does not have it no job ran.
func (w *lab) give(commands []event.Command, at time.Time) {
	for _, c := range commands {
		drafts, err := w.decide(c, true)
		if err != nil || len(drafts) == 0 {
			continue
		}
		if was, err := w.decide(c, false); err == nil && len(was) > 0 && sameJob(drafts[len(drafts)-1], was[len(was)-1]) {
			continue
		}
		w.apply(drafts, at, at)
		w.tell(Line{Kind: New, At: at, Would: drafts})
		w.part(at)
	}
}

// sameJob reports whether the last events of two commands come from the same job, whatever their content.
func sameJob(a, b event.Draft) bool {
	return a.Stream == b.Stream && reflect.TypeOf(a.Message) == reflect.TypeOf(b.Message) && alike(a.Message, b.Message, "debt_id", "cycle", "period", "paid_by")
}

// alike reports whether two messages of a type agree in some fields, as far as they have them.
func alike(a, b proto.Message, fields ...protoreflect.Name) bool {
	x, y := a.ProtoReflect(), b.ProtoReflect()
	return !slices.ContainsFunc(fields, func(name protoreflect.Name) bool {
		f := x.Descriptor().Fields().ByName(name)
		return f != nil && !x.Get(f).Equal(y.Get(f))
	})
}

// dawn is the beginning of a time's day in Lagos.
func dawn(at time.Time) time.Time {
	at = at.In(lagos.Zone)
	return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, lagos.Zone)
}
