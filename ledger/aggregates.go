// Package ledger is what happened: deciders that turn commands into events, the Postgres store that is the one
// authority on their order and on every balance, and the relay that streams them.
//
//	command ─▶ Decide (wallet, savings, account) ─▶ event ─▶ posting.Lines ─▶ store (Postgres) ─▶ relay (JetStream)
//
// The store is authoritative for events, their order, versions and balances. Nothing else decides
// anything: JetStream and every read model can be thrown away and made again from it.
package ledger

import (
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoaccess"
	"adashi.ng/ledger/domain/ajocard"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/correction"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/disputed"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/domain/sampling"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standingorder"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
)

// Aggregates are all the streams that exist, by category.
func Aggregates() []event.Aggregate {
	return []event.Aggregate{
		wallet.Payments, wallet.Arrivals, wallet.Attestations, wallet.Debts, wallet.CardsOf, wallet.UnderWays,
		savings.Groups, savings.Members, savings.SubAccounts, dues.Aggregate, dues.Reversals,
		dues.Waivers, dues.Reminders,
		holds.Holds, account.Accounts, account.Staff, ajoaccess.Aggregate, standingorder.Orders,
		ajo.Ajos, ajo.CommitmentsOf, ajopot.Cycles, ajopot.Books, ajopot.DebtsOf, ajocard.Cards,
		payout.Withdrawals, payout.Outflows, payout.BankCharges, payout.SendBacks, liquidation.Liquidations, savings.Requests, reviews.Marks,
		dispute.Aggregate, dispute.OfMember, dispute.Answers, disputed.Aggregate, correction.Plans, correction.Adjustments,
		sampling.Aggregate,
	}
}
