package ledger

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
)

// marking is an event that marks a payment, or takes a mark back.
type marking interface {
	GetPosition() int64
	GetMarkedBy() string
}

// wishReviews are what auditors say of payments, and what is said about queries.
func wishReviews(all redecide.Wishes) {
	ofGroup := func(events []redecide.Recorded, at int, by, group string) []event.Command {
		return marks(events, at, by, func(m any) bool {
			of, is := m.(interface{ GetGroupId() string })
			return is && of.GetGroupId() == group
		}, func(list []reviews.Marking, now time.Time) event.Command {
			return reviews.Mark{GroupID: group, By: by, List: list, Now: now}
		})
	}
	ofAjo := func(events []redecide.Recorded, at int, by, ajo string) []event.Command {
		return marks(events, at, by, func(m any) bool {
			of, is := m.(interface{ GetAjoId() string })
			return is && of.GetAjoId() == ajo
		}, func(list []reviews.Marking, now time.Time) event.Command {
			return reviews.MarkAjo{AjoID: ajo, By: by, List: list, Now: now}
		})
	}
	wishIn(all, func(_ event.View, m *nairav1.PaymentMarkedV2, events []redecide.Recorded, at int) []event.Command {
		return ofGroup(events, at, m.GetMarkedBy(), m.GetGroupId())
	})
	wishIn(all, func(_ event.View, m *nairav1.PaymentUnmarked, events []redecide.Recorded, at int) []event.Command {
		return ofGroup(events, at, m.GetMarkedBy(), m.GetGroupId())
	})
	wishIn(all, func(_ event.View, m *nairav1.AjoPaymentMarkedV2, events []redecide.Recorded, at int) []event.Command {
		return ofAjo(events, at, m.GetMarkedBy(), m.GetAjoId())
	})
	wishIn(all, func(_ event.View, m *nairav1.AjoPaymentUnmarked, events []redecide.Recorded, at int) []event.Command {
		return ofAjo(events, at, m.GetMarkedBy(), m.GetAjoId())
	})
	wish(all, func(m *nairav1.QuestionAnswered, e redecide.Recorded) []event.Command {
		return said(e, m.GetPosition(), reviews.Say{By: m.GetUserId(), Words: m.GetWords()})
	})
	wish(all, func(m *nairav1.QuestionFileAdded, e redecide.Recorded) []event.Command {
		return said(e, m.GetPosition(), reviews.Say{By: m.GetUserId(), File: &nairav1.Words{PaperId: m.GetPaperId(), Sha256: m.GetSha256()}})
	})
	wish(all, func(m *nairav1.QuestionAsked, e redecide.Recorded) []event.Command {
		return said(e, m.GetPosition(), reviews.Say{By: m.GetBy(), Words: m.GetWords()})
	})
}

// said is a message about the payment at a position.
func said(e redecide.Recorded, pos int64, c reviews.Say) []event.Command {
	var ok bool
	if c.Original, ok = e.Original(pos); !ok {
		return nil
	}
	return one(c)
}

// marks is the marking of all payments that stand beside each other and that one auditor marks in one place.
func marks(events []redecide.Recorded, at int, by string, here func(any) bool, of func([]reviews.Marking, time.Time) event.Command) []event.Command {
	var list []reviews.Marking
	for _, e := range events[at:] {
		m, is := e.Message.(marking)
		if !is || m.GetMarkedBy() != by || !here(e.Message) {
			break
		}
		original, ok := e.Original(m.GetPosition())
		if !ok {
			return nil
		}
		marked := reviews.Marking{Original: original}
		if said, is := e.Message.(interface {
			GetMark() nairav1.Mark
			GetReason() string
			GetSeenPosition() int64
		}); is {
			marked.Mark, marked.Reason, marked.Seen = said.GetMark(), said.GetReason(), said.GetSeenPosition()
		}
		list = append(list, marked)
	}
	return atEither(events[at], func(now time.Time) event.Command { return of(list, now) })
}
