package notifications

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

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
	PaymentQueried       = "payment_queried"
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
}

// desk is what a batch must know to tell of requests: who asked.
type desk struct {
	requests map[string]request
	batch    *pgx.Batch
}

const deskSchema = `
	CREATE TABLE rm_notified_requests (id text PRIMARY KEY, group_id text NOT NULL, sub_account_id text NOT NULL, requested_by text NOT NULL, validated_by text NOT NULL, kobo bigint NOT NULL);`

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
	rows, err := tx.Query(ctx, "SELECT id, group_id, sub_account_id, requested_by, validated_by, kobo FROM rm_notified_requests WHERE id = ANY($1)", ids)
	if err != nil {
		return d, err
	}
	var (
		id string
		r  request
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &r.group, &r.sub, &r.by, &r.validatedBy, &r.kobo}, func() error { d.requests[id] = r; return nil })
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
	if asked, ok := m.(*nairav1.LiquidationRequested); ok {
		d.requests[id] = request{asked.GetGroupId(), asked.GetSubAccountId(), asked.GetRequestedBy(), "", asked.GetAmountKobo()}
		d.batch.Queue("INSERT INTO rm_notified_requests VALUES ($1, $2, $3, $4, '', $5)", id, asked.GetGroupId(), asked.GetSubAccountId(), asked.GetRequestedBy(), asked.GetAmountKobo())
	}
	r := d.requests[id]
	auditor := o.holders[post{r.group, validator}]
	about := func(typ, detail string, to ...string) []note {
		return notesTo(note{typ: typ, about: r.by, group: r.group, sub: r.sub, kobo: r.kobo, detail: detail}, to...)
	}
	approvers := slices.DeleteFunc(p.approvers(r.group), func(user string) bool { return user == r.by })
	switch m := m.(type) {
	case *nairav1.LiquidationRequested:
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
		return about(LiquidationPaid, "", r.by, auditor, o.holders[post{r.group, owner}])
	case *nairav1.LiquidationFailed:
		return about(LiquidationFailed, m.GetReason(), append(approvers, r.by)...)
	case *nairav1.LiquidationReversed:
		return about(LiquidationFailed, m.GetReason(), append(approvers, r.by)...)
	}
	return nil
}

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
