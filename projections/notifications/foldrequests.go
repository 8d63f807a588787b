package notifications

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
	"adashi.ng/projections/notifications/told"
)

// The details of a notice about a payment of a member's group begin with one of these; a time in RFC 3339 or a reason
// follows.
const (
	MembersNotice = "NOTICE"   // It is asked for, and may be paid from a time on.
	Objected      = "OBJECTED" // A member objects.
	Held          = "HELD"     // It is on hold.
	Answered      = "ANSWERED" // It continues, and may be paid from a time on.
	PaidOut       = "PAID_OUT"
	NotPaid       = "NOT_PAID"   // It is not paid, with the reason.
	CameBack      = "CAME_BACK"  // The bank returned it, with the reason; also of a withdrawal.
	Waits         = "WAITS"      // It is approved, and may be paid from a time on.
	NeverHeld     = "NEVER_HELD" // It ended before anything was held for it, with the reason.
	InDispute     = "DISPUTED"   // A member disputes money of the sub-account, until a time at most.
	NotInDispute  = "UNDISPUTED" // The dispute is over.
)

// aboutRequest is an event of a request for a group's money.
type aboutRequest interface {
	GetLiquidationId() string
	GetGroupId() string
}

// request is the stored part of a request, for later notices about it.
type request struct {
	group, sub, by string
	kobo           int64
	shown          bool // Plain members may know the amount.
	pays           bool // It is a payment of the group.
	payableFrom    *time.Time
}

// desk is the data for notices about requests and queries: who asked, and who paid for another member.
type desk struct {
	requests map[string]request
	covers   map[int64]string // The payer, by position.
	batch    *pgx.Batch
}

// deskOf reads that data for a batch.
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
	rows, err := tx.Query(ctx, "SELECT id, group_id, sub_account_id, requested_by, kobo, shown, pays, payable_from FROM rm_notified_requests WHERE id = ANY($1)", ids)
	if err != nil {
		return d, err
	}
	var (
		id string
		r  request
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &r.group, &r.sub, &r.by, &r.kobo, &r.shown, &r.pays, &r.payableFrom}, func() error { d.requests[id] = r; return nil })
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

// request is a notification about a request's outcome.
func (f *folding) request(m aboutRequest, typ, detail string) note {
	r := f.requests[m.GetLiquidationId()]
	return note{typ: typ, about: r.by, group: r.group, sub: r.sub, kobo: r.kobo, detail: detail, subject: m.GetLiquidationId()}
}

// everybody notifies a whole group about a payment. Plain members see the amount only if they see the balance of the
// sub-account.
func (f *folding) everybody(m aboutRequest, typ, detail string) {
	n := f.request(m, typ, detail)
	n.hidden = !f.requests[m.GetLiquidationId()].shown
	f.tellOnly(n, told.Everyone)
}

// unpaid notifies the requester that the payment is not made, and everybody else if the group would have paid. The
// event has the amount that is no longer held.
func (f *folding) unpaid(m interface {
	aboutRequest
	GetAmountKobo() int64
}, why string,
) {
	detail := why
	if m.GetAmountKobo() == 0 {
		detail = because(NeverHeld, why)
	}
	f.tellOnly(f.request(m, told.LiquidationRejected, detail), told.Requester)
	f.groupPaysNot(m, why)
}

// groupPaysNot notifies everybody but the requester that a payment of the group is not made.
func (f *folding) groupPaysNot(m aboutRequest, why string) {
	if f.requests[m.GetLiquidationId()].pays {
		f.everybody(m, told.LiquidationRejected, because(NotPaid, why))
	}
}

// begin stores a request for money, and notifies those who must decide next.
func (f *folding) begin(m newRequest, pays bool) {
	id := m.GetLiquidationId()
	r := request{group: m.GetGroupId(), sub: m.GetSubAccountId(), by: m.GetRequestedBy(), kobo: m.GetAmountKobo(), pays: pays}
	f.requests[id] = r
	f.desk.batch.Queue("INSERT INTO rm_notified_requests (id, group_id, sub_account_id, requested_by, kobo, pays) VALUES ($1, $2, $3, $4, $5, $6)",
		id, r.group, r.sub, r.by, r.kobo, pays)
	f.tell(f.request(m, told.LiquidationRequested, ""))
}

// answered notifies the person who asked about a payment that its member answered.
func (f *folding) answered(m interface {
	GetUserId() string
	GetGroupId() string
	GetAjoId() string
	GetEventId() string
},
) {
	f.tell(note{typ: told.QuestionAnswered, about: m.GetUserId(), group: m.GetGroupId(), subject: m.GetEventId(), detail: m.GetAjoId()})
}

// requestHandlers follow requests for groups' money, and the marks of auditors.
var requestHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PaymentMarkedV2) {
		if m.GetMark() == nairav1.Mark_MARK_QUERIED {
			f.tell(note{typ: told.PaymentQueried, about: m.GetMarkedBy(), group: m.GetGroupId(), sub: m.GetSubAccountId(), subject: m.GetEventId(), detail: m.GetReason()})
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.QuestionAskedV2) {
		f.tell(note{typ: told.QuestionAsked, about: m.GetBy(), group: m.GetGroupId(), subject: m.GetEventId()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.QuestionAnswered) { f.answered(m) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.QuestionFileAdded) { f.answered(m) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SampleDrawn) {
		f.tell(note{typ: told.SampleDrawn, about: m.GetToUserId(), group: m.GetGroupId(), subject: m.GetMonth(), detail: fmt.Sprintf("%d %s", len(m.GetPositions()), m.GetAjoId())})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.RecheckAsked) {
		if m.GetNumber() == 1 { // Once for all that were drawn together.
			f.tell(note{typ: told.RecheckAsked, about: m.GetMarkedBy(), group: m.GetGroupId(), detail: fmt.Sprintf("%d %d %s", m.GetDrawn(), m.GetValidated(), m.GetAjoId())})
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationRequestedV2) {
		f.begin(m, m.GetKind() == nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationAskedV2) { f.begin(m, false) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationValidated) {
		f.tell(f.request(m, told.LiquidationValidated, ""))
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationApproved) {
		if m.GetApprovals() < m.GetNeeded() {
			return
		}
		detail := ""
		if from := f.requests[m.GetLiquidationId()].payableFrom; from != nil && from.After(f.event.EffectiveAt) {
			detail = because(Waits, from.UTC().Format(time.RFC3339))
		}
		f.tell(f.request(m, told.LiquidationApproved, detail))
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationRejected) {
		f.unpaid(m, m.GetReason())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationCancelled) {
		f.groupPaysNot(m, "It was called off.")
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationExpired) {
		f.unpaid(m, "It was not approved in time.")
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationReleased) { f.unpaid(m, m.GetReason()) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationPaidV2) {
		f.tellOnly(f.request(m, told.LiquidationPaid, ""), told.RequestedBy, told.Validator, told.GroupOwner)
		if m.GetKind() == nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT {
			f.everybody(m, told.LiquidationPaid, PaidOut)
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationFailed) {
		f.tell(f.request(m, told.LiquidationFailed, m.GetReason()))
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationReversedV3) {
		f.tellOnly(f.request(m, told.LiquidationFailed, because(CameBack, m.GetReason())), told.Approvers, told.Requester, told.Validator, told.GroupOwner)
		if f.requests[m.GetLiquidationId()].pays {
			f.everybody(m, told.LiquidationFailed, because(CameBack, m.GetReason()))
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationDecidersFixed) {
		id := m.GetLiquidationId()
		r := f.requests[id]
		if m.GetShown() {
			r.shown = true
			f.requests[id] = r
			f.desk.batch.Queue("UPDATE rm_notified_requests SET shown = true WHERE id = $1", id)
		}
		if m.GetPayableFrom() != nil {
			f.payable(id, m.GetPayableFrom())
			f.everybody(m, told.LiquidationRequested, because(MembersNotice, moment(m.GetPayableFrom())))
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationObjected) {
		if m.GetObjections() >= m.GetNeeded() {
			f.everybody(m, told.LiquidationOnHold, because(Held, m.GetReason()))
			return
		}
		f.tellOnly(f.request(m, told.LiquidationOnHold, because(Objected, m.GetReason())), told.Approvers, told.Requester)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationAnswered) {
		if m.GetAnswers() >= m.GetNeeded() {
			f.payable(m.GetLiquidationId(), m.GetPayableFrom())
			f.everybody(m, told.LiquidationOnHold, because(Answered, moment(m.GetPayableFrom())+" "+m.GetReason()))
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DisputedMoneyHeld) {
		f.tell(f.request(m, told.LiquidationOnHold, because(InDispute, moment(m.GetUntil()))))
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DisputedMoneyFreed) {
		f.tell(f.request(m, told.LiquidationOnHold, NotInDispute))
		if m.GetWhy() == nairav1.DisputeHoldEnd_DISPUTE_HOLD_END_EXPIRED {
			f.dispute(told.DisputeHold, m, "", 0)
		}
	}),
}

// payable stores from when on a payment of the group may go out.
func (f *folding) payable(id string, from *timestamppb.Timestamp) {
	if from == nil {
		return
	}
	r, at := f.requests[id], from.AsTime()
	r.payableFrom = &at
	f.requests[id] = r
	f.desk.batch.Queue("UPDATE rm_notified_requests SET payable_from = $2 WHERE id = $1", id, at)
}

// newRequest is a request when it is made.
type newRequest interface {
	aboutRequest
	GetSubAccountId() string
	GetRequestedBy() string
	GetAmountKobo() int64
	GetExpiresAt() *timestamppb.Timestamp
}

func moment(at *timestamppb.Timestamp) string { return at.AsTime().Format(time.RFC3339) }
