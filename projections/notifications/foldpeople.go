package notifications

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

// The types about who is in a group, and what becomes of it.
const (
	MemberInvited     = "member_invited"
	MemberDeactivated = "member_deactivated"
	MemberLeft        = "member_left"
	RoleChanged       = "role_changed"
	VisibilityChanged = "visibility_changed"
	GroupChanged      = "group_changed"
)

// What a notification about people is about: its detail begins with one of these, and a reason may follow after a
// space.
const (
	Accepted    = "ACCEPTED" // An invitation, of member_joined.
	Reactivated = "REACTIVATED"
	TurnedDown  = "REJECTED"
	Approver    = "APPROVER"
	NoApprover  = "NO_APPROVER"
	NoValidator = "NO_VALIDATOR"
	// Everybody else in the group is told of an office that changed hands.
	NewValidator  = "NEW_VALIDATOR"
	NewApprover   = "NEW_APPROVER"
	LeftApprover  = "LEFT_APPROVER"
	NewOwner      = "NEW_OWNER"
	NoticeChanged = "NOTICE" // Of group_changed; the hours follow.
	Offered       = "OFFERED"
	OfferEnded    = "OFFER_ENDED"
	Owner         = "OWNER"
	NoOwner       = "NO_OWNER"
	VoteOpen      = "VOTE_OPEN"
	VoteEnded     = "VOTE_ENDED"
	Shown         = "SHOWN"
	HiddenTotal   = "HIDDEN"
	InSearch      = "SEARCH" // What is shown there follows: NOT_FOUND, or FOUND with TERMS, TOTALS, both or neither.
	Suspended     = "SUSPENDED"
	Resumed       = "RESUMED"
	Rejected      = "REJECTED"
	Cancelled     = "CANCELLED"
	Closing       = "CLOSING"
	Closed        = "CLOSED"
)

// The roles that are remembered of people in groups. An owner is an approver too.
const (
	invitee  = "INVITED"
	member   = "MEMBER"
	approves = "APPROVER"
)

// people is who is in the groups that a batch is about.
type people struct {
	roles map[string]map[string]string // Group, user.
	batch *pgx.Batch                   // What is written goes into it.
}

// peopleOf reads who was in the groups before the batch: all of a group that a batch tells everybody of, and otherwise
// those who are more than members.
func peopleOf(ctx context.Context, tx pgx.Tx, batch *pgx.Batch, events []engine.Event) (*people, error) {
	p := &people{roles: map[string]map[string]string{}, batch: batch}
	var some, all []string
	for _, e := range events {
		switch group, everybody := lifeOf(e.Message); {
		case everybody:
			all = append(all, group)
		case group != "":
			some = append(some, group)
		}
	}
	if len(some)+len(all) == 0 {
		return p, nil
	}
	rows, err := tx.Query(ctx, `SELECT group_id, user_id, role FROM rm_notified_people WHERE group_id = ANY($1) AND role <> 'MEMBER'
		UNION SELECT group_id, user_id, role FROM rm_notified_people WHERE group_id = ANY($2)`, some, all)
	if err != nil {
		return p, err
	}
	var group, user, role string
	_, err = pgx.ForEachRow(rows, []any{&group, &user, &role}, func() error { p.note(group, user, role); return nil })
	return p, err
}

// grouped is an event of a group.
type grouped interface{ GetGroupId() string }

// lifeOf answers the group whose people an event is about, and whether everybody in it is told.
func lifeOf(m proto.Message) (group string, everybody bool) {
	switch m := m.(type) {
	case *nairav1.GroupSuspended, *nairav1.GroupResumed, *nairav1.GroupRejected, *nairav1.GroupCancelled, *nairav1.GroupClosing, *nairav1.GroupClosed,
		*nairav1.GroupVisibilitySet, *nairav1.GroupSearchViewSet, *nairav1.SubAccountVisibilitySet, *nairav1.GroupActivated, *nairav1.GroupNoticeSet,
		*nairav1.ValidatorAppointed, *nairav1.ApproverAppointed, *nairav1.ApproverRemoved, *nairav1.OwnershipPassed, *nairav1.SuccessionProposed:
		return m.(grouped).GetGroupId(), true
	case *nairav1.MembershipRequested, *nairav1.MemberExited, *nairav1.OwnershipOfferEnded, *nairav1.SuccessionEnded:
		return m.(grouped).GetGroupId(), false
	case *nairav1.LiquidationDecidersFixed:
		return m.GetGroupId(), m.GetPayableFrom() != nil
	case *nairav1.LiquidationObjected:
		return m.GetGroupId(), m.GetObjections() >= m.GetNeeded()
	case *nairav1.LiquidationAnswered:
		return m.GetGroupId(), m.GetAnswers() >= m.GetNeeded()
	case *nairav1.LiquidationPaidV2:
		return m.GetGroupId(), m.GetKind() == nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT
	case aboutRequest:
		return m.GetGroupId(), false
	default:
		return "", false
	}
}

func (p *people) note(group, user, role string) {
	if p.roles[group] == nil {
		p.roles[group] = map[string]string{}
	}
	p.roles[group][user] = role
}

// set keeps a user's role in a group; nothing when role is empty.
func (p *people) set(group, user, role string) {
	if role == "" {
		delete(p.roles[group], user)
		p.batch.Queue("DELETE FROM rm_notified_people WHERE group_id = $1 AND user_id = $2", group, user)
		return
	}
	p.note(group, user, role)
	p.batch.Queue(`INSERT INTO rm_notified_people (group_id, user_id, role) VALUES ($1, $2, $3) ON CONFLICT (group_id, user_id) DO UPDATE SET role = excluded.role`, group, user, role)
}

// tell addresses a notification to those of some roles and to others named, each once, but not to some.
func (p *people) tell(n note, roles, others []string, but ...string) (out []note) {
	users := slices.Clone(others)
	for user, role := range p.roles[n.group] {
		if slices.Contains(roles, role) {
			users = append(users, user)
		}
	}
	slices.Sort(users)
	for _, user := range slices.Compact(users) {
		if user != "" && !slices.Contains(but, user) {
			n.user = user
			out = append(out, n)
		}
	}
	return out
}

// approvers are those of a group.
func (p *people) approvers(group string) []string {
	users := []string{}
	for user, role := range p.roles[group] {
		if role == approves {
			users = append(users, user)
		}
	}
	return users
}

// officials tells the owner, the approvers and the validator.
func (p *people) officials(o *officials, n note, but ...string) []note {
	return p.tell(n, []string{approves}, []string{o.holder(n.group, owner), o.holder(n.group, validator)}, but...)
}

// peopleHandlers tell of who comes and goes, and remember it.
var peopleHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupCreated) {
		f.people.set(m.GetGroupId(), m.GetOwnerId(), approves)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MemberInvited) {
		f.people.set(m.GetGroupId(), m.GetUserId(), invitee)
		f.say(note{typ: MemberInvited, user: m.GetUserId(), about: m.GetInvitedBy(), group: m.GetGroupId()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.InvitationDeclined) {
		f.people.set(m.GetGroupId(), m.GetUserId(), "")
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.InvitationExpired) {
		f.people.set(m.GetGroupId(), m.GetUserId(), "")
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MembershipRequested) {
		n := note{typ: MemberJoined, about: m.GetUserId(), group: m.GetGroupId()}
		if f.people.roles[m.GetGroupId()][m.GetUserId()] == invitee {
			n.detail = Accepted
			f.people.set(m.GetGroupId(), m.GetUserId(), "")
		}
		f.say(f.people.tell(n, []string{approves}, []string{f.officials.holder(n.group, owner)}, m.GetUserId())...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MembershipApproved) {
		if m.GetApprovedBy() != m.GetUserId() { // The founder is there already.
			f.people.set(m.GetGroupId(), m.GetUserId(), member)
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MembershipRejected) {
		if m.GetRejectedBy() == m.GetUserId() {
			return // They took it back.
		}
		f.say(note{typ: MemberLeft, user: m.GetUserId(), group: m.GetGroupId(), detail: because(TurnedDown, m.GetReason())})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MemberDeactivated) {
		f.say(note{typ: MemberDeactivated, user: m.GetUserId(), about: m.GetDeactivatedBy(), group: m.GetGroupId(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MemberReactivated) {
		f.say(note{typ: MemberApproved, user: m.GetUserId(), about: m.GetReactivatedBy(), group: m.GetGroupId(), detail: Reactivated})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MemberExited) {
		f.people.set(m.GetGroupId(), m.GetUserId(), "")
		f.say(f.people.officials(f.officials, note{typ: MemberLeft, about: m.GetUserId(), group: m.GetGroupId(), kobo: m.GetForfeitedKobo()})...)
	}),
}

// because is a detail and the reason that was given for it.
func because(detail, reason string) string { return strings.TrimSpace(detail + " " + reason) }

// role is a notification about an office.
func role(user, about, group, detail string) note {
	return note{typ: RoleChanged, user: user, about: about, group: group, detail: detail}
}

// others tells everybody else in a group of an office that changed hands.
func (p *people) others(about, group, detail string, but ...string) []note {
	return p.tell(role("", about, group, detail), everyone, nil, append(but, about)...)
}

// officeHandlers tell of offices that change hands.
var officeHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ValidatorAppointed) {
		f.say(f.others(m.GetUserId(), m.GetGroupId(), NewValidator, m.GetAppointedBy(), f.officials.before)...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ApproverAppointed) {
		f.people.set(m.GetGroupId(), m.GetUserId(), approves)
		f.say(append(f.others(m.GetUserId(), m.GetGroupId(), NewApprover, m.GetAppointedBy()), role(m.GetUserId(), m.GetAppointedBy(), m.GetGroupId(), Approver))...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ApproverRemoved) {
		f.people.set(m.GetGroupId(), m.GetUserId(), member)
		told := f.others(m.GetUserId(), m.GetGroupId(), LeftApprover, m.GetRemovedBy())
		if m.GetRemovedBy() != m.GetUserId() {
			told = append(told, role(m.GetUserId(), m.GetRemovedBy(), m.GetGroupId(), NoApprover))
		}
		f.say(told...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.OwnershipOffered) {
		f.say(role(m.GetToUserId(), m.GetOfferedBy(), m.GetGroupId(), Offered))
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.OwnershipOfferEnded) {
		other := m.GetToUserId()
		if m.GetEndedBy() == other {
			other = f.officials.holder(m.GetGroupId(), owner)
		}
		f.say(role(other, m.GetEndedBy(), m.GetGroupId(), OfferEnded))
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.OwnershipPassed) {
		f.officials.set(m.GetGroupId(), owner, m.GetToUserId(), e.Pos)
		told := f.others(m.GetToUserId(), m.GetGroupId(), NewOwner, m.GetFromUserId())
		f.say(append(told, role(m.GetToUserId(), m.GetFromUserId(), m.GetGroupId(), Owner), role(m.GetFromUserId(), m.GetToUserId(), m.GetGroupId(), NoOwner))...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SuccessionProposed) {
		f.say(f.people.tell(role("", m.GetCandidateId(), m.GetGroupId(), VoteOpen), everyone, nil, m.GetProposedBy())...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SuccessionEnded) {
		f.say(f.people.officials(f.officials, role("", m.GetCandidateId(), m.GetGroupId(), because(VoteEnded, m.GetReason())))...)
	}),
}

// everyone are the roles of all who are in a group.
var everyone = []string{member, approves}

// all tells everybody in a group what becomes of it, but not who did it.
func (p *people) all(m grouped, by, detail string) []note {
	return p.tell(note{typ: GroupChanged, group: m.GetGroupId(), detail: detail}, everyone, nil, by)
}

// sight tells everybody in a group what is shown of it from now on, but not who decided that.
func (p *people) sight(m grouped, by, sub string, shown bool) []note {
	n := note{typ: VisibilityChanged, about: by, group: m.GetGroupId(), sub: sub, detail: HiddenTotal}
	if shown {
		n.detail = Shown
	}
	return p.tell(n, everyone, nil, by)
}

// changeHandlers tell of what becomes of a group.
var changeHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupActivated) {
		f.say(f.people.tell(note{typ: GroupApproved, group: m.GetGroupId()}, everyone, nil)...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupNoticeSet) {
		n := note{typ: GroupChanged, about: m.GetSetBy(), group: m.GetGroupId(), detail: because(NoticeChanged, strconv.Itoa(int(m.GetHours())))}
		f.say(f.people.tell(n, everyone, nil, m.GetSetBy())...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupSuspended) {
		f.say(f.all(m, "", because(Suspended, m.GetReason()))...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupResumed) {
		f.say(f.all(m, "", Resumed)...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupRejected) {
		f.say(f.all(m, "", because(Rejected, m.GetReason()))...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupCancelled) {
		f.say(f.all(m, m.GetBy(), because(Cancelled, m.GetReason()))...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupClosing) {
		f.say(f.all(m, m.GetBy(), because(Closing, m.GetReason()))...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupClosed) {
		f.say(f.all(m, m.GetBy(), Closed)...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupVisibilitySet) {
		f.say(f.sight(m, m.GetSetBy(), "", m.GetShowTotalBalance())...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupSearchViewSet) {
		n := note{typ: VisibilityChanged, about: m.GetSetBy(), group: m.GetGroupId(), detail: InSearch + " " + searchView(m)}
		f.say(f.people.tell(n, everyone, nil, m.GetSetBy())...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SubAccountVisibilitySet) {
		f.say(f.sight(m, m.GetSetBy(), m.GetSubAccountId(), m.GetShowTotalToMembers())...)
	}),
}

// searchView is what people outside a group see of it, in our words.
func searchView(m *nairav1.GroupSearchViewSet) string {
	if !m.GetFindable() {
		return "NOT_FOUND"
	}
	view := "FOUND"
	if m.GetShowTerms() {
		view += " TERMS"
	}
	if m.GetShowTotals() {
		view += " TOTALS"
	}
	return view
}
