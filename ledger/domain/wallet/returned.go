package wallet

import (
	"slices"
	"strings"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// ReturnStream is the stream of what came back of a payout to nobody who could have it.
func ReturnStream(provider event.Provider, payoutID string) string {
	return ArrivalStream(provider, ReturnRef(payoutID))
}

// ReturnRef is the name that what came back of a payout has in suspense.
func ReturnRef(payoutID string) string { return "return of " + payoutID }

// PartRef is the name that a part of what came back of a payout has in suspense, by the bank's name of its line.
func PartRef(payoutID, line string) string { return ReturnRef(payoutID) + " by " + line }

// TransferRef is another name of the transfer that is the return of a payout whose money is in suspense under
// ReturnRef.
func TransferRef(payoutID string) string { return "transfer of the " + ReturnRef(payoutID) }

// ReceivePart takes a part of what came back of a payout into suspense, by its own PartRef. The payout is not put back
// by itself any more: see NoneParked. Of money that was sent back, the part first makes good what Adashi lost of it.
type ReceivePart struct {
	ReceiveUnmatched

	Payout   string               // The stream of the payout,
	Paid     func(state any) bool // and whether its state is that it is paid.
	PayoutID string
}

// Streams implements event.Command.
func (c ReceivePart) Streams() []string {
	return append(append(c.ReceiveUnmatched.Streams(), c.Payout), names(c.Provider, ReturnRef(c.PayoutID))...)
}

// Accounts implements event.Command.
func (c ReceivePart) Accounts() []string {
	return append(c.ReceiveUnmatched.Accounts(), posting.Losses)
}

// Decide implements event.Command. The first part is also known by ReturnRef.
func (c ReceivePart) Decide(v event.View) ([]event.Draft, error) {
	if !c.Paid(v.State(c.Payout)) {
		return nil, fault.New(fault.Conflict, "This payout is not paid, so nothing can have come back of it.")
	}
	if NoneParked(v, c.Provider, c.PayoutID) == nil {
		c.Also = append(slices.Clone(c.Also), ReturnRef(c.PayoutID))
	}
	drafts, err := c.ReceiveUnmatched.Decide(v)
	sent, is := v.State(c.Payout).(Arrival)
	if err != nil || !is {
		return drafts, err
	}
	kept := sent.Back.Recovers(c.Amount)
	drafts = append(drafts, event.On(c.Payout, &nairav1.SendBackPartReturned{
		ProviderRef: nameOf(c.Provider, c.Payout), Provider: string(c.Provider), SendBackId: c.PayoutID, PartRef: c.ProviderRef, AmountKobo: int64(c.Amount), RecoveredKobo: int64(kept),
	}))
	if kept == 0 {
		return drafts, nil
	}
	return append(drafts, event.On(ArrivalStream(c.Provider, c.ProviderRef), &nairav1.ReturnedPartKept{
		ProviderRef: c.ProviderRef, Provider: string(c.Provider), SendBackId: c.PayoutID, KeptKobo: int64(kept), LeftKobo: int64(c.Amount - kept),
	})), nil
}

// MatchReturn says that money which came in as a transfer is what came back of a payout: it is in the ledger by that
// already, and leaves suspense where it lies there. It is one payout's, and one only. Where the payout's account had
// closed, what came back of it stays in suspense under ReturnRef. What its bank has taken back of it since is undone
// too: it is to be taken from who has the return.
type MatchReturn struct {
	ProviderRef string
	Also        []string // Other names that the bank has for it.
	Provider    event.Provider
	Amount      money.Kobo
	PayoutID    string
	Payouts     []string                                          // The streams of payouts of any kind with that id,
	CameBack    func(state func(stream string) any) bool          // whether one of them came back of this amount,
	Paid        func(state func(stream string) any) bool          // or is paid still,
	Whose       func(state func(stream string) any) (user string) // and whose money it was; empty for a group's payout.
}

// OrPaid takes a payout that is paid for one that came back.
func (c MatchReturn) OrPaid() MatchReturn {
	back := c.CameBack
	c.CameBack = func(state func(stream string) any) bool { return back(state) || c.Paid(state) }
	return c
}

func (c MatchReturn) told() told { return toldOf(c.Provider, c.ProviderRef, c.Also) }

// Streams implements event.Command.
func (c MatchReturn) Streams() []string {
	return append(append(c.told().streams(), ReturnStream(c.Provider, c.PayoutID), ArrivalStream(c.Provider, TransferRef(c.PayoutID))), c.Payouts...)
}

// Accounts implements event.Command.
func (c MatchReturn) Accounts() []string {
	return []string{posting.Bank(c.Provider), posting.Unmatched}
}

// Decide implements event.Command.
func (c MatchReturn) Decide(v event.View) ([]event.Draft, error) {
	told := c.told()
	known, err := told.find(v)
	if stream, a := ArrivalAt(v.State, c.Provider, c.ProviderRef); a.wentBack() {
		known, err = found{parked: c.ProviderRef, stream: stream, arrival: a}, nil
	}
	back, also := event.StateOf[Arrival](v, ReturnStream(c.Provider, c.PayoutID)), ReturnRef(c.PayoutID)
	if back.CameBack {
		back, also = event.StateOf[Arrival](v, ArrivalStream(c.Provider, TransferRef(c.PayoutID))), TransferRef(c.PayoutID)
	}
	_, earlier := v.(standing.Earlier) // Earlier builds did not look at whose return it is.
	switch of := ReturnedOf(c.ProviderRef); {
	case err != nil:
		return nil, err
	case !earlier && of != "" && of != c.PayoutID:
		return nil, fault.New(fault.Conflict, "This money came back of another payout, so it is not the return of this one.")
	case !c.CameBack(v.State):
		return nil, fault.New(fault.Conflict, "This payout did not come back.")
	case back.Status != ArrivalNone:
		return nil, fault.New(fault.Conflict, "What came back of this payout is another arrival.")
	case known.parked != "" && known.arrival.Amount+known.arrival.Returned != c.Amount:
		return nil, fault.New(fault.Conflict, "This money is %s.", known.arrival.Amount+known.arrival.Returned)
	}
	own, at, amount := c.ProviderRef, ArrivalStream(c.Provider, c.ProviderRef), money.Kobo(0)
	if known.parked != "" {
		own, at, amount = known.parked, known.stream, known.arrival.Amount
	}
	drafts := []event.Draft{{Stream: at, Message: &nairav1.ReturnedMoneyMatched{
		Provider: string(c.Provider), ProviderRef: own, PayoutId: c.PayoutID, AmountKobo: int64(amount),
	}}}
	drafts = append(drafts, told.name(known, own)...)
	return append(drafts, told.draft(also, &nairav1.ArrivalNamedV2{ProviderRef: also, Provider: string(c.Provider), KnownAs: own})), nil
}

// NoneParked refuses the return of the whole of a payout of which a part was taken in before: the desk has that.
func NoneParked(v event.View, provider event.Provider, payoutID string) error {
	if event.StateOf[Arrival](v, ReturnStream(provider, payoutID)).Status == ArrivalNone {
		return nil
	}
	return fault.New(fault.Conflict, "A part of this payout came back before, and the finance desk has it.")
}

// ReturnedOf is the payout of which money by this name came back, the whole or a part of it; empty for other money.
func ReturnedOf(providerRef string) (payoutID string) {
	of, is := strings.CutPrefix(providerRef, ReturnRef(""))
	if !is {
		return ""
	}
	payoutID, _, _ = strings.Cut(of, " by ")
	return payoutID
}

// Returned reports whether money by this name came back of a payout, or was left to an account that had closed: the
// ledger knows whose account it was.
func Returned(providerRef string) bool { return strings.HasPrefix(providerRef, ReturnRef("")) }

// ParkReturned takes into suspense what came back of a payout to an account of the ledger that is closed: the finance
// desk finds out whose it is. It is for the commands that record the return.
func ParkReturned(provider event.Provider, payoutID, account string, amount money.Kobo, reason string) event.Draft {
	return event.Draft{Stream: ReturnStream(provider, payoutID), Message: &nairav1.ReturnedMoneyParkedV2{
		ProviderRef: ReturnRef(payoutID), Provider: string(provider), Channel: returnedBy(provider), AmountKobo: int64(amount), Account: account, Reference: payoutID, Reason: reason,
	}}
}

// returnedBy is how money came back, as people see it. It was shown so before events named providers.
func returnedBy(provider event.Provider) nairav1.Channel {
	if provider == event.Paystack {
		return nairav1.Channel_CHANNEL_CARD
	}
	return nairav1.Channel_CHANNEL_BANK_TRANSFER
}
