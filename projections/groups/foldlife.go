package groups

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

// peopleHandlers follow members, offices and the group's status.
var peopleHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.MemberInvited) {
		f.batch.Queue(`INSERT INTO rm_members (group_id, user_id, pos, status, since, invited_by, expires_at) VALUES ($1, $2, $3, 'INVITED', $4, $5, $6)`,
			m.GetGroupId(), m.GetUserId(), e.Pos, e.EffectiveAt, m.GetInvitedBy(), m.GetExpiresAt().AsTime())
		f.membership(m.GetGroupId(), m.GetUserId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.InvitationDeclined) {
		f.gone(m)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.InvitationExpired) {
		f.gone(m)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.InvitationWithdrawn) {
		f.gone(m)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MembershipRejected) {
		f.gone(m)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MemberExited) {
		f.gone(m)
		f.batch.Queue("UPDATE rm_groups SET members = members - 1 WHERE id = $1", m.GetGroupId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MemberDeactivatedV2) {
		f.presence(m, "INACTIVE", -1)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.MemberReactivated) {
		f.presence(m, "ACTIVE", 1)
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.GroupDocumentAdded) {
		f.batch.Queue("INSERT INTO rm_group_documents (id, pos, group_id, user_id, added_at) VALUES ($1, $2, $3, $4, $5)", m.GetDocumentId(), e.Pos, m.GetGroupId(), m.GetAddedBy(), e.EffectiveAt)
		f.changes.Group(m.GetGroupId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupDocumentRemoved) {
		f.batch.Queue("UPDATE rm_group_documents SET removed = true WHERE id = $1", m.GetDocumentId())
		f.changes.Group(m.GetGroupId())
	}),
}

// membership is an event about a membership.
type membership interface {
	GetGroupId() string
	GetUserId() string
}

// gone removes a person from the list; they are notified for the last time.
func (f *folding) gone(m membership) {
	f.batch.Queue("DELETE FROM rm_members WHERE group_id = $1 AND user_id = $2", m.GetGroupId(), m.GetUserId())
	f.batch.Queue("INSERT INTO rm_past_members (group_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING", m.GetGroupId(), m.GetUserId())
	f.membership(m.GetGroupId(), m.GetUserId())
}

func (f *folding) presence(m membership, status string, change int) {
	f.batch.Queue("UPDATE rm_members SET status = $3 WHERE group_id = $1 AND user_id = $2", m.GetGroupId(), m.GetUserId(), status)
	f.batch.Queue("UPDATE rm_groups SET members = members + $2 WHERE id = $1", m.GetGroupId(), change)
	f.membership(m.GetGroupId(), m.GetUserId())
}

var officeHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ApproverAppointed) {
		f.batch.Queue("UPDATE rm_groups SET approvers = array_append(approvers, $2) WHERE id = $1", m.GetGroupId(), m.GetUserId())
		f.membership(m.GetGroupId(), m.GetUserId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ApproverRemoved) {
		f.batch.Queue("UPDATE rm_groups SET approvers = array_remove(approvers, $2) WHERE id = $1", m.GetGroupId(), m.GetUserId())
		f.membership(m.GetGroupId(), m.GetUserId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.OwnershipPassed) {
		f.batch.Queue("UPDATE rm_groups SET owner_id = $2, candidate = '' WHERE id = $1", m.GetGroupId(), m.GetToUserId())
		f.membership(m.GetGroupId(), m.GetFromUserId())
		f.membership(m.GetGroupId(), m.GetToUserId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.OwnershipOffered) {
		f.membership(m.GetGroupId(), m.GetToUserId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.OwnershipOfferEnded) {
		f.membership(m.GetGroupId(), m.GetToUserId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SuccessionProposed) {
		f.vote(m.GetGroupId(), m.GetCandidateId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SuccessionVoted) {
		f.changes.Group(m.GetGroupId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SuccessionEnded) {
		f.vote(m.GetGroupId(), "")
	}),
}

// vote writes the candidate of an open vote.
func (f *folding) vote(groupID, candidate string) {
	f.batch.Queue("UPDATE rm_groups SET candidate = $2 WHERE id = $1", groupID, candidate)
	f.changes.Group(groupID)
}

var standingHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.GroupSuspended) {
		f.stands(m.GetGroupId(), "SUSPENDED", m.GetReason())
		f.shuts(e, m.GetGroupId(), false)
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.GroupResumed) {
		f.stands(m.GetGroupId(), "ACTIVE", "")
		f.opens(e, m.GetGroupId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupRejected) {
		f.stands(m.GetGroupId(), "REJECTED", m.GetReason())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupCancelled) {
		f.stands(m.GetGroupId(), "CANCELLED", m.GetReason())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.GroupClosing) {
		f.stands(m.GetGroupId(), "CLOSING", m.GetReason())
		f.shuts(e, m.GetGroupId(), true)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupClosed) {
		f.batch.Queue("UPDATE rm_groups SET status = 'CLOSED' WHERE id = $1", m.GetGroupId())
		f.sight(m.GetGroupId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupVisibilitySet) {
		f.batch.Queue("UPDATE rm_groups SET show_total = $2 WHERE id = $1", m.GetGroupId(), m.GetShowTotalBalance())
		f.sight(m.GetGroupId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.GroupSearchViewSet) {
		f.batch.Queue("UPDATE rm_groups SET findable = $2, show_terms = $3, show_totals = $4 WHERE id = $1", m.GetGroupId(), m.GetFindable(), m.GetShowTerms(), m.GetShowTotals())
		f.changes.Group(m.GetGroupId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SubAccountVisibilitySet) {
		f.batch.Queue("UPDATE rm_sub_accounts SET show_total = $2 WHERE id = $1", m.GetSubAccountId(), m.GetShowTotalToMembers())
		f.sight(m.GetGroupId())
	}),
}

// shuts and opens record when a group takes no money, as an absence without a user. A group that is suspended while it
// closes already takes none.
func (f *folding) shuts(e engine.Event, groupID string, closing bool) {
	f.batch.Queue(`INSERT INTO rm_absences (group_id, user_id, pos, since, closing) SELECT $1, '', $2, $3, $4
		WHERE NOT EXISTS (SELECT FROM rm_absences WHERE group_id = $1 AND user_id = '' AND until IS NULL)`, groupID, e.Pos, e.EffectiveAt, closing)
}

func (f *folding) opens(e engine.Event, groupID string) {
	f.batch.Queue("UPDATE rm_absences SET until = $2 WHERE group_id = $1 AND user_id = '' AND until IS NULL", groupID, e.EffectiveAt)
}

// stands records a group's status and the reason, and notifies everybody in it.
func (f *folding) stands(groupID, status, reason string) {
	f.batch.Queue("UPDATE rm_groups SET status = $2, reason = $3 WHERE id = $1", groupID, status, reason)
	f.sight(groupID)
}
