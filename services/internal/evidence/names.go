package evidence

import (
	"context"
	"strings"

	"adashi.ng/services/internal/usecase"
)

// names are accounts and streams in words. Nobody but the member is named.
func (s *Service) names(ctx context.Context, user string, all []string) (map[string]string, error) {
	var subs []string
	for _, name := range all {
		kind, id, _ := strings.Cut(strings.TrimPrefix(name, "held:"), ":")
		if sub, _, _ := strings.Cut(id, ":"); kind == "pool" || kind == "dues" {
			subs = append(subs, sub)
		}
	}
	known, err := s.Names(ctx, nil, usecase.UniqueIDs(subs))
	words := map[string]string{}
	for _, name := range all {
		if text := inWords(user, known, name); text != "" {
			words[name] = text
		}
	}
	return words, err
}

// streamWords are streams in words.
var streamWords = map[string]string{
	"account": "Your account", "outflow": "Your withdrawals of a day", "debt": "What you owe Adashi", "cards": "Your card payments", "underway": "Your payments under way", "disputes": "Your open disputes", "member": "Your membership of a group", "dispute": "The dispute",
	"requests": "Your open requests", "ajopaid": "Your consents and deposit in an ajo", "ajocommit": "Your commitments to ajo", "ajoaccess": "Your access to ajo",
	"payment": "A payment of yours", "withdrawal": "A withdrawal of yours", "standing": "A standing order of yours", "ajocard": "A savings card of yours",
	"hold": "A hold", "liquidation": "A request for money", "unmatched": "Money that arrived", "sendback": "A payout of such money", "ajocycle": "A cycle of an ajo", "ajo": "An ajo", "reversal": "A reversal", "correction": "A correction", "adjusted": "What corrections adjusted", "cardanswer": "An answer to the bank of a card",
}

func inWords(user string, known usecase.Names, name string) string {
	if held, is := strings.CutPrefix(name, "held:"); is {
		if text := inWords(user, known, held); text != "" {
			return "what is set aside of " + text
		}
		return ""
	}
	kind, id, _ := strings.Cut(name, ":")
	first, _, _ := strings.Cut(id, ":")
	sub := known.Subs[first].Name
	switch kind {
	case "wallet":
		if id == user {
			return "your wallet"
		}
		return "another's wallet"
	case "deposit":
		return "your deposit in an ajo"
	case "pool":
		return "the sub-account " + sub
	case "dues":
		return "Your dues in " + sub
	case "pot":
		return "the pot of an ajo"
	case "card":
		return "a savings card"
	case "bank":
		return "the bank account at " + first
	case "suspense":
		return "money of nobody yet"
	case "owed":
		return "what you owe Adashi"
	case "losses":
		return "Adashi's own account"
	}
	return streamWords[kind]
}
