// Package wallet decides payments: money coming in through a bank or card gateway.
//
//	INITIATED ──▶ PENDING ──▶ CONFIRMED        only CONFIRMED posts money
//	   │  └───────────┼──────────▲
//	   ▼              ▼
//	EXPIRED         FAILED    CONFIRMED ──▶ REVERSED, when the gateway takes the money back
//
// One that ended because nobody knew of any money is CONFIRMED after all when the bank had its money in time.
//
// Money that arrives for a payment that can no longer take it, or in another amount, goes to suspense: see
// ReceiveUnmatched.
package wallet

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// Status is where a payment stands.
type Status string

// The statuses.
const (
	None      Status = ""
	Initiated Status = "INITIATED"
	Pending   Status = "PENDING"
	Confirmed Status = "CONFIRMED"
	Failed    Status = "FAILED"
	Expired   Status = "EXPIRED"
	Reversed  Status = "REVERSED"
)

// Payment is the state of one payment's stream.
type Payment struct {
	Status    Status
	User      string
	Channel   nairav1.Channel // What the payer chose.
	Provider  event.Provider  // Who collects it.
	Amount    money.Kobo
	Charge    money.Kobo
	Fee       money.Kobo // What the gateway really took, once it is confirmed.
	CreatedAt time.Time
	ExpiresAt time.Time
	For       *nairav1.ContributionPurpose // Nil unless it is for a sub-account.
	Period    string                       // The first day of the due that it is for, YYYY-MM-DD; empty for the oldest one.
	ForAjo    *nairav1.AjoPurpose          // Nil unless it is for an ajo.
	Reason    string                       // Why it failed or was taken back, or why its group or ajo did not take it.
	Refused   bool                         // Its group or ajo did not take the money, which went to the wallet.
	// ProviderRef is what the money was confirmed by, Returned what of Gross the gateway took back since, and
	// FeeReturned what of Fee it gave back with that.
	ProviderRef           string
	Returned, FeeReturned money.Kobo
	// Held is the name of an arrival of which a person said that it is this payment's money.
	Held string
}

// Gross is what the payer pays.
func (p Payment) Gross() money.Kobo { return p.Amount + p.Charge }

// Open reports whether the payment may still be confirmed.
func (p Payment) Open() bool { return p.Status == Initiated || p.Status == Pending }

// Left is what the gateway has not taken back yet of what the payer paid.
func (p Payment) Left() money.Kobo { return p.Gross() - p.Returned }

// Disowned refuses to pay something with a payment that somebody else began who used the payer's account until it was
// given back: they said what it is for, and its money is the owner's. Earlier builds paid it.
func Disowned(v event.View, id string) error {
	p := event.StateOf[Payment](v, Stream(id))
	if _, earlier := v.(standing.Earlier); earlier || !event.StateOf[account.Account](v, account.Stream(p.User)).Stolen(p.CreatedAt) {
		return nil
	}
	return fault.New(fault.Forbidden, "Somebody else used your account when this payment was begun, so nothing is paid with it.")
}

// NothingCame is why a payment fails that its bank called pending, and for which no money came.
const NothingCame = "No money came in time."

// Takes reports whether money may confirm the payment: while it is open, and where it ended only because nobody knew of
// any money, if the bank had this money in time.
func (p Payment) Takes(paidAt time.Time) bool {
	lapsed := p.Status == Expired || p.Status == Failed && p.Reason == NothingCame
	return p.Open() || lapsed && !paidAt.After(p.ExpiresAt)
}

// Payments folds a payment's stream.
var Payments = event.Of("payment", 9, func(p Payment, e event.Happened) Payment {
	switch m := e.Message.(type) {
	case *nairav1.PaymentInitiatedV2:
		return Payment{
			Status: Initiated, User: m.GetUserId(), Channel: m.GetChannel(), Provider: event.Provider(m.GetProvider()), Amount: money.Kobo(m.GetAmountKobo()),
			Charge: money.Kobo(m.GetChargeKobo()), CreatedAt: e.EffectiveAt, ExpiresAt: m.GetExpiresAt().AsTime(), For: m.GetContribution(),
		}
	case *nairav1.PaymentMeantForAjo:
		p.ForAjo = m.GetPurpose()
	case *nairav1.PaymentMeantForDue:
		p.Period = m.GetPeriod()
	case *nairav1.PaymentPending:
		p.Status = Pending
	case *nairav1.PaymentConfirmedV2:
		p.Status, p.Fee, p.ProviderRef = Confirmed, money.Kobo(m.GetGatewayFeeKobo()), m.GetProviderRef()
	case *nairav1.PaymentArrivalNamed:
		p.Held = m.GetProviderRef()
	case *nairav1.ContributionRefused:
		p.Refused, p.Reason = true, m.GetReason()
	case *nairav1.AjoContributionRefused:
		p.Refused, p.Reason = true, m.GetReason()
	case *nairav1.PaymentFailed:
		p.Status, p.Reason = Failed, m.GetReason()
	case *nairav1.PaymentExpired:
		p.Status = Expired
	case *nairav1.PaymentReversedV3:
		p.Status, p.Reason = Reversed, m.GetReason()
		p.Returned += money.Kobo(m.GetAmountKobo() + m.GetChargeKobo())
		p.FeeReturned += money.Kobo(m.GetGatewayFeeKobo())
	}
	return p
})

// Stream is the stream of a payment.
func Stream(paymentID string) string { return "payment:" + paymentID }

// The bounds of one payment.
const (
	MinPayment = 100 * money.Naira
	MaxPayment = 5_000_000 * money.Naira
)

// StartPayment asks to pay an amount in through a gateway.
type StartPayment struct {
	PaymentID string
	User      string
	Channel   nairav1.Channel // CARD or BANK_TRANSFER.
	Provider  event.Provider
	Tariff    Tariff // The provider's over the channel.
	Amount    money.Kobo
	ExpiresAt time.Time
	For       *nairav1.ContributionPurpose
	Period    string // The first day of the due that it is for, YYYY-MM-DD; empty for the oldest one.
	ForAjo    *nairav1.AjoPurpose
	Cap       money.Kobo // What the payer's wallet may hold, with what is on its way; 0 for no cap.
	UnderWay  []string   // The payments that the payer's UnderWayStream names.
}

// Streams implements event.Command.
func (c StartPayment) Streams() []string {
	streams := []string{Stream(c.PaymentID), CardsStream(c.User), UnderWayStream(c.User)}
	for _, id := range c.UnderWay {
		streams = append(streams, Stream(id))
	}
	return streams
}

// Accounts implements event.Command.
func (c StartPayment) Accounts() []string {
	return []string{posting.Wallet(c.User), posting.Held(posting.Wallet(c.User))}
}

// OnlyTakes implements incoming.OnlyTakes: it moves no money.
func (StartPayment) OnlyTakes() bool { return true }

// Decide implements event.Command.
func (c StartPayment) Decide(v event.View) ([]event.Draft, error) {
	switch {
	case event.StateOf[Payment](v, Stream(c.PaymentID)).Status != None:
		return nil, fault.New(fault.Conflict, "This payment was started already.")
	case c.Channel == nairav1.Channel_CHANNEL_CARD && event.StateOf[Cards](v, CardsStream(c.User)).Locked:
		return nil, fault.Field("channel", "Banks took back two of your card payments, so you cannot pay by card until our finance desk has looked at it. Pay by bank transfer. You have not been charged.")
	case c.Channel != nairav1.Channel_CHANNEL_CARD && c.Channel != nairav1.Channel_CHANNEL_BANK_TRANSFER:
		return nil, fault.Field("channel", "Choose bank transfer or card.")
	case !c.Provider.Valid():
		return nil, fault.Field("channel", "Nobody takes payments this way just now. Choose another.")
	case c.Amount < MinPayment:
		return nil, fault.Field("amount", "The smallest amount you can pay in is %s.", MinPayment)
	case c.Amount > MaxPayment:
		return nil, fault.Field("amount", "The largest amount you can pay in at once is %s.", MaxPayment)
	}
	counted, err := c.counted(v)
	if err != nil {
		return nil, err
	}
	return append(c.draft(&nairav1.PaymentInitiatedV2{
		PaymentId: c.PaymentID, UserId: c.User, Channel: c.Channel, Provider: string(c.Provider), AmountKobo: int64(c.Amount),
		ChargeKobo: int64(c.Tariff.Charge(c.Amount)), ExpiresAt: timestamppb.New(c.ExpiresAt),
		Contribution: c.For, FeeTable: c.Tariff.Table,
	}), counted...), nil
}

func (c StartPayment) draft(m *nairav1.PaymentInitiatedV2) []event.Draft {
	started := []event.Draft{{Stream: Stream(c.PaymentID), Message: m}}
	switch {
	case c.ForAjo != nil:
		return append(started, event.On(Stream(c.PaymentID), &nairav1.PaymentMeantForAjo{PaymentId: c.PaymentID, UserId: c.User, Purpose: c.ForAjo}))
	case c.For != nil && c.Period != "":
		return append(started, event.On(Stream(c.PaymentID), &nairav1.PaymentMeantForDue{PaymentId: c.PaymentID, UserId: c.User, Period: c.Period}))
	default:
		return started
	}
}

// ConfirmPayment says that the gateway has the money. Money of the payment that lies in suspense by then, because
// nothing said whose it was, moves out of it.
type ConfirmPayment struct {
	PaymentID   string
	User        string // Whose payment it is; it must be the payment's.
	Gross       money.Kobo
	Fee         money.Kobo
	ProviderRef string
	Also        []string // Other names that the bank has for the money.
	PaidAt      time.Time
	Provider    event.Provider
}

// Streams implements event.Command.
func (c ConfirmPayment) Streams() []string {
	return append(c.told().streams(), Stream(c.PaymentID), account.Stream(c.User))
}

func (c ConfirmPayment) told() told { return toldOf(c.Provider, c.ProviderRef, c.Also) }

// Accounts implements event.Command.
func (c ConfirmPayment) Accounts() []string {
	return []string{posting.Bank(c.Provider), posting.Wallet(c.User), posting.FeesGateway, posting.FeesCharged, posting.FeesVariance, posting.Unmatched}
}

// Decide implements event.Command. It refuses with Conflict when the payment takes no money any more or the amount is
// not its: the money is then unmatched; and when the money has had its end already.
func (c ConfirmPayment) Decide(v event.View) ([]event.Draft, error) {
	p := event.StateOf[Payment](v, Stream(c.PaymentID))
	known, err := c.told().find(v)
	switch {
	case p.Status == None || p.User != c.User || p.Provider != c.Provider:
		return nil, fault.New(fault.NotFound, "There is no such payment.")
	case !p.Takes(c.PaidAt):
		return nil, fault.New(fault.Conflict, "This payment is %s already.", words(p.Status))
	case p.Gross() != c.Gross:
		return nil, fault.New(fault.Conflict, "The bank has %s for this payment, and %s was due.", c.Gross, p.Gross())
	case c.Fee < 0 || c.Fee > c.Gross:
		return nil, fault.New(fault.Conflict, "The gateway names a fee of %s on %s.", c.Fee, c.Gross)
	case err != nil:
		return nil, err
	case standing.May(v, c.User, standing.BePaidIn) != nil:
		return nil, standing.May(v, c.User, standing.BePaidIn)
	}
	confirmed := event.Draft{Stream: Stream(c.PaymentID), Message: &nairav1.PaymentConfirmedV2{
		PaymentId: c.PaymentID, UserId: p.User, Channel: p.Channel, Provider: string(p.Provider), AmountKobo: int64(p.Amount), ChargeKobo: int64(p.Charge),
		GatewayFeeKobo: int64(c.Fee), ProviderRef: c.ProviderRef, PaidAt: timestamppb.New(c.PaidAt),
	}}
	if known.parked == "" {
		credited := c.told().draft(c.ProviderRef, &nairav1.ArrivalCreditedV2{ProviderRef: c.ProviderRef, Provider: string(c.Provider), PaymentId: c.PaymentID})
		return append([]event.Draft{confirmed, credited}, c.told().name(known, c.ProviderRef)...), nil
	}
	matched := event.Draft{Stream: known.stream, Message: &nairav1.UnmatchedMatchedV2{
		ProviderRef: known.parked, Provider: string(c.Provider), AmountKobo: int64(known.arrival.Amount), PaymentId: c.PaymentID, UserId: p.User,
	}}
	return append([]event.Draft{matched, confirmed}, c.told().name(known, known.parked)...), nil
}

// EndPayment moves an open payment to PENDING, FAILED or EXPIRED.
type EndPayment struct {
	PaymentID string
	To        Status
	Reason    string
	Now       time.Time
}

// Streams implements event.Command.
func (c EndPayment) Streams() []string { return []string{Stream(c.PaymentID)} }

// Accounts implements event.Command.
func (EndPayment) Accounts() []string { return nil }

// Decide implements event.Command.
func (c EndPayment) Decide(v event.View) ([]event.Draft, error) {
	p := event.StateOf[Payment](v, Stream(c.PaymentID))
	draft := event.Draft{Stream: Stream(c.PaymentID)}
	switch {
	case p.Status == None:
		return nil, fault.New(fault.NotFound, "There is no such payment.")
	case c.To == Pending && p.Status == Initiated:
		draft.Message = &nairav1.PaymentPending{PaymentId: c.PaymentID, UserId: p.User}
	case c.To == Failed && p.Open():
		draft.Message = &nairav1.PaymentFailed{PaymentId: c.PaymentID, UserId: p.User, Channel: p.Channel, AmountKobo: int64(p.Amount), Reason: c.Reason}
	case c.To == Expired && p.Status == Initiated && !c.Now.Before(p.ExpiresAt):
		draft.Message = &nairav1.PaymentExpired{PaymentId: c.PaymentID, UserId: p.User}
	default:
		return nil, fault.New(fault.Conflict, "This payment is %s and cannot become %s.", words(p.Status), words(c.To))
	}
	return []event.Draft{draft}, nil
}

func words(s Status) string {
	return map[Status]string{Initiated: "waiting to be paid", Pending: "pending", Confirmed: "confirmed", Failed: "failed", Expired: "expired", Reversed: "reversed"}[s]
}
