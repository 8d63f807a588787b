// Package remedy decides what two of our staff do for a member whose account somebody else used: they give the account
// back to its owner, or let the owner verify another BVN than the one that was verified.
//
//	none ──Propose──▶ waits ──Agree──▶ done: AccountGivenBackV2 or AnotherBvnLetIn
//	                    └───Decline, or 14 days──▶ none
//
// A remedy is on the stream of the member's account, which keeps at most one. To which address an account goes, and
// why, is no part of the ledger: it says who somebody is.
package remedy

import (
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoaccess"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// Hold is how long no withdrawal is asked for after a remedy, unless it is configured; HoldMost is the longest.
const (
	Hold     = 72 * time.Hour
	HoldMost = 30 * 24 * time.Hour
)

// sinceMost is how long ago somebody else may have begun to use an account that is given back.
const sinceMost = 2 * 365 * 24 * time.Hour

// The kinds.
const (
	giveBack   = nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK
	anotherBvn = nairav1.RemedyKind_REMEDY_KIND_ANOTHER_BVN
)

// Lost is why ajo access ends with another BVN.
const Lost = "Another BVN is let into your account. Ask for access again once it is verified."

// Desk is who decides about whose account.
type Desk struct {
	Staff, User string
	Groups      []string // That one of them is or was in.
	Party       bool     // The person of staff is the member's guardian, or collects for a card of theirs.
	Tied        bool     // They are paid to one bank account, or is who agrees with who proposed.
}

// Streams implements event.Command.
func (d Desk) Streams() []string {
	streams := []string{account.Stream(d.User), account.Stream(d.Staff), ajo.CommitStream(d.Staff), ajo.CommitStream(d.User), ajoaccess.Stream(d.User)}
	for _, group := range d.Groups {
		streams = append(streams, savings.MemberStream(group, d.Staff), savings.MemberStream(group, d.User))
	}
	return streams
}

// Accounts implements event.Command.
func (Desk) Accounts() []string { return nil }

// may refuses a person of staff who may not decide about this member, and anything about a closed account.
func (d Desk) may(v event.View) error {
	switch {
	case d.Staff == d.User:
		return standing.Own.May(standing.Remedy)
	case d.Party || d.together(v):
		return standing.Party.May(standing.Remedy)
	case d.Tied:
		return standing.Tied.May(standing.Remedy)
	}
	if err := standing.May(v, d.User, standing.BeReviewed); err != nil {
		return err
	}
	return standing.May(v, d.Staff, standing.Remedy)
}

// together reports whether both are, or were, in one of the groups or in one ajo.
func (d Desk) together(v event.View) bool {
	in := func(group, user string) bool {
		m := event.StateOf[savings.Member](v, savings.MemberStream(group, user))
		return m.Was || m.Status != savings.None
	}
	for _, group := range d.Groups {
		if in(group, d.Staff) && in(group, d.User) {
			return true
		}
	}
	ever := map[string]bool{}
	for _, id := range event.StateOf[ajo.Commitments](v, ajo.CommitStream(d.Staff)).Ever {
		ever[id] = true
	}
	for _, id := range event.StateOf[ajo.Commitments](v, ajo.CommitStream(d.User)).Ever {
		if ever[id] {
			return true
		}
	}
	return false
}

// Propose proposes a remedy.
type Propose struct {
	Desk
	RemedyID string
	Kind     nairav1.RemedyKind
	Case     string
	Since    time.Time // Of GIVE_BACK: since when somebody else used the account.
	Now      time.Time
}

// Decide implements event.Command.
func (c Propose) Decide(v event.View) ([]event.Draft, error) {
	if err := c.judge(); err != nil {
		return nil, err
	}
	if err := c.may(v); err != nil {
		return nil, err
	}
	_, earlier := v.(standing.Earlier)
	switch a := event.StateOf[account.Account](v, account.Stream(c.User)); {
	case a.SessionsOpen() && !earlier: // Another remedy would keep the end of this theft from being recorded.
		return nil, fault.New(fault.Conflict, "This account was just given back, and its sessions are being ended. Try again in a few minutes.")
	case a.Waits(c.Now):
		return nil, fault.New(fault.Conflict, "Something is proposed for this member already. Decline that first.")
	case c.Kind == anotherBvn && !a.Known:
		return nil, fault.New(fault.Conflict, "No BVN of this member was ever verified. They can verify one in their profile.")
	case c.Kind == anotherBvn && a.AnotherBvn:
		return nil, fault.New(fault.Conflict, "Another BVN is let in already. The member can verify it in their profile.")
	}
	proposed := &nairav1.AccountRemedyProposed{UserId: c.User, RemedyId: c.RemedyID, Kind: c.Kind, ProposedBy: c.Staff, CaseId: c.Case}
	if c.Kind == giveBack {
		proposed.Since = timestamppb.New(c.Since)
	}
	return []event.Draft{event.On(account.Stream(c.User), proposed)}, nil
}

// judge is what can be said of a proposal without the ledger.
func (c Propose) judge() error {
	switch {
	case c.Kind != giveBack && c.Kind != anotherBvn:
		return fault.Field("kind", "Say whether the account is given back, or another BVN let in.")
	case c.Case == "":
		return fault.Field("case", "Give the case that this is for.")
	case c.Kind == giveBack && (c.Since.IsZero() || c.Since.After(c.Now) || c.Since.Before(c.Now.Add(-sinceMost))):
		return fault.Field("since", "Say since when somebody else used the account: a time within the last two years.")
	}
	return nil
}

// Decline ends a remedy that waits, or whose time is over.
type Decline struct {
	Staff, User, RemedyID string
}

// Streams implements event.Command.
func (c Decline) Streams() []string { return []string{account.Stream(c.User)} }

// Accounts implements event.Command.
func (Decline) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Decline) Decide(v event.View) ([]event.Draft, error) {
	if c.Staff == c.User {
		return nil, standing.Own.May(standing.Remedy)
	}
	if err := standing.May(v, c.User, standing.BeReviewed); err != nil {
		return nil, err
	}
	if event.StateOf[account.Account](v, account.Stream(c.User)).Remedy.ID != c.RemedyID {
		return nil, over()
	}
	return []event.Draft{event.On(account.Stream(c.User), &nairav1.AccountRemedyDeclined{UserId: c.User, RemedyId: c.RemedyID, DeclinedBy: c.Staff})}, nil
}

func over() error {
	return fault.New(fault.Conflict, "This waits no more: it was done or declined, or its time is over.")
}

// Agree has a remedy done that another of our staff proposed.
type Agree struct {
	Desk
	Proposer Desk // Who proposed it, as they are by now; empty not to ask.
	RemedyID string
	Saw, Now seen.Version // What the Admin looked at, and what is there; empty not to ask.
	Hold     time.Duration
	At       time.Time
}

// Streams implements event.Command.
func (c Agree) Streams() []string {
	if c.Proposer.Staff == "" {
		return c.Desk.Streams()
	}
	streams := append(c.Desk.Streams(), c.Proposer.Streams()...)
	slices.Sort(streams)
	return slices.Compact(streams)
}

// Decide implements event.Command.
func (c Agree) Decide(v event.View) ([]event.Draft, error) {
	a := event.StateOf[account.Account](v, account.Stream(c.User))
	r := a.Remedy
	if err := c.may(v); err != nil {
		return nil, err
	}
	switch {
	case r.ID != c.RemedyID || !a.Waits(c.At):
		return nil, over()
	case r.By == c.Staff:
		return nil, fault.New(fault.Forbidden, "Nobody agrees to what they proposed. Another Admin does.")
	case c.Proposer.Staff != "" && c.Proposer.may(v) != nil:
		return nil, fault.New(fault.Conflict, "The person who proposed this may not decide about this member any more. Decline it, and have another of the desk propose it.")
	case c.Saw.IfSaid(c.Now) != nil:
		return nil, c.Saw.IfSaid(c.Now)
	case c.Hold <= 0:
		return nil, fault.New(fault.Conflict, "It is not configured how long withdrawals are held.")
	}
	until := timestamppb.New(c.At.Add(c.Hold))
	if r.Kind == giveBack {
		_, earlier := v.(standing.Earlier)
		return []event.Draft{event.On(account.Stream(c.User), &nairav1.AccountGivenBackV2{
			UserId: c.User, RemedyId: r.ID, ProposedBy: r.By, ApprovedBy: c.Staff, Since: timestamppb.New(r.Since), HeldUntil: until, UntilSessionsEnd: !earlier,
		})}, nil
	}
	drafts := []event.Draft{event.On(account.Stream(c.User), &nairav1.AnotherBvnLetIn{
		UserId: c.User, RemedyId: r.ID, ProposedBy: r.By, ApprovedBy: c.Staff, HeldUntil: until,
	})}
	if event.StateOf[ajoaccess.Access](v, ajoaccess.Stream(c.User)).Has {
		drafts = append(drafts, ajoaccess.Lost(c.User, Lost, ""))
	}
	return drafts, nil
}
