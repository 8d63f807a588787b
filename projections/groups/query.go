package groups

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/letters"
	"adashi.ng/ledger/base/money"
	"adashi.ng/projections/query"
)

// Group is one group's row.
type Group struct {
	ID                    string
	Pos                   int64
	Owner                 string
	Name, Description     string
	Amount                money.Kobo
	Capacity              int
	StartMonth, StartYear int
	ShowTotal             bool
	Status, Validator     string
	Members               int // Active ones.
	Total                 money.Kobo
	CreatedAt             time.Time
	Approvers             []string // The owner is one.
	// The group's view for outsiders in search.
	Findable, ShowTerms, ShowTotals bool

	Changes int64 // How many events were about it: if this is unchanged, so is everything here.
}

const groupColumns = "g.id, g.pos, g.owner_id, g.name, g.description, g.kobo, g.capacity, g.start_month, g.start_year, g.show_total, g.status, g.validator_id, g.members, g.total_kobo, g.created_at, g.approvers, g.findable, g.show_terms, g.show_totals, g.changes"

// Member is a membership.
type Member struct {
	GroupID, User string
	Pos           int64
	Status        string // PENDING or ACTIVE.
	Since         time.Time
}

// SubAccount is one sub-account's row.
type SubAccount struct {
	ID                string
	Pos               int64
	GroupID           string
	Name, Description string
	Type              nairav1.PaymentType
	Frequency         nairav1.PaymentFrequency
	Amount            money.Kobo
	FirstDue          string // YYYY-MM-DD.
	ShowTotal         bool
	Total             money.Kobo
	Payments          int
	GraceDays         int
	PenaltyType       nairav1.FeeType
	Penalty           money.Kobo
	PenaltyPoints     int
	OpenedAt          time.Time
}

const subColumns = "s.id, s.pos, s.group_id, s.name, s.description, s.payment_type, s.payment_frequency, s.kobo, s.first_due, s.show_total, s.total_kobo, s.payments, s.grace_days, s.penalty_type, s.penalty_kobo, s.penalty_points, s.opened_at"

// ErrNone is returned for a group that does not exist.
var ErrNone = errors.New("groups: no such group")

// One reads a group by id.
func One(ctx context.Context, pool *pgxpool.Pool, id string) (Group, error) {
	rows, err := pool.Query(ctx, "SELECT "+groupColumns+" FROM rm_groups g WHERE g.id = $1", id)
	if err != nil {
		return Group{}, err
	}
	g, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Group])
	if errors.Is(err, pgx.ErrNoRows) {
		return g, ErrNone
	}
	return g, err
}

// OfUser reads the groups that a user is in or waits for, newest first.
func OfUser(ctx context.Context, pool *pgxpool.Pool, userID string) ([]Group, error) {
	return query.List[Group]("SELECT "+groupColumns+" FROM rm_groups g JOIN rm_members m ON m.group_id = g.id WHERE m.user_id = $1 ORDER BY g.pos DESC", userID).Read(ctx, pool)
}

// ByIDs reads groups by id.
func ByIDs(ids ...string) query.Of[[]Group] {
	where, arg := query.In("g.id", ids)
	return query.List[Group]("SELECT "+groupColumns+" FROM rm_groups g WHERE "+where, arg)
}

// Search reads active groups whose name contains a text, regardless of case and accents, newest first: those that
// anybody may find, and the user's own. Without text all of them match.
func Search(ctx context.Context, pool *pgxpool.Pool, userID, text string, limit int) ([]Group, error) {
	return query.List[Group]("SELECT "+groupColumns+` FROM rm_groups g
		WHERE g.status = 'ACTIVE' AND ($4 OR $1 <> '' AND strpos(g.folded, $1) > 0)
			AND (g.findable OR EXISTS (SELECT FROM rm_members m WHERE m.group_id = g.id AND m.user_id = $3 AND m.status = 'ACTIVE'))
		ORDER BY g.pos DESC LIMIT $2`, letters.Folded(text), limit, userID, strings.TrimSpace(text) == "").Read(ctx, pool)
}

// From reads the ids of at most limit groups from an id on, in order, and then continues with the first ones.
func From(ctx context.Context, pool *pgxpool.Pool, id string, limit int) ([]string, error) {
	rows, err := pool.Query(ctx, `(SELECT id FROM rm_groups WHERE id >= $1 ORDER BY id LIMIT $2) UNION ALL
		(SELECT id FROM rm_groups WHERE id < $1 ORDER BY id LIMIT $2) LIMIT $2`, id, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// OwnedWaiting reads the ids of the groups of an owner that wait to become active.
func OwnedWaiting(ctx context.Context, pool *pgxpool.Pool, owner string) ([]string, error) {
	rows, err := pool.Query(ctx, "SELECT id FROM rm_groups WHERE owner_id = $1 AND status = 'PENDING_APPROVAL' ORDER BY pos", owner)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// only is the condition for rows of some groups, and of one user if one is given: two different statements, so that
// each keeps a plan of its own.
func only(userID string, groupIDs []string) (where string, args []any) {
	where, arg := query.In("group_id", groupIDs)
	if userID == "" {
		return where, []any{arg}
	}
	return where + " AND user_id = $2", []any{arg, userID}
}

// Members reads the members of groups, pending ones too, in the order they came; only one user when userID is given.
func Members(userID string, groupIDs ...string) query.Of[[]Member] {
	where, args := only(userID, groupIDs)
	return query.New(members, "SELECT "+memberColumns+" FROM rm_members WHERE "+where+" ORDER BY pos", args...)
}

// FirstMembers reads the first members of a group in the order they came, at most limit, as a viewer in the group may
// see them: only officials see members who are not active.
func FirstMembers(groupID, viewer string, limit int) query.Of[[]Member] {
	return query.New(members, "SELECT "+memberColumns+` FROM rm_members WHERE group_id = $1 AND (status = 'ACTIVE'
		OR (SELECT $2 IN (owner_id, validator_id) OR $2 = ANY(approvers) FROM rm_groups WHERE id = $1)) ORDER BY pos LIMIT $3`, groupID, viewer, limit)
}

// MembersAmong reads the given users who are in a group, in the order they came.
func MembersAmong(groupID string, users []string) query.Of[[]Member] {
	return query.New(members, "SELECT "+memberColumns+" FROM rm_members WHERE group_id = $1 AND user_id = ANY($2) ORDER BY pos", groupID, users)
}

const memberColumns = "group_id, user_id, pos, status, since"

func members(rows pgx.Rows) ([]Member, error) {
	var (
		out []Member
		m   Member
	)
	_, err := pgx.ForEachRow(rows, []any{&m.GroupID, &m.User, &m.Pos, &m.Status, &m.Since}, func() error {
		out = append(out, m)
		return nil
	})
	return out, err
}

// Memberships reads the groups a user is in or waits for.
func Memberships(ctx context.Context, pool *pgxpool.Pool, userID string) ([]Member, error) {
	return query.New(members, "SELECT "+memberColumns+" FROM rm_members WHERE user_id = $1", userID).Read(ctx, pool)
}

// Ever reads the groups that a user is or was in, waits for, or was invited to.
func Ever(ctx context.Context, pool *pgxpool.Pool, userID string) ([]string, error) {
	rows, err := pool.Query(ctx, `SELECT group_id FROM rm_members WHERE user_id = $1
		UNION SELECT group_id FROM rm_past_members WHERE user_id = $1 ORDER BY group_id`, userID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// Heard reads the groups whose every change a user may hear of: those whose totals they may see. Each payment is a
// change, so counting them would reveal a hidden total.
func Heard(ctx context.Context, pool *pgxpool.Pool, userID string) ([]string, error) {
	rows, err := pool.Query(ctx, `SELECT g.id FROM rm_members m JOIN rm_groups g ON g.id = m.group_id
		WHERE m.user_id = $1 AND m.status = 'ACTIVE' AND (m.user_id = g.validator_id OR m.user_id = ANY(g.approvers) OR g.show_total
			AND NOT EXISTS (SELECT FROM rm_sub_accounts s WHERE s.group_id = g.id AND NOT s.show_total))`, userID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// SubAccounts reads the sub-accounts of groups, oldest first.
func SubAccounts(groupIDs ...string) query.Of[[]SubAccount] {
	where, arg := query.In("s.group_id", groupIDs)
	return query.List[SubAccount]("SELECT "+subColumns+" FROM rm_sub_accounts s WHERE "+where+" ORDER BY s.pos", arg)
}

// SubAccountsByID reads sub-accounts by id.
func SubAccountsByID(ids ...string) query.Of[[]SubAccount] {
	return query.List[SubAccount]("SELECT "+subColumns+" FROM rm_sub_accounts s WHERE s.id = ANY($1)", ids)
}

// Months reads the income of groups by month (YYYY-MM, Lagos) from one to another, by group.
func Months(groupIDs []string, from, to string) query.Of[map[string]map[string]money.Kobo] {
	where, arg := query.In("group_id", groupIDs)
	return query.New(takenIn, "SELECT group_id, month, kobo FROM rm_group_months WHERE "+where+" AND month BETWEEN $2 AND $3", arg, from, to)
}

func takenIn(rows pgx.Rows) (map[string]map[string]money.Kobo, error) {
	out := map[string]map[string]money.Kobo{}
	var (
		group, month string
		kobo         money.Kobo
	)
	_, err := pgx.ForEachRow(rows, []any{&group, &month, &kobo}, func() error {
		if out[group] == nil {
			out[group] = map[string]money.Kobo{}
		}
		out[group][month] = kobo
		return nil
	})
	return out, err
}

// Share reports whether a viewer is an active member of a group that an owner is in, or asks to be in. An invited
// person has not accepted yet.
func Share(ctx context.Context, pool *pgxpool.Pool, viewer, owner string) (shared bool, err error) {
	err = pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM rm_members v JOIN rm_members o ON o.group_id = v.group_id
		WHERE v.user_id = $1 AND v.status = 'ACTIVE' AND o.user_id = $2 AND o.status <> 'INVITED')`, viewer, owner).Scan(&shared)
	return shared, err
}

// Named reads those of some sub-accounts, and of their groups, whose names contain a text, regardless of case and
// accents.
func Named(ctx context.Context, pool *pgxpool.Pool, among []string, text string) (groupIDs, subIDs []string, err error) {
	err = pool.QueryRow(ctx, `SELECT coalesce(array_agg(DISTINCT g.id) FILTER (WHERE $2 <> '' AND strpos(g.folded, $2) > 0), '{}'),
		coalesce(array_agg(DISTINCT s.id) FILTER (WHERE $2 <> '' AND strpos(s.folded, $2) > 0), '{}')
		FROM rm_sub_accounts s JOIN rm_groups g ON g.id = s.group_id WHERE s.id = ANY($1)`, among, letters.Folded(text)).Scan(&groupIDs, &subIDs)
	return groupIDs, subIDs, err
}
