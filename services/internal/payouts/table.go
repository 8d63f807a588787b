package payouts

import (
	"adashi.ng/services/internal/rails"
)

// says is the meaning of a bank's report about a payout, in its answer or its statement. Each provider's adapter
// interprets that provider's answers: see rails.Payer.
type says int

const (
	saysNothing   says = iota // The bank cannot be reached, or answers too late.
	saysPending               // The bank is working on it, or its answer decides nothing.
	saysUnknown               // The bank has no such payout,
	saysNever                 // and says so again 15 minutes later.
	saysFailed                // The bank did not pay it, or the gateway has put it back without having paid.
	saysPaid                  // The bank has paid the whole.
	saysReturned              // The whole came back after it was paid.
	saysOther                 // The bank names another amount, or another payment of its own.
	statementOut              // For a day the statement has shown the whole going out, under a reference that had failed.
	statementLeft             // For a day the statement has shown the whole going out and in again, and the answer decides nothing.
	statementBack             // The statement shows the whole coming in, and the answer does not say so.
	statementPart             // The statement shows another amount coming in, such as a part, or anything after a part.
	saysLast
)

// deed is our reaction.
type deed int

const (
	_             deed = iota
	leaves             // We do nothing.
	waits              // It is not sent yet, and the sending job asks by itself.
	keeps              // It stays set aside until an approver decides.
	asksAgain          // We ask the bank again, less and less often.
	asksAfterPaid      // We ask the bank for three days whether it came back.
	doubts             // We ask the bank again, and the desk has to ask it in person.
	fails
	pays
	paysAndReturns
	returns
	returnsToDesk // It came back, and its account is closed: it goes on to suspense.
	parks
	loses // It left, and its money is back at its source or went out again: Adashi bears the loss.
)

// deeds are our reactions to every report of a bank about a payout, by the payout's state. A test checks that no pair
// is missing, and writes them into docs/rules.md. For a payout that is waiting or ready, the bank can only report on an
// earlier order that failed before an approver had it sent again.
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

// saying returns the meaning of a bank's answer about a payout; never means that the bank has had no such payout for 15
// minutes.
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
