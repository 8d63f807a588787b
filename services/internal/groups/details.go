package groups

import (
	"context"
	"slices"
	"sort"
	"strconv"
	"time"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
)

// GroupDetails returns a group with its officials and its open matters. A person who is not a member yet, or inactive,
// sees only the group.
func (s *Service) GroupDetails(ctx context.Context, user, groupID string) (GroupDetails, error) {
	out := GroupDetails{Officials: []Member{}}
	c, g, seat, err := s.Membership.GroupFor(ctx, user, groupID, user)
	if err != nil {
		return out, err
	}
	if c.Money, err = s.Membership.GroupMoney(ctx, c, g); err != nil {
		return out, err
	}
	if c.Tallies, err = s.Membership.Tally(ctx, c.Today, g); err != nil {
		return out, err
	}
	out.Group = s.groupView(c, g, seat)
	reason, err := groups.Reason(ctx, s.Pool, g.ID)
	if err != nil {
		return out, err
	}
	out.StatusReason = usecase.OrNil(reason)
	if !seat.Active() {
		return out, nil
	}
	out.SubAccounts = len(c.Subs[g.ID])
	holders, err := groups.MembersAmong(g.ID, append([]string{g.Validator}, g.Approvers...)).Read(ctx, s.Pool)
	if err != nil {
		return out, err
	}
	if out.Officials, err = s.memberViews(ctx, c, g, seat, holders); err != nil {
		return out, err
	}
	if err := s.decisions(ctx, g.ID, &out); err != nil || !seat.Official {
		return out, err
	}
	return out, s.goingOn(ctx, user, g.ID, &out)
}

// decisions adds how long payments of a group wait, and whose office counts for money now.
func (s *Service) decisions(ctx context.Context, groupID string, out *GroupDetails) error {
	g, err := s.GroupState(ctx, groupID)
	if err != nil {
		return err
	}
	now := s.Now()
	hours := int(g.Notice.At(now) / time.Hour)
	out.NoticeHours = &hours
	if g.Notice.Set && g.Notice.Hours != hours {
		next, from := g.Notice.Hours, g.Notice.CountsFrom.UTC()
		out.NoticeNext, out.NoticeNextFrom = &next, &from
	}
	able := []string{}
	for _, user := range usecase.UniqueIDs(append([]string{g.Validator}, g.Approvers...)) {
		holder, err := s.AccountState(ctx, user)
		if err != nil {
			return err
		}
		if holder.Bvn == account.Verified && g.Held(user, now.Add(-savings.CoolOff)) {
			able = append(able, user)
		}
	}
	out.MayDecide = &able
	return nil
}

// goingOn adds the open matters of a group's officials.
func (s *Service) goingOn(ctx context.Context, user, groupID string, out *GroupDetails) error {
	counts, err := groups.Counts(ctx, s.Pool, groupID)
	if err != nil {
		return err
	}
	invited, err := s.typedIn(ctx, []string{groupID}, waitingMax)
	if err != nil {
		return err
	}
	out.Waiting, out.Invited, out.Inactive = counts[string(savings.Pending)], len(invited), counts[string(savings.Inactive)]
	g, err := s.GroupState(ctx, groupID)
	if err != nil {
		return err
	}
	out.OwnershipOfferedTo, out.OwnershipOffer = usecase.OrNil(g.Offered), usecase.OrNil(string(g.Offer()))
	seen, err := s.People.SeenAt(ctx, g.Owner)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	if err == nil && s.Now().Sub(seen) >= savings.AwayFor {
		since := seen.UTC()
		out.OwnerAwaySince = &since
	}
	if g.Succession.Candidate == "" {
		return nil
	}
	cards, err := s.People.Cards(ctx, []string{g.Succession.Candidate})
	out.Succession = &Succession{
		Version: string(g.Vote()), CandidateId: g.Succession.Candidate, CandidateName: usecase.FullName(cards, g.Succession.Candidate), Votes: g.Votes(), Needed: g.Needed(),
		Voted: g.Succession.Voted(user),
	}
	return err
}

// waitingMax limits how many waiting people are returned at once.
const waitingMax = 500

// Pending returns what is pending in a group, or, with the user's own id, in all their groups: the groups that are not
// active yet, the people who wait to be admitted, and the people who are invited.
func (s *Service) Pending(ctx context.Context, user, id string) (PendingGroupSavings, error) {
	out := PendingGroupSavings{Groups: []Group{}, Members: []WaitingMember{}, Invited: []WaitingMember{}}
	c, gs, err := s.pendingIn(ctx, user, id)
	if err != nil {
		return out, err
	}
	waiting := slices.DeleteFunc(slices.Clone(gs), func(g groups.Group) bool { return g.Status != string(savings.PendingApproval) })
	if c.Money, err = s.Membership.GroupMoney(ctx, c, waiting...); err != nil {
		return out, err
	}
	if c.Tallies, err = s.Membership.Tally(ctx, c.Today, waiting...); err != nil {
		return out, err
	}
	official := map[string]groups.Group{}
	ids := []string{}
	for _, g := range gs {
		seat, in := c.Seat(g, user)
		if in && g.Status == string(savings.PendingApproval) {
			out.Groups = append(out.Groups, s.groupView(c, g, seat))
		}
		if in && seat.Official {
			official[g.ID], ids = g, append(ids, g.ID)
		}
	}
	if out.Members, err = s.waiting(ctx, official, ids); err != nil {
		return out, err
	}
	out.Invited, err = s.invitations(ctx, ids, func(group string) string { return official[group].Name })
	return out, err
}

// pendingIn returns the groups of Pending, with their snapshot.
func (s *Service) pendingIn(ctx context.Context, user, id string) (membership.Snapshot, []groups.Group, error) {
	if id != user {
		c, g, seat, err := s.Membership.GroupFor(ctx, user, id, user)
		if err == nil && !seat.Official {
			err = fault.New(fault.Forbidden, "Only the owner, an approver or the validator of the group can do this.")
		}
		return c, []groups.Group{g}, err
	}
	gs, err := groups.OfUser(ctx, s.Pool, user)
	if err != nil {
		return membership.Snapshot{}, nil, err
	}
	c, err := s.Membership.Snapshot(ctx, user, gs...)
	return c, gs, err
}

// waiting returns the people who wait to join groups, in the order in which they came.
func (s *Service) waiting(ctx context.Context, of map[string]groups.Group, ids []string) ([]WaitingMember, error) {
	out := []WaitingMember{}
	rows, err := groups.WaitingIn(ctx, s.Pool, ids, string(savings.Pending), waitingMax)
	if err != nil {
		return out, err
	}
	users := make([]string, len(rows))
	for i, r := range rows {
		users[i] = r.User
	}
	cards, err := s.People.Cards(ctx, users)
	if err != nil {
		return out, err
	}
	views := make([]Member, len(rows))
	for i, r := range rows {
		since := r.Since.UTC()
		views[i] = Member{
			UserId: r.User, FirstName: cards[r.User].FirstName, LastName: cards[r.User].LastName, Role: MemberRoleMEMBER,
			Status: MemberStatus(r.Status), DateJoined: &since,
		}
	}
	if err := s.Membership.ShowAvatars(ctx, users, views); err != nil {
		return out, err
	}
	for i, r := range rows {
		out = append(out, WaitingMember{GroupId: r.GroupID, GroupName: of[r.GroupID].Name, Member: views[i]})
	}
	return out, nil
}

// InactiveMembers returns a page of a group's inactive members, with the money that they still have in it.
func (s *Service) InactiveMembers(ctx context.Context, user, groupID string, before *string, limit int) (MemberPage, error) {
	out := MemberPage{Members: []Member{}}
	after, err := usecase.Cursor(before)
	if err != nil {
		return out, err
	}
	c, g, seat, err := s.Membership.GroupFor(ctx, user, groupID, user)
	if err != nil {
		return out, err
	}
	if !seat.Official {
		return out, fault.New(fault.Forbidden, "Only the owner, an approver or the validator of the group can do this.")
	}
	counts, err := groups.Counts(ctx, s.Pool, g.ID)
	if err != nil {
		return out, err
	}
	out.Count = counts[string(savings.Inactive)]
	rows, err := groups.WaitingAfter(ctx, s.Pool, g.ID, string(savings.Inactive), after, limit+1)
	if err != nil {
		return out, err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		out.Next = usecase.OrNil(strconv.FormatInt(rows[limit-1].Pos, 10))
	}
	members := make([]groups.Member, len(rows))
	for i, r := range rows {
		members[i] = groups.Member{GroupID: r.GroupID, User: r.User, Pos: r.Pos, Status: r.Status, Since: r.Since}
	}
	out.Members, err = s.memberViews(ctx, c, g, seat, members)
	return out, err
}

// glance reads a leaving member's money in a decider's view, and decides nothing.
type glance struct {
	dues.LeaveGroup
	group  *savings.Group
	member *savings.Member
	out    *Leaving
}

// Decide implements event.Command.
func (c glance) Decide(v event.View) ([]event.Draft, error) {
	*c.group = event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID))
	*c.member = event.StateOf[savings.Member](v, savings.MemberStream(c.GroupID, c.User))
	stakes, owed, saved := c.Stakes(v)
	c.out.Reasons, c.out.Owed, c.out.Saved = c.InTheWay(v), usecase.Naira(owed), usecase.Naira(saved)
	for _, s := range stakes {
		c.out.SubAccounts = append(c.out.SubAccounts, stakeView(s))
	}
	free := len(c.out.Reasons) == 0 && c.member.Status == savings.Active
	forfeit := free && saved > 0
	c.out.MayLeave, c.out.MayForfeit = free && saved == 0, &forfeit
	return nil, nil
}

func stakeView(s dues.Stake) LeavingStake {
	return LeavingStake{Id: s.SubAccountID, Owed: usecase.Naira(s.Owed), Saved: usecase.Naira(s.Saved)}
}

// Leaving returns what must be settled before a member can leave.
func (s *Service) Leaving(ctx context.Context, user, groupID string) (Leaving, error) {
	out := Leaving{}
	leave, subs, err := s.leaving(ctx, user, groupID)
	if err != nil {
		return out, err
	}
	var (
		g savings.Group
		m savings.Member
	)
	if _, err := s.Ledger.DryRun(ctx, glance{leave, &g, &m, &out}); err != nil {
		return out, err
	}
	switch m.Status {
	case savings.Active, savings.Inactive:
	case savings.None:
		return out, fault.New(fault.NotFound, noSuchGroup)
	default:
		return out, fault.New(fault.Forbidden, "You are not a member of this group yet.")
	}
	if m.Status == savings.Inactive {
		out.Reasons = append(out.Reasons, "You are inactive. An approver makes you active again, and then you can leave.")
	}
	// In the order of the group's page.
	at := func(id string) int {
		return slices.IndexFunc(subs, func(sub groups.SubAccount) bool { return sub.ID == id })
	}
	for i := range out.SubAccounts {
		if n := at(out.SubAccounts[i].Id); n >= 0 {
			out.SubAccounts[i].Name = subs[n].Name
		}
	}
	sort.SliceStable(out.SubAccounts, func(i, j int) bool { return at(out.SubAccounts[i].Id) < at(out.SubAccounts[j].Id) })
	held, err := s.heldFor(ctx, leave.GroupID, user)
	out.Held = usecase.Naira(held)
	return out, err
}

// leaving returns the command of a leaving member, and the group's sub-accounts.
func (s *Service) leaving(ctx context.Context, user, groupID string) (dues.LeaveGroup, []groups.SubAccount, error) {
	id, err := usecase.ParseID(groupID, "group")
	if err != nil {
		return dues.LeaveGroup{}, nil, err
	}
	subs, err := groups.SubAccounts(id).Read(ctx, s.Pool)
	if err != nil {
		return dues.LeaveGroup{}, nil, err
	}
	leave := dues.LeaveGroup{GroupID: id, User: user, Now: s.Now()}
	leave.SubAccounts, err = s.subAccountsOf(ctx, id)
	return leave, subs, err
}

// heldFor returns the money that is held for a member's own open request.
func (s *Service) heldFor(ctx context.Context, groupID, user string) (money.Kobo, error) {
	state, err := s.Ledger.Load(ctx, savings.RequestsStream(groupID, user))
	if err != nil {
		return 0, err
	}
	open := state.(savings.OpenRequests)
	if open.Withdrawal == "" {
		return 0, nil
	}
	l, err := s.LiquidationState(ctx, open.Withdrawal)
	return l.Amount, err
}
