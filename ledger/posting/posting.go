// Package posting turns money events into double entry.
//
// Signs: a credit is positive, a debit negative, and an event's lines sum to zero. Adashi's liabilities (wallets,
// pools, suspense) have positive balances, which may never fall below zero; its assets (banks) and expenses have
// negative ones.
package posting

import (
	"slices"
	"strings"
	"sync"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// Adashi's own accounts.
const (
	FeesGateway  = "fees:gateway"       // Fees that gateways took (an expense).
	FeesCharged  = "fees:charged"       // Fees that payers were charged for it (income).
	FeesVariance = "fees:variance"      // Charged more (credit) or less (debit) than the gateway took.
	TaxVAT       = "tax:vat"            // Value added tax on our fees, owed to the state.
	TaxDuty      = "tax:stamp-duty"     // Stamp duty on payouts, owed to the state.
	Losses       = "losses:reversals"   // Reversed by a gateway after it was spent, and no longer owed (an expense).
	Corrections  = "losses:corrections" // Paid to members to correct mistakes (an expense).
	Unmatched    = "suspense:unmatched" // Money that arrived and whose owner is not known yet.
	Leaving      = "suspense:leaving"   // The part of it that two of us agreed to send back, until the bank pays it.
)

// Owed is a member's debt to Adashi: an asset, so a negative balance. It never rises above zero.
func Owed(userID string) string { return "owed:" + userID }

// Capped reports whether an account may never rise above zero.
func Capped(account string) bool { return strings.HasPrefix(account, "owed:") }

// Wallet is a member's wallet.
func Wallet(userID string) string { return "wallet:" + userID }

// Pool is the money of one sub-account of a group.
func Pool(subAccountID string) string { return "pool:" + subAccountID }

// Held is the money of an account that is set aside.
func Held(account string) string { return "held:" + account }

// Bank is a provider's bank account: our money there, and money due from it.
func Bank(provider event.Provider) string { return provider.Account() }

// bank is the bank account of the provider that an event names.
func bank(m interface{ GetProvider() string }) string { return Bank(event.Provider(m.GetProvider())) }

// Floored reports whether an account may never fall below zero.
func Floored(account string) bool {
	kind, _, _ := strings.Cut(account, ":")
	switch kind {
	case "wallet", "pool", "held", "suspense", "pot", "deposit", "card":
		return true
	}
	return false
}

// Lines is the double entry of an event, without balances; none for an event that moves no money.
func Lines(message proto.Message) []event.Line {
	switch m := message.(type) {
	case *nairav1.PaymentConfirmedV2:
		return confirmed(m)
	case *nairav1.PaymentReversedV3:
		return reversed(m)
	case *nairav1.WithdrawalRequestedV2:
		return transfer(Wallet(m.GetUserId()), Held(Wallet(m.GetUserId())), m.GetAmountKobo())
	case *nairav1.WithdrawalFailed:
		return transfer(Held(Wallet(m.GetUserId())), Wallet(m.GetUserId()), m.GetAmountKobo())
	case *nairav1.WithdrawalPaidV2:
		return paidOut(m, Wallet(m.GetUserId()))
	case *nairav1.WithdrawalReversedV2:
		return cameBack(m, Wallet(m.GetUserId()))
	case *nairav1.FailedPayoutLeft:
		return transfer(Losses, bank(m), m.GetAmountKobo())
	case *nairav1.FailedPayoutReturned:
		return transfer(bank(m), Losses, m.GetAmountKobo())
	case *nairav1.BankChargePosted:
		return charged(m)
	case *nairav1.HoldPlaced:
		return transfer(m.GetAccount(), Held(m.GetAccount()), m.GetAmountKobo())
	case *nairav1.HoldCaptured:
		return transfer(Held(m.GetAccount()), m.GetToAccount(), m.GetAmountKobo())
	case *nairav1.HoldReleased:
		return transfer(Held(m.GetAccount()), m.GetAccount(), m.GetAmountKobo())
	case *nairav1.HoldExpired:
		return transfer(Held(m.GetAccount()), m.GetAccount(), m.GetAmountKobo())
	case *nairav1.ContributionReversed:
		return transfer(Pool(m.GetSubAccountId()), Wallet(m.GetUserId()), m.GetAmountKobo())
	case *nairav1.GroupRestPaid:
		return transfer(Pool(m.GetSubAccountId()), Wallet(m.GetUserId()), m.GetAmountKobo())
	case *nairav1.ContributionCovered:
		return transfer(Wallet(m.GetPaidBy()), Pool(m.GetSubAccountId()), m.GetAmountKobo())
	case *nairav1.LiquidationRequestedV2:
		return transfer(Pool(m.GetSubAccountId()), Held(Pool(m.GetSubAccountId())), m.GetAmountKobo())
	case *nairav1.LiquidationFunded:
		return transfer(Pool(m.GetSubAccountId()), Held(Pool(m.GetSubAccountId())), m.GetAmountKobo())
	case *nairav1.LiquidationRejected:
		return freed(m)
	case *nairav1.LiquidationCancelled:
		return freed(m)
	case *nairav1.LiquidationExpired:
		return freed(m)
	case *nairav1.LiquidationReleased:
		return freed(m)
	case *nairav1.LiquidationPaidV2:
		return paidOut(m, Pool(m.GetSubAccountId()))
	case *nairav1.LiquidationReversedV3:
		return cameBack(m, Pool(m.GetSubAccountId()))
	case *nairav1.AdjustmentPosted:
		return adjustment(m)
	case *nairav1.DebtOpened:
		return transfer(Owed(m.GetUserId()), Wallet(m.GetUserId()), m.GetAmountKobo())
	case *nairav1.DebtSettled:
		return transfer(Wallet(m.GetUserId()), Owed(m.GetUserId()), m.GetAmountKobo())
	case *nairav1.DebtWrittenOff:
		return transfer(Losses, Owed(m.GetUserId()), m.GetAmountKobo())
	case *nairav1.ContributionReceived:
		return transfer(Wallet(m.GetUserId()), Pool(m.GetSubAccountId()), m.GetAmountKobo())
	default:
		for _, of := range []func(proto.Message) ([]event.Line, bool){suspenseLines, sendBackLines, ajoLines} {
			if lines, ok := of(message); ok {
				return lines
			}
		}
		if !silent(message) {
			panic("posting: no case for " + event.TypeOf(message))
		}
		return nil
	}
}

// suspenseLines are the lines of money that fits no payment, and of money that is sent back beyond a payment.
func suspenseLines(message proto.Message) ([]event.Line, bool) {
	switch m := message.(type) {
	case *nairav1.UnmatchedAssigned:
		return transfer(Unmatched, Wallet(m.GetUserId()), m.GetAmountKobo()), true
	case *nairav1.UnmatchedMoneyReceivedV2:
		return transfer(bank(m), Unmatched, m.GetAmountKobo()), true
	case *nairav1.PaymentLossBorne:
		return transfer(Losses, bank(m), m.GetAmountKobo()), true
	case *nairav1.UnmatchedTakenBack:
		return wentBack(m, Unmatched), true
	case *nairav1.AssignedTakenBack:
		return wentBack(m, Wallet(m.GetUserId())), true
	case *nairav1.UnmatchedMatchedV2:
		return transfer(Unmatched, bank(m), m.GetAmountKobo()), true
	case *nairav1.ReturnedMoneyMatched:
		return notNil(transfer(Unmatched, bank(m), m.GetAmountKobo())...), true
	case *nairav1.ReturnedMoneyParkedV2:
		return transfer(m.GetAccount(), Unmatched, m.GetAmountKobo()), true
	default:
		return nil, false
	}
}

// sendBackLines are the lines of money that goes back from suspense to the account that it came from. Adashi bears the
// bank's fee for it.
func sendBackLines(message proto.Message) ([]event.Line, bool) {
	switch m := message.(type) {
	case *nairav1.SendBackAgreed:
		return transfer(Unmatched, Leaving, m.GetAmountKobo()), true
	case *nairav1.SendBackPaid:
		amount, took := money.Kobo(m.GetAmountKobo()), money.Kobo(m.GetGatewayFeeKobo())
		return notNil(
			event.Line{Account: Leaving, Amount: -amount}, event.Line{Account: bank(m), Amount: amount + took},
			event.Line{Account: FeesGateway, Amount: -took}, event.Line{Account: FeesCharged, Amount: took}, event.Line{Account: FeesVariance, Amount: -took},
		), true
	case *nairav1.SendBackFailed:
		return again(m, Leaving), true
	case *nairav1.SendBackReturned:
		return again(m, bank(m)), true
	case *nairav1.SendBackLossBorne:
		return transfer(Losses, bank(m), m.GetAmountKobo()), true
	case *nairav1.SendBackPartReturned:
		return notNil(transfer(Unmatched, Losses, m.GetRecoveredKobo())...), true
	default:
		return nil, false
	}
}

// again posts money that was to be sent back to suspense again, except what makes a loss good.
func again(m interface {
	GetAmountKobo() int64
	GetRecoveredKobo() int64
}, from string,
) []event.Line {
	return notNil(
		event.Line{Account: from, Amount: money.Kobo(-m.GetAmountKobo())},
		event.Line{Account: Unmatched, Amount: money.Kobo(m.GetAmountKobo() - m.GetRecoveredKobo())},
		event.Line{Account: Losses, Amount: money.Kobo(m.GetRecoveredKobo())},
	)
}

// still caches the types whose schema says that they move no money.
var still sync.Map

// silent reports whether an event's schema says that it moves no money. An event whose schema says nothing is not
// silent.
func silent(message proto.Message) bool {
	d := message.ProtoReflect().Descriptor()
	if _, known := still.Load(d); known {
		return true
	}
	if proto.GetExtension(d.Options(), nairav1.E_Money) != nairav1.Money_MONEY_STAYS {
		return false
	}
	still.Store(d, true)
	return true
}

// confirmed posts what the gateway really did: the wallet gets the amount asked for, the gateway keeps its fee out of
// the payer's money, and any difference between the charge and the fee goes to the variance account.
func confirmed(m gatewayPayment) []event.Line {
	amount, charge, fee := m.GetAmountKobo(), m.GetChargeKobo(), m.GetGatewayFeeKobo()
	out := []event.Line{
		{Account: bank(m), Amount: money.Kobo(-(amount + charge - fee))},
		{Account: Wallet(m.GetUserId()), Amount: money.Kobo(amount)},
	}
	if fee != 0 {
		out = append(out, transfer(FeesGateway, FeesCharged, fee)...)
	}
	if charge != fee {
		out = append(out, event.Line{Account: FeesVariance, Amount: money.Kobo(charge - fee)})
	}
	return out
}

// gatewayPayment is a payment that a gateway confirmed, or reversed.
type gatewayPayment interface {
	GetUserId() string
	GetProvider() string
	GetAmountKobo() int64
	GetChargeKobo() int64
	GetGatewayFeeKobo() int64
}

// reversed undoes a confirmed payment. In events of earlier builds Adashi bears the part that the wallet no longer had.
func reversed(m *nairav1.PaymentReversedV3) []event.Line {
	lines := opposite(confirmed(m))
	if short := money.Kobo(m.GetShortfallKobo()); short != 0 {
		lines[1].Amount += short
		lines = append(lines, event.Line{Account: Losses, Amount: -short})
	}
	return lines
}

// wentBack posts money that a gateway took back and that is no payment's: out of the account that has it, and the rest
// at Adashi's expense.
func wentBack(m interface {
	GetProvider() string
	GetAmountKobo() int64
	GetLostKobo() int64
}, account string,
) []event.Line {
	return notNil(
		event.Line{Account: bank(m), Amount: money.Kobo(m.GetAmountKobo() + m.GetLostKobo())},
		event.Line{Account: account, Amount: money.Kobo(-m.GetAmountKobo())},
		event.Line{Account: Losses, Amount: money.Kobo(-m.GetLostKobo())},
	)
}

// adjustment pays a member from Adashi's account for corrections, or takes that back.
func adjustment(m *nairav1.AdjustmentPosted) []event.Line {
	if m.GetTakesBack() {
		return transfer(Wallet(m.GetUserId()), Corrections, m.GetAmountKobo())
	}
	return transfer(Corrections, Wallet(m.GetUserId()), m.GetAmountKobo())
}

// payout is money that left, or that came back afterwards.
type payout interface {
	GetAmountKobo() int64
	GetFeeKobo() int64
	GetVatKobo() int64
	GetDutyKobo() int64
	GetProvider() string
}

// paidOut posts what really left an account: the net and the gateway's own fee out of the bank, the tax to the tax
// accounts, and any difference between our fee and the gateway's to the variance account.
func paidOut(m interface {
	payout
	GetGatewayFeeKobo() int64
}, account string,
) []event.Line {
	fee, tax, took := m.GetFeeKobo(), m.GetVatKobo()+m.GetDutyKobo(), m.GetGatewayFeeKobo()
	lines := []event.Line{
		{Account: Held(account), Amount: money.Kobo(-m.GetAmountKobo())},
		{Account: bank(m), Amount: money.Kobo(m.GetAmountKobo() - fee - tax + took)},
	}
	if took != 0 {
		lines = append(lines, transfer(FeesGateway, FeesCharged, took)...)
	}
	return append(lines, notNil(
		event.Line{Account: FeesVariance, Amount: money.Kobo(fee - took)},
		event.Line{Account: TaxVAT, Amount: money.Kobo(m.GetVatKobo())}, event.Line{Account: TaxDuty, Amount: money.Kobo(m.GetDutyKobo())},
	)...)
}

// cameBack posts a payout that was returned: the bank has the net again, and the account the whole amount, since Adashi
// bears the fee.
func cameBack(m payout, account string) []event.Line {
	lines := []event.Line{
		{Account: bank(m), Amount: money.Kobo(-(m.GetAmountKobo() - m.GetFeeKobo() - m.GetVatKobo() - m.GetDutyKobo()))},
		{Account: account, Amount: money.Kobo(m.GetAmountKobo())},
	}
	return append(lines, notNil(
		event.Line{Account: FeesVariance, Amount: money.Kobo(-m.GetFeeKobo())},
		event.Line{Account: TaxVAT, Amount: money.Kobo(-m.GetVatKobo())}, event.Line{Account: TaxDuty, Amount: money.Kobo(-m.GetDutyKobo())},
	)...)
}

// charged posts a bank's charge for a payout as if the payout's own event had named it.
func charged(m *nairav1.BankChargePosted) []event.Line {
	took := m.GetAmountKobo()
	return append(transfer(FeesGateway, FeesCharged, took), transfer(FeesVariance, bank(m), took)...)
}

// freed posts the end of a liquidation that is not paid; no lines if nothing was held.
func freed(m interface {
	GetSubAccountId() string
	GetAmountKobo() int64
},
) []event.Line {
	return notNil(transfer(Held(Pool(m.GetSubAccountId())), Pool(m.GetSubAccountId()), m.GetAmountKobo())...)
}

// notNil leaves out lines with a zero amount.
func notNil(lines ...event.Line) []event.Line {
	return slices.DeleteFunc(lines, func(l event.Line) bool { return l.Amount == 0 })
}

// opposite is the entry that undoes another.
func opposite(lines []event.Line) []event.Line {
	for i := range lines {
		lines[i].Amount = -lines[i].Amount
	}
	return lines
}

func transfer(from, to string, kobo int64) []event.Line {
	return []event.Line{{Account: from, Amount: money.Kobo(-kobo)}, {Account: to, Amount: money.Kobo(kobo)}}
}
