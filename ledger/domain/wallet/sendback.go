package wallet

import (
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/event"
)

// SendBack is how the latest try stands to send money in suspense back to the account that it came from. Package payout
// decides it.
type SendBack struct {
	ID        string // Of the payout; empty where nobody proposed any.
	User      string // The member whose money it was, where we know one.
	Reference string // Under which the bank was told; empty until it was.
	AgreedAt  time.Time
	SentAt    time.Time
	PaidAt    time.Time  // The bank's.
	BankRef   string     // The bank's name of what it paid.
	Lost      money.Kobo // What the bank took back of the money since it was told to pay it: Adashi's loss.
	Parts     []string   // The names of the parts of it that came back since, each in suspense by itself.
}

// Recovers is what of a payout that did not stay paid makes good what the bank had taken back of its money.
func (b SendBack) Recovers(amount money.Kobo) money.Kobo { return min(amount, b.Lost) }

// BackProposed reports whether money is proposed to go back, and waits for a second person.
func (a Arrival) BackProposed() bool { return a.Status == ArrivalProposed && a.Back.ID != "" }

// gone reports whether the bank was told to pay the money back: it may have, or has.
func (a Arrival) gone() bool {
	return a.Status == ArrivalSentBack || a.Status == ArrivalLeaving && a.Back.Reference != ""
}

// Undecided refuses money about which nobody may propose anything now.
func (a Arrival) Undecided() error {
	switch a.Status {
	case ArrivalOpen:
		return nil
	case ArrivalNone:
		return errNoArrival()
	case ArrivalHeld:
		return fault.New(fault.Conflict, "Say first whether this is money that we have already.")
	default:
		return fault.New(fault.Conflict, "This money is %s already.", arrivalWords[a.Status])
	}
}

// arrivalWords say where money stands.
var arrivalWords = map[ArrivalStatus]string{
	ArrivalProposed: "proposed", ArrivalAssigned: "assigned", ArrivalCredited: "credited", ArrivalMatched: "matched", ArrivalReturned: "returned", ArrivalNamed: "named",
	ArrivalLeaving: "on its way back", ArrivalSentBack: "sent back",
}

// SendBackProposal is the version of a proposal that money goes back. Where it goes is sealed under its id.
func SendBackProposal(id, by, reason string, amount money.Kobo) seen.Version {
	return seen.Of("send back", id, by, reason, amount)
}

// BackFailed is that money which was to go back did not: it is in suspense again.
func (a Arrival) BackFailed(provider event.Provider, providerRef, reason string) *nairav1.SendBackFailed {
	return &nairav1.SendBackFailed{
		ProviderRef: providerRef, Provider: string(provider), SendBackId: a.Back.ID, AmountKobo: int64(a.Amount), RecoveredKobo: int64(a.Back.Recovers(a.Amount)), Reason: reason,
	}
}

// EndedBack is a try that failed or came back.
type EndedBack struct {
	SendBack

	Amount   money.Kobo // Of the payout.
	Returned bool       // It came back after it was paid.
}

// Sends is how much a try to send the money back is of: the latest, or one that failed or came back.
func (a Arrival) Sends(id string) money.Kobo {
	if a.Back.ID == id {
		return a.Amount
	}
	return a.EndedTry(id).Amount
}

// EndedTry is a try that failed or came back; zero where there is none by that id.
func (a Arrival) EndedTry(id string) EndedBack {
	if i := slices.IndexFunc(a.Ended, func(e EndedBack) bool { return e.ID == id }); i >= 0 {
		return a.Ended[i]
	}
	return EndedBack{}
}

// cameAgain is money in suspense again that was to go back or had gone: what made a loss good of it is nobody's.
func (a Arrival) cameAgain(recovered money.Kobo) Arrival {
	a.Ended = append(slices.Clip(a.Ended), EndedBack{SendBack: a.Back, Amount: a.Amount, Returned: a.Status == ArrivalSentBack})
	a = a.undecided()
	a.Amount, a.Returned = a.Amount-recovered, a.Returned+recovered
	if a.Amount == 0 {
		a.Status = ArrivalReturned
	}
	return a
}

// sendBackEvent folds what happens to money that goes back; false for any other event.
func (a Arrival) sendBackEvent(e event.Happened) (Arrival, bool) {
	switch m := e.Message.(type) {
	case *nairav1.SendBackProposed:
		a.Status, a.ProposedBy = ArrivalProposed, m.GetProposedBy()
		a.Back = SendBack{ID: m.GetSendBackId(), User: m.GetUserId()}
		a.Proposal = SendBackProposal(m.GetSendBackId(), m.GetProposedBy(), m.GetReason(), a.Amount)
	case *nairav1.SendBackAgreed:
		a.Status, a.Proposal, a.Back.AgreedAt = ArrivalLeaving, "", e.EffectiveAt
	case *nairav1.SendBackSent:
		a.Back.Reference, a.Back.SentAt = m.GetReference(), e.EffectiveAt
	case *nairav1.SendBackPaid:
		a.Status, a.Back.BankRef, a.Back.PaidAt = ArrivalSentBack, m.GetBankRef(), m.GetPaidAt().AsTime()
	case *nairav1.SendBackLossBorne:
		a.Back.Lost += money.Kobo(m.GetAmountKobo())
	case *nairav1.SendBackPartReturned:
		a.Back.Parts, a.Back.Lost = append(slices.Clip(a.Back.Parts), m.GetPartRef()), a.Back.Lost-money.Kobo(m.GetRecoveredKobo())
	case *nairav1.ReturnedPartKept:
		if a.Amount = money.Kobo(m.GetLeftKobo()); a.Amount == 0 {
			a.Status = ArrivalReturned
		}
	case *nairav1.SendBackFailed:
		a = a.cameAgain(money.Kobo(m.GetRecoveredKobo()))
	case *nairav1.SendBackReturned:
		a = a.cameAgain(money.Kobo(m.GetRecoveredKobo()))
	default:
		return a, false
	}
	return a, true
}
