// Package cardanswers is how Support answers the banks of cards from a case: what they may be told, who agrees where
// money goes back, and the sending, which happens once and is asked about until the gateway says whether it has it.
package cardanswers

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	rules "adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	model "adashi.ng/projections/disputes"
	"adashi.ng/services/internal/activity"
	"adashi.ng/services/internal/disputes"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
)

// Service is the answers.
type Service struct {
	*usecase.Base
	Disputes *disputes.Service
	Activity *activity.Service // Gives the receipt of a payment.
	Rails    *rails.Registry
	// TakenBack has the ledger take down what a gateway says of what went back under a reference.
	TakenBack func(ctx context.Context, provider event.Provider, reference string) (int64, error)
}

// card is what the bank of a card disputes in a case; the zero Card where none does.
func (s *Service) card(ctx context.Context, disputeID string) (rules.Card, error) {
	state, err := s.Ledger.Load(ctx, rules.Stream(disputeID))
	if err != nil {
		return rules.Card{}, err
	}
	return state.(rules.Dispute).Card, nil
}

// learn has the ledger take down what went back of a payment before anybody gives it back, or agrees to that.
func (s *Service) learn(ctx context.Context, card rules.Card, gives bool) error {
	if !gives || card.Payment == "" {
		return nil
	}
	_, err := s.TakenBack(ctx, card.Provider, card.Payment)
	if err == nil || fault.Is(err, fault.NotFound) { // Nothing of it is known there.
		return nil
	}
	return fmt.Errorf("%w: %w", fault.New(fault.Unavailable, "The gateway does not say just now what went back of this payment already. Nothing was answered. Please try again shortly."), err)
}

// answer is the latest answer to the bank of a card.
func (s *Service) answer(ctx context.Context, disputeID string) (rules.CardAnswer, error) {
	state, err := s.Ledger.Load(ctx, rules.AnswerStream(disputeID))
	if err != nil {
		return rules.CardAnswer{}, err
	}
	return state.(rules.CardAnswer), nil
}

// Answer is what the bank of a card waits for in a case, and where the answer stands. That somebody looks is recorded.
func (s *Service) Answer(ctx context.Context, who usecase.Who, caseID string) (BankAnswer, error) {
	d, err := s.Disputes.Opened(ctx, who, caseID)
	if err != nil {
		return BankAnswer{}, err
	}
	return s.view(ctx, who.User, d)
}

// Give answers the bank of a card in a case that one has. One that is declined is sent.
func (s *Service) Give(ctx context.Context, who usecase.Who, caseID string, form GiveBankAnswerRequest) (BankAnswer, int64, error) {
	d, err := s.Disputes.InHand(ctx, who, caseID)
	if err != nil {
		return BankAnswer{}, 0, err
	}
	card, err := s.card(ctx, d.ID)
	if err != nil {
		return BankAnswer{}, 0, err
	}
	if card.Ref != "" && !s.takes(card) {
		return BankAnswer{}, 0, fault.New(fault.Conflict, "This gateway takes no answers from here. Answer the bank at the gateway itself.")
	}
	if err := s.learn(ctx, card, form.Accept); err != nil {
		return BankAnswer{}, 0, err
	}
	of, err := s.Disputes.OfCase(ctx, d, who.User)
	if err != nil {
		return BankAnswer{}, 0, err
	}
	give := rules.GiveAnswer{Case: of, Accept: form.Accept, Now: s.Now()}
	if form.Amount != nil {
		if give.Amount, err = usecase.Kobo("amount", *form.Amount); err != nil {
			return BankAnswer{}, 0, err
		}
	}
	file := ""
	if form.File != nil {
		file = *form.File
	}
	if file != "" {
		if give.File, err = s.paper(ctx, d, file); err != nil {
			return BankAnswer{}, 0, err
		}
	} else if m, err := s.movement(ctx, d); err != nil {
		return BankAnswer{}, 0, err
	} else if m.Pos == 0 {
		return BankAnswer{}, 0, fault.Field("file", "We have no receipt of this payment. Choose a file that goes with the answer.")
	}
	id, _ := who.ID("answer bank")
	give.AnswerID = event.DeriveID(id, "answer").String()
	keeper, err := s.keeper(ctx, d.User, who.User)
	if err != nil {
		return BankAnswer{}, 0, err
	}
	said, err := s.Disputes.Said(id, keeper, form.Words, 10)
	if err != nil {
		return BankAnswer{}, 0, err
	}
	give.Words = said.Words
	return s.did(ctx, who, d, id, give, store.Fingerprint(d.ID, form.Accept, int64(give.Amount), form.Words, file), said)
}

// takes reports whether the gateway of a dispute takes answers from here.
func (s *Service) takes(card rules.Card) bool {
	_, err := rails.As[rails.CardAnswerer](s.Rails, card.Provider)
	return err == nil
}

// paper is a file of a case, which may go with an answer.
func (s *Service) paper(ctx context.Context, d model.Dispute, id string) (*nairav1.Words, error) {
	steps, err := model.Steps(ctx, s.Pool, d.ID)
	if err != nil {
		return nil, err
	}
	for _, step := range steps {
		if step.File && step.Paper == id {
			return &nairav1.Words{PaperId: id, Sha256: step.SHA256}, nil
		}
	}
	return nil, fault.Field("file", "Choose a file that lies on this case.")
}

// Judge agrees, as an Admin, that a bank's customer gets money back, and has that sent; or does not, or takes one's own
// answer back.
func (s *Service) Judge(ctx context.Context, who usecase.Who, caseID, answerID string, agree bool, text string) (BankAnswer, int64, error) {
	d, err := s.Disputes.OfAnother(ctx, who, caseID)
	if err != nil {
		return BankAnswer{}, 0, err
	}
	card, err := s.card(ctx, d.ID)
	if err == nil {
		err = s.learn(ctx, card, agree)
	}
	if err != nil {
		return BankAnswer{}, 0, err
	}
	of, err := s.Disputes.OfCase(ctx, d, who.User)
	if err != nil {
		return BankAnswer{}, 0, err
	}
	judge := rules.JudgeAnswer{Case: of, AnswerID: answerID, Agree: agree, Now: s.Now()}
	var said []usecase.Said
	operation := "agree to answer"
	if !agree {
		operation = "drop answer"
	}
	id, _ := who.ID(operation)
	if !agree {
		a, err := s.answer(ctx, d.ID)
		if err != nil {
			return BankAnswer{}, 0, err
		}
		admin, err := s.admin(ctx, who.User)
		if err != nil {
			return BankAnswer{}, 0, err
		}
		if !admin && a.Staff != who.User {
			return BankAnswer{}, 0, fault.New(fault.Forbidden, "An Admin does not agree to an answer, or who gave it takes it back.")
		}
		keeper, err := s.keeper(ctx, d.User, who.User)
		if err != nil {
			return BankAnswer{}, 0, err
		}
		words, err := s.Disputes.Said(id, keeper, text, 3)
		if err != nil {
			return BankAnswer{}, 0, err
		}
		judge.Words, said = words.Words, append(said, words)
	}
	return s.did(ctx, who, d, id, judge, store.Fingerprint(answerID, agree, text), said...)
}

func (s *Service) admin(ctx context.Context, user string) (bool, error) {
	m, err := s.People.Member(ctx, user)
	return slices.Contains(m.Roles, people.RoleAdmin), err
}

// inlineMax is how long who answers waits for the gateway; then the job goes on.
const inlineMax = 10 * time.Second

// did records a step, sends what is to be sent, and answers where that stands then.
func (s *Service) did(ctx context.Context, who usecase.Who, d model.Dispute, id uuid.UUID, c event.Command, hash [16]byte, said ...usecase.Said) (BankAnswer, int64, error) {
	result, err := s.Record(ctx, who, id, d.ID, hash, c, said...)
	if err != nil {
		return BankAnswer{}, 0, err
	}
	within, cancel := context.WithTimeout(ctx, inlineMax)
	defer cancel()
	pos, err := s.goOn(within, d)
	if err != nil {
		slog.WarnContext(ctx, "card answers: recorded, and not sent yet", "dispute", d.ID, "error", err) // The job tries again.
	}
	pos = max(pos, result.Position())
	s.Tracker.WaitFor(ctx, pos, usecase.ReadModelWait, disputes.ReadModels...)
	view, err := s.view(ctx, who.User, d)
	return view, pos, err
}

// Remind records in which cases the time for an answer ends soon, once each. It is a job.
func (s *Service) Remind(ctx context.Context) error {
	const ahead = 48 * time.Hour // The Lagos day before, and that day.
	due := inOrder(func(after string, most int) ([]model.Dispute, error) {
		return model.AnswersDue(ctx, s.Pool, s.Now(), s.Now().Add(ahead), after, most)
	})
	return items.EachOf(ctx, s.Job("remind of answers to banks"), due, func(ctx context.Context, d model.Dispute) error {
		if d.BankAnswerBy == nil || s.Now().Before(rules.RemindFrom(*d.BankAnswerBy)) {
			return nil
		}
		_, err := s.Record(ctx, usecase.System, store.CommandID("system", "remind of answer", d.ID), d.ID, store.Fingerprint(d.ID), rules.RemindAnswer{DisputeID: d.ID, Now: s.Now()})
		return usecase.UnlessConflict(err)
	})
}
