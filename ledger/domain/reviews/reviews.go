// Package reviews decides audit marks: what the validator of a group or an ajo says of each payment. A mark never moves
// money.
//
//	UNREVIEWED ──▶ VALIDATED ──▶ QUERIED ──▶ RESOLVED
//	     └──────────────────────────▲
//
// Whoever validated a payment may take that back for a minute. What was validated in error later is queried.
// Of many that are validated at once some are drawn, which the owner checks again: recheck.go.
//
// Payments are what changed the money of a group or an ajo: contributions, covers, reversals and payouts.
package reviews

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// Review is what was said of a payment last, by whom and when, and whose turn it is to speak of its query.
type Review struct {
	Mark     nairav1.Mark
	By       string
	At       time.Time
	Answered bool   // The last message is the member's.
	InARow   int    // How many messages that side sent since the other did.
	Asked    string // Who asked last.
	Files    int    // How many files its member added.
	Recheck  bool   // The owner is asked to check the validation again.
	Checked  string // Whose validation that was when it was drawn.
	Anew     string // Who validated it after that was taken back. Earlier builds did not keep that.
}

// next is a review after another mark. What the owner is asked to check again stays so until it is resolved or agreed
// to: nobody ends it by a query, or by taking the validation back.
func (r Review) next(mark nairav1.Mark, by string, at time.Time) Review {
	said := Review{Mark: mark, By: by, At: at, Asked: by}
	if mark != nairav1.Mark_MARK_RESOLVED {
		said.Recheck, said.Checked, said.Anew = r.Recheck, r.Checked, r.Anew
	}
	if mark == nairav1.Mark_MARK_VALIDATED && r.Recheck {
		said.Anew = by
	}
	return said
}

// said is a review after a message of its member's, or of its auditor's.
func (r Review) said(answer bool) Review {
	if r.Answered != answer {
		r.Answered, r.InARow = answer, 0
	}
	r.InARow++
	return r
}

// Marks folds the marks of one payment.
var Marks = event.Of("mark", 7, func(r Review, e event.Happened) Review {
	switch m := e.Message.(type) {
	case *nairav1.PaymentMarkedV2:
		return r.next(m.GetMark(), m.GetMarkedBy(), e.EffectiveAt)
	case *nairav1.AjoPaymentMarkedV2:
		return r.next(m.GetMark(), m.GetMarkedBy(), e.EffectiveAt)
	case *nairav1.PaymentUnmarked, *nairav1.AjoPaymentUnmarked:
		return Review{Recheck: r.Recheck, Checked: r.Checked}
	case *nairav1.QuestionAnswered:
		return r.said(true)
	case *nairav1.QuestionFileAdded:
		r = r.said(true)
		r.Files++
		return r
	case *nairav1.QuestionAskedV2:
		r = r.said(false)
		r.Asked = m.GetBy()
		return r
	case *nairav1.RecheckAsked:
		r.Recheck, r.Checked, r.Anew = true, m.GetMarkedBy(), ""
		return r
	case *nairav1.RecheckAgreed:
		r.Recheck, r.Checked, r.Anew = false, "", ""
		return r
	}
	return r
})

// Stream is the stream of a payment's marks, by its event's id.
func Stream(eventID string) string { return "mark:" + eventID }

// Payment is a payment that can be marked.
type Payment struct {
	Group, SubAccount string
	User              string   // Whose payment it is: whose dues, or who asked for the money.
	PaidBy            string   // Whose money it was, if another's.
	PaidTo            []string // Officials to whose own bank account it went, or who share one with its payee.
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
	case *nairav1.LiquidationReversedV3:
		return Payment{Group: m.GetGroupId(), SubAccount: m.GetSubAccountId(), User: m.GetRequestedBy()}, m.GetRequestedBy() != ""
	default:
		return Payment{}, false
	}
}

// concerns reports whether a payment was made by or for a user.
func (p Payment) concerns(user string) bool {
	return user == p.User || user == p.PaidBy || slices.Contains(p.PaidTo, user)
}

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

// MayMarkNow reports whether a user may mark a payment as its review stands: whoever audits it, the owner who is asked
// to check it again, and whoever queried it.
func MayMarkNow(g savings.Group, p Payment, r Review, user string) bool {
	return MayMark(g, p, user) || !p.concerns(user) && g.Official(user) && (r.MayRecheck(g.Owner, user) || r.queriedBy(user))
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

// undoFor is how long who validated a payment may take that back.
const undoFor = time.Minute

// Marking is what is said of one payment.
type Marking struct {
	Original event.Record // As the ledger holds it.
	PaidTo   []string     // As Payment has it: the giver of the command knows them.
	Mark     nairav1.Mark // MARK_UNSPECIFIED takes a validation back.
	Reason   string
	Seen     int64 // The position up to which the screen had read; 0 where it does not say.
}

// Mark marks payments of a group: all of them, or none.
type Mark struct {
	GroupID string
	By      string
	List    []Marking
	Now     time.Time
	Nonce   []byte // Draws what is checked again: NonceSize random bytes.
}

// Streams implements event.Command.
func (c Mark) Streams() []string {
	streams := []string{savings.GroupStream(c.GroupID), savings.MemberStream(c.GroupID, c.By), account.Stream(c.By)}
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
	return marked(v, c.By, c.Now, c.Nonce, c.List, place{groupID: c.GroupID, owner: g.Owner, of: func(m Marking) (payment, bool) {
		p, ok := PaymentOf(m.Original)
		p.PaidTo = m.PaidTo
		return payment{
			concerns: p.concerns, may: func(r Review) bool { return MayMarkNow(g, p, r, c.By) },
			marked: func(id, reason string) proto.Message { return c.message(p, m, id, reason) },
		}, ok && p.Group == c.GroupID
	}})
}

// place is a group or an ajo whose payments are marked.
type place struct {
	groupID, ajoID string
	owner          string // Empty where nobody checks again.
	of             func(Marking) (payment, bool)
}

// name is what the place is called in a sentence.
func (p place) name() string {
	if p.ajoID != "" {
		return "ajo"
	}
	return "group"
}

// payment is one of its payments, for whoever marks it.
type payment struct {
	concerns func(user string) bool
	may      func(Review) bool // Whoever marks it is one who may.
	marked   func(id, reason string) proto.Message
}

// marked records each mark, if all are right, and which of many are checked again.
func marked(v event.View, by string, now time.Time, nonce []byte, list []Marking, p place) ([]event.Draft, error) {
	if len(list) == 0 || len(list) > MarksAtOnce {
		return nil, fault.Field("marks", "Mark 1 to %d payments at once.", MarksAtOnce)
	}
	drafts := make([]event.Draft, 0, len(list))
	again := recheck{place: p, by: by, nonce: nonce}
	seen := map[string]bool{}
	for _, m := range list {
		id, reason := m.Original.ID().String(), strings.Join(strings.Fields(m.Reason), " ")
		if seen[id] {
			return nil, fault.Field("marks", "A payment is named twice. Name each once.")
		}
		seen[id] = true
		one, ok := p.of(m)
		if !ok {
			return nil, fault.New(fault.NotFound, "There is no such payment.")
		}
		before := event.StateOf[Review](v, Stream(id))
		if err := p.allows(one, before, by); err != nil {
			return nil, err
		}
		if err := m.judge(before, by, now, reason); err != nil {
			return nil, err
		}
		if err := p.rechecks(v, one, before, m.Mark, by); err != nil {
			return nil, err
		}
		message := one.marked(id, reason)
		switch {
		case before.Mark == m.Mark:
			message = again.agreed(m, id)
		case m.Mark == nairav1.Mark_MARK_VALIDATED:
			again.validated(m, one, id)
		}
		drafts = append(drafts, event.Draft{Stream: Stream(id), Message: message})
	}
	if err := standing.May(v, by, standing.Audit); err != nil {
		return nil, err
	}
	return append(drafts, again.drawn()...), nil
}

// allows holds a payment to who may mark it.
func (p place) allows(one payment, before Review, by string) error {
	switch {
	case one.concerns(by):
		return standing.Own.May(standing.Audit)
	case !one.may(before):
		return fault.New(fault.Forbidden, "The %s's validator audits this payment. The owner audits only the validator's own. Nothing was marked.", p.name())
	}
	return nil
}

// message is what is recorded of a payment.
func (c Mark) message(p Payment, m Marking, id, reason string) proto.Message {
	if m.Mark == nairav1.Mark_MARK_UNSPECIFIED {
		return &nairav1.PaymentUnmarked{
			EventId: id, Position: m.Original.Pos, GroupId: c.GroupID, SubAccountId: p.SubAccount, UserId: p.User, MarkedBy: c.By,
		}
	}
	return &nairav1.PaymentMarkedV2{
		EventId: id, Position: m.Original.Pos, GroupId: c.GroupID, SubAccountId: p.SubAccount, UserId: p.User, Mark: m.Mark, MarkedBy: c.By, Reason: reason,
		SeenPosition: m.Seen,
	}
}

// judge holds a mark to what was said before, and to its reason.
func (m Marking) judge(before Review, by string, now time.Time, reason string) error {
	const (
		unmarked  = nairav1.Mark_MARK_UNSPECIFIED
		validated = nairav1.Mark_MARK_VALIDATED
		queried   = nairav1.Mark_MARK_QUERIED
		resolved  = nairav1.Mark_MARK_RESOLVED
	)
	is := map[nairav1.Mark]string{validated: "validated already", queried: "queried and can only be resolved", resolved: "resolved already"}[before.Mark]
	switch {
	case m.Seen != 0 && m.Seen < m.Original.Pos:
		return fault.New(fault.Conflict, "This payment is newer than what your screen had read. Look again. Nothing was marked.")
	case m.Mark == unmarked:
		return before.undone(by, now)
	case m.Mark == validated && (before.Mark == unmarked || before.Mark == validated && before.Recheck && by != before.By):
	case m.Mark == queried && (before.Mark == unmarked || before.Mark == validated):
	case m.Mark == resolved && before.Mark == queried:
	case m.Mark == resolved && before.Mark != resolved:
		return fault.New(fault.Conflict, "This payment was not queried, so there is nothing to resolve. Nothing was marked.")
	case m.Mark < unmarked || m.Mark > resolved:
		return fault.Field("mark", "Say whether it is validated, queried or resolved.")
	default:
		return fault.New(fault.Conflict, "This payment is %s. Nothing was marked.", is)
	}
	return m.because(reason)
}

// undone holds the taking back of a validation to who gave it, and when.
func (r Review) undone(by string, now time.Time) error {
	switch {
	case r.Mark != nairav1.Mark_MARK_VALIDATED:
		return fault.New(fault.Conflict, "Only a validation is taken back. A query is resolved. Nothing was changed.")
	case r.By != by:
		return fault.New(fault.Forbidden, "Only whoever validated a payment takes that back. Nothing was changed.")
	case now.Sub(r.At) > undoFor:
		return fault.New(fault.Conflict, "It is too late to take this back. Query the payment if something is wrong with it.")
	}
	return nil
}

// because holds a mark to its reason: all but a validation need one.
func (m Marking) because(reason string) error {
	switch {
	case m.Mark != nairav1.Mark_MARK_VALIDATED && utf8.RuneCountInString(reason) < 3:
		return fault.Field("reason", "Say why, in 3 to %d characters.", reasonMax)
	case utf8.RuneCountInString(reason) > reasonMax:
		return fault.Field("reason", "A reason may have at most %d characters.", reasonMax)
	case strings.ContainsFunc(reason, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }):
		return fault.Field("reason", "The reason has a character that cannot be shown.")
	}
	return nil
}
