package ajo

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
)

// The bounds of what an ajo's owner may choose.
const (
	MinAmount   = 500 * money.Naira
	MaxAmount   = 5_000_000 * money.Naira
	MinSeats    = 2
	UsualSeats  = 12 // The most among strangers.
	MaxSeats    = 50
	MaxDeposits = 2
)

// Usual are the figures of the terms that are proposed today, without what the owner chooses.
func Usual() *nairav1.AjoTerms {
	return &nairav1.AjoTerms{
		Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, DueDay: 1,
		Order: nairav1.AjoOrder_AJO_ORDER_RANDOM, Draw: nairav1.AjoDrawSource_AJO_DRAW_SOURCE_BEACON,
		GraceDays: 5, PenaltyBasisPoints: 500, FeeBasisPoints: 100, FeeCapKobo: int64(5_000 * money.Naira),
		RequestedDays: 7, UnrequestedDays: 14, HoldDays: 7, SweepBasisPoints: 5_000,
		BidBasisPoints: 3_000, BidStepKobo: int64(100 * money.Naira), RetryDays: []int32{5, 14}, ReplacementDays: 14, Pauses: 2,
		NoticeDays: 3, DrawMinutes: 30, OrderHours: 72, RevealHours: 24, TermsHours: 48, CancelDays: 14, MotionDays: 7, RevealDays: 2,
	}
}

// TermsHash is SHA-256 over "adashi.ng/ajo-terms/v1\n" and a line "name=value\n" for each field that is set, in the
// order of their numbers. A list has a line for each of its values.
func TermsHash(terms *nairav1.AjoTerms) [32]byte {
	var text strings.Builder
	text.WriteString("adashi.ng/ajo-terms/v1\n")
	m := terms.ProtoReflect()
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if !m.Has(f) {
			continue
		}
		if f.IsList() {
			for j := range m.Get(f).List().Len() {
				fmt.Fprintf(&text, "%s=%d\n", f.Name(), m.Get(f).List().Get(j).Int())
			}
			continue
		}
		fmt.Fprintf(&text, "%s=%d\n", f.Name(), number(f, m.Get(f)))
	}
	return sha256.Sum256([]byte(text.String()))
}

func number(f protoreflect.FieldDescriptor, v protoreflect.Value) int64 {
	if f.Kind() == protoreflect.EnumKind {
		return int64(v.Enum())
	}
	return v.Int()
}

// CheckTerms holds terms to their bounds. today is the Lagos day.
func CheckTerms(t *nairav1.AjoTerms, listed bool, today time.Time) error {
	amount, start := money.Kobo(t.GetAmountKobo()), time.Date(int(t.GetStartYear()), time.Month(t.GetStartMonth()), 1, 0, 0, 0, 0, time.UTC)
	most := UsualSeats
	if !listed {
		most = MaxSeats
	}
	switch {
	case amount < MinAmount || amount > MaxAmount:
		return fault.Field("amount", "The amount must be between %s and %s.", MinAmount, MaxAmount)
	case amount%2 != 0:
		return fault.Field("amount", "%s cannot be halved to the kobo. Choose an even amount.", amount)
	case int(t.GetSeats()) < MinSeats || int(t.GetSeats()) > most:
		return fault.Field("memberCapacity", "Between %d and %d seats.", MinSeats, most)
	case t.GetStartMonth() < 1 || t.GetStartMonth() > 12:
		return fault.Field("startMonthId", "Choose a month from 1 to 12.")
	case start.Before(time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC)):
		return fault.Field("startMonthId", "It cannot start in a month that has passed.")
	case start.After(today.AddDate(1, 0, 0)):
		return fault.Field("startMonthId", "It starts within a year from now.")
	case t.GetDueDay() < 1 || t.GetDueDay() > 31:
		return fault.Field("dueDay", "Choose a day from 1 to 31.")
	case t.GetDeposits() < 0 || t.GetDeposits() > MaxDeposits:
		return fault.Field("deposit", "A deposit is none, one or two contributions.")
	case listed && t.GetDeposits() == 0:
		return fault.Field("deposit", "An ajo among people who do not know each other asks for a deposit of at least one contribution.")
	}
	switch t.GetFrequency() {
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_BIWEEKLY, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY:
	default:
		return fault.Field("frequency", "An ajo is paid weekly, every two weeks or monthly.")
	}
	if t.GetOrder() == nairav1.AjoOrder_AJO_ORDER_UNSPECIFIED {
		return fault.Field("order", "Choose how it is decided who collects when.")
	}
	if t.GetDraw() == nairav1.AjoDrawSource_AJO_DRAW_SOURCE_UNSPECIFIED {
		return fault.Field("draw", "Choose where the draw's chance comes from.")
	}
	return nil
}

// MaxHalves is how many half hands one person may hold: a third of the seats, and one hand at least.
func MaxHalves(t *nairav1.AjoTerms) int { return max(2, 2*(int(t.GetSeats())/3)) }

// Share is what a place pays to a cycle: half the amount for each of its halves.
func Share(t *nairav1.AjoTerms, halves int) money.Kobo {
	return money.Kobo(t.GetAmountKobo()) / 2 * money.Kobo(halves)
}

// Monthly is what a place pays in a month, on average: 52 weeks make 12 months.
func Monthly(t *nairav1.AjoTerms, halves int) money.Kobo {
	share := Share(t, halves)
	switch t.GetFrequency() {
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY:
		return share * 52 / 12
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_BIWEEKLY:
		return share * 26 / 12
	default:
		return share
	}
}

// LastsMonths reports whether so many cycles last some months: 52 weeks make 12 months.
func LastsMonths(t *nairav1.AjoTerms, cycles, months int) bool {
	switch t.GetFrequency() {
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY:
		return cycles*12 >= months*52
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_BIWEEKLY:
		return cycles*12 >= months*26
	default:
		return cycles >= months
	}
}

// Fee is what Adashi takes of a pot, and the VAT inside it: a part of 75 in 1,075.
func Fee(t *nairav1.AjoTerms, pot money.Kobo) (fee, vat money.Kobo) {
	fee = min(pot*money.Kobo(t.GetFeeBasisPoints())/10_000, money.Kobo(t.GetFeeCapKobo()))
	return fee, fee * 75 / 1_075
}

// Penalty is what is owed beside what is missing.
func Penalty(t *nairav1.AjoTerms, missing money.Kobo) money.Kobo {
	return missing * money.Kobo(t.GetPenaltyBasisPoints()) / 10_000
}

// clipped is a day of a month, or its last where the month is shorter.
func clipped(year int, month time.Month, day int) time.Time {
	last := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return time.Date(year, month, min(day, last), 0, 0, 0, 0, time.UTC)
}

// period is the due day so many periods after another.
func period(t *nairav1.AjoTerms, first time.Time, n int) time.Time {
	switch t.GetFrequency() {
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY:
		return first.AddDate(0, 0, 7*n)
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_BIWEEKLY:
		return first.AddDate(0, 0, 14*n)
	default:
		return clipped(first.Year(), first.Month()+time.Month(n), int(t.GetDueDay()))
	}
}

// FirstDue is the first due day of the terms' calendar that leaves their days of notice from today.
func FirstDue(t *nairav1.AjoTerms, today time.Time) time.Time {
	first := clipped(int(t.GetStartYear()), time.Month(t.GetStartMonth()), int(t.GetDueDay()))
	earliest := today.AddDate(0, 0, int(t.GetNoticeDays()))
	n := 0
	for period(t, first, n).Before(earliest) {
		n++
	}
	return period(t, first, n)
}

// Due is the day on which a cycle is due, as midnight UTC of the Lagos day. The ajo has started.
func (a Ajo) Due(cycle int) time.Time {
	return period(a.Terms, savings.ParseDay(a.FirstDue), a.periods(cycle))
}

// periods is how many periods after the first due day a cycle is due: one more for each pause before it.
func (a Ajo) periods(cycle int) int {
	n := cycle - a.FirstCycle
	for _, from := range a.Pauses {
		if from <= cycle {
			n++
		}
	}
	return n
}

// Deadline is the last day on which a cycle can be paid. Its days of grace run from the due day, or from the day on
// which the cycle before was closed where that was later: until then not everybody could pay.
func (a Ajo) Deadline(cycle int) time.Time {
	from := a.Due(cycle)
	if before, is := a.ReadyOf(cycle - 1); is && !a.Earlier && savings.Day(before.At).After(from) {
		from = savings.Day(before.At)
	}
	return from.AddDate(0, 0, int(a.Terms.GetGraceDays()))
}

// Opens is the first day on which a cycle can be paid: that of the start, and then the day after the period before
// it.
func (a Ajo) Opens(cycle int) time.Time {
	n := a.periods(cycle)
	if n <= 0 {
		return savings.Day(a.StartedAt)
	}
	return period(a.Terms, savings.ParseDay(a.FirstDue), n-1).AddDate(0, 0, 1)
}

// Day says a day as people read it.
func Day(day time.Time) string { return day.Format("2 January 2006") }
