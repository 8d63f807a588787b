package savings

import (
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// AwayFor is how long an owner must not have been seen before the approvers may give the group to another.
const AwayFor = 30 * 24 * time.Hour

// VoteFor is how long a vote on a new owner is open. One that nobody decides by then ends, and makes way for another.
const VoteFor = 14 * 24 * time.Hour

// over reports whether a vote was open for VoteFor.
func (s Succession) over(now time.Time) bool { return !now.Before(s.Since.Add(VoteFor)) }

// asBefore is a group as earlier builds read its vote: it had no end, an office that was taken up again counted, and so
// did the votes of those whose account was given back since.
func (g Group) asBefore() Group {
	g.Succession.Since, g.Succession.Void = time.Unix(1<<40, 0), nil
	return g
}

// voting is a group whose vote is decided about.
func voting(v event.View, groupID string) Group {
	g := event.StateOf[Group](v, GroupStream(groupID))
	if _, earlier := v.(standing.Earlier); earlier {
		return g.asBefore()
	}
	return g
}

// mayOwn refuses the group to all but approvers with a verified BVN whose account is neither closed nor frozen.
func (g Group) mayOwn(v event.View, user string) error {
	switch {
	case !g.MayApprove(user):
		return fault.New(fault.Conflict, "Only an approver can own the group. Make them an approver first.")
	case user == g.Owner:
		return fault.New(fault.Conflict, "They own the group already.")
	case event.StateOf[account.Account](v, account.Stream(user)).Bvn != account.Verified:
		return fault.New(fault.Conflict, "Who owns a group needs a verified BVN. They verify it in their profile.")
	}
	return standing.May(v, user, standing.Serve)
}

// OfferOwnership has the owner ask an approver to take over. Another offer takes the place of one that is open.
type OfferOwnership struct {
	GroupID string
	To      string
	By      string
}

// Streams implements event.Command.
func (c OfferOwnership) Streams() []string {
	return append(between(c.GroupID, c.To, c.By), account.Stream(c.To))
}

// Accounts implements event.Command.
func (OfferOwnership) Accounts() []string { return nil }

// Decide implements event.Command.
func (c OfferOwnership) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	if err := g.owns(v, c.GroupID, c.By); err != nil {
		return nil, err
	}
	if event.StateOf[Member](v, MemberStream(c.GroupID, c.To)).Status == None {
		return nil, fault.New(fault.NotFound, "This person is not in the group.")
	}
	if g.Offered == c.To {
		return nil, fault.New(fault.Conflict, "The group is offered to them already. They accept or decline.")
	}
	if err := g.mayOwn(v, c.To); err != nil {
		return nil, err
	}
	var out []event.Draft
	if g.Offered != "" {
		out = append(out, event.On(GroupStream(c.GroupID), &nairav1.OwnershipOfferEnded{GroupId: c.GroupID, ToUserId: g.Offered, EndedBy: c.By}))
	}
	return append(out, event.On(GroupStream(c.GroupID), &nairav1.OwnershipOffered{GroupId: c.GroupID, ToUserId: c.To, OfferedBy: c.By})), nil
}

// Offer is the version of the offer of a group: by which owner, and to whom.
func (g Group) Offer() seen.Version {
	if g.Offered == "" {
		return ""
	}
	return seen.Of(g.Owner, g.Offered)
}

// AnswerOwnership accepts or declines an offer; the owner takes it back with Accept false.
type AnswerOwnership struct {
	GroupID string
	By      string
	Seen    seen.Version // The offer that they answer; empty not to ask.
	Owner   string       // The group's, of whom nothing passes on while their account is frozen; empty not to ask.
	Accept  bool
}

// Streams implements event.Command.
func (c AnswerOwnership) Streams() []string {
	streams := decided(c.GroupID, c.By)
	if c.Owner != "" {
		streams = append(streams, account.Stream(c.Owner))
	}
	return streams
}

// Accounts implements event.Command.
func (AnswerOwnership) Accounts() []string { return nil }

// Decide implements event.Command. The owner before stays an approver; a waiting group may become active with another.
// Who froze their account still declines an offer, or takes it back: nothing is taken or given by that.
func (c AnswerOwnership) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	if err := g.approves(v, c.GroupID, c.By); err != nil {
		return nil, err
	}
	if err := g.fillsOffices(); err != nil {
		return nil, err
	}
	switch {
	case g.Offered == "":
		return nil, fault.New(fault.Conflict, "The group is not offered to anybody.")
	case c.Seen.IfSaid(g.Offer()) != nil:
		return nil, c.Seen.IfSaid(g.Offer())
	case c.By == g.Owner && c.Accept:
		return nil, fault.New(fault.Forbidden, "You cannot accept your own offer. You can take it back.")
	case c.By != g.Owner && c.By != g.Offered:
		return nil, fault.New(fault.Forbidden, "The group is offered to somebody else.")
	case !c.Accept:
		return []event.Draft{event.On(GroupStream(c.GroupID), &nairav1.OwnershipOfferEnded{GroupId: c.GroupID, ToUserId: g.Offered, EndedBy: c.By})}, nil
	}
	if err := c.mayPass(v, g); err != nil {
		return nil, err
	}
	return g.passes(v, c.GroupID, c.By, false)
}

// mayPass refuses a taker who may own no group, and an owner of whom nothing passes on now.
func (c AnswerOwnership) mayPass(v event.View, g Group) error {
	if err := standing.May(v, c.By, standing.Decide); err != nil {
		return err
	}
	switch {
	case c.Owner != "" && c.Owner != g.Owner:
		return fault.New(fault.Conflict, "The group has another owner since just now. Please try again.")
	case c.Owner != "" && standing.May(v, c.Owner, standing.HandOver) != nil:
		return standing.May(v, c.Owner, standing.HandOver)
	}
	return g.mayOwn(v, c.By)
}

// passes gives the group another owner.
func (g Group) passes(v event.View, groupID, to string, byVote bool) ([]event.Draft, error) {
	out := []event.Draft{event.On(GroupStream(groupID), &nairav1.OwnershipPassed{GroupId: groupID, FromUserId: g.Owner, ToUserId: to, ByVote: byVote})}
	g.Owner = to
	active, err := activation(v, g, groupID, to)
	return append(out, active...), err
}

// ProposeSuccession has an approver propose who takes over from an owner who is away; proposing is a vote for it.
type ProposeSuccession struct {
	GroupID   string
	Candidate string
	By        string
	OwnerSeen time.Time // When the owner was last here.
	Officers  Officers
	Now       time.Time
}

// Streams implements event.Command.
func (c ProposeSuccession) Streams() []string {
	return append(append(between(c.GroupID, c.Candidate, c.By), account.Stream(c.Candidate)), c.Officers.Streams()...)
}

// Accounts implements event.Command.
func (ProposeSuccession) Accounts() []string { return nil }

// Decide implements event.Command. A vote that nobody decided in time makes way for another.
func (c ProposeSuccession) Decide(v event.View) ([]event.Draft, error) {
	g := voting(v, c.GroupID)
	if err := g.appoints(v, c.GroupID, c.By); err != nil {
		return nil, err
	}
	switch {
	case c.By == g.Owner:
		return nil, fault.New(fault.Conflict, "You own the group and are here. Offer it to an approver instead.")
	case c.Now.Sub(c.OwnerSeen) < AwayFor:
		return nil, fault.New(fault.Conflict, "The owner was here on %s. Another can be proposed once they were away for 30 days.", lagos.Date(c.OwnerSeen))
	case g.Succession.Candidate != "" && !g.Succession.over(c.Now):
		return nil, fault.New(fault.Conflict, "A vote is open already. Vote in that one first.")
	case event.StateOf[Member](v, MemberStream(c.GroupID, c.Candidate)).Status == None:
		return nil, fault.New(fault.NotFound, "This person is not in the group.")
	}
	if err := g.mayOwn(v, c.Candidate); err != nil {
		return nil, err
	}
	voters, err := c.voters(v, g)
	if err != nil {
		return nil, err
	}
	var out []event.Draft
	if g.Succession.Candidate != "" {
		out = g.endsVote(c.GroupID, undecided)
	}
	return append(
		out,
		event.On(GroupStream(c.GroupID), &nairav1.SuccessionProposed{
			GroupId: c.GroupID, CandidateId: c.Candidate, ProposedBy: c.By, OwnerSeenAt: timestamppb.New(c.OwnerSeen),
		}),

		event.On(GroupStream(c.GroupID), &nairav1.VotersFixed{GroupId: c.GroupID, CandidateId: c.Candidate, VoterIds: voters}),
	), nil
}

// undecided is why a vote ended that nobody decided in time.
const undecided = "It was not decided within 14 days."

// voters are the approvers besides the owner who may decide, and the validator where there is only one. The one who
// proposes is among them, and never decides alone. A validator whom an approver appointed since the owner was last here
// does not vote: else the only approver appoints a friend, and two vote. Earlier builds let them. Approvers are
// appointed by the owner alone.
func (c ProposeSuccession) voters(v event.View, g Group) ([]string, error) {
	bench, err := c.Officers.Bench(v, g, c.Now, g.Owner)
	if err != nil {
		return nil, err
	}
	_, earlier := v.(standing.Earlier)
	since := !earlier && g.ValidatorBy != g.Owner && !g.Held(g.Validator, c.OwnerSeen)
	voters, why := bench.Approvers, bench.Why()
	switch {
	case len(voters) != 1 || bench.Validator == "":
	case since:
		why = strings.TrimSpace(why + " The validator was appointed while the owner was away, and does not vote.")
	default:
		voters = append(voters, bench.Validator)
	}
	switch {
	case !slices.Contains(voters, c.By):
		return nil, fault.New(fault.Conflict, "You cannot propose this yet. %s", why)
	case len(voters) < 2:
		return nil, fault.New(fault.Conflict, "Nobody else could vote on this yet, and nobody gives a group away alone. %s", why)
	}
	return voters, nil
}

// Voters are those who vote on an open proposal and have held an office without a break since it was made.
func (g Group) Voters() []string {
	return slices.DeleteFunc(slices.Clone(g.electorate()), func(user string) bool { return !g.Official(user) || !g.InOffice(user, g.Succession.Since) })
}

// electorate is who votes: those who were fixed, or for a proposal of before that the approvers besides the owner, and
// the validator where there is only one.
func (g Group) electorate() []string {
	if len(g.Succession.Voters) > 0 {
		return g.Succession.Voters
	}
	voters := without(g.Approvers, g.Owner)
	if len(voters) == 1 {
		voters = append(voters, g.Validator)
	}
	return voters
}

// Needed is how many votes give the group to a candidate: more than half of those who vote. Nobody replaces a voter who
// left, so that fewer voters do not need fewer votes.
func (g Group) Needed() int { return len(g.electorate())/2 + 1 }

// Votes counts those for the candidate, of people who still have one.
func (g Group) Votes() int { return g.count(g.Succession.For) }

// count counts votes that count, of people who still have one.
func (g Group) count(votes []string) (n int) {
	voters := g.Voters()
	for _, user := range votes {
		if slices.Contains(voters, user) && g.Succession.Voted(user) {
			n++
		}
	}
	return n
}

// elects ends a vote that is decided: the group passes, or the candidate can no longer win. silent are how many voters
// have not voted and never will.
func (g Group) elects(v event.View, groupID string, silent int) ([]event.Draft, error) {
	switch {
	case g.Votes() >= g.Needed():
		return g.passes(v, groupID, g.Succession.Candidate, true)
	case len(g.Voters())-silent-g.count(g.Succession.Against) < g.Needed():
		return g.endsVote(groupID, "The vote went against them."), nil
	default:
		return nil, nil
	}
}

func (g Group) endsVote(groupID, reason string) []event.Draft {
	return []event.Draft{event.On(GroupStream(groupID), &nairav1.SuccessionEnded{GroupId: groupID, CandidateId: g.Succession.Candidate, Reason: reason})}
}

// Vote is the version of an open vote: on which owner, for whom, and who votes.
func (g Group) Vote() seen.Version {
	if g.Succession.Candidate == "" {
		return ""
	}
	return seen.Of(g.Owner, g.Succession.Candidate, g.electorate())
}

// VoteSuccession is one vote. An owner who was seen again ends it all.
type VoteSuccession struct {
	GroupID   string
	Candidate string       // Whom the vote is about.
	Seen      seen.Version // The vote that the voter was shown; empty not to ask.
	By        string
	Agrees    bool
	OwnerSeen time.Time
	Now       time.Time
}

// Streams implements event.Command.
func (c VoteSuccession) Streams() []string {
	return append(decided(c.GroupID, c.By), account.Stream(c.Candidate))
}

// Accounts implements event.Command.
func (VoteSuccession) Accounts() []string { return nil }

// Decide implements event.Command.
func (c VoteSuccession) Decide(v event.View) ([]event.Draft, error) {
	g := voting(v, c.GroupID)
	if g.Status == None || event.StateOf[Member](v, MemberStream(c.GroupID, c.By)).Status == None {
		return nil, ErrNoGroup()
	}
	if err := g.fillsOffices(); err != nil {
		return nil, err
	}
	switch {
	case !g.MayApprove(c.By) && c.By != g.Validator:
		return nil, fault.New(fault.Forbidden, "Only an approver of the group can do this.")
	case g.Succession.Candidate == "" || g.Succession.Candidate != c.Candidate:
		return nil, fault.New(fault.Conflict, "No such vote is open.")
	case c.By == g.Owner:
		return nil, fault.New(fault.Forbidden, "You own the group: being here ends the vote.")
	case g.Succession.over(c.Now):
		return nil, fault.New(fault.Conflict, "This vote was open until %s. Another can be proposed now.", lagos.Clock(g.Succession.Since.Add(VoteFor)))
	case c.Seen.IfSaid(g.Vote()) != nil:
		return nil, c.Seen.IfSaid(g.Vote())
	case !slices.Contains(g.Voters(), c.By):
		return nil, fault.New(fault.Forbidden, "The approvers besides the owner vote; the validator only where there is one alone.")
	case standing.May(v, c.By, standing.Decide) != nil:
		return nil, standing.May(v, c.By, standing.Decide)
	case g.Succession.Voted(c.By):
		return nil, fault.New(fault.Conflict, "You have voted already.")
	case c.Now.Sub(c.OwnerSeen) < AwayFor:
		return nil, fault.New(fault.Conflict, "The owner was here on %s, which ends the vote.", lagos.Date(c.OwnerSeen))
	}
	out := []event.Draft{event.On(GroupStream(c.GroupID), &nairav1.SuccessionVoted{GroupId: c.GroupID, CandidateId: c.Candidate, UserId: c.By, Agrees: c.Agrees})}
	g.Succession = g.Succession.vote(c.By, c.Agrees)
	if c.Agrees && g.Votes() >= g.Needed() {
		if err := g.mayOwn(v, c.Candidate); err != nil {
			return nil, err
		}
	}
	ended, err := g.elects(v, c.GroupID, 0)
	return append(out, ended...), err
}

// EndSuccession ends a vote that waits for nobody: the owner was seen again, nobody decided it in time, those who have
// not voted may no longer, or the candidate closed or froze their account.
type EndSuccession struct {
	GroupID   string
	Candidate string   // Whom the vote is about.
	Voters    []string // Those who vote, as the giver of the command knows them: who closed their account votes no more.
	OwnerSeen time.Time
	Now       time.Time
}

// Streams implements event.Command.
func (c EndSuccession) Streams() []string {
	streams := []string{GroupStream(c.GroupID), account.Stream(c.Candidate)}
	for _, user := range c.Voters {
		streams = append(streams, account.Stream(user))
	}
	return streams
}

// Accounts implements event.Command.
func (EndSuccession) Accounts() []string { return nil }

// Decide implements event.Command.
func (c EndSuccession) Decide(v event.View) ([]event.Draft, error) {
	g := voting(v, c.GroupID)
	if g.Succession.Candidate == "" || g.Succession.Candidate != c.Candidate {
		return nil, fault.New(fault.Conflict, "There is no vote that could end.")
	}
	if c.Now.Sub(c.OwnerSeen) < AwayFor {
		return g.endsVote(c.GroupID, "The owner is back."), nil
	}
	if err := g.fillsOffices(); err != nil {
		return nil, err
	}
	if g.Succession.over(c.Now) {
		return g.endsVote(c.GroupID, undecided), nil
	}
	if serves := standing.May(v, c.Candidate, standing.Serve) == nil; !serves {
		return g.endsVote(c.GroupID, "They cannot take an office just now."), nil
	}
	if g.Votes() >= g.Needed() {
		if err := g.mayOwn(v, c.Candidate); err != nil {
			return nil, err
		}
	}
	ended, err := g.elects(v, c.GroupID, c.silent(v, g))
	if err == nil && len(ended) == 0 {
		err = fault.New(fault.Conflict, "The vote waits for others.")
	}
	return ended, err
}

// silent is how many voters closed their account before they voted.
func (c EndSuccession) silent(v event.View, g Group) (n int) {
	for _, user := range g.Voters() {
		if slices.Contains(c.Voters, user) && standing.May(v, user, standing.BeCounted) != nil && !g.Succession.Voted(user) {
			n++
		}
	}
	return n
}
