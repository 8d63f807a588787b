package disputes

import (
	"context"
	"strings"

	"adashi.ng/ledger/base/fault"
	rules "adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// SaveDraft stores a member's draft for their open dispute. It need not be long enough to send.
func (s *Service) SaveDraft(ctx context.Context, user, id string, form DisputeDraftForm) (DisputeDraft, error) {
	d, err := s.own(ctx, user, id)
	if err != nil {
		return DisputeDraft{}, err
	}
	now, err := s.dispute(ctx, d.ID)
	if err != nil {
		return DisputeDraft{}, err
	}
	if !now.IsOpen() {
		return DisputeDraft{}, rules.Over(now)
	}
	words, err := usecase.ReadWords(form.Words, 0, 2000)
	if err != nil {
		return DisputeDraft{}, err
	}
	files, err := filesReady(form)
	if err != nil {
		return DisputeDraft{}, err
	}
	draft := vault.Draft{Words: words}
	for _, f := range files {
		draft.Files = append(draft.Files, vault.DraftFile{ID: f.Id, Name: f.Name})
	}
	if err := s.Vault.SaveDraft(ctx, user, d.ID, draft, s.Present()); err != nil {
		return DisputeDraft{}, err
	}
	return s.draft(ctx, user, d.ID)
}

// sentAtOnce limits how many files go together.
const sentAtOnce = 5

// filesReady returns the files of a draft: a few, each once, with names that can be shown.
func filesReady(form DisputeDraftForm) ([]DisputeDraftFile, error) {
	if len(form.Files) > sentAtOnce {
		return nil, fault.Field("files", "At most %d files go at once. Send these first, and then the others.", sentAtOnce)
	}
	seen := map[string]bool{}
	for i, f := range form.Files {
		if seen[f.Id] {
			return nil, fault.Field("files", "A file is there twice. Take one of them out.")
		}
		seen[f.Id] = true
		name, err := usecase.ReadWords(f.Name, 0, 200)
		if err != nil {
			return nil, fault.Field("files", "A file has a name that cannot be shown. Rename it, and add it again.")
		}
		form.Files[i].Name = name
	}
	return form.Files, nil
}

// draft returns a member's draft for a dispute.
func (s *Service) draft(ctx context.Context, user, id string) (DisputeDraft, error) {
	kept, err := s.Vault.Draft(ctx, user, id)
	view := DisputeDraft{Words: kept.Words, Files: []DisputeDraftFile{}}
	for _, f := range kept.Files {
		view.Files = append(view.Files, DisputeDraftFile{Id: f.ID, Name: f.Name})
	}
	if !kept.At.IsZero() {
		at := kept.At.UTC()
		view.SavedAt = &at
	}
	return view, err
}

// Submit sends words and documents together: as the answer if Support asked something, and as additions otherwise. It
// removes the draft.
func (s *Service) Submit(ctx context.Context, who usecase.Who, id string, form DisputeDraftForm) (Dispute, int64, error) {
	d, err := s.own(ctx, who.User, id)
	if err != nil {
		return Dispute{}, 0, err
	}
	now, err := s.dispute(ctx, d.ID)
	if err != nil {
		return Dispute{}, 0, err
	}
	files, err := filesReady(form)
	if err != nil {
		return Dispute{}, 0, err
	}
	asked := now.Status == rules.InfoRequested
	said := strings.TrimSpace(form.Words)
	switch {
	case said == "" && asked:
		return Dispute{}, 0, fault.Field("words", "Answer in words what we asked. Your files go with them.")
	case said == "" && len(files) == 0:
		return Dispute{}, 0, fault.Field("words", "Write something, or add a file.")
	}
	command, _ := who.ID("submit to dispute")
	var commands store.Bulk
	var kept []usecase.Said
	parts := []any{d.ID, said}
	for _, f := range files {
		added, err := s.document(ctx, who.User, d.ID, f.Id)
		if err != nil {
			return Dispute{}, 0, err
		}
		commands, parts = append(commands, added), append(parts, f.Id)
	}
	if said != "" {
		if said, err = usecase.ReadWords(form.Words, 3, 2000); err != nil {
			return Dispute{}, 0, err
		}
		words := usecase.Say(command, who.User, said)
		kept = append(kept, words)
		if asked {
			commands = append(commands, rules.Answer(d.ID, who.User, words.Words, s.Now()))
		} else {
			commands = append(commands, rules.AddEvidence(d.ID, who.User, words.GetPaperId(), false, words.GetSha256()))
		}
	}
	result, err := s.Record(ctx, who, command, d.ID, store.Fingerprint(parts...), commands, kept...)
	if err != nil {
		return Dispute{}, 0, err
	}
	if err := s.Vault.RemoveDraft(ctx, who.User, d.ID); err != nil {
		return Dispute{}, 0, err
	}
	s.did(ctx, result)
	view, err := s.Dispute(ctx, who.User, d.ID)
	return view, result.Position(), err
}
