package ledger

import (
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/disputed"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
)

// payoutOf is what a request for a group's money is about.
func payoutOf(v event.View, id string) liquidation.Of {
	return liquidation.About(id, event.StateOf[liquidation.Liquidation](v, liquidation.Stream(id)))
}

// wishLiquidations are requests for groups' money, and what people decide about them. Who had an interest in a request
// is not recorded: whoever was left out of who decides is taken to have had one.
func wishLiquidations(all redecide.Wishes) {
	wishIn(all, func(v event.View, m *nairav1.LiquidationRequestedV2, events []redecide.Recorded, at int) []event.Command {
		return requested(v, m, m.GetKind(), events, at)
	})
	wishIn(all, func(v event.View, m *nairav1.LiquidationAskedV2, events []redecide.Recorded, at int) []event.Command {
		return requested(v, m, nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL, events, at) // Of whoever may not know the total.
	})
	wishIn(all, func(v event.View, m *nairav1.LiquidationValidated, events []redecide.Recorded, at int) []event.Command {
		return approves(v, m.GetLiquidationId(), m.GetValidatedBy(), events[at])
	})
	wishIn(all, func(v event.View, m *nairav1.LiquidationApproved, events []redecide.Recorded, at int) []event.Command {
		if m.GetApprovedBy() == "" {
			return nil // Fewer are needed since an office changed.
		}
		return approves(v, m.GetLiquidationId(), m.GetApprovedBy(), events[at])
	})
	wishIn(all, func(v event.View, m *nairav1.LiquidationRejected, _ []redecide.Recorded, _ int) []event.Command {
		return one(liquidation.Reject(payoutOf(v, m.GetLiquidationId()), m.GetRejectedBy(), m.GetReason()))
	})
	wishIn(all, func(v event.View, m *nairav1.LiquidationCancelled, _ []redecide.Recorded, _ int) []event.Command {
		of := payoutOf(v, m.GetLiquidationId())
		return []event.Command{liquidation.Cancel(of, of.RequestedBy), liquidation.Stop(of)}
	})
	wishIn(all, func(v event.View, m *nairav1.LiquidationExpired, events []redecide.Recorded, at int) []event.Command {
		return atEither(events[at], func(now time.Time) event.Command { return liquidation.Expire(payoutOf(v, m.GetLiquidationId()), now) })
	})
	wishIn(all, func(v event.View, m *nairav1.LiquidationObjected, events []redecide.Recorded, at int) []event.Command {
		if m.GetObjectedBy() == "" {
			return upheld(v, m.GetLiquidationId())
		}
		return atEither(events[at], func(now time.Time) event.Command {
			return liquidation.Object(payoutOf(v, m.GetLiquidationId()), m.GetObjectedBy(), m.GetReason(), now)
		})
	})
	wishLiquidationPayouts(all)
}

// upheld is that a payout is put on hold since a case about it was decided for its member. Which case it was is not
// recorded: any may be it that was. A lab, which does not hold all disputes, takes it as it is recorded.
func upheld(v event.View, payout string) (commands []event.Command) {
	all, is := v.(redecide.Whole)
	if !is {
		return nil
	}
	all.Each("dispute", func(name string, state any) {
		if d := state.(dispute.Dispute); d.Status == dispute.Upheld && d.Payout() == payout {
			commands = append(commands, dispute.HoldUpheld{DisputeID: name, Of: payoutOf(v, payout)})
		}
	})
	return commands
}

// asking is an event by which a group's money is asked for.
type asking interface {
	GetLiquidationId() string
	GetGroupId() string
	GetSubAccountId() string
	GetRequestedBy() string
	GetAmountKobo() int64
	GetProvider() string
	GetFeeTable() int32
	GetReason() string
	GetExpiresAt() *timestamppb.Timestamp
}

func requested(v event.View, m asking, kind nairav1.LiquidationKind, events []redecide.Recorded, at int) []event.Command {
	fixed, ok := ahead[*nairav1.LiquidationDecidersFixed](events, at)
	if !ok {
		return nil // It is of before deciders were fixed.
	}
	g, amount := event.StateOf[savings.Group](v, savings.GroupStream(m.GetGroupId())), money.Kobo(m.GetAmountKobo())
	c := liquidation.Request{
		LiquidationID: m.GetLiquidationId(), GroupID: m.GetGroupId(), SubAccountID: m.GetSubAccountId(), User: m.GetRequestedBy(), Kind: kind, Amount: amount,
		Net: amount - payout.ChargesBy(m.GetFeeTable(), amount).Total(), FeeTable: m.GetFeeTable(), Provider: event.Provider(m.GetProvider()), Reason: m.GetReason(), OwnAccount: fixed.GetOwnAccount(),
		At: m.GetExpiresAt().AsTime().Add(-liquidation.Open), Officers: savings.Officers{Users: append([]string{g.Validator}, g.Approvers...)},
	}
	for _, user := range c.Officers.Users {
		if user != c.User && !slices.Contains(fixed.GetValidatorIds(), user) && !slices.Contains(fixed.GetApproverIds(), user) {
			c.Officers.Interested = append(c.Officers.Interested, user)
		}
	}
	if fixed.GetOwnAccount() && !g.Official(c.User) { // Whose account it was is not recorded: an official's who does not decide.
		c.Officers.Paid = c.Officers.Interested
	}
	return one(c)
}

// approves is a yes to a request.
func approves(v event.View, id, by string, e redecide.Recorded) []event.Command {
	of := payoutOf(v, id)
	return atEither(e, func(now time.Time) event.Command { return liquidation.InTime(of, now, liquidation.Approve(of, by)) })
}

// wishLiquidationPayouts are what is told to the bank and by it.
func wishLiquidationPayouts(all redecide.Wishes) {
	wishIn(all, func(v event.View, m *nairav1.LiquidationSent, events []redecide.Recorded, at int) []event.Command {
		return atEither(events[at], func(now time.Time) event.Command {
			of := payoutOf(v, m.GetLiquidationId())
			holders := event.StateOf[disputed.Money](v, disputed.Stream(of.SubAccountID)).Holders(of.LiquidationID)
			return liquidation.SendWithin(of, m.GetReference(), now, liquidation.Limits{Tiers: boundless()}, holders...)
		})
	})
	wishIn(all, func(v event.View, m *nairav1.LiquidationPaidV2, _ []redecide.Recorded, _ int) []event.Command {
		l := event.StateOf[liquidation.Liquidation](v, liquidation.Stream(m.GetLiquidationId()))
		receipt := payout.Receipt{Fee: money.Kobo(m.GetGatewayFeeKobo()), ProviderRef: m.GetProviderRef(), PaidAt: m.GetPaidAt().AsTime()}
		return one(liquidation.Pay(payoutOf(v, m.GetLiquidationId()), l.Last(), receipt)) // Under whichever reference, it comes to the same.
	})
	wishIn(all, func(v event.View, m *nairav1.LiquidationFailed, _ []redecide.Recorded, _ int) []event.Command {
		l := event.StateOf[liquidation.Liquidation](v, liquidation.Stream(m.GetLiquidationId()))
		return one(liquidation.Fail(payoutOf(v, m.GetLiquidationId()), l.Last(), m.GetReason()))
	})
	wishIn(all, func(v event.View, m *nairav1.LiquidationRetried, _ []redecide.Recorded, _ int) []event.Command {
		return one(liquidation.Retry(payoutOf(v, m.GetLiquidationId()), m.GetRetriedBy()))
	})
	wishIn(all, func(v event.View, m *nairav1.LiquidationReleased, _ []redecide.Recorded, _ int) []event.Command {
		return one(liquidation.Release(payoutOf(v, m.GetLiquidationId()), m.GetReleasedBy(), m.GetReason()))
	})
	wishIn(all, func(v event.View, m *nairav1.LiquidationReversedV3, _ []redecide.Recorded, _ int) []event.Command {
		return one(liquidation.Reverse(payoutOf(v, m.GetLiquidationId()), m.GetProviderRef(), m.GetReason()))
	})
}

// asked is how long a command may take from being made to being recorded: one that was in time stays so.
const asked = time.Minute

// atEither is a command whose time is when its event counts from, or else when it was recorded, or else just before: a
// command that says no time of its own (event.Dated) may have been only just in time.
func atEither(e redecide.Recorded, make func(now time.Time) event.Command) []event.Command {
	return []event.Command{make(e.EffectiveAt), make(e.RecordedAt), make(e.EffectiveAt.Add(-asked))}
}

// wishUnmatched are what is decided about money of nobody.
func wishUnmatched(all redecide.Wishes) {
	wish(all, func(m *nairav1.UnmatchedProposed, e redecide.Recorded) []event.Command {
		return one(wallet.ProposeUnmatched{
			ProviderRef: m.GetProviderRef(), Provider: providerOf(e.Stream, m.GetProviderRef()), User: m.GetUserId(), By: m.GetProposedBy(), Reason: m.GetReason(),
		})
	})
	wish(all, func(m *nairav1.UnmatchedAssigned, e redecide.Recorded) []event.Command {
		return one(wallet.DecideUnmatched{
			ProviderRef: m.GetProviderRef(), Provider: providerOf(e.Stream, m.GetProviderRef()), User: m.GetUserId(), By: m.GetApprovedBy(), Approve: true,
		})
	})
	wishIn(all, func(v event.View, m *nairav1.UnmatchedDeclined, events []redecide.Recorded, at int) []event.Command {
		provider := providerOf(events[at].Stream, m.GetProviderRef())
		_, arrival := wallet.ArrivalAt(v.State, provider, m.GetProviderRef())
		if arrival.BackProposed() {
			of := payout.SentMoney{Provider: provider, ProviderRef: m.GetProviderRef()}
			return one(payout.DecideSendBack{SentMoney: of, ID: arrival.Back.ID, By: m.GetDeclinedBy(), Reason: m.GetReason()})
		}
		return one(wallet.DecideUnmatched{ProviderRef: m.GetProviderRef(), Provider: provider, User: arrival.For, By: m.GetDeclinedBy(), Reason: m.GetReason()})
	})
}

// providerOf is which provider brought the money that a stream is about.
func providerOf(stream, providerRef string) event.Provider {
	for _, p := range []event.Provider{event.Vfd, event.Paystack} {
		if wallet.ArrivalStream(p, providerRef) == stream {
			return p
		}
	}
	return event.Provider(strings.TrimSuffix(strings.TrimPrefix(stream, "unmatched:"), ":"+providerRef))
}
