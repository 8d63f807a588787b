package savings

import (
	"maps"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// CoolOff is how long somebody holds an office before it counts for money and for who owns the group.
const CoolOff = 72 * time.Hour

// Officers are a group's officials as the giver of a command knows them.
type Officers struct {
	Users []string // The validator and every approver.
	// Interested are those who share a BVN or a bank account with the person who asks, or whom it is about.
	Interested []string
	Paid       []string   // Those whose own bank account the group would pay.
	Together   [][]string // Each those who share a bank account with each other: they decide as one.
}

// Concerned are those who mark no payment to this payee: whom it pays, and those who share a bank account with them or
// with the person who asked. Where nobody else could mark it, they are only those whom it pays.
func (o Officers) Concerned(asker string) []string {
	all := slices.Concat(o.Paid, o.Interested)
	for _, together := range o.Together {
		if slices.ContainsFunc(together, func(user string) bool { return slices.Contains(o.Paid, user) }) {
			all = append(all, together...)
		}
	}
	if slices.ContainsFunc(o.Users, func(user string) bool { return user != asker && !slices.Contains(all, user) }) {
		return all
	}
	return o.Paid
}

// Streams are the accounts of all of them, which say whose BVN is verified.
func (o Officers) Streams() []string {
	streams := make([]string, len(o.Users))
	for i, user := range o.Users {
		streams[i] = account.Stream(user)
	}
	return streams
}

// Bench is who may decide something.
type Bench struct {
	Validator string // Empty when the group's validator may not.
	Approvers []string
	approving int      // How many approvers hold an office that counts and an account, barred or not.
	barred    []string // Why somebody may not, in words.
}

// Short reports whether an approver who may not decide would make fewer approvals enough: where the group has two
// approvers besides the person who asks, two must be able to decide.
func (b Bench) Short() bool { return len(b.Approvers) < min(2, b.approving) }

// Bench answers who of a group's officials may decide at a moment, but for those named: they have held their office
// for CoolOff, their account is not closed, their BVN is verified, and they have no interest in it. Of those who
// share a bank account the first decides: the validator, the owner, then the approvers as they were appointed. An
// official who froze their account is on the bench: they may thaw it in time. Conflict when the group has other
// officials by now.
func (o Officers) Bench(v event.View, g Group, at time.Time, but ...string) (Bench, error) {
	var b Bench
	for _, user := range append([]string{g.Validator}, g.Approvers...) {
		if user == "" || slices.Contains(but, user) {
			continue
		}
		if !slices.Contains(o.Users, user) {
			return b, fault.New(fault.Conflict, "The group has other officials since just now. Please try again.")
		}
		inOffice, why := o.bars(v, g, user, at)
		if inOffice && user != g.Validator {
			b.approving++
		}
		if why == "" && o.joins(user, append([]string{b.Validator}, b.Approvers...)) {
			why = "Two officials share a bank account, so only one of them decides."
		}
		switch {
		case why != "":
			b.barred = append(b.barred, why)
		case user == g.Validator:
			b.Validator = user
		default:
			b.Approvers = append(b.Approvers, user)
		}
	}
	return b, nil
}

// bars says why an official may not decide, empty when they may, and whether they hold an office that counts. In a
// closed group nobody waits for an official to verify their BVN: another decides in their place.
func (o Officers) bars(v event.View, g Group, user string, at time.Time) (inOffice bool, why string) {
	counts := g.OfficeSince[user].Add(CoolOff)
	switch {
	case at.Before(counts):
		return false, "One official's office counts from " + lagos.Clock(counts) + ", three days after it began."
	case standing.May(v, user, standing.BeCounted) != nil:
		return false, standing.May(v, user, standing.BeCounted).Error()
	case event.StateOf[account.Account](v, account.Stream(user)).Bvn != account.Verified:
		return g.Status != Closed, "One official has not verified their BVN, which they do in their profile."
	case slices.Contains(o.Interested, user), slices.Contains(o.Paid, user):
		return true, standing.Tied.May(standing.BeCounted).Error()
	default:
		return true, ""
	}
}

// joins reports whether a user shares a bank account with one of some officials.
func (o Officers) joins(user string, others []string) bool {
	return slices.ContainsFunc(o.Together, func(hand []string) bool {
		return slices.Contains(hand, user) && slices.ContainsFunc(others, func(other string) bool { return slices.Contains(hand, other) })
	})
}

// Why says in words who may not decide and why; empty when everybody may.
func (b Bench) Why() string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(b.barred))), " ")
}

// InOffice reports whether a user has held an office without a break since a moment or longer.
func (g Group) InOffice(user string, since time.Time) bool {
	began, holds := g.OfficeSince[user]
	return holds && !began.After(since)
}

// Held reports whether a user's word of a moment counts: they have been in office since, and their account was not
// given back to them since.
func (g Group) Held(user string, since time.Time) bool {
	return g.InOffice(user, since) && !g.GivenBack[user].After(since)
}

// takes and leaves are since when offices are held after somebody takes or leaves one.
func (g Group) takes(user string, at time.Time) Group {
	g.OfficeSince = maps.Clone(g.OfficeSince)
	if g.OfficeSince == nil {
		g.OfficeSince = map[string]time.Time{}
	}
	g.OfficeSince[user] = at
	return g
}

func (g Group) leaves(user string) Group {
	if _, holds := g.OfficeSince[user]; holds {
		g.OfficeSince = maps.Clone(g.OfficeSince)
		delete(g.OfficeSince, user)
	}
	return g
}

// The bounds of a group's notice, in hours.
const (
	DefaultNotice = 24
	MaxNotice     = 7 * 24
)

// Notice is how long a payment of the group waits, so that members can object.
type Notice struct {
	Set        bool // Otherwise it is DefaultNotice.
	Hours      int
	Before     int // What counts until From.
	CountsFrom time.Time
}

// At is the notice that counts at a moment.
func (n Notice) At(at time.Time) time.Duration {
	switch {
	case !n.Set:
		return DefaultNotice * time.Hour
	case at.Before(n.CountsFrom):
		return time.Duration(n.Before) * time.Hour
	default:
		return time.Duration(n.Hours) * time.Hour
	}
}

// SetNotice has the owner choose how long payments of the group wait. A longer notice counts at once; a shorter one
// only after the time that it shortens, so that nobody shortens it and is paid before the others know.
type SetNotice struct {
	GroupID string
	By      string
	Hours   int
	Now     time.Time
}

// Streams implements event.Command.
func (c SetNotice) Streams() []string { return decided(c.GroupID, c.By) }

// Accounts implements event.Command.
func (SetNotice) Accounts() []string { return nil }

// Decide implements event.Command.
func (c SetNotice) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	if err := owner(v, g, c.GroupID, c.By); err != nil {
		return nil, err
	}
	now := g.Notice.At(c.Now)
	chosen := time.Duration(c.Hours) * time.Hour
	switch {
	case c.Hours < 0 || c.Hours > MaxNotice:
		return nil, fault.Field("hours", "The notice is from 0 hours to 7 days.")
	case g.Notice.Set && c.Hours == g.Notice.Hours, !g.Notice.Set && c.Hours == DefaultNotice:
		return nil, fault.New(fault.Conflict, "The notice is that already.")
	}
	from := c.Now
	if chosen < now {
		from = c.Now.Add(now)
	}
	return []event.Draft{event.On(GroupStream(c.GroupID), &nairav1.GroupNoticeSet{
		GroupId: c.GroupID, Hours: int32(c.Hours), SetBy: c.By, CountsFrom: timestamppb.New(from),
	})}, nil
}
