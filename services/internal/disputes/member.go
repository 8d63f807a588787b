package disputes

import (
	"context"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	rules "adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/disputes"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// Mine returns a member's disputes, the latest first.
func (s *Service) Mine(ctx context.Context, user string, before *string, limit int) (DisputePage, error) {
	page := DisputePage{Disputes: []DisputeRow{}}
	pos, err := usecase.Cursor(before)
	if err != nil {
		return page, err
	}
	rows, err := disputes.Of(ctx, s.Pool, user, pos, limit+1)
	if err != nil {
		return page, err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		page.Next = usecase.OrNil(strconv.FormatInt(rows[limit-1].Pos, 10))
	}
	for _, d := range rows {
		page.Disputes = append(page.Disputes, rowView(d))
	}
	return page, nil
}

func rowView(d disputes.Dispute) DisputeRow {
	row := DisputeRow{
		Id: d.ID, Number: rules.Number(d.ID), Kind: nameOf(d.Kind), Status: DisputeStatus(d.Status), Title: rules.Title(d.Kind), OpenedAt: d.OpenedAt.UTC(),
		DecideBy: d.DecideBy.UTC(), AnswerBy: d.AnswerBy, ResolvedAt: d.ResolvedAt, Late: d.Late, BankReason: usecase.OrNil(d.BankReason),
	}
	if d.Amount > 0 {
		row.Amount = usecase.NairaPtr(d.Amount)
	}
	return row
}

// own returns a member's own dispute.
func (s *Service) own(ctx context.Context, user, id string) (disputes.Dispute, error) {
	id, err := usecase.ParseID(id, "dispute")
	if err != nil {
		return disputes.Dispute{}, err
	}
	d, err := disputes.ByID(ctx, s.Pool, id)
	if err == nil && d.User != user {
		err = disputes.ErrNone
	}
	return d, usecase.NotThere(err, disputes.ErrNone, "dispute")
}

// Dispute returns a member's dispute with all its messages.
func (s *Service) Dispute(ctx context.Context, user, id string) (Dispute, error) {
	d, err := s.own(ctx, user, id)
	if err != nil {
		return Dispute{}, err
	}
	now, err := s.dispute(ctx, d.ID)
	if err != nil {
		return Dispute{}, err
	}
	row := rowView(d)
	view := Dispute{
		Id: row.Id, Number: row.Number, Kind: row.Kind, Status: row.Status, Title: row.Title, Amount: row.Amount, OpenedAt: row.OpenedAt, DecideBy: row.DecideBy,
		AnswerBy: row.AnswerBy, ResolvedAt: row.ResolvedAt, Late: row.Late, BankReason: row.BankReason, AcknowledgeBy: d.AcknowledgeBy.UTC(), ReopenUntil: d.ReopenUntil,
		MovementId: usecase.OrNil(d.Event), GroupId: usecase.OrNil(d.Group), AjoId: usecase.OrNil(d.Ajo),
		MayAdd: now.IsOpen() && now.Papers < rules.PapersMax, MayAnswer: now.Status == rules.InfoRequested, MayWithdraw: now.IsOpen() && now.Card.Ref == "",
		MayReopen: !now.IsOpen() && !now.WasReopened && s.Now().Before(now.ReopenUntil),
	}
	view.Hold, view.RequestId = holdView(d), usecase.OrNil(d.HoldOf)
	if view.MayAdd || view.MayAnswer {
		draft, err := s.draft(ctx, user, d.ID)
		if err != nil {
			return Dispute{}, err
		}
		view.Draft = &draft
	}
	view.Steps, err = s.steps(ctx, d, disputes.Step.ForMember)
	return view, err
}

// steps returns the history of a dispute, with its messages, limited to the steps that shown accepts.
func (s *Service) steps(ctx context.Context, d disputes.Dispute, shown func(disputes.Step) bool) ([]DisputeStep, error) {
	rows, err := disputes.Steps(ctx, s.Pool, d.ID)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(r disputes.Step) bool { return !shown(r) })
	var papers []string
	for _, r := range rows {
		if r.Paper != "" && !r.File {
			papers = append(papers, r.Paper)
		}
	}
	said, err := s.Vault.Papers(ctx, d.User, papers)
	if err != nil {
		return nil, err
	}
	steps := make([]DisputeStep, len(rows))
	for i, r := range rows {
		by := CLOCK
		switch {
		case strings.HasPrefix(r.Kind, "BANK_"):
			by = BANK
		case r.Kind == "CARD_DECLINED", r.Kind == "CARD_ACCEPTED":
			by = SUPPORT
		case r.By == "":
		case r.By == d.User:
			by = MEMBER
		default:
			by = SUPPORT
		}
		steps[i] = DisputeStep{
			Position: r.Pos, Kind: DisputeStepKind(r.Kind), By: by, At: r.At.UTC(), Words: usecase.OrNil(said[r.Paper]), Until: r.Until,
			Sha256: usecase.OrNil(hex.EncodeToString(r.SHA256)),
		}
		if r.File {
			steps[i].File = usecase.OrNil(r.Paper)
		}
		if len(r.Events) > 0 {
			steps[i].Entries = &rows[i].Events
		}
	}
	return steps, nil
}

// Paper returns a file of a member's dispute.
func (s *Service) Paper(ctx context.Context, user, id, paper string) (vault.File, []byte, error) {
	d, err := s.own(ctx, user, id)
	if err != nil {
		return vault.File{}, nil, err
	}
	return s.file(ctx, d, paper)
}

// file returns a file that was added to a dispute.
func (s *Service) file(ctx context.Context, d disputes.Dispute, paper string) (vault.File, []byte, error) {
	steps, err := disputes.Steps(ctx, s.Pool, d.ID)
	if err != nil {
		return vault.File{}, nil, err
	}
	for _, step := range steps {
		if step.File && step.Paper == paper {
			return s.Vault.File(ctx, paper)
		}
	}
	return vault.File{}, nil, fault.New(fault.NotFound, "There is no such file.")
}

// AddEvidence adds words or a document to a member's dispute.
func (s *Service) AddEvidence(ctx context.Context, who usecase.Who, id string, form AddEvidenceRequest) (Dispute, int64, error) {
	d, err := s.own(ctx, who.User, id)
	if err != nil {
		return Dispute{}, 0, err
	}
	command, _ := who.ID("add evidence")
	var added event.Command
	var said []usecase.Said
	switch {
	case given(form.FileId) && given(form.Words):
		return Dispute{}, 0, fault.Field("fileId", "Add the file and the words one after the other.")
	case given(form.FileId):
		added, err = s.document(ctx, who.User, d.ID, *form.FileId)
	default:
		var text string
		if given(form.Words) {
			text = *form.Words
		}
		if text, err = usecase.ReadWords(text, 3, 2000); err != nil {
			return Dispute{}, 0, err
		}
		words := usecase.Say(command, who.User, text)
		said = append(said, words)
		added = rules.AddEvidence(d.ID, who.User, words.GetPaperId(), false, words.GetSha256())
	}
	if err != nil {
		return Dispute{}, 0, err
	}
	return s.step(ctx, who, command, d.ID, store.Fingerprint(d.ID, fmtPtr(form.FileId), fmtPtr(form.Words)), added, said...)
}

func fmtPtr(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// step records a step of the member, and returns the dispute after it.
func (s *Service) step(ctx context.Context, who usecase.Who, command uuid.UUID, id string, hash [16]byte, c event.Command, said ...usecase.Said) (Dispute, int64, error) {
	result, err := s.Record(ctx, who, command, id, hash, c, said...)
	if err != nil {
		return Dispute{}, 0, err
	}
	s.did(ctx, result)
	view, err := s.Dispute(ctx, who.User, id)
	return view, result.Position(), err
}

// Answer answers a question of Support.
func (s *Service) Answer(ctx context.Context, who usecase.Who, id, text string) (Dispute, int64, error) {
	return s.said(ctx, who, "answer dispute", id, text, func(id string, words *nairav1.Words) event.Command {
		return rules.Answer(id, who.User, words, s.Now())
	})
}

// Reopen asks for another look at a decided dispute.
func (s *Service) Reopen(ctx context.Context, who usecase.Who, id, text string) (Dispute, int64, error) {
	return s.said(ctx, who, "reopen dispute", id, text, func(id string, words *nairav1.Words) event.Command {
		return rules.Reopen(id, who.User, words, s.Now())
	})
}

func (s *Service) said(ctx context.Context, who usecase.Who, operation, id, text string, command func(string, *nairav1.Words) event.Command) (Dispute, int64, error) {
	d, err := s.own(ctx, who.User, id)
	if err != nil {
		return Dispute{}, 0, err
	}
	if text, err = usecase.ReadWords(text, 3, 2000); err != nil {
		return Dispute{}, 0, err
	}
	commandID, _ := who.ID(operation)
	words := usecase.Say(commandID, who.User, text)
	return s.step(ctx, who, commandID, d.ID, store.Fingerprint(d.ID, text), command(d.ID, words.Words), words)
}

// Withdraw withdraws a dispute.
func (s *Service) Withdraw(ctx context.Context, who usecase.Who, id string) (Dispute, int64, error) {
	d, err := s.own(ctx, who.User, id)
	if err != nil {
		return Dispute{}, 0, err
	}
	command, _ := who.ID("withdraw dispute")
	return s.step(ctx, who, command, d.ID, store.Fingerprint(d.ID), rules.Withdraw(d.ID, who.User, d.SubAccount))
}
