package timemachine

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/services/internal/usecase"
)

// naming knows what accounts and streams are called. People are not named: the case's names are asked for apart.
type naming struct {
	of    replay.Subject
	names usecase.Names
}

// subsOf are the sub-accounts that some accounts and streams name.
func subsOf(texts []string) (subs []string) {
	for _, text := range texts {
		kind, id, _ := strings.Cut(strings.TrimPrefix(text, "held:"), ":")
		if kind == "pool" || kind == "sub" || kind == "disputed" {
			subs = append(subs, id)
		}
		if kind == "dues" {
			sub, _, _ := strings.Cut(id, ":")
			subs = append(subs, sub)
		}
	}
	return usecase.UniqueIDs(subs)
}

func (s *Service) naming(ctx context.Context, of replay.Subject, texts []string) (naming, error) {
	names, err := s.Names(ctx, nil, subsOf(texts))
	return naming{of, names}, err
}

// person is how somebody is called who is not named: by the end of their id.
func (n naming) person(id string) string {
	if id == n.of.Member {
		return "the member"
	}
	return "member " + strings.ToUpper(id[max(0, len(id)-4):])
}

func (n naming) sub(id string) string {
	if sub, ok := n.names.Subs[id]; ok {
		return sub.Name
	}
	return "a sub-account"
}

// account is an account in words.
func (n naming) account(name string) string {
	if held, is := strings.CutPrefix(name, "held:"); is {
		return "Set aside of " + lower(n.account(held))
	}
	kind, id, _ := strings.Cut(name, ":")
	first, rest, _ := strings.Cut(id, ":")
	switch kind {
	case "wallet":
		return "Wallet of " + n.person(id)
	case "owed":
		return "Debt of " + n.person(id) + " to Adashi"
	case "pool":
		return "Sub-account " + n.sub(id)
	case "pot":
		return "Pot of cycle " + rest
	case "deposit":
		return "Deposit of " + n.person(rest)
	case "card":
		return "A card"
	case "bank":
		return "Bank account at " + first
	case "suspense":
		return "Money of nobody yet"
	case "losses":
		return "Adashi's own account"
	default:
		return strings.ToUpper(kind[:1]) + strings.ReplaceAll(name[1:], ":", " ")
	}
}

func lower(text string) string { return strings.ToLower(text[:1]) + text[1:] }

// stream is a stream in words.
func (n naming) stream(name string) string {
	kind, id, _ := strings.Cut(name, ":")
	first, rest, _ := strings.Cut(id, ":")
	words := map[string]string{
		"group": "The group", "sub": "Sub-account " + n.sub(first), "dues": "Dues of " + n.person(rest) + " in " + n.sub(first), "member": "Membership of " + n.person(rest),
		"account": "Account of " + n.person(first), "payment": "A payment", "withdrawal": "A withdrawal", "outflow": "Withdrawals of a day", "bankcharge": "A bank's charge for a payout", "debt": "Debt to Adashi", "cards": "Card payments", "underway": "Payments under way", "hold": "A hold",
		"liquidation": "A request for money", "requests": "Open requests of " + n.person(rest), "mark": "Audit of a payment", "waiver": "A waiver", "reminder": "Reminders",
		"dispute": "A dispute", "disputes": "Open disputes", "disputed": "Money in dispute of " + n.sub(first), "correction": "A correction", "adjusted": "What corrections adjusted", "cardanswer": "An answer to the bank of a card", "ajo": "The ajo", "ajocycle": "Cycle " + rest, "ajopaid": "Consents and deposit of " + n.person(rest),
		"ajodebt": "Debts of the ajo", "ajocommit": "Commitments", "ajocard": "A card", "standing": "A standing order", "staff": "What staff did", "unmatched": "Money that arrived", "sendback": "A payout of such money",
		"ajoaccess": "Ajo access", "reversal": "A reversal",
	}[kind]
	if words == "" {
		return name
	}
	return words
}

func (s *Service) view(ctx context.Context, subject ReplaySubject, of replay.Subject, state replay.State, head int64) (Replay, error) {
	view := Replay{
		Subject: subject, Position: state.Position, RecordedAt: state.Recorded.UTC(), Head: head, Events: state.Events, Accounts: []ReplayAccount{}, States: []ReplayState{},
	}
	accounts, streams := slices.Sorted(maps.Keys(state.Balances)), slices.Sorted(maps.Keys(state.Streams))
	n, err := s.naming(ctx, of, slices.Concat(accounts, streams))
	if err != nil {
		return view, err
	}
	streams = n.shown(streams)
	for _, name := range accounts {
		view.Accounts = append(view.Accounts, ReplayAccount{Account: name, Label: n.account(name), Balance: usecase.Naira(state.Balances[name])})
	}
	if over := len(streams) - statesMost; over > 0 {
		view.More, streams = &over, streams[:statesMost]
	}
	for _, name := range streams {
		view.States = append(view.States, ReplayState{Stream: name, Label: n.stream(name), Version: state.Streams[name].Version, State: indented(state.Streams[name].State)})
	}
	return view, nil
}

// indented is JSON as people read it.
func indented(raw json.RawMessage) string {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return string(raw)
	}
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return string(raw)
	}
	return string(text)
}

func (s *Service) stepViews(ctx context.Context, of replay.Subject, steps []replay.Step) ([]ReplayStep, error) {
	var accounts []string
	for _, step := range steps {
		for _, line := range step.Record.Lines {
			accounts = append(accounts, line.Account)
		}
	}
	n, err := s.naming(ctx, of, accounts)
	if err != nil {
		return nil, err
	}
	views := make([]ReplayStep, len(steps))
	for i, step := range steps {
		views[i] = n.step(step)
	}
	return views, nil
}

// without is an event without what another than the member holds, where it is a member's time machine.
func (n naming) without(m proto.Message) proto.Message {
	of := m.ProtoReflect()
	fields := of.Descriptor().Fields()
	total, user := fields.ByName("member_total_kobo"), fields.ByName("user_id")
	if total == nil || user == nil || !n.another(of.Get(user).String()) {
		return m
	}
	less := proto.Clone(m)
	less.ProtoReflect().Clear(total)
	return less
}

// another reports whether it is a member's time machine, and of another than somebody.
func (n naming) another(user string) bool { return n.of.Member != "" && user != n.of.Member }

// whose is where the name of a stream or an account has the person whose it is, by its kind: after the first colon, or
// at the end. All others are nobody's own.
var whose = map[string]func(id string) string{
	"account": first, "cards": first, "debt": first, "underway": first, "outflow": first, "disputes": first, "adjusted": first, "ajocommit": first,
	"ajoaccess": first, "wallet": first, "owed": first, "dues": last, "member": last, "requests": last, "ajopaid": last, "deposit": last,
}

func first(id string) string { user, _, _ := strings.Cut(id, ":"); return user }
func last(id string) string  { return id[strings.LastIndex(id, ":")+1:] }

// shown leaves out of some streams or accounts those of others than the member, where it is a member's time machine.
func (n naming) shown(names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool {
		kind, id, _ := strings.Cut(strings.TrimPrefix(name, "held:"), ":")
		user, personal := whose[kind]
		return personal && n.another(user(id))
	})
}

// lateBy is how far the two clocks may be apart before that is pointed out: a command takes a moment.
const lateBy = time.Minute

func (n naming) step(s replay.Step) ReplayStep {
	r := s.Record
	body, err := protojson.MarshalOptions{Multiline: true}.Marshal(n.without(s.Message))
	if err != nil {
		body = []byte("{}")
	}
	apart := r.RecordedAt.Sub(r.EffectiveAt)
	view := ReplayStep{
		Position: r.Pos, EventId: r.ID().String(), Type: event.TypeOf(s.Message), Title: spaced(event.TypeOf(s.Message)), Stream: r.Stream, RecordedAt: r.RecordedAt.UTC(),
		EffectiveAt: r.EffectiveAt.UTC(), Late: apart > lateBy || apart < -lateBy, Entries: []ReplayEntry{}, Body: string(body),
	}
	for _, line := range r.Lines {
		entry := ReplayEntry{Account: line.Account, Label: n.account(line.Account), Amount: usecase.Naira(line.Amount)}
		if _, entry.Own = s.Balances[line.Account]; entry.Own {
			entry.Balance = usecase.NairaPtr(line.Balance)
		}
		view.Entries = append(view.Entries, entry)
	}
	return view
}
