// Package ajo is the use of rotating savings: founding and joining an ajo, its order and draw, dues, debts and payouts,
// votes, and the card of a person who saves alone. Its rules are those of ledger/domain/ajo, ajopot and ajocard.
package ajo

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/beacon"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

// Service offers the commands and views of ajo.
type Service struct {
	*usecase.Base
	Beacon        *beacon.Client
	PublicURL     string // Without a trailing slash.
	InvitationKey []byte
	// Adult reports whether a person is 18 or older; when nil, everybody is.
	Adult func(ctx context.Context, user string) (bool, error)
	// Withdraw sends a pot's money on to the collector's own bank account, once for each id; see payouts.
	Withdraw Withdrawer
	// Avatars returns the ids of users' pictures; nil when there are none.
	Avatars func(ctx context.Context, users []string) (map[string]string, error)
	// SalaryDay returns a member's salary day, 1 to 31; 0 when unknown.
	SalaryDay func(ctx context.Context, user string) (int, error)
}

// Withdrawer sends money from a wallet on to its owner's bank account.
type Withdrawer interface {
	// SendOn withdraws an amount for a member, once for each command id. Refusals are the ledger's.
	SendOn(ctx context.Context, user string, command uuid.UUID, amount money.Kobo) error
}

// When returns a Service whose commands count from a moment, such as the bank's timestamp.
func (s *Service) When(moment time.Time) *Service {
	then := *s
	then.Base = s.At(moment)
	return &then
}

// room is an ajo in the form that commands and views need.
type room struct {
	id       string
	a        rules.Ajo
	debts    ajopot.Debts
	cycles   map[int]ajopot.Cycle // The cycles that have begun and, as far as we know, are not paid out.
	books    map[string]ajopot.Book
	pots     map[int]money.Kobo
	deposits map[string]money.Kobo
}

// room reads an ajo for a person who may know of it: a member, or a former member with open debts, either way.
func (s *Service) room(ctx context.Context, user, id string) (room, error) {
	id, err := usecase.ParseID(id, "ajo")
	if err != nil {
		return room{}, err
	}
	found, err := s.rooms(ctx, id)
	if err != nil {
		return room{}, err
	}
	r := found[0]
	if r.a.Status == rules.None || user != "" && !r.knows(user) {
		return *r, rules.ErrNone()
	}
	return *r, s.fill(ctx, r)
}

// rooms reads ajo with their debts, in one read; fill reads the rest.
func (s *Service) rooms(ctx context.Context, ids ...string) ([]*room, error) {
	rooms := make([]*room, 0, len(ids))
	var streams []string
	for _, id := range ids {
		rooms = append(rooms, &room{id: id, cycles: map[int]ajopot.Cycle{}, books: map[string]ajopot.Book{}, pots: map[int]money.Kobo{}, deposits: map[string]money.Kobo{}})
		streams = append(streams, rules.Stream(id), rules.DebtStream(id))
	}
	return rooms, s.See(ctx, streams, nil, func(v event.View) {
		for _, r := range rooms {
			r.a, r.debts = event.StateOf[rules.Ajo](v, rules.Stream(r.id)), event.StateOf[ajopot.Debts](v, rules.DebtStream(r.id))
		}
	})
}

// knows reports whether a person may know of the ajo.
func (r room) knows(user string) bool {
	return r.a.IsMember(user) || slices.ContainsFunc(r.debts.All, func(d ajopot.Debt) bool { return d.Left() > 0 && (d.Debtor == user || d.Creditor == user) })
}

// fill reads the pots, books and deposits of rooms, in one read.
func (s *Service) fill(ctx context.Context, rooms ...*room) error {
	var streams, accounts []string
	for _, r := range rooms {
		for k := len(r.a.Past) + 1; k <= len(r.a.Order); k++ {
			streams, accounts = append(streams, ajopot.CycleStream(r.id, k)), append(accounts, posting.Pot(r.id, k))
		}
		for _, user := range r.keepers() {
			streams, accounts = append(streams, rules.BookStream(r.id, user)), append(accounts, posting.Deposit(r.id, user))
		}
	}
	return s.See(ctx, streams, accounts, func(v event.View) {
		for _, r := range rooms {
			r.take(v)
		}
	})
}

// keepers returns the users who have a book in it: its members, and former members who still owe.
func (r room) keepers() []string {
	all := r.a.Members()
	for _, d := range r.debts.All { // A former member who still owes has also let Adashi take money.
		if d.Left() > 0 {
			all = append(all, d.Debtor)
		}
	}
	return usecase.UniqueIDs(all)
}

func (r room) take(v event.View) {
	for k := len(r.a.Past) + 1; k <= len(r.a.Order); k++ {
		r.cycles[k], r.pots[k] = event.StateOf[ajopot.Cycle](v, ajopot.CycleStream(r.id, k)), v.Balance(posting.Pot(r.id, k))
	}
	for _, user := range r.keepers() {
		r.books[user], r.deposits[user] = event.StateOf[ajopot.Book](v, rules.BookStream(r.id, user)), v.Balance(posting.Deposit(r.id, user))
	}
}

// people returns all users whose money may move.
func (r room) people() []string {
	all := r.a.Members()
	for _, c := range r.cycles {
		for _, p := range c.Payments {
			all = append(all, p.By, p.User)
		}
	}
	for _, d := range r.debts.All {
		all = append(all, d.Debtor, d.Creditor)
	}
	return usecase.UniqueIDs(all)
}

// creditors returns the users to whom a place owes its debts of a cycle.
func (r room) creditors(cycle, seat int, user string) []string {
	var owed []string
	for _, d := range r.debts.All {
		if d.Cycle == cycle && d.Seat == seat && d.Debtor == user && d.Creditor != "" {
			owed = append(owed, d.Creditor)
		}
	}
	return usecase.UniqueIDs(owed)
}

// everyone returns all users whose names a view of it shows.
func (r room) everyone() []string {
	return usecase.UniqueIDs(append(r.people(), r.a.Owner, r.a.Validator))
}

// names returns people's name cards.
func (s *Service) names(ctx context.Context, ids []string) (map[string]people.Card, error) {
	return s.People.Cards(ctx, ids)
}

// give records a user's command and returns the ajo as that user sees it afterwards.
func (s *Service) give(ctx context.Context, who usecase.Who, operation, id string, hash [16]byte, c event.Command) (Ajo, int64, error) {
	pos, err := s.record(ctx, who, operation, id, hash, c)
	if err != nil {
		return Ajo{}, 0, err
	}
	view, err := s.View(ctx, who.User, id)
	return view, pos, err
}

func (s *Service) record(ctx context.Context, who usecase.Who, operation, id string, hash [16]byte, c event.Command) (int64, error) {
	command, _ := who.ID(operation)
	result, err := s.Record(ctx, who, command, id, hash, c)
	return result.Position(), err
}

// adult reports whether a person is 18 or older.
func (s *Service) adult(ctx context.Context, user string) (bool, error) {
	if s.Adult == nil {
		return true, nil
	}
	return s.Adult(ctx, user)
}

// InvitationCode is the secret part of an ajo's invitation link.
func (s *Service) InvitationCode(ajoID string) string {
	mac := hmac.New(sha256.New, s.InvitationKey)
	mac.Write([]byte("ajo invitation v1\x00" + ajoID))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

func (s *Service) invitationLink(ajoID string) string {
	return s.PublicURL + "/ajo/join-group/" + ajoID + "?code=" + s.InvitationCode(ajoID)
}

// invited reports whether a code belongs to an ajo. It refuses a wrong code.
func (s *Service) invited(ajoID string, code *string) (bool, error) {
	if code == nil || strings.TrimSpace(*code) == "" {
		return false, nil
	}
	if !hmac.Equal([]byte(s.InvitationCode(ajoID)), []byte(*code)) {
		return false, fault.New(fault.NotFound, "This invitation is not valid. Ask the group for a new link.")
	}
	return true, nil
}

// systemID is the id of a command that a job gives once.
func systemID(operation, key string) uuid.UUID { return store.CommandID("system", operation, key) }
