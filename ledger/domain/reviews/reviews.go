// Package reviews decides audit marks: what the validator of a group or an ajo says of each payment. A mark never moves
// money.
//
//	UNREVIEWED ──▶ VALIDATED
//	     └───────▶ QUERIED ──▶ RESOLVED
//
// Payments are what changed the money of a group or an ajo: contributions, covers, reversals and payouts.
package reviews

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
)

// Review is what was said of a payment last.
type Review struct{ Mark nairav1.Mark }

// Marks folds the marks of one payment.
var Marks = event.Of("mark", 1, func(r Review, e event.Happened) Review {
	switch m := e.Message.(type) {
	case *nairav1.PaymentMarked:
		return Review{m.GetMark()}
	case *nairav1.AjoPaymentMarked:
		return Review{m.GetMark()}
	}
	return r
})

// Stream is the stream of a payment's marks, by its event's id.
func Stream(eventID string) string { return "mark:" + eventID }

// Payment is a payment that can be marked.
type Payment struct {
	Group, SubAccount string
	User              string // Whose payment it is: whose dues, or who asked for the money.
	PaidBy            string // Whose money it was, if another's.
}

// PaymentOf reads a recorded event as a payment, if it is one.
func PaymentOf(r event.Record) (Payment, bool) {
	m, err := r.Message()
	if err != nil {
		return Payment{}, false
	}
	switch m := m.(type) {
	case *nairav1.ContributionReceived:
		return Payment{Group: m.GetGroupId(), SubAccount: m.GetSubAccountId(), User: m.GetUserId()}, true
	case *nairav1.ContributionReversed:
		return Payment{Group: m.GetGroupId(), SubAccount: m.GetSubAccountId(), User: m.GetUserId()}, true
	case *nairav1.ContributionCovered:
		return Payment{Group: m.GetGroupId(), SubAccount: m.GetSubAccountId(), User: m.GetUserId(), PaidBy: m.GetPaidBy()}, true
	case *nairav1.LiquidationPaidV2:
		return Payment{Group: m.GetGroupId(), SubAccount: m.GetSubAccountId(), User: m.GetRequestedBy()}, true
	default:
		return Payment{}, false
	}
}

// concerns reports whether a payment was made by or for a user.
func (p Payment) concerns(user string) bool { return user == p.User || user == p.PaidBy }

// MayMark reports whether a user is the one who marks a payment: the validator; for those that concern the validator
// the owner; for those that concern both, any approver whom it does not.
func MayMark(g savings.Group, p Payment, user string) bool {
	if user == "" || p.concerns(user) {
		return false
	}
	if one := Marker(g, p); one != "" {
		return user == one
	}
	return g.MayApprove(user)
}

// Marker is the one who marks a payment; empty where any approver does whom it does not concern.
func Marker(g savings.Group, p Payment) string {
	switch {
	case g.Validator != "" && !p.concerns(g.Validator):
		return g.Validator
	case !p.concerns(g.Owner):
		return g.Owner
	default:
		return ""
	}
}

// MarksAtOnce is how many payments may be marked in one step.
const MarksAtOnce = 500

const reasonMax = 300

// Marking is what is said of one payment.
type Marking struct {
	Original event.Record // As the ledger holds it.
	Mark     nairav1.Mark
	Reason   string
}

// Mark marks payments of a group: all of them, or none.
type Mark struct {
	GroupID string
	By      string
	List    []Marking
}

// Streams implements event.Command.
func (c Mark) Streams() []string {
	streams := []string{savings.GroupStream(c.GroupID), savings.MemberStream(c.GroupID, c.By)}
	for _, m := range c.List {
		streams = append(streams, Stream(m.Original.ID().String()))
	}
	return streams
}

// Accounts implements event.Command.
func (Mark) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Mark) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID))
	switch m := event.StateOf[savings.Member](v, savings.MemberStream(c.GroupID, c.By)); {
	case g.Status == savings.None || m.Status != savings.Active && m.Status != savings.Inactive:
		return nil, fault.New(fault.NotFound, "There is no such group.")
	case !g.Official(c.By):
		return nil, fault.New(fault.Forbidden, "Only the group's validator can do this.")
	}
	return marked(v, c.List, func(m Marking, id, reason string) (proto.Message, error) { return c.one(g, m, id, reason) })
}

// marked records each mark, if all are right. one answers what is recorded of a payment, or why who marks it may not.
func marked(v event.View, list []Marking, one func(m Marking, id, reason string) (proto.Message, error)) ([]event.Draft, error) {
	if len(list) == 0 || len(list) > MarksAtOnce {
		return nil, fault.Field("marks", "Mark 1 to %d payments at once.", MarksAtOnce)
	}
	drafts := make([]event.Draft, 0, len(list))
	seen := map[string]bool{}
	for _, m := range list {
		id, reason := m.Original.ID().String(), strings.Join(strings.Fields(m.Reason), " ")
		if seen[id] {
			return nil, fault.Field("marks", "A payment is named twice. Name each once.")
		}
		seen[id] = true
		message, err := one(m, id, reason)
		if err == nil {
			err = m.judge(event.StateOf[Review](v, Stream(id)).Mark, reason)
		}
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, event.Draft{Stream: Stream(id), Message: message})
	}
	return drafts, nil
}

func (c Mark) one(g savings.Group, m Marking, id, reason string) (proto.Message, error) {
	p, ok := PaymentOf(m.Original)
	switch {
	case !ok || p.Group != c.GroupID:
		return nil, fault.New(fault.NotFound, "There is no such payment.")
	case p.concerns(c.By):
		return nil, fault.New(fault.Forbidden, "Nobody audits a payment made by or for themselves. Nothing was marked.")
	case !MayMark(g, p, c.By):
		return nil, fault.New(fault.Forbidden, "The group's validator audits this payment. The owner audits only the validator's own. Nothing was marked.")
	}
	return &nairav1.PaymentMarked{
		EventId: id, Position: m.Original.Pos, GroupId: c.GroupID, SubAccountId: p.SubAccount, UserId: p.User, Mark: m.Mark, MarkedBy: c.By, Reason: reason,
	}, nil
}

// judge holds a mark to what was said before, and to its reason.
func (m Marking) judge(before nairav1.Mark, reason string) error {
	is := map[nairav1.Mark]string{
		nairav1.Mark_MARK_VALIDATED: "validated already", nairav1.Mark_MARK_QUERIED: "queried and can only be resolved", nairav1.Mark_MARK_RESOLVED: "resolved already",
	}[before]
	queried := before == nairav1.Mark_MARK_QUERIED
	switch resolves := m.Mark == nairav1.Mark_MARK_RESOLVED; {
	case is == "" && resolves:
		return fault.New(fault.Conflict, "This payment was not queried, so there is nothing to resolve. Nothing was marked.")
	case is != "" && queried != resolves, is != "" && !queried:
		return fault.New(fault.Conflict, "This payment is %s. Nothing was marked.", is)
	case m.Mark == nairav1.Mark_MARK_UNSPECIFIED:
		return fault.Field("mark", "Say whether it is validated, queried or resolved.")
	case m.Mark != nairav1.Mark_MARK_VALIDATED && utf8.RuneCountInString(reason) < 3:
		return fault.Field("reason", "Say why, in 3 to %d characters.", reasonMax)
	case utf8.RuneCountInString(reason) > reasonMax:
		return fault.Field("reason", "A reason may have at most %d characters.", reasonMax)
	case strings.ContainsFunc(reason, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }):
		return fault.Field("reason", "The reason has a character that cannot be shown.")
	}
	return nil
}
