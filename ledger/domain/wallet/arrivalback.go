package wallet

import (
	"slices"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// TakeBackArrival says that the gateway took back money that fits no payment, or a part of it. It leaves suspense or,
// once two of us have given it to a member, their wallet: they owe what that no longer has. Where it was to be sent
// back, and the bank was not told yet, that is called off; once the bank was told, what came back of it in parts pays
// first, and Adashi bears the rest. Where the money is
// the return of what a member withdrew from their wallet or their savings, they owe it in the same way. Adashi bears
// what goes back beyond the money, such as the fee that the gateway keeps, and all of the return of a group's payout:
// that money is its members' again.
type TakeBackArrival struct {
	ProviderRef string // The bank's name of the money.
	Provider    event.Provider
	User        string     // Whose wallet has it; empty while it lies in suspense.
	Gross       money.Kobo // What went back.
	BackRef     string     // The gateway's name of what it took back.
	Reason      string
	Parts       []string // The names of what came back in parts, where it was sent back; see PartsOf.

	Payout string                                            // The payout that the money is the return of; empty for other money.
	Paid   []string                                          // The streams of payouts of either kind with that id,
	Whose  func(state func(stream string) any) (user string) // and the member who withdrew it; empty for a group's payout.
}

// Streams implements event.Command.
func (c TakeBackArrival) Streams() []string {
	streams := append(names(c.Provider, append([]string{c.ProviderRef}, c.Parts...)...), c.Paid...)
	if c.User == "" {
		return streams
	}
	return append(streams, DebtStream(c.User))
}

// Accounts implements event.Command.
func (c TakeBackArrival) Accounts() []string {
	accounts := []string{posting.Bank(c.Provider), posting.Unmatched, posting.Leaving, posting.Losses}
	if c.User == "" {
		return accounts
	}
	return append(accounts, posting.Wallet(c.User), posting.Owed(c.User))
}

// OnlyTakes implements incoming.OnlyTakes.
func (TakeBackArrival) OnlyTakes() bool { return true }

// Decide implements event.Command.
func (c TakeBackArrival) Decide(v event.View) ([]event.Draft, error) {
	stream, a := ArrivalAt(v.State, c.Provider, c.ProviderRef)
	amount, has := min(c.Gross, a.Amount), ""
	switch {
	case a.Payout != c.Payout:
		return nil, fault.New(fault.Unavailable, "This money turned out to be the return of a payout just now. Please try again.")
	case a.Payout != "":
		if has = c.Whose(v.State); has == "" {
			amount = 0 // None of it lies in suspense.
		}
	case a.Status == ArrivalAssigned:
		has = a.For
	}
	switch {
	case !a.ReturnsAlone():
		return nil, fault.New(fault.Conflict, "This money is in no account that it could be taken back from.")
	case c.Gross <= 0 || c.Gross > money.Max:
		return nil, fault.New(fault.Conflict, "The gateway names %s to take back.", c.Gross)
	case has != c.User:
		return nil, fault.New(fault.Unavailable, "Somebody decided just now whose this money is. Please try again.")
	case a.gone():
		return c.ofWhatWasSent(v, stream, a)
	case has == "":
		return c.fromSuspense(stream, a, amount), nil
	}
	var drafts []event.Draft
	if short := amount - max(0, v.Balance(posting.Wallet(c.User))); short > 0 {
		drafts = append(drafts, lend(c.User, c.ProviderRef, short))
	}
	return append(drafts, event.Draft{Stream: stream, Message: &nairav1.AssignedTakenBack{
		ProviderRef: c.ProviderRef, Provider: string(c.Provider), UserId: c.User, Channel: a.Channel, AmountKobo: int64(amount), LostKobo: int64(c.Gross - amount),
		BackRef: c.BackRef, Reason: c.Reason,
	}}), nil
}

// ofWhatWasSent takes what the bank was told to send back, or has sent, out of its parts that came back and are in
// suspense. The rest is a loss: of a part that was sent back again it is the part's, which makes it good once it comes
// back too. What two of us gave to a member stays theirs.
func (c TakeBackArrival) ofWhatWasSent(v event.View, stream string, a Arrival) (drafts []event.Draft, err error) {
	for _, name := range a.Back.Parts {
		if !slices.Contains(c.Parts, name) {
			return nil, fault.New(fault.Unavailable, "A part of this money came back just now. Please try again.")
		}
		part := c
		at, stands := ArrivalAt(v.State, c.Provider, name)
		part.ProviderRef, part.Gross = name, min(c.Gross, stands.Amount-stands.Back.Lost)
		var took []event.Draft
		switch {
		case part.Gross <= 0 || !stands.parked() && stands.Status != ArrivalLeaving && !stands.gone():
			continue
		case stands.gone():
			took, err = part.ofWhatWasSent(v, at, stands)
		default:
			took = part.fromSuspense(at, stands, part.Gross)
		}
		if err != nil {
			return nil, err
		}
		drafts, c.Gross = append(drafts, took...), c.Gross-part.Gross
	}
	if c.Gross == 0 {
		return drafts, nil
	}
	return append(drafts, event.On(stream, &nairav1.SendBackLossBorne{
		ProviderRef: c.ProviderRef, Provider: string(c.Provider), SendBackId: a.Back.ID, AmountKobo: int64(c.Gross), BackRef: c.BackRef, Reason: c.Reason,
	})), nil
}

// PartsOf are the names of the parts that came back of money which was sent back, and of those that were sent back
// again.
func PartsOf(state func(stream string) any, provider event.Provider, a Arrival) (all []string) {
	for _, name := range a.Back.Parts {
		_, part := ArrivalAt(state, provider, name)
		all = append(append(all, name), PartsOf(state, provider, part)...)
	}
	return all
}

// fromSuspense takes an amount of what lies in suspense, or was to leave it. Of a payout's return nothing does.
func (c TakeBackArrival) fromSuspense(stream string, a Arrival, amount money.Kobo) (drafts []event.Draft) {
	if a.Status == ArrivalLeaving {
		drafts = append(drafts, event.On(stream, a.BackFailed(c.Provider, c.ProviderRef, "The bank took the money back first, so it was not sent.")))
	}
	left := a.Amount - amount
	if a.Payout != "" {
		left = 0
	}
	return append(drafts, event.Draft{Stream: stream, Message: &nairav1.UnmatchedTakenBack{
		ProviderRef: c.ProviderRef, Provider: string(c.Provider), AmountKobo: int64(amount), LeftKobo: int64(left), LostKobo: int64(c.Gross - amount),
		BackRef: c.BackRef, Reason: c.Reason,
	}})
}

// Returns reports whether it is known that the money is a payout's return.
func (a Arrival) Returns() bool { return a.Payout != "" || a.CameBack }

// wentBack reports whether the gateway took money back that lay in suspense, or a part of it.
func (a Arrival) wentBack() bool {
	return a.Returned > 0 && (a.parked() || a.Status == ArrivalReturned) && a.Payout == ""
}

// ReturnsAlone reports whether money that a gateway takes back is taken back as this arrival, and not as a payment's.
func (a Arrival) ReturnsAlone() bool {
	switch a.Status {
	case ArrivalOpen, ArrivalProposed, ArrivalAssigned, ArrivalReturned, ArrivalLeaving, ArrivalSentBack:
		return true
	case ArrivalNone, ArrivalCredited, ArrivalMatched, ArrivalHeld, ArrivalNamed:
		return a.Payout != ""
	default:
		return false
	}
}
