package groups

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

// life takes in who comes, goes and holds which office, and what becomes of the group.
func (f *folding) life(e engine.Event) {
	switch m := e.Message.(type) {
	case *nairav1.MemberInvited:
		f.batch.Queue(`INSERT INTO rm_members VALUES ($1, $2, $3, 'INVITED', $4, $5, $6)`,
			m.GetGroupId(), m.GetUserId(), e.Pos, e.EffectiveAt, m.GetInvitedBy(), m.GetExpiresAt().AsTime())
		f.membership(m.GetGroupId(), m.GetUserId())
	case *nairav1.InvitationDeclined, *nairav1.InvitationExpired, *nairav1.MembershipRejected:
		f.gone(m.(membership))
	case *nairav1.MemberExited:
		f.gone(m)
		f.batch.Queue("UPDATE rm_groups SET members = members - 1 WHERE id = $1", m.GetGroupId())
	case *nairav1.MemberDeactivated:
		f.presence(m, "INACTIVE", -1)
	case *nairav1.MemberReactivated:
		f.presence(m, "ACTIVE", 1)
	case *nairav1.GroupDocumentAdded:
		f.batch.Queue("INSERT INTO rm_group_documents VALUES ($1, $2, $3, $4, $5)", m.GetDocumentId(), e.Pos, m.GetGroupId(), m.GetAddedBy(), e.EffectiveAt)
		f.changes.Group(m.GetGroupId())
	case *nairav1.GroupDocumentRemoved:
		f.batch.Queue("UPDATE rm_group_documents SET removed = true WHERE id = $1", m.GetDocumentId())
		f.changes.Group(m.GetGroupId())
	default:
		f.office(e)
		f.standing(e)
	}
}

// membership is an event about one.
type membership interface {
	GetGroupId() string
	GetUserId() string
}

// gone takes a person off the list; they are told for the last time.
func (f *folding) gone(m membership) {
	f.batch.Queue("DELETE FROM rm_members WHERE group_id = $1 AND user_id = $2", m.GetGroupId(), m.GetUserId())
	f.membership(m.GetGroupId(), m.GetUserId())
}

func (f *folding) presence(m membership, status string, change int) {
	f.batch.Queue("UPDATE rm_members SET status = $3 WHERE group_id = $1 AND user_id = $2", m.GetGroupId(), m.GetUserId(), status)
	f.batch.Queue("UPDATE rm_groups SET members = members + $2 WHERE id = $1", m.GetGroupId(), change)
	f.membership(m.GetGroupId(), m.GetUserId())
}

func (f *folding) office(e engine.Event) {
	switch m := e.Message.(type) {
	case *nairav1.ApproverAppointed:
		f.batch.Queue("UPDATE rm_groups SET approvers = array_append(approvers, $2) WHERE id = $1", m.GetGroupId(), m.GetUserId())
		f.membership(m.GetGroupId(), m.GetUserId())
	case *nairav1.ApproverRemoved:
		f.batch.Queue("UPDATE rm_groups SET approvers = array_remove(approvers, $2) WHERE id = $1", m.GetGroupId(), m.GetUserId())
		f.membership(m.GetGroupId(), m.GetUserId())
	case *nairav1.OwnershipPassed:
		f.batch.Queue("UPDATE rm_groups SET owner_id = $2, candidate = '' WHERE id = $1", m.GetGroupId(), m.GetToUserId())
		f.membership(m.GetGroupId(), m.GetFromUserId())
		f.membership(m.GetGroupId(), m.GetToUserId())
	case *nairav1.OwnershipOffered:
		f.membership(m.GetGroupId(), m.GetToUserId())
	case *nairav1.OwnershipOfferEnded:
		f.membership(m.GetGroupId(), m.GetToUserId())
	case *nairav1.SuccessionProposed:
		f.vote(m.GetGroupId(), m.GetCandidateId())
	case *nairav1.SuccessionVoted:
		f.changes.Group(m.GetGroupId())
	case *nairav1.SuccessionEnded:
		f.vote(m.GetGroupId(), "")
	}
}

// vote notes whom a vote that is open is about.
func (f *folding) vote(groupID, candidate string) {
	f.batch.Queue("UPDATE rm_groups SET candidate = $2 WHERE id = $1", groupID, candidate)
	f.changes.Group(groupID)
}

func (f *folding) standing(e engine.Event) {
	switch m := e.Message.(type) {
	case *nairav1.GroupSuspended:
		f.stands(m.GetGroupId(), "SUSPENDED", m.GetReason())
		f.shuts(e, m.GetGroupId())
	case *nairav1.GroupResumed:
		f.stands(m.GetGroupId(), "ACTIVE", "")
		f.opens(e, m.GetGroupId())
	case *nairav1.GroupRejected:
		f.stands(m.GetGroupId(), "REJECTED", m.GetReason())
	case *nairav1.GroupCancelled:
		f.stands(m.GetGroupId(), "CANCELLED", m.GetReason())
	case *nairav1.GroupClosing:
		f.stands(m.GetGroupId(), "CLOSING", m.GetReason())
		f.shuts(e, m.GetGroupId())
	case *nairav1.GroupClosed:
		f.batch.Queue("UPDATE rm_groups SET status = 'CLOSED' WHERE id = $1", m.GetGroupId())
		f.sight(m.GetGroupId())
	case *nairav1.GroupVisibilitySet:
		f.batch.Queue("UPDATE rm_groups SET show_total = $2 WHERE id = $1", m.GetGroupId(), m.GetShowTotalBalance())
		f.sight(m.GetGroupId())
	case *nairav1.GroupSearchViewSet:
		f.batch.Queue("UPDATE rm_groups SET findable = $2, show_terms = $3, show_totals = $4 WHERE id = $1", m.GetGroupId(), m.GetFindable(), m.GetShowTerms(), m.GetShowTotals())
		f.changes.Group(m.GetGroupId())
	case *nairav1.SubAccountVisibilitySet:
		f.batch.Queue("UPDATE rm_sub_accounts SET show_total = $2 WHERE id = $1", m.GetSubAccountId(), m.GetShowTotalToMembers())
		f.sight(m.GetGroupId())
	}
}

// shuts and opens note when a group takes no money, as an absence of nobody's.
func (f *folding) shuts(e engine.Event, groupID string) {
	f.batch.Queue("INSERT INTO rm_absences VALUES ($1, '', $2, $3)", groupID, e.Pos, e.EffectiveAt)
}

func (f *folding) opens(e engine.Event, groupID string) {
	f.batch.Queue("UPDATE rm_absences SET until = $2 WHERE group_id = $1 AND user_id = '' AND until IS NULL", groupID, e.EffectiveAt)
}

// stands notes where a group is and why, and tells everybody in it.
func (f *folding) stands(groupID, status, reason string) {
	f.batch.Queue("UPDATE rm_groups SET status = $2, reason = $3 WHERE id = $1", groupID, status, reason)
	f.sight(groupID)
}
