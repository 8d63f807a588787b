package profile_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/profile"
	"adashi.ng/services/internal/vault"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// The data key of a closed account also seals the destinations of the group payments that its owner requested. It is
// kept for five years even if they never paid anything themselves.
func TestWhereAGroupsMoneyWentIsKeptForFiveYears(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := apptest.Setup(t, true, false)
	w.Keeps()
	asker := w.Approver.User
	id, amount, later := uuid.NewString(), 1_000*money.Naira, time.Now().Add(savings.CoolOff+time.Hour)
	of := liquidation.Of{LiquidationID: id, GroupID: w.Group, SubAccountID: w.Closed(), RequestedBy: asker, Kind: nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT, Provider: event.Vfd}
	w.Gives(account.EndCheck(asker, "c", 0), account.EndCheck(w.Validator.User, "c", 0))
	require.NoError(t, w.App.Vault.Begin(ctx, asker))
	require.NoError(t, w.App.Vault.SealPayee(ctx, asker, id, vault.Payee{BankCode: "082", BankName: "Keystone Bank", Number: "1313131313", AccountName: "DANLADI MUSA"}, time.Now()))
	w.Gives(
		liquidation.Request{
			LiquidationID: id, GroupID: w.Group, SubAccountID: w.Closed(), User: asker, Kind: of.Kind, Amount: amount, Net: amount - payout.ChargesOn(amount).Total(),
			Provider: event.Vfd, Reason: "Rent of the shop", Officers: savings.Officers{Users: []string{w.Owner.User, asker, w.Validator.User}}, At: later,
		},
		liquidation.Approve(of, w.Validator.User), liquidation.Approve(of, w.Owner.User),
		liquidation.Send(of, "r1", later.AddDate(0, 0, 2)), liquidation.Pay(of, "r1", payout.Receipt{ProviderRef: "p", PaidAt: time.Now()}),
		account.Close{User: asker},
	)
	require.NoError(t, w.App.Vault.Minimise(ctx, asker, time.Now()))
	s := profile.New(profile.Options{Pool: w.Pool, Vault: w.App.Vault, People: w.App.People, Ledger: w.App.Ledger, Now: func() time.Time { return time.Now().AddDate(0, 0, 1) }})
	require.NoError(t, s.ForgetClosed(ctx))
	kept, err := w.App.Vault.Payee(ctx, id)
	require.NoError(t, err, "a day after the payment nobody knows whom the group has paid")
	require.Equal(t, "1313131313", kept.Number)

	s = profile.New(profile.Options{Pool: w.Pool, Vault: w.App.Vault, People: w.App.People, Ledger: w.App.Ledger, Now: func() time.Time { return time.Now().AddDate(5, 0, 1) }})
	require.NoError(t, s.ForgetClosed(ctx))
	_, err = w.App.Vault.Payee(ctx, id)
	require.ErrorIs(t, err, vault.ErrGone, "and no longer")
}
