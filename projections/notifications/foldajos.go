package notifications

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/event"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/notifications/told"
	"adashi.ng/projections/query"
)

// The details of notifications about rotating savings.
const (
	Owes       = "OWES"
	Owed       = "OWED"
	Forgiven   = "FORGIVEN"
	Taken      = "TAKEN"
	Discount   = "DISCOUNT"
	Released   = "RELEASED"
	Commission = "COMMISSION"
	Sold       = "SOLD"
	OwnersPot  = "OWNERS"   // The owner collects it.
	EndedEarly = "ENDED"    // For a seat whose ajo was voted to end.
	Deposits   = "DEPOSITS" // The ajo took deposits.
)

// lives are the current states of the ajos in a batch, which hold the people to notify.
type lives struct {
	states  map[string]ajo.Ajo
	changed map[string]bool // Changed by more than pots being made ready.
	pots    pots
}

// pots are the pots that a batch makes ready.
type pots struct {
	ajos           []string
	cycles, seats  []int32
	kobo, missings []int64
}

// ajoTable are the events that notify about ajos.
var ajoTable = engine.Handlers(slices.Concat(placeHandlers, lifeHandlers, potHandlers)...)

// livesOf reads the batch's ajos as they were before it.
func livesOf(ctx context.Context, tx pgx.Tx, events []engine.Event) (*lives, error) {
	l := &lives{states: map[string]ajo.Ajo{}, changed: map[string]bool{}}
	var asked []string // Those for which the ready pots matter.
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

// heard is the part of an ajo's state that is needed to notify its members: the holders of places, the turns, how turns
// are settled, and whether it took deposits. Most of the state is how it was drawn and which terms its members
// accepted.
func heard(a ajo.Ajo) ajo.Ajo {
	kept := ajo.Ajo{
		Status: a.Status, Owner: a.Owner, Validator: a.Validator, Past: a.Past, Order: a.Order, Seats: make([]ajo.Seat, len(a.Seats)),
		Terms: &nairav1.AjoTerms{Order: a.Terms.GetOrder(), Deposits: a.Terms.GetDeposits()},
	}
	for i, s := range a.Seats {
		for _, p := range s.Places {
			kept.Seats[i].Places = append(kept.Seats[i].Places, ajo.Place{User: p.User, Halves: p.Halves})
		}
	}
	return kept
}

// readied notes that a pot is ready, and answers the ajo after that.
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

// lived is the handler of an event of an ajo's own stream: it folds the event, and notifies people by the new state.
func lived[M interface {
	proto.Message
	GetAjoId() string
}](tell func(f *folding, m M, is ajo.Ajo),
) engine.Handler[*folding] {
	return engine.On(func(f *folding, e engine.Event, m M) {
		id := m.GetAjoId()
		is := f.lives.evolve(e, m, id)
		f.lives.changed[id] = true
		if tell != nil {
			tell(f, m, is)
		}
	})
}

// holders are the holders of a seat.
func holders(a ajo.Ajo, seat int) []string {
	if seat < 1 || seat > len(a.Seats) {
		return nil
	}
	return a.Seats[seat-1].Users()
}

// next notifies the next collector. If turns are voted or bid for, that follows once the pot is ready.
func (f *folding) next(id string, a ajo.Ajo, cycle int) {
	switch a.Terms.GetOrder() {
	case nairav1.AjoOrder_AJO_ORDER_NEED, nairav1.AjoOrder_AJO_ORDER_BIDDING:
		return
	}
	if cycle >= 1 && cycle <= len(a.Order) {
		f.tell(note{typ: told.AjoTurnNext, subject: id, detail: fmt.Sprint(cycle), seats: a.Order[cycle-1 : cycle]})
	}
}

// placeHandlers keep track of the members.
var placeHandlers = []engine.Handler[*folding]{
	lived[*nairav1.AjoCreated](nil), lived[*nairav1.AjoTermsAccepted](nil), lived[*nairav1.AjoSeatTakenV2](nil),
	lived[*nairav1.AjoPlaceKept](nil), lived[*nairav1.AjoListClosedV2](nil), lived[*nairav1.AjoResumed](nil),
	lived[*nairav1.AjoPastTold](nil), lived[*nairav1.AjoCancelled](nil),
}

// lifeHandlers notify people of changes of the members and of the order.
var lifeHandlers = []engine.Handler[*folding]{
	lived(func(f *folding, m *nairav1.AjoTermsChanged, is ajo.Ajo) {
		f.tell(note{typ: told.AjoTermsChanged, about: is.Owner, subject: m.GetAjoId(), detail: m.GetAcceptBy().AsTime().Format(time.RFC3339)})
	}),
	lived(func(f *folding, m *nairav1.AjoSeatFreed, is ajo.Ajo) {
		if m.GetReason() == "left" || m.GetReason() == "closed" || m.GetReason() == "stolen" || len(is.SeatsOf(m.GetUserId())) > 0 {
			return
		}
		n := note{typ: told.AjoTermsChanged, subject: m.GetAjoId(), detail: Released}
		if m.GetReason() == "cancelled" {
			n.typ, n.detail = told.AjoTerminated, deposits(Cancelled, is)
		}
		f.tell(n)
	}),
	lived(func(f *folding, m *nairav1.AjoOrderDrawn, _ ajo.Ajo) {
		f.tell(note{typ: told.AjoOrderDrawn, subject: m.GetAjoId()})
	}),
	lived(func(f *folding, m *nairav1.AjoStarted, is ajo.Ajo) {
		f.tell(note{typ: told.AjoStarted, subject: m.GetAjoId(), detail: m.GetFirstDue()})
		f.next(m.GetAjoId(), is, int(m.GetFirstCycle()))
	}),
	lived(func(f *folding, m *nairav1.AjoTurnsChanged, is ajo.Ajo) {
		swapped := m.GetReason() == nairav1.AjoTurnReason_AJO_TURN_REASON_SWAPPED
		if swapped && !is.Over() && slices.Contains(m.GetSeats(), int32(is.Order[is.Last()])) {
			f.next(m.GetAjoId(), is, is.Current())
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoSwapProposed) {
		f.tell(note{
			typ: told.AjoSwapRequested, about: m.GetProposedBy(), subject: m.GetAjoId(), detail: fmt.Sprint(m.GetSeat(), " ", m.GetWithSeat()),
			seats: []int{int(m.GetSeat()), int(m.GetWithSeat())},
		})
	}),
	lived(func(f *folding, m *nairav1.AjoPlaceOpened, is ajo.Ajo) {
		seat := fmt.Sprint(m.GetSeat())
		if m.GetExpelled() {
			f.tell(note{typ: told.AjoExpelled, subject: m.GetAjoId(), detail: seat})
		}
		f.tell(note{typ: told.AjoPlaceOpened, about: m.GetUserId(), subject: m.GetAjoId(), detail: seat})
	}),
	lived(func(f *folding, m *nairav1.AjoPlaceTaken, _ ajo.Ajo) {
		n := note{typ: told.AjoPlaceTaken, about: m.GetToUserId(), subject: m.GetAjoId(), detail: fmt.Sprint(m.GetSeat())}
		sold := n
		sold.kobo, sold.detail = m.GetPriceKobo(), because(n.detail, Sold)
		f.tellOnly(sold, told.FromUser)
		f.tellOnly(n, told.AjoMembers)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoMotionMade) {
		kind := strings.TrimPrefix(m.GetKind().String(), "AJO_MOTION_KIND_")
		f.tell(note{typ: told.AjoMotionMade, about: m.GetMadeBy(), subject: m.GetAjoId(), detail: kind})
	}),
	lived(func(f *folding, m *nairav1.AjoPaused, _ ajo.Ajo) {
		f.tell(note{typ: told.AjoPaused, subject: m.GetAjoId(), detail: fmt.Sprint(m.GetFromCycle())})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoOfficesPassed) {
		id := m.GetAjoId()
		was := f.lives.states[id]
		f.lives.evolve(e, m, id)
		f.lives.changed[id] = true
		n := note{typ: told.AjoOfficesPassed, about: m.GetOwnerId(), subject: id}
		if was.Owner == m.GetOwnerId() {
			n.about, n.detail = m.GetValidatorId(), NewValidator
		}
		f.tell(n)
	}),
	lived(func(f *folding, m *nairav1.AjoSeatFrozen, is ajo.Ajo) {
		to, detail := told.AjoMembers, fmt.Sprint(m.GetSeat())
		if is.Status == ajo.Terminated { // Everybody gets that notice.
			to, detail = told.SeatHolders, because(detail, EndedEarly)
		}
		f.tellOnly(note{typ: told.AjoFrozen, subject: m.GetAjoId(), detail: detail, seats: []int{int(m.GetSeat())}}, to)
	}),
	lived(func(f *folding, m *nairav1.AjoTerminated, is ajo.Ajo) {
		f.tell(note{typ: told.AjoTerminated, subject: m.GetAjoId()})
	}),
	lived(func(f *folding, m *nairav1.AjoCompleted, is ajo.Ajo) {
		f.tell(note{typ: told.AjoCompleted, subject: m.GetAjoId(), detail: deposits("", is)})
	}),
}

// deposits adds to a detail that the ajo took deposits.
func deposits(detail string, a ajo.Ajo) string {
	if a.Terms.GetDeposits() == 0 {
		return detail
	}
	return strings.TrimSpace(because(detail, Deposits))
}
