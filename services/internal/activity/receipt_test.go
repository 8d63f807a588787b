package activity_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/audit"
)

func TestTheStoryOfAPaymentEndsWithWhoValidatesIt(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx, paid := context.Background(), w.Contributed()
	var err error
	w.App.Tracker, err = engine.NewTracker(ctx, w.Pool, nil)
	require.NoError(t, err)
	last := func() contract.StoryStep {
		detail, err := w.App.Activity.Movement(ctx, w.Member.User, paid.Id)
		require.NoError(t, err)
		return detail.Story[len(detail.Story)-1]
	}
	step := last()
	require.Equal(t, contract.StoryStepStepWAITING, step.Step)
	require.Equal(t, "Validator Person validates this payment", step.Title)

	mark := func(as contract.AuditMark, reason string) {
		_, _, err := w.App.Audit.MarkPayments(ctx, w.Validator, w.Group, []audit.Marking{{ID: paid.Id, Mark: string(as), Reason: reason}})
		require.NoError(t, err)
		require.NoError(t, w.Engine.CatchUp(ctx))
	}
	mark(contract.AuditMarkQUERIED, "Which month is this for?")
	step = last()
	require.Equal(t, []string{"QUERIED", "Validator Person asks about it", "Which month is this for?"}, []string{string(step.Step), step.Title, step.Detail})
	mark(contract.AuditMarkRESOLVED, "It is for March.")
	step = last()
	require.Equal(t, []string{"VALIDATED", "Validated by Validator Person"}, []string{string(step.Step), step.Title})
	require.Contains(t, step.Detail, "It is for March.")
}

func TestAReceiptIsAFileWhoseCodeSaysTheSameAndNoBalance(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, true)
	ctx, paid := context.Background(), w.Contributed()
	for _, picture := range []bool{false, true} {
		issued, err := w.App.Activity.ReceiptFile(ctx, w.Member.User, paid.Id, picture)
		require.NoError(t, err)
		require.Equal(t, paid.Position, issued.Position)
		if picture {
			_, err = png.Decode(bytes.NewReader(issued.File))
			require.NoError(t, err)
		} else {
			text := strings.ReplaceAll(read(t, issued.File), "\n", "")
			for _, want := range []string{"₦777.00", "Member Person", "Balogun Traders", paid.Reference, "Verification code " + issued.Code, "http://adashi.example/verify-statement/" + issued.Code} {
				require.Contains(t, text, want)
			}
			require.NotContains(t, text, "8,223", "what is left in the wallet")
		}
		facts, err := w.App.Activity.StatementFacts(ctx, strings.ToLower(issued.Code))
		require.NoError(t, err)
		sum := sha256.Sum256(issued.File)
		require.Equal(t, []string{issued.Code, hex.EncodeToString(sum[:]), "Member P."}, []string{facts.Code, facts.Sha256, facts.Holder})
		require.Equal(t, contract.ReceiptFacts{
			Title: "Welfare contribution", Amount: apptest.Naira(777), Direction: contract.ReceiptFactsDirectionOUT, Date: paid.Date, Group: apptest.Ptr("Balogun Traders"), Reference: paid.Reference,
		}, *facts.Receipt)
		require.Equal(t, []string{"0", "0"}, []string{facts.Opening.String(), facts.Closing.String()})
	}
	_, err := w.App.Activity.ReceiptFile(ctx, w.Outsider.User, paid.Id, true)
	require.True(t, fault.Is(err, fault.NotFound), "%v", err)
}
