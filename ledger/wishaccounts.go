package ledger

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoaccess"
	"adashi.ng/ledger/domain/ajocard"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standingorder"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
)

// wishAccounts are what an account may do, and that its owner freezes it.
func wishAccounts(all redecide.Wishes) {
	wish(all, func(m *nairav1.TierSet, _ redecide.Recorded) []event.Command {
		return one(account.SetTier{Staff: m.GetSetBy(), User: m.GetUserId(), Tier: int(m.GetTier()), Case: m.GetCaseId()})
	})
	wish(all, func(m *nairav1.GuardianConsented, _ redecide.Recorded) []event.Command {
		return one(account.Consent(m.GetUserId(), m.GetRequestId()))
	})
	wishIn(all, func(_ event.View, m *nairav1.OutgoingFrozen, events []redecide.Recorded, at int) []event.Command {
		return one(freezes(m.GetUserId(), m.GetDisputeId(), events, at))
	})
	wishIn(all, func(_ event.View, m *nairav1.FrozenMoneyHeld, events []redecide.Recorded, at int) []event.Command {
		c := freezes(m.GetUserId(), "", events, at)
		kept := c
		kept.Keep = true
		return []event.Command{kept, c}
	})
	wish(all, func(m *nairav1.ThawAsked, _ redecide.Recorded) []event.Command {
		return one(account.AskThaw{User: m.GetUserId(), Now: m.GetThawAt().AsTime().Add(-account.ThawAfter)})
	})
	wishIn(all, func(v event.View, m *nairav1.OutgoingThawed, events []redecide.Recorded, at int) []event.Command {
		frozen := event.StateOf[account.Account](v, account.Stream(m.GetUserId())).FrozenHolds
		return atEither(events[at], func(now time.Time) event.Command {
			return account.Thaw{User: m.GetUserId(), Holds: frozen, Now: now}
		})
	})
	wishAccess(all)
}

// freezes is that an account is frozen by some events, of which a hold is one where the wallet has money.
func freezes(user, disputeID string, events []redecide.Recorded, at int) account.Freeze {
	c := account.Freeze{User: user, DisputeID: disputeID, Now: events[at].EffectiveAt}
	if placed, ok := ahead[*nairav1.HoldPlaced](events, at); ok {
		c.HoldID, c.Now = placed.GetHoldId(), placed.GetExpiresAt().AsTime().Add(-account.FrozenFor)
	}
	return c
}

// wishAccess are who may be in ajo with strangers, and up to how much. How old they were and what papers they had is
// not recorded.
func wishAccess(all redecide.Wishes) {
	wish(all, func(m *nairav1.AjoAccessAsked, _ redecide.Recorded) []event.Command {
		return one(ajoaccess.Ask{
			User: m.GetUserId(), AskID: m.GetAskId(), Adult: true, Salary: money.Kobo(m.GetSalaryKobo()), BankStatement: true, OfferLetter: true,
		})
	})
	wish(all, func(m *nairav1.AjoAccessGranted, _ redecide.Recorded) []event.Command {
		return one(ajoaccess.Grant{Review: ajoaccess.Review{Staff: m.GetReviewedBy(), User: m.GetUserId(), AskID: m.GetAskId()}})
	})
	wish(all, func(m *nairav1.AjoAccessRefused, _ redecide.Recorded) []event.Command {
		return one(ajoaccess.Refuse{Review: ajoaccess.Review{Staff: m.GetReviewedBy(), User: m.GetUserId(), AskID: m.GetAskId()}, Reason: m.GetReason()})
	})
	wish(all, func(m *nairav1.AjoAccessWithdrawn, _ redecide.Recorded) []event.Command {
		return one(ajoaccess.Withdraw{User: m.GetUserId()})
	})
	wishIn(all, func(v event.View, m *nairav1.AjoPastTold, _ []redecide.Recorded, _ int) []event.Command {
		var past []ajo.Past
		for _, p := range m.GetCycles() {
			past = append(past, ajo.Past{Cycle: int(p.GetCycle()), Seat: int(p.GetSeat()), Paid: seatsOf(p.GetPaid())})
		}
		return one(ajo.TellPast(m.GetAjoId(), event.StateOf[ajo.Ajo](v, ajo.Stream(m.GetAjoId())).Owner, past))
	})
	wish(all, func(m *nairav1.AjoCardCollectorSet, _ redecide.Recorded) []event.Command {
		return one(ajocard.SetCollector{CardID: m.GetCardId(), User: m.GetUserId(), Collector: m.GetCollectorId(), Commission: m.GetCommissionIn() > 0})
	})
}

func seatsOf(numbers []int32) (seats []int) {
	for _, n := range numbers {
		seats = append(seats, int(n))
	}
	return seats
}

// wishStanding are standing orders, and the days that they pay and miss.
func wishStanding(all redecide.Wishes) {
	wish(all, func(m *nairav1.StandingOrderSet, e redecide.Recorded) []event.Command {
		return atEither(e, func(now time.Time) event.Command {
			return standingorder.Set{
				OrderID: m.GetOrderId(), User: m.GetUserId(), GroupID: m.GetGroupId(), SubAccountID: m.GetSubAccountId(), Amount: money.Kobo(m.GetAmountKobo()),
				Frequency: m.GetFrequency(), FirstDay: savings.ParseDay(m.GetFirstDay()), Now: now,
			}
		})
	})
	runs := func(v event.View, id, day string, now time.Time) standingorder.Run {
		o := event.StateOf[standingorder.Order](v, standingorder.Stream(id))
		return standingorder.Run{OrderID: id, Day: day, Contribute: dues.Contribute{
			GroupID: o.Group, SubAccountID: o.SubAccount, User: o.User, Amount: o.Amount, Channel: nairav1.Channel_CHANNEL_WALLET, At: now,
		}}
	}
	wishIn(all, func(v event.View, m *nairav1.StandingOrderRan, events []redecide.Recorded, at int) []event.Command {
		return atEither(events[at], func(now time.Time) event.Command { return paidBy{runs(v, m.GetOrderId(), m.GetDay(), now)} })
	})
	wishIn(all, func(v event.View, m *nairav1.StandingOrderMissed, events []redecide.Recorded, at int) []event.Command {
		return append(atEither(events[at], func(now time.Time) event.Command {
			return standingorder.Miss(m.GetOrderId(), m.GetUserId(), m.GetDay(), m.GetReason(), now)
		}), atEither(events[at], func(now time.Time) event.Command { // Or the member might not pay just then.
			run := runs(v, m.GetOrderId(), m.GetDay(), now)
			run.Refused = m.GetReason()
			return run
		})...)
	})
}

// paidBy is what a standing order notes once its contribution was paid.
type paidBy struct{ standingorder.Run }

// Decide implements event.Command.
func (c paidBy) Decide(v event.View) ([]event.Draft, error) { return c.Paid(v) }

// wishHeld are money of which a person says what it is, and clocks of disputes that run out.
func wishHeld(all redecide.Wishes) {
	wish(all, func(m *nairav1.ArrivalHeldV2, _ redecide.Recorded) []event.Command {
		return one(wallet.HoldArrival{
			ProviderRef: m.GetProviderRef(), Provider: event.Provider(m.GetProvider()), Channel: m.GetChannel(), Amount: money.Kobo(m.GetAmountKobo()),
			Reference: m.GetReference(), Reason: m.GetReason(), PaidAt: m.GetPaidAt().AsTime(),
		})
	})
	wishIn(all, func(_ event.View, m *nairav1.HeldArrivalSettledV2, events []redecide.Recorded, at int) []event.Command {
		c := wallet.SettleHeld{
			ProviderRef: m.GetProviderRef(), Provider: event.Provider(m.GetProvider()), PaymentID: m.GetPaymentId(), By: m.GetSettledBy(), Reason: m.GetReason(),
		}
		if other, ok := ahead[*nairav1.UnmatchedMoneyReceivedV2](events, at); ok {
			c.Reference, c.PaidAt = other.GetReference(), other.GetPaidAt().AsTime()
		}
		return one(c)
	})
	ticks := func(v event.View, id string, e redecide.Recorded) []event.Command {
		sub := event.StateOf[dispute.Dispute](v, dispute.Stream(id)).SubAccount
		return atEither(e, func(now time.Time) event.Command { return dispute.Tick(id, sub, now) })
	}
	wishIn(all, func(v event.View, m *nairav1.DisputeOverdue, events []redecide.Recorded, at int) []event.Command {
		return ticks(v, m.GetDisputeId(), events[at])
	})
	wishIn(all, func(v event.View, m *nairav1.DisputedMoneyFreed, events []redecide.Recorded, at int) []event.Command {
		return ticks(v, m.GetDisputeId(), events[at])
	})
}
