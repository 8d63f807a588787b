package notifications

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

// The types about money that leaves groups, and about payments that are audited.
const (
	LiquidationRequested = "liquidation_requested"
	LiquidationValidated = "liquidation_validated"
	LiquidationApproved  = "liquidation_approved"
	LiquidationRejected  = "liquidation_rejected"
	LiquidationPaid      = "liquidation_paid"
	LiquidationFailed    = "liquidation_failed"
	LiquidationOnHold    = "liquidation_on_hold"
	PaymentQueried       = "payment_queried"   // Its subject is the payment.
	QuestionAsked        = "question_asked"    // Likewise.
	QuestionAnswered     = "question_answered" // Likewise; its detail is the ajo, where the payment is one's.
	RecheckAsked         = "recheck_asked"     // Its detail is how many are drawn of how many, and the ajo where it is one's.
	SampleDrawn          = "sample_drawn"      // Its subject is the month; its detail how many, and the ajo where it is one's.
)

// What members are told of a payment of their group begins with one of these; a moment in RFC 3339 or a reason follows.
const (
	MembersNotice = "NOTICE"   // It is asked for, and is paid at the earliest at a moment.
	Objected      = "OBJECTED" // Somebody objects.
	Held          = "HELD"     // It is on hold.
	Answered      = "ANSWERED" // It goes on, and is paid at the earliest at a moment.
	PaidOut       = "PAID_OUT"
	InDispute     = "DISPUTED"   // A member disputes money of the sub-account, until a moment at most.
	NotInDispute  = "UNDISPUTED" // They do not any more.
)

// aboutRequest is an event of a request for a group's money.
type aboutRequest interface {
	GetLiquidationId() string
	GetGroupId() string
}

// request is what is remembered of a request, to tell of what becomes of it.
type request struct {
	group, sub, by, validatedBy string
	kobo                        int64
	shown                       bool // Plain members may know the amount.
}

// desk is what a batch must know to tell of requests and of queries: who asked, and who paid for somebody else.
type desk struct {
	requests map[string]request
	covers   map[int64]string // Who paid, by position.
	batch    *pgx.Batch
}

// deskOf reads what a batch must know.
func deskOf(ctx context.Context, tx pgx.Tx, batch *pgx.Batch, events []engine.Event) (desk, error) {
	d := desk{requests: map[string]request{}, covers: map[int64]string{}, batch: batch}
	var ids []string
	var queried []int64
	for _, e := range events {
		if m, ok := e.Message.(aboutRequest); ok {
			ids = append(ids, m.GetLiquidationId())
		}
		if m, ok := e.Message.(*nairav1.PaymentMarkedV2); ok && m.GetMark() == nairav1.Mark_MARK_QUERIED {
			queried = append(queried, m.GetPosition())
		}
	}
	if err := d.readCovers(ctx, tx, queried); err != nil || len(ids) == 0 {
		return d, err
	}
	rows, err := tx.Query(ctx, "SELECT id, group_id, sub_account_id, requested_by, validated_by, kobo, shown FROM rm_notified_requests WHERE id = ANY($1)", ids)
	if err != nil {
		return d, err
	}
	var (
		id string
		r  request
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &r.group, &r.sub, &r.by, &r.validatedBy, &r.kobo, &r.shown}, func() error { d.requests[id] = r; return nil })
	return d, err
}

func (d desk) readCovers(ctx context.Context, tx pgx.Tx, positions []int64) error {
	if len(positions) == 0 {
		return nil
	}
	rows, err := tx.Query(ctx, "SELECT pos, paid_by FROM rm_notified_covers WHERE pos = ANY($1)", positions)
	if err != nil {
		return err
	}
	var (
		pos    int64
		paidBy string
	)
	_, err = pgx.ForEachRow(rows, []any{&pos, &paidBy}, func() error { d.covers[pos] = paidBy; return nil })
	return err
}

// about tells some of what became of a request, each once.
func (f *folding) about(id, typ, detail string, to ...string) {
	r := f.requests[id]
	f.say(notesTo(note{typ: typ, about: r.by, group: r.group, sub: r.sub, kobo: r.kobo, detail: detail, subject: id}, to...)...)
}

// auditor and owner are those of a request's group.
func (f *folding) auditor(r request) string { return f.holder(r.group, validator) }

func (f *folding) owner(r request) string { return f.holder(r.group, owner) }

// asked are the approvers of a request's group who did not ask for it.
func (f *folding) asked(r request) []string {
	return slices.DeleteFunc(f.approvers(r.group), func(user string) bool { return user == r.by })
}

// begin remembers who asks for money, and tells those whose turn it is.
func (f *folding) begin(m newRequest) {
	id := m.GetLiquidationId()
	r := request{group: m.GetGroupId(), sub: m.GetSubAccountId(), by: m.GetRequestedBy(), kobo: m.GetAmountKobo()}
	f.requests[id] = r
	f.desk.batch.Queue("INSERT INTO rm_notified_requests (id, group_id, sub_account_id, requested_by, validated_by, kobo) VALUES ($1, $2, $3, $4, '', $5)",
		id, r.group, r.sub, r.by, r.kobo)
	if f.auditor(r) == r.by {
		f.about(id, LiquidationRequested, "", f.asked(r)...)
		return
	}
	f.about(id, LiquidationRequested, "", slices.DeleteFunc([]string{f.auditor(r), f.owner(r)}, func(user string) bool { return user == r.by })...)
}

// disputed tells who asked for a payout and the group's officials of what a member disputes.
func (f *folding) disputed(m aboutRequest, detail, member string) {
	r := f.requests[m.GetLiquidationId()]
	told := append(f.asked(r), r.by, f.auditor(r), f.owner(r))
	f.about(m.GetLiquidationId(), LiquidationOnHold, detail, slices.DeleteFunc(told, func(user string) bool { return user == member })...)
}

// ended tells who asked that nothing is paid.
func (f *folding) ended(m aboutRequest, why string) {
	f.about(m.GetLiquidationId(), LiquidationRejected, why, f.requests[m.GetLiquidationId()].by)
}

// failed tells the approvers and who asked that money did not arrive.
func (f *folding) failed(m aboutRequest, why string) {
	r := f.requests[m.GetLiquidationId()]
	f.about(m.GetLiquidationId(), LiquidationFailed, why, append(f.asked(r), r.by)...)
}

// answered tells who asked about a payment that its member answered.
func (f *folding) answered(m interface {
	GetToUserId() string
	GetUserId() string
	GetGroupId() string
	GetAjoId() string
	GetEventId() string
},
) {
	f.say(note{typ: QuestionAnswered, user: m.GetToUserId(), about: m.GetUserId(), group: m.GetGroupId(), subject: m.GetEventId(), detail: m.GetAjoId()})
}

// requestHandlers follow requests for groups' money, and the marks of auditors.
var requestHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PaymentMarkedV2) {
		if m.GetMark() != nairav1.Mark_MARK_QUERIED {
			return
		}
		told := []string{m.GetUserId()}
		if paidBy := f.covers[m.GetPosition()]; paidBy != "" {
			told = append(told, paidBy)
		}
		f.say(notesTo(note{typ: PaymentQueried, about: m.GetMarkedBy(), group: m.GetGroupId(), sub: m.GetSubAccountId(), subject: m.GetEventId(), detail: m.GetReason()}, told...)...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.QuestionAsked) {
		f.say(note{typ: QuestionAsked, user: m.GetUserId(), about: m.GetBy(), group: m.GetGroupId(), subject: m.GetEventId()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.QuestionAnswered) { f.answered(m) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.QuestionFileAdded) { f.answered(m) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SampleDrawn) {
		f.say(note{typ: SampleDrawn, user: m.GetToUserId(), about: m.GetToUserId(), group: m.GetGroupId(), subject: m.GetMonth(), detail: fmt.Sprintf("%d %s", len(m.GetPositions()), m.GetAjoId())})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.RecheckAsked) {
		if m.GetNumber() == 1 { // Once for all that were drawn together.
			f.say(note{typ: RecheckAsked, user: m.GetToUserId(), about: m.GetMarkedBy(), group: m.GetGroupId(), detail: fmt.Sprintf("%d %d %s", m.GetDrawn(), m.GetValidated(), m.GetAjoId())})
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationRequestedV2) { f.begin(m) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationAskedV2) { f.begin(m) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationValidated) {
		id := m.GetLiquidationId()
		r := f.requests[id]
		r.validatedBy = m.GetValidatedBy()
		f.requests[id] = r
		f.desk.batch.Queue("UPDATE rm_notified_requests SET validated_by = $2 WHERE id = $1", id, r.validatedBy)
		f.about(id, LiquidationValidated, "", append(slices.DeleteFunc(f.asked(r), func(user string) bool { return user == r.validatedBy }), r.by)...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationApproved) {
		if m.GetApprovals() >= m.GetNeeded() {
			f.about(m.GetLiquidationId(), LiquidationApproved, "", f.requests[m.GetLiquidationId()].by)
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationRejected) { f.ended(m, m.GetReason()) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationExpired) {
		f.ended(m, "It was not approved in time.")
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationReleased) { f.ended(m, m.GetReason()) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationPaidV2) {
		id := m.GetLiquidationId()
		r := f.requests[id]
		officials := []string{r.by, f.auditor(r), f.owner(r)}
		f.about(id, LiquidationPaid, "", slices.Clone(officials)...)
		if m.GetKind() == nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT {
			f.everybody(id, LiquidationPaid, PaidOut, officials...)
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationFailed) { f.failed(m, m.GetReason()) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationReversedV2) { f.failed(m, m.GetReason()) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationDecidersFixed) {
		id := m.GetLiquidationId()
		r := f.requests[id]
		if m.GetShown() {
			r.shown = true
			f.requests[id] = r
			f.desk.batch.Queue("UPDATE rm_notified_requests SET shown = true WHERE id = $1", id)
		}
		if m.GetPayableFrom() == nil {
			return
		}
		told := []string{r.by, f.auditor(r), f.owner(r)} // That it is asked for.
		if f.auditor(r) == r.by {
			told = append(told, f.asked(r)...)
		}
		f.everybody(id, LiquidationRequested, because(MembersNotice, moment(m.GetPayableFrom())), told...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationObjected) {
		id := m.GetLiquidationId()
		if m.GetObjections() >= m.GetNeeded() {
			f.everybody(id, LiquidationOnHold, because(Held, m.GetReason()))
			return
		}
		r := f.requests[id]
		f.about(id, LiquidationOnHold, because(Objected, m.GetReason()), append(f.asked(r), r.by)...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationAnswered) {
		if m.GetAnswers() >= m.GetNeeded() {
			f.everybody(m.GetLiquidationId(), LiquidationOnHold, because(Answered, moment(m.GetPayableFrom())+" "+m.GetReason()))
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DisputedMoneyHeld) {
		f.disputed(m, because(InDispute, moment(m.GetUntil())), m.GetUserId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DisputedMoneyFreed) {
		f.disputed(m, NotInDispute, m.GetUserId())
		if m.GetWhy() == nairav1.DisputeHoldEnd_DISPUTE_HOLD_END_EXPIRED {
			f.dispute(DisputeHold, m, "", 0)
		}
	}),
}

// newRequest is a request as it is made.
type newRequest interface {
	aboutRequest
	GetSubAccountId() string
	GetRequestedBy() string
	GetAmountKobo() int64
	GetExpiresAt() *timestamppb.Timestamp
}

// everybody tells a whole group about a payment of it, but not some. Plain members are told the amount only where they
// see what the sub-account holds.
func (f *folding) everybody(id, typ, detail string, but ...string) {
	r := f.requests[id]
	told := f.people.tell(note{typ: typ, about: r.by, group: r.group, sub: r.sub, kobo: r.kobo, detail: detail, subject: id}, everyone, nil, but...)
	for i, n := range told {
		if !r.shown && f.roles[r.group][n.user] != approves {
			told[i].kobo = 0
		}
	}
	f.say(told...)
}

func moment(at *timestamppb.Timestamp) string { return at.AsTime().Format(time.RFC3339) }

// notesTo addresses a notification, once to each.
func notesTo(n note, to ...string) []note {
	var out []note
	slices.Sort(to)
	for _, user := range slices.Compact(to) {
		if user != "" {
			n.user = user
			out = append(out, n)
		}
	}
	return out
}
