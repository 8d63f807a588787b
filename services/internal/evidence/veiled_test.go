package evidence_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	rules "adashi.ng/ledger/domain/dues"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/evidence/bundle"
	"adashi.ng/services/internal/groups"
)

func TestADisputeRightAfterAHiddenPaymentHasItsEvidence(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 4; n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			d := disputed(t, true, func(w *apptest.Town) {
				for range n {
					_, err := w.App.Dues.PayFromWallet(context.Background(), w.Member, w.Closed(), apptest.Naira(10), dues.Due{})
					require.NoError(w, err)
				}
			})
			for range 40 { // And the ledger grows with other people's events.
				_, err := d.App.Dues.PayFromWallet(context.Background(), d.Owner, d.Open, apptest.Naira(1), dues.Due{})
				require.NoError(t, err)
			}
			d.Sealed()
			made, err := d.App.Evidence.Bundle(context.Background(), d.Member.User, d.id, "")
			require.NoError(t, err)
			b, err := bundle.Read(made.Page)
			require.NoError(t, err)
			require.Equal(t, "OPENED", b.Dispute.Steps[0].Kind, "the dispute is told")
			require.GreaterOrEqual(t, len(b.Hidden), n)
		})
	}
}

// Another person's payment of a due changes that person's wallet, and so it is hidden.
func TestADisputeRightAfterAnotherPaidForThemHasItsEvidence(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 4; n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			d := disputed(t, false, func(w *apptest.Town) {
				fixed, _, err := w.App.Groups.OpenSubAccount(context.Background(), w.Owner, groups.NewSubAccount{
					GroupID: w.Group, Name: "Dues", Type: "FIXED", Frequency: "MONTHLY", Amount: apptest.Naira(100), ShowTotal: true,
				})
				require.NoError(w, err)
				for range n {
					w.Gives(rules.Cover{GroupID: w.Group, SubAccountID: fixed, User: w.Member.User, By: w.Owner.User, Amount: 1000, At: time.Now()})
				}
			})
			_, err := d.App.Evidence.Bundle(context.Background(), d.Member.User, d.id, "")
			require.NoError(t, err)
		})
	}
}

// When the neighbours have no random bytes, the dispute's own event may have to be hidden, and the page says so.
func TestAHiddenStepOfADisputeIsToldAsHidden(t *testing.T) {
	t.Parallel()
	ctx, told := context.Background(), 0
	for n := 1; n <= 2; n++ { // Next to one of them in the tree, or not.
		d := unsalted(t, func(w *apptest.Town) {
			for range n {
				_, err := w.App.Dues.PayFromWallet(ctx, w.Member, w.Closed(), apptest.Naira(10), dues.Due{})
				require.NoError(w, err)
			}
		})
		made, err := d.App.Evidence.Bundle(ctx, d.Member.User, d.id, "")
		require.NoError(t, err)
		b, err := bundle.Read(made.Page)
		require.NoError(t, err)
		if b.Dispute.Steps[0].Kind != bundle.StepHidden {
			continue
		}
		told++
		require.Equal(t, bundle.Dispute{ID: d.id, Number: b.Dispute.Number, Status: bundle.StepHidden, Steps: []bundle.Step{{Position: b.Dispute.Steps[0].Position, Kind: bundle.StepHidden}}}, b.Dispute)
		b.Dispute.Steps = []bundle.Step{}
		_, err = bundle.Check(b, d.keys)
		require.ErrorContains(t, err, "of the dispute is not told")
	}
	require.Positive(t, told)
}
