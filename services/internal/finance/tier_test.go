package finance_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/usecase"
)

// The desk names a member by e-mail, once to look and once to decide. Meanwhile the address may have become somebody
// else's.
func TestATierIsForWhomTheDeskLookedAt(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := apptest.Setup(t, true, false)
	w.Keeps()
	w.Gives(account.EndCheck(w.Member.User, "c", 0), account.EndCheck(w.Approver.User, "c", 0))
	desk, email := usecase.Who{User: w.Outsider.User}, w.Member.Email
	looked, err := w.App.Finance.LookUpMember(ctx, desk, email, "papers 17")
	require.NoError(t, err)
	require.Equal(t, w.Member.User, looked.UserId)
	for _, moves := range [][2]string{{w.Member.User, "elsewhere@example.com"}, {w.Approver.User, "member@example.com"}} { // As people.ConfirmEmail does it.
		_, err := w.Pool.Exec(ctx, "UPDATE accounts SET email = $2 WHERE id = $1", moves[0], moves[1])
		require.NoError(t, err)
	}
	form := contract.SetMemberTierRequest{Email: email, Tier: 3, Case: "papers 17", Seen: looked.Version}
	_, _, err = w.App.Finance.SetMemberTier(ctx, desk, form)
	require.True(t, fault.Is(err, fault.Conflict), "%v", err)
	other, loadErr := w.App.AccountState(ctx, w.Approver.User)
	require.NoError(t, loadErr)
	require.Equal(t, 1, other.Level(), "nobody looked at their papers")
	form.Email = "elsewhere@example.com"
	_, _, err = w.App.Finance.SetMemberTier(ctx, desk, form)
	require.NoError(t, err)
}
