package sandbox

import "adashi.ng/services/internal/rails/sandbox/acts"

// The actions that one can request of the bank, and how they fail. Package acts documents their fields.
type (
	// Account is a bank account.
	Account = acts.Account
	// Manner is how payouts to an account go wrong.
	Manner = acts.Manner
	// Telling is how the bank reports money that arrived.
	Telling = acts.Telling
	// Transfer is money that somebody sends to a virtual account.
	Transfer = acts.Transfer
	// CardPayment is a charge that its payer pays.
	CardPayment = acts.CardPayment
	// Takeback is money of a card payment that goes back to its payer.
	Takeback = acts.Takeback
	// CardDispute is a card payment that the card's bank disputes.
	CardDispute = acts.CardDispute
	// Person is somebody with a BVN and a bank account.
	Person = acts.Person
)

// The values of these fields; acts documents their meaning.
const (
	AnswersPlain   = acts.AnswersPlain
	AnswersSilent  = acts.AnswersSilent
	AnswersLost    = acts.AnswersLost
	AnswersXML     = acts.AnswersXML
	AnswersExists  = acts.AnswersExists
	AnswersAway    = acts.AnswersAway
	AnswersMissing = acts.AnswersMissing
	AnswersOften   = acts.AnswersOften
	AnswersDown    = acts.AnswersDown

	TellsAnother       = acts.TellsAnother
	TellsPart          = acts.TellsPart
	TellsUnfinished    = acts.TellsUnfinished
	TellsUndone        = acts.TellsUndone
	TellsAnotherReturn = acts.TellsAnotherReturn
	TellsNaira         = acts.TellsNaira
	TellsList          = acts.TellsList
	TellsNothing       = acts.TellsNothing
	TellsNoReturn      = acts.TellsNoReturn

	BankAway = acts.BankAway

	CallsNames   = acts.CallsNames
	CallsOrders  = acts.CallsOrders
	CallsQueries = acts.CallsQueries
	CallsBooks   = acts.CallsBooks

	FeeOnLine        = acts.FeeOnLine
	FeeApart         = acts.FeeApart
	ReturnAsTransfer = acts.ReturnAsTransfer

	Truth  = acts.Truth
	NoSuch = acts.NoSuch

	Plain  = acts.Plain
	Slow   = acts.Slow
	Silent = acts.Silent
	Other  = acts.Other

	VFD      = acts.VFD
	Paystack = acts.Paystack
)
