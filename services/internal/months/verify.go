package months

import (
	"context"
	"encoding/hex"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/domain/sampling"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/history"
)

// Check compares each closed month with the ledger: its list contains all its payments, its sample follows from the
// list and the round, and the attestation equals the payments' marks.
func Check(pool *pgxpool.Pool) audit.More {
	return audit.More{
		Name: "closed months", Rule: "a list is every payment of its month, a sample follows from list and round, and what is attested is what was marked, signed by a device of whoever attests",
		Run: func(ctx context.Context, c *audit.Check) error {
			v := verifying{check: c, places: map[string]*books{}, keys: keys{by: map[holder]*held{}, serves: map[string]string{}}, odd: noOddities()}
			if err := pool.QueryRow(ctx, "SELECT coalesce(min(pos), 1), coalesce(min(recorded_at), 'epoch') FROM events").Scan(&v.first, &v.began); err != nil {
				return err
			}
			for _, types := range [][]string{typesOf(closing), typesOf(closing, payments, marking, devices, unusual, calendars)} { // First the places with closed months, and then all these events.
				if err := v.read(ctx, pool, types); err != nil {
					return err
				}
				v.whole = true
				if len(v.places) == 0 {
					return nil
				}
			}
			return nil
		},
	}
}

var (
	closing  = []proto.Message{&nairav1.MonthSampleNamed{}, &nairav1.SampleDrawn{}, &nairav1.PeriodAttested{}, &nairav1.PeriodAttestedV2{}}
	payments = []proto.Message{
		&nairav1.ContributionReceived{}, &nairav1.ContributionReversed{}, &nairav1.ContributionCovered{}, &nairav1.LiquidationPaid{}, &nairav1.LiquidationPaidV2{},
		&nairav1.LiquidationReversedV3{},
		&nairav1.AjoContributed{}, &nairav1.AjoContributionReturned{}, &nairav1.AjoPaid{},
	}
)

func typesOf(lists ...[]proto.Message) (types []string) {
	for _, list := range lists {
		for _, m := range list {
			types = append(types, event.TypeOf(m))
		}
	}
	return types
}

// paid is a payment, its marks by position, and the position where it was taken back.
type paid struct {
	pos    int64
	at     time.Time
	id     uuid.UUID
	marks  []marked
	due    due   // Of an ajo; otherwise empty.
	undone int64 // 0 where it was not.
}

// taken records where a payment was first taken back.
func (p *paid) taken(pos int64) {
	if p.undone == 0 {
		p.undone = pos
	}
}

type marked struct {
	pos  int64
	mark nairav1.Mark
}

// markedAt returns its mark as of a position.
func (p *paid) markedAt(pos int64) (mark nairav1.Mark) {
	for _, m := range p.marks {
		if m.pos <= pos {
			mark = m.mark
		}
	}
	return mark
}

// books are the payments of a group or ajo by position, and its latest sealed list.
type books struct {
	payments []*paid
	by       map[uuid.UUID]*paid
	dues     map[due][]*paid // Of an ajo.
	calendar calendar        // Of an ajo.
	state    sampling.Months
	list     sampling.List
	unknown  bool // Some of the list may be archived: then we do not judge it.
}

type verifying struct {
	check  *audit.Check
	places map[string]*books
	keys   keys
	odd    oddities
	whole  bool // Payments are read too.
	first  int64
	began  time.Time // When the first event that is not archived was recorded.
}

func (v *verifying) read(ctx context.Context, pool *pgxpool.Pool, types []string) error {
	return history.EachOf(ctx, pool, types, func(r *event.Record, m proto.Message) error {
		if named, is := m.(*nairav1.MonthSampleNamed); is && !v.whole {
			v.places[placeOf(named).ID()] = &books{by: map[uuid.UUID]*paid{}, dues: map[due][]*paid{}}
		}
		if v.whole {
			v.see(r, m)
		}
		return nil
	})
}

func placeOf(m interface {
	GetGroupId() string
	GetAjoId() string
},
) sampling.Place {
	return sampling.Place{Group: m.GetGroupId(), Ajo: m.GetAjoId()}
}

func (v *verifying) see(r *event.Record, m proto.Message) {
	if v.concerns(m) {
		v.odd.see(r, m)
	}
	switch m := m.(type) {
	case *nairav1.MonthSampleNamed:
		v.named(r, m)
	case *nairav1.SampleDrawn:
		v.drawn(r, m)
	case *nairav1.PeriodAttestedV2:
		v.attested(r, m)
	case *nairav1.AttestKeyRegistered, *nairav1.AttestKeyRevoked, *nairav1.WitnessKeyRegistered:
		v.key(r, m)
	case interface {
		GetEventId() string
		GetPosition() int64
		GetMarkedBy() string
	}:
		v.marked(r, m)
	case *nairav1.AjoCreated, *nairav1.AjoTermsChanged, *nairav1.AjoStarted, *nairav1.AjoPaused:
		v.dated(r, m)
	default:
		v.paid(r, m)
	}
}

// concerns reports whether an event may belong to a place with a closed month. Only for those places does verify
// remember payment habits.
func (v *verifying) concerns(m proto.Message) bool {
	of, is := m.(interface{ GetGroupId() string })
	return !is || v.places[of.GetGroupId()] != nil
}

func (v *verifying) paid(r *event.Record, m proto.Message) {
	id := ""
	if p, is := reviews.PaymentOf(*r); is {
		id = p.Group
	} else if p, is := reviews.AjoPaymentOf(*r); is {
		id = p.Ajo
	}
	if b := v.places[id]; b != nil {
		p := &paid{pos: r.Pos, at: r.EffectiveAt, id: r.ID()}
		b.payments, b.by[p.id] = append(b.payments, p), p
		v.paysAjo(r, b, p, m)
		if back, is := m.(*nairav1.ContributionReversed); is {
			if of, err := uuid.Parse(back.GetEventId()); err == nil && b.by[of] != nil {
				b.by[of].taken(r.Pos)
			}
		}
	}
}

func (v *verifying) marked(r *event.Record, m interface{ GetEventId() string }) {
	mark := nairav1.Mark_MARK_UNSPECIFIED
	if said, is := m.(interface{ GetMark() nairav1.Mark }); is {
		mark = said.GetMark()
	}
	id, _ := uuid.Parse(m.GetEventId())
	for _, b := range v.places {
		if p := b.by[id]; p != nil {
			p.marks = append(p.marks, marked{r.Pos, mark})
		}
	}
}

// named compares a list with the payments of its month.
func (v *verifying) named(r *event.Record, m *nairav1.MonthSampleNamed) {
	b := v.places[placeOf(m).ID()]
	next := func() { b.state, _ = sampling.Aggregate.Evolve(b.state, happened(r, m)).(sampling.Months) }
	// A payment is never recorded before it counts.
	if b.unknown = v.first > 1 && (b.state.Last == "" || m.GetSince().AsTime().Before(v.began) || m.GetToldLateAfter() < v.first-1); b.unknown {
		next()
		return
	}
	v.check.Looked++
	since, late, err := b.state.Begins(m.GetMonth(), m.GetPosition())
	if err != nil || !since.Equal(m.GetSince().AsTime()) || late != m.GetToldLateAfter() || m.GetPosition() >= r.Pos || m.GetPosition() < b.state.Position {
		v.check.Violate(r.Pos, r.Stream, "the list of %s does not begin where the one before ended", m.GetMonth())
	}
	// The start of a list may be backdated, as the demo's is, which a test's beacon draws.
	test := m.GetChainHash() != hex.EncodeToString(draw.Quicknet.Chain[:])
	if !m.GetDrawAt().AsTime().After(r.RecordedAt) && (!test || !m.GetDrawAt().AsTime().After(r.EffectiveAt)) {
		v.check.Violate(r.Pos, r.Stream, "the round that draws %s had come when it was named", m.GetMonth())
	}
	b.list = sampling.List{Month: m.GetMonth(), Position: m.GetPosition(), Since: m.GetSince().AsTime(), ToldLateAfter: m.GetToldLateAfter()}
	for _, p := range b.payments {
		if b.list.Holds(p.pos, p.at) {
			b.list.Items = append(b.list.Items, sampling.Item{Pos: p.pos, At: p.at, Always: slices.Contains(m.GetAlways(), p.pos)})
		}
	}
	sealed, err := b.list.Seal(placeOf(m).ID())
	switch {
	case err != nil:
		v.check.Violate(r.Pos, r.Stream, "the list of %s cannot be sealed: %v", m.GetMonth(), err)
	case !slices.Equal(sealed.Digest[:], m.GetDigest()) || sealed.Population != int(m.GetPopulation()) || len(sealed.Always) != len(m.GetAlways()):
		v.check.Violate(r.Pos, r.Stream, "the list of %s is not the %d payments of the month", m.GetMonth(), sealed.Population)
	}
	v.always(r, b, m)
	next()
}

func happened(r *event.Record, m proto.Message) event.Happened {
	return event.Happened{Message: m, EffectiveAt: r.EffectiveAt, RecordedAt: r.RecordedAt}
}

// drawn compares a sample with its list and round.
func (v *verifying) drawn(r *event.Record, m *nairav1.SampleDrawn) {
	v.check.Looked++
	b := v.places[placeOf(m).ID()]
	if v.first > 1 && (b == nil || b.unknown || b.state.Last == "") {
		return
	}
	if b == nil || b.state.Open == nil || b.state.Last != m.GetMonth() {
		v.check.Violate(r.Pos, r.Stream, "the sample of %s has no list", m.GetMonth())
		return
	}
	seed, ranks := b.state.Open.Ranks(m.GetSignature())
	sample := b.list.Sample(ranks)
	ids := make([]uuid.UUID, 0, len(m.GetEventUuids()))
	for _, id := range m.GetEventUuids() {
		read, _ := uuid.FromBytes(id)
		ids = append(ids, read)
	}
	if chain := hex.EncodeToString(draw.Quicknet.Chain[:]); b.state.Open.Chain == chain && draw.Quicknet.Verify(m.GetRound(), m.GetSignature()) != nil {
		v.check.Violate(r.Pos, r.Stream, "the sample of %s is not drawn by the beacon", m.GetMonth())
	}
	right := slices.Equal(seed[:], m.GetSeed()) && m.GetRound() == b.state.Open.Round && slices.Equal(sample, m.GetPositions()) && len(ids) == len(sample)
	for i := 0; right && i < len(sample); i++ {
		p := b.by[ids[i]]
		right = p != nil && p.pos == sample[i]
	}
	if !right {
		v.check.Violate(r.Pos, r.Stream, "the sample of %s does not follow from its list and the round %d", m.GetMonth(), m.GetRound())
	}
	b.state, _ = sampling.Aggregate.Evolve(b.state, happened(r, m)).(sampling.Months)
}

// attested compares an attestation with the payments' marks.
func (v *verifying) attested(r *event.Record, m *nairav1.PeriodAttestedV2) {
	v.check.Looked++
	b := v.places[placeOf(m).ID()]
	if v.first > 1 && (b == nil || b.unknown || b.state.Last == "") {
		return
	}
	if b == nil || b.state.Open == nil || b.state.Last != m.GetMonth() || m.GetPosition() >= r.Pos {
		v.check.Violate(r.Pos, r.Stream, "%s is attested without a sample", m.GetMonth())
		return
	}
	were, undone := map[nairav1.Mark]int32{}, int32(0)
	for _, p := range b.payments {
		if b.list.Holds(p.pos, p.at) {
			were[p.markedAt(m.GetPosition())]++
			if p.undone > 0 && p.undone <= m.GetPosition() {
				undone++
			}
		}
	}
	if undone != m.GetUndone() {
		v.check.Violate(r.Pos, r.Stream, "of %s %d are attested to be taken back and %d were", m.GetMonth(), m.GetUndone(), undone)
	}
	said := [4]int32{m.GetValidated(), m.GetQueried(), m.GetResolved(), m.GetUnreviewed()}
	if is := [4]int32{were[nairav1.Mark_MARK_VALIDATED], were[nairav1.Mark_MARK_QUERIED], were[nairav1.Mark_MARK_RESOLVED], were[0]}; is != said {
		v.check.Violate(r.Pos, r.Stream, "of %s %v are attested and %v were so (validated, queried, resolved, not looked at)", m.GetMonth(), said, is)
	}
	f, missing := b.state.Open.Findings(func(id uuid.UUID) nairav1.Mark {
		if p := b.by[id]; p != nil {
			return p.markedAt(r.Pos)
		}
		return nairav1.Mark_MARK_UNSPECIFIED
	})
	if missing > 0 || f.DrawnQueried != int(m.GetDrawnQueried()) || f.AlwaysQueried != int(m.GetAlwaysQueried()) || f.Drawn != int(m.GetDrawn()) || f.Always != int(m.GetAlways()) {
		v.check.Violate(r.Pos, r.Stream, "the sample of %s is not marked as it is attested: %d have no mark", m.GetMonth(), missing)
	}
	v.signed(r, b.state, m)
	b.state, _ = sampling.Aggregate.Evolve(b.state, happened(r, m)).(sampling.Months)
}
