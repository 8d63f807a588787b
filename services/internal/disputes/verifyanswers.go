package disputes

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
)

// answering is the known part of an answer to the card's bank.
type answering struct {
	dispute, staff, agreedBy string
	accepted, sent           bool
}

// answers checks that each answer is about a card bank's dispute, that two people agree when money goes back, and that
// an answer at a gateway was sent by us.
func (v *verifying) answers(m any, r *event.Record) {
	switch m := m.(type) {
	case *nairav1.CardAnswerGiven:
		if !v.cards[m.GetDisputeId()] && !v.archived {
			v.check.Violate(r.Pos, r.Stream, "the dispute %s that is answered is no bank's", m.GetDisputeId())
		}
		v.told[m.GetAnswerId()] = &answering{dispute: m.GetDisputeId(), staff: m.GetStaffId(), accepted: m.GetAccepted()}
	case *nairav1.CardAnswerAgreed:
		if a := v.told[m.GetAnswerId()]; a != nil {
			a.agreedBy = m.GetApprovedBy()
		}
	case *nairav1.CardAnswerSent:
		a := v.answer(m.GetAnswerId(), m.GetDisputeId(), r)
		if a == nil {
			return
		}
		a.sent = true
		if a.accepted && (a.agreedBy == "" || a.agreedBy == a.staff || a.agreedBy == m.GetUserId() || a.staff == m.GetUserId()) {
			v.check.Violate(r.Pos, r.Stream, "money goes back by the answer %s, on which two people did not agree who have no part in it", m.GetAnswerId())
		}
	case *nairav1.CardAnswerTaken:
		if a := v.answer(m.GetAnswerId(), m.GetDisputeId(), r); a != nil && (!a.sent || a.accepted != m.GetAccepted()) {
			v.check.Violate(r.Pos, r.Stream, "the gateway has the answer %s, which was not sent so", m.GetAnswerId())
		}
	}
}

// answer returns an earlier answer, or nil.
func (v *verifying) answer(id, dispute string, r *event.Record) *answering {
	a := v.told[id]
	if a == nil && !v.archived || a != nil && a.dispute != dispute {
		v.check.Violate(r.Pos, r.Stream, "the answer %s was never given in the dispute %s", id, dispute)
		return nil
	}
	return a
}
