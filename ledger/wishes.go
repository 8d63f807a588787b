package ledger

import (
	"reflect"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/correction"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/disputed"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/earlier"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
)

// wish makes the wish of a type of event that depends on the event alone.
func wish[M proto.Message](all redecide.Wishes, of func(m M, e redecide.Recorded) []event.Command) {
	all[reflect.TypeFor[M]()] = func(_ event.View, events []redecide.Recorded, at int) []event.Command {
		return of(events[at].Message.(M), events[at])
	}
}

// wishIn makes one that needs more: what the ledger held in front of it, or the events beside it.
func wishIn[M proto.Message](all redecide.Wishes, of func(v event.View, m M, events []redecide.Recorded, at int) []event.Command) {
	all[reflect.TypeFor[M]()] = func(v event.View, events []redecide.Recorded, at int) []event.Command {
		return of(v, events[at].Message.(M), events, at)
	}
}

func one(c event.Command) []event.Command { return []event.Command{c} }

// Wishes are the commands that events are known to come from. A limit that was a setting, such as a tier's, is not
// decided again: it is not recorded. Draws are those of quicknet, and of other beacons that are named. Where one of
// these is a test's, lists that were sealed by a chain of which no key is known are taken as they are recorded.
func Wishes(others ...draw.Beacon) redecide.Wishes {
	all, beacons := redecide.Wishes{}, beacons(append([]draw.Beacon{draw.Quicknet}, others...))
	wishPayments(all)
	wishWithdrawals(all)
	wishCharges(all)
	wishDues(all)
	wishDisputes(all)
	wishLiquidations(all)
	wishUnmatched(all)
	wishSendBacks(all)
	wishGroups(all)
	wishPeople(all)
	wishOffices(all)
	wishMembers(all)
	wishSettings(all)
	wishWaivers(all)
	wishAnswers(all)
	wishAccounts(all)
	wishRemedies(all)
	wishStanding(all)
	wishHeld(all)
	wishReviews(all)
	wishMonths(all, beacons)
	wish(all, func(m *nairav1.BvnVerified, _ redecide.Recorded) []event.Command {
		return one(account.EndCheck(m.GetUserId(), m.GetCheckId(), 0))
	})
	wish(all, func(m *nairav1.BvnFailed, _ redecide.Recorded) []event.Command {
		return one(account.EndCheck(m.GetUserId(), m.GetCheckId(), m.GetFailure()))
	})
	wish(all, func(m *nairav1.AccountClosed, e redecide.Recorded) []event.Command {
		return one(account.Close{User: m.GetUserId(), Now: e.EffectiveAt})
	})
	wish(all, func(m *nairav1.WitnessKeyRegistered, _ redecide.Recorded) []event.Command {
		return one(account.RegisterWitness(m.GetUserId(), m.GetPublicKey()))
	})
	wish(all, func(m *nairav1.AttestKeyRegistered, _ redecide.Recorded) []event.Command {
		return one(account.RegisterAttestKey(m.GetUserId(), m.GetPublicKey(), m.GetDevice(), m.GetSignature()))
	})
	wish(all, func(m *nairav1.AttestKeyRevoked, _ redecide.Recorded) []event.Command {
		return one(account.RevokeAttestKey(m.GetUserId(), m.GetPublicKey()))
	})
	wish(all, func(m *nairav1.WitnessKeyRevoked, _ redecide.Recorded) []event.Command {
		return one(account.RevokeWitness(m.GetUserId(), m.GetPublicKey()))
	})
	wish(all, func(m *nairav1.MembershipRequested, e redecide.Recorded) []event.Command {
		return atEither(e, func(now time.Time) event.Command {
			return savings.JoinGroup{GroupID: m.GetGroupId(), User: m.GetUserId(), Now: now}
		})
	})
	wishAjo(all)
	wishAjoLife(all, beacons)
	wishAjoMembers(all)
	wishCards(all)
	wishHolds(all)
	wishReversals(all)
	wishPlans(all)
	earlier.Also(all)
	return all
}

func wishPayments(all redecide.Wishes) {
	wishIn(all, func(v event.View, m *nairav1.PaymentInitiatedV2, events []redecide.Recorded, at int) []event.Command {
		c := wallet.StartPayment{
			PaymentID: m.GetPaymentId(), User: m.GetUserId(), Channel: m.GetChannel(), Provider: event.Provider(m.GetProvider()), Tariff: wallet.Free,
			Amount: money.Kobo(m.GetAmountKobo()), ExpiresAt: m.GetExpiresAt().AsTime(), For: m.GetContribution(),
		}
		if meant, ok := ahead[*nairav1.PaymentMeantForAjo](events, at); ok && meant.GetPaymentId() == c.PaymentID {
			c.ForAjo = meant.GetPurpose()
		}
		if meant, ok := ahead[*nairav1.PaymentMeantForDue](events, at); ok && meant.GetPaymentId() == c.PaymentID {
			c.Period = meant.GetPeriod()
		}
		if _, counted := ahead[*nairav1.PaymentsCounted](events, at); counted {
			c.Cap, c.UnderWay = money.Max*1000, event.StateOf[wallet.UnderWay](v, wallet.UnderWayStream(c.User)).Payments // The cap was a setting.
		}
		byCard := c
		byCard.Tariff = wallet.CardTariff
		out := []event.Command{c, byCard}
		if known := c.Provider == event.Vfd || c.Provider == event.Paystack; !known || m.GetFeeTable() > wallet.CardTariff.Table {
			c.Tariff = wallet.Tariff{Table: m.GetFeeTable(), Flat: money.Kobo(m.GetChargeKobo())} // Another provider brings its own.
			out = append(out, c)
		}
		return out
	})
	end := func(id string, to wallet.Status, reason string, at time.Time) []event.Command {
		return one(wallet.EndPayment{PaymentID: id, To: to, Reason: reason, Now: at})
	}
	wish(all, func(m *nairav1.PaymentPending, _ redecide.Recorded) []event.Command {
		return end(m.GetPaymentId(), wallet.Pending, "", time.Time{})
	})
	wish(all, func(m *nairav1.PaymentFailed, _ redecide.Recorded) []event.Command {
		return end(m.GetPaymentId(), wallet.Failed, m.GetReason(), time.Time{})
	})
	wish(all, func(m *nairav1.PaymentExpired, e redecide.Recorded) []event.Command {
		return append(end(m.GetPaymentId(), wallet.Expired, "", e.EffectiveAt), end(m.GetPaymentId(), wallet.Expired, "", e.RecordedAt)...)
	})
	wishIn(all, func(_ event.View, m *nairav1.PaymentConfirmedV2, events []redecide.Recorded, _ int) []event.Command {
		return one(wallet.ConfirmPayment{
			PaymentID: m.GetPaymentId(), User: m.GetUserId(), Gross: money.Kobo(m.GetAmountKobo() + m.GetChargeKobo()), Fee: money.Kobo(m.GetGatewayFeeKobo()),
			ProviderRef: m.GetProviderRef(), Also: otherNames(events, m.GetProviderRef()), PaidAt: m.GetPaidAt().AsTime(), Provider: event.Provider(m.GetProvider()),
		})
	})
	wishIn(all, func(v event.View, m *nairav1.UnmatchedMoneyReceivedV2, events []redecide.Recorded, at int) []event.Command {
		return one(partReceived(v, events, at, wallet.ReceiveUnmatched{
			ProviderRef: m.GetProviderRef(), Also: otherNames(events, m.GetProviderRef()), Provider: event.Provider(m.GetProvider()), Channel: m.GetChannel(),
			Amount: money.Kobo(m.GetAmountKobo()), Reference: m.GetReference(), Reason: m.GetReason(), PaidAt: m.GetPaidAt().AsTime(),
		}))
	})
}

// otherNames are the other names that a bank had for money, as the events beside it tell them.
func otherNames(events []redecide.Recorded, own ...string) (also []string) {
	for _, e := range events {
		if m, ok := e.Message.(*nairav1.ArrivalNamedV2); ok && !slices.Contains(own, m.GetProviderRef()) {
			also = append(also, m.GetProviderRef())
		}
		if m, ok := e.Message.(*nairav1.UnmatchedMatchedV2); ok && !slices.Contains(own, m.GetProviderRef()) {
			also = append(also, m.GetProviderRef())
		}
	}
	return also
}

// boundless are tiers that limit nothing: what they allowed at the time was a setting.
func boundless() (all account.Tiers) {
	for i := range all {
		all[i].Daily = money.Max * 1000
	}
	return all
}

func wishWithdrawals(all redecide.Wishes) {
	wish(all, func(m *nairav1.WithdrawalRequestedV2, e redecide.Recorded) []event.Command {
		amount := money.Kobo(m.GetAmountKobo())
		request := payout.Request{
			WithdrawalID: m.GetWithdrawalId(), User: m.GetUserId(), Amount: amount, Net: amount - payout.ChargesBy(m.GetFeeTable(), amount).Total(), FeeTable: m.GetFeeTable(),
			Provider: event.Provider(m.GetProvider()), Tiers: boundless(), At: e.EffectiveAt,
		}
		before := request
		before.At = e.EffectiveAt.Add(-time.Minute) // Of earlier builds: asked for before midnight and recorded after it.
		return []event.Command{request, before}
	})
	wish(all, func(m *nairav1.WithdrawalSent, e redecide.Recorded) []event.Command {
		return one(payout.Send(m.GetWithdrawalId(), m.GetUserId(), m.GetReference(), e.EffectiveAt))
	})
	wish(all, func(m *nairav1.WithdrawalPaidV2, _ redecide.Recorded) []event.Command {
		return one(payout.Pay(m.GetWithdrawalId(), m.GetUserId(), event.Provider(m.GetProvider()), payout.Receipt{
			Fee: money.Kobo(m.GetGatewayFeeKobo()), ProviderRef: m.GetProviderRef(), PaidAt: m.GetPaidAt().AsTime(),
		}))
	})
	wishIn(all, func(v event.View, m *nairav1.WithdrawalFailed, _ []redecide.Recorded, _ int) []event.Command {
		w := event.StateOf[payout.Withdrawal](v, payout.Stream(m.GetWithdrawalId()))
		return one(payout.Fail(m.GetWithdrawalId(), m.GetUserId(), w.Reference, m.GetReason()))
	})
	wish(all, func(m *nairav1.WithdrawalReversedV2, _ redecide.Recorded) []event.Command {
		return one(payout.Reverse(m.GetWithdrawalId(), m.GetUserId(), event.Provider(m.GetProvider()), m.GetProviderRef(), m.GetReason()))
	})
}

func wishCharges(all redecide.Wishes) {
	wishIn(all, func(v event.View, m *nairav1.ReturnedMoneyMatched, events []redecide.Recorded, _ int) []event.Command {
		match := returnOf(v, m, events)
		if agreed, is := events[0].Message.(*nairav1.ReturnAgreed); is {
			return one(liquidation.AgreeReturn(match, "", agreed.GetApprovedBy(), false))
		}
		return one(match)
	})
	wishIn(all, func(v event.View, m *nairav1.ReturnAgreed, events []redecide.Recorded, _ int) []event.Command {
		return one(liquidation.AgreeReturn(returnOf(v, m, events), "", m.GetApprovedBy(), false))
	})
	wishIn(all, func(v event.View, m *nairav1.ReturnProposed, events []redecide.Recorded, _ int) []event.Command {
		return one(liquidation.ProposeReturn(returnOf(v, m, events), m.GetProposedBy(), m.GetReason()))
	})
	wishIn(all, func(v event.View, m *nairav1.BankChargePosted, _ []redecide.Recorded, _ int) []event.Command {
		return one(payout.PostCharge{
			PayoutID: m.GetPayoutId(), Provider: event.Provider(m.GetProvider()), Reference: m.GetReference(), ProviderRef: m.GetProviderRef(),
			Posted: event.StateOf[payout.BankCharge](v, payout.BankChargeStream(m.GetPayoutId())).Total[m.GetReference()], Amount: money.Kobo(m.GetAmountKobo()),
		})
	})
	wish(all, func(m *nairav1.FailedPayoutLeft, _ redecide.Recorded) []event.Command {
		return one(payout.LeftOf(m, false))
	})
	wish(all, func(m *nairav1.FailedPayoutReturned, _ redecide.Recorded) []event.Command {
		return one(payout.LeftOf(m, true))
	})
}

// returnOf is that money is the return of the payout that an event names.
func returnOf(v event.View, m interface {
	GetProvider() string
	GetProviderRef() string
	GetPayoutId() string
}, events []redecide.Recorded,
) event.Command {
	id := m.GetPayoutId()
	also := otherNames(events, m.GetProviderRef(), wallet.ReturnRef(id), wallet.TransferRef(id))
	if of := event.StateOf[payout.SentMoney](v, payout.SendBackStream(id)); of.ProviderRef != "" {
		_, a := wallet.ArrivalAt(v.State, of.Provider, of.ProviderRef)
		return payout.MatchMoneyBack(of, id, m.GetProviderRef(), also, a.Sends(id))
	}
	amount := event.StateOf[payout.Withdrawal](v, payout.Stream(id)).Net()
	if amount == 0 {
		amount = event.StateOf[liquidation.Liquidation](v, liquidation.Stream(id)).Net()
	}
	return liquidation.MatchReturn(event.Provider(m.GetProvider()), m.GetProviderRef(), also, amount, id)
}

func wishDues(all redecide.Wishes) {
	wishIn(all, func(v event.View, m *nairav1.ContributionReceived, events []redecide.Recorded, at int) []event.Command {
		c := dues.Contribute{
			GroupID: m.GetGroupId(), SubAccountID: m.GetSubAccountId(), User: m.GetUserId(), Amount: money.Kobo(m.GetAmountKobo()), Channel: m.GetChannel(),
			PaymentID: m.GetPaymentId(), At: events[at].EffectiveAt,
		}
		if c.PaymentID != "" {
			c.Period = event.StateOf[wallet.Payment](v, wallet.Stream(c.PaymentID)).Period
		}
		out := one(c)
		if settled := m.GetSettled(); len(settled) > 0 { // Or the month of a due was named.
			if first, err := time.Parse(time.DateOnly, settled[0].GetPeriod()); err == nil {
				c.MonthID = int(first.Month())
				out = append(out, c)
			}
		}
		return out
	})
	wish(all, func(m *nairav1.ContributionCovered, e redecide.Recorded) []event.Command {
		return one(dues.Cover{
			GroupID: m.GetGroupId(), SubAccountID: m.GetSubAccountId(), User: m.GetUserId(), By: m.GetPaidBy(), Amount: money.Kobo(m.GetAmountKobo()), At: e.EffectiveAt,
		})
	})
	wish(all, func(m *nairav1.PenaltyApplied, e redecide.Recorded) []event.Command {
		c := dues.Penalise{GroupID: m.GetGroupId(), SubAccountID: m.GetSubAccountId(), User: m.GetUserId(), Now: e.EffectiveAt}
		later := c
		later.Now = e.RecordedAt
		return []event.Command{c, later}
	})
}

func wishDisputes(all redecide.Wishes) {
	wishIn(all, func(_ event.View, m *nairav1.DisputeOpened, events []redecide.Recorded, at int) []event.Command {
		c := dispute.Claim{
			DisputeID: m.GetDisputeId(), User: m.GetUserId(), Kind: m.GetKind(), About: m.GetAbout(), EventID: m.GetEventId(), Position: m.GetPosition(), Group: m.GetGroupId(),
			Sub: m.GetSubAccountId(), Ajo: m.GetAjoId(), Amount: money.Kobo(m.GetAmountKobo()), Arrival: m.GetArrivalId(), Words: m.GetWords(),
			Now: m.GetAcknowledgeBy().AsTime().Add(-dispute.AcknowledgeIn),
		}
		if claimed, is := ahead[*nairav1.MoneyClaimed](events, at); is && claimed.GetDisputeId() == c.DisputeID {
			c.Money = wallet.Named{Provider: event.Provider(claimed.GetProvider()), ProviderRef: claimed.GetProviderRef()}
		}
		if m.GetPaidAt() != nil {
			c.PaidAt = m.GetPaidAt().AsTime()
		}
		return one(c)
	})
	wish(all, func(m *nairav1.CardDisputeTold, _ redecide.Recorded) []event.Command {
		c := dispute.TellCard{
			DisputeID: m.GetDisputeId(), User: m.GetUserId(), Payment: m.GetPaymentId(), EventID: m.GetEventId(), Position: m.GetPosition(),
			Provider: event.Provider(m.GetProvider()), Ref: m.GetProviderRef(), Amount: money.Kobo(m.GetAmountKobo()), Reason: m.GetReason(), Now: m.GetAcknowledgeBy().AsTime().Add(-dispute.AcknowledgeIn),
		}
		if m.GetAnswerBy() != nil {
			c.AnswerBy = m.GetAnswerBy().AsTime()
		}
		return one(c)
	})
	wish(all, func(m *nairav1.CardDisputeEnded, _ redecide.Recorded) []event.Command {
		return one(dispute.EndCard{DisputeID: m.GetDisputeId(), User: m.GetUserId(), Provider: event.Provider(m.GetProvider()), Ref: m.GetProviderRef(), Upheld: m.GetUpheld()})
	})
	kase := func(v event.View, id, staff string) dispute.Case {
		d := event.StateOf[dispute.Dispute](v, dispute.Stream(id))
		return dispute.Case{DisputeID: id, User: d.User, Staff: staff, Group: d.Group, Sub: d.SubAccount, Ajo: d.Ajo, Paid: paidFor(v, d)}
	}
	wishCardAnswers(all, kase)
	wishIn(all, func(v event.View, m *nairav1.DisputeTaken, _ []redecide.Recorded, _ int) []event.Command {
		return one(dispute.Take(kase(v, m.GetDisputeId(), m.GetStaffId())))
	})
	wishIn(all, func(v event.View, m *nairav1.DisputeAsked, _ []redecide.Recorded, _ int) []event.Command {
		return one(dispute.Ask(kase(v, m.GetDisputeId(), m.GetStaffId()), m.GetWords(), m.GetAnswerBy().AsTime().Add(-dispute.AnswerIn)))
	})
	wishIn(all, func(v event.View, m *nairav1.DisputeResolved, _ []redecide.Recorded, _ int) []event.Command {
		return one(dispute.Resolve(kase(v, m.GetDisputeId(), m.GetStaffId()), m.GetUpheld(), m.GetWords(), m.GetEventIds(), m.GetReopenUntil().AsTime().Add(-dispute.ReopenIn)))
	})
	wishIn(all, func(v event.View, m *nairav1.DisputeWithdrawn, _ []redecide.Recorded, _ int) []event.Command {
		sub := event.StateOf[dispute.Dispute](v, dispute.Stream(m.GetDisputeId())).SubAccount
		return one(dispute.Withdraw(m.GetDisputeId(), m.GetUserId(), sub))
	})
	wishIn(all, func(v event.View, m *nairav1.DisputeHoldAsked, events []redecide.Recorded, i int) []event.Command {
		return atEither(events[i], func(now time.Time) event.Command {
			if m.GetUntil() != nil {
				now = m.GetUntil().AsTime().Add(-disputed.For)
			}
			return dispute.HoldPayout{DisputeID: m.GetDisputeId(), User: m.GetUserId(), Of: payoutOf(v, m.GetLiquidationId()), Amount: money.Kobo(m.GetAmountKobo()), Now: now}
		})
	})
	wishIn(all, func(v event.View, m *nairav1.DisputeHoldAllowed, events []redecide.Recorded, i int) []event.Command {
		h := event.StateOf[dispute.Dispute](v, dispute.Stream(m.GetDisputeId())).Hold
		return atEither(events[i], func(now time.Time) event.Command {
			return dispute.AllowHold{Case: kase(v, m.GetDisputeId(), m.GetStaffId()), Of: payoutOf(v, h.Liquidation), Now: now}
		})
	})
	wish(all, func(m *nairav1.DisputeEvidenceAdded, _ redecide.Recorded) []event.Command {
		return one(dispute.AddEvidence(m.GetDisputeId(), m.GetUserId(), m.GetPaperId(), m.GetFile(), m.GetSha256()))
	})
	wishCorrections(all)
}

// paidFor is what the payment was for that the bank of a card disputes.
func paidFor(v event.View, d dispute.Dispute) dispute.Paid {
	if d.Card.Payment == "" {
		return dispute.Paid{}
	}
	return dispute.PaidFor(d.Card.Payment, event.StateOf[wallet.Payment](v, wallet.Stream(d.Card.Payment)))
}

// wishCorrections are what is decided on corrections, and what they alone do.
func wishCorrections(all redecide.Wishes) {
	wishIn(all, func(v event.View, m *nairav1.CorrectionApproved, _ []redecide.Recorded, _ int) []event.Command {
		d := event.StateOf[dispute.Dispute](v, dispute.Stream(m.GetDisputeId()))
		p := event.StateOf[correction.Plan](v, correction.Stream(m.GetDisputeId()))
		return one(correction.Decision{DisputeID: m.GetDisputeId(), Dispute: d, Paid: paidFor(v, d), Plan: p, By: m.GetApprovedBy(), Approve: true})
	})
	wishIn(all, func(v event.View, m *nairav1.CorrectionApplied, _ []redecide.Recorded, _ int) []event.Command {
		return one(correction.Apply{DisputeID: m.GetDisputeId(), AsWas: true, Plan: event.StateOf[correction.Plan](v, correction.Stream(m.GetDisputeId()))})
	})
	wish(all, func(m *nairav1.AdjustmentPosted, _ redecide.Recorded) []event.Command {
		return one(correction.Adjust{
			DisputeID: m.GetDisputeId(), PlanID: m.GetPlanId(), User: m.GetUserId(), Amount: money.Kobo(m.GetAmountKobo()), TakesBack: m.GetTakesBack(),
			By: m.GetProposedBy(), ApprovedBy: m.GetApprovedBy(), Reason: m.GetReason(),
		})
	})
	wish(all, func(m *nairav1.PenaltyWaived, _ redecide.Recorded) []event.Command {
		return one(dues.WaivePenalty{
			GroupID: m.GetGroupId(), SubAccountID: m.GetSubAccountId(), User: m.GetUserId(), Period: m.GetPeriod(), DisputeID: m.GetDisputeId(), PlanID: m.GetPlanId(),
		})
	})
	wish(all, func(m *nairav1.AjoPenaltyWaived, _ redecide.Recorded) []event.Command {
		return one(ajopot.WaivePenalty{
			AjoID: m.GetAjoId(), DebtID: m.GetDebtId(), User: m.GetDebtorId(), DisputeID: m.GetDisputeId(), PlanID: m.GetPlanId(),
		})
	})
}
