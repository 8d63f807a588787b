package app_test

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
	"adashi.ng/services/internal/activity"
	"adashi.ng/services/internal/audit"
)

// contributed is the member's one payment into the group.
func (w *town) contributed() contract.Movement {
	w.Helper()
	for _, m := range w.movements(activity.Wanted{}) {
		if m.Kind == contract.MovementKindCONTRIBUTION {
			return m
		}
	}
	w.Fatal("the member paid nothing")
	return contract.Movement{}
}

func TestTheStoryOfAPaymentEndsWithWhoValidatesIt(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	ctx, paid := context.Background(), w.contributed()
	var err error
	w.app.Tracker, err = engine.NewTracker(ctx, w.pool, nil)
	require.NoError(t, err)
	last := func() contract.StoryStep {
		detail, err := w.app.Activity.Movement(ctx, w.member.User, paid.Id)
		require.NoError(t, err)
		return detail.Story[len(detail.Story)-1]
	}
	step := last()
	require.Equal(t, contract.StoryStepStepWAITING, step.Step)
	require.Equal(t, "Validator Person validates this payment", step.Title)

	mark := func(as contract.AuditMark, reason string) {
		_, _, err := w.app.Audit.MarkPayments(ctx, w.validator, w.group, []audit.Marking{{ID: paid.Id, Mark: string(as), Reason: reason}})
		require.NoError(t, err)
		require.NoError(t, w.engine.CatchUp(ctx))
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
	w := setup(t, true, true)
	ctx, paid := context.Background(), w.contributed()
	for _, picture := range []bool{false, true} {
		issued, err := w.app.Activity.ReceiptFile(ctx, w.member.User, paid.Id, picture)
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
		facts, err := w.app.Activity.StatementFacts(ctx, strings.ToLower(issued.Code))
		require.NoError(t, err)
		sum := sha256.Sum256(issued.File)
		require.Equal(t, []string{issued.Code, hex.EncodeToString(sum[:]), "Member P."}, []string{facts.Code, facts.Sha256, facts.Holder})
		require.Equal(t, contract.ReceiptFacts{
			Title: "Welfare contribution", Amount: naira(777), Direction: contract.ReceiptFactsDirectionOUT, Date: paid.Date, Group: ptr("Balogun Traders"), Reference: paid.Reference,
		}, *facts.Receipt)
		require.Equal(t, []string{"0", "0"}, []string{facts.Opening.String(), facts.Closing.String()})
	}
	_, err := w.app.Activity.ReceiptFile(ctx, w.outsider.User, paid.Id, true)
	require.True(t, fault.Is(err, fault.NotFound), "%v", err)
}
