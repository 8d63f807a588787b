package event

import (
	"fmt"
	"maps"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	nairav1 "adashi.ng/proto/gen/naira/v1"
)

// A shipped event keeps its message for ever; a new version is a message of its own, such as naira.v1.GroupCreatedV2,
// with an upcaster that makes the new message from the old one. Deciders, folds and read models then see only the new
// one. The recorded, hashed and streamed bytes do not change.

// upcasters lists all upcasters, one line each:
//
//	upcast(func(old *nairav1.GroupCreated) *nairav1.GroupCreatedV2 { … }),
//
// An upcaster is pure, must not change its argument, and uses only the old message.
var upcasters = mustChain(
	upcast(func(old *nairav1.PaymentReversed) *nairav1.PaymentReversedV2 {
		return &nairav1.PaymentReversedV2{
			PaymentId: old.GetPaymentId(), UserId: old.GetUserId(), Channel: old.GetChannel(), AmountKobo: old.GetAmountKobo(),
			ChargeKobo: old.GetChargeKobo(), GatewayFeeKobo: old.GetGatewayFeeKobo(), ProviderRef: old.GetProviderRef(), Reason: old.GetReason(),
		}
	}),
	named[*nairav1.PaymentReversedV2, *nairav1.PaymentReversedV3](),
	named[*nairav1.PaymentInitiated, *nairav1.PaymentInitiatedV2](),
	named[*nairav1.PaymentConfirmed, *nairav1.PaymentConfirmedV2](),
	named[*nairav1.UnmatchedMoneyReceived, *nairav1.UnmatchedMoneyReceivedV2](),
	named[*nairav1.ArrivalCredited, *nairav1.ArrivalCreditedV2](),
	named[*nairav1.ArrivalNamed, *nairav1.ArrivalNamedV2](),
	named[*nairav1.ArrivalHeld, *nairav1.ArrivalHeldV2](),
	named[*nairav1.HeldArrivalSettled, *nairav1.HeldArrivalSettledV2](),
	named[*nairav1.UnmatchedMatched, *nairav1.UnmatchedMatchedV2](),
	named[*nairav1.ReturnedMoneyParked, *nairav1.ReturnedMoneyParkedV2](),
	named[*nairav1.WithdrawalRequested, *nairav1.WithdrawalRequestedV2](),
	named[*nairav1.WithdrawalPaid, *nairav1.WithdrawalPaidV2](),
	named[*nairav1.WithdrawalReversed, *nairav1.WithdrawalReversedV2](),
	named[*nairav1.LiquidationRequested, *nairav1.LiquidationRequestedV2](),
	named[*nairav1.LiquidationAsked, *nairav1.LiquidationAskedV2](),
	named[*nairav1.LiquidationPaid, *nairav1.LiquidationPaidV2](),
	named[*nairav1.LiquidationReversed, *nairav1.LiquidationReversedV2](),
	upcast(func(old *nairav1.LiquidationReversedV2) *nairav1.LiquidationReversedV3 {
		return &nairav1.LiquidationReversedV3{
			LiquidationId: old.GetLiquidationId(), GroupId: old.GetGroupId(), SubAccountId: old.GetSubAccountId(), AmountKobo: old.GetAmountKobo(), FeeKobo: old.GetFeeKobo(),
			VatKobo: old.GetVatKobo(), DutyKobo: old.GetDutyKobo(), Provider: old.GetProvider(), ProviderRef: old.GetProviderRef(), Reason: old.GetReason(),
		}
	}),
	upcast(func(old *nairav1.MemberDeactivated) *nairav1.MemberDeactivatedV2 {
		return &nairav1.MemberDeactivatedV2{GroupId: old.GetGroupId(), UserId: old.GetUserId(), DeactivatedBy: old.GetDeactivatedBy(), Reason: old.GetReason()}
	}),
	upcast(func(old *nairav1.AccountGivenBack) *nairav1.AccountGivenBackV2 {
		return &nairav1.AccountGivenBackV2{
			UserId: old.GetUserId(), RemedyId: old.GetRemedyId(), ProposedBy: old.GetProposedBy(), ApprovedBy: old.GetApprovedBy(), Since: old.GetSince(), HeldUntil: old.GetHeldUntil(),
		}
	}),
	upcast(func(old *nairav1.QuestionAsked) *nairav1.QuestionAskedV2 {
		return &nairav1.QuestionAskedV2{
			EventId: old.GetEventId(), Position: old.GetPosition(), GroupId: old.GetGroupId(), AjoId: old.GetAjoId(), UserId: old.GetUserId(), By: old.GetBy(), Words: old.GetWords(),
		}
	}),
	upcast(func(old *nairav1.PaymentMarked) *nairav1.PaymentMarkedV2 {
		return &nairav1.PaymentMarkedV2{
			EventId: old.GetEventId(), Position: old.GetPosition(), GroupId: old.GetGroupId(), SubAccountId: old.GetSubAccountId(),
			UserId: old.GetUserId(), Mark: old.GetMark(), MarkedBy: old.GetMarkedBy(), Reason: old.GetReason(),
		}
	}),
	upcast(func(old *nairav1.AjoPaymentMarked) *nairav1.AjoPaymentMarkedV2 {
		return &nairav1.AjoPaymentMarkedV2{
			AjoId: old.GetAjoId(), Cycle: old.GetCycle(), EventId: old.GetEventId(), Position: old.GetPosition(), UserIds: old.GetUserIds(),
			Mark: old.GetMark(), MarkedBy: old.GetMarkedBy(), Reason: old.GetReason(),
		}
	}),
	upcast(func(old *nairav1.AjoSeatTaken) *nairav1.AjoSeatTakenV2 {
		return &nairav1.AjoSeatTakenV2{
			AjoId: old.GetAjoId(), Seat: old.GetSeat(), UserId: old.GetUserId(), Halves: old.GetHalves(), Nonce: old.GetNonce(),
			Commitment: old.GetCommitment(), TermsHash: old.GetTermsHash(),
		}
	}),
	upcast(func(old *nairav1.AjoListClosed) *nairav1.AjoListClosedV2 {
		return &nairav1.AjoListClosedV2{
			AjoId: old.GetAjoId(), RosterDigest: old.GetRosterDigest(), Source: old.GetSource(), Round: old.GetRound(), ChainHash: old.GetChainHash(),
			DrawAt: old.GetDrawAt(), TermsHash: old.GetTermsHash(), Order: old.GetOrder(),
		}
	}),
	upcast(func(old *nairav1.PeriodAttested) *nairav1.PeriodAttestedV2 {
		return &nairav1.PeriodAttestedV2{
			GroupId: old.GetGroupId(), AjoId: old.GetAjoId(), Month: old.GetMonth(), By: old.GetBy(), Position: old.GetPosition(),
			Validated: old.GetValidated(), Queried: old.GetQueried(), Resolved: old.GetResolved(), Unreviewed: old.GetUnreviewed(),
			Drawn: old.GetDrawn(), DrawnQueried: old.GetDrawnQueried(), Always: old.GetAlways(), AlwaysQueried: old.GetAlwaysQueried(), Undone: old.GetUndone(),
		}
	}),
	upcast(func(old *nairav1.ReservesAttested) *nairav1.ReservesAttestedV2 {
		m := &nairav1.ReservesAttestedV2{
			ReconciliationId: old.GetReconciliationId(), Position: old.GetPosition(), OwedKobo: old.GetOwedKobo(),
			UnmatchedKobo: old.GetUnmatchedKobo(), InTransitKobo: old.GetInTransitKobo(), DifferenceKobo: old.GetDifferenceKobo(),
		}
		for _, rail := range old.GetRails() {
			m.Rails = append(m.Rails, &nairav1.RailBalanceV2{
				Provider: string(ProviderOnce(rail.GetChannel())), BankKobo: rail.GetBankKobo(), LedgerKobo: rail.GetLedgerKobo(),
			})
		}
		return m
	}),
	upcast(func(old *nairav1.CorrectionProposed) *nairav1.CorrectionProposedV2 {
		m := &nairav1.CorrectionProposedV2{
			DisputeId: old.GetDisputeId(), PlanId: old.GetPlanId(), UserId: old.GetUserId(), ProposedBy: old.GetProposedBy(),
			CountsFrom: old.GetCountsFrom(), Basis: old.GetBasis(), Words: old.GetWords(),
		}
		for _, s := range old.GetSteps() {
			m.Steps = append(m.Steps, &nairav1.CorrectionStepV2{
				Kind: nairav1.CorrectionStepKind(s.GetKind()), UserId: s.GetUserId(), Provider: s.GetProvider(), ProviderRef: s.GetProviderRef(),
				GroupId: s.GetGroupId(), SubAccountId: s.GetSubAccountId(), Period: s.GetPeriod(), AmountKobo: s.GetAmountKobo(),
				EventId: s.GetEventId(), Position: s.GetPosition(),
			})
		}
		return m
	}),
)

// upcaster turns messages of a superseded type into ones of the type that replaced it.
type upcaster struct {
	from, to protoreflect.FullName
	apply    func(proto.Message) proto.Message
}

// upcast is the upcaster of a typed function.
func upcast[Old, New proto.Message](apply func(Old) New) upcaster {
	var from Old
	var to New
	return upcaster{
		from: from.ProtoReflect().Descriptor().FullName(), to: to.ProtoReflect().Descriptor().FullName(),
		apply: func(m proto.Message) proto.Message { return apply(m.(Old)) },
	}
}

// chain is upcasters by the type that they take.
type chain map[protoreflect.FullName]upcaster

// chainOf refuses two upcasters for one type, and types that would be upcast for ever.
func chainOf(list ...upcaster) (chain, error) {
	c := chain{}
	for _, u := range list {
		if _, twice := c[u.from]; twice {
			return nil, fmt.Errorf("event: two upcasters for %s", u.from)
		}
		c[u.from] = u
	}
	for start := range c {
		steps := 0
		for at, more := c[start]; more; at, more = c[at.to] {
			if steps++; steps > len(c) {
				return nil, fmt.Errorf("event: %s is upcast in a cycle", start)
			}
		}
	}
	return c, nil
}

func mustChain(list ...upcaster) chain {
	c, err := chainOf(list...)
	if err != nil {
		panic(err)
	}
	return c
}

// current upcasts to the newest known version.
func (c chain) current(m proto.Message) proto.Message {
	for {
		u, superseded := c[m.ProtoReflect().Descriptor().FullName()]
		if !superseded {
			return m
		}
		m = u.apply(m)
	}
}

// Others names every event type known to this build except the given messages, in any version.
func Others(messages ...proto.Message) []string {
	var wanted []protoreflect.FullName
	for _, m := range messages {
		wanted = append(wanted, m.ProtoReflect().Descriptor().FullName())
	}
	var names []string
	protoregistry.GlobalTypes.RangeMessages(func(mt protoreflect.MessageType) bool {
		name := mt.Descriptor().FullName()
		if name.Parent() == "naira.v1" && !slices.Contains(wanted, upcasters.last(name)) {
			names = append(names, string(name))
		}
		return true
	})
	slices.Sort(names)
	return names
}

// last is the latest version of a type.
func (c chain) last(name protoreflect.FullName) protoreflect.FullName {
	for {
		u, superseded := c[name]
		if !superseded {
			return name
		}
		name = u.to
	}
}

// Superseded names the types, in order, that Decode always upcasts.
func Superseded() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(upcasters)) {
		names = append(names, string(name))
	}
	return names
}
