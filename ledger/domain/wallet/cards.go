package wallet

import (
	"slices"
	"strings"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

const (
	// CardHold is how long the money of a card stays in Adashi before it may go to a bank, unless that is set.
	CardHold = 72 * time.Hour
	// CardHoldMost is the longest time that may be set.
	CardHoldMost = 60 * 24 * time.Hour
	// Two payments that cards' banks take back within chargebacksWithin lock card payments.
	chargebacksWithin = 180 * 24 * time.Hour
)

// CardMoney is what a card paid in.
type CardMoney struct {
	Payment, SubAccount string // Into the wallet where no sub-account is named.
	Amount              money.Kobo
	At                  time.Time
}

// Cards is the state of what a member's cards paid in, and of what their banks took back.
type Cards struct {
	Received []CardMoney // The oldest first; of the last CardHoldMost.
	BackAt   time.Time   // When money was taken back last that the member had not asked for.
	Locked   bool        // No payments by card.
}

// CardsOf folds the stream of a member's card money.
var CardsOf = event.Of("cards", 1, func(c Cards, e event.Happened) Cards {
	switch m := e.Message.(type) {
	case *nairav1.CardMoneyReceived:
		c.Received = slices.DeleteFunc(slices.Clone(c.Received), func(r CardMoney) bool { return e.EffectiveAt.Sub(r.At) > CardHoldMost })
		c.Received = append(c.Received, CardMoney{m.GetPaymentId(), m.GetSubAccountId(), money.Kobo(m.GetAmountKobo()), e.EffectiveAt})
	case *nairav1.CardMoneyTakenBack:
		c.Received = slices.Clone(c.Received)
		if i := slices.IndexFunc(c.Received, func(r CardMoney) bool { return r.Payment == m.GetPaymentId() }); i >= 0 {
			c.Received[i].Amount = max(0, c.Received[i].Amount-money.Kobo(m.GetAmountKobo()))
		}
		if !m.GetAskedFor() {
			c.BackAt = e.EffectiveAt
		}
		c.Locked = c.Locked || m.GetLocks()
	case *nairav1.CardsUnlocked:
		c.Locked = false
	}
	return c
})

// CardsStream is the stream of a member's card money.
func CardsStream(userID string) string { return "cards:" + userID }

// Young is what cards paid into the wallet, or into a sub-account, less than so long ago.
func (c Cards) Young(subAccount string, now time.Time, hold time.Duration) (sum money.Kobo) {
	for _, r := range c.Received {
		if r.SubAccount == subAccount && r.At.Add(hold).After(now) {
			sum += r.Amount
		}
	}
	return sum
}

// FreeFrom is when so much of a balance is no longer young card money.
func (c Cards) FreeFrom(subAccount string, balance, amount money.Kobo, now time.Time, hold time.Duration) time.Time {
	at := now
	for _, r := range c.Received {
		if balance-c.Young(subAccount, at, hold) >= amount {
			break
		}
		if r.SubAccount == subAccount && r.At.Add(hold).After(at) {
			at = r.At.Add(hold)
		}
	}
	return at
}

// takenBack is that so much of what a card paid in is gone again; nothing of other payments.
func (c ReversePayment) takenBack(v event.View, p Payment, amount money.Kobo) []event.Draft {
	if _, earlier := v.(standing.Earlier); earlier || p.Channel != nairav1.Channel_CHANNEL_CARD {
		return nil
	}
	cards := event.StateOf[Cards](v, CardsStream(p.User))
	again := !cards.BackAt.IsZero() && c.At.Sub(cards.BackAt) <= chargebacksWithin
	return []event.Draft{event.On(CardsStream(p.User), &nairav1.CardMoneyTakenBack{
		UserId: p.User, PaymentId: c.PaymentID, AmountKobo: int64(amount), AskedFor: c.AskedFor, Locks: again && !c.AskedFor,
	})}
}

// UnlockCards lets a member pay by card again, once one of FinanceOps has looked at what their banks took back.
type UnlockCards struct{ User, By, Reason string }

// Streams implements event.Command.
func (c UnlockCards) Streams() []string { return []string{CardsStream(c.User), account.Stream(c.By)} }

// Accounts implements event.Command.
func (UnlockCards) Accounts() []string { return nil }

// Decide implements event.Command.
func (c UnlockCards) Decide(v event.View) ([]event.Draft, error) {
	switch {
	case !event.StateOf[Cards](v, CardsStream(c.User)).Locked:
		return nil, fault.New(fault.Conflict, "This member may pay by card already.")
	case strings.TrimSpace(c.Reason) == "":
		return nil, fault.Field("reason", "Say what you found.")
	case c.By == "" || c.By == c.User:
		return nil, standing.Own.May(standing.Credit)
	}
	if err := standing.May(v, c.By, standing.Credit); err != nil {
		return nil, err
	}
	return []event.Draft{event.On(CardsStream(c.User), &nairav1.CardsUnlocked{UserId: c.User, ReviewedBy: c.By, Reason: c.Reason})}, nil
}
