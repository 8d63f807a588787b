package evidence_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/evidence/bundle"
)

func TestWhatIsToldOfADisputeFollowsFromItsEvents(t *testing.T) {
	t.Parallel()
	d := disputed(t, false, nil)
	now := time.Now().UTC()
	for name, change := range map[string]func(b *bundle.Bundle){
		"an open dispute stands as upheld":           func(b *bundle.Bundle) { b.Dispute.Status, b.Dispute.EndedAt = "RESOLVED_UPHELD", &now },
		"its opening is told as Support's upholding": func(b *bundle.Bundle) { b.Dispute.Steps[0].Kind, b.Dispute.Steps[0].By = "RESOLVED_UPHELD", "SUPPORT" },
		"the member's words are told as Support's":   func(b *bundle.Bundle) { b.Dispute.Steps[0].By = "SUPPORT" },
		"it was opened ten days before":              func(b *bundle.Bundle) { b.Dispute.Steps[0].At = now.AddDate(0, 0, -10) },
		"words of Adashi that nobody wrote, as a plan's": func(b *bundle.Bundle) {
			b.Dispute.Steps = append(b.Dispute.Steps, bundle.Step{Position: 1, Kind: "PLAN_APPLIED", By: "SUPPORT", At: now, Words: "We have paid you back 500,000 naira."})
		},
		"a bank that took nothing back, as a card's step": func(b *bundle.Bundle) {
			b.Dispute.Steps = append(b.Dispute.Steps, bundle.Step{Position: 1, Kind: "CARD_ACCEPTED", By: "BANK", At: now, Words: "The bank found for the member."})
		},
		"it has another number":               func(b *bundle.Bundle) { b.Dispute.Number = "AD-AAAA-AAAA" },
		"what was written is said to be gone": func(b *bundle.Bundle) { b.Dispute.Steps[0].Words, b.Dispute.Steps[0].Gone = "", false },
		"it is decided sooner":                func(b *bundle.Bundle) { b.Dispute.DecideBy = now },
		"it is about something else":          func(b *bundle.Bundle) { b.Dispute.Title = "It was not me" },
		"a step is told twice":                func(b *bundle.Bundle) { b.Dispute.Steps = append(b.Dispute.Steps, b.Dispute.Steps[0]) },
	} {
		t.Run(name, func(t *testing.T) {
			b := d.bundle()
			change(&b)
			_, err := bundle.Check(b, d.keys)
			require.ErrorIs(t, err, bundle.ErrBundle)
		})
	}
}
