package disputes

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

// folding collects the effects of a batch.
type folding struct {
	batch   *pgx.Batch
	changes engine.Changes
}

// of is the common fields of a dispute's events.
type of interface {
	GetDisputeId() string
	GetUserId() string
}

// step is a row of a dispute's history.
type step struct {
	kind, by string
	words    *nairav1.Words
	file     bool
	until    *timestamppb.Timestamp
	events   []string
}

// step writes a step, and notifies the member.
func (f *folding) step(e engine.Event, m of, s step) {
	events := s.events
	if events == nil {
		events = []string{}
	}
	at := e.EffectiveAt
	if s.kind == "PLAN_APPLIED" { // It counts from the past, but happened now.
		at = e.RecordedAt
	}
	hash := s.words.GetSha256()
	if hash == nil {
		hash = []byte{}
	}
	f.batch.Queue("INSERT INTO rm_dispute_steps (dispute_id, pos, kind, by_id, at, paper_id, file, sha256, until, events) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
		m.GetDisputeId(), e.Pos, s.kind, s.by, at, s.words.GetPaperId(), s.file, hash, moment(s.until), events)
	f.changes.User(m.GetUserId(), "disputes")
}

// moment is a time that may be absent.
func moment(t *timestamppb.Timestamp) *time.Time {
	if t == nil {
		return nil
	}
	at := t.AsTime()
	return &at
}

// set changes a dispute's row.
func (f *folding) set(m of, set string, values ...any) {
	f.batch.Queue("UPDATE rm_disputes SET "+set+" WHERE dispute_id = $1", append([]any{m.GetDisputeId()}, values...)...)
}

var table = engine.Handlers(
	engine.On(func(f *folding, e engine.Event, m *nairav1.DisputeOpened) {
		f.batch.Queue(`INSERT INTO rm_disputes (dispute_id, user_id, kind, status, about, event_id, position, group_id, sub_account_id, ajo_id, arrival_id, kobo,
			paid_at, staff_id, opened_at, acknowledge_by, decide_by, late, plan, hold_of, hold_kobo, hold, pos) VALUES ($1, $2, $3, 'OPEN', $4, $5, $6, $7, $8, $9, $10, $11, $12, '', $13, $14, $15, false, '', '', 0, '', $16)`,
			m.GetDisputeId(), m.GetUserId(), int32(m.GetKind()), m.GetAbout(), m.GetEventId(), m.GetPosition(), m.GetGroupId(), m.GetSubAccountId(), m.GetAjoId(),
			m.GetArrivalId(), m.GetAmountKobo(), moment(m.GetPaidAt()), e.EffectiveAt, m.GetAcknowledgeBy().AsTime(), m.GetDecideBy().AsTime(), e.Pos)
		f.step(e, m, step{kind: "OPENED", by: m.GetUserId(), words: m.GetWords()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.CardDisputeTold) {
		f.batch.Queue(`INSERT INTO rm_disputes (dispute_id, user_id, kind, status, about, event_id, position, group_id, sub_account_id, ajo_id, arrival_id, kobo,
			staff_id, opened_at, acknowledge_by, decide_by, late, plan, hold_of, hold_kobo, hold, pos, bank_reason, bank_answer_by)
			VALUES ($1, $2, 0, 'OPEN', $3, $4, $5, '', '', '', '', $6, '', $7, $8, $9, false, '', '', 0, '', $10, $11, $12)`,
			m.GetDisputeId(), m.GetUserId(), m.GetAbout(), m.GetEventId(), m.GetPosition(), m.GetAmountKobo(), e.EffectiveAt, m.GetAcknowledgeBy().AsTime(),
			m.GetDecideBy().AsTime(), e.Pos, m.GetReason(), moment(m.GetAnswerBy()))
		f.step(e, m, step{kind: "BANK_OPENED", until: m.GetAnswerBy()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.CardDisputeEnded) {
		status, kind := "RESOLVED_REJECTED", "BANK_KEPT"
		if m.GetUpheld() {
			status, kind = "RESOLVED_UPHELD", "BANK_TOOK_BACK"
		}
		f.set(m, "status = CASE WHEN resolved_at IS NULL THEN $2 ELSE status END, answer_by = NULL, resolved_at = coalesce(resolved_at, $3), reopen_until = NULL", status, e.EffectiveAt)
		f.step(e, m, step{kind: kind})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.CardAnswerDue) {
		f.step(e, m, step{kind: "ANSWER_DUE", until: m.GetAnswerBy()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.CardAnswerGiven) {
		status := "GIVEN"
		if m.GetAccepted() {
			status = "PROPOSED"
		}
		f.set(m, "bank_answer = $2, bank_accepted = $3", status, m.GetAccepted())
		f.step(e, m, step{kind: "CARD_ANSWER_" + status, by: m.GetStaffId(), words: m.GetWords()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.CardAnswerAgreed) {
		f.set(m, "bank_answer = 'GIVEN'")
		f.step(e, m, step{kind: "CARD_ANSWER_AGREED", by: m.GetApprovedBy()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.CardAnswerDropped) {
		f.set(m, "bank_answer = 'DROPPED'")
		f.step(e, m, step{kind: "CARD_ANSWER_DROPPED", by: m.GetDeclinedBy(), words: m.GetWords()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.CardAnswerSent) {
		f.set(m, "bank_answer = 'SENT'")
		f.step(e, m, step{kind: "CARD_ANSWER_SENT"})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.CardAnswerTaken) {
		kind := "CARD_DECLINED"
		if m.GetAccepted() {
			kind = "CARD_ACCEPTED"
		}
		f.set(m, "bank_answer = 'TAKEN'")
		f.step(e, m, step{kind: kind, words: m.GetWords()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.CardAnswerFailed) {
		f.set(m, "bank_answer = 'FAILED'")
		f.step(e, m, step{kind: "CARD_ANSWER_FAILED"})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.DisputeTaken) {
		f.set(m, "status = 'INVESTIGATING', staff_id = $2", m.GetStaffId())
		f.step(e, m, step{kind: "TAKEN", by: m.GetStaffId()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.DisputeAsked) {
		f.set(m, "status = 'INFO_REQUESTED', answer_by = $2", m.GetAnswerBy().AsTime())
		f.step(e, m, step{kind: "ASKED", by: m.GetStaffId(), words: m.GetWords(), until: m.GetAnswerBy()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.DisputeEvidenceAdded) {
		f.step(e, m, step{kind: "ADDED", by: m.GetUserId(), words: &nairav1.Words{PaperId: m.GetPaperId(), Sha256: m.GetSha256()}, file: m.GetFile()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.DisputeHoldAsked) {
		hold := "HELD"
		if m.GetUntil() == nil {
			hold = "ASKED"
		}
		f.set(m, "hold_of = $2, hold_kobo = $3, hold_until = $4, hold = $5", m.GetLiquidationId(), m.GetAmountKobo(), moment(m.GetUntil()), hold)
		f.step(e, m, step{kind: "HOLD_" + hold, by: m.GetUserId(), until: m.GetUntil()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.DisputeHoldAllowed) {
		f.set(m, "hold_until = $2, hold = CASE hold WHEN 'ASKED' THEN 'HELD' ELSE 'EXTENDED' END", m.GetUntil().AsTime())
		f.step(e, m, step{kind: "HOLD_ALLOWED", by: m.GetStaffId(), until: m.GetUntil()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.DisputedMoneyFreed) {
		f.set(m, "hold_until = NULL, hold = 'OVER'")
		if m.GetWhy() == nairav1.DisputeHoldEnd_DISPUTE_HOLD_END_EXPIRED { // The others hear of the dispute's end.
			f.step(e, m, step{kind: "HOLD_OVER"})
		}
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.DisputeAnswered) {
		s := step{kind: "ANSWERED", by: m.GetUserId(), words: m.GetWords(), until: m.GetDecideBy()}
		if m.GetWords() == nil {
			s.kind, s.by = "NOT_ANSWERED", ""
		}
		f.set(m, "status = 'INVESTIGATING', answer_by = NULL, decide_by = $2", m.GetDecideBy().AsTime())
		f.step(e, m, s)
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.DisputeResolved) {
		status := "RESOLVED_REJECTED"
		if m.GetUpheld() {
			status = "RESOLVED_UPHELD"
		}
		f.set(m, "status = $2, answer_by = NULL, resolved_at = $3, reopen_until = $4", status, e.EffectiveAt, moment(m.GetReopenUntil()))
		f.step(e, m, step{kind: status, by: m.GetStaffId(), words: m.GetWords(), until: m.GetReopenUntil(), events: m.GetEventIds()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.DisputeReopened) {
		f.set(m, "status = 'REOPENED', staff_id = '', late = false, reopen_until = NULL, resolved_at = NULL, acknowledge_by = $2, decide_by = $3",
			m.GetAcknowledgeBy().AsTime(), m.GetDecideBy().AsTime())
		f.step(e, m, step{kind: "REOPENED", by: m.GetUserId(), words: m.GetWords()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.DisputeWithdrawn) {
		f.set(m, "status = 'WITHDRAWN', answer_by = NULL, resolved_at = $2", e.EffectiveAt)
		f.step(e, m, step{kind: "WITHDRAWN", by: m.GetUserId()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.DisputeOverdue) {
		kind := "DECISION_OVERDUE"
		if m.GetClock() == nairav1.DisputeClock_DISPUTE_CLOCK_ACKNOWLEDGE {
			kind = "TAKING_OVERDUE"
		}
		f.set(m, "late = true")
		f.step(e, m, step{kind: kind, until: m.GetDue()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.CorrectionProposedV2) {
		f.set(m, "plan = 'PROPOSED'")
		f.step(e, m, step{kind: "PLAN_PROPOSED", by: m.GetProposedBy(), words: m.GetWords()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.CorrectionApproved) {
		if m.GetApprovals() >= m.GetNeeded() {
			f.set(m, "plan = 'APPROVED'")
		}
		f.step(e, m, step{kind: "PLAN_APPROVED", by: m.GetApprovedBy()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.CorrectionDeclined) {
		f.set(m, "plan = 'DECLINED'")
		f.step(e, m, step{kind: "PLAN_DECLINED", by: m.GetDeclinedBy(), words: m.GetWords()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.CorrectionApplied) {
		f.set(m, "plan = 'APPLIED'")
		f.step(e, m, step{kind: "PLAN_APPLIED"})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.CorrectionStale) {
		f.set(m, "plan = 'STALE'")
		f.step(e, m, step{kind: "PLAN_STALE"})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.OutgoingFrozen) {
		f.batch.Queue(`INSERT INTO rm_frozen (user_id, since, dispute_id) VALUES ($1, $2, $3)
			ON CONFLICT (user_id) DO UPDATE SET thaw_at = NULL, dispute_id = excluded.dispute_id`, m.GetUserId(), e.EffectiveAt, m.GetDisputeId())
		f.changes.User(m.GetUserId(), "disputes")
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ThawAsked) {
		f.batch.Queue("UPDATE rm_frozen SET thaw_at = $2 WHERE user_id = $1", m.GetUserId(), m.GetThawAt().AsTime())
		f.changes.User(m.GetUserId(), "disputes")
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.OutgoingThawed) {
		f.batch.Queue("DELETE FROM rm_frozen WHERE user_id = $1", m.GetUserId())
		f.changes.User(m.GetUserId(), "disputes")
	}),
)

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	f := &folding{batch: &pgx.Batch{}}
	for _, e := range events {
		table.Take(f, e)
	}
	if f.batch.Len() == 0 {
		return f.changes, nil
	}
	f.changes.Desks = []string{engine.SupportDesk}
	return f.changes, tx.SendBatch(ctx, f.batch).Close()
}
