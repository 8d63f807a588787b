package ajo

import (
	"slices"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wording"
	"adashi.ng/ledger/event"
)

func timestamp(at time.Time) *timestamppb.Timestamp { return timestamppb.New(at) }

func naira(kobo int64) money.Kobo { return money.Kobo(kobo) }

// missesToExpel is how many open shortfalls a member is expelled for, at least.
const missesToExpel = 2

// Misses is how many dues a user missed that are not made good yet.
type Misses interface{ MissesOf(user string) int }

// Move puts something to the vote. Whoever makes it votes for it.
type Move struct {
	AjoID, MotionID, By string
	Kind                nairav1.AjoMotionKind
	User                string // Whom an expulsion is about; nobody in every other vote.
	Reason              string
	Now                 time.Time
}

// Streams implements event.Command.
func (c Move) Streams() []string {
	return []string{Stream(c.AjoID), DebtStream(c.AjoID), account.Stream(c.By)}
}

// Accounts implements event.Command.
func (Move) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Move) Decide(v event.View) ([]event.Draft, error) {
	a, err := Read(v, c.AjoID, c.By)
	if err != nil {
		return nil, err
	}
	reason, err := wording.Text("reason", "The reason", c.Reason, minName, maxReason)
	if err != nil {
		return nil, err
	}
	if err := NamesOnlyToExpel(c.Kind, c.User); err != nil {
		return nil, err
	}
	switch {
	case !a.HasStarted() || a.Status == Terminated:
		return nil, fault.New(fault.Conflict, "Members vote while the ajo runs.")
	case !a.HasVoice(c.By):
		return nil, fault.New(fault.Forbidden, "Only a member who holds a seat, and was not expelled, can put something to the vote.")
	case slices.ContainsFunc(a.Motions, func(m Motion) bool { return m.Kind == c.Kind && m.About() == c.User }):
		return nil, fault.New(fault.Conflict, "Members vote about this already.")
	}
	if err := standing.May(v, c.By, standing.Decide); err != nil {
		return nil, err
	}
	if err := c.possible(v, a); err != nil {
		return nil, err
	}
	motion := Motion{ID: c.MotionID, Kind: c.Kind, User: c.User, By: c.By, Until: c.Now.AddDate(0, 0, int(a.Terms.GetMotionDays()))}
	made := []proto.Message{&nairav1.AjoMotionMade{
		AjoId: c.AjoID, MotionId: c.MotionID, Kind: c.Kind, UserId: c.User, MadeBy: c.By, Reason: reason, Until: timestamp(motion.Until),
	}}
	messages, err := a.voted(c.AjoID, motion, c.By, true, c.Now)
	return drafts(c.AjoID, append(made, messages...)...), err
}

// NamesOnlyToExpel refuses a vote that names a member and does not expel them, and an expulsion that names nobody: the
// member whom a vote names has no vote in it.
func NamesOnlyToExpel(kind nairav1.AjoMotionKind, user string) error {
	switch expels := kind == nairav1.AjoMotionKind_AJO_MOTION_KIND_EXPEL; {
	case expels && user == "":
		return fault.Field("userId", "Choose the member whom you want to expel.")
	case !expels && user != "":
		return fault.Field("userId", "Only a vote to expel names a member. Leave the member out.")
	}
	return nil
}

// About is the member whom a motion expels. Builds before this rule recorded a member with other motions too: there it
// counts for nothing.
func (m Motion) About() string {
	if m.Kind == nairav1.AjoMotionKind_AJO_MOTION_KIND_EXPEL {
		return m.User
	}
	return ""
}

func (c Move) possible(v event.View, a Ajo) error {
	switch c.Kind {
	case nairav1.AjoMotionKind_AJO_MOTION_KIND_EXPEL:
		if c.User == c.By {
			return fault.New(fault.Conflict, "Nobody expels themselves. Propose who takes over your place instead.")
		}
		if err := a.expellable(c.User); err != nil {
			return err
		}
		if misses := v.State(DebtStream(c.AjoID)).(Misses).MissesOf(c.User); misses < missesToExpel {
			return fault.New(fault.Conflict, "A member can be expelled after two dues that they missed and did not make good. This one has %d.", misses)
		}
	case nairav1.AjoMotionKind_AJO_MOTION_KIND_PAUSE:
		return a.pausable()
	case nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE:
	default:
		return fault.Field("kind", "Choose what members vote about.")
	}
	return nil
}

// expellable says why a member cannot be expelled, whatever they missed, if they cannot.
func (a Ajo) expellable(user string) error {
	left := slices.DeleteFunc(a.SeatsOf(user), a.HasCollected)
	pays := slices.ContainsFunc(left, func(seat int) bool {
		_, frozen := a.FrozenAt(seat)
		return !frozen
	})
	switch {
	case len(a.SeatsOf(user)) == 0:
		return fault.New(fault.NotFound, "There is no such member.")
	case len(left) == 0:
		return fault.New(fault.Conflict, "This member has collected already. What they owe stays a debt, and is asked for.")
	case !pays && !a.Earlier:
		return fault.New(fault.Conflict, "The seat of this member pays no more already.")
	case slices.Contains(a.Closed, user):
		return fault.New(fault.Conflict, "This member has closed their account, so their place is given up already.")
	case !a.HasVoice(user):
		return fault.New(fault.Conflict, "Members have expelled this member already.")
	}
	return nil
}

// pausable says why an ajo cannot be paused, if it cannot.
func (a Ajo) pausable() error {
	switch {
	case a.Status == Paused:
		return fault.New(fault.Conflict, "The ajo is paused already.")
	case len(a.Pauses) >= int(a.Terms.GetPauses()):
		return fault.New(fault.Conflict, "It was paused for %d cycles already, and cannot be paused again.", len(a.Pauses))
	case a.Current() >= len(a.Order):
		return fault.New(fault.Conflict, "There is no cycle left to be paused.")
	}
	return nil
}

// VoteMotion is a member's vote. One that carries a motion has what follows beside it; ending the ajo is done by
// ajopot.Terminate, which moves money.
func VoteMotion(ajoID, motionID, by string, agrees bool, now time.Time) event.Command {
	return standing.Decides(by, standing.Decide, swap{ajoID, by, DebtStream(ajoID), func(a Ajo, owing Owing) ([]proto.Message, error) {
		motion, err := a.motion(motionID)
		if err != nil {
			return nil, err
		}
		if err := a.stands(motion, owing); err != nil {
			return nil, err
		}
		switch {
		case !now.Before(motion.Until):
			return nil, fault.New(fault.Conflict, "The time to vote is over.")
		case !a.HasVoice(by) || by == motion.About():
			return nil, fault.New(fault.Forbidden, "You have no vote on this.")
		case slices.Contains(motion.For, by) || slices.Contains(motion.Against, by):
			return nil, fault.New(fault.Conflict, "You have voted already.")
		}
		return a.voted(ajoID, motion, by, agrees, now)
	}})
}

// stands says why what members vote about is possible no more, if it is not: that is asked again at each vote.
func (a Ajo) stands(m Motion, owing Owing) error {
	about := m.About()
	if about == "" {
		return nil
	}
	if owing.MissesOf(about) < missesToExpel {
		return fault.New(fault.Conflict, "This member has made good what they missed, so they cannot be expelled any more.")
	}
	if a.Earlier {
		return nil
	}
	return a.expellable(about)
}

func (a Ajo) motion(id string) (Motion, error) {
	for _, m := range a.Motions {
		if m.ID == id {
			return m, nil
		}
	}
	return Motion{}, fault.New(fault.NotFound, "There is no such vote, or it has ended.")
}

// voted is a vote and what follows when it decides the motion.
func (a Ajo) voted(ajoID string, m Motion, by string, agrees bool, now time.Time) ([]proto.Message, error) {
	messages := []proto.Message{&nairav1.AjoMotionVoted{AjoId: ajoID, MotionId: m.ID, UserId: by, Agrees: agrees, Halves: int32(a.HalvesOf(by))}}
	if agrees {
		m.For = append(slices.Clone(m.For), by)
	} else {
		m.Against = append(slices.Clone(m.Against), by)
	}
	switch {
	case a.Lost(m):
		return append(messages, &nairav1.AjoMotionEnded{AjoId: ajoID, MotionId: m.ID}), nil
	case !a.Carried(m):
		return messages, nil
	case m.Kind == nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE:
		return messages, nil // Terminate follows.
	}
	return append(messages, a.carries(ajoID, m, now)...), nil
}

// carries is what follows from a vote to pause or to expel that is carried.
func (a Ajo) carries(ajoID string, m Motion, now time.Time) []proto.Message {
	messages := []proto.Message{&nairav1.AjoMotionEnded{AjoId: ajoID, MotionId: m.ID, Carried: true}}
	if m.Kind == nairav1.AjoMotionKind_AJO_MOTION_KIND_PAUSE {
		if a.pausable() == nil { // Else it was paused, or its last cycle came, while members voted.
			messages = append(messages, &nairav1.AjoPaused{AjoId: ajoID, FromCycle: int32(a.Current() + 1)})
		}
		return messages
	}
	for _, seat := range a.SeatsOf(m.About()) {
		if opened := a.opened(ajoID, m.About(), seat, true, now); a.leavable(m.About(), seat) == nil {
			messages = append(messages, opened)
		} else if i := a.opening(seat, m.About()); i >= 0 && !a.Earlier { // They give it up already, and cannot keep it any more.
			opened.Until = timestamp(a.Openings[i].Until)
			messages = append(messages, opened)
		}
	}
	if m.About() == a.Owner || m.About() == a.Validator {
		messages = append(messages, a.officesPass(ajoID, m.About()))
	}
	return messages
}

// officesPass is that an expelled member's offices are another's, or those of who has closed their account: the
// owner's the validator's, and the validator's that of the member who collects last of those who stay.
func (a Ajo) officesPass(ajoID, from string) *nairav1.AjoOfficesPassed {
	a.Expelled = append(slices.Clone(a.Expelled), from)
	if a.Owner == from {
		a.Owner = a.Validator
	}
	if a.Validator == from || a.Validator == a.Owner {
		a.Validator = a.mostToLose(a.Order)
	}
	return &nairav1.AjoOfficesPassed{AjoId: ajoID, FromUserId: from, OwnerId: a.Owner, ValidatorId: a.Validator}
}

// PassedWith is that the owner's office and the validator's stay with two people when one of them takes over the
// other's last place: the validator is the member then who collects last of the others. Elsewhere it is nil.
func (a Ajo) PassedWith(ajoID string, seat int, from, to string) *nairav1.AjoOfficesPassed {
	if len(a.SeatsOf(from)) > 1 || (from != a.Owner || to != a.Validator) && (from != a.Validator || to != a.Owner) {
		return nil
	}
	a.Owner = to
	a.Seats = edited(a.Seats, "", nil)
	for i, p := range a.Seats[seat-1].Places {
		if p.User == from {
			a.Seats[seat-1].Places[i].User = to
		}
	}
	return &nairav1.AjoOfficesPassed{AjoId: ajoID, FromUserId: from, OwnerId: to, ValidatorId: a.mostToLose(a.Order)}
}

// voices is how many halves may vote on a motion, and whose word it needs beside two thirds: the owner's, or the
// validator's where it is about the owner, or where an earlier build left the office with an owner who was expelled.
func (a Ajo) voices(m Motion) (halves int, needs string) {
	needs = a.Owner
	if m.About() == a.Owner || !a.HasVoice(a.Owner) && !a.Earlier {
		needs = a.Validator
	}
	for _, s := range a.Seats {
		for _, p := range s.Places {
			voted := slices.Contains(m.For, p.User) || slices.Contains(m.Against, p.User)
			if p.User != m.About() && (a.HasVoice(p.User) || voted && a.Counts(p.User)) {
				halves += p.Halves
			}
		}
	}
	return halves, needs
}

// HalvesFor are how many half hands some users hold who voted, and whose votes count.
func (a Ajo) HalvesFor(users []string) int {
	sum := 0
	for _, user := range users {
		if a.Counts(user) {
			sum += a.HalvesOf(user)
		}
	}
	return sum
}

// Voices is how many halves may vote on a motion.
func (a Ajo) Voices(m Motion) int {
	halves, _ := a.voices(m)
	return halves
}

// Carried reports whether two thirds of the hands and who must agree do.
func (a Ajo) Carried(m Motion) bool {
	halves, needs := a.voices(m)
	return slices.Contains(m.For, needs) && 3*a.HalvesFor(m.For) >= 2*halves
}

// Lost reports whether a motion can no longer be carried.
func (a Ajo) Lost(m Motion) bool {
	halves, needs := a.voices(m)
	return slices.Contains(m.Against, needs) || 3*a.HalvesFor(m.Against) > halves
}

// EndMotion ends a motion whose time is over. One that is carried by then, since fewer have a vote than had, does what
// members voted for; the end of the ajo is Terminate's.
func EndMotion(ajoID, motionID string, now time.Time) event.Command {
	return swap{ajoID, "", DebtStream(ajoID), func(a Ajo, owing Owing) ([]proto.Message, error) {
		motion, err := a.motion(motionID)
		if err != nil {
			return nil, err
		}
		if now.Before(motion.Until) {
			return nil, fault.New(fault.Conflict, "Members still vote about this.")
		}
		if carried := a.Carried(motion) && !a.Earlier; carried && motion.Kind == nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE {
			return nil, fault.New(fault.Conflict, "Members have voted for this, so it is not lost.")
		} else if carried && a.stands(motion, owing) == nil {
			return a.carries(ajoID, motion, now), nil
		}
		return []proto.Message{&nairav1.AjoMotionEnded{AjoId: ajoID, MotionId: motionID}}, nil
	}}
}

// Resume ends a pause when its period is over.
func Resume(ajoID string, today time.Time) event.Command {
	return step{ajoID, "", func(a Ajo) ([]proto.Message, error) {
		if a.Status != Paused || len(a.Pauses) == 0 || today.Before(a.Opens(a.Pauses[len(a.Pauses)-1])) {
			return nil, fault.New(fault.Conflict, "The pause is not over.")
		}
		return []proto.Message{&nairav1.AjoResumed{AjoId: ajoID}}, nil
	}}
}
