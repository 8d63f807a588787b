package timemachine

import (
	"context"
	"maps"
	"slices"

	"google.golang.org/protobuf/proto"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/usecase"
)

// labView is what a lab came to, in words.
func (s *Service) labView(ctx context.Context, of replay.Subject, found redecide.Found) (LabResult, error) {
	view := LabResult{Events: found.Events, Decided: found.Decided, Lines: []LabLine{}, Accounts: []LabAccount{}, States: []LabState{}}
	if !found.FollowedUntil.IsZero() {
		view.FollowedUntil = new(found.FollowedUntil.UTC())
	}
	accounts, streams := slices.Sorted(maps.Keys(found.Balances)), slices.Sorted(maps.Keys(found.States))
	accounts = slices.DeleteFunc(accounts, func(name string) bool { return !posting.Floored(name) }) // Those of people and groups.
	streams = slices.DeleteFunc(streams, func(name string) bool { return name == labPayment })
	texts := slices.Concat(accounts, streams)
	for _, l := range found.Lines {
		for _, m := range messages(l) {
			for _, line := range posting.Lines(m) {
				texts = append(texts, line.Account)
			}
		}
	}
	n, err := s.naming(ctx, of, texts)
	if err != nil {
		return view, err
	}
	for _, l := range found.Lines {
		line := LabLine{Kind: LabLineKind(l.Kind), At: l.At.UTC(), Why: usecase.OrNil(l.Why), Was: []LabEvent{}, Would: []LabEvent{}}
		if l.Position > 0 {
			line.Position = &l.Position
		}
		for _, m := range l.Was {
			line.Was = append(line.Was, n.labEvent(m))
		}
		for _, d := range l.Would {
			line.Would = append(line.Would, n.labEvent(d.Message))
		}
		view.Lines = append(view.Lines, line)
	}
	accounts, streams = n.shown(accounts), n.shown(streams)
	for _, name := range accounts {
		c := found.Balances[name]
		view.Accounts = append(view.Accounts, LabAccount{Account: name, Label: n.account(name), Was: usecase.Naira(c.Was), Would: usecase.Naira(c.Would), By: usecase.Naira(c.Would - c.Was)})
	}
	for _, name := range streams[:min(len(streams), statesMost)] {
		c := found.States[name]
		view.States = append(view.States, LabState{Stream: name, Label: n.stream(name), Was: indented(c.Was), Would: indented(c.Would)})
	}
	return view, nil
}

func messages(l redecide.Line) []proto.Message {
	all := slices.Clone(l.Was)
	for _, d := range l.Would {
		all = append(all, d.Message)
	}
	return all
}

func (n naming) labEvent(m proto.Message) LabEvent {
	view := LabEvent{Title: spaced(event.TypeOf(m)), Entries: []CorrectionEntry{}}
	if of, is := m.(interface{ GetAmountKobo() int64 }); is && of.GetAmountKobo() > 0 {
		view.Amount = usecase.NairaPtr(money.Kobo(of.GetAmountKobo()))
	}
	for _, line := range posting.Lines(m) {
		view.Entries = append(view.Entries, CorrectionEntry{Account: line.Account, Label: n.account(line.Account), Amount: usecase.Naira(line.Amount)})
	}
	return view
}
