package ajo

import (
	"bytes"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wording"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// The bounds of what is written.
const (
	minName, maxName = 3, 60
	maxDescription   = 500
	maxReason        = 300
)

// Create founds an ajo. Its owner takes the first hands.
type Create struct {
	AjoID             string
	Name, Description string
	Terms             *nairav1.AjoTerms
	Listed            bool
	Past              []Past // Cycles that were over before; none for a new ajo.
	Owner             Joiner
	Now               time.Time
}

// Streams implements event.Command.
func (c Create) Streams() []string {
	return append([]string{Stream(c.AjoID)}, c.Owner.Streams()...)
}

// Accounts implements event.Command.
func (Create) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Create) Decide(v event.View) ([]event.Draft, error) {
	if event.StateOf[Ajo](v, Stream(c.AjoID)).Status != None {
		return nil, fault.New(fault.Conflict, "This ajo exists already.")
	}
	name, err := wording.Text("name", "The ajo's name", c.Name, minName, maxName)
	if err != nil {
		return nil, err
	}
	description, err := wording.Text("description", "The description", c.Description, 0, maxDescription)
	if err != nil {
		return nil, err
	}
	if err := CheckTerms(c.Terms, c.Listed, savings.Day(c.Now)); err != nil {
		return nil, err
	}
	if err := checkPast(c.Past, int(c.Terms.GetSeats())); err != nil {
		return nil, err
	}
	hash := TermsHash(c.Terms)
	owner := c.Owner
	owner.TermsHash = hash[:]
	a := Ajo{Status: Open, Owner: owner.User, Listed: c.Listed, Terms: c.Terms, Seats: make([]Seat, c.Terms.GetSeats())}
	_, a.Earlier = v.(standing.Earlier)
	if account.Verified != event.StateOf[account.Account](v, account.Stream(owner.User)).Bvn {
		return nil, errBvn()
	}
	created := drafts(c.AjoID, &nairav1.AjoCreated{
		AjoId: c.AjoID, OwnerId: owner.User, Name: name, Description: description, Terms: c.Terms, Listed: c.Listed,
	})
	if len(c.Past) > 0 {
		created = append(created, drafts(c.AjoID, told(c.AjoID, c.Past))...)
	}
	joined, err := owner.join(v, a, c.AjoID)
	return append(created, joined...), err
}

func errBvn() error {
	return fault.New(fault.Conflict, "You need a verified BVN for ajo. Verify it in your profile first.")
}

// checkPast holds what is told of the past to what can have been: cycles from the first on, each collected by another
// seat, and one at least still to come.
func checkPast(past []Past, seats int) error {
	collected := map[int]bool{}
	for i, p := range past {
		switch {
		case p.Cycle != i+1 || len(past) >= seats:
			return fault.Field("existing", "Name the cycles that are over in order, from the first on, and leave one at least to come.")
		case p.Seat < 1 || p.Seat > seats || collected[p.Seat]:
			return fault.Field("existing", "Each past cycle was collected by another seat, from 1 to %d.", seats)
		}
		for j, seat := range p.Paid {
			if seat < 1 || seat > seats || slices.Contains(p.Paid[:j], seat) {
				return fault.Field("existing", "Name each seat that paid once, from 1 to %d.", seats)
			}
		}
		collected[p.Seat] = true
	}
	return nil
}

func told(ajoID string, past []Past) *nairav1.AjoPastTold {
	m := &nairav1.AjoPastTold{AjoId: ajoID}
	for _, p := range past {
		m.Cycles = append(m.Cycles, &nairav1.AjoPastCycle{Cycle: int32(p.Cycle), Seat: int32(p.Seat), Paid: Int32s(p.Paid)})
	}
	return m
}

// ChangeTerms gives an ajo other terms while it takes members. Whoever has joined must accept them in time.
func ChangeTerms(ajoID, by string, terms *nairav1.AjoTerms, now time.Time) event.Command {
	return promising{step{ajoID, by, func(a Ajo) ([]proto.Message, error) {
		taken := 0
		for _, s := range a.Seats {
			if len(s.Places) > 0 {
				taken++
			}
		}
		old, next := TermsHash(a.Terms), TermsHash(terms)
		switch {
		case by != a.Owner:
			return nil, errOwner()
		case a.Status != Open:
			return nil, a.errNotOpen()
		case int(terms.GetSeats()) < taken:
			return nil, fault.Field("memberCapacity", "%d seats are taken, so there cannot be fewer.", taken)
		case old == next:
			return nil, fault.New(fault.Conflict, "These are the terms already.")
		case terms.GetDraw() == nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES && a.Terms.GetDraw() != terms.GetDraw() && !a.committed():
			return nil, fault.Field("draw", "Somebody joined without their phone's part of a draw, so phones cannot draw the order. Keep the public beacon.")
		case len(a.Past) > 0 && int(terms.GetSeats()) != len(a.Seats):
			return nil, fault.Field("memberCapacity", "An ajo that ran before keeps its seats.")
		}
		if err := CheckTerms(terms, a.Listed, savings.Day(now)); err != nil {
			return nil, err
		}
		return []proto.Message{
			&nairav1.AjoTermsChanged{AjoId: ajoID, Terms: terms, AcceptBy: timestamppb.New(now.Add(time.Duration(terms.GetTermsHours()) * time.Hour))},
			&nairav1.AjoTermsAccepted{AjoId: ajoID, UserId: by, TermsHash: next[:]},
		}, nil
	}}}
}

// committed reports whether every phone has given its part of a draw by phones.
func (a Ajo) committed() bool {
	for _, s := range a.Seats {
		if slices.ContainsFunc(s.Places, func(p Place) bool { return len(p.Commitment) == 0 }) {
			return false
		}
	}
	return true
}

func errOwner() error {
	return fault.New(fault.Forbidden, "Only the ajo's owner can do this. Ask them to.")
}

// errNotOpen says why an ajo's list does not change any more.
func (a Ajo) errNotOpen() error {
	switch a.Status {
	case Ordering:
		return fault.New(fault.Conflict, "The list is sealed until the draw at %s.", lagosClock(a.Closing.DrawAt))
	case Cancelled, Completed, Terminated:
		return fault.New(fault.Conflict, "This ajo has ended.")
	default:
		return fault.New(fault.Conflict, "This list is closed.")
	}
}

// AcceptTerms is a member's word that they read the terms as they are now.
func AcceptTerms(ajoID, user string, hash []byte) event.Command {
	return promising{step{ajoID, user, func(a Ajo) ([]proto.Message, error) {
		now := TermsHash(a.Terms)
		if a.Status != Open {
			return nil, a.errNotOpen()
		}
		if !bytes.Equal(hash, now[:]) {
			return nil, errTerms()
		}
		if a.Accepted(user) {
			return nil, fault.New(fault.Conflict, "You have accepted these terms already.")
		}
		return []proto.Message{&nairav1.AjoTermsAccepted{AjoId: ajoID, UserId: user, TermsHash: hash}}, nil
	}}}
}

// promising is a step by which a member accepts terms: what they promise by them is counted, and held to what they
// may.
type promising struct{ step }

func (c promising) joiner() Joiner { return Joiner{User: c.by, Invited: true} }

// Streams implements event.Command.
func (c promising) Streams() []string {
	return append(append(c.step.Streams(), BookStream(c.ajo, c.by)), c.joiner().Streams()...)
}

// Accounts implements event.Command.
func (c promising) Accounts() []string {
	return []string{posting.Deposit(c.ajo, c.by), posting.Wallet(c.by)}
}

// Decide implements event.Command.
func (c promising) Decide(v event.View) ([]event.Draft, error) {
	accepted, err := c.step.Decide(v)
	if err != nil {
		return nil, err
	}
	a := event.StateOf[Ajo](v, Stream(c.ajo))
	if changed, is := accepted[0].Message.(*nairav1.AjoTermsChanged); is {
		a.Terms = changed.GetTerms()
	}
	counted, err := c.joiner().May(v, a, c.ajo, a.HalvesOf(c.by))
	if err != nil {
		return nil, err
	}
	accepted = append(accepted, counted)
	if over := v.Balance(posting.Deposit(c.ajo, c.by)) - a.Deposit(c.by); over > 0 && !a.Earlier { // The terms ask for less.
		accepted = append(accepted, event.On(BookStream(c.ajo, c.by), &nairav1.AjoDepositReturned{AjoId: c.ajo, UserId: c.by, AmountKobo: int64(over)}))
	}
	return accepted, nil
}

func errTerms() error {
	return fault.New(fault.Conflict, "The terms have changed since you read them. Please read them again.")
}

// Accepted reports whether a user has accepted the terms as they are, with any of their hands. Earlier builds asked
// for all.
func (a Ajo) Accepted(user string) bool {
	hash := TermsHash(a.Terms)
	with, without := 0, 0
	for _, s := range a.Seats {
		for _, p := range s.Places {
			switch {
			case p.User != user:
			case bytes.Equal(p.Terms, hash[:]):
				with++
			default:
				without++
			}
		}
	}
	return without == 0 || with > 0 && !a.Earlier
}

// TellPast corrects what the owner told of the past, or takes it back with none.
func TellPast(ajoID, by string, past []Past) event.Command {
	return standing.Decides(by, standing.Decide, step{ajoID, by, func(a Ajo) ([]proto.Message, error) {
		switch {
		case by != a.Owner:
			return nil, errOwner()
		case a.Status != Open:
			return nil, a.errNotOpen()
		case len(past) == 0 && len(a.Past) == 0:
			return nil, fault.New(fault.Conflict, "Nothing was told of the past.")
		}
		if err := checkPast(past, len(a.Seats)); err != nil {
			return nil, err
		}
		return []proto.Message{told(ajoID, past)}, nil
	}})
}

// AnswerPast is a member's word on what was told of the past.
func AnswerPast(ajoID, user string, confirmed bool) event.Command {
	answer := step{ajoID, user, func(a Ajo) ([]proto.Message, error) {
		already := a.Denied
		if confirmed {
			already = a.Confirmed
		}
		switch {
		case a.Status != Open:
			return nil, a.errNotOpen()
		case len(a.Past) == 0:
			return nil, fault.New(fault.Conflict, "Nothing was told of the past.")
		case slices.Contains(already, user) && (!confirmed || a.Earlier || a.ConfirmedPast(user)):
			return nil, fault.New(fault.Conflict, "You have said so already.")
		}
		return []proto.Message{&nairav1.AjoPastAnswered{AjoId: ajoID, UserId: user, Confirmed: confirmed}}, nil
	}}
	if confirmed { // It gives a turn away. To deny it gives nothing.
		return standing.Decides(user, standing.Decide, answer)
	}
	return answer
}
