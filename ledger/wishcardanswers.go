package ledger

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
)

// wishCardAnswers are what Support answers the banks of cards. A case is that of somebody who works on it.
func wishCardAnswers(all redecide.Wishes, kase func(v event.View, id, staff string) dispute.Case) {
	wishIn(all, func(v event.View, m *nairav1.CardAnswerGiven, events []redecide.Recorded, i int) []event.Command {
		return atEither(events[i], func(now time.Time) event.Command {
			return dispute.GiveAnswer{
				Case: kase(v, m.GetDisputeId(), m.GetStaffId()), AnswerID: m.GetAnswerId(), Accept: m.GetAccepted(),
				Amount: money.Kobo(m.GetAmountKobo()), Words: m.GetWords(), File: m.GetFile(), Now: now,
			}
		})
	})
	wishIn(all, func(v event.View, m *nairav1.CardAnswerAgreed, events []redecide.Recorded, i int) []event.Command {
		return atEither(events[i], func(now time.Time) event.Command {
			return dispute.JudgeAnswer{Case: kase(v, m.GetDisputeId(), m.GetApprovedBy()), AnswerID: m.GetAnswerId(), Agree: true, Now: now}
		})
	})
	wishIn(all, func(v event.View, m *nairav1.CardAnswerDropped, _ []redecide.Recorded, _ int) []event.Command {
		return one(dispute.JudgeAnswer{Case: kase(v, m.GetDisputeId(), m.GetDeclinedBy()), AnswerID: m.GetAnswerId(), Words: m.GetWords()})
	})
	wishIn(all, func(v event.View, m *nairav1.CardAnswerSent, events []redecide.Recorded, i int) []event.Command {
		d := event.StateOf[dispute.Dispute](v, dispute.Stream(m.GetDisputeId()))
		return atEither(events[i], func(now time.Time) event.Command {
			return dispute.SendAnswer{DisputeID: m.GetDisputeId(), AnswerID: m.GetAnswerId(), Payment: d.Card.Payment, Now: now}
		})
	})
	wish(all, func(m *nairav1.CardAnswerTaken, _ redecide.Recorded) []event.Command {
		return one(dispute.HearAnswer{DisputeID: m.GetDisputeId(), AnswerID: m.GetAnswerId(), Taken: true})
	})
	wish(all, func(m *nairav1.CardAnswerFailed, _ redecide.Recorded) []event.Command {
		return one(dispute.HearAnswer{DisputeID: m.GetDisputeId(), AnswerID: m.GetAnswerId(), Reason: m.GetReason()})
	})
	wish(all, func(m *nairav1.CardAnswerDue, e redecide.Recorded) []event.Command {
		return atEither(e, func(now time.Time) event.Command { return dispute.RemindAnswer{DisputeID: m.GetDisputeId(), Now: now} })
	})
}
