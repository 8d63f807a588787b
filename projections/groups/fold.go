package groups

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/letters"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/engine/write"
)

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	f := folding{batch: &write.Batch{}, sums: sums{groups: map[string]grown{}, months: map[[2]string]month{}, subs: map[string]sub{}, members: map[[3]string]member{}}}
	var err error
	if f.audit, err = auditing(ctx, tx, events); err != nil {
		return f.changes, err
	}
	for _, e := range events {
		if m, about := e.Message.(interface{ GetGroupId() string }); about {
			f.grow(m.GetGroupId(), grown{changes: 1})
		}
		handlers.Take(&f, e)
		f.poolMoved(e)
	}
	f.flush()
	for _, e := range events { // A payment's marks come after it.
		afterwards.Take(&f, e)
	}
	if err := f.copyRows(ctx, tx); err != nil {
		return f.changes, err
	}
	return f.changes, f.batch.Send(ctx, tx)
}

// folding gathers a batch: rare events as statements in order, contributions as sums written once.
type folding struct {
	batch   *write.Batch
	changes engine.Changes
	sums    sums
	audit   *audited
	rows    []contribution
	undone  []string // The ids of events that were reversed.
}

type sub struct{ kobo, payments int64 }

// grown is the growth of a group's total, and the number of events about the group.
type grown struct{ kobo, changes int64 }

type sums struct {
	groups  map[string]grown
	months  map[[2]string]month // By group and month.
	subs    map[string]sub
	members map[[3]string]member // By sub-account, user and group.
}

// month is the growth of a group's month: money that came in, and payments to be audited.
type month struct{ kobo, audited int64 }

// member is the sum that a member has paid so far.
type member struct {
	total int64
	paid  paying
}

// contribution is a row of rm_contributions being built.
type contribution struct {
	event            engine.Event
	group, sub, user string
	kobo             int64
	how              movement
	odd              Odd
}

// handlers are the handlers of all files; afterwards are those of marks, which run once all payments are there.
var handlers, afterwards = engine.Handlers(slices.Concat(peopleHandlers, officeHandlers, standingHandlers, groupHandlers, dueHandlers, waiverHandlers)...), engine.Handlers(markHandlers...)

var groupHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.GroupCreated) {
		f.batch.Queue("INSERT INTO rm_groups (id, pos, owner_id, name, description, kobo, capacity, start_month, start_year, show_total, status, validator_id, members, total_kobo, created_at, approvers, folded) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'PENDING_APPROVAL', '', 0, 0, $11, ARRAY[$3], $12)",
			m.GetGroupId(), e.Pos, m.GetOwnerId(), m.GetName(), m.GetDescription(), m.GetAmountKobo(), m.GetMemberCapacity(),
			m.GetStartMonth(), m.GetStartYear(), m.GetShowTotalBalance(), e.EffectiveAt, letters.Folded(m.GetName()))
		f.shuts(e, m.GetGroupId(), false)
		f.changes.Group(m.GetGroupId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ValidatorAppointed) {
		f.batch.Queue("UPDATE rm_groups SET validator_id = $2 WHERE id = $1", m.GetGroupId(), m.GetUserId())
		f.membership(m.GetGroupId(), m.GetUserId())
		f.sight(m.GetGroupId()) // The former validator may be a plain member now.
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.GroupActivated) {
		f.batch.Queue("UPDATE rm_groups SET status = 'ACTIVE' WHERE id = $1", m.GetGroupId())
		f.opens(e, m.GetGroupId())
		f.changes.Group(m.GetGroupId())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.MembershipRequested) {
		f.batch.Queue(`INSERT INTO rm_members (group_id, user_id, pos, status, since) VALUES ($1, $2, $3, 'PENDING', $4)
			ON CONFLICT (group_id, user_id) DO UPDATE SET status = 'PENDING', pos = excluded.pos, since = excluded.since`, m.GetGroupId(), m.GetUserId(), e.Pos, e.EffectiveAt)
		f.membership(m.GetGroupId(), m.GetUserId())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.MembershipApproved) {
		f.batch.Queue(`INSERT INTO rm_members (group_id, user_id, pos, status, since) VALUES ($1, $2, $3, 'ACTIVE', $4)
			ON CONFLICT (group_id, user_id) DO UPDATE SET status = 'ACTIVE', since = excluded.since`, m.GetGroupId(), m.GetUserId(), e.Pos, e.EffectiveAt)
		f.batch.Queue("UPDATE rm_groups SET members = members + 1 WHERE id = $1", m.GetGroupId())
		f.membership(m.GetGroupId(), m.GetUserId())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.SubAccountOpened) {
		f.audit.frequencies[m.GetSubAccountId()] = m.GetPaymentFrequency()
		f.batch.Queue("INSERT INTO rm_sub_accounts (id, pos, group_id, name, description, payment_type, payment_frequency, kobo, first_due, show_total, total_kobo, payments, folded, opened_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, 0, $11, $12)",
			m.GetSubAccountId(), e.Pos, m.GetGroupId(), m.GetName(), m.GetDescription(), int32(m.GetPaymentType()),
			int32(m.GetPaymentFrequency()), m.GetAmountKobo(), m.GetFirstDue(), m.GetShowTotalToMembers(), letters.Folded(m.GetName()), e.EffectiveAt)
		f.changes.Group(m.GetGroupId())
		if !m.GetShowTotalToMembers() {
			f.sight(m.GetGroupId())
		}
	}),
}

func (f *folding) grow(groupID string, by grown) {
	g := f.sums.groups[groupID]
	f.sums.groups[groupID] = grown{g.kobo + by.kobo, g.changes + by.changes}
}

func (f *folding) membership(groupID, userID string) {
	f.changes.Group(groupID)
	f.changes.User(userID, "groups")
	f.own(groupID, userID)
}

// own notifies a user of a change of their own, even in a group whose other changes they do not get: see Heard.
func (f *folding) own(groupID, userID string) { f.changes.User(userID, "group:"+groupID) }

// sight notifies every member that their view of the group has changed, so that open streams are checked against it.
func (f *folding) sight(groupID string) {
	f.batch.Queue("SELECT user_id FROM rm_members WHERE group_id = $1", groupID).Query(func(rows pgx.Rows) error {
		users, err := pgx.CollectRows(rows, pgx.RowTo[string])
		for _, user := range users {
			f.membership(groupID, user)
		}
		return err
	})
}

func (f *folding) flushGroups() {
	groups, kobo, changes := make([]string, 0, len(f.sums.groups)), make([]int64, 0, len(f.sums.groups)), make([]int64, 0, len(f.sums.groups))
	for group, by := range f.sums.groups {
		groups, kobo, changes = append(groups, group), append(kobo, by.kobo), append(changes, by.changes)
	}
	f.batch.Queue(`UPDATE rm_groups g SET total_kobo = g.total_kobo + s.kobo, changes = g.changes + s.changes
		FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS s (id, kobo, changes) WHERE g.id = s.id`, groups, kobo, changes)
}

func (f *folding) flushMonths() {
	var of, months []string
	var taken, audited []int64
	for key, m := range f.sums.months {
		of, months, taken, audited = append(of, key[0]), append(months, key[1]), append(taken, m.kobo), append(audited, m.audited)
	}
	f.batch.Queue(`INSERT INTO rm_group_months AS m (group_id, month, kobo, audited) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::integer[])
		ON CONFLICT (group_id, month) DO UPDATE SET kobo = m.kobo + excluded.kobo, audited = m.audited + excluded.audited`, of, months, taken, audited)
}

func (f *folding) flushSubs() {
	ids, kobo, payments := make([]string, 0, len(f.sums.subs)), make([]int64, 0, len(f.sums.subs)), make([]int64, 0, len(f.sums.subs))
	for id, s := range f.sums.subs {
		ids, kobo, payments = append(ids, id), append(kobo, s.kobo), append(payments, s.payments)
	}
	f.batch.Queue(`UPDATE rm_sub_accounts a SET total_kobo = a.total_kobo + s.kobo, payments = a.payments + s.payments
		FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS s (id, kobo, payments) WHERE a.id = s.id`, ids, kobo, payments)
}

// flushMembers writes the members' current totals. Unless last is set, later writes of the batch need these rows.
func (f *folding) flushMembers(last bool) {
	if len(f.sums.members) == 0 {
		return
	}
	var (
		subs, users, groups           []string
		totals, payments, paid, lasts []int64
		at                            []*time.Time
	)
	for key, m := range f.sums.members {
		subs, users, groups, totals = append(subs, key[0]), append(users, key[1]), append(groups, key[2]), append(totals, m.total)
		payments, paid, lasts, at = append(payments, m.paid.payments), append(paid, m.paid.kobo), append(lasts, m.paid.lastPos), append(at, orNull(m.paid.lastAt))
	}
	const all = "unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::integer[], $6::bigint[], $7::bigint[], $8::timestamptz[])"
	const columns = "sub_account_id, user_id, group_id, total_kobo, payments, paid_kobo, last_pos, last_at"
	const insert = "INSERT INTO rm_contributors (" + columns + ") SELECT * FROM " + all + ` ON CONFLICT (sub_account_id, user_id)
		DO UPDATE SET total_kobo = excluded.total_kobo, payments = excluded.payments, paid_kobo = excluded.paid_kobo, last_pos = excluded.last_pos, last_at = excluded.last_at`
	args := []any{subs, users, groups, totals, payments, paid, lasts, at}
	if last {
		f.batch.Upsert(len(subs), "UPDATE rm_contributors c SET total_kobo = n.total_kobo, payments = n.payments, paid_kobo = n.paid_kobo, last_pos = n.last_pos, last_at = n.last_at FROM "+
			all+" AS n ("+columns+") WHERE c.sub_account_id = n.sub_account_id AND c.user_id = n.user_id", insert, args...)
	} else {
		f.batch.Queue(insert, args...)
	}
	clear(f.sums.members)
}
