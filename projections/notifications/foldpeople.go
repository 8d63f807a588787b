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
	"adashi.ng/projections/notifications/told"
)

// The subjects of notifications about people: the detail begins with one of these, and a reason may follow after a
// space.
const (
	Accepted    = "ACCEPTED"  // An invitation, of member_joined.
	Withdrawn   = "WITHDRAWN" // The same, of member_invited.
	Reactivated = "REACTIVATED"
	TurnedDown  = "REJECTED"
	Approver    = "APPROVER"
	NoApprover  = "NO_APPROVER"
	NoValidator = "NO_VALIDATOR"
	// Everybody else in the group gets a notice of a change of office.
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
	InSearch      = "SEARCH" // The new search view follows: NOT_FOUND, or FOUND with TERMS, TOTALS, both or neither.
	Suspended     = "SUSPENDED"
	Resumed       = "RESUMED"
	Rejected      = "REJECTED"
	Cancelled     = "CANCELLED"
	Closing       = "CLOSING"
	Closed        = "CLOSED"
)

// The stored roles of people in groups. An owner is an approver too.
const (
	invitee  = "INVITED"
	member   = "MEMBER"
	inactive = "INACTIVE" // They see their own money alone.
	approves = "APPROVER"
)

// people are the people in a batch's groups.
type people struct {
	roles map[string]map[string]string // Group, user.
	batch *pgx.Batch                   // For the writes.
}

// peopleOf reads the people in the groups before the batch: everybody in a group if the batch notifies all of it, and
// otherwise only those who are more than members.
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

// lifeOf answers the group whose people an event is about, and whether everybody in it is notified.
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
	case *nairav1.LiquidationRejected, *nairav1.LiquidationCancelled, *nairav1.LiquidationExpired, *nairav1.LiquidationReleased, *nairav1.LiquidationReversedV3:
		return m.(grouped).GetGroupId(), true // Everybody, if it was a payment of the group; the request knows.
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

// set stores a user's role in a group, or removes it when role is empty.
func (p *people) set(group, user, role string) {
	if role == "" {
		delete(p.roles[group], user)
		p.batch.Queue("DELETE FROM rm_notified_people WHERE group_id = $1 AND user_id = $2", group, user)
		return
	}
	p.note(group, user, role)
	p.batch.Queue(`INSERT INTO rm_notified_people (group_id, user_id, role) VALUES ($1, $2, $3) ON CONFLICT (group_id, user_id) DO UPDATE SET role = excluded.role`, group, user, role)
}

// of are the people of a group in some roles, in order.
func (p *people) of(group string, roles ...string) (users []string) {
	for user, role := range p.roles[group] {
		if slices.Contains(roles, role) {
			users = append(users, user)
		}
	}
	slices.Sort(users)
	return users
}

// personHandlers keep track of the people in a group.
var personHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.GroupCreated) {
		f.officials.set(m.GetGroupId(), owner, m.GetOwnerId(), e.Pos)
		f.people.set(m.GetGroupId(), m.GetOwnerId(), approves)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.InvitationDeclined) {
		f.people.set(m.GetGroupId(), m.GetUserId(), "")
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.InvitationExpired) {
		f.people.set(m.GetGroupId(), m.GetUserId(), "")
	}),
}

// peopleHandlers notify of people who come and go, and keep track of them.
var peopleHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MemberInvited) {
		f.people.set(m.GetGroupId(), m.GetUserId(), invitee)
		f.tell(note{typ: told.MemberInvited, about: m.GetInvitedBy(), group: m.GetGroupId()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.InvitationWithdrawn) {
		f.people.set(m.GetGroupId(), m.GetUserId(), "")
		f.tell(note{typ: told.MemberInvited, about: m.GetWithdrawnBy(), group: m.GetGroupId(), detail: because(Withdrawn, m.GetReason())})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MembershipRequested) {
		n := note{typ: told.MemberJoined, about: m.GetUserId(), group: m.GetGroupId()}
		if f.people.roles[m.GetGroupId()][m.GetUserId()] == invitee {
			n.detail = Accepted
			f.people.set(m.GetGroupId(), m.GetUserId(), "")
		}
		f.tell(n)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MembershipApproved) {
		if m.GetApprovedBy() != m.GetUserId() { // The founder is there already.
			f.people.set(m.GetGroupId(), m.GetUserId(), member)
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MembershipRejected) {
		f.tell(note{typ: told.MemberLeft, group: m.GetGroupId(), detail: because(TurnedDown, m.GetReason())})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MemberDeactivatedV2) {
		f.people.set(m.GetGroupId(), m.GetUserId(), inactive)
		f.tell(note{typ: told.MemberDeactivated, about: m.GetDeactivatedBy(), group: m.GetGroupId(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MemberReactivated) {
		f.people.set(m.GetGroupId(), m.GetUserId(), member)
		f.tell(note{typ: told.MemberApproved, about: m.GetReactivatedBy(), group: m.GetGroupId(), detail: Reactivated})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MemberExited) {
		f.people.set(m.GetGroupId(), m.GetUserId(), "")
		f.tell(note{typ: told.MemberLeft, about: m.GetUserId(), group: m.GetGroupId(), kobo: m.GetForfeitedKobo()})
	}),
}

// because is a detail with its reason.
func because(detail, reason string) string { return strings.TrimSpace(detail + " " + reason) }

// role is a notification about an office.
func role(about, group, detail string) note {
	return note{typ: told.RoleChanged, about: about, group: group, detail: detail}
}

// officeHandlers notify of changes of offices.
var officeHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.ValidatorAppointed) {
		f.officials.before = f.officials.holder(m.GetGroupId(), validator)
		f.officials.set(m.GetGroupId(), validator, m.GetUserId(), e.Pos)
		f.tell(note{typ: told.ValidatorSet, about: m.GetAppointedBy(), group: m.GetGroupId()})
		f.tellOnly(role(m.GetAppointedBy(), m.GetGroupId(), NoValidator), told.FormerValidator)
		f.tellOnly(role(m.GetUserId(), m.GetGroupId(), NewValidator), told.Everyone)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ApproverAppointed) {
		f.people.set(m.GetGroupId(), m.GetUserId(), approves)
		f.tellOnly(role(m.GetAppointedBy(), m.GetGroupId(), Approver), told.User)
		f.tellOnly(role(m.GetUserId(), m.GetGroupId(), NewApprover), told.Everyone)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ApproverRemoved) {
		f.people.set(m.GetGroupId(), m.GetUserId(), member)
		f.tellOnly(role(m.GetRemovedBy(), m.GetGroupId(), NoApprover), told.User)
		f.tellOnly(role(m.GetUserId(), m.GetGroupId(), LeftApprover), told.Everyone)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.OwnershipOffered) {
		f.tell(role(m.GetOfferedBy(), m.GetGroupId(), Offered))
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.OwnershipOfferEnded) {
		n := role(m.GetEndedBy(), m.GetGroupId(), OfferEnded)
		f.tellOnly(n, told.ToUser)
		if m.GetEndedBy() == m.GetToUserId() {
			f.tellOnly(n, told.GroupOwner)
		}
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.OwnershipPassed) {
		f.officials.set(m.GetGroupId(), owner, m.GetToUserId(), e.Pos)
		f.tellOnly(role(m.GetFromUserId(), m.GetGroupId(), Owner), told.ToUser)
		f.tellOnly(role(m.GetToUserId(), m.GetGroupId(), NoOwner), told.FromUser)
		f.tellOnly(role(m.GetToUserId(), m.GetGroupId(), NewOwner), told.Everyone)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SuccessionProposed) {
		f.tell(role(m.GetCandidateId(), m.GetGroupId(), VoteOpen))
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SuccessionEnded) {
		f.tell(role(m.GetCandidateId(), m.GetGroupId(), because(VoteEnded, m.GetReason())))
	}),
}

// becomes notifies a group of its new status.
func (f *folding) becomes(m grouped, detail string) {
	f.tell(note{typ: told.GroupChanged, group: m.GetGroupId(), detail: detail})
}

// sight notifies a group of its new visibility.
func (f *folding) sight(m grouped, by, sub, detail string) {
	f.tell(note{typ: told.VisibilityChanged, about: by, group: m.GetGroupId(), sub: sub, detail: detail})
}

// total is the detail for whether a total is shown.
func total(shown bool) string {
	if shown {
		return Shown
	}
	return HiddenTotal
}

// changeHandlers notify of changes of a group.
var changeHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupActivated) {
		f.tell(note{typ: told.GroupApproved, group: m.GetGroupId()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupNoticeSet) {
		f.tell(note{typ: told.GroupChanged, about: m.GetSetBy(), group: m.GetGroupId(), detail: because(NoticeChanged, strconv.Itoa(int(m.GetHours())))})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupSuspended) {
		f.becomes(m, because(Suspended, m.GetReason()))
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupResumed) { f.becomes(m, Resumed) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupRejected) {
		f.becomes(m, because(Rejected, m.GetReason()))
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupCancelled) {
		f.becomes(m, because(Cancelled, m.GetReason()))
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupClosing) {
		f.becomes(m, because(Closing, m.GetReason()))
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupClosed) { f.becomes(m, Closed) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupVisibilitySet) {
		f.sight(m, m.GetSetBy(), "", total(m.GetShowTotalBalance()))
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupSearchViewSet) {
		f.sight(m, m.GetSetBy(), "", InSearch+" "+searchView(m))
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SubAccountVisibilitySet) {
		f.sight(m, m.GetSetBy(), m.GetSubAccountId(), total(m.GetShowTotalToMembers()))
	}),
}

// searchView is the group's view for outsiders, in our words.
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
