package disputes

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	rules "adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/history"
)

// Check compares holds on sub-accounts with the disputes that hold them, each opening of the time machine with a case
// that was open, and each adjustment and waived penalty with the applied correction that it names. It compares each
// answer to a card's bank with who gave it and who agreed.
func Check(pool *pgxpool.Pool) audit.More {
	return audit.More{
		Name: "disputes", Rule: "money is held by open disputes alone, nobody replays outside an open case, only applied corrections adjust or waive, and two people agree where the bank of a card gives money back",
		Run: func(ctx context.Context, c *audit.Check) error {
			v := verifying{check: c, cases: map[string]*standing{}, byNumber: map[string]string{}, held: map[held]int64{}, plans: map[string]*plan{}, cards: map[string]bool{}, told: map[string]*answering{}, applied: map[string][16]byte{}}
			err := pool.QueryRow(ctx, "SELECT pos > 1, command FROM events ORDER BY pos LIMIT 1").Scan(&v.archived, &v.first)
			if err != nil && !errors.Is(err, pgx.ErrNoRows) {
				return err
			}
			if err := history.EachOf(ctx, pool, looked, v.see); err != nil {
				return err
			}
			v.end()
			return nil
		},
	}
}

var looked = func() (types []string) {
	for _, m := range []proto.Message{
		&nairav1.DisputeOpened{}, &nairav1.CardDisputeTold{}, &nairav1.CardDisputeEnded{}, &nairav1.DisputeResolved{}, &nairav1.DisputeReopened{}, &nairav1.DisputeWithdrawn{},
		&nairav1.DisputedMoneyHeld{}, &nairav1.DisputedMoneyFreed{}, &nairav1.StaffActed{},
		&nairav1.CorrectionProposedV2{}, &nairav1.CorrectionApplied{}, &nairav1.AdjustmentPosted{}, &nairav1.PenaltyWaived{}, &nairav1.AjoPenaltyWaived{},
		&nairav1.CardAnswerGiven{}, &nairav1.CardAnswerAgreed{}, &nairav1.CardAnswerSent{}, &nairav1.CardAnswerTaken{},
	} {
		types = append(types, event.TypeOf(m))
	}
	return types
}()

// standing says whether a dispute is open or when it ended, and its subject: its member, group and ajo.
type standing struct {
	open  bool
	ended time.Time
	about []string
}

// held is a dispute's hold, and its stream.
type held struct{ stream, dispute string }

type verifying struct {
	check    *audit.Check
	cases    map[string]*standing
	byNumber map[string]string
	held     map[held]int64 // The positions at which it was held.
	plans    map[string]*plan
	cards    map[string]bool // The disputes of the banks of cards.
	told     map[string]*answering
	archived bool                // Whether the first events are archived: then it does not judge cases that began there.
	first    [16]byte            // The command of the first event that is not archived.
	applied  map[string][16]byte // The commands that applied corrections, by plan.
}

// grace is how long after the end of a case a look at it may be recorded: the request came before.
const grace = time.Minute

func (v *verifying) see(r *event.Record, m proto.Message) error {
	v.check.Looked++
	switch m := m.(type) {
	case *nairav1.DisputeOpened:
		v.opens(m.GetDisputeId(), m.GetUserId(), m.GetGroupId(), m.GetAjoId())
	case *nairav1.CardDisputeTold:
		v.cards[m.GetDisputeId()] = true
		v.opens(m.GetDisputeId(), m.GetUserId())
	case *nairav1.DisputeReopened:
		v.opens(m.GetDisputeId(), v.about(m.GetDisputeId())...)
	case *nairav1.DisputeResolved:
		v.ends(m.GetDisputeId(), r)
	case *nairav1.DisputeWithdrawn:
		v.ends(m.GetDisputeId(), r)
	case *nairav1.CardDisputeEnded:
		v.ends(m.GetDisputeId(), r)
	case *nairav1.DisputedMoneyHeld:
		if !v.isOpen(m.GetDisputeId()) {
			v.check.Violate(r.Pos, r.Stream, "%d kobo are held by the dispute %s, which is not open", m.GetAmountKobo(), m.GetDisputeId())
		}
		v.held[held{r.Stream, m.GetDisputeId()}] = r.Pos
	case *nairav1.DisputedMoneyFreed:
		if _, is := v.held[held{r.Stream, m.GetDisputeId()}]; !is && !v.archived {
			v.check.Violate(r.Pos, r.Stream, "what the dispute %s did not hold is freed", m.GetDisputeId())
		}
		delete(v.held, held{r.Stream, m.GetDisputeId()})
	case *nairav1.StaffActed:
		v.acted(m, r)
	case *nairav1.CardAnswerGiven, *nairav1.CardAnswerAgreed, *nairav1.CardAnswerSent, *nairav1.CardAnswerTaken:
		v.answers(m, r)
	default:
		v.corrects(m, r)
	}
	return nil
}

func (v *verifying) isOpen(id string) bool {
	at := v.cases[id]
	return at == nil && v.archived || at != nil && at.open
}

func (v *verifying) opens(id string, about ...string) {
	v.cases[id], v.byNumber[rules.Number(id)] = &standing{open: true, about: about}, id
}

// about returns the subject of a dispute; nothing when its beginning is archived.
func (v *verifying) about(id string) []string {
	if at := v.cases[id]; at != nil {
		return at.about
	}
	return nil
}

func (v *verifying) ends(id string, r *event.Record) {
	if at := v.cases[id]; at != nil && at.open {
		at.open, at.ended = false, r.RecordedAt
	}
}

// acted checks what a colleague of Adashi looked at. The time machine names its case by its number, and the member.
func (v *verifying) acted(m *nairav1.StaffActed, r *event.Record) {
	if a := m.GetAction(); a != nairav1.StaffAction_STAFF_ACTION_READ_MOVEMENTS && a != nairav1.StaffAction_STAFF_ACTION_READ_GROUP {
		return
	}
	at := v.cases[v.byNumber[m.GetCaseId()]]
	if at == nil && !v.archived || at != nil && !at.open && r.RecordedAt.After(at.ended.Add(grace)) {
		v.check.Violate(r.Pos, r.Stream, "%s was replayed outside an open case: %q", m.GetSubject(), m.GetCaseId())
	} else if at != nil && at.about != nil && !slices.Contains(at.about, m.GetSubject()) {
		v.check.Violate(r.Pos, r.Stream, "%s was replayed in a case that is about somebody else: %q", m.GetSubject(), m.GetCaseId())
	}
}

// end checks that only open disputes still hold money.
func (v *verifying) end() {
	for _, h := range slices.SortedFunc(maps.Keys(v.held), func(a, b held) int { return int(v.held[a] - v.held[b]) }) {
		if !v.isOpen(h.dispute) {
			v.check.Violate(v.held[h], h.stream, "the dispute %s is over and still holds money", h.dispute)
		}
	}
}
