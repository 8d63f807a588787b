package liquidations_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections/engine"
	"adashi.ng/proto/wire"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/liquidations"
	"adashi.ng/services/internal/usecase"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// town is a town founded four days ago, so that its offices count, whose officials have verified BVNs, with ₦6,000 of
// the member's in its open sub-account.
func town(t *testing.T) *apptest.Town {
	t.Helper()
	var back atomic.Int64
	back.Store(int64(4 * 24 * time.Hour))
	w := apptest.SetupBy(t, true, false, func() time.Time { return time.Now().Add(-time.Duration(back.Load())) })
	w.PaysOut()
	var err error
	w.App.Tracker, err = engine.NewTracker(context.Background(), w.Pool, nil)
	require.NoError(t, err)
	w.Follows()
	for _, who := range []usecase.Who{w.Validator, w.Approver} {
		w.Gives(account.EndCheck(who.User, "c", 0))
	}
	back.Store(0)
	_, err = w.App.Dues.PayFromWallet(context.Background(), w.Member, w.Open, apptest.Naira(6_000), dues.Due{})
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(context.Background()))
	return w
}

func yes() error { return nil }

// asks asks for an amount of the open sub-account.
func asks(w *apptest.Town, who usecase.Who, kind contract.LiquidationKind, naira int64) (contract.Liquidation, error) {
	amount := money.Kobo(naira) * money.Naira
	form := liquidations.NewRequest{
		GroupID: w.Group, SubAccountID: w.Open, Kind: kind, Amount: apptest.Naira(naira), Net: wire.FromKobo(int64(amount - payout.ChargesOn(amount).Total())), Reason: "School fees",
	}
	if kind == contract.GROUPDISBURSEMENT {
		form.BankCode, form.Account = "082", "0123456789"
	}
	who.Key = uuid.NewString()
	view, _, err := w.App.Liquidations.RequestLiquidation(context.Background(), who, form, yes)
	if err == nil {
		err = w.Engine.CatchUp(context.Background())
	}
	return view, err
}

// saysYes has somebody say yes to a request.
func saysYes(w *apptest.Town, who usecase.Who, id string) error {
	_, _, err := w.App.Liquidations.DecideLiquidation(context.Background(), who, w.Group, id, true, "", yes)
	if err == nil {
		err = w.Engine.CatchUp(context.Background())
	}
	return err
}
