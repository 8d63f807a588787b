package profile

import (
	"context"
	"time"

	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/projections/disputes"
)

type exportedDispute struct {
	ID         string                `json:"id"`
	Number     string                `json:"number"`
	Kind       string                `json:"kind"`
	Status     string                `json:"status"`
	AmountKobo int64                 `json:"amountKobo,omitempty"`
	OpenedAt   time.Time             `json:"openedAt"`
	GroupID    string                `json:"groupId,omitempty"`
	AjoID      string                `json:"ajoId,omitempty"`
	Steps      []exportedDisputeStep `json:"steps"`
}

type exportedDisputeStep struct {
	Kind   string    `json:"kind"`
	At     time.Time `json:"at"`
	Own    bool      `json:"own"` // Theirs; the others are Support's, or follow from a deadline.
	Words  string    `json:"words,omitempty"`
	FileID string    `json:"fileId,omitempty"`
}

// exportDisputes adds the messages in the member's disputes, as the member sees them.
func (s *Service) exportDisputes(ctx context.Context, userID string, out *Export) error {
	out.Disputes = []exportedDispute{}
	for before := int64(0); ; {
		page, err := disputes.Of(ctx, s.Pool, userID, before, exportPage)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, d := range page {
			one, err := s.exportDispute(ctx, d)
			if err != nil {
				return err
			}
			out.Disputes = append(out.Disputes, one)
		}
		before = page[len(page)-1].Pos
	}
}

func (s *Service) exportDispute(ctx context.Context, d disputes.Dispute) (exportedDispute, error) {
	out := exportedDispute{
		ID: d.ID, Number: dispute.Number(d.ID), Kind: d.Kind.String(), Status: d.Status, AmountKobo: int64(d.Amount), OpenedAt: d.OpenedAt.UTC(), GroupID: d.Group, AjoID: d.Ajo,
		Steps: []exportedDisputeStep{},
	}
	steps, err := disputes.Steps(ctx, s.Pool, d.ID)
	if err != nil {
		return out, err
	}
	var papers []string
	for _, step := range steps {
		if step.ForMember() && step.Paper != "" && !step.File {
			papers = append(papers, step.Paper)
		}
	}
	said, err := s.Vault.Papers(ctx, d.User, papers)
	for _, step := range steps {
		if !step.ForMember() {
			continue
		}
		one := exportedDisputeStep{Kind: step.Kind, At: step.At.UTC(), Own: step.By == d.User, Words: said[step.Paper]}
		if step.File {
			one.FileID = step.Paper
		}
		out.Steps = append(out.Steps, one)
	}
	return out, err
}
