package audit

import (
	"math"
	"net/url"
	"slices"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/usecase"
)

// Narrowing filters the payments of any desk; nil or empty means all.
type Narrowing struct {
	Member   *string
	Min, Max *string // Naira.
	Channel  *Channel
	Kind     *AuditPaymentKind
	Oddity   *Oddity
	From, To *string // Lagos days, both included.
}

// NarrowingOf reads the filters of a request's query. All desks use the same names.
func NarrowingOf(query url.Values) Narrowing {
	return Narrowing{
		Member: named[string](query, "member"), Min: named[string](query, "min"), Max: named[string](query, "max"), Channel: named[Channel](query, "channel"),
		Kind: named[AuditPaymentKind](query, "paymentKind"), Oddity: named[Oddity](query, "oddity"), From: named[string](query, "from"), To: named[string](query, "to"),
	}
}

// named returns a parameter of a query; nil when it is absent.
func named[T ~string](query url.Values, name string) *T {
	if !query.Has(name) {
		return nil
	}
	return new(T(query.Get(name)))
}

// never is an oddity that no payment has.
const never = 1 << 14

// oddityNames are the kinds of unusual payments, in groups and in ajo.
var oddityNames = map[Oddity]struct {
	group groups.Odd
	ajo   ajos.Odd
}{
	"": {}, "REFUNDED": {groups.Refunded, never}, "SOON_AGAIN": {groups.Twice, never}, "UNLIKE": {groups.Unlike, never},
	"PAID_BY_ANOTHER": {groups.PaidByAnother, ajos.PaidByAnother}, "LATE": {groups.Late, ajos.Late}, "GIVEN_BACK": {never, ajos.GivenBack},
}

// anyOdd matches every unusual payment.
const anyOdd = math.MaxInt16 &^ never

// read checks the filters' format.
func (n Narrowing) read() (of groups.Narrowing, ofAjo ajos.Narrowing, err error) {
	odd, known := oddityNames[value(n.Oddity)]
	channel, kind := value(n.Channel), value(n.Kind)
	switch {
	case !slices.Contains([]Channel{"", "BANK_TRANSFER", "CARD", "WALLET"}, channel):
		return of, ofAjo, fault.Field("channel", "Choose BANK_TRANSFER, CARD or WALLET.")
	case !slices.Contains([]AuditPaymentKind{"", groups.Contributed, groups.Covered, groups.Undone, groups.PaidOut, groups.CameBack}, kind):
		return of, ofAjo, fault.Field("paymentKind", "Choose CONTRIBUTION, COVER, REVERSAL, PAYOUT or PAYOUT_RETURNED.")
	case !known:
		return of, ofAjo, fault.Field("oddity", "There is no such oddity.")
	}
	if member := value(n.Member); member != "" {
		if of.User, err = usecase.ParseID(member, "member"); err != nil {
			return of, ofAjo, err
		}
	}
	if of.Min, err = amount("min", value(n.Min)); err != nil {
		return of, ofAjo, err
	}
	if of.Max, err = amount("max", value(n.Max)); err != nil {
		return of, ofAjo, err
	}
	if of.Max > 0 && of.Min > of.Max {
		return of, ofAjo, fault.Field("max", "The greatest amount must not be below the least.")
	}
	if of.From, of.To, err = usecase.Span(n.From, n.To); err != nil {
		return of, ofAjo, err
	}
	of.Channel, of.Kind, of.Odd = nairav1.Channel(nairav1.Channel_value["CHANNEL_"+string(channel)]), string(kind), odd.group
	ofAjo = ajos.Narrowing{User: of.User, Min: of.Min, Max: of.Max, From: of.From, To: of.To, Channel: of.Channel, Odd: odd.ajo}
	for ajoKind, name := range ajoKinds {
		if name == kind {
			ofAjo.Kinds = append(ofAjo.Kinds, ajoKind)
		}
	}
	return of, ofAjo, nil
}

// value returns the request's value, empty when it has none.
func value[T ~string](said *T) T {
	if said == nil {
		return ""
	}
	return *said
}

func amount(field, text string) (money.Kobo, error) {
	if text == "" {
		return 0, nil
	}
	return usecase.ReadNaira(field, text)
}
