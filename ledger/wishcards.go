package ledger

import (
	"bytes"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajocard"
	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
)

// wishCards are cards of those who save alone: what is filled into them, and how they end.
func wishCards(all redecide.Wishes) {
	wish(all, func(m *nairav1.AjoCardOpened, e redecide.Recorded) (out []event.Command) {
		for _, boxes := range []int{int(m.GetBoxes()), 0} { // Of a daily card they need not be named.
			out = append(out, atEither(e, func(now time.Time) event.Command {
				return ajocard.OpenCard{
					CardID: m.GetCardId(), User: m.GetUserId(), Name: m.GetName(), Description: m.GetDescription(), Amount: money.Kobo(m.GetAmountKobo()),
					Frequency: m.GetFrequency(), Boxes: boxes, Start: savings.ParseDay(m.GetStartDate()), Now: now,
				}
			})...)
		}
		return out
	})
	wish(all, func(m *nairav1.AjoCardFilled, e redecide.Recorded) []event.Command {
		return atEither(e, func(now time.Time) event.Command {
			return ajocard.Fill{
				CardID: m.GetCardId(), User: m.GetUserId(), By: m.GetPaidBy(), Boxes: int(m.GetBoxes()), Channel: m.GetChannel(), PaymentID: m.GetPaymentId(), At: now,
			}
		})
	})
	wish(all, func(m *nairav1.AjoCardMatured, e redecide.Recorded) []event.Command {
		return atEither(e, func(now time.Time) event.Command {
			return ajocard.End{CardID: m.GetCardId(), User: m.GetUserId(), Collector: m.GetCollectorId(), Now: now}
		})
	})
	wish(all, func(m *nairav1.AjoCardBroken, e redecide.Recorded) []event.Command {
		return atEither(e, func(now time.Time) event.Command {
			return asThen{[]string{ajocard.Stream(m.GetCardId())}, func(v event.View) event.Command {
				card := event.StateOf[ajocard.Card](v, ajocard.Stream(m.GetCardId()))
				fee, _ := card.Charge() // What they are told that they get.
				return ajocard.End{
					CardID: m.GetCardId(), User: m.GetUserId(), Collector: m.GetCollectorId(), Break: true, Net: card.Holds() - fee - card.Commission(), Now: now,
				}
			}}
		})
	})
}

// wishHolds are money that is set aside, and where it goes.
func wishHolds(all redecide.Wishes) {
	wish(all, func(m *nairav1.HoldPlaced, e redecide.Recorded) []event.Command {
		return one(holds.Place{
			HoldID: m.GetHoldId(), Account: m.GetAccount(), Amount: money.Kobo(m.GetAmountKobo()), Purpose: m.GetPurpose(), ExpiresAt: m.GetExpiresAt().AsTime(), Now: e.EffectiveAt,
		})
	})
	wish(all, func(m *nairav1.HoldCaptured, e redecide.Recorded) []event.Command {
		return atEither(e, func(now time.Time) event.Command {
			return holds.Capture(m.GetHoldId(), m.GetAccount(), m.GetToAccount(), money.Kobo(m.GetAmountKobo()), now)
		})
	})
	wishIn(all, func(_ event.View, m *nairav1.HoldReleased, events []redecide.Recorded, at int) []event.Command {
		if at+1 < len(events) {
			if taken, is := events[at+1].Message.(*nairav1.FrozenMoneyTaken); is && taken.GetHoldId() == m.GetHoldId() {
				return nil // It is part of a reversal.
			}
		}
		return one(holds.Release(m.GetHoldId(), m.GetAccount(), money.Kobo(m.GetAmountKobo())))
	})
	wish(all, func(m *nairav1.HoldExpired, e redecide.Recorded) []event.Command {
		return atEither(e, func(now time.Time) event.Command { return holds.Expire(m.GetHoldId(), m.GetAccount(), now) })
	})
}

// wishAjoMembers are the founding of an ajo, and who takes and leaves its seats. How old somebody was is not recorded.
func wishAjoMembers(all redecide.Wishes) {
	wishIn(all, func(_ event.View, m *nairav1.AjoCreated, events []redecide.Recorded, at int) []event.Command {
		c := ajo.Create{
			AjoID: m.GetAjoId(), Name: m.GetName(), Description: m.GetDescription(), Terms: m.GetTerms(), Listed: m.GetListed(), Owner: joiner(events[at:], m.GetAjoId(), m.GetOwnerId()),
		}
		if told, ok := ahead[*nairav1.AjoPastTold](events, at); ok && told.GetAjoId() == c.AjoID {
			for _, p := range told.GetCycles() {
				past := ajo.Past{Cycle: int(p.GetCycle()), Seat: int(p.GetSeat())}
				for _, seat := range p.GetPaid() {
					past.Paid = append(past.Paid, int(seat))
				}
				c.Past = append(c.Past, past)
			}
		}
		whole := c
		whole.Owner.Seat = 0
		return append(atEither(events[at], func(now time.Time) event.Command { whole.Now = now; return whole }),
			atEither(events[at], func(now time.Time) event.Command { c.Now = now; return c })...)
	})
	wishIn(all, func(_ event.View, m *nairav1.AjoSeatTakenV2, events []redecide.Recorded, at int) []event.Command {
		chosen := joiner(events[at:], m.GetAjoId(), m.GetUserId())
		anywhere := chosen
		anywhere.Seat = 0
		return []event.Command{ajo.Join{AjoID: m.GetAjoId(), Joiner: anywhere}, ajo.Join{AjoID: m.GetAjoId(), Joiner: chosen}}
	})
}

// joiner is somebody who takes hands by some events.
func joiner(events []redecide.Recorded, ajoID, user string) (j ajo.Joiner) {
	for _, e := range events {
		m, is := e.Message.(*nairav1.AjoSeatTakenV2)
		if !is || m.GetAjoId() != ajoID || m.GetUserId() != user || j.Halves > 0 && !bytes.Equal(m.GetNonce(), j.Nonce) {
			continue
		}
		j.User, j.Halves, j.Seat, j.Invited = user, j.Halves+int(m.GetHalves()), int(m.GetSeat()), true
		j.Nonce, j.Commitment, j.Version, j.TermsHash = m.GetNonce(), m.GetCommitment(), int(m.GetCommitmentVersion()), m.GetTermsHash()
	}
	return j
}
