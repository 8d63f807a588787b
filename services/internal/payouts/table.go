package payouts

import (
	"adashi.ng/services/internal/rails"
)

// says is what a bank says of a payout, by its answer or its statement, as far as anything follows from it. What each
// answer of each provider says is theirs to read: see rails.Payer.
type says int

const (
	saysNothing   says = iota // It cannot be reached, or answers too late.
	saysPending               // It is at work on it, or its answer decides nothing.
	saysUnknown               // It has no such payout,
	saysNever                 // and says so again 15 minutes later.
	saysFailed                // It did not pay it, or the gateway has put it back without having paid.
	saysPaid                  // It has paid the whole.
	saysReturned              // The whole came back after it was paid.
	saysOther                 // It names another amount, or another payment of its own.
	statementOut              // The statement has the whole going out for a day, under a reference that had failed.
	statementLeft             // The statement has the whole out and in again for a day, and the answer decides nothing.
	statementBack             // The statement has the whole coming in, and the answer does not say so.
	statementPart             // The statement has another amount coming in, such as a part, or anything after one.
	saysLast
)

// deed is what we do about it.
type deed int

const (
	_             deed = iota
	leaves             // Nothing follows.
	waits              // It is not sent yet, and the sending job asks by itself.
	keeps              // It stays set aside until an approver decides.
	asksAgain          // The bank is asked again, less and less often.
	asksAfterPaid      // The bank is asked for three days whether it came back.
	doubts             // The bank is asked again, and the desk has to ask it in person.
	fails
	pays
	paysAndReturns
	returns
	returnsToDesk // It came back, and the account that it left is closed: it goes on to suspense.
	parks
	loses // It left, and its money is back where it was to come from or went out again: Adashi bears it.
)

// deeds are what we do about whatever a bank says of a payout, by how it stands. No pair is left out: a test holds
// that, and writes them into docs/rules.md. The bank was told before of a payout that waits or is ready only where
// it failed and an approver has it sent again.
var deeds = [saysLast][over + 1]deed{
	saysNothing:   {waiting: waits, ready: waits, sent: asksAgain, failed: keeps, paid: asksAgain, closed: asksAgain, over: leaves},
	saysPending:   {waiting: waits, ready: waits, sent: asksAgain, failed: keeps, paid: asksAgain, closed: asksAgain, over: leaves},
	saysUnknown:   {waiting: waits, ready: waits, sent: asksAgain, failed: keeps, paid: doubts, closed: doubts, over: leaves},
	saysNever:     {waiting: waits, ready: waits, sent: fails, failed: keeps, paid: doubts, closed: doubts, over: leaves},
	saysFailed:    {waiting: waits, ready: waits, sent: fails, failed: keeps, paid: doubts, closed: doubts, over: leaves},
	saysPaid:      {waiting: pays, ready: pays, sent: pays, failed: pays, paid: asksAfterPaid, closed: asksAfterPaid, over: leaves},
	saysReturned:  {waiting: paysAndReturns, ready: paysAndReturns, sent: paysAndReturns, failed: paysAndReturns, paid: returns, closed: returnsToDesk, over: leaves},
	saysOther:     {waiting: doubts, ready: doubts, sent: doubts, failed: doubts, paid: doubts, closed: doubts, over: leaves},
	statementOut:  {waiting: pays, ready: pays, sent: pays, failed: pays, paid: loses, closed: loses, over: loses},
	statementLeft: {waiting: waits, ready: waits, sent: paysAndReturns, failed: keeps, paid: leaves, closed: leaves, over: leaves},
	statementBack: {waiting: waits, ready: waits, sent: asksAgain, failed: keeps, paid: returns, closed: returnsToDesk, over: leaves},
	statementPart: {waiting: waits, ready: waits, sent: asksAgain, failed: keeps, paid: parks, closed: parks, over: leaves},
}

// saying is what a bank's answer says of a payout; never is that it has had no such payout for 15 minutes.
func (w outgoing) saying(said bankSays, never bool) says {
	switch {
	case said.Reference != "" && !w.whole(said.PayoutStatus), said.Reference == "" && said.State == rails.Paid:
		return saysOther
	case said.Reference != "" && said.Reversed:
		return saysReturned
	case said.Reference != "":
		return saysPaid
	case said.State == rails.Failed:
		return saysFailed
	case never:
		return saysNever
	case said.State == rails.Unknown:
		return saysUnknown
	default:
		return saysPending
	}
}
