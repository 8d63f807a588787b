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

// What a notification about people is about: its detail begins with one of these, and a reason may follow after a space.
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

const peopleSchema = `
	CREATE TABLE rm_notified_people (group_id text NOT NULL, user_id text NOT NULL, role text NOT NULL, PRIMARY KEY (group_id, user_id));
	CREATE INDEX ON rm_notified_people (group_id) WHERE role <> 'MEMBER';`

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
func peopleOf(ctx context.Context, tx pgx.Tx, batch *pgx.Batch, events []engine.Event) (people, error) {
	p := people{roles: map[string]map[string]string{}, batch: batch}
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
	case *nairav1.LiquidationPaid:
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

// set remembers what a user is in a group; nothing when role is empty.
func (p *people) set(group, user, role string) {
	if role == "" {
		delete(p.roles[group], user)
		p.batch.Queue("DELETE FROM rm_notified_people WHERE group_id = $1 AND user_id = $2", group, user)
		return
	}
	p.note(group, user, role)
	p.batch.Queue(`INSERT INTO rm_notified_people VALUES ($1, $2, $3) ON CONFLICT (group_id, user_id) DO UPDATE SET role = excluded.role`, group, user, role)
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
	return p.tell(n, []string{approves}, []string{o.holders[post{n.group, owner}], o.holders[post{n.group, validator}]}, but...)
}

// take answers who is told what of an event, and remembers who comes and goes.
func (p *people) take(e engine.Event, o *officials) []note {
	switch m := e.Message.(type) {
	case *nairav1.GroupCreated:
		p.set(m.GetGroupId(), m.GetOwnerId(), approves)
	case *nairav1.MemberInvited:
		p.set(m.GetGroupId(), m.GetUserId(), invitee)
		return []note{{typ: MemberInvited, user: m.GetUserId(), about: m.GetInvitedBy(), group: m.GetGroupId()}}
	case *nairav1.InvitationDeclined, *nairav1.InvitationExpired:
		p.set(m.(grouped).GetGroupId(), m.(interface{ GetUserId() string }).GetUserId(), "")
	case *nairav1.MembershipRequested:
		n := note{typ: MemberJoined, about: m.GetUserId(), group: m.GetGroupId()}
		if p.roles[m.GetGroupId()][m.GetUserId()] == invitee {
			n.detail = Accepted
			p.set(m.GetGroupId(), m.GetUserId(), "")
		}
		return p.tell(n, []string{approves}, []string{o.holders[post{n.group, owner}]}, m.GetUserId())
	case *nairav1.MembershipApproved:
		if m.GetApprovedBy() != m.GetUserId() { // The founder is there already.
			p.set(m.GetGroupId(), m.GetUserId(), member)
		}
	case *nairav1.MembershipRejected:
		if m.GetRejectedBy() == m.GetUserId() {
			return nil // They took it back.
		}
		return []note{{typ: MemberLeft, user: m.GetUserId(), group: m.GetGroupId(), detail: because(TurnedDown, m.GetReason())}}
	case *nairav1.MemberDeactivated:
		return []note{{typ: MemberDeactivated, user: m.GetUserId(), about: m.GetDeactivatedBy(), group: m.GetGroupId(), detail: m.GetReason()}}
	case *nairav1.MemberReactivated:
		return []note{{typ: MemberApproved, user: m.GetUserId(), about: m.GetReactivatedBy(), group: m.GetGroupId(), detail: Reactivated}}
	case *nairav1.MemberExited:
		p.set(m.GetGroupId(), m.GetUserId(), "")
		return p.officials(o, note{typ: MemberLeft, about: m.GetUserId(), group: m.GetGroupId(), kobo: m.GetForfeitedKobo()})
	default:
		return append(p.offices(e, o), p.changes(e)...)
	}
	return nil
}

// because is a detail and the reason that was given for it.
func because(detail, reason string) string { return strings.TrimSpace(detail + " " + reason) }

// offices tells of those that change hands.
func (p *people) offices(e engine.Event, o *officials) []note {
	role := func(user, about, group, detail string) note {
		return note{typ: RoleChanged, user: user, about: about, group: group, detail: detail}
	}
	others := func(about, group, detail string, but ...string) []note {
		return p.tell(role("", about, group, detail), []string{member, approves}, nil, append(but, about)...)
	}
	switch m := e.Message.(type) {
	case *nairav1.ValidatorAppointed:
		return others(m.GetUserId(), m.GetGroupId(), NewValidator, m.GetAppointedBy(), o.before)
	case *nairav1.ApproverAppointed:
		p.set(m.GetGroupId(), m.GetUserId(), approves)
		return append(others(m.GetUserId(), m.GetGroupId(), NewApprover, m.GetAppointedBy()), role(m.GetUserId(), m.GetAppointedBy(), m.GetGroupId(), Approver))
	case *nairav1.ApproverRemoved:
		p.set(m.GetGroupId(), m.GetUserId(), member)
		told := others(m.GetUserId(), m.GetGroupId(), LeftApprover, m.GetRemovedBy())
		if m.GetRemovedBy() != m.GetUserId() {
			told = append(told, role(m.GetUserId(), m.GetRemovedBy(), m.GetGroupId(), NoApprover))
		}
		return told
	case *nairav1.OwnershipOffered:
		return []note{role(m.GetToUserId(), m.GetOfferedBy(), m.GetGroupId(), Offered)}
	case *nairav1.OwnershipOfferEnded:
		other := m.GetToUserId()
		if m.GetEndedBy() == other {
			other = o.holders[post{m.GetGroupId(), owner}]
		}
		return []note{role(other, m.GetEndedBy(), m.GetGroupId(), OfferEnded)}
	case *nairav1.OwnershipPassed:
		o.set(m.GetGroupId(), owner, m.GetToUserId())
		told := others(m.GetToUserId(), m.GetGroupId(), NewOwner, m.GetFromUserId())
		return append(told, role(m.GetToUserId(), m.GetFromUserId(), m.GetGroupId(), Owner), role(m.GetFromUserId(), m.GetToUserId(), m.GetGroupId(), NoOwner))
	case *nairav1.SuccessionProposed:
		return p.tell(role("", m.GetCandidateId(), m.GetGroupId(), VoteOpen), []string{member, approves}, nil, m.GetProposedBy())
	case *nairav1.SuccessionEnded:
		return p.officials(o, role("", m.GetCandidateId(), m.GetGroupId(), because(VoteEnded, m.GetReason())))
	}
	return nil
}

// changes tells everybody in a group what becomes of it, but not those who did it.
func (p *people) changes(e engine.Event) []note {
	all := []string{member, approves}
	group := func(m grouped, by, detail string) []note {
		return p.tell(note{typ: GroupChanged, group: m.GetGroupId(), detail: detail}, all, nil, by)
	}
	sight := func(m grouped, by, sub string, shown bool) []note {
		n := note{typ: VisibilityChanged, about: by, group: m.GetGroupId(), sub: sub, detail: HiddenTotal}
		if shown {
			n.detail = Shown
		}
		return p.tell(n, all, nil, by)
	}
	switch m := e.Message.(type) {
	case *nairav1.GroupActivated:
		return p.tell(note{typ: GroupApproved, group: m.GetGroupId()}, all, nil)
	case *nairav1.GroupNoticeSet:
		n := note{typ: GroupChanged, about: m.GetSetBy(), group: m.GetGroupId(), detail: because(NoticeChanged, strconv.Itoa(int(m.GetHours())))}
		return p.tell(n, all, nil, m.GetSetBy())
	case *nairav1.GroupSuspended:
		return group(m, "", because(Suspended, m.GetReason()))
	case *nairav1.GroupResumed:
		return group(m, "", Resumed)
	case *nairav1.GroupRejected:
		return group(m, "", because(Rejected, m.GetReason()))
	case *nairav1.GroupCancelled:
		return group(m, m.GetBy(), because(Cancelled, m.GetReason()))
	case *nairav1.GroupClosing:
		return group(m, m.GetBy(), because(Closing, m.GetReason()))
	case *nairav1.GroupClosed:
		return group(m, m.GetBy(), Closed)
	case *nairav1.GroupVisibilitySet:
		return sight(m, m.GetSetBy(), "", m.GetShowTotalBalance())
	case *nairav1.GroupSearchViewSet:
		n := note{typ: VisibilityChanged, about: m.GetSetBy(), group: m.GetGroupId(), detail: InSearch + " " + searchView(m)}
		return p.tell(n, all, nil, m.GetSetBy())
	case *nairav1.SubAccountVisibilitySet:
		return sight(m, m.GetSetBy(), m.GetSubAccountId(), m.GetShowTotalToMembers())
	}
	return nil
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
