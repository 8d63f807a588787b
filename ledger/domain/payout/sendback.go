package payout

import (
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// Money in suspense goes back to the account that it came from as a payout does. Its steps are on the stream of the
// money, so that nothing else becomes of it meanwhile:
//
//	OPEN ──▶ PROPOSED ──▶ LEAVING ──▶ (sent) ──▶ SENT_BACK
//	  ▲         └─ declined ─┐ │ failed, or called off   │ came back
//	  └──────────────────────┴─┴─────────────────────────┘

// SentMoney is which money a payout of suspense is.
type SentMoney struct {
	Provider    event.Provider
	ProviderRef string // The bank's name of it; empty where there is no such payout.
}

// MoneyOf is which money an event is about.
func MoneyOf(m interface {
	GetProvider() string
	GetProviderRef() string
},
) SentMoney {
	return SentMoney{Provider: event.Provider(m.GetProvider()), ProviderRef: m.GetProviderRef()}
}

// SendBacks folds the streams that say which money a payout of suspense is.
var SendBacks = event.Of("sendback", 1, func(s SentMoney, e event.Happened) SentMoney {
	if m, ok := e.Message.(*nairav1.SendBackOpened); ok {
		return SentMoney{Provider: event.Provider(m.GetProvider()), ProviderRef: m.GetProviderRef()}
	}
	return s
})

// SendBackStream is the stream that says which money a payout of suspense is.
func SendBackStream(id string) string { return "sendback:" + id }

// ProposeSendBack proposes that money in suspense goes back to the account that it came from. Nobody proposes it of
// their own money.
type ProposeSendBack struct {
	SentMoney

	ID       string // Of the payout. Where it goes is sealed under it.
	User     string // The member whose money it was, where we know one.
	By       string
	OwnMoney bool // It came from an account that By is paid to.
	Reason   string
	Claims   []string // The disputes in which the money is claimed; see wallet.Arrival.Unclaimed.
}

// Streams implements event.Command.
func (c ProposeSendBack) Streams() []string {
	return append(append(wallet.ArrivalStreams(c.Provider, c.ProviderRef), account.Stream(c.By), SendBackStream(c.ID)), wallet.ClaimStreams(c.Claims)...)
}

// Accounts implements event.Command.
func (ProposeSendBack) Accounts() []string { return nil }

// Decide implements event.Command.
func (c ProposeSendBack) Decide(v event.View) ([]event.Draft, error) {
	stream, a := wallet.ArrivalAt(v.State, c.Provider, c.ProviderRef)
	switch {
	case a.Undecided() != nil:
		return nil, a.Undecided()
	case strings.TrimSpace(c.Reason) == "":
		return nil, fault.Field("reason", "Say why this money goes back.")
	case c.By == "" || c.By == c.User || c.OwnMoney:
		return nil, standing.Own.May(standing.Credit)
	}
	if err := standing.May(v, c.By, standing.Credit); err != nil {
		return nil, err
	}
	if err := a.Unclaimed(v, c.Claims); err != nil {
		return nil, err
	}
	return []event.Draft{
		event.On(stream, &nairav1.SendBackProposed{
			ProviderRef: c.ProviderRef, Provider: string(c.Provider), SendBackId: c.ID, UserId: c.User, ProposedBy: c.By, Reason: c.Reason,
		}),
		event.On(SendBackStream(c.ID), &nairav1.SendBackOpened{SendBackId: c.ID, Provider: string(c.Provider), ProviderRef: c.ProviderRef}),
	}, nil
}

// DecideSendBack agrees that money goes back, as somebody else proposed, or declines it. Who proposed it may take it
// back.
type DecideSendBack struct {
	SentMoney

	ID       string       // Of the payout that is proposed.
	Seen     seen.Version // The proposal that they decide on; empty not to ask.
	By       string
	OwnMoney bool // It came from an account that By is paid to.
	Approve  bool
	Reason   string   // Needed to decline.
	Claims   []string // The disputes in which the money is claimed; see wallet.Arrival.Unclaimed.
}

// Streams implements event.Command.
func (c DecideSendBack) Streams() []string {
	return append(append(wallet.ArrivalStreams(c.Provider, c.ProviderRef), account.Stream(c.By)), wallet.ClaimStreams(c.Claims)...)
}

// Accounts implements event.Command.
func (DecideSendBack) Accounts() []string { return []string{posting.Unmatched, posting.Leaving} }

// Decide implements event.Command.
func (c DecideSendBack) Decide(v event.View) ([]event.Draft, error) {
	stream, a := wallet.ArrivalAt(v.State, c.Provider, c.ProviderRef)
	switch {
	case !a.BackProposed() || a.Back.ID != c.ID:
		return nil, seen.Changed()
	case c.Seen.IfSaid(a.Seen()) != nil:
		return nil, c.Seen.IfSaid(a.Seen())
	case !c.Approve && strings.TrimSpace(c.Reason) == "":
		return nil, fault.Field("reason", "Say why the proposal is declined.")
	case !c.Approve:
		return []event.Draft{event.On(stream, &nairav1.UnmatchedDeclined{ProviderRef: c.ProviderRef, DeclinedBy: c.By, Reason: c.Reason})}, nil
	case c.By == "" || c.By == a.ProposedBy:
		return nil, fault.New(fault.Forbidden, "You proposed this yourself. A second person must agree.")
	case c.By == a.Back.User || c.OwnMoney:
		return nil, standing.Own.May(standing.Credit)
	case standing.May(v, c.By, standing.Credit) != nil:
		return nil, standing.May(v, c.By, standing.Credit)
	case a.Unclaimed(v, c.Claims) != nil:
		return nil, a.Unclaimed(v, c.Claims)
	}
	return []event.Draft{event.On(stream, &nairav1.SendBackAgreed{
		ProviderRef: c.ProviderRef, Provider: string(c.Provider), SendBackId: c.ID, UserId: a.Back.User, AmountKobo: int64(a.Amount), ProposedBy: a.ProposedBy, ApprovedBy: c.By,
	})}, nil
}

// sendBackStep is a command about one payout of suspense that was agreed to.
type sendBackStep struct {
	SentMoney

	id       string
	accounts []string
	decide   func(wallet.Arrival) (proto.Message, error)
}

// Streams implements event.Command.
func (c sendBackStep) Streams() []string { return wallet.ArrivalStreams(c.Provider, c.ProviderRef) }

// Accounts implements event.Command.
func (c sendBackStep) Accounts() []string { return c.accounts }

// Decide implements event.Command.
func (c sendBackStep) Decide(v event.View) ([]event.Draft, error) {
	stream, a := wallet.ArrivalAt(v.State, c.Provider, c.ProviderRef)
	if a.Back.ID != c.id || a.Status != wallet.ArrivalLeaving && a.Status != wallet.ArrivalSentBack {
		return nil, fault.New(fault.Conflict, "This money is not on its way back any more.")
	}
	m, err := c.decide(a)
	if err != nil {
		return nil, err
	}
	return []event.Draft{event.On(stream, m)}, nil
}

// errBackStands refuses a step that does not follow where the payout of suspense stands.
func errBackStands(become string) error {
	return fault.New(fault.Conflict, "This money cannot be %s as it stands now.", become)
}

// SendMoneyBack records that the bank is about to be told, under a reference. Only the caller that has it recorded
// first may tell the bank. It is refused while a member claims the money in one of the disputes that claim it.
func SendMoneyBack(of SentMoney, id, reference string, claims ...string) event.Command {
	return claimedStep{claims: claims, sendBackStep: sendBackStep{SentMoney: of, id: id, decide: func(a wallet.Arrival) (proto.Message, error) {
		if a.Status != wallet.ArrivalLeaving || a.Back.Reference != "" {
			return nil, errBackStands("sent")
		}
		return &nairav1.SendBackSent{ProviderRef: of.ProviderRef, Provider: string(of.Provider), SendBackId: id, Reference: reference}, nil
	}}}
}

// claimedStep is a step that needs money which nobody claims, or, where it stops, money which somebody does.
type claimedStep struct {
	sendBackStep
	claims []string
	stops  bool
}

// Streams implements event.Command.
func (c claimedStep) Streams() []string {
	return append(c.sendBackStep.Streams(), wallet.ClaimStreams(c.claims)...)
}

// Decide implements event.Command.
func (c claimedStep) Decide(v event.View) ([]event.Draft, error) {
	_, a := wallet.ArrivalAt(v.State, c.Provider, c.ProviderRef)
	err := a.Unclaimed(v, c.claims)
	switch claimed := fault.Is(err, fault.Conflict); {
	case err != nil && !(claimed && c.stops):
		return nil, err
	case err == nil && c.stops:
		return nil, errBackStands("called off")
	}
	return c.sendBackStep.Decide(v)
}

// PayMoneyBack records that the bank has paid it.
func PayMoneyBack(of SentMoney, id string, r Receipt) event.Command {
	accounts := []string{posting.Leaving, posting.Bank(of.Provider), posting.FeesGateway, posting.FeesCharged, posting.FeesVariance}
	return sendBackStep{SentMoney: of, id: id, accounts: accounts, decide: func(a wallet.Arrival) (proto.Message, error) {
		switch {
		case a.Status != wallet.ArrivalLeaving || a.Back.Reference == "":
			return nil, errBackStands("paid")
		case r.Fee < 0 || r.Fee > a.Amount:
			return nil, fault.New(fault.Conflict, "The bank names a fee of %s on %s.", r.Fee, a.Amount)
		}
		return &nairav1.SendBackPaid{
			ProviderRef: of.ProviderRef, Provider: string(of.Provider), SendBackId: id, UserId: a.Back.User, AmountKobo: int64(a.Amount),
			GatewayFeeKobo: int64(r.Fee), BankRef: r.ProviderRef, PaidAt: timestamppb.New(r.PaidAt),
		}, nil
	}}
}

// FailMoneyBack puts it into suspense again. It names the reference that failed; empty when the bank was not told at
// all.
func FailMoneyBack(of SentMoney, id, reference, reason string) event.Command {
	return sendBackStep{SentMoney: of, id: id, accounts: []string{posting.Leaving, posting.Unmatched, posting.Losses}, decide: func(a wallet.Arrival) (proto.Message, error) {
		if a.Status != wallet.ArrivalLeaving || a.Back.Reference != reference {
			return nil, errBackStands("failed")
		}
		return a.BackFailed(of.Provider, of.ProviderRef, reason), nil
	}}
}

// ReturnMoneyBack records that the receiving bank sent it back after it was paid: it is in suspense again.
func ReturnMoneyBack(of SentMoney, id, bankRef, reason string) event.Command {
	return sendBackReturn{sendBackStep{SentMoney: of, id: id, accounts: []string{posting.Bank(of.Provider), posting.Unmatched, posting.Losses}, decide: func(a wallet.Arrival) (proto.Message, error) {
		if a.Status != wallet.ArrivalSentBack {
			return nil, errBackStands("sent back to us")
		}
		return &nairav1.SendBackReturned{
			ProviderRef: of.ProviderRef, Provider: string(of.Provider), SendBackId: id, AmountKobo: int64(a.Amount), RecoveredKobo: int64(a.Back.Recovers(a.Amount)),
			BankRef: bankRef, Reason: reason, UserId: a.Back.User,
		}, nil
	}}}
}

// sendBackReturn is that a payout of suspense came back.
type sendBackReturn struct{ sendBackStep }

// Streams implements event.Command.
func (c sendBackReturn) Streams() []string {
	return append(c.sendBackStep.Streams(), wallet.ReturnStream(c.Provider, c.id))
}

// Decide implements event.Command.
func (c sendBackReturn) Decide(v event.View) ([]event.Draft, error) {
	if err := wallet.NoneParked(v, c.Provider, c.id); err != nil {
		return nil, err
	}
	return c.sendBackStep.Decide(v)
}

// MatchMoneyBack says that money which came in as a transfer is what came back of a payout of suspense. See
// wallet.MatchReturn.
func MatchMoneyBack(of SentMoney, id, providerRef string, also []string, amount money.Kobo) event.Command {
	at := func(state func(stream string) any) wallet.Arrival {
		_, a := wallet.ArrivalAt(state, of.Provider, of.ProviderRef)
		return a
	}
	return wallet.MatchReturn{
		ProviderRef: providerRef, Also: also, Provider: of.Provider, Amount: amount, PayoutID: id, Payouts: wallet.ArrivalStreams(of.Provider, of.ProviderRef),
		CameBack: func(state func(stream string) any) bool {
			a := at(state)
			ended := a.EndedTry(id)
			return providerRef != of.ProviderRef && ended.Returned && ended.Amount == amount
		},
		Paid: func(state func(stream string) any) bool {
			a := at(state)
			return providerRef != of.ProviderRef && a.Status == wallet.ArrivalSentBack && a.Back.ID == id && a.Amount == amount
		},
		Whose: func(state func(stream string) any) string {
			if a := at(state); a.Back.ID != id {
				return a.EndedTry(id).User
			}
			return at(state).Back.User
		},
	}
}

// CallOffMoneyBack puts money into suspense again that a member claims and of which the bank was not told yet. Nothing
// else stops it from going back, but that its bank takes it first.
func CallOffMoneyBack(of SentMoney, id string, claims ...string) event.Command {
	step := FailMoneyBack(of, id, "", "A member says in a dispute that this money is theirs. Nothing was sent.").(sendBackStep)
	return claimedStep{sendBackStep: step, claims: claims, stops: true}
}
