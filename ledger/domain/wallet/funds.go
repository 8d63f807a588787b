package wallet

import (
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// Enough refuses a payment for which a wallet has too little.
func Enough(v event.View, user string, amount money.Kobo) error {
	if balance := v.Balance(posting.Wallet(user)); balance < amount {
		return fault.New(fault.Insufficient, "Your wallet has %s and this payment needs %s. Add at least %s to your wallet first. You have not been charged.", balance, amount, amount-balance)
	}
	return nil
}

// With is a view in which a person's wallet has so much more; less, when it is negative. Whoever decides two steps of
// one command uses it for the second.
func With(v event.View, user string, more money.Kobo) event.View {
	with := adjusted{v, posting.Wallet(user), more}
	if _, is := v.(standing.Earlier); is {
		return adjustedEarlier{with}
	}
	return with
}

// adjustedEarlier is an adjusted view of a history that an earlier build decided.
type adjustedEarlier struct{ adjusted }

// IsEarlier implements standing.Earlier.
func (adjustedEarlier) IsEarlier() {}

type adjusted struct {
	event.View
	account string
	more    money.Kobo
}

// Balance implements event.View.
func (a adjusted) Balance(account string) money.Kobo {
	balance := a.View.Balance(account)
	if account == a.account {
		balance += a.more
	}
	return balance
}
