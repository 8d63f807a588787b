package reviews

import (
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/event"
)

// AjoPayment is a payment of an ajo that can be marked.
type AjoPayment struct {
	Ajo   string
	Cycle int32
	Users []string // Whom it concerns: whose due it was, who paid it, and who got it.
	Payer string   // Of them; empty where the pot paid.
}

// AjoPaymentOf reads a recorded event as a payment of an ajo, if it is one.
func AjoPaymentOf(r event.Record) (AjoPayment, bool) {
	m, err := r.Message()
	if err != nil {
		return AjoPayment{}, false
	}
	switch m := m.(type) {
	case *nairav1.AjoContributed:
		return AjoPayment{m.GetAjoId(), m.GetCycle(), people(m.GetUserId(), m.GetPaidBy()), m.GetPaidBy()}, true
	case *nairav1.AjoContributionReturned:
		return AjoPayment{m.GetAjoId(), m.GetCycle(), people(m.GetUserId(), m.GetPaidBy(), m.GetToUserId()), m.GetPaidBy()}, true
	case *nairav1.AjoPaid:
		return AjoPayment{m.GetAjoId(), m.GetCycle(), people(m.GetUserId(), m.GetOtherUserId()), ""}, true
	default:
		return AjoPayment{}, false
	}
}

// people are some users, each once.
func people(users ...string) []string {
	slices.Sort(users)
	return slices.DeleteFunc(slices.Compact(users), func(user string) bool { return user == "" })
}

// concerns reports whether a payment of an ajo was made by or for a user, so that another marks it. Where it concerns
// every member, as a cover in an ajo of two, all but its payer mark it: else nobody could, and its month would stay
// open.
func (p AjoPayment) concerns(a ajo.Ajo, user string) bool {
	everybody := !slices.ContainsFunc(a.Members(), func(member string) bool { return !slices.Contains(p.Users, member) })
	return slices.Contains(p.Users, user) && (!everybody || user == p.Payer)
}

// MayMarkAjo reports whether a user is the one who marks a payment of an ajo: its validator; for those that concern the
// validator the owner; for those that concern both, any member whom it does not.
func MayMarkAjo(a ajo.Ajo, p AjoPayment, user string) bool {
	if p.concerns(a, user) || !a.IsMember(user) {
		return false
	}
	one := AjoMarker(a, p)
	return one == "" || user == one
}

// MayMarkAjoNow is MayMarkNow for a payment of an ajo.
func MayMarkAjoNow(a ajo.Ajo, p AjoPayment, r Review, user string) bool {
	return MayMarkAjo(a, p, user) || !p.concerns(a, user) && a.IsMember(user) && (r.MayRecheck(a.Owner, user) || r.queriedBy(user))
}

// AjoMarker is the one who marks a payment of an ajo; empty where any member does whom it does not concern.
func AjoMarker(a ajo.Ajo, p AjoPayment) string {
	for _, user := range []string{a.Validator, a.Owner} {
		if a.IsMember(user) && !p.concerns(a, user) {
			return user
		}
	}
	return ""
}

// MarkAjo marks payments of an ajo: all of them, or none.
type MarkAjo struct {
	AjoID string
	By    string
	List  []Marking
	Now   time.Time
	Nonce []byte // As Mark has it.
}

// Streams implements event.Command.
func (c MarkAjo) Streams() []string {
	streams := []string{ajo.Stream(c.AjoID), account.Stream(c.By)}
	for _, m := range c.List {
		streams = append(streams, Stream(m.Original.ID().String()))
	}
	return streams
}

// Accounts implements event.Command.
func (MarkAjo) Accounts() []string { return nil }

// Decide implements event.Command.
func (c MarkAjo) Decide(v event.View) ([]event.Draft, error) {
	a := event.StateOf[ajo.Ajo](v, ajo.Stream(c.AjoID))
	if !a.IsMember(c.By) {
		return nil, ajo.ErrNone()
	}
	p := place{ajoID: c.AjoID, of: func(m Marking) (payment, bool) {
		p, ok := AjoPaymentOf(m.Original)
		return payment{
			concerns: func(user string) bool { return p.concerns(a, user) }, may: func(r Review) bool { return MayMarkAjoNow(a, p, r, c.By) },
			marked: func(id, reason string) proto.Message { return c.message(p, m, id, reason) },
		}, ok && p.Ajo == c.AjoID
	}}
	if a.IsMember(a.Owner) {
		p.owner = a.Owner
	}
	return marked(v, c.By, c.Now, c.Nonce, c.List, p)
}

// message is what is recorded of a payment.
func (c MarkAjo) message(p AjoPayment, m Marking, id, reason string) proto.Message {
	if m.Mark == nairav1.Mark_MARK_UNSPECIFIED {
		return &nairav1.AjoPaymentUnmarked{
			AjoId: c.AjoID, Cycle: p.Cycle, EventId: id, Position: m.Original.Pos, UserIds: p.Users, MarkedBy: c.By,
		}
	}
	return &nairav1.AjoPaymentMarkedV2{
		AjoId: c.AjoID, Cycle: p.Cycle, EventId: id, Position: m.Original.Pos, UserIds: p.Users, Mark: m.Mark, MarkedBy: c.By, Reason: reason,
		SeenPosition: m.Seen,
	}
}
