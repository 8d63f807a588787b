package groups

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/pgcopy"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/engine/write"
)

// The kinds of movement of a group's money.
const (
	Contributed = "CONTRIBUTION"
	Covered     = "COVER" // One member paid for another.
	Undone      = "REVERSAL"
	PaidOut     = "PAYOUT"
	CameBack    = "PAYOUT_RETURNED"
	RestPaid    = "REST"          // The rest when the group closed, into a member's wallet.
	Parked      = "PAYOUT_PARKED" // Money returned for a member whose account is closed: Adashi keeps it for them.
)

// The statuses of a waiver.
const (
	WaiverOpen     = "OPEN"
	WaiverApproved = "APPROVED"
	WaiverRejected = "REJECTED"
)

// dueHandlers follow payments into a group's sub-accounts, and dues.
var dueHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.ContributionReceived) {
		how := movement{kind: Contributed, channel: m.GetChannel(), settled: m.GetSettled(), payment: m.GetPaymentId()}
		f.contribution(e, m, m.GetAmountKobo(), 1, how, f.oddities(e, m))
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.ContributionCovered) {
		how := movement{kind: Covered, channel: nairav1.Channel_CHANNEL_WALLET, settled: m.GetSettled(), paidBy: m.GetPaidBy()}
		f.contribution(e, m, m.GetAmountKobo(), 1, how, f.oddities(e, m)|PaidByAnother)
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.ContributionReversed) {
		f.contribution(e, m, -m.GetAmountKobo(), -1, movement{kind: Undone, channel: nairav1.Channel_CHANNEL_WALLET}, 0)
	}),
	engine.On((*folding).parked),
	engine.On((*folding).restPaid),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.EventReversed) {
		f.undone = append(f.undone, m.GetEventId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.LateTermsSet) {
		f.batch.Queue("UPDATE rm_sub_accounts SET grace_days = $2, penalty_type = $3, penalty_kobo = $4, penalty_points = $5 WHERE id = $1",
			m.GetSubAccountId(), m.GetGraceDays(), int32(m.GetPenaltyType()), m.GetPenaltyKobo(), m.GetPenaltyBasisPoints())
		f.changes.Group(m.GetGroupId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PenaltyApplied) {
		f.changed(m, m.GetPeriod(), `jsonb_build_object('penalty', $5::bigint, 'penalised', true)`, m.GetAmountKobo())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PenaltyReversed) {
		f.changed(m, m.GetPeriod(), `jsonb_build_object('penalty', 0 * $5::bigint)`, m.GetAmountKobo())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PenaltyWaived) {
		f.changed(m, m.GetPeriod(), `jsonb_build_object('penalty', 0 * $5::bigint)`, m.GetAmountKobo())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DueWaived) {
		writtenOff := "false"
		if m.GetKind() == nairav1.WaiverKind_WAIVER_KIND_WRITTEN_OFF {
			writtenOff = "true"
		}
		f.changed(m, m.GetPeriod(), `jsonb_build_object('waived', $5::bigint + coalesce((c.changes -> $4::text ->> 'waived')::bigint, 0), 'writtenOff', `+writtenOff+`)`, m.GetAmountKobo())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SavingsDrawn) {
		f.batch.Queue(`INSERT INTO rm_contributors (sub_account_id, user_id, group_id, drawn_kobo) VALUES ($1, $2, $3, $4)
			ON CONFLICT (sub_account_id, user_id) DO UPDATE SET drawn_kobo = excluded.drawn_kobo`, m.GetSubAccountId(), m.GetUserId(), m.GetGroupId(), m.GetDrawnKobo())
		f.changes.Group(m.GetGroupId())
		f.own(m.GetGroupId(), m.GetUserId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SavingsClosed) {
		f.closed(m)
		f.changes.Group(m.GetGroupId())
		f.own(m.GetGroupId(), m.GetUserId())
	}),
}

// closed resets a member who left. Their payments stay in the sub-account's total without an owner.
func (f *folding) closed(m *nairav1.SavingsClosed) {
	f.flushMembers(false) // This batch may have changed their total.
	f.batch.Queue(`WITH left_behind AS (SELECT total_kobo FROM rm_contributors WHERE sub_account_id = $1 AND user_id = $2)
		UPDATE rm_sub_accounts SET closed_kobo = closed_kobo + left_behind.total_kobo FROM left_behind WHERE id = $1`, m.GetSubAccountId(), m.GetUserId())
	f.batch.Queue("UPDATE rm_contributors SET total_kobo = 0, drawn_kobo = 0, changes = NULL WHERE sub_account_id = $1 AND user_id = $2", m.GetSubAccountId(), m.GetUserId())
}

var waiverHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.WaiverRequested) {
		f.batch.Queue("INSERT INTO rm_waivers (id, pos, group_id, sub_account_id, user_id, period, kind, reason, requested_by, decided_by, status, kobo, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, '', 'OPEN', 0, $10)", m.GetWaiverId(), e.Pos, m.GetGroupId(), m.GetSubAccountId(),
			m.GetUserId(), m.GetPeriod(), int32(m.GetKind()), m.GetReason(), m.GetRequestedBy(), e.EffectiveAt)
		f.changes.Group(m.GetGroupId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.WaiverDecidersFixed) {
		f.batch.Queue("UPDATE rm_waivers SET deciders = $2 WHERE id = $1", m.GetWaiverId(), m.GetDeciderIds())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.WaiverApproved) {
		f.batch.Queue("UPDATE rm_waivers SET status = 'APPROVED', decided_by = $2, kobo = $3 WHERE id = $1", m.GetWaiverId(), m.GetApprovedBy(), m.GetAmountKobo())
		f.changes.Group(m.GetGroupId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.WaiverRejected) {
		f.batch.Queue("UPDATE rm_waivers SET status = 'REJECTED', decided_by = $2 WHERE id = $1", m.GetWaiverId(), m.GetRejectedBy())
		f.changes.Group(m.GetGroupId())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.MemberDeactivatedV2) {
		f.batch.Queue("INSERT INTO rm_absences (group_id, user_id, pos, since, whole) VALUES ($1, $2, $3, $4, $5)", m.GetGroupId(), m.GetUserId(), e.Pos, e.EffectiveAt, m.GetWholePeriods())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.MemberReactivated) {
		f.batch.Queue("UPDATE rm_absences SET until = $3 WHERE group_id = $1 AND user_id = $2 AND until IS NULL", m.GetGroupId(), m.GetUserId(), e.EffectiveAt)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MemberExited) {
		f.batch.Queue("DELETE FROM rm_absences WHERE group_id = $1 AND user_id = $2", m.GetGroupId(), m.GetUserId())
	}),
}

// changed records how one of a member's dues differs. The SQL computes the new values, from $5 on.
func (f *folding) changed(m interface {
	GetGroupId() string
	GetSubAccountId() string
	GetUserId() string
}, period, sql string, kobo int64,
) {
	f.batch.Queue("INSERT INTO rm_contributors (sub_account_id, user_id, group_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", m.GetSubAccountId(), m.GetUserId(), m.GetGroupId())
	f.batch.Queue(`UPDATE rm_contributors c SET changes = coalesce(c.changes, '{}') || jsonb_build_object($4::text, coalesce(c.changes -> $4::text, '{}') || `+sql+`)
		WHERE sub_account_id = $1 AND user_id = $2 AND group_id = $3`, m.GetSubAccountId(), m.GetUserId(), m.GetGroupId(), period, kobo)
	f.changes.Group(m.GetGroupId())
	f.own(m.GetGroupId(), m.GetUserId())
}

// contributed is a contribution, or a reversed one.
type contributed interface {
	GetGroupId() string
	GetSubAccountId() string
	GetUserId() string
	GetMemberTotalKobo() int64
}

// movement describes a row of a group's money.
type movement struct {
	kind, paidBy string
	channel      nairav1.Channel
	settled      []*nairav1.Settlement
	payment      string // The gateway's payment it came with, or the request that it paid.
}

// contribution adds a contribution, or undoes one if both figures are negative.
func (f *folding) contribution(e engine.Event, m contributed, kobo, payments int64, how movement, odd Odd) {
	group, id, user := m.GetGroupId(), m.GetSubAccountId(), m.GetUserId()
	f.grow(group, grown{kobo: kobo})
	in := [2]string{group, lagos.Month(e.EffectiveAt)}
	f.sums.months[in] = month{f.sums.months[in].kobo + kobo, f.sums.months[in].audited + 1}
	s := f.sums.subs[id]
	f.sums.subs[id] = sub{s.kobo + kobo, s.payments + payments}
	f.sums.members[[3]string{id, user, group}] = member{m.GetMemberTotalKobo(), f.audit.payers[payer{id, user}]}
	f.row(e, group, id, user, kobo, how, odd)
	if how.paidBy != "" {
		f.own(group, how.paidBy)
	}
}

// poolMoved writes the movements of payouts: money that left or came back to the pool, and holds. A payout that came
// back in an earlier build does not say who had asked for it, and is not audited.
func (f *folding) poolMoved(e engine.Event) {
	m, about := e.Message.(interface {
		GetGroupId() string
		GetSubAccountId() string
		GetRequestedBy() string
		GetLiquidationId() string
	})
	if !about {
		return
	}
	kobo := int64(0)
	for _, line := range e.Lines {
		if strings.HasPrefix(strings.TrimPrefix(line.Account, "held:"), "pool:") {
			kobo += int64(line.Amount)
		}
	}
	if kobo == 0 {
		return
	}
	how := movement{kind: PaidOut, channel: nairav1.Channel_CHANNEL_BANK_TRANSFER}
	if kobo > 0 {
		how.kind = CameBack
	}
	if m.GetRequestedBy() != "" {
		how.payment = m.GetLiquidationId()
		in := [2]string{m.GetGroupId(), lagos.Month(e.EffectiveAt)}
		f.sums.months[in] = month{f.sums.months[in].kobo, f.sums.months[in].audited + 1}
	}
	f.paid(m.GetGroupId(), e, -kobo)
	f.row(e, m.GetGroupId(), m.GetSubAccountId(), m.GetRequestedBy(), kobo, how, 0)
}

// parked writes that returned money of a payout left the pool again. The event does not name the group.
func (f *folding) parked(e engine.Event, m *nairav1.ReturnedMoneyParkedV2) {
	sub, ofPool := strings.CutPrefix(m.GetAccount(), "pool:")
	if !ofPool {
		return
	}
	f.batch.Queue(`INSERT INTO rm_contributions (pos, id, group_id, sub_account_id, user_id, paid_by, kind, kobo, channel, effective_at, settled, payment_id, odd, mark, recorded_at)
		SELECT $2, $3, group_id, id, '', '', $4, $5, $6, $7, '[]', '', 0, $8, $9 FROM rm_sub_accounts WHERE id = $1`, sub, e.Pos, e.ID(), Parked, -m.GetAmountKobo(),
		int16(nairav1.Channel_CHANNEL_BANK_TRANSFER), e.EffectiveAt, int16(notAudited), e.RecordedAt)
	f.batch.Queue(`INSERT INTO rm_group_months (group_id, month, kobo, paid_kobo) SELECT group_id, $2, 0, $3 FROM rm_sub_accounts WHERE id = $1
		ON CONFLICT (group_id, month) DO UPDATE SET paid_kobo = rm_group_months.paid_kobo + excluded.paid_kobo`, sub, lagos.Month(e.EffectiveAt), m.GetAmountKobo())
	f.batch.Queue("SELECT group_id FROM rm_sub_accounts WHERE id = $1", sub).Query(func(rows pgx.Rows) error {
		groups, err := pgx.CollectRows(rows, pgx.RowTo[string])
		for _, group := range groups {
			f.changes.Group(group)
		}
		return err
	})
}

// restPaid writes that the rest of a closed group went into a member's wallet.
func (f *folding) restPaid(e engine.Event, m *nairav1.GroupRestPaid) {
	f.paid(m.GetGroupId(), e, m.GetAmountKobo())
	f.row(e, m.GetGroupId(), m.GetSubAccountId(), m.GetUserId(), -m.GetAmountKobo(), movement{kind: RestPaid, channel: nairav1.Channel_CHANNEL_WALLET}, 0)
}

// paid adds an amount that left a group in a month; negative if it came back.
func (f *folding) paid(group string, e engine.Event, kobo int64) {
	f.batch.Queue(`INSERT INTO rm_group_months (group_id, month, kobo, paid_kobo) VALUES ($1, $2, 0, $3)
		ON CONFLICT (group_id, month) DO UPDATE SET paid_kobo = rm_group_months.paid_kobo + excluded.paid_kobo`, group, lagos.Month(e.EffectiveAt), kobo)
}

func (f *folding) row(e engine.Event, group, sub, user string, kobo int64, how movement, odd Odd) {
	f.rows = append(f.rows, contribution{e, group, sub, user, kobo, how, odd})
	f.changes.Group(group)
	f.own(group, user)
}

// copyRows writes the contributions of the batch.
func (f *folding) copyRows(ctx context.Context, tx pgx.Tx) error {
	const columns = "pos, id, group_id, sub_account_id, user_id, paid_by, kind, kobo, channel, effective_at, settled, payment_id, odd, mark, recorded_at"
	return write.Copy(ctx, tx, "rm_contributions", columns, func(rows *pgcopy.Rows, fields int) {
		for i := range f.rows {
			c := &f.rows[i]
			parts := make([]Part, 0, len(c.how.settled))
			for _, s := range c.how.settled {
				parts = append(parts, Part{s.GetPeriod(), s.GetAmountKobo(), s.GetComplete()})
			}
			id := c.event.ID()
			rows.Row(fields)
			rows.Bigint(c.event.Pos)
			rows.Bytes(id[:])
			rows.Text(c.group)
			rows.Text(c.sub)
			rows.Text(c.user)
			rows.Text(c.how.paidBy)
			rows.Text(c.how.kind)
			rows.Bigint(c.kobo)
			rows.Smallint(int16(c.how.channel))
			rows.Timestamptz(c.event.EffectiveAt)
			rows.Bytes(write.JSON(parts)) // A text.
			rows.Text(c.how.payment)
			rows.Smallint(int16(c.odd))
			rows.Smallint(c.how.unmarked())
			rows.Timestamptz(c.event.RecordedAt)
		}
	})
}

// notAudited is the mark of movements without audit.
const notAudited = -1

// unmarked is a movement's first mark.
func (m movement) unmarked() int16 {
	if m.kind == RestPaid || (m.kind == CameBack || m.kind == PaidOut) && m.payment == "" {
		return notAudited
	}
	return int16(nairav1.Mark_MARK_UNSPECIFIED)
}

// Part is the part of a payment for one due.
type Part struct {
	Period   string `json:"period"`
	Kobo     int64  `json:"kobo"`
	Complete bool   `json:"complete"` // The payment completed the due.
}

// flush writes the batch's sums.
func (f *folding) flush() {
	if len(f.undone) > 0 {
		f.batch.Queue("UPDATE rm_contributions SET reversed = true WHERE id = ANY($1::uuid[])", f.undone)
	}
	if len(f.sums.groups) > 0 {
		f.flushGroups()
	}
	if len(f.sums.months) > 0 {
		f.flushMonths()
	}
	if len(f.sums.subs) > 0 {
		f.flushSubs()
	}
	f.audit.flush(f.batch)
	f.flushMembers(true)
}
