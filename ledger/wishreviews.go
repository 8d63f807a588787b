package ledger

import (
	"slices"
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
	ofGroup := func(v event.View, events []redecide.Recorded, at int, by, group string) (out []event.Command) {
		for _, paid := range paidTo(v, group, by) {
			out = append(out, marks(events, at, by, func(m any) bool {
				of, is := m.(interface{ GetGroupId() string })
				return is && of.GetGroupId() == group
			}, func(list []reviews.Marking, nonce []byte, now time.Time) event.Command {
				for n := range list {
					list[n].PaidTo = paid
				}
				return reviews.Mark{GroupID: group, By: by, List: list, Nonce: nonce, Now: now}
			})...)
		}
		return out
	}
	ofAjo := func(events []redecide.Recorded, at int, by, ajo string) []event.Command {
		return marks(events, at, by, func(m any) bool {
			of, is := m.(interface{ GetAjoId() string })
			return is && of.GetAjoId() == ajo
		}, func(list []reviews.Marking, nonce []byte, now time.Time) event.Command {
			return reviews.MarkAjo{AjoID: ajo, By: by, List: list, Nonce: nonce, Now: now}
		})
	}
	wishIn(all, func(v event.View, m *nairav1.PaymentMarkedV2, events []redecide.Recorded, at int) []event.Command {
		return ofGroup(v, events, at, m.GetMarkedBy(), m.GetGroupId())
	})
	wishIn(all, func(v event.View, m *nairav1.PaymentUnmarked, events []redecide.Recorded, at int) []event.Command {
		return ofGroup(v, events, at, m.GetMarkedBy(), m.GetGroupId())
	})
	wishIn(all, func(_ event.View, m *nairav1.AjoPaymentMarkedV2, events []redecide.Recorded, at int) []event.Command {
		return ofAjo(events, at, m.GetMarkedBy(), m.GetAjoId())
	})
	wishIn(all, func(_ event.View, m *nairav1.AjoPaymentUnmarked, events []redecide.Recorded, at int) []event.Command {
		return ofAjo(events, at, m.GetMarkedBy(), m.GetAjoId())
	})
	wishIn(all, func(v event.View, m *nairav1.RecheckAgreed, events []redecide.Recorded, at int) []event.Command {
		if m.GetAjoId() != "" {
			return ofAjo(events, at, m.GetBy(), m.GetAjoId())
		}
		return ofGroup(v, events, at, m.GetBy(), m.GetGroupId())
	})
	wishIn(all, func(v event.View, m *nairav1.QuestionAnswered, events []redecide.Recorded, at int) []event.Command {
		return said(v, events[at], m, reviews.Say{By: m.GetUserId(), Words: m.GetWords()})
	})
	wishIn(all, func(v event.View, m *nairav1.QuestionFileAdded, events []redecide.Recorded, at int) []event.Command {
		return said(v, events[at], m, reviews.Say{By: m.GetUserId(), File: &nairav1.Words{PaperId: m.GetPaperId(), Sha256: m.GetSha256()}})
	})
	wishIn(all, func(v event.View, m *nairav1.QuestionAskedV2, events []redecide.Recorded, at int) []event.Command {
		return said(v, events[at], m, reviews.Say{By: m.GetBy(), Words: m.GetWords()})
	})
}

// paidTo are the officials to whose account a payment of a group may have gone, which is not recorded: who marked or
// asked in the place of the validator, or of the owner too, is taken to have done so because it was theirs.
func paidTo(v event.View, group, by string) [][]string {
	g := groupOf(v, group)
	return slices.DeleteFunc([][]string{nil, {g.Validator}, {g.Validator, g.Owner}}, func(paid []string) bool { return slices.Contains(paid, by) })
}

// said is a message about a payment.
func said(v event.View, e redecide.Recorded, of interface {
	GetPosition() int64
	GetGroupId() string
}, c reviews.Say,
) (out []event.Command) {
	var ok bool
	if c.Original, ok = e.Original(of.GetPosition()); !ok {
		return nil
	}
	if of.GetGroupId() == "" {
		return one(c)
	}
	for _, c.PaidTo = range paidTo(v, of.GetGroupId(), c.By) {
		out = append(out, c)
	}
	return out
}

// marks is the marking of all payments that stand beside each other and that one auditor marks in one place.
func marks(events []redecide.Recorded, at int, by string, here func(any) bool, of func([]reviews.Marking, []byte, time.Time) event.Command) []event.Command {
	var list []reviews.Marking
	var nonce []byte
	for _, e := range events[at:] {
		if asked, is := e.Message.(*nairav1.RecheckAsked); is && asked.GetMarkedBy() == by && here(asked) {
			nonce = asked.GetNonce() // What follows from the marks before it.
			break
		}
		marked, pos, is := markingOf(e.Message, by)
		if !is || !here(e.Message) {
			break
		}
		var ok bool
		if marked.Original, ok = e.Original(pos); !ok {
			return nil
		}
		list = append(list, marked)
	}
	return atEither(events[at], func(now time.Time) event.Command { return of(list, nonce, now) })
}

// markingOf is what an auditor said of the payment at a position, if an event is that.
func markingOf(m any, by string) (marked reviews.Marking, pos int64, is bool) {
	if agreed, again := m.(*nairav1.RecheckAgreed); again {
		return reviews.Marking{Mark: nairav1.Mark_MARK_VALIDATED, Seen: agreed.GetSeenPosition()}, agreed.GetPosition(), agreed.GetBy() == by
	}
	one, is := m.(marking)
	if !is {
		return marked, 0, false
	}
	if said, is := m.(interface {
		GetMark() nairav1.Mark
		GetReason() string
		GetSeenPosition() int64
	}); is {
		marked.Mark, marked.Reason, marked.Seen = said.GetMark(), said.GetReason(), said.GetSeenPosition()
	}
	return marked, one.GetPosition(), one.GetMarkedBy() == by
}
