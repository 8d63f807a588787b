package savings

import (
	"maps"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// Group is the state of a group's stream.
type Group struct {
	Status      Status
	Owner       string
	Validator   string
	ValidatorBy string               // Who appointed the validator.
	Approvers   []string             // The owner is one.
	OfficeSince map[string]time.Time // Since when the validator and each approver hold their office.
	GivenBack   map[string]time.Time // When the account of one who held an office was last given back.
	Notice      Notice
	Capacity    int
	Seats       int
	Start       time.Time // The first day of the month it starts in.
	Shut        []Span    // When it took no money.
	ShowTotal   bool      // Plain members see what it holds.
	Search      SearchView
	SubAccounts []string // Those opened since they are counted.
	Documents   []string
	Offered     string // Whom the owner has offered the group to.
	Succession  Succession
}

// Succession is a vote on who takes over from an owner who is away; nothing while Candidate is empty.
type Succession struct {
	Candidate    string
	Voters       []string // Who votes on it; nobody for a proposal of before they were fixed.
	For, Against []string
	Void         []string  // Whose vote does not count, since their account was given back after it.
	Since        time.Time // When it was proposed.
}

// Voted reports whether a user has, and their vote counts.
func (s Succession) Voted(userID string) bool {
	return (slices.Contains(s.For, userID) || slices.Contains(s.Against, userID)) && !slices.Contains(s.Void, userID)
}

// MayApprove reports whether a user is one of the group's approvers.
func (g Group) MayApprove(userID string) bool { return slices.Contains(g.Approvers, userID) }

// Groups folds a group's stream.
var Groups = event.Of("group", 7, func(g Group, e event.Happened) Group {
	switch m := e.Message.(type) {
	case *nairav1.GroupCreated:
		return Group{
			Status: PendingApproval, Owner: m.GetOwnerId(), Approvers: []string{m.GetOwnerId()}, Capacity: int(m.GetMemberCapacity()),
			Start:     time.Date(int(m.GetStartYear()), time.Month(m.GetStartMonth()), 1, 0, 0, 0, 0, time.UTC),
			ShowTotal: m.GetShowTotalBalance(), Shut: []Span{{From: e.EffectiveAt}}, OfficeSince: map[string]time.Time{m.GetOwnerId(): e.EffectiveAt},
			Search: SearchView{Findable: true, Terms: true},
		}
	case *nairav1.GroupVisibilitySet:
		g.ShowTotal = m.GetShowTotalBalance()
	case *nairav1.GroupNoticeSet:
		g.Notice = Notice{Set: true, Hours: int(m.GetHours()), Before: int(g.Notice.At(e.EffectiveAt) / time.Hour), CountsFrom: m.GetCountsFrom().AsTime()}
	case *nairav1.GroupSearchViewSet:
		g.Search = SearchView{Findable: m.GetFindable(), Terms: m.GetShowTerms(), Totals: m.GetShowTotals()}
	case *nairav1.SeatTaken:
		g.Seats = int(m.GetSeats())
	case *nairav1.SeatFreed:
		g.Seats = int(m.GetSeats())
	case *nairav1.SubAccountCounted:
		g.SubAccounts = with(g.SubAccounts, m.GetSubAccountId())
	case *nairav1.GroupDocumentAdded:
		g.Documents = with(g.Documents, m.GetDocumentId())
	case *nairav1.GroupDocumentRemoved:
		g.Documents = without(g.Documents, m.GetDocumentId())
	default:
		return offices(g.becomes(stands(g.Status, e), e.EffectiveAt), e)
	}
	return g
})

// becomes is the group from a moment on: only an active one takes money.
func (g Group) becomes(status Status, at time.Time) Group {
	switch {
	case g.Status == Active && status != Active:
		g.Shut = append(slices.Clip(g.Shut), Span{From: at, Closing: status == Closing})
	case g.Status != Active && status == Active && len(g.Shut) > 0:
		g.Shut = slices.Clone(g.Shut)
		g.Shut[len(g.Shut)-1].To = at
	}
	g.Status = status
	return g
}

// stands is where an event leaves a group.
func stands(status Status, e event.Happened) Status {
	switch e.Message.(type) {
	case *nairav1.GroupActivated, *nairav1.GroupResumed:
		return Active
	case *nairav1.GroupSuspended:
		return Suspended
	case *nairav1.GroupRejected:
		return Rejected
	case *nairav1.GroupCancelled:
		return Cancelled
	case *nairav1.GroupClosing:
		return Closing
	case *nairav1.GroupClosed:
		return Closed
	default:
		return status
	}
}

// offices is who holds which after an event.
func offices(g Group, e event.Happened) Group {
	switch m := e.Message.(type) {
	case *nairav1.ValidatorAppointed:
		g = g.leaves(g.Validator).takes(m.GetUserId(), e.EffectiveAt)
		g.Validator, g.ValidatorBy = m.GetUserId(), m.GetAppointedBy()
	case *nairav1.ApproverAppointed:
		g = g.takes(m.GetUserId(), e.EffectiveAt)
		g.Approvers = with(g.Approvers, m.GetUserId())
	case *nairav1.ApproverRemoved:
		g = g.leaves(m.GetUserId())
		g.Approvers = without(g.Approvers, m.GetUserId())
	case *nairav1.OfficialGivenBack:
		g.GivenBack = maps.Clone(g.GivenBack)
		if g.GivenBack == nil {
			g.GivenBack = map[string]time.Time{}
		}
		g.GivenBack[m.GetUserId()] = e.EffectiveAt
		if g.Succession.Voted(m.GetUserId()) {
			g.Succession.Void = with(g.Succession.Void, m.GetUserId())
		}
	case *nairav1.OwnershipOffered:
		g.Offered = m.GetToUserId()
	case *nairav1.OwnershipOfferEnded:
		g.Offered = ""
	case *nairav1.OwnershipPassed:
		g.Owner, g.Offered, g.Succession = m.GetToUserId(), "", Succession{}
	case *nairav1.SuccessionProposed:
		g.Succession = Succession{Candidate: m.GetCandidateId(), For: []string{m.GetProposedBy()}, Since: e.EffectiveAt}
		if earliest := m.GetOwnerSeenAt().AsTime().Add(AwayFor); g.Succession.Since.Before(earliest) {
			g.Succession.Since = earliest
		}
	case *nairav1.VotersFixed:
		g.Succession.Voters = m.GetVoterIds()
	case *nairav1.SuccessionVoted:
		g.Succession = g.Succession.vote(m.GetUserId(), m.GetAgrees())
	case *nairav1.SuccessionEnded:
		g.Succession = Succession{}
	}
	return g
}

// vote is a vote after a user voted, for the first time or again.
func (s Succession) vote(user string, agrees bool) Succession {
	s.For, s.Against, s.Void = without(s.For, user), without(s.Against, user), without(s.Void, user)
	if agrees {
		s.For = with(s.For, user)
	} else {
		s.Against = with(s.Against, user)
	}
	return s
}

// with and without never change the list that they are given.
func with(list []string, one string) []string { return append(slices.Clip(list), one) }

func without(list []string, one string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == one })
}

// Member is the state of a membership's stream.
type Member struct {
	Status    Status
	Asked     time.Time // When they asked to join or accepted the invitation.
	Since     time.Time // When they became a member.
	Let       time.Time // When the ledger took that down: what it took down before was of an earlier membership.
	Away      []Span    // When they were inactive.
	AwayBy    string    // Who made them inactive last.
	Was       bool      // They were a member before, and left.
	InvitedBy string    // Of one who is invited.
	Expires   time.Time // When the invitation lapses.
}

// Standing is what somebody is to the group.
func (m Member) Standing() standing.Standing {
	switch m.Status {
	case None:
		return standing.Stranger
	case Invited:
		return standing.Invited
	case Pending:
		return standing.Waiting
	case Inactive:
		return standing.Inactive
	default:
		return standing.Open
	}
}

// ActiveAt reports whether somebody who is in the group now was an active member at a moment.
func (m Member) ActiveAt(at time.Time) bool {
	away := slices.ContainsFunc(m.Away, func(s Span) bool { return !at.Before(s.From) && (s.To.IsZero() || at.Before(s.To)) })
	return (m.Status == Active || m.Status == Inactive) && !m.Since.After(at) && !away
}

// SilencedBy reports whether one of some users made a member inactive within a time before a moment. Since then they
// are.
func (m Member) SilencedBy(users []string, within time.Duration, before time.Time) bool {
	n := len(m.Away)
	return m.Status == Inactive && n > 0 && slices.Contains(users, m.AwayBy) && before.Sub(m.Away[n-1].From) <= within
}

// Readmitted reports whether the group let a member in again at or after a moment. What was agreed to at that moment
// then belongs to the earlier membership.
func (m Member) Readmitted(since time.Time) bool { return m.Was && !m.Let.Before(since) }

// Span is from one moment to another; the last of a member's or a group's is still open while To is zero.
type Span struct {
	From, To time.Time
	Whole    bool // Of a member's: nothing is owed for the periods that it holds from beginning to end, and for no others.
	Closing  bool // Of a group's: from then on it closes, and nothing falls due any more.
}

// Members folds a membership's stream. Of a person who declined or was rejected nothing stays, and of a member who left
// only that they were one.
var Members = event.Of("member", 8, func(m Member, happened event.Happened) Member {
	switch e := happened.Message.(type) {
	case *nairav1.MemberInvited:
		m = Member{Status: Invited, InvitedBy: e.GetInvitedBy(), Expires: e.GetExpiresAt().AsTime(), Was: m.Was}
	case *nairav1.MembershipRequested:
		m = Member{Status: Pending, Asked: happened.EffectiveAt, Was: m.Was}
	case *nairav1.InvitationDeclined, *nairav1.InvitationExpired, *nairav1.InvitationWithdrawn, *nairav1.MembershipRejected:
		return Member{Was: m.Was}
	case *nairav1.MemberExited:
		return Member{Was: true}
	}
	return presence(m, happened)
})

// presence is a membership after it was approved, paused or taken up again.
func presence(m Member, e event.Happened) Member {
	switch by := e.Message.(type) {
	case *nairav1.MembershipApproved:
		m = Member{Status: Active, Asked: m.Asked, Since: e.EffectiveAt, Let: e.RecordedAt, Was: m.Was}
	case *nairav1.MemberDeactivatedV2:
		m.Status, m.AwayBy, m.Away = Inactive, by.GetDeactivatedBy(), append(slices.Clip(m.Away), Span{From: e.EffectiveAt, Whole: by.GetWholePeriods()})
	case *nairav1.MemberReactivated:
		m.Status, m.Away = Active, slices.Clone(m.Away)
		if n := len(m.Away); n > 0 {
			m.Away[n-1].To = e.EffectiveAt
		}
	}
	return m
}
