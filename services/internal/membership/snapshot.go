package membership

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/query"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/usecase"
)

// Snapshot is what the views of some groups are made of, read together. Members and Paid are everybody's, or one user's
// alone.
type Snapshot struct {
	Members map[string][]groups.Member
	Subs    map[string][]groups.SubAccount
	Paid    map[Payer]dues.State
	away    map[[2]string][]groups.Span // By group and user.
	Months  map[string]map[string]money.Kobo
	Today   time.Time
	// verified are the owners with a verified BVN, of groups that wait for one.
	Verified map[string]bool
	Money    GroupMoney       // Read apart: see Reader.GroupMoney.
	Tallies  map[string]Tally // Read apart: see Reader.Tally.
}

// Payer is who pays into what: a group, a user and a sub-account.
type Payer [3]string

// NewSnapshot is a snapshot that nothing was read into yet.
func NewSnapshot(today time.Time) Snapshot {
	return Snapshot{Members: map[string][]groups.Member{}, Subs: map[string][]groups.SubAccount{}, Paid: map[Payer]dues.State{}, Today: today}
}

// queue puts to a batch what depends on the groups' ids alone. With only, no more of the members and what they paid is
// read than that user: a big group is not read for a view that shows one person.
func (c *Snapshot) queue(batch *pgx.Batch, only string, ids ...string) {
	groups.Members(only, ids...).Queue(batch, c.takeMembers)
	groups.SubAccounts(ids...).Queue(batch, c.takeSubs)
	groups.Contributors(only, ids...).Queue(batch, c.takePaid)
	groups.Months(ids, Month(c.Today, -1), Month(c.Today, 0)).Queue(batch, func(taken map[string]map[string]money.Kobo) { c.Months = taken })
	groups.Absences(only, ids...).Queue(batch, c.takeAway)
}

func (c *Snapshot) takeMembers(found []groups.Member) {
	for _, m := range found {
		c.Members[m.GroupID] = append(c.Members[m.GroupID], m)
	}
}

func (c *Snapshot) takeSubs(found []groups.SubAccount) {
	for _, s := range found {
		c.Subs[s.GroupID] = append(c.Subs[s.GroupID], s)
	}
}

func (c *Snapshot) takePaid(found []groups.Contributor) {
	for _, p := range found {
		c.Paid[Payer{p.GroupID, p.User, p.SubAccountID}] = paidOf(p)
	}
}

func (c *Snapshot) takeAway(away map[[2]string][]groups.Span) { c.away = away }

// Snapshot reads the snapshot of groups; only is that of Snapshot.queue.
func (r *Reader) Snapshot(ctx context.Context, only string, gs ...groups.Group) (Snapshot, error) {
	c, batch := NewSnapshot(savings.Day(r.Now())), &pgx.Batch{}
	c.queue(batch, only, GroupIDs(gs)...)
	if err := query.Send(ctx, r.Pool, batch); err != nil {
		return c, err
	}
	var err error
	c.Verified, err = r.verifiedOwners(ctx, gs)
	return c, err
}

// GroupIDs are the groups' ids.
func GroupIDs(gs []groups.Group) []string {
	ids := make([]string, len(gs))
	for i, g := range gs {
		ids[i] = g.ID
	}
	return ids
}

// GroupFor is a group for a user who is in it, with the snapshot of only: see Snapshot.queue. The reads that also
// queues are sent with them, whether or not the user is in the group.
func (r *Reader) GroupFor(ctx context.Context, user, id, only string, also ...func(batch *pgx.Batch, groupID string)) (Snapshot, groups.Group, Seat, error) {
	c, batch := NewSnapshot(savings.Day(r.Now())), &pgx.Batch{}
	none := fault.New(fault.NotFound, "There is no such group.")
	id, err := usecase.ParseID(id, "group")
	if err != nil {
		return c, groups.Group{}, Seat{}, err
	}
	var found []groups.Group
	groups.ByIDs(id).Queue(batch, func(gs []groups.Group) { found = gs })
	c.queue(batch, only, id)
	for _, queue := range also {
		queue(batch, id)
	}
	if err := query.Send(ctx, r.Pool, batch); err != nil {
		return c, groups.Group{}, Seat{}, err
	}
	if len(found) == 0 {
		return c, groups.Group{}, Seat{}, none
	}
	g := found[0]
	if c.Verified, err = r.verifiedOwners(ctx, found); err != nil {
		return c, g, Seat{}, err
	}
	s, in := c.Seat(g, user)
	if !in {
		return c, g, s, none
	}
	return c, g, s, nil
}

// Others begins the snapshot of other members of the same groups.
func (c Snapshot) Others() Snapshot {
	of := NewSnapshot(c.Today)
	of.Subs = c.Subs
	return of
}

// QueueDues puts to a batch what some members of a group paid, and when anybody in it was inactive.
func (c *Snapshot) QueueDues(batch *pgx.Batch, groupID string, users []string) {
	groups.ContributorsAmong(groupID, users).Queue(batch, c.takePaid)
	groups.Absences("", groupID).Queue(batch, c.takeAway)
}

// Among is the snapshot of some of a group's members.
func (r *Reader) Among(ctx context.Context, c Snapshot, g groups.Group, users []string) (Snapshot, error) {
	of, batch := c.Others(), &pgx.Batch{}
	groups.MembersAmong(g.ID, users).Queue(batch, of.takeMembers)
	of.QueueDues(batch, g.ID, users)
	err := query.Send(ctx, r.Pool, batch)
	return of, err
}

// Month is the YYYY-MM so many months from a day.
func Month(day time.Time, offset int) string {
	return time.Date(day.Year(), day.Month()+time.Month(offset), 1, 0, 0, 0, 0, time.UTC).Format("2006-01")
}

// Seat is a user's role and status in a group.
type Seat struct {
	Member   groups.Member
	Role     GroupRole
	Official bool // Owner, approver or validator: always sees the totals.
}

// Seat is what a user is in one of the groups; false where they are not in it.
func (c Snapshot) Seat(g groups.Group, user string) (Seat, bool) {
	for _, m := range c.Members[g.ID] {
		if m.User == user {
			role := RoleOf(g, user)
			return Seat{m, role, role != GroupRoleMEMBER}, true
		}
	}
	return Seat{}, false
}

// RoleOf says what a member is in a group.
func RoleOf(g groups.Group, user string) GroupRole {
	switch {
	case user == g.Owner:
		return GroupRoleOWNER
	case user == g.Validator:
		return GroupRoleVALIDATOR
	case slices.Contains(g.Approvers, user):
		return GroupRoleAPPROVER
	default:
		return GroupRoleMEMBER
	}
}

// SeesTotal says whether the group's total may be shown to an onlooker. A hidden sub-account hides the group's total
// too, which would tell it.
func (c Snapshot) SeesTotal(g groups.Group, official bool) bool {
	if official {
		return true
	}
	for _, s := range c.Subs[g.ID] {
		if !s.ShowTotal {
			return false
		}
	}
	return g.ShowTotal
}

// Active reports an active member.
func (s Seat) Active() bool { return s.Member.Status == string(savings.Active) }

// verifiedOwners are those with a verified BVN among the owners of groups that wait to become active.
func (r *Reader) verifiedOwners(ctx context.Context, gs []groups.Group) (map[string]bool, error) {
	verified := map[string]bool{}
	for _, g := range gs {
		if _, known := verified[g.Owner]; known || g.Status != string(savings.PendingApproval) {
			continue
		}
		owner, err := r.AccountState(ctx, g.Owner)
		if err != nil {
			return nil, err
		}
		verified[g.Owner] = owner.Bvn == account.Verified
	}
	return verified, nil
}

// GroupMoney is what groups hold and how much of their payments is audited, by their ids.
type GroupMoney struct {
	Pools   map[string]requests.Pool // By sub-account.
	audited map[string]GroupAudit
}

// GroupMoney reads it of the groups of a snapshot.
func (r *Reader) GroupMoney(ctx context.Context, c Snapshot, gs ...groups.Group) (GroupMoney, error) {
	m, batch := GroupMoney{}, &pgx.Batch{}
	m.Queue(batch, c.Subs, GroupIDs(gs)...)
	err := query.Send(ctx, r.Pool, batch)
	return m, err
}

// Queue puts to a batch what groups with these sub-accounts hold.
func (m *GroupMoney) Queue(batch *pgx.Batch, subs map[string][]groups.SubAccount, groupIDs ...string) {
	var ids []string
	for _, list := range subs {
		for _, s := range list {
			ids = append(ids, s.ID)
		}
	}
	requests.Pools(ids...).Queue(batch, func(pools map[string]requests.Pool) { m.Pools = pools })
	groups.Coverages(groupIDs...).Queue(batch, func(months []groups.Coverage) {
		m.audited = map[string]GroupAudit{}
		for _, c := range months {
			audit := m.audited[c.Group]
			m.audited[c.Group] = GroupAudit{Total: audit.Total + c.Total, Reviewed: audit.Reviewed + c.Reviewed()}
		}
	})
}

// Of is what a group's sub-accounts hold together.
func (m GroupMoney) Of(subs []groups.SubAccount) requests.Pool {
	var pool requests.Pool
	for _, s := range subs {
		pool.Available, pool.Held = pool.Available+m.Pools[s.ID].Available, pool.Held+m.Pools[s.ID].Held
	}
	return pool
}

// Show puts a group's balances and its audit to its view, for those who see its total: payments counted tell it.
func (m GroupMoney) Show(view *Group, subs []groups.SubAccount) {
	pool := m.Of(subs)
	view.ActiveBalance, view.BookBalance = usecase.NairaPtr(pool.Available), usecase.NairaPtr(pool.Book())
	audit := m.audited[view.Id]
	view.Audit = &audit
}

// SubAccountIDs are the sub-accounts' ids.
func SubAccountIDs(subs []groups.SubAccount) []string {
	ids := make([]string, len(subs))
	for i, s := range subs {
		ids[i] = s.ID
	}
	return ids
}

// Users are the members' ids.
func Users(members []groups.Member) []string {
	users := make([]string, len(members))
	for i, m := range members {
		users[i] = m.User
	}
	return users
}
