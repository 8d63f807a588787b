// Package incoming decides what happens first to all money that enters a wallet, whatever brings it: it pays what the
// wallet's owner owes Adashi, and what is left is set aside while they have frozen their account. What came by card is
// noted, since it may go to a bank after a while only. It stands around every command that can put money into a wallet,
// so that nothing gets round it. Money that a command takes out again, such as a payment that names the due it is for,
// does not enter the wallet.
package incoming

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// OnlyTakes is a command that may know that it puts no money into a wallet. Most money moves by such commands, and they
// are left as they are.
type OnlyTakes interface{ OnlyTakes() bool }

// until is when holds of incoming money end: never, for all that a person lives to see. The owner's thaw ends them.
var until = timestamppb.New(time.Date(2200, time.January, 1, 0, 0, 0, 0, time.UTC))

// Around is a command with what happens first to the money that it puts into wallets. Holds get their ids from the
// command's.
func Around(id uuid.UUID, c event.Command) event.Command {
	return With(c, func(user string) string { return event.DeriveID(id, "freeze "+user).String() })
}

// With is Around where the id of the hold of a member's money is told.
func With(c event.Command, holdID func(user string) string) event.Command {
	if takes, is := c.(OnlyTakes); is && takes.OnlyTakes() {
		return c
	}
	var users []string
	for _, name := range c.Accounts() {
		if user, is := strings.CutPrefix(name, "wallet:"); is && !slices.Contains(users, user) {
			users = append(users, user)
		}
	}
	if len(users) == 0 {
		return c
	}
	return command{c, users, holdID}
}

type command struct {
	event.Command
	users  []string // Whose wallets it names.
	holdID func(user string) string
}

// Streams implements event.Command.
func (c command) Streams() []string {
	streams := slices.Clone(c.Command.Streams())
	for _, user := range c.users {
		streams = append(streams, account.Stream(user), wallet.DebtStream(user), wallet.CardsStream(user), holds.Stream(c.holdID(user)))
	}
	return streams
}

// Accounts implements event.Command.
func (c command) Accounts() []string {
	accounts := slices.Clone(c.Command.Accounts())
	for _, user := range c.users {
		accounts = append(accounts, posting.Owed(user), posting.Held(posting.Wallet(user)))
	}
	return accounts
}

// Decide implements event.Command.
func (c command) Decide(v event.View) ([]event.Draft, error) {
	drafts, err := c.Command.Decide(v)
	if err != nil {
		return drafts, err
	}
	moved := map[string]money.Kobo{}
	for _, d := range drafts {
		for _, line := range posting.Lines(d.Message) {
			moved[line.Account] += line.Amount
		}
	}
	out := append(drafts, fromCards(drafts, moved)...)
	for _, user := range c.users {
		if moved[posting.Wallet(user)] <= 0 {
			continue
		}
		holds, owed := v.Balance(posting.Wallet(user))+moved[posting.Wallet(user)], wallet.OwedBy(v, user)-moved[posting.Owed(user)]
		if pays := min(holds, owed); pays > 0 {
			out = append(out, wallet.Settled(user, owed, pays))
			holds -= pays
		}
		if holds > 0 && frozen(v, user, drafts) {
			out = append(out, c.aside(user, holds)...)
		}
	}
	return out, nil
}

// fromCards is what cards paid into wallets and sub-accounts. What an ajo took is paid out of its pot.
func fromCards(drafts []event.Draft, moved map[string]money.Kobo) (out []event.Draft) {
	for _, d := range drafts {
		p, is := d.Message.(*nairav1.PaymentConfirmedV2)
		if !is || p.GetChannel() != nairav1.Channel_CHANNEL_CARD {
			continue
		}
		m := &nairav1.CardMoneyReceived{UserId: p.GetUserId(), PaymentId: p.GetPaymentId(), AmountKobo: p.GetAmountKobo()}
		for _, other := range drafts {
			if paid, is := other.Message.(*nairav1.ContributionReceived); is && paid.GetPaymentId() == m.GetPaymentId() {
				m.SubAccountId = paid.GetSubAccountId()
			}
		}
		if m.GetSubAccountId() != "" || moved[posting.Wallet(m.GetUserId())] > 0 {
			out = append(out, event.On(wallet.CardsStream(m.GetUserId()), m))
		}
	}
	return out
}

// frozen reports whether an account is frozen after some events. Earlier builds set nothing aside at once.
func frozen(v event.View, user string, drafts []event.Draft) bool {
	if _, earlier := v.(standing.Earlier); earlier {
		return false
	}
	is := event.StateOf[account.Account](v, account.Stream(user)).Frozen
	for _, d := range drafts {
		switch m := d.Message.(type) {
		case *nairav1.OutgoingFrozen:
			is = is || m.GetUserId() == user
		case *nairav1.OutgoingThawed:
			is = is && m.GetUserId() != user
		}
	}
	return is
}

// aside holds money for as long as its owner's account is frozen.
func (c command) aside(user string, amount money.Kobo) []event.Draft {
	id := c.holdID(user)
	return []event.Draft{
		event.On(account.Stream(user), &nairav1.FrozenMoneyHeld{UserId: user, HoldId: id, AmountKobo: int64(amount)}),
		event.On(holds.Stream(id), &nairav1.HoldPlaced{HoldId: id, Account: posting.Wallet(user), AmountKobo: int64(amount), Purpose: account.FreezePurpose, ExpiresAt: until}),
	}
}
