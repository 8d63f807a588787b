package timemachine

import (
	"context"

	"google.golang.org/protobuf/proto"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/ledger/posting"
)

// Told is an event that would be recorded, in words.
type Told struct {
	Title string
	Lines []Line
}

// Line is a line of its double entry.
type Line struct {
	Account, Label string
	Amount         money.Kobo
}

// Entries are events that would be recorded about a member, in words.
func (s *Service) Entries(ctx context.Context, user string, drafts []event.Draft) ([]Told, error) {
	told, accounts := make([]Told, len(drafts)), []string{}
	for i, d := range drafts {
		told[i].Title = Title(d.Message)
		for _, line := range posting.Lines(d.Message) {
			told[i].Lines = append(told[i].Lines, Line{Account: line.Account, Amount: line.Amount})
			accounts = append(accounts, line.Account)
		}
	}
	n, err := s.naming(ctx, replay.Subject{Member: user}, accounts)
	for i := range told {
		for j := range told[i].Lines {
			told[i].Lines[j].Label = n.account(told[i].Lines[j].Account)
		}
	}
	return told, err
}

// Title is a type of events in words.
func Title(m proto.Message) string { return spaced(event.TypeOf(m)) }

// Accounts are what accounts are called in the case of a member.
func (s *Service) Accounts(ctx context.Context, user string, accounts []string) (map[string]string, error) {
	n, err := s.naming(ctx, replay.Subject{Member: user}, accounts)
	words := map[string]string{}
	for _, name := range accounts {
		words[name] = n.account(name)
	}
	return words, err
}
