package sim

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/event"
)

// plants are violations, and the check that must find each.
var plants = map[string]struct {
	plant func(w *world)
	found string
}{
	"an event is missing": {func(w *world) { delete(w.disk.rows, w.disk.tip.Pos) }, "holds"},
	"a gap":               {func(w *world) { delete(w.disk.rows, 7) }, "holds"},
	"a position is wrong": {func(w *world) { w.change(7, func(r *event.Record) { r.Pos++ }) }, "position 8 follows 6"},
	"a version is wrong":  {func(w *world) { w.change(7, func(r *event.Record) { r.Version++ }) }, "is version"},
	"a body was changed":  {func(w *world) { w.change(7, func(r *event.Record) { r.Body = append(r.Body, 0) }) }, "another leaf"},
	"time goes back":      {func(w *world) { w.change(7, func(r *event.Record) { r.RecordedAt = began.AddDate(-100, 0, 0) }) }, "before the one before it"},
	"a line is unbalanced": {func(w *world) {
		w.change(w.money(), func(r *event.Record) { r.Lines[0].Amount--; r.Lines[0].Balance-- })
	}, "sums to"},
	"a line's balance lies":  {func(w *world) { w.change(w.money(), func(r *event.Record) { r.Lines[1].Balance++ }) }, "and says"},
	"a wallet is overdrawn":  {func(w *world) { w.change(w.money(), overdraw) }, "leaves wallet:"},
	"a balance is wrong":     {func(w *world) { w.disk.balances["pool:s"]++ }, "its lines come to"},
	"a balance has no lines": {func(w *world) { w.disk.balances["pool:nobody"] = 0 }, "accounts have balances"},
	"a member's total lies":  {func(w *world) { w.change(w.contribution(), lie); w.hash(w.contribution()) }, "paid 1 in all"},
	"a pot lies":             {func(w *world) { tell(w, func(m *nairav1.AjoContributed) { m.AmountKobo-- }) }, "should hold"},
	"a seat has two turns": {func(w *world) {
		tell(w, func(m *nairav1.AjoStarted) { m.Order[0] = m.Order[1] })
	}, "leaves the order"},
	"done but not recorded": {func(w *world) { w.first(done).command.ID[0]++ }, "others are recorded"},
	"another payload":       {func(w *world) { w.first(done).command.Hash[0]++ }, "another payload"},
	"refused but recorded": {func(w *world) {
		one := w.first(done)
		one.done, one.refused = nil, fault.New(fault.Conflict, "No.")
	}, "was refused"},
	"nothing was taken but recorded": {func(w *world) {
		one := w.first(done)
		one.done, one.unknown = nil, false
	}, "nothing was taken"},
	"another amount was moved": {func(w *world) {
		w.first(func(o *wish) bool { return done(o) && o.moves != nil }).moves["pool:s"]++
	}, "should have moved"},
	"a refusal is forgotten": {func(w *world) {
		delete(w.disk.refusals, w.first(func(o *wish) bool { return o.refused != nil && o.command.Keyed }).command.ID)
	}, "not remembered"},
	"a command recorded twice": {func(w *world) {
		again := w.disk.rows[w.first(done).done[0].Pos]
		w.change(w.disk.tip.Pos, func(r *event.Record) { r.Command, r.CommandHash = again.record.Command, again.record.CommandHash })
		w.hash(w.disk.tip.Pos)
	}, "recorded twice"},
	"a message is missing": {func(w *world) { w.stream().messages = w.stream().messages[1:] }, "messages of"},
	"a message is another": {func(w *world) { w.stream().messages[3] = w.stream().messages[4] }, "message 4"},
	"an epoch for nothing": {func(w *world) { w.disk.epoch += int(w.failovers.Load()) + 1 }, "was raised"},
	"a model left one out": {func(w *world) { w.models[0].state.Events-- }, "model 0"},
	"a model mixed two up": {func(w *world) { w.models[0].state.Digest[0]++ }, "model 0"},
	"a model's sum is off": {func(w *world) { w.models[0].state.Balances["pool:s"]++ }, "model 0"},
}

func done(o *wish) bool { return o.done != nil && o.done[0].Pos > 0 }

// overdraw takes one kobo more out of a wallet than it has.
func overdraw(r *event.Record) {
	for i := range r.Lines {
		if line := &r.Lines[i]; strings.HasPrefix(line.Account, "wallet:") {
			line.Amount -= line.Balance + 1
			line.Balance = -1
		}
	}
}

// lie is a contribution whose member total is 1 kobo.
func lie(r *event.Record) {
	r.Body, _ = proto.Marshal(&nairav1.ContributionReceived{AmountKobo: 2, MemberTotalKobo: 1})
}

// contribution is the first contribution.
func (w *world) contribution() int64 {
	pos := int64(1)
	for w.disk.rows[pos].record.Type != "naira.v1.ContributionReceived" {
		pos++
	}
	return pos
}

// tell changes the content of the first event of a type, and recomputes its leaf.
func tell[M proto.Message](w *world, change func(M)) {
	for pos := int64(1); ; pos++ {
		r := w.disk.rows[pos].record
		message, err := r.Message()
		if err != nil {
			panic(err)
		}
		if m, is := message.(M); is {
			change(m)
			w.change(pos, func(r *event.Record) { r.Body, _ = proto.Marshal(m) })
			w.hash(pos)
			return
		}
	}
}

func (w *world) stream() *stream { return w.bus.streams[w.disk.epoch] }

// change changes a stored event.
func (w *world) change(pos int64, by func(*event.Record)) {
	r := w.disk.rows[pos]
	r.record = clone(r.record)
	by(&r.record)
	w.disk.rows[pos] = r
}

// hash recomputes the leaf, for a check that looks further.
func (w *world) hash(pos int64) {
	r := w.disk.rows[pos]
	r.leaf = r.record.Leaf()
	w.disk.rows[pos] = r
}

// money is the first event that moves money.
func (w *world) money() int64 {
	pos := int64(1)
	for len(w.disk.rows[pos].record.Lines) == 0 {
		pos++
	}
	return pos
}

func (w *world) first(is func(*wish) bool) *wish {
	for _, c := range w.clients {
		for _, one := range c.wishes {
			if is(one) {
				return one
			}
		}
	}
	panic("no such wish")
}

func TestEveryCheckFindsWhatItIsFor(t *testing.T) {
	t.Parallel()
	for name, p := range plants {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w, err := run(1)
				require.NoError(t, err)
				require.NoError(t, w.check())
				p.plant(w)
				require.ErrorContains(t, w.check(), p.found)
			})
		})
	}
}
