// Package payout decides withdrawals: money that goes from a wallet to its owner's bank account.
//
//	REQUESTED ──▶ SENT ──▶ PAID ──▶ REVERSED     the receiving bank sent it back
//	     └──────────┴────▶ FAILED                what was set aside is in the wallet again
//
// SENT is recorded before the bank is told, and from then on the bank is only asked. So a payout is sent at most once,
// and one that nobody knows the end of stays SENT until the bank says. How much of a Lagos day's limit is used stands
// on a stream of the member's own, so that the limit holds however many withdraw at once.
package payout

import (
	"cmp"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// Status is where a withdrawal stands.
type Status string

// The statuses.
const (
	None      Status = ""
	Requested Status = "REQUESTED"
	Sent      Status = "SENT"
	Paid      Status = "PAID"
	Failed    Status = "FAILED"
	Reversed  Status = "REVERSED"
)

// Withdrawal is the state of one withdrawal's stream.
type Withdrawal struct {
	Status         Status
	User           string
	Amount         money.Kobo // What leaves the wallet.
	Fee, VAT, Duty money.Kobo
	FeeTable       int32
	Provider       event.Provider // Whose bank account it goes out of.
	Day            string         // The Lagos day whose limit it counts towards.
	Reference      string         // Under which the bank is asked; empty until it is sent.
	RequestedAt    time.Time
	SentAt         time.Time
	PaidAt         time.Time // The bank's.
	EndedAt        time.Time // When it failed or was reversed.
	ProviderRef    string
	Reason         string
}

// Charges are what it costs.
func (w Withdrawal) Charges() Charges { return Charges{w.Fee, w.VAT, w.Duty} }

// Net is what arrives.
func (w Withdrawal) Net() money.Kobo { return w.Amount - w.Charges().Total() }

// Open reports whether it is not known how it ends.
func (w Withdrawal) Open() bool { return w.Status == Requested || w.Status == Sent }

// Withdrawals folds a withdrawal's stream.
var Withdrawals = event.Of("withdrawal", 2, func(w Withdrawal, e event.Happened) Withdrawal {
	switch m := e.Message.(type) {
	case *nairav1.WithdrawalRequestedV2:
		return Withdrawal{
			Status: Requested, User: m.GetUserId(), Amount: money.Kobo(m.GetAmountKobo()), Fee: money.Kobo(m.GetFeeKobo()), VAT: money.Kobo(m.GetVatKobo()),
			Duty: money.Kobo(m.GetDutyKobo()), FeeTable: m.GetFeeTable(), Provider: event.Provider(m.GetProvider()), Day: lagos.Day(e.EffectiveAt), RequestedAt: e.EffectiveAt,
		}
	case *nairav1.WithdrawalSent:
		w.Status, w.Reference, w.SentAt = Sent, m.GetReference(), e.EffectiveAt
	case *nairav1.WithdrawalPaidV2:
		w.Status, w.ProviderRef, w.PaidAt = Paid, m.GetProviderRef(), m.GetPaidAt().AsTime()
	case *nairav1.WithdrawalFailed:
		w.Status, w.Reason, w.EndedAt = Failed, m.GetReason(), e.EffectiveAt
	case *nairav1.WithdrawalReversedV2:
		w.Status, w.Reason, w.EndedAt = Reversed, m.GetReason(), e.EffectiveAt
	}
	return w
})

// Stream is the stream of a withdrawal.
func Stream(withdrawalID string) string { return "withdrawal:" + withdrawalID }

// Outflow is what of a member's daily limit is used.
type Outflow struct {
	Day   string
	Total money.Kobo
}

// On is what is used of a day's limit. A day that is over by the member's latest withdrawal counts as that one's.
func (o Outflow) On(day string) money.Kobo {
	if o.Day < day {
		return 0
	}
	return o.Total
}

// Outflows folds a member's outflow.
var Outflows = event.Of("outflow", 1, func(o Outflow, e event.Happened) Outflow {
	if m, ok := e.Message.(*nairav1.WithdrawalsCounted); ok {
		return Outflow{Day: m.GetDay(), Total: money.Kobo(m.GetTotalKobo())}
	}
	return o
})

// OutflowStream is the stream of a member's outflow.
func OutflowStream(userID string) string { return "outflow:" + userID }

// MinWithdrawal is the least that can be withdrawn.
const MinWithdrawal = 100 * money.Naira

// Request sets an amount of a wallet aside to be paid out.
type Request struct {
	WithdrawalID string
	User         string
	Amount, Net  money.Kobo     // Net is what the member was told arrives.
	FeeTable     int32          // By which it was told; 0 for today's.
	Provider     event.Provider // Whose bank account it goes out of.
	Tiers        account.Tiers
	CardHold     time.Duration // How long the money of a card stays before it may go to a bank.
	At           time.Time
}

// Streams implements event.Command.
func (c Request) Streams() []string {
	return []string{Stream(c.WithdrawalID), OutflowStream(c.User), account.Stream(c.User), wallet.CardsStream(c.User)}
}

// Accounts implements event.Command.
func (c Request) Accounts() []string {
	return []string{posting.Wallet(c.User), posting.Held(posting.Wallet(c.User)), posting.Owed(c.User)}
}

// DecidesAt implements event.Dated: the withdrawal is of the day whose limit it uses.
func (c Request) DecidesAt() time.Time { return c.At }

// OnlyTakes implements incoming.OnlyTakes.
func (Request) OnlyTakes() bool { return true }

// Decide implements event.Command. An amount over the balance or the tier's limit is Insufficient and names it; a net
// that is not the amount less the charges is Conflict and says the right one.
func (c Request) Decide(v event.View) ([]event.Draft, error) {
	if event.StateOf[Withdrawal](v, Stream(c.WithdrawalID)).Status != None {
		return nil, fault.New(fault.Conflict, "This withdrawal was requested already.")
	}
	if !c.Provider.Valid() {
		return nil, fault.New(fault.Conflict, "Nobody pays out just now. Please try again later.")
	}
	table := cmp.Or(c.FeeTable, FeeTable)
	charges := ChargesBy(table, c.Amount)
	if err := c.judge(charges); err != nil {
		return nil, err
	}
	outflow := event.StateOf[Outflow](v, OutflowStream(c.User))
	day := max(lagos.Day(c.At), outflow.Day)
	used := outflow.On(day)
	if err := c.within(v, used); err != nil {
		return nil, err
	}
	return []event.Draft{
		{Stream: Stream(c.WithdrawalID), Message: &nairav1.WithdrawalRequestedV2{
			WithdrawalId: c.WithdrawalID, UserId: c.User, AmountKobo: int64(c.Amount), FeeKobo: int64(charges.Fee), VatKobo: int64(charges.VAT),
			DutyKobo: int64(charges.Duty), FeeTable: table, Provider: string(c.Provider),
		}},
		{Stream: OutflowStream(c.User), Message: &nairav1.WithdrawalsCounted{
			UserId: c.User, Day: day, TotalKobo: int64(used + c.Amount),
		}},
	}, nil
}

// judge is what can be said of an amount without the ledger.
func (c Request) judge(charges Charges) error {
	switch net := c.Amount - charges.Total(); {
	case c.Amount < MinWithdrawal:
		return fault.Field("amount", "The smallest amount you can withdraw is %s.", MinWithdrawal)
	case c.Amount > money.Max:
		return fault.Field("amount", "The amount is too large.")
	case c.Net != net:
		return &fault.Fault{Code: fault.Conflict, Field: "net", Message: "Of " + c.Amount.String() + " you receive " + net.String() + ", not " +
			c.Net.String() + ". Nothing was taken. Please look at the charges again."}
	}
	return nil
}

// within holds the amount to the account's state, the balance and the tier.
func (c Request) within(v event.View, used money.Kobo) error {
	owner := event.StateOf[account.Account](v, account.Stream(c.User))
	balance, held := v.Balance(posting.Wallet(c.User)), v.Balance(posting.Held(posting.Wallet(c.User)))
	daily := c.Tiers[owner.Level()].Daily
	if err := standing.May(v, c.User, standing.Withdraw); err != nil {
		return err
	}
	if err := owner.MayAskOut(c.At); err != nil {
		return err
	}
	if _, earlier := v.(standing.Earlier); !earlier && owner.Proposed(c.At) != nil {
		return owner.Proposed(c.At)
	}
	if err := wallet.OwesNothing(v, c.User); err != nil {
		return err
	}
	cards := event.StateOf[wallet.Cards](v, wallet.CardsStream(c.User))
	young := cards.Young("", c.At, c.CardHold)
	switch {
	case owner.Bvn != account.Verified:
		return fault.New(fault.Conflict, "Please verify your BVN in your profile first: money leaves Adashi only for its owner's own account. Nothing was taken.")
	case balance < c.Amount && held > 0:
		return fault.New(fault.Insufficient, "%s is available, for %s of your wallet is set aside, and this needs %s. Nothing was taken.", balance, held, c.Amount)
	case balance < c.Amount:
		return fault.New(fault.Insufficient, "Your wallet holds %s and this needs %s. Nothing was taken.", balance, c.Amount)
	case balance-young < c.Amount:
		return fault.New(fault.Insufficient, "%s of your wallet came by card, and card money can go to a bank only after a while. You can withdraw %s now, or %s from %s on. You can pay dues with it at once. Nothing was taken.",
			min(young, balance), max(0, balance-young), c.Amount, lagos.Clock(cards.FreeFrom("", balance, c.Amount, c.At, c.CardHold)))
	case used+c.Amount > daily:
		return fault.New(fault.Insufficient, "At tier %d up to %s may leave for your bank in a day, and %s is used today, so you can still withdraw %s. Nothing was taken.",
			owner.Level(), daily, used, max(0, daily-used))
	}
	return nil
}

// end is a command about one withdrawal that was requested.
type end struct {
	id, user string
	accounts []string
	beside   []string // The streams that it reads or writes beside the withdrawal's.
	decide   func(Withdrawal, event.View) ([]proto.Message, error)
}

// Streams implements event.Command.
func (c end) Streams() []string { return append([]string{Stream(c.id)}, c.beside...) }

// Accounts implements event.Command.
func (c end) Accounts() []string { return c.accounts }

// Decide implements event.Command.
func (c end) Decide(v event.View) ([]event.Draft, error) {
	w := event.StateOf[Withdrawal](v, Stream(c.id))
	if w.Status == None || w.User != c.user {
		return nil, fault.New(fault.NotFound, "There is no such withdrawal.")
	}
	messages, err := c.decide(w, v)
	if err != nil {
		return nil, err
	}
	drafts := make([]event.Draft, len(messages))
	for i, m := range messages { // Each on the stream of its place.
		drafts[i] = event.Draft{Stream: c.Streams()[i], Message: m}
	}
	return drafts, nil
}

func only(m proto.Message) ([]proto.Message, error) { return []proto.Message{m}, nil }

func (w Withdrawal) cannot(become string) error {
	is := map[Status]string{Requested: "requested", Sent: "on its way", Paid: "paid", Failed: "failed", Reversed: "sent back"}[w.Status]
	return fault.New(fault.Conflict, "This withdrawal is %s and cannot be %s.", is, become)
}

// MayLeave refuses to tell a bank about money of somebody who may not have it any more, or who owes Adashi: it may have
// been asked for before they froze their account, before two of our staff changed whose it is, or before a bank took a
// payment back. Earlier builds asked only when it was asked for.
func MayLeave(v event.View, user string, act standing.Act, asked time.Time) error {
	if _, earlier := v.(standing.Earlier); earlier {
		return nil
	}
	if err := standing.May(v, user, act); err != nil {
		return err
	}
	if err := event.StateOf[account.Account](v, account.Stream(user)).CalledOff(asked); err != nil {
		return err
	}
	return wallet.OwesNothing(v, user)
}

// Send records that the bank is about to be told, under a reference. Whoever has it recorded first, and nobody else,
// may tell the bank. While one of our staff proposes to give the account back it waits; in earlier builds it did not.
func Send(withdrawalID, user, reference string, now time.Time) event.Command {
	return end{id: withdrawalID, user: user, beside: []string{account.Stream(user)}, accounts: []string{posting.Owed(user)}, decide: func(w Withdrawal, v event.View) ([]proto.Message, error) {
		if w.Status != Requested {
			return nil, w.cannot("sent")
		}
		if err := MayLeave(v, user, standing.Withdraw, w.RequestedAt); err != nil {
			return nil, err
		}
		if _, earlier := v.(standing.Earlier); !earlier {
			if err := event.StateOf[account.Account](v, account.Stream(user)).Proposed(now); err != nil {
				return nil, err
			}
		}
		return only(&nairav1.WithdrawalSent{WithdrawalId: withdrawalID, UserId: user, Reference: reference})
	}}
}

// Receipt is what the bank says of a payout that it made.
type Receipt struct {
	Fee         money.Kobo // What it took for it beside the net.
	ProviderRef string
	PaidAt      time.Time
}

// Pay records that the bank has paid it out.
func Pay(withdrawalID, user string, provider event.Provider, r Receipt) event.Command {
	return end{id: withdrawalID, user: user, accounts: outside(user, provider), decide: func(w Withdrawal, _ event.View) ([]proto.Message, error) {
		switch {
		case w.Status != Sent:
			return nil, w.cannot("paid")
		case w.Provider != provider:
			return nil, fault.New(fault.Conflict, "This withdrawal goes out of another account.")
		case r.Fee < 0 || r.Fee > w.Net():
			return nil, fault.New(fault.Conflict, "The bank names a fee of %s on %s.", r.Fee, w.Net())
		}
		return only(&nairav1.WithdrawalPaidV2{
			WithdrawalId: withdrawalID, UserId: user, AmountKobo: int64(w.Amount), FeeKobo: int64(w.Fee), VatKobo: int64(w.VAT), DutyKobo: int64(w.Duty),
			Provider: string(w.Provider), GatewayFeeKobo: int64(r.Fee), ProviderRef: r.ProviderRef, PaidAt: timestamppb.New(r.PaidAt),
		})
	}}
}

// Fail gives back what was set aside, and what it used of the limit if that day is not over. It names the reference
// that failed; empty when the bank was not told at all. Money that was sent since is not given back: the bank may pay
// it.
func Fail(withdrawalID, user, reference, reason string) event.Command {
	own := posting.Wallet(user)
	return end{id: withdrawalID, user: user, beside: []string{OutflowStream(user)}, accounts: []string{own, posting.Held(own)}, decide: func(w Withdrawal, v event.View) ([]proto.Message, error) {
		if !w.Open() || w.Reference != reference {
			return nil, w.cannot("failed")
		}
		return w.failed(v, withdrawalID, reason), nil
	}}
}

// Stop calls a withdrawal off that no bank was told of, once its money may not leave any more: see MayLeave.
func Stop(withdrawalID, user string) event.Command {
	own := posting.Wallet(user)
	beside := []string{OutflowStream(user), account.Stream(user)}
	return end{id: withdrawalID, user: user, beside: beside, accounts: []string{own, posting.Held(own), posting.Owed(user)}, decide: func(w Withdrawal, v event.View) ([]proto.Message, error) {
		reason := "You froze your money, so this withdrawal was called off."
		switch leaves := MayLeave(v, user, standing.Withdraw, w.RequestedAt); {
		case w.Status != Requested || leaves == nil:
			return nil, w.cannot("called off")
		case standing.Of(v, user) == standing.Frozen:
		case event.StateOf[account.Account](v, account.Stream(user)).CalledOff(w.RequestedAt) != nil:
			reason = "Two of our staff changed your account since you asked for this withdrawal, so it was called off."
		default:
			reason = calledOff
		}
		return w.failed(v, withdrawalID, reason), nil
	}}
}

// calledOff is why an unsent withdrawal of somebody who owes Adashi failed.
const calledOff = "A bank took back a payment that had filled your wallet, so this withdrawal was called off."

// failed gives back what was set aside, and what it used of the limit if that day is not over.
func (w Withdrawal) failed(v event.View, id, reason string) []proto.Message {
	messages := []proto.Message{&nairav1.WithdrawalFailed{WithdrawalId: id, UserId: w.User, AmountKobo: int64(w.Amount), Reason: reason}}
	if used := event.StateOf[Outflow](v, OutflowStream(w.User)); used.Day == w.Day {
		messages = append(messages, &nairav1.WithdrawalsCounted{UserId: w.User, Day: w.Day, TotalKobo: int64(max(0, used.Total-w.Amount))})
	}
	return messages
}

// Reverse records that the receiving bank sent a payout back: the member has the whole amount again. Where they have
// closed their account since, it goes on to suspense.
func Reverse(withdrawalID, user string, provider event.Provider, providerRef, reason string) event.Command {
	beside := []string{wallet.ReturnStream(provider, withdrawalID), account.Stream(user)}
	return end{id: withdrawalID, user: user, beside: beside, accounts: append(outside(user, provider), posting.Unmatched), decide: func(w Withdrawal, v event.View) ([]proto.Message, error) {
		if w.Status != Paid || w.Provider != provider {
			return nil, w.cannot("sent back")
		}
		if err := wallet.NoneParked(v, provider, withdrawalID); err != nil {
			return nil, err
		}
		messages := []proto.Message{&nairav1.WithdrawalReversedV2{
			WithdrawalId: withdrawalID, UserId: user, AmountKobo: int64(w.Amount), FeeKobo: int64(w.Fee), VatKobo: int64(w.VAT), DutyKobo: int64(w.Duty),
			Provider: string(w.Provider), ProviderRef: providerRef, Reason: reason,
		}}
		if standing.May(v, user, standing.Receive) != nil {
			parked := wallet.ParkReturned(provider, withdrawalID, posting.Wallet(user), w.Amount, "A withdrawal came back, and its member has closed their account.")
			messages = append(messages, parked.Message)
		}
		return messages, nil
	}}
}

func outside(user string, provider event.Provider) []string {
	own := posting.Wallet(user)
	return []string{
		own, posting.Held(own), posting.Bank(provider), posting.FeesGateway, posting.FeesCharged, posting.FeesVariance,
		posting.TaxVAT, posting.TaxDuty,
	}
}
