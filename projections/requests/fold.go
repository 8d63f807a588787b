package requests

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
	"adashi.ng/projections/engine/write"
)

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	f := folding{batch: &write.Batch{}, pools: map[string]int64{}, held: map[string]int64{}}
	for _, e := range events {
		f.takeMoney(e)
		handlers.Take(&f, e)
	}
	f.flushPools()
	return f.changes, f.batch.Send(ctx, tx)
}

// handlers follow requests.
var handlers = engine.Handlers(slices.Concat(requestHandlers, objectionHandlers, disputeHandlers)...)

// folding collects the effects of a batch of events.
type folding struct {
	batch       *write.Batch
	changes     engine.Changes
	pools, held map[string]int64 // By sub-account.
}

// takeRequest follows a request through its states.
var requestHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.LiquidationRequestedV2) {
		f.batch.Queue(`INSERT INTO rm_requests (id, pos, group_id, sub_account_id, requested_by, kind, status, kobo, fee, vat, duty, provider, reason, requested_at, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6, 'REQUESTED', $7, $8, $9, $10, $11, $12, $13, $14)`, m.GetLiquidationId(), e.Pos, m.GetGroupId(), m.GetSubAccountId(), m.GetRequestedBy(),
			int32(m.GetKind()), m.GetAmountKobo(), m.GetFeeKobo(), m.GetVatKobo(), m.GetDutyKobo(), m.GetProvider(), m.GetReason(), e.EffectiveAt, m.GetExpiresAt().AsTime())
		f.step(e, m, "", "REQUESTED", m.GetRequestedBy(), m.GetReason())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.LiquidationAskedV2) {
		f.batch.Queue(`INSERT INTO rm_requests (id, pos, group_id, sub_account_id, requested_by, kind, status, kobo, fee, vat, duty, provider, reason, requested_at, expires_at, unfunded)
			VALUES ($1, $2, $3, $4, $5, $6, 'REQUESTED', $7, $8, $9, $10, $11, $12, $13, $14, true)`, m.GetLiquidationId(), e.Pos, m.GetGroupId(), m.GetSubAccountId(), m.GetRequestedBy(),
			int32(nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL), m.GetAmountKobo(), m.GetFeeKobo(), m.GetVatKobo(), m.GetDutyKobo(), m.GetProvider(), m.GetReason(),
			e.EffectiveAt, m.GetExpiresAt().AsTime())
		f.step(e, m, "", "REQUESTED", m.GetRequestedBy(), m.GetReason())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationFunded) {
		f.batch.Queue("UPDATE rm_requests SET unfunded = false WHERE id = $1", m.GetLiquidationId())
		f.changes.Group(m.GetGroupId())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.LiquidationValidated) {
		f.step(e, m, "VALIDATED", "VALIDATED", m.GetValidatedBy(), "")
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.LiquidationApproved) {
		status := ""
		if m.GetApprovals() >= m.GetNeeded() {
			status = "APPROVED"
			f.batch.Queue("UPDATE rm_requests SET approved_at = $2 WHERE id = $1", m.GetLiquidationId(), e.EffectiveAt)
		}
		f.step(e, m, status, "APPROVED", m.GetApprovedBy(), "")
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.LiquidationRejected) {
		status := "APPROVAL_REJECTED"
		if m.GetInValidation() {
			status = "VALIDATION_REJECTED"
		}
		f.step(e, m, status, "REJECTED", m.GetRejectedBy(), m.GetReason())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.LiquidationCancelled) {
		f.step(e, m, "CANCELLED", "CANCELLED", "", "")
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.LiquidationExpired) {
		f.step(e, m, "EXPIRED", "EXPIRED", "", "")
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.LiquidationSent) {
		f.batch.Queue("UPDATE rm_requests SET sent_at = $2 WHERE id = $1", m.GetLiquidationId(), e.EffectiveAt)
		f.step(e, m, "PAYOUT_PENDING", "SENT", "", "")
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.LiquidationPaidV2) {
		f.batch.Queue("UPDATE rm_requests SET paid_at = $2 WHERE id = $1", m.GetLiquidationId(), m.GetPaidAt().AsTime())
		f.step(e, m, "PAID", "PAID", "", m.GetProviderRef())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.LiquidationFailed) {
		f.step(e, m, "PAYOUT_FAILED", "FAILED", "", m.GetReason())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.LiquidationRetried) {
		f.batch.Queue("UPDATE rm_requests SET approved_at = $2 WHERE id = $1", m.GetLiquidationId(), e.EffectiveAt)
		f.step(e, m, "APPROVED", "RETRIED", m.GetRetriedBy(), "")
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.LiquidationReleased) {
		f.step(e, m, "RELEASED", "RELEASED", m.GetReleasedBy(), m.GetReason())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.LiquidationReversedV3) {
		f.step(e, m, "REVERSED", "REVERSED", "", m.GetReason())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ReturnedMoneyParkedV2) {
		if strings.HasPrefix(m.GetAccount(), "pool:") { // A withdrawal's return is of a wallet.
			f.batch.Queue("UPDATE rm_requests SET parked = $2 WHERE id = $1", m.GetReference(), m.GetAmountKobo())
		}
	}),
}

// objectionHandlers follow the people who may decide on a request, and members who object to it.
var objectionHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LiquidationDecidersFixed) {
		f.batch.Queue("UPDATE rm_requests SET validators = $2, approvers = $3, needed = $4, own_account = $5, shown = $6, payable_from = $7 WHERE id = $1",
			m.GetLiquidationId(), all(m.GetValidatorIds()), all(m.GetApproverIds()), m.GetApprovalsNeeded(), m.GetOwnAccount(), m.GetShown(), moment(m.GetPayableFrom()))
		f.changes.Group(m.GetGroupId())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.LiquidationObjected) {
		status := ""
		if m.GetObjections() >= m.GetNeeded() {
			status = "ON_HOLD"
			f.batch.Queue("UPDATE rm_requests SET stage = status WHERE id = $1", m.GetLiquidationId())
		}
		f.step(e, m, status, "OBJECTED", m.GetObjectedBy(), m.GetReason())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.LiquidationAnswered) {
		f.step(e, m, "", "ANSWERED", m.GetAnsweredBy(), m.GetReason())
		if m.GetAnswers() >= m.GetNeeded() {
			f.batch.Queue("UPDATE rm_requests SET status = stage, stage = 'ANSWERED', payable_from = $2 WHERE id = $1", m.GetLiquidationId(), moment(m.GetPayableFrom()))
		}
	}),
}

// disputeHandlers follow disputes of money that a payout is asked of.
var disputeHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.DisputedMoneyHeld) {
		f.batch.Queue(`INSERT INTO rm_disputed_money (dispute_id, sub_account_id, request_id, user_id, kobo, until) VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (dispute_id) DO UPDATE SET until = excluded.until`, m.GetDisputeId(), m.GetSubAccountId(), m.GetLiquidationId(), m.GetUserId(), m.GetAmountKobo(), m.GetUntil().AsTime())
		f.step(e, m, "", "DISPUTED", "", m.GetUntil().AsTime().Format(time.RFC3339))
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.DisputedMoneyFreed) {
		f.batch.Queue("DELETE FROM rm_disputed_money WHERE dispute_id = $1", m.GetDisputeId())
		f.step(e, m, "", "UNDISPUTED", "", "")
	}),
}

// moment is a time of an event, or nil if it has none.
func moment(at *timestamppb.Timestamp) *time.Time {
	if at == nil {
		return nil
	}
	t := at.AsTime()
	return &t
}

// step writes a step of a request, and its new status unless that is empty.
func (f *folding) step(e engine.Event, of interface {
	GetLiquidationId() string
	GetGroupId() string
}, status, step, by, detail string,
) {
	if status != "" {
		f.batch.Queue("UPDATE rm_requests SET status = $2 WHERE id = $1", of.GetLiquidationId(), status)
	}
	f.batch.Queue("INSERT INTO rm_request_steps (request_id, pos, step, by_id, detail, at) VALUES ($1, $2, $3, $4, $5, $6)", of.GetLiquidationId(), e.Pos, step, by, detail, e.EffectiveAt)
	f.changes.Group(of.GetGroupId())
	f.changes.Desks = []string{engine.FinanceDesk}
	// The requester is notified even if they do not hear of the group's every change.
	f.batch.Queue("SELECT requested_by FROM rm_requests WHERE id = $1", of.GetLiquidationId()).QueryRow(func(row pgx.Row) error {
		var user string
		err := row.Scan(&user)
		f.changes.User(user, "group:"+of.GetGroupId())
		return err
	})
}
