package posting

import (
	"strconv"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// FeesAjo is Adashi's income from ajo.
const FeesAjo = "fees:ajo"

// Pot is the money of one cycle of an ajo.
func Pot(ajoID string, cycle int) string { return "pot:" + ajoID + ":" + strconv.Itoa(cycle) }

// Deposit is a member's deposit in an ajo, kept as security for missed dues.
func Deposit(ajoID, userID string) string { return "deposit:" + ajoID + ":" + userID }

// Card is the money of a card on which one member saves alone.
func Card(cardID string) string { return "card:" + cardID }

// ajoLines is the double entry of an event of an ajo or a card, if it moves money.
func ajoLines(message proto.Message) ([]event.Line, bool) {
	switch m := message.(type) {
	case *nairav1.AjoContributed:
		return transfer(Wallet(m.GetPaidBy()), Pot(m.GetAjoId(), int(m.GetCycle())), m.GetAmountKobo()), true
	case *nairav1.AjoContributionReturned:
		return transfer(Pot(m.GetAjoId(), int(m.GetCycle())), Wallet(m.GetToUserId()), m.GetAmountKobo()), true
	case *nairav1.AjoDepositPaid:
		return transfer(Wallet(m.GetUserId()), Deposit(m.GetAjoId(), m.GetUserId()), m.GetAmountKobo()), true
	case *nairav1.AjoDepositUsed:
		return transfer(Deposit(m.GetAjoId(), m.GetUserId()), Pot(m.GetAjoId(), int(m.GetCycle())), m.GetAmountKobo()), true
	case *nairav1.AjoDepositReturned:
		return transfer(Deposit(m.GetAjoId(), m.GetUserId()), Wallet(m.GetUserId()), m.GetAmountKobo()), true
	case *nairav1.AjoPlaceTaken:
		return notNil(transfer(Wallet(m.GetToUserId()), Wallet(m.GetFromUserId()), m.GetPriceKobo())...), true
	case *nairav1.AjoDebtPaid:
		return transfer(debtSource(m), debtTarget(m), m.GetAmountKobo()), true
	case *nairav1.AjoDiscountPaid:
		return transfer(Pot(m.GetAjoId(), int(m.GetCycle())), Wallet(m.GetUserId()), m.GetAmountKobo()), true
	case *nairav1.AjoPaid:
		return potPaid(m), true
	case *nairav1.AjoCardFilled:
		return transfer(Wallet(m.GetPaidBy()), Card(m.GetCardId()), m.GetAmountKobo()), true
	case *nairav1.AjoCardBroken:
		return cardEnded(m, m.GetFeeKobo(), m.GetVatKobo()), true
	case *nairav1.AjoCardMatured:
		return cardEnded(m, 0, 0), true
	}
	return nil, false
}

// debtSource is the account that a debt is paid out of.
func debtSource(m *nairav1.AjoDebtPaid) string {
	switch m.GetFrom() {
	case nairav1.AjoDebtFrom_AJO_DEBT_FROM_WALLET:
		return Wallet(m.GetPaidBy())
	case nairav1.AjoDebtFrom_AJO_DEBT_FROM_POT:
		return Pot(m.GetAjoId(), int(m.GetCycle()))
	case nairav1.AjoDebtFrom_AJO_DEBT_FROM_DEPOSIT:
		return Deposit(m.GetAjoId(), m.GetDebtorId())
	}
	panic("posting: a debt is paid out of nothing")
}

// debtTarget is the account that a debt is paid to. A debt to Adashi makes good its loss.
func debtTarget(m *nairav1.AjoDebtPaid) string {
	if m.GetCreditorId() == "" {
		return Losses
	}
	return Wallet(m.GetCreditorId())
}

// potPaid empties a pot: AjoPaid pays the rest that AjoDebtPaid and AjoDiscountPaid beside it have left.
func potPaid(m *nairav1.AjoPaid) []event.Line {
	return notNil(
		event.Line{Account: Pot(m.GetAjoId(), int(m.GetCycle())), Amount: money.Kobo(-(m.GetAmountKobo() + m.GetOtherAmountKobo() + m.GetFeeKobo()))},
		event.Line{Account: Wallet(m.GetUserId()), Amount: money.Kobo(m.GetAmountKobo())},
		event.Line{Account: Wallet(m.GetOtherUserId()), Amount: money.Kobo(m.GetOtherAmountKobo())},
		event.Line{Account: FeesAjo, Amount: money.Kobo(m.GetFeeKobo() - m.GetVatKobo())},
		event.Line{Account: TaxVAT, Amount: money.Kobo(m.GetVatKobo())},
	)
}

// cardEnded empties a card.
func cardEnded(m interface {
	GetCardId() string
	GetUserId() string
	GetCollectorId() string
	GetAmountKobo() int64
	GetCommissionKobo() int64
}, fee, vat int64,
) []event.Line {
	lines := []event.Line{
		{Account: Card(m.GetCardId()), Amount: money.Kobo(-m.GetAmountKobo())},
		{Account: Wallet(m.GetUserId()), Amount: money.Kobo(m.GetAmountKobo() - fee - m.GetCommissionKobo())},
		{Account: FeesAjo, Amount: money.Kobo(fee - vat)},
		{Account: TaxVAT, Amount: money.Kobo(vat)},
	}
	if m.GetCommissionKobo() != 0 {
		lines = append(lines, event.Line{Account: Wallet(m.GetCollectorId()), Amount: money.Kobo(m.GetCommissionKobo())})
	}
	return notNil(lines...)
}
