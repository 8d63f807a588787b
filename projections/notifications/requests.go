package notifications

import (
	"context"
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
	PaymentQueried       = "payment_queried"
)

// What members are told of a payment of their group begins with one of these; a moment in RFC 3339 or a reason follows.
const (
	MembersNotice = "NOTICE"   // It is asked for, and is paid at the earliest at a moment.
	Objected      = "OBJECTED" // Somebody objects.
	Held          = "HELD"     // It is on hold.
	Answered      = "ANSWERED" // It goes on, and is paid at the earliest at a moment.
	PaidOut       = "PAID_OUT"
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

// desk is what a batch must know to tell of requests: who asked.
type desk struct {
	requests map[string]request
	batch    *pgx.Batch
}

const deskSchema = `
	CREATE TABLE rm_notified_requests (id text PRIMARY KEY, group_id text NOT NULL, sub_account_id text NOT NULL, requested_by text NOT NULL, validated_by text NOT NULL, kobo bigint NOT NULL,
		shown boolean NOT NULL DEFAULT false);`

// deskOf reads what a batch must know.
func deskOf(ctx context.Context, tx pgx.Tx, batch *pgx.Batch, events []engine.Event) (desk, error) {
	d := desk{requests: map[string]request{}, batch: batch}
	var ids []string
	for _, e := range events {
		if m, ok := e.Message.(aboutRequest); ok {
			ids = append(ids, m.GetLiquidationId())
		}
	}
	if len(ids) == 0 {
		return d, nil
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

// take follows who asked, and answers who is told what of an event.
func (d desk) take(e engine.Event, o *officials, p *people) []note {
	switch m := e.Message.(type) {
	case *nairav1.PaymentMarked:
		if m.GetMark() == nairav1.Mark_MARK_QUERIED {
			return []note{{typ: PaymentQueried, user: m.GetUserId(), about: m.GetMarkedBy(), group: m.GetGroupId(), sub: m.GetSubAccountId(), detail: m.GetReason()}}
		}
	case aboutRequest:
		return d.tell(m, o, p)
	}
	return nil
}

// tell answers who is told of what became of a request: who asked, and those whose turn it is.
func (d desk) tell(m aboutRequest, o *officials, p *people) []note {
	id := m.GetLiquidationId()
	if asked, ok := m.(newRequest); ok {
		d.requests[id] = request{group: asked.GetGroupId(), sub: asked.GetSubAccountId(), by: asked.GetRequestedBy(), kobo: asked.GetAmountKobo()}
		d.batch.Queue("INSERT INTO rm_notified_requests (id, group_id, sub_account_id, requested_by, validated_by, kobo) VALUES ($1, $2, $3, $4, '', $5)",
			id, asked.GetGroupId(), asked.GetSubAccountId(), asked.GetRequestedBy(), asked.GetAmountKobo())
	}
	if fixed, ok := m.(*nairav1.LiquidationDecidersFixed); ok && fixed.GetShown() {
		r := d.requests[id]
		r.shown = true
		d.requests[id] = r
		d.batch.Queue("UPDATE rm_notified_requests SET shown = true WHERE id = $1", id)
	}
	r := d.requests[id]
	auditor := o.holders[post{r.group, validator}]
	about := func(typ, detail string, to ...string) []note {
		return notesTo(note{typ: typ, about: r.by, group: r.group, sub: r.sub, kobo: r.kobo, detail: detail, subject: id}, to...)
	}
	approvers := slices.DeleteFunc(p.approvers(r.group), func(user string) bool { return user == r.by })
	switch m := m.(type) {
	case newRequest:
		if auditor == r.by {
			return about(LiquidationRequested, "", approvers...)
		}
		return about(LiquidationRequested, "", slices.DeleteFunc([]string{auditor, o.holders[post{r.group, owner}]}, func(user string) bool { return user == r.by })...)
	case *nairav1.LiquidationValidated:
		r.validatedBy = m.GetValidatedBy()
		d.requests[id] = r
		d.batch.Queue("UPDATE rm_notified_requests SET validated_by = $2 WHERE id = $1", id, r.validatedBy)
		return about(LiquidationValidated, "", append(slices.DeleteFunc(approvers, func(user string) bool { return user == r.validatedBy }), r.by)...)
	case *nairav1.LiquidationApproved:
		if m.GetApprovals() >= m.GetNeeded() {
			return about(LiquidationApproved, "", r.by)
		}
	case *nairav1.LiquidationRejected:
		return about(LiquidationRejected, m.GetReason(), r.by)
	case *nairav1.LiquidationExpired:
		return about(LiquidationRejected, "It was not approved in time.", r.by)
	case *nairav1.LiquidationReleased:
		return about(LiquidationRejected, m.GetReason(), r.by)
	case *nairav1.LiquidationPaid:
		officials := []string{r.by, auditor, o.holders[post{r.group, owner}]}
		told := about(LiquidationPaid, "", officials...)
		if m.GetKind() == nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT {
			told = append(told, d.everybody(p, id, LiquidationPaid, PaidOut, officials...)...)
		}
		return told
	case *nairav1.LiquidationFailed:
		return about(LiquidationFailed, m.GetReason(), append(approvers, r.by)...)
	case *nairav1.LiquidationReversed:
		return about(LiquidationFailed, m.GetReason(), append(approvers, r.by)...)
	case *nairav1.LiquidationDecidersFixed:
		if m.GetPayableFrom() == nil {
			return nil
		}
		asked := []string{r.by, auditor, o.holders[post{r.group, owner}]} // They are told that it is asked for.
		if auditor == r.by {
			asked = append(asked, approvers...)
		}
		return d.everybody(p, id, LiquidationRequested, because(MembersNotice, moment(m.GetPayableFrom())), asked...)
	case *nairav1.LiquidationObjected:
		if m.GetObjections() >= m.GetNeeded() {
			return d.everybody(p, id, LiquidationOnHold, because(Held, m.GetReason()))
		}
		return about(LiquidationOnHold, because(Objected, m.GetReason()), append(approvers, r.by)...)
	case *nairav1.LiquidationAnswered:
		if m.GetAnswers() >= m.GetNeeded() {
			return d.everybody(p, id, LiquidationOnHold, because(Answered, moment(m.GetPayableFrom())+" "+m.GetReason()))
		}
	}
	return nil
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
func (d desk) everybody(p *people, id, typ, detail string, but ...string) []note {
	r := d.requests[id]
	told := p.tell(note{typ: typ, about: r.by, group: r.group, sub: r.sub, kobo: r.kobo, detail: detail, subject: id}, []string{member, approves}, nil, but...)
	for i, n := range told {
		if !r.shown && p.roles[r.group][n.user] != approves {
			told[i].kobo = 0
		}
	}
	return told
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
