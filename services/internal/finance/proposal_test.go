package finance_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/usecase"
)

// A member of FinanceOps proposes the right person, waits until a colleague looks, and replaces that person with an
// accomplice.
func TestWhoAgreesAgreesToTheProposalThatTheySaw(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := apptest.Setup(t, true, false)
	w.Gives(wallet.ReceiveUnmatched{ProviderRef: "b-1", Provider: event.Vfd, Channel: apptest.Transfer, Amount: 500_000 * money.Naira, Reason: "No reference", PaidAt: time.Now()})
	crook, colleague := usecase.Who{User: w.Owner.User}, usecase.Who{User: w.Validator.User}
	seen := func() contract.Unmatched {
		page, err := w.App.Finance.Unmatched(ctx, colleague.User, nil, nil, 10)
		require.NoError(t, err)
		return page.Arrivals[0]
	}
	id := seen().Id
	proposes := func(email string) string {
		_, _, err := w.App.Finance.ProposeUnmatched(ctx, crook, id, contract.ProposeUnmatchedRequest{Email: email, Reason: "Their bank says so"})
		require.NoError(t, err)
		require.NoError(t, w.Engine.CatchUp(ctx))
		return seen().Proposal.Version
	}
	decides := func(who usecase.Who, form contract.DecideUnmatchedRequest) error {
		_, _, err := w.App.Finance.DecideUnmatched(ctx, who, id, form)
		require.NoError(t, w.Engine.CatchUp(ctx))
		return err
	}
	no := "I was wrong"
	member := proposes(w.Member.Email)
	require.NoError(t, decides(crook, contract.DecideUnmatchedRequest{Reason: &no}))
	accomplice := proposes(w.Outsider.Email)

	refusal := fault.As(decides(colleague, contract.DecideUnmatchedRequest{Approve: true}))
	require.NotNil(t, refusal)
	require.Equal(t, "seen", refusal.Field)
	for _, form := range []contract.DecideUnmatchedRequest{{Approve: true, Seen: &member}, {Seen: &member, Reason: &no}} {
		refusal = fault.As(decides(colleague, form))
		require.NotNil(t, refusal)
		require.Equal(t, fault.Conflict, refusal.Code)
	}
	balances, err := w.App.Activity.Balances(ctx, w.Outsider.User)
	require.NoError(t, err)
	require.Equal(t, "0", balances.Balance.String())

	require.NoError(t, decides(colleague, contract.DecideUnmatchedRequest{Approve: true, Seen: &accomplice}))
	balances, err = w.App.Activity.Balances(ctx, w.Outsider.User)
	require.NoError(t, err)
	require.Equal(t, "500000", balances.Balance.String(), "who saw the proposal and agrees credits them")
}
