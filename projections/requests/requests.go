// Package requests is the read model of money that leaves groups, and of their payments being audited: each request with
// its timeline, what every sub-account holds, and each payment with its mark and what is odd about it.
package requests

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

// Name is the model's name.
const Name = "requests"

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 4, Fold: fold,
		Tables: []string{"rm_requests", "rm_request_steps", "rm_pools", "rm_audit", "rm_audit_months", "rm_audit_subs", "rm_audit_payers"},
		Schema: `
			CREATE TABLE rm_requests (
				id text PRIMARY KEY, pos bigint NOT NULL, group_id text NOT NULL, sub_account_id text NOT NULL, requested_by text NOT NULL,
				kind integer NOT NULL, status text NOT NULL, kobo bigint NOT NULL, fee bigint NOT NULL, vat bigint NOT NULL, duty bigint NOT NULL,
				channel integer NOT NULL, reason text NOT NULL, requested_at timestamptz NOT NULL, expires_at timestamptz NOT NULL,
				sent_at timestamptz, paid_at timestamptz, unfunded boolean NOT NULL DEFAULT false, validators text[] NOT NULL DEFAULT '{}',
				approvers text[] NOT NULL DEFAULT '{}', needed integer NOT NULL DEFAULT 0, own_account boolean NOT NULL DEFAULT false,
				shown boolean NOT NULL DEFAULT false, payable_from timestamptz, stage text NOT NULL DEFAULT '');
			CREATE TABLE rm_request_steps (
				request_id text NOT NULL, pos bigint NOT NULL, step text NOT NULL, by_id text NOT NULL, detail text NOT NULL, at timestamptz NOT NULL,
				PRIMARY KEY (request_id, pos));
			CREATE TABLE rm_pools (sub_account_id text PRIMARY KEY, kobo bigint NOT NULL DEFAULT 0, held bigint NOT NULL DEFAULT 0) WITH (fillfactor = 70);
			CREATE TABLE rm_audit (
				event_id uuid NOT NULL, pos bigint PRIMARY KEY, group_id text NOT NULL, sub_account_id text NOT NULL, user_id text NOT NULL,
				paid_by text NOT NULL, kind text NOT NULL, kobo bigint NOT NULL, channel integer NOT NULL, at timestamptz NOT NULL, month text NOT NULL,
				settled jsonb NOT NULL, payment_id text NOT NULL, odd integer NOT NULL, mark integer NOT NULL, marked_by text NOT NULL,
				marked_at timestamptz, reason text NOT NULL);
			CREATE INDEX rm_audit_payment ON rm_audit (payment_id) WHERE payment_id <> '';
			CREATE TABLE rm_audit_months (
				group_id text NOT NULL, month text NOT NULL, total integer NOT NULL, validated integer NOT NULL DEFAULT 0,
				queried integer NOT NULL DEFAULT 0, resolved integer NOT NULL DEFAULT 0, PRIMARY KEY (group_id, month)) WITH (fillfactor = 70);
			CREATE TABLE rm_audit_subs (sub_account_id text PRIMARY KEY, frequency integer NOT NULL);
			CREATE TABLE rm_audit_payers (
				sub_account_id text NOT NULL, user_id text NOT NULL, payments integer NOT NULL, kobo bigint NOT NULL, last_pos bigint NOT NULL,
				last_at timestamptz NOT NULL, PRIMARY KEY (sub_account_id, user_id)) WITH (fillfactor = 70)`,
		Indexes: `
			CREATE INDEX ON rm_requests (group_id, pos DESC);
			CREATE INDEX ON rm_requests (pos) WHERE status IN ('REQUESTED', 'VALIDATED', 'ON_HOLD', 'APPROVED', 'PAYOUT_PENDING', 'PAYOUT_FAILED');
			CREATE UNIQUE INDEX ON rm_audit (event_id);
			CREATE INDEX ON rm_audit (group_id, mark, (odd = 0), pos);
			CREATE INDEX ON rm_audit (group_id, (odd = 0), pos)`,
	}
}

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	f := folding{batch: &engine.Batch{}, pools: map[string]int64{}, held: map[string]int64{}}
	audit, err := auditing(ctx, tx, events)
	if err != nil {
		return f.changes, err
	}
	for _, e := range events {
		f.takeMoney(e)
		f.takeRequest(e)
		audit.take(e)
	}
	f.flushPools()
	audit.flush(f.batch)
	for _, e := range events { // What is said of a payment comes after it.
		f.takeMark(e)
	}
	if err := audit.copyRows(ctx, tx); err != nil {
		return f.changes, err
	}
	err = f.batch.Send(ctx, tx)
	return f.changes, err
}

// folding gathers what a batch of events did.
type folding struct {
	batch       *engine.Batch
	changes     engine.Changes
	pools, held map[string]int64 // By sub-account.
}

// takeRequest follows a request through its states.
func (f *folding) takeRequest(e engine.Event) {
	switch m := e.Message.(type) {
	case *nairav1.LiquidationRequested:
		f.batch.Queue(`INSERT INTO rm_requests (id, pos, group_id, sub_account_id, requested_by, kind, status, kobo, fee, vat, duty, channel, reason, requested_at, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6, 'REQUESTED', $7, $8, $9, $10, $11, $12, $13, $14)`, m.GetLiquidationId(), e.Pos, m.GetGroupId(), m.GetSubAccountId(), m.GetRequestedBy(),
			int32(m.GetKind()), m.GetAmountKobo(), m.GetFeeKobo(), m.GetVatKobo(), m.GetDutyKobo(), int32(m.GetChannel()), m.GetReason(), e.EffectiveAt, m.GetExpiresAt().AsTime())
		f.step(e, m, "", "REQUESTED", m.GetRequestedBy(), m.GetReason())
	case *nairav1.LiquidationAsked:
		f.batch.Queue(`INSERT INTO rm_requests (id, pos, group_id, sub_account_id, requested_by, kind, status, kobo, fee, vat, duty, channel, reason, requested_at, expires_at, unfunded)
			VALUES ($1, $2, $3, $4, $5, $6, 'REQUESTED', $7, $8, $9, $10, $11, $12, $13, $14, true)`, m.GetLiquidationId(), e.Pos, m.GetGroupId(), m.GetSubAccountId(), m.GetRequestedBy(),
			int32(nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL), m.GetAmountKobo(), m.GetFeeKobo(), m.GetVatKobo(), m.GetDutyKobo(), int32(m.GetChannel()), m.GetReason(),
			e.EffectiveAt, m.GetExpiresAt().AsTime())
		f.step(e, m, "", "REQUESTED", m.GetRequestedBy(), m.GetReason())
	case *nairav1.LiquidationFunded:
		f.batch.Queue("UPDATE rm_requests SET unfunded = false WHERE id = $1", m.GetLiquidationId())
		f.changes.Group(m.GetGroupId())
	case *nairav1.LiquidationValidated:
		f.step(e, m, "VALIDATED", "VALIDATED", m.GetValidatedBy(), "")
	case *nairav1.LiquidationApproved:
		status := ""
		if m.GetApprovals() >= m.GetNeeded() {
			status = "APPROVED"
		}
		f.step(e, m, status, "APPROVED", m.GetApprovedBy(), "")
	case *nairav1.LiquidationRejected:
		status := "APPROVAL_REJECTED"
		if m.GetInValidation() {
			status = "VALIDATION_REJECTED"
		}
		f.step(e, m, status, "REJECTED", m.GetRejectedBy(), m.GetReason())
	case *nairav1.LiquidationCancelled:
		f.step(e, m, "CANCELLED", "CANCELLED", "", "")
	case *nairav1.LiquidationExpired:
		f.step(e, m, "EXPIRED", "EXPIRED", "", "")
	case *nairav1.LiquidationSent:
		f.batch.Queue("UPDATE rm_requests SET sent_at = $2 WHERE id = $1", m.GetLiquidationId(), e.EffectiveAt)
		f.step(e, m, "PAYOUT_PENDING", "SENT", "", "")
	case *nairav1.LiquidationPaid:
		f.batch.Queue("UPDATE rm_requests SET paid_at = $2 WHERE id = $1", m.GetLiquidationId(), m.GetPaidAt().AsTime())
		f.step(e, m, "PAID", "PAID", "", m.GetProviderRef())
	case *nairav1.LiquidationFailed:
		f.step(e, m, "PAYOUT_FAILED", "FAILED", "", m.GetReason())
	case *nairav1.LiquidationRetried:
		f.step(e, m, "APPROVED", "RETRIED", m.GetRetriedBy(), "")
	case *nairav1.LiquidationReleased:
		f.step(e, m, "RELEASED", "RELEASED", m.GetReleasedBy(), m.GetReason())
	case *nairav1.LiquidationReversed:
		f.step(e, m, "REVERSED", "REVERSED", "", m.GetReason())
	default:
		f.takeHold(e)
	}
}

// takeHold follows who may decide on a request, and members who object to it.
func (f *folding) takeHold(e engine.Event) {
	switch m := e.Message.(type) {
	case *nairav1.LiquidationDecidersFixed:
		f.batch.Queue("UPDATE rm_requests SET validators = $2, approvers = $3, needed = $4, own_account = $5, shown = $6, payable_from = $7 WHERE id = $1",
			m.GetLiquidationId(), all(m.GetValidatorIds()), all(m.GetApproverIds()), m.GetApprovalsNeeded(), m.GetOwnAccount(), m.GetShown(), moment(m.GetPayableFrom()))
		f.changes.Group(m.GetGroupId())
	case *nairav1.LiquidationObjected:
		status := ""
		if m.GetObjections() >= m.GetNeeded() {
			status = "ON_HOLD"
			f.batch.Queue("UPDATE rm_requests SET stage = status WHERE id = $1", m.GetLiquidationId())
		}
		f.step(e, m, status, "OBJECTED", m.GetObjectedBy(), m.GetReason())
	case *nairav1.LiquidationAnswered:
		f.step(e, m, "", "ANSWERED", m.GetAnsweredBy(), m.GetReason())
		if m.GetAnswers() >= m.GetNeeded() {
			f.batch.Queue("UPDATE rm_requests SET status = stage, stage = 'ANSWERED', payable_from = $2 WHERE id = $1", m.GetLiquidationId(), moment(m.GetPayableFrom()))
		}
	}
}

// moment is a time of an event, or nil where it has none.
func moment(at *timestamppb.Timestamp) *time.Time {
	if at == nil {
		return nil
	}
	t := at.AsTime()
	return &t
}

// step notes what happened to a request, and where it stands from then on when status says so.
func (f *folding) step(e engine.Event, of interface {
	GetLiquidationId() string
	GetGroupId() string
}, status, step, by, detail string,
) {
	if status != "" {
		f.batch.Queue("UPDATE rm_requests SET status = $2 WHERE id = $1", of.GetLiquidationId(), status)
	}
	f.batch.Queue("INSERT INTO rm_request_steps VALUES ($1, $2, $3, $4, $5, $6)", of.GetLiquidationId(), e.Pos, step, by, detail, e.EffectiveAt)
	f.changes.Group(of.GetGroupId())
	// Who asked hears of it also where they do not hear of the group's every change.
	f.batch.Queue("SELECT requested_by FROM rm_requests WHERE id = $1", of.GetLiquidationId()).QueryRow(func(row pgx.Row) error {
		var user string
		err := row.Scan(&user)
		f.changes.User(user, "group:"+of.GetGroupId())
		return err
	})
}
