package wallet

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/event"
)

// ArrivalStatus is where money stands that came in.
//
//	"" ──▶ CREDITED                                 it is a payment's
//	 ├───▶ OPEN ⇄ PROPOSED ──▶ ASSIGNED             it fits no payment, and two people say whose it is
//	 │      ├────────┼───────▶ MATCHED              it turned out to be a payment's, or a payout's return
//	 │      ├────────┼───────▶ RETURNED             the gateway took all of it back
//	 │      └─◀──────┴─▶ LEAVING ─▶ SENT_BACK       it goes back to the account that it came from; see package payout
//	 └───▶ HELD ──▶ MATCHED | OPEN                  nothing says whether we have it already, and a person finds out
type ArrivalStatus string

// The statuses.
const (
	ArrivalNone     ArrivalStatus = ""
	ArrivalOpen     ArrivalStatus = "OPEN"
	ArrivalProposed ArrivalStatus = "PROPOSED"
	ArrivalAssigned ArrivalStatus = "ASSIGNED"
	ArrivalCredited ArrivalStatus = "CREDITED"
	ArrivalMatched  ArrivalStatus = "MATCHED"
	ArrivalHeld     ArrivalStatus = "HELD"
	ArrivalReturned ArrivalStatus = "RETURNED"
	ArrivalLeaving  ArrivalStatus = "LEAVING" // Two of us agreed that it goes back; the bank may have been told.
	ArrivalSentBack ArrivalStatus = "SENT_BACK"
	ArrivalNamed    ArrivalStatus = "NAMED" // It is another name of money that is known; see Arrival.As.
)

// Arrival is the state of the stream of one name of money that came in.
type Arrival struct {
	Status     ArrivalStatus
	Amount     money.Kobo // What of it the gateway has not taken back,
	Returned   money.Kobo // and what it has.
	Provider   event.Provider
	Channel    nairav1.Channel // How its payer sent it; none where that is known of its payment.
	For        string          // The member that it is proposed for, or went to.
	ForReturn  string          // The payout that it is proposed to be the return of.
	ProposedBy string
	Proposal   seen.Version // What is proposed; see ArrivalProposal.
	As         string       // The name that it is known by, where this is another.
	Payment    string       // That it is, or turned out to be.
	Payout     string       // That it is the return of, where it came as a transfer.
	CameBack   bool         // It is all that came back of a payout, for an account that had closed.
	Back       SendBack     // The latest try to send it back.
	Ended      []EndedBack  // The tries that failed or came back, in their order.
	Claims     []Claim      // Who says that it is theirs, in their order. Of those of earlier builds only a read model knows.
}

// undecided is money in suspense about which nobody proposes anything any more.
func (a Arrival) undecided() Arrival {
	a.Status, a.For, a.ForReturn, a.ProposedBy, a.Proposal, a.Back = ArrivalOpen, "", "", "", "", SendBack{}
	return a
}

// parked reports whether the money lies in suspense.
func (a Arrival) parked() bool { return a.Status == ArrivalOpen || a.Status == ArrivalProposed }

// Arrivals folds the stream of a name of money that came in.
var Arrivals = event.Of("unmatched", 11, func(a Arrival, e event.Happened) Arrival {
	if back, is := a.sendBackEvent(e); is {
		return back
	}
	switch m := e.Message.(type) {
	case *nairav1.UnmatchedMoneyReceivedV2:
		return Arrival{Status: ArrivalOpen, Amount: money.Kobo(m.GetAmountKobo()), Provider: event.Provider(m.GetProvider()), Channel: m.GetChannel()}
	case *nairav1.ReturnedMoneyParkedV2:
		return Arrival{Status: ArrivalOpen, Amount: money.Kobo(m.GetAmountKobo()), Provider: event.Provider(m.GetProvider()), Channel: m.GetChannel(), CameBack: true}
	case *nairav1.UnmatchedProposed:
		a.Status, a.For, a.ProposedBy = ArrivalProposed, m.GetUserId(), m.GetProposedBy()
		a.Proposal = ArrivalProposal(m.GetUserId(), m.GetProposedBy(), m.GetReason(), a.Amount)
	case *nairav1.ReturnProposed:
		a.Status, a.ForReturn, a.ProposedBy = ArrivalProposed, m.GetPayoutId(), m.GetProposedBy()
		a.Proposal = ReturnProposal(m.GetPayoutId(), m.GetProposedBy(), m.GetReason(), a.Amount)
	case *nairav1.UnmatchedDeclined:
		a = a.undecided()
	case *nairav1.MoneyClaimed:
		a.Claims = append(slices.Clip(a.Claims), Claim{Dispute: m.GetDisputeId(), User: m.GetUserId()})
	case *nairav1.UnmatchedAssigned:
		a.Status = ArrivalAssigned
	case *nairav1.UnmatchedTakenBack:
		a = a.undecided()
		a.Amount = money.Kobo(m.GetLeftKobo())
		a.Returned += money.Kobo(m.GetAmountKobo())
		if a.Amount == 0 {
			a.Status = ArrivalReturned
		}
	case *nairav1.AssignedTakenBack:
		a.Amount, a.Returned = a.Amount-money.Kobo(m.GetAmountKobo()), a.Returned+money.Kobo(m.GetAmountKobo())
	case *nairav1.UnmatchedMatchedV2:
		a = a.undecided()
		a.Status, a.Payment = ArrivalMatched, m.GetPaymentId()
	case *nairav1.ReturnedMoneyMatched:
		return Arrival{Status: ArrivalMatched, Amount: a.Amount + a.Returned, Provider: event.Provider(m.GetProvider()), Channel: a.Channel, Payout: m.GetPayoutId(), Ended: a.Ended}
	case *nairav1.ArrivalCreditedV2:
		return Arrival{Status: ArrivalCredited, Provider: event.Provider(m.GetProvider()), Payment: m.GetPaymentId()}
	case *nairav1.ArrivalNamedV2:
		return Arrival{Status: ArrivalNamed, Provider: event.Provider(m.GetProvider()), As: m.GetKnownAs()}
	case *nairav1.ArrivalHeldV2:
		return Arrival{Status: ArrivalHeld, Amount: money.Kobo(m.GetAmountKobo()), Provider: event.Provider(m.GetProvider()), Channel: m.GetChannel()}
	case *nairav1.HeldArrivalSettledV2:
		a.Payment = m.GetPaymentId()
		if a.Status = ArrivalMatched; a.Payment == "" {
			a.Status = ArrivalNone // UnmatchedMoneyReceived follows.
		}
	}
	return a
})

// ArrivalProposal is the version of a proposal whose money is: for whom, by whom, why and how much.
func ArrivalProposal(user, by, reason string, amount money.Kobo) seen.Version {
	return seen.Of(user, by, reason, amount)
}

// ReturnProposal is the version of a proposal whose return money is: of which payout, by whom, why and how much.
func ReturnProposal(payoutID, by, reason string, amount money.Kobo) seen.Version {
	return seen.Of("the return of", payoutID, by, reason, amount)
}

// ArrivalStream is the stream of money by the name that a provider has for it. Two may have the same name for different
// money.
func ArrivalStream(provider event.Provider, providerRef string) string {
	return "unmatched:" + provider.Stored() + ":" + providerRef
}

// earlier is the stream that money parked under a name has from before streams named their provider.
func earlier(providerRef string) string { return "unmatched:" + providerRef }

// names are the streams of money by some names, each as it is called now and as it was once.
func names(provider event.Provider, providerRefs ...string) []string {
	streams := make([]string, 0, 2*len(providerRefs))
	for _, ref := range providerRefs {
		streams = append(streams, ArrivalStream(provider, ref), earlier(ref))
	}
	return streams
}

// ArrivalAt is where money stands by one name, and its stream. It reads the streams that ArrivalStreams names.
func ArrivalAt(state func(stream string) any, provider event.Provider, providerRef string) (string, Arrival) {
	if a := state(earlier(providerRef)).(Arrival); a.Status != ArrivalNone && a.Provider == provider {
		return earlier(providerRef), a
	}
	stream := ArrivalStream(provider, providerRef)
	return stream, state(stream).(Arrival)
}

// nameOf is the name by which money has its stream.
func nameOf(provider event.Provider, stream string) string {
	if name, is := strings.CutPrefix(stream, ArrivalStream(provider, "")); is {
		return name
	}
	return strings.TrimPrefix(stream, earlier(""))
}

// ArrivalStreams are the streams that money may have by one name.
func ArrivalStreams(provider event.Provider, providerRef string) []string {
	return names(provider, providerRef)
}

// told is money as a bank told of it: by its own name, and others that it has for it.
type told struct {
	provider event.Provider
	names    []string // Its own first.
}

func toldOf(provider event.Provider, own string, others []string) told {
	all := []string{own}
	for _, name := range others {
		if name != "" && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return told{provider, all}
}

func (t told) streams() []string { return names(t.provider, t.names...) }

// found is what is known of money by all its names.
type found struct {
	parked   string // The name under which it lies in suspense; empty when it does not.
	stream   string // Of that name.
	arrival  Arrival
	nameless []string // Names under which nothing is recorded yet.
}

// find looks money up by all its names. Money that has had its end is Conflict.
func (t told) find(v event.View) (s found, err error) {
	for _, name := range t.names {
		stream, a := ArrivalAt(v.State, t.provider, name)
		switch {
		case a.Status == ArrivalNone || a.Status == ArrivalHeld:
			s.nameless = append(s.nameless, name)
		case a.Status == ArrivalNamed && slices.Contains(t.names, a.As):
		case a.Status == ArrivalNamed: // It got its other name since the command was made.
			return s, fault.New(fault.Unavailable, "This money is being recorded just now. Please try again.")
		case a.Status == ArrivalAssigned:
			return s, fault.New(fault.Conflict, "This money came without its reference, and our finance desk has credited it. Please contact us if it is not in your wallet.")
		case a.parked() && a.Returned > 0:
			return s, fault.New(fault.Conflict, "A part of this money went back to its payer already. Our finance desk sees to the rest.")
		case !a.parked():
			return s, fault.New(fault.Conflict, "This money is recorded already.")
		case s.parked != "" && s.parked != name:
			return s, fault.New(fault.Conflict, "This money is in suspense twice. Our finance desk sees to it.")
		default:
			s.parked, s.stream, s.arrival = name, stream, a
		}
	}
	return s, nil
}

// name says that all names of money but one are others of that one.
func (t told) name(s found, own string) (drafts []event.Draft) {
	for _, name := range s.nameless {
		if name != own {
			drafts = append(drafts, t.draft(name, &nairav1.ArrivalNamedV2{ProviderRef: name, Provider: string(t.provider), KnownAs: own}))
		}
	}
	return drafts
}

func (t told) draft(name string, m proto.Message) event.Draft {
	return event.Draft{Stream: ArrivalStream(t.provider, name), Message: m}
}
