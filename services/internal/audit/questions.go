package audit

import (
	"context"
	"encoding/hex"
	"strings"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// disputeAfter is how many Lagos days after a query we offer the member a dispute.
const disputeAfter = 14

// marksAtMost exceeds the number of marks and messages of any payment: the vault stores 1,000 papers of a person.
const marksAtMost = 2000

func errNoQuestion() error { return fault.New(fault.NotFound, "There is no such question.") }

// question is a queried payment, its marks, and its thread of messages.
type question struct {
	payment event.Record
	said    []event.Record
	paidTo  []string // The officials whom it concerns through its destination.
	thread  reviews.Thread
}

// question finds a payment that was marked, by its event's id.
func (s *Service) question(ctx context.Context, id string) (question, error) {
	id, err := usecase.ParseID(id, "question")
	if err != nil {
		return question{}, err
	}
	_, head, err := history.Head(ctx, s.Pool)
	if err != nil {
		return question{}, err
	}
	q := question{}
	if q.said, err = history.ReadStream(ctx, s.Pool, reviews.Stream(id), head, marksAtMost); err != nil {
		return q, err
	}
	if len(q.said) == 0 {
		return q, errNoQuestion()
	}
	first, err := q.said[0].Message()
	if err != nil {
		return q, err
	}
	marked, is := first.(interface{ GetPosition() int64 })
	if !is {
		return q, errNoQuestion()
	}
	found, err := history.ReadAt(ctx, s.Pool, []int64{marked.GetPosition()})
	if err != nil || len(found) != 1 {
		return q, usecase.OrErr(err, errNoQuestion())
	}
	q.payment = found[0]
	if q.thread, is = reviews.ThreadOf(q.payment); !is {
		return q, errNoQuestion()
	}
	if q.paidTo, err = s.concerned(ctx, q.payment, s.paidTo()); err != nil {
		return q, err
	}
	q.thread = q.thread.Paying(q.paidTo)
	return q, nil
}

// Question returns the thread of a queried payment, for its payer, its auditor, and the owner.
func (s *Service) Question(ctx context.Context, user, id string) (Question, error) {
	q, err := s.question(ctx, id)
	if err != nil {
		return Question{}, err
	}
	place, err := s.Ledger.Load(ctx, q.thread.Place())
	if err != nil {
		return Question{}, err
	}
	review, err := s.Ledger.Load(ctx, reviews.Stream(q.payment.ID().String()))
	if err != nil {
		return Question{}, err
	}
	read, ask := q.thread.May(place, review.(reviews.Review), user)
	if !read {
		return Question{}, errNoQuestion()
	}
	view, err := s.told(ctx, q)
	if err != nil {
		return view, err
	}
	if view.QueriedAt.IsZero() {
		return view, errNoQuestion()
	}
	view.Side = SideREADER
	if ask {
		view.Side = SideAUDITOR
	}
	if q.thread.Answers(user) {
		view.Side = SideMEMBER
	}
	open := string(view.Mark) == "QUERIED"
	view.Days = lagosDays(view.QueriedAt, s.Now())
	view.MayWrite = open && view.Side != SideREADER
	view.MayDispute = open && view.Side == SideMEMBER && view.Days >= disputeAfter
	return view, nil
}

// told writes out the messages about a payment since its query. The reason is the first message.
func (s *Service) told(ctx context.Context, q question) (Question, error) {
	view := Question{
		PaymentId: q.payment.ID().String(), GroupId: usecase.OrNil(q.thread.Group), AjoId: usecase.OrNil(q.thread.Ajo), Messages: []QuestionMessage{},
	}
	papers := []string{} // Ids of texts; empty for a message without one.
	for _, r := range q.said {
		m, err := r.Message()
		if err != nil {
			return view, err
		}
		one := QuestionMessage{Position: r.Pos, By: AUDITOR, At: r.EffectiveAt.UTC()}
		switch m := m.(type) {
		case interface {
			GetMark() nairav1.Mark
			GetReason() string
		}:
			view.Mark = markName(m.GetMark())
			if m.GetMark() == nairav1.Mark_MARK_QUERIED {
				view.QueriedAt = one.At
			}
			if one.Words = usecase.OrNil(m.GetReason()); one.Words == nil {
				continue
			}
			papers = append(papers, "")
		case *nairav1.QuestionAnswered:
			one.By = MEMBER
			papers = append(papers, m.GetWords().GetPaperId())
		case *nairav1.QuestionFileAdded:
			one.By, one.File, one.Sha256 = MEMBER, usecase.OrNil(m.GetPaperId()), usecase.OrNil(hex.EncodeToString(m.GetSha256()))
			papers = append(papers, "")
		case *nairav1.QuestionAskedV2:
			papers = append(papers, m.GetWords().GetPaperId())
		default:
			continue
		}
		view.Messages = append(view.Messages, one)
	}
	return view, s.words(ctx, q.thread.Member, papers, view.Messages)
}

// words adds each message's text from the vault; a reason is in the ledger and has no paper.
func (s *Service) words(ctx context.Context, member string, papers []string, messages []QuestionMessage) error {
	asked := []string{}
	for _, id := range papers {
		if id != "" {
			asked = append(asked, id)
		}
	}
	said, err := s.Vault.Papers(ctx, member, asked)
	if err != nil {
		return err
	}
	for i, id := range papers {
		if id != "" {
			messages[i].Words = usecase.OrNil(said[id])
		}
	}
	return nil
}

func markName(mark nairav1.Mark) AuditMark {
	return AuditMark(strings.TrimPrefix(mark.String(), "MARK_"))
}

// lagosDays counts the Lagos days between two moments.
func lagosDays(from, to time.Time) int {
	day := func(at time.Time) time.Time {
		y, m, d := at.In(lagos.Zone).Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	return int(day(to).Sub(day(from)) / (24 * time.Hour))
}

// Paper returns a file in the thread of a queried payment, for people who may read it.
func (s *Service) Paper(ctx context.Context, user, id, paper string) (vault.File, []byte, error) {
	q, err := s.Question(ctx, user, id)
	if err != nil {
		return vault.File{}, nil, err
	}
	for _, m := range q.Messages {
		if m.File != nil && *m.File == paper {
			return s.Vault.File(ctx, paper)
		}
	}
	return vault.File{}, nil, fault.New(fault.NotFound, "There is no such file.")
}

func given(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// Say adds a message to the thread of a queried payment: the member's answer, as text or with a document, or the
// auditor's question.
func (s *Service) Say(ctx context.Context, who usecase.Who, id string, form QuestionSayRequest) (Question, int64, error) {
	q, err := s.question(ctx, id)
	if err != nil {
		return Question{}, 0, err
	}
	before, err := s.Question(ctx, who.User, id) // Outsiders must not write into a member's vault.
	if err != nil {
		return Question{}, 0, err
	}
	text, file := given(form.Words), given(form.FileId)
	operation, _ := who.ID("say of question")
	command := reviews.Say{Original: q.payment, PaidTo: q.paidTo, By: who.User}
	var said []usecase.Said
	switch {
	case text != "" && file != "":
		err = fault.Field("fileId", "Add the file and the words one after the other.")
	case file != "":
		if before.MayWrite && before.Side == SideMEMBER {
			command.File, err = s.KeepDocument(ctx, who.User, "fileId", file)
		} else {
			command.File = &nairav1.Words{}
		}
	default:
		if text, err = usecase.ReadWords(text, 3, 2000); err == nil && before.MayWrite {
			words := usecase.Say(operation, q.thread.Member, text)
			command.Words, said = words.Words, append(said, words)
		}
	}
	if err != nil {
		return Question{}, 0, err
	}
	result, err := s.Record(ctx, who, operation, before.PaymentId, store.Fingerprint(before.PaymentId, text, file), command, said...)
	if err != nil {
		return Question{}, 0, err
	}
	view, err := s.Question(ctx, who.User, id)
	return view, result.Position(), err
}
