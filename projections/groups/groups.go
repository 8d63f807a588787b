// Package groups is the read model of group savings: groups, members, sub-accounts and who contributed what.
package groups

import (
	"context"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

// Name is the model's name.
const Name = "groups"

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 9, Fold: fold,
		Tables: []string{"rm_groups", "rm_members", "rm_sub_accounts", "rm_contributors", "rm_contributions", "rm_group_months", "rm_group_documents", "rm_absences", "rm_waivers"},
		Schema: `
			CREATE TABLE rm_groups (
				id text PRIMARY KEY, pos bigint NOT NULL, owner_id text NOT NULL, name text NOT NULL, description text NOT NULL,
				kobo bigint NOT NULL, capacity integer NOT NULL, start_month integer NOT NULL, start_year integer NOT NULL,
				show_total boolean NOT NULL, status text NOT NULL, validator_id text NOT NULL, members integer NOT NULL,
				total_kobo bigint NOT NULL, created_at timestamptz NOT NULL, approvers text[] NOT NULL, reason text NOT NULL DEFAULT '',
				candidate text NOT NULL DEFAULT '', findable boolean NOT NULL DEFAULT true, show_terms boolean NOT NULL DEFAULT true,
				show_totals boolean NOT NULL DEFAULT false, changes bigint NOT NULL DEFAULT 0) WITH (fillfactor = 70);
			CREATE TABLE rm_members (
				group_id text NOT NULL, user_id text NOT NULL, pos bigint NOT NULL, status text NOT NULL, since timestamptz NOT NULL,
				invited_by text NOT NULL DEFAULT '', expires_at timestamptz, PRIMARY KEY (group_id, user_id));
			CREATE TABLE rm_group_documents (
				id text PRIMARY KEY, pos bigint NOT NULL, group_id text NOT NULL, user_id text NOT NULL, added_at timestamptz NOT NULL,
				removed boolean NOT NULL DEFAULT false);
			CREATE TABLE rm_sub_accounts (
				id text PRIMARY KEY, pos bigint NOT NULL, group_id text NOT NULL, name text NOT NULL, description text NOT NULL,
				payment_type integer NOT NULL, payment_frequency integer NOT NULL, kobo bigint NOT NULL, first_due text NOT NULL,
				show_total boolean NOT NULL, total_kobo bigint NOT NULL, payments integer NOT NULL,
				grace_days integer NOT NULL DEFAULT 0, penalty_type integer NOT NULL DEFAULT 0, penalty_kobo bigint NOT NULL DEFAULT 0,
				penalty_points integer NOT NULL DEFAULT 0, closed_kobo bigint NOT NULL DEFAULT 0) WITH (fillfactor = 70);
			CREATE TABLE rm_contributors (
				sub_account_id text NOT NULL, user_id text NOT NULL, group_id text NOT NULL, total_kobo bigint NOT NULL DEFAULT 0,
				drawn_kobo bigint NOT NULL DEFAULT 0, changes jsonb, PRIMARY KEY (sub_account_id, user_id)) WITH (fillfactor = 70);
			CREATE TABLE rm_contributions (
				pos bigint PRIMARY KEY, group_id text NOT NULL, sub_account_id text NOT NULL, user_id text NOT NULL,
				kobo bigint NOT NULL, effective_at timestamptz NOT NULL, first_period text NOT NULL, id uuid NOT NULL, kind text NOT NULL,
				paid_by text NOT NULL, channel integer NOT NULL, settled text NOT NULL, reversed boolean NOT NULL DEFAULT false);
			CREATE TABLE rm_group_months (
				group_id text NOT NULL, month text NOT NULL, kobo bigint NOT NULL, paid_kobo bigint NOT NULL DEFAULT 0, PRIMARY KEY (group_id, month)) WITH (fillfactor = 70);
			CREATE TABLE rm_absences (
				group_id text NOT NULL, user_id text NOT NULL, pos bigint NOT NULL, since timestamptz NOT NULL, until timestamptz,
				PRIMARY KEY (group_id, user_id, pos));
			CREATE TABLE rm_waivers (
				id text PRIMARY KEY, pos bigint NOT NULL, group_id text NOT NULL, sub_account_id text NOT NULL, user_id text NOT NULL,
				period text NOT NULL, kind integer NOT NULL, reason text NOT NULL, requested_by text NOT NULL, decided_by text NOT NULL,
				status text NOT NULL, kobo bigint NOT NULL, created_at timestamptz NOT NULL, deciders text[] NOT NULL DEFAULT '{}')`,
		Indexes: `
			CREATE INDEX ON rm_groups (pos DESC) WHERE status = 'ACTIVE';
			CREATE INDEX ON rm_members (user_id);
			CREATE INDEX ON rm_members (group_id, pos);
			CREATE INDEX ON rm_members (expires_at) WHERE status = 'INVITED';
			CREATE INDEX ON rm_group_documents (group_id, pos DESC);
			CREATE INDEX ON rm_sub_accounts (group_id, pos);
			CREATE INDEX ON rm_contributors (group_id);
			CREATE INDEX ON rm_contributors (user_id);
			CREATE INDEX ON rm_contributions (sub_account_id, pos DESC);
			CREATE INDEX ON rm_contributions (user_id, pos DESC);
			CREATE INDEX ON rm_waivers (group_id, pos DESC)`,
	}
}

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	f := folding{batch: &engine.Batch{}, sums: sums{groups: map[string]grown{}, months: map[[2]string]int64{}, subs: map[string]sub{}, members: map[[3]string]int64{}}}
	for _, e := range events {
		f.take(e)
	}
	f.flush()
	if err := f.copyRows(ctx, tx); err != nil {
		return f.changes, err
	}
	err := f.batch.Send(ctx, tx)
	return f.changes, err
}

// folding gathers a batch: rare events as statements in order, contributions as sums written once.
type folding struct {
	batch   *engine.Batch
	changes engine.Changes
	sums    sums
	rows    []contribution
	undone  []int64 // The positions of contributions that were reversed.
}

type sub struct{ kobo, payments int64 }

// grown is by what a group's total grew, and how many events were about the group.
type grown struct{ kobo, changes int64 }

type sums struct {
	groups  map[string]grown
	months  map[[2]string]int64 // By group and month.
	subs    map[string]sub
	members map[[3]string]int64 // Totals by sub-account, user and group.
}

// contribution is a row of rm_contributions in the making.
type contribution struct {
	event            engine.Event
	group, sub, user string
	kobo             int64
	how              movement
}

func (f *folding) take(e engine.Event) {
	f.life(e)
	if m, about := e.Message.(interface{ GetGroupId() string }); about {
		f.grow(m.GetGroupId(), grown{changes: 1})
	}
	switch m := e.Message.(type) {
	case *nairav1.GroupCreated:
		f.batch.Queue("INSERT INTO rm_groups VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'PENDING_APPROVAL', '', 0, 0, $11, ARRAY[$3])",
			m.GetGroupId(), e.Pos, m.GetOwnerId(), m.GetName(), m.GetDescription(), m.GetAmountKobo(), m.GetMemberCapacity(),
			m.GetStartMonth(), m.GetStartYear(), m.GetShowTotalBalance(), e.EffectiveAt)
		f.shuts(e, m.GetGroupId())
		f.changes.Group(m.GetGroupId())
	case *nairav1.ValidatorAppointed:
		f.batch.Queue("UPDATE rm_groups SET validator_id = $2 WHERE id = $1", m.GetGroupId(), m.GetUserId())
		f.membership(m.GetGroupId(), m.GetUserId())
		f.sight(m.GetGroupId()) // The one before may be a plain member now.
	case *nairav1.GroupActivated:
		f.batch.Queue("UPDATE rm_groups SET status = 'ACTIVE' WHERE id = $1", m.GetGroupId())
		f.opens(e, m.GetGroupId())
		f.changes.Group(m.GetGroupId())
	case *nairav1.MembershipRequested:
		f.batch.Queue(`INSERT INTO rm_members VALUES ($1, $2, $3, 'PENDING', $4)
			ON CONFLICT (group_id, user_id) DO UPDATE SET status = 'PENDING', pos = excluded.pos, since = excluded.since`, m.GetGroupId(), m.GetUserId(), e.Pos, e.EffectiveAt)
		f.membership(m.GetGroupId(), m.GetUserId())
	case *nairav1.MembershipApproved:
		f.batch.Queue(`INSERT INTO rm_members VALUES ($1, $2, $3, 'ACTIVE', $4)
			ON CONFLICT (group_id, user_id) DO UPDATE SET status = 'ACTIVE', since = excluded.since`, m.GetGroupId(), m.GetUserId(), e.Pos, e.EffectiveAt)
		f.batch.Queue("UPDATE rm_groups SET members = members + 1 WHERE id = $1", m.GetGroupId())
		f.membership(m.GetGroupId(), m.GetUserId())
	case *nairav1.SubAccountOpened:
		f.batch.Queue("INSERT INTO rm_sub_accounts VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, 0)",
			m.GetSubAccountId(), e.Pos, m.GetGroupId(), m.GetName(), m.GetDescription(), int32(m.GetPaymentType()),
			int32(m.GetPaymentFrequency()), m.GetAmountKobo(), m.GetFirstDue(), m.GetShowTotalToMembers())
		f.changes.Group(m.GetGroupId())
		if !m.GetShowTotalToMembers() {
			f.sight(m.GetGroupId())
		}
	default:
		f.due(e)
	}
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

// own tells a user of a change of their own, also in a group whose changes they do not otherwise hear of: see Heard.
func (f *folding) own(groupID, userID string) { f.changes.User(userID, "group:"+groupID) }

// sight tells every member that what they may see of the group is not what it was, so that an open stream is held to it.
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
	var taken []int64
	for key, sum := range f.sums.months {
		of, months, taken = append(of, key[0]), append(months, key[1]), append(taken, sum)
	}
	f.batch.Queue(`INSERT INTO rm_group_months (group_id, month, kobo) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
		ON CONFLICT (group_id, month) DO UPDATE SET kobo = rm_group_months.kobo + excluded.kobo`, of, months, taken)
}

func (f *folding) flushSubs() {
	ids, kobo, payments := make([]string, 0, len(f.sums.subs)), make([]int64, 0, len(f.sums.subs)), make([]int64, 0, len(f.sums.subs))
	for id, s := range f.sums.subs {
		ids, kobo, payments = append(ids, id), append(kobo, s.kobo), append(payments, s.payments)
	}
	f.batch.Queue(`UPDATE rm_sub_accounts a SET total_kobo = a.total_kobo + s.kobo, payments = a.payments + s.payments
		FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS s (id, kobo, payments) WHERE a.id = s.id`, ids, kobo, payments)
}

// flushMembers writes the members' totals as they stand so far. Unless they are the batch's last, what comes after them builds on
// their being there.
func (f *folding) flushMembers(last bool) {
	if len(f.sums.members) == 0 {
		return
	}
	var subs, users, groups []string
	var totals []int64
	for key, total := range f.sums.members {
		subs, users, groups, totals = append(subs, key[0]), append(users, key[1]), append(groups, key[2]), append(totals, total)
	}
	const all = "unnest($1::text[], $2::text[], $3::text[], $4::bigint[])"
	const insert = "INSERT INTO rm_contributors (sub_account_id, user_id, group_id, total_kobo) SELECT * FROM " + all +
		" ON CONFLICT (sub_account_id, user_id) DO UPDATE SET total_kobo = excluded.total_kobo"
	if last {
		f.batch.Upsert(len(subs), "UPDATE rm_contributors c SET total_kobo = n.total FROM "+all+
			" AS n (sub_account_id, user_id, group_id, total) WHERE c.sub_account_id = n.sub_account_id AND c.user_id = n.user_id", insert, subs, users, groups, totals)
	} else {
		f.batch.Queue(insert, subs, users, groups, totals)
	}
	clear(f.sums.members)
}
