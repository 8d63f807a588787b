package cardanswers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"adashi.ng/ledger/base/fault"
	rules "adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/infra/store"
	model "adashi.ng/projections/disputes"
	"adashi.ng/services/internal/asks"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// asks is how far gateways have been asked about answers.
func (s *Service) asks() asks.Store {
	return asks.Store{Pool: s.Pool, Kind: "card answer", Most: 5 * time.Minute}
}

// SendAnswers sends what is to be sent to the banks of cards, and asks about what was sent. It is a job: however many
// processes run it, each answer is sent by one.
func (s *Service) SendAnswers(ctx context.Context) error {
	list := inOrder(func(after string, most int) ([]model.Dispute, error) {
		return model.Answering(ctx, s.Pool, after, most)
	})
	return items.EachOf(ctx, s.Job("answer banks of cards"), list, func(ctx context.Context, d model.Dispute) error {
		_, err := s.goOn(ctx, d)
		return err
	})
}

// inOrder is a long list of disputes in the order of their ids.
func inOrder(read func(after string, most int) ([]model.Dispute, error)) items.Pages[model.Dispute, string] {
	id := func(d model.Dispute) string { return d.ID }
	return items.Pages[model.Dispute, string]{Most: 100, Read: read, At: id, Key: id}
}

// goOn sends an answer, or asks about it, once that is due. It answers the position of what it recorded, 0 when there
// was nothing new.
func (s *Service) goOn(ctx context.Context, d model.Dispute) (pos int64, err error) {
	err = s.asks().Own(ctx, d.ID, func() error {
		a, err := s.answer(ctx, d.ID)
		if err != nil || a.Status != rules.AnswerGiven && a.Status != rules.AnswerSent {
			return err
		}
		asked, err := s.asks().One(ctx, a.ID)
		if err != nil || !asked.Due(s.Now()) {
			return err
		}
		if a.Status == rules.AnswerGiven {
			pos, err = s.send(ctx, d, a, asked)
			return err
		}
		pos, err = s.ask(ctx, d, a, asked)
		return err
	})
	return pos, err
}

// send tells the gateway an answer, once. What the answer stands on is told before it is recorded as sent, so that it
// stays unsent while the gateway is down; and so is the question whether it waits for one at all.
func (s *Service) send(ctx context.Context, d model.Dispute, a rules.CardAnswer, asked asks.Asking) (int64, error) {
	later := func(why string) (int64, error) {
		return 0, s.asks().Note(ctx, a.ID, s.asks().Again(asked, s.Now(), why))
	}
	sends, err := s.sends(ctx, d, a)
	switch {
	case fault.Is(err, fault.Unavailable):
		return later("The gateway does not say what went back of the payment. Nothing was sent yet.")
	case fault.Is(err, fault.Conflict):
		return s.heard(ctx, d, a, false, fault.As(err).Message)
	case err != nil:
		return 0, err
	}
	to, order, err := s.order(ctx, d, a)
	switch {
	case errors.Is(err, vault.ErrGone):
		return s.heard(ctx, d, a, false, "What the member gave us is erased.")
	case fault.Is(err, fault.Unavailable):
		return later("The gateway cannot be told just now. Nothing was sent yet.")
	case err != nil:
		return 0, err
	}
	stands, err := to.AnswerStatus(ctx, order)
	switch {
	case fault.Is(err, fault.Unavailable), err == nil && stands.State == rails.AnswerPending:
		return later("The gateway does not say whether it waits for an answer. Nothing was sent yet.")
	case err != nil:
		return 0, err
	case stands.State == rails.AnswerTaken:
		return s.heard(ctx, d, a, false, "The gateway had an answer already.")
	case stands.State == rails.AnswerRefused:
		return s.heard(ctx, d, a, false, stands.Reason)
	}
	if err := s.grounds(ctx, d, a, &order); err != nil {
		return 0, err
	}
	give, err := to.PrepareAnswer(ctx, order)
	if fault.Is(err, fault.Unavailable) {
		slog.WarnContext(ctx, "card answers: not prepared", "dispute", d.ID, "error", err)
		return later("The gateway does not take what the answer stands on. Nothing was sent yet.")
	}
	if err != nil {
		return 0, err
	}
	asked = asks.Sent(s.Now())
	if err := s.asks().Note(ctx, a.ID, asked); err != nil {
		return 0, err
	}
	result, err := s.Record(ctx, usecase.System, store.CommandID("system", "send card answer", a.ID), d.ID, store.Fingerprint(a.ID), sends)
	if err != nil || result.Repeated {
		return 0, usecase.UnlessConflict(err) // Nobody knows whether it was recorded, or it was before: it is asked about.
	}
	// Once it may have been called failed, it must no longer be sent, however long this process was held up.
	within, cancel := context.WithTimeout(ctx, asks.Within(result.Records[0].RecordedAt, s.Present()))
	defer cancel()
	var pos int64
	if said := give(within); said.State == rails.AnswerRefused {
		pos, err = s.heard(ctx, d, a, false, said.Reason)
	} else {
		pos, err = s.ask(ctx, d, a, asked)
	}
	return max(pos, result.Position()), err
}

// sends is that an answer is sent now, as far as the ledger allows it and the gateway says what went back.
func (s *Service) sends(ctx context.Context, d model.Dispute, a rules.CardAnswer) (rules.SendAnswer, error) {
	card, err := s.card(ctx, d.ID)
	if err == nil {
		err = s.learn(ctx, card, a.Accepted)
	}
	if err != nil {
		return rules.SendAnswer{}, err
	}
	c := rules.SendAnswer{DisputeID: d.ID, AnswerID: a.ID, Payment: card.Payment, Now: s.Now()}
	_, err = s.Ledger.DryRun(ctx, c)
	return c, err
}

// ask asks the gateway whether it has an answer, and records what it says. It never sends it.
func (s *Service) ask(ctx context.Context, d model.Dispute, a rules.CardAnswer, asked asks.Asking) (int64, error) {
	later := func(said string) (int64, error) {
		return 0, s.asks().Note(ctx, a.ID, s.asks().Again(asked, s.Now(), said))
	}
	to, order, err := s.order(ctx, d, a)
	if fault.Is(err, fault.Unavailable) {
		return later("The gateway cannot be asked.")
	}
	if err != nil && !errors.Is(err, vault.ErrGone) { // What is erased was sent before.
		return 0, err
	}
	stands, err := to.AnswerStatus(ctx, order)
	if err != nil {
		_, noted := later("The gateway could not be asked.")
		if fault.Is(err, fault.Unavailable) {
			return 0, noted
		}
		return 0, errors.Join(err, noted)
	}
	now := s.Now()
	asked = asked.Told(now, stands.State == rails.AnswerWaits)
	switch {
	case stands.State == rails.AnswerTaken && a.Accepted && stands.Amount != 0 && stands.Amount != a.Amount:
		slog.ErrorContext(ctx, "card answers: the gateway gives back another amount than was agreed; left for the desk", "dispute", d.ID)
		return later(fmt.Sprintf("The gateway gives back %s, and %s was agreed. Ask it why.", stands.Amount, a.Amount))
	case stands.State == rails.AnswerTaken:
		return s.heard(ctx, d, a, true, "")
	case stands.State == rails.AnswerRefused:
		return s.heard(ctx, d, a, false, stands.Reason)
	case asked.Unknown(now):
		return s.heard(ctx, d, a, false, "The gateway never received it.")
	}
	return later(stands.Said)
}

// heard records whether the gateway has an answer; once, whoever hears of it.
func (s *Service) heard(ctx context.Context, d model.Dispute, a rules.CardAnswer, taken bool, reason string) (int64, error) {
	reason = usecase.Plain(reason)
	result, err := s.Record(ctx, usecase.System, store.CommandID("system", "hear of card answer", a.ID), d.ID, store.Fingerprint(a.ID), rules.HearAnswer{
		DisputeID: d.ID, AnswerID: a.ID, Taken: taken, Reason: reason,
	})
	return result.Position(), usecase.UnlessConflict(err)
}

// order is what a gateway is told, and the gateway.
func (s *Service) order(ctx context.Context, d model.Dispute, a rules.CardAnswer) (rails.CardAnswerer, rails.CardAnswer, error) {
	to, err := rails.As[rails.CardAnswerer](s.Rails, a.Provider)
	if err != nil {
		return nil, rails.CardAnswer{}, err
	}
	order := rails.CardAnswer{ProviderRef: a.Ref, Accept: a.Accepted, Amount: a.Amount}
	words, err := s.words(ctx, d, a)
	if err != nil {
		return nil, order, err
	}
	if words == "" {
		return to, order, vault.ErrGone
	}
	order.Message = words + "\n\nOur reference: " + rules.Number(d.ID)
	order.Payer, err = s.payer(ctx, d, a)
	return to, order, err
}

// payer is who paid. Of somebody who has closed their account only the name is told under which their bank knew them,
// if the vault still has it; the bank reaches the person of ours who answers.
func (s *Service) payer(ctx context.Context, d model.Dispute, a rules.CardAnswer) (rails.CardPayer, error) {
	payer, err := s.People.Member(ctx, d.User)
	if !fault.Is(err, fault.NotFound) {
		return rails.CardPayer{Name: payer.FirstName + " " + payer.LastName, Email: payer.Email, Phone: payer.Phone}, err
	}
	kept, err := s.Vault.Read(ctx, d.User)
	if err != nil && !errors.Is(err, vault.ErrGone) {
		return rails.CardPayer{}, err
	}
	name := kept.Bank.AccountName
	if name == "" {
		name = "A customer who has closed their account"
	}
	ours, err := s.People.Member(ctx, a.Staff)
	return rails.CardPayer{Name: name, Email: ours.Email, Phone: ours.Phone}, err
}

// keeper is under whose key what is written about a member is sealed: their own, or that of who writes it once the
// member's is destroyed.
func (s *Service) keeper(ctx context.Context, member, writes string) (string, error) {
	_, err := s.Vault.Read(ctx, member)
	if errors.Is(err, vault.ErrGone) {
		return writes, nil
	}
	return member, err
}

// words are those of an answer; empty once they are erased.
func (s *Service) words(ctx context.Context, d model.Dispute, a rules.CardAnswer) (string, error) {
	for _, person := range []string{d.User, a.Staff} {
		said, err := s.Vault.Papers(ctx, person, []string{a.Words})
		if err != nil || said[a.Words] != "" {
			return said[a.Words], err
		}
	}
	return "", nil
}
