package notifications

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/event"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/query"
)

// The types about rotating savings. The subject of each is the ajo, or the card.
const (
	AjoStarted         = "ajo_started" // Its detail is the first due day.
	AjoOrderDrawn      = "ajo_order_drawn"
	AjoSwapRequested   = "ajo_swap_requested" // Its detail is the two seats.
	AjoTurnNext        = "ajo_turn_next"      // Its detail is the cycle.
	AjoPayoutReady     = "ajo_payout_ready"   // Its detail is the cycle, as of those that follow.
	AjoPayoutRequested = "ajo_payout_requested"
	AjoPayoutPaid      = "ajo_payout_paid"
	AjoPayoutShort     = "ajo_payout_short"   // Paid, and something was missing.
	AjoPayoutRefused   = "ajo_payout_refused" // Its detail is the cycle, and why.
	AjoDebtOpened      = "ajo_debt_opened"    // Its detail is Owes or Owed, and the kind of debt.
	AjoDebtPaid        = "ajo_debt_paid"
	AjoPenaltyApplied  = "ajo_penalty_applied"
	AjoPenaltyReversed = "ajo_penalty_reversed"
	AjoPlaceOpened     = "ajo_place_opened" // Its detail is the seat, as of those that follow.
	AjoFrozen          = "ajo_frozen"
	AjoExpelled        = "ajo_expelled"
	AjoTerminated      = "ajo_terminated" // Its detail is Cancelled where it ended before its start.
	AjoCompleted       = "ajo_completed"
	AjoTermsChanged    = "ajo_terms_changed" // Its detail is until when they are accepted, or Released.
	AjoRefused         = "ajo_contribution_refused"
	AjoCardFilled      = "ajo_card_filled"  // By a collector, who it is about.
	AjoCardMatured     = "ajo_card_matured" // Its detail is Commission for its collector.
	AjoDue             = "ajo_due"          // Its detail is the due day, as of the next.
	AjoOverdue         = "ajo_overdue"
	AjoPaymentQueried  = "ajo_payment_queried" // Its detail is why.
)

// The details of those.
const (
	Owes       = "OWES"
	Owed       = "OWED"
	Released   = "RELEASED"
	Commission = "COMMISSION"
)

// lives are the ajos that a batch is about, as they stand: who is to be told is in them.
type lives struct {
	states  map[string]ajo.Ajo
	changed map[string]bool // What changed is more than that pots may be paid out.
	pots    pots
}

// pots are those that a batch makes ready.
type pots struct {
	ajos           []string
	cycles, seats  []int32
	kobo, missings []int64
}

// ajoTable are the events that tell of ajos.
var ajoTable = engine.Handlers(slices.Concat(lifeHandlers, potHandlers)...)

// livesOf reads the ajos that a batch is about as they were before it.
func livesOf(ctx context.Context, tx pgx.Tx, events []engine.Event) (*lives, error) {
	l := &lives{states: map[string]ajo.Ajo{}, changed: map[string]bool{}}
	var asked []string // Of these it matters which pots are ready.
	for _, e := range events {
		m, ok := e.Message.(interface {
			proto.Message
			GetAjoId() string
		})
		if !ok || !ajoTable.Takes(m) {
			continue
		}
		l.states[m.GetAjoId()] = ajo.Ajo{}
		if _, is := m.(*nairav1.AjoCycleReady); !is {
			asked = append(asked, m.GetAjoId())
		}
	}
	if len(l.states) == 0 {
		return l, nil
	}
	rows, err := tx.Query(ctx, "SELECT ajo_id, state FROM rm_notified_ajos WHERE ajo_id = ANY($1)", slices.Collect(maps.Keys(l.states)))
	if err != nil {
		return l, err
	}
	var id string
	var state query.Lent
	_, err = pgx.ForEachRow(rows, []any{&id, &state}, func() error {
		thawed, err := ajo.Ajos.Thaw(state)
		if err == nil {
			l.states[id] = thawed.(ajo.Ajo)
		}
		return err
	})
	if err != nil || len(asked) == 0 {
		return l, err
	}
	return l, l.loadPots(ctx, tx, asked)
}

// loadPots reads which pots of some ajos are ready.
func (l *lives) loadPots(ctx context.Context, tx pgx.Tx, ids []string) error {
	rows, err := tx.Query(ctx, "SELECT ajo_id, cycle, seat, kobo, missing FROM rm_notified_pots WHERE ajo_id = ANY($1) ORDER BY ajo_id, cycle", ids)
	if err != nil {
		return err
	}
	var id string
	var ready ajo.Ready
	_, err = pgx.ForEachRow(rows, []any{&id, &ready.Cycle, &ready.Seat, &ready.Collected, &ready.Missing}, func() error {
		a := l.states[id]
		a.Cycles = append(a.Cycles, ready)
		l.states[id] = a
		return nil
	})
	return err
}

func (l *lives) queue(batch *pgx.Batch) {
	for _, id := range slices.Sorted(maps.Keys(l.changed)) {
		state, err := json.Marshal(heard(l.states[id]))
		if err != nil {
			panic(err) // Texts, numbers and times never fail.
		}
		batch.Queue("INSERT INTO rm_notified_ajos (ajo_id, state) VALUES ($1, $2) ON CONFLICT (ajo_id) DO UPDATE SET state = excluded.state", id, string(state))
	}
	if p := l.pots; len(p.ajos) > 0 {
		batch.Queue(`INSERT INTO rm_notified_pots (ajo_id, cycle, seat, kobo, missing)
			SELECT * FROM unnest($1::text[], $2::integer[], $3::integer[], $4::bigint[], $5::bigint[])`, p.ajos, p.cycles, p.seats, p.kobo, p.missings)
	}
}

// heard is what has to be kept of an ajo to tell its members: who holds which place, and whose turn it is. Most of its
// state is how it was drawn and what its members agreed to.
func heard(a ajo.Ajo) ajo.Ajo {
	kept := ajo.Ajo{Status: a.Status, Owner: a.Owner, Validator: a.Validator, Past: a.Past, Order: a.Order, Seats: make([]ajo.Seat, len(a.Seats))}
	for i, s := range a.Seats {
		for _, p := range s.Places {
			kept.Seats[i].Places = append(kept.Seats[i].Places, ajo.Place{User: p.User, Halves: p.Halves})
		}
	}
	return kept
}

// readied notes that a pot is ready, and answers its ajo as it is then.
func (l *lives) readied(e engine.Event, m *nairav1.AjoCycleReady) ajo.Ajo {
	id, p := m.GetAjoId(), &l.pots
	p.ajos, p.cycles, p.seats = append(p.ajos, id), append(p.cycles, m.GetCycle()), append(p.seats, m.GetSeat())
	p.kobo, p.missings = append(p.kobo, m.GetCollectedKobo()), append(p.missings, m.GetMissingKobo())
	return l.evolve(e, m, id)
}

// evolve folds an event of an ajo's own stream.
func (l *lives) evolve(e engine.Event, m proto.Message, id string) ajo.Ajo {
	is := ajo.Ajos.Evolve(l.states[id], event.Happened{Message: m, EffectiveAt: e.EffectiveAt.UTC(), RecordedAt: e.RecordedAt.UTC()}).(ajo.Ajo)
	l.states[id] = is
	return is
}

// lived is the handler of an event of an ajo's own stream: it folds it, and tells of it by how the ajo was and is.
func lived[M interface {
	proto.Message
	GetAjoId() string
}](tell func(f *folding, m M, was, is ajo.Ajo),
) engine.Handler[*folding] {
	return engine.On(func(f *folding, e engine.Event, m M) {
		id := m.GetAjoId()
		was := f.lives.states[id]
		is := f.lives.evolve(e, m, id)
		f.lives.changed[id] = true
		if tell != nil {
			tell(f, m, was, is)
		}
	})
}

// tellAll tells some people, each once, but not some.
func (f *folding) tellAll(n note, users []string, but ...string) {
	users = slices.Clone(users)
	slices.Sort(users)
	for _, user := range slices.Compact(users) {
		if user != "" && !slices.Contains(but, user) {
			n.user = user
			f.say(n)
		}
	}
}

// holders are who holds a seat.
func holders(a ajo.Ajo, seat int) []string {
	if seat < 1 || seat > len(a.Seats) {
		return nil
	}
	return a.Seats[seat-1].Users()
}

// next tells whose turn a cycle is.
func (f *folding) next(id string, a ajo.Ajo, cycle int) {
	if cycle >= 1 && cycle <= len(a.Order) {
		f.tellAll(note{typ: AjoTurnNext, subject: id, detail: fmt.Sprint(cycle)}, holders(a, a.Order[cycle-1]))
	}
}

// lifeHandlers tell of who takes part, and in which order.
var lifeHandlers = []engine.Handler[*folding]{
	lived[*nairav1.AjoCreated](nil), lived[*nairav1.AjoTermsAccepted](nil), lived[*nairav1.AjoSeatTaken](nil), lived[*nairav1.AjoPlaceTaken](nil),
	lived[*nairav1.AjoPlaceKept](nil), lived[*nairav1.AjoListClosed](nil), lived[*nairav1.AjoPaused](nil), lived[*nairav1.AjoResumed](nil),
	lived[*nairav1.AjoPastTold](nil), lived[*nairav1.AjoCancelled](nil),
	lived(func(f *folding, m *nairav1.AjoTermsChanged, _, is ajo.Ajo) {
		n := note{typ: AjoTermsChanged, about: is.Owner, subject: m.GetAjoId(), detail: m.GetAcceptBy().AsTime().Format(time.RFC3339)}
		f.tellAll(n, is.Members(), is.Owner)
	}),
	lived(func(f *folding, m *nairav1.AjoSeatFreed, _, is ajo.Ajo) {
		if m.GetReason() == "left" || len(is.SeatsOf(m.GetUserId())) > 0 {
			return
		}
		n := note{typ: AjoTermsChanged, user: m.GetUserId(), subject: m.GetAjoId(), detail: Released}
		if m.GetReason() == "cancelled" {
			n.typ, n.detail = AjoTerminated, Cancelled
		}
		f.say(n)
	}),
	lived(func(f *folding, m *nairav1.AjoOrderDrawn, was, _ ajo.Ajo) {
		f.tellAll(note{typ: AjoOrderDrawn, subject: m.GetAjoId()}, was.Members())
	}),
	lived(func(f *folding, m *nairav1.AjoStarted, _, is ajo.Ajo) {
		f.tellAll(note{typ: AjoStarted, subject: m.GetAjoId(), detail: m.GetFirstDue()}, is.Members())
		f.next(m.GetAjoId(), is, int(m.GetFirstCycle()))
	}),
	lived(func(f *folding, m *nairav1.AjoTurnsChanged, _, is ajo.Ajo) {
		swapped := m.GetReason() == nairav1.AjoTurnReason_AJO_TURN_REASON_SWAPPED
		if swapped && !is.Over() && slices.Contains(m.GetSeats(), int32(is.Order[is.Last()])) {
			f.next(m.GetAjoId(), is, is.Current())
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoSwapProposed) {
		a := f.lives.states[m.GetAjoId()]
		n := note{typ: AjoSwapRequested, about: m.GetProposedBy(), subject: m.GetAjoId(), detail: fmt.Sprint(m.GetSeat(), " ", m.GetWithSeat())}
		f.tellAll(n, slices.Concat(holders(a, int(m.GetSeat())), holders(a, int(m.GetWithSeat())), []string{a.Owner}), m.GetProposedBy())
	}),
	lived(func(f *folding, m *nairav1.AjoPlaceOpened, _, is ajo.Ajo) {
		seat := fmt.Sprint(m.GetSeat())
		if m.GetExpelled() {
			f.say(note{typ: AjoExpelled, user: m.GetUserId(), subject: m.GetAjoId(), detail: seat})
		}
		f.tellAll(note{typ: AjoPlaceOpened, about: m.GetUserId(), subject: m.GetAjoId(), detail: seat}, is.Members(), m.GetUserId())
	}),
	lived(func(f *folding, m *nairav1.AjoSeatFrozen, _, is ajo.Ajo) {
		told := is.Members()
		if is.Status == ajo.Terminated { // Everybody is told of that.
			told = holders(is, int(m.GetSeat()))
		}
		f.tellAll(note{typ: AjoFrozen, subject: m.GetAjoId(), detail: fmt.Sprint(m.GetSeat())}, told)
	}),
	lived(func(f *folding, m *nairav1.AjoTerminated, _, is ajo.Ajo) {
		f.tellAll(note{typ: AjoTerminated, subject: m.GetAjoId()}, is.Members())
	}),
	lived(func(f *folding, m *nairav1.AjoCompleted, _, is ajo.Ajo) {
		f.tellAll(note{typ: AjoCompleted, subject: m.GetAjoId()}, is.Members())
	}),
}
