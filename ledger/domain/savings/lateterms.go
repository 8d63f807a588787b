package savings

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
)

// The bounds of late terms.
const (
	MaxGraceDays       = 60
	MaxPenaltyPoints   = 5_000 // Hundredths of a percent.
	penaltyPointsWhole = 10_000
)

// Late is what being late costs in a sub-account. The zero Late costs nothing.
type Late struct {
	GraceDays   int // After the due date, before a penalty.
	Type        nairav1.FeeType
	Amount      money.Kobo // FLAT: the penalty. PERCENT_CAPPED: the most it may be.
	BasisPoints int        // Hundredths of a percent of the due.
}

// Any reports whether there are late terms at all.
func (l Late) Any() bool { return l != Late{} }

// Penalty is the penalty on a due of so much, rounded half to even.
func (l Late) Penalty(due money.Kobo) money.Kobo {
	switch l.Type {
	case nairav1.FeeType_FEE_TYPE_FLAT:
		return l.Amount
	case nairav1.FeeType_FEE_TYPE_PERCENT:
		return share(due, l.BasisPoints)
	case nairav1.FeeType_FEE_TYPE_PERCENT_CAPPED:
		return min(l.Amount, share(due, l.BasisPoints))
	case nairav1.FeeType_FEE_TYPE_UNSPECIFIED:
		return 0
	default:
		panic("savings: unknown fee type " + l.Type.String())
	}
}

func share(of money.Kobo, points int) money.Kobo {
	whole, rest := of*money.Kobo(points)/penaltyPointsWhole, of*money.Kobo(points)%penaltyPointsWhole
	if 2*rest > penaltyPointsWhole || 2*rest == penaltyPointsWhole && whole%2 == 1 {
		whole++
	}
	return whole
}

// check holds the terms of a sub-account to their bounds.
func (l Late) check(kind nairav1.PaymentType, due money.Kobo) error {
	percent := l.Type == nairav1.FeeType_FEE_TYPE_PERCENT || l.Type == nairav1.FeeType_FEE_TYPE_PERCENT_CAPPED
	amount := l.Type == nairav1.FeeType_FEE_TYPE_FLAT || l.Type == nairav1.FeeType_FEE_TYPE_PERCENT_CAPPED
	switch {
	case !l.Any():
		return nil
	case kind == nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE:
		return fault.Field("penaltyType", "Nothing is due in a flexible sub-account, so nobody can be late. Leave grace and penalty out.")
	case l.GraceDays < 0 || l.GraceDays > MaxGraceDays:
		return fault.Field("graceDays", "The grace is 0 to %d days.", MaxGraceDays)
	case percent && (l.BasisPoints < 1 || l.BasisPoints > MaxPenaltyPoints):
		return fault.Field("penaltyPercent", "A penalty is 0.01 to %d percent of the due.", MaxPenaltyPoints/100)
	case !percent && l.BasisPoints != 0:
		return fault.Field("penaltyPercent", "Only a penalty in percent has a percentage.")
	case amount && (l.Amount < 1 || l.Amount > due):
		return fault.Field("penaltyAmount", "A penalty is from %s to %s, the due itself.", money.Kobo(1), due)
	case !amount && l.Amount != 0:
		return fault.Field("penaltyAmount", "Only a flat penalty or a capped one has an amount.")
	}
	return nil
}
