package ajos

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/pgcopy"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/event"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/engine/memory"
	"adashi.ng/projections/engine/write"
	"adashi.ng/projections/query"
)

// ofAjo is an event of an ajo.
type ofAjo interface {
	proto.Message
	GetAjoId() string
}

// kept is an ajo before and after a batch.
type kept struct {
	state   *ajo.Ajo             // Nil for a light ajo whose pots are not made ready.
	was     []ajo.Seat           // The seats before the batch.
	cycles  map[int]ajopot.Cycle // Of a paid-out cycle that is not in the batch, only that it is paid out.
	listed  bool                 // Its own stream changed.
	agreed  bool                 // And not only because pots may be paid out.
	changed map[int]bool         // The cycles that changed.
	begun   []int                // Those of them with empty pots: they may have no rows yet.
	full    bool                 // From its row, as the next two.
	paidOut bool
	current int
	// light is an ajo in which the batch only pays dues or makes pots ready. Its state is not read. If pots are made
	// ready, the state is its outline, with the ready cycles.
	light     bool
	brief     *brief
	readied   []int // The cycles whose pots the batch makes ready.
	wereReady int   // How many cycles were ready before.
	// appends is a light ajo whose cycles are not read: none of its dues can have filled a pot.
	appends bool
	// The due that left the least missing in a pot: its cycle, the missing amount and the pot's balance, in kobo.
	cycle         int
	missing, held int64
}

// folding collects the effects of a batch of events.
type folding struct {
	batch   write.Batch
	briefs  *briefs
	changes engine.Changes
	ajos    map[string]*kept
	// collectors are the members who may fill the batch's cards.
	collectors map[string]string
	light      lightly
	last       []func()     // Writes to make after those of the ajos.
	rows       *pgcopy.Rows // Of rm_ajo_payments.
	fields     int
}

var table = engine.Handlers(slices.Concat(ownHandlers, cycleHandlers, moneyHandlers, debtHandlers, cardHandlers, markHandlers)...)

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	f := &folding{briefs: memory.Of[briefs](ctx), ajos: map[string]*kept{}, collectors: map[string]string{}}
	err := f.load(ctx, tx, events)
	if err == nil {
		err = f.loadCards(ctx, tx, events)
	}
	if err != nil {
		return f.changes, err
	}
	err = write.Copy(ctx, tx, "rm_ajo_payments", paymentsWritten, func(rows *pgcopy.Rows, fields int) {
		f.rows, f.fields = rows, fields
		for _, e := range events {
			table.Take(f, e)
		}
	})
	if err != nil {
		return f.changes, err
	}
	for _, id := range slices.Sorted(maps.Keys(f.ajos)) {
		f.keep(id, f.ajos[id])
	}
	f.light.queue(&f.batch)
	for _, write := range f.last {
		write()
	}
	return f.changes, f.batch.Send(ctx, tx)
}

// load reads the batch's ajos as they were before it. It reads an ajo whole if the batch does more to it than pay dues.
func (f *folding) load(ctx context.Context, tx pgx.Tx, events []engine.Event) error {
	var ids []string
	for _, e := range events {
		m, ok := e.Message.(ofAjo)
		if !ok || !table.Takes(m) {
			continue
		}
		a := f.ajos[m.GetAjoId()]
		if a == nil {
			a = &kept{cycles: map[int]ajopot.Cycle{}, changed: map[int]bool{}, light: true, missing: math.MaxInt64}
			f.ajos[m.GetAjoId()], ids = a, append(ids, m.GetAjoId())
		}
		a.light = a.light && isLight(e)
		switch m := e.Message.(type) {
		case *nairav1.AjoContributed:
			if m.GetMissingKobo() < a.missing {
				a.cycle, a.missing, a.held = int(m.GetCycle()), m.GetMissingKobo(), holds(e.Lines)
			}
		case *nairav1.AjoCycleReady:
			a.readied, a.missing = append(a.readied, int(m.GetCycle())), 0
		}
	}
	if len(ids) == 0 {
		return nil
	}
	if err := f.loadBriefs(ctx, tx, ids); err != nil {
		return err
	}
	whole := slices.DeleteFunc(ids, func(id string) bool { return f.ajos[id].light })
	if err := f.loadStates(ctx, tx, whole); err != nil {
		return err
	}
	return f.loadCycles(ctx, tx, whole, events)
}

// loadBriefs reads the rows of ajos in rm_ajos, except remembered ones whose pots cannot be full.
func (f *folding) loadBriefs(ctx context.Context, tx pgx.Tx, ids []string) error {
	var unread, unknown []string
	for _, id := range ids {
		a := f.ajos[id]
		if b := f.briefs.of(id); a.light && b != nil {
			a.lighten(b)
		} else if a.light {
			unknown = append(unknown, id)
		}
		if !a.appends {
			unread = append(unread, id)
		}
	}
	if len(unread) == 0 {
		return nil
	}
	rows, err := tx.Query(ctx, `SELECT a.ajo_id, coalesce(s.brief, ''), a.ready, a.cycle, a.is_full, a.is_paid_out
		FROM rm_ajos a LEFT JOIN rm_ajo_states s ON s.ajo_id = a.ajo_id AND s.ajo_id = ANY($2) WHERE a.ajo_id = ANY($1)`, unread, append([]string{}, unknown...))
	if err != nil {
		return err
	}
	var id string
	var text, ready query.Lent
	var current int
	var full, paidOut bool
	_, err = pgx.ForEachRow(rows, []any{&id, &text, &ready, &current, &full, &paidOut}, func() (err error) {
		a := f.ajos[id]
		a.current, a.full, a.paidOut = current, full, paidOut
		if len(text) > 0 {
			b, err := briefIn(text)
			if err != nil {
				return err
			}
			f.briefs.put(id, b)
			a.lighten(b)
		}
		if a.light && len(a.readied) > 0 {
			outlined := a.brief.ajo
			outlined.Cycles, err = readyIn(ready)
			a.state, a.wereReady = &outlined, len(outlined.Cycles)
		}
		return err
	})
	return err
}

// lighten makes a light ajo use its brief, as far as possible.
func (a *kept) lighten(b *brief) {
	a.brief = b
	a.light = len(b.ajo.Frozen) == 0 // Otherwise the dues depend on the collecting seat.
	a.appends = a.light && !b.filledBy(a.cycle, a.missing, a.held)
}

func (f *folding) loadStates(ctx context.Context, tx pgx.Tx, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	for _, id := range ids {
		f.ajos[id].state = &ajo.Ajo{}
	}
	rows, err := tx.Query(ctx, "SELECT ajo_id, s.state, a.ready FROM rm_ajos a JOIN rm_ajo_states s USING (ajo_id) WHERE ajo_id = ANY($1)", ids)
	if err != nil {
		return err
	}
	var id string
	var state, ready query.Lent
	_, err = pgx.ForEachRow(rows, []any{&id, &state, &ready}, func() (err error) {
		a := f.ajos[id]
		*a.state, err = ajoOf(state, ready)
		a.was = a.state.Seats
		return err
	})
	return err
}

// loadCycles reads the cycles in the batch's events, and for some ajos also the others that are not paid out. If a
// batch only fills a cycle's pot and makes it ready, the payments into the cycle are left out.
func (f *folding) loadCycles(ctx context.Context, tx pgx.Tx, whole []string, events []engine.Event) error {
	var named namedCycles
	for _, e := range events {
		c, is := e.Message.(interface {
			ofAjo
			GetCycle() int32
		})
		if is && table.Takes(c) && !f.ajos[c.GetAjoId()].appends {
			named.add(c.GetAjoId(), c.GetCycle())
		}
	}
	if len(named.ajos)+len(whole) == 0 {
		return nil
	}
	rows, err := tx.Query(ctx, `SELECT c.ajo_id, c.cycle, c.state FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::integer[]) AS k (ajo_id, cycle)) k
			JOIN rm_ajo_cycles c USING (ajo_id, cycle)
		UNION ALL SELECT ajo_id, cycle, CASE WHEN paid_at IS NULL THEN state ELSE '' END FROM rm_ajo_cycles WHERE ajo_id = ANY($3)`, named.ajos, named.cycles, whole)
	if err != nil {
		return err
	}
	var read namedCycles
	var id string
	var state query.Lent
	var cycle int
	if _, err := pgx.ForEachRow(rows, []any{&id, &cycle, &state}, func() (err error) {
		a := f.ajos[id]
		if _, named := a.cycles[cycle]; len(state) > 0 {
			if !a.light || !slices.Contains(a.readied, cycle) {
				read.add(id, int32(cycle))
			}
			a.cycles[cycle], err = thawed[ajopot.Cycle](ajopot.Cycles, state)
		} else if !named {
			a.cycles[cycle] = ajopot.Cycle{PaidOut: true}
		}
		return err
	}); err != nil {
		return err
	}
	return paidInto(ctx, tx, read, func(ajo string, cycle int, payments []ajopot.Payment) {
		c := f.ajos[ajo].cycles[cycle]
		c.Payments = payments
		f.ajos[ajo].cycles[cycle] = c
	})
}

// loadCards reads the members who may fill the batch's cards.
func (f *folding) loadCards(ctx context.Context, tx pgx.Tx, events []engine.Event) error {
	var ids []string
	for _, e := range events {
		if m, ok := e.Message.(interface{ GetCardId() string }); ok && table.Takes(e.Message) {
			ids = append(ids, m.GetCardId())
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := tx.Query(ctx, "SELECT card_id, collector FROM rm_ajo_cards WHERE card_id = ANY($1)", ids)
	if err != nil {
		return err
	}
	var id, collector string
	_, err = pgx.ForEachRow(rows, []any{&id, &collector}, func() error { f.collectors[id] = collector; return nil })
	return err
}

// ajoOf decodes an ajo's stored state.
func ajoOf(state, ready []byte) (ajo.Ajo, error) {
	a, err := thawed[ajo.Ajo](ajo.Ajos, state)
	if err == nil {
		a.Cycles, err = readyIn(ready)
	}
	return a, err
}

// thawed decodes a stored state.
func thawed[S any](of event.Aggregate, frozen []byte) (S, error) {
	state, err := of.Thaw(frozen)
	if err != nil {
		var none S
		return none, fmt.Errorf("ajos: a state of %s: %w", of.Category, err)
	}
	return state.(S), nil
}

func frozen(of event.Aggregate, state any) []byte {
	text, err := of.Freeze(state)
	if err != nil {
		panic(err) // Texts, numbers and times never fail.
	}
	return text
}

// happened is an event as an aggregate's fold sees it.
func happened(e engine.Event) event.Happened {
	return event.Happened{Message: e.Message, EffectiveAt: e.EffectiveAt.UTC(), RecordedAt: e.RecordedAt.UTC()}
}

// own folds an event of an ajo's own stream.
func (f *folding) own(e engine.Event, m ofAjo) {
	a := f.ajos[m.GetAjoId()]
	_, ready := e.Message.(*nairav1.AjoCycleReady)
	a.agreed = a.agreed || !ready
	f.told(*a.state)
	*a.state, a.listed = ajo.Ajos.Evolve(*a.state, happened(e)).(ajo.Ajo), true
	f.told(*a.state)
}

// inCycle folds an event of a cycle's stream.
func (f *folding) inCycle(e engine.Event, m interface {
	ofAjo
	GetCycle() int32
},
) {
	a, k := f.ajos[m.GetAjoId()], int(m.GetCycle())
	a.changed[k] = true
	if fromNothing(e.Lines) {
		a.begun = append(a.begun, k)
	}
	if !a.appends {
		a.cycles[k] = ajopot.Cycles.Evolve(a.cycles[k], happened(e)).(ajopot.Cycle)
	}
	if a.light {
		f.tell(a.brief.members...)
		return
	}
	f.told(*a.state)
}

// holds is the new balance of the account that an event pays into.
func holds(lines []event.Line) int64 {
	for _, l := range lines {
		if l.Amount > 0 {
			return int64(l.Balance)
		}
	}
	return 0
}

// fromNothing reports whether an account was empty before this event, as a cycle's pot is before its first due.
func fromNothing(lines []event.Line) bool {
	return slices.ContainsFunc(lines, func(l event.Line) bool { return l.Amount > 0 && l.Balance == l.Amount })
}

// told makes the members of an ajo read it again.
func (f *folding) told(a ajo.Ajo) {
	for _, user := range a.Members() {
		f.changes.User(user, Topic)
	}
}

// tell makes some people read their ajo again.
func (f *folding) tell(users ...string) {
	for _, user := range users {
		if user != "" {
			f.changes.User(user, Topic)
		}
	}
}
