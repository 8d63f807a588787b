// Package terms shows the consequences of an ajo's terms to people before they agree.
package terms

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/services/internal/usecase"
)

// Preview shows the consequences of terms for one hand, if the order were set today. For an ajo that ran before, it
// shows the remaining part.
func Preview(terms *nairav1.AjoTerms, past int, today time.Time) contract.AjoPreview {
	hash := rules.TermsHash(terms)
	n, share := int(terms.GetSeats()), rules.Share(terms, 2)
	pot := share * money.Kobo(n)
	fee, _ := rules.Fee(terms, pot)
	a := rules.Ajo{Status: rules.Active, Terms: terms, FirstDue: rules.FirstDue(terms, today).Format(time.DateOnly), FirstCycle: past + 1, StartedAt: today}
	p := contract.AjoPreview{
		TermsHash: hex.EncodeToString(hash[:]), Pot: usecase.Naira(pot), Fee: usecase.Naira(fee), Deposit: usecase.Naira(share * money.Kobo(terms.GetDeposits())),
		Total: usecase.Naira(share * money.Kobo(n-past)), Calendar: []contract.AjoDay{}, Turns: []contract.AjoTurnCost{}, Terms: Figures(terms),
	}
	if rules.LastsMonths(terms, n-past, 2) { // A shorter one collects less than that in all.
		p.Monthly = usecase.NairaPtr(rules.Monthly(terms, 2))
	}
	for k := past + 1; k <= n; k++ {
		due := a.Due(k).Format(time.DateOnly)
		p.Calendar = append(p.Calendar, contract.AjoDay{Cycle: k, Opens: a.Opens(k).Format(time.DateOnly), Due: due, Deadline: a.Deadline(k).Format(time.DateOnly)})
		p.Turns = append(p.Turns, contract.AjoTurnCost{
			Turn: k, Due: due, PaysBefore: usecase.Naira(share * money.Kobo(k-past)), Collects: usecase.Naira(pot - fee), PaysAfter: usecase.Naira(share * money.Kobo(n-k)), Fee: usecase.Naira(fee),
		})
	}
	return p
}

// percent formats basis points: 2.5.
func percent(basisPoints int32) string { return decimal.New(int64(basisPoints), -2).String() }

// Figures returns the figures of terms.
func Figures(t *nairav1.AjoTerms) contract.AjoFigures {
	retry := []int{}
	for _, d := range t.GetRetryDays() {
		retry = append(retry, int(d))
	}
	return contract.AjoFigures{
		GraceDays: int(t.GetGraceDays()), PenaltyPercent: percent(t.GetPenaltyBasisPoints()), FeePercent: percent(t.GetFeeBasisPoints()), FeeCap: usecase.NairaOf(t.GetFeeCapKobo()),
		RequestedDays: int(t.GetRequestedDays()), UnrequestedDays: int(t.GetUnrequestedDays()), HoldDays: int(t.GetHoldDays()), SweepPercent: percent(t.GetSweepBasisPoints()),
		RetryDays: retry, ReplacementDays: int(t.GetReplacementDays()), Pauses: int(t.GetPauses()), DrawMinutes: int(t.GetDrawMinutes()), OrderHours: int(t.GetOrderHours()),
		RevealHours: int(t.GetRevealHours()), TermsHours: int(t.GetTermsHours()), BidPercent: percent(t.GetBidBasisPoints()), BidStep: usecase.NairaOf(t.GetBidStepKobo()),
	}
}

// Halves reads a number of hands, such as 1 or 0.5.
func Halves(hands string) (int, error) {
	n, err := decimal.NewFromString(strings.TrimSpace(hands))
	twice := n.Mul(decimal.NewFromInt(2))
	if err != nil || !twice.IsInteger() || twice.LessThan(decimal.NewFromInt(1)) || twice.GreaterThan(decimal.NewFromInt(100)) {
		return 0, fault.Field("hands", "Take half a hand, one hand or more, such as 0.5 or 1.")
	}
	return int(twice.IntPart()), nil
}

// Hands formats half hands as a form takes them: 1.5.
func Hands(halves int) string {
	if halves%2 == 0 {
		return fmt.Sprint(halves / 2)
	}
	return fmt.Sprintf("%d.5", halves/2)
}

// DrawSource is the source of a draw's randomness, in the contract's words.
func DrawSource(d nairav1.AjoDrawSource) contract.AjoDrawSource {
	return contract.AjoDrawSource(d.String()[len("AJO_DRAW_SOURCE_"):])
}

// Frequency is how often dues are paid, in the contract's words.
func Frequency(f nairav1.PaymentFrequency) contract.AjoFrequency {
	return contract.AjoFrequency(f.String()[len("PAYMENT_FREQUENCY_"):])
}

// Past returns the account of the time before an ajo came here.
func Past(past []rules.Past) []contract.AjoPast {
	out := []contract.AjoPast{}
	for _, p := range past {
		out = append(out, contract.AjoPast{Cycle: p.Cycle, Seat: p.Seat, Paid: append([]int{}, p.Paid...)})
	}
	return out
}

// FreeSeats returns the seats that are free in whole or in part, and the number of free halves.
func FreeSeats(a rules.Ajo) (halves int, seats []contract.AjoFreeSeat) {
	seats = []contract.AjoFreeSeat{}
	for i, seat := range a.Seats {
		free := contract.AjoFreeSeat{Seat: i + 1, Halves: 2 - seat.Halves()}
		if free.Halves == 0 {
			continue
		}
		if cycle, is := a.CollectedBefore(free.Seat); is {
			free.CollectedIn = &cycle
		}
		halves, seats = halves+free.Halves, append(seats, free)
	}
	return halves, seats
}

// Closing is what a closed list shows of its draw, or of the order that the owner proposes; nil while it is open.
func Closing(a rules.Ajo, names func(users []string) []string) *contract.AjoClosing {
	c := a.Closing
	if c.DrawAt.IsZero() {
		return nil
	}
	out := &contract.AjoClosing{ClosedAt: c.At.UTC(), DrawAt: c.DrawAt.UTC(), RosterDigest: hex.EncodeToString(c.Digest)}
	if c.Source != nairav1.AjoDrawSource_AJO_DRAW_SOURCE_UNSPECIFIED {
		source := DrawSource(c.Source)
		out.Source = &source
	}
	if c.Round > 0 {
		round := int(c.Round)
		out.Round = &round
	}
	if len(a.Proposed) > 0 {
		proposed, accepted, by := append([]int{}, a.Proposed...), names(a.AcceptedBy), a.AcceptOrderBy.UTC()
		out.Proposed, out.Accepted, out.AcceptBy = &proposed, &accepted, &by
	}
	if c.Source == nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES {
		revealed := len(a.Revealed)
		out.Revealed = &revealed
	}
	return out
}

// SeatStatus says where a seat stands.
func SeatStatus(a rules.Ajo, seat int) contract.AjoSeatStatus {
	halves := a.Seats[seat-1].Halves()
	_, frozen := a.FrozenAt(seat)
	switch {
	case halves == 0:
		return "FREE"
	case halves == 1:
		return "HALF"
	case len(a.Order) == 0:
		return "TAKEN"
	case a.HasCollected(seat):
		return "COLLECTED"
	case frozen:
		return "FROZEN"
	case a.Turn(seat) == a.Current():
		return "CURRENT"
	default:
		return "WAITING"
	}
}
