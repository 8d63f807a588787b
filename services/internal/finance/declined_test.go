package finance_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/vault"
)

func TestWhereMoneyWasToGoBackIsForgottenOnceThatIsDeclined(t *testing.T) {
	t.Parallel()
	w := sentByAStranger(t, nil)
	view, err := w.proposes(w.Validator)
	require.NoError(t, err)
	kept, err := vault.Schema(w.ctx, w.Pool)
	require.NoError(t, err)
	w.BankSays("UPDATE " + kept + ".payees SET sealed_at = sealed_at - interval '2 hours'")
	sealed := func() error {
		require.NoError(t, w.App.Payouts.SweepPayees(w.ctx))
		_, err := w.App.Vault.Payee(w.ctx, view.SendBack.Id)
		return err
	}
	require.NoError(t, sealed(), "it waits for a second person")
	why := "I know her"
	_, _, err = w.App.Finance.DecideUnmatched(w.ctx, w.Approver, w.id, contract.DecideUnmatchedRequest{Reason: &why})
	require.NoError(t, err)
	require.ErrorIs(t, sealed(), vault.ErrGone)
}
