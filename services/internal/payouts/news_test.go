package payouts_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/payouts"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/apptest"
)

// A person with the list of payouts open gets an update when a payout is added or changes.
func TestTheDeskOfFinanceHearsOfEveryPayout(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.Setup(t, true, false), context.Background()
	w.PaysOut()
	require.NoError(t, w.Engine.CatchUp(ctx))
	bus, _ := ledgertest.NATS(t)
	told, err := bus.SubscribeSync(engine.ChangedSubject)
	require.NoError(t, err)
	options := w.Engine.Options
	options.Bus = bus
	hears := func(model string) {
		t.Helper()
		require.NoError(t, engine.New(options).CatchUp(ctx))
		for {
			msg, err := told.NextMsg(5 * time.Second)
			require.NoError(t, err)
			var changed engine.Changed
			require.NoError(t, json.Unmarshal(msg.Data, &changed))
			if changed.Model == model {
				require.Equal(t, []string{engine.FinanceDesk}, changed.Desks)
				return
			}
		}
	}
	_, _, err = w.App.Payouts.Withdraw(ctx, w.Member, apptest.Naira(1_000), wire.FromKobo(989_25), "")
	require.NoError(t, err)
	hears(payouts.Name)
	require.NoError(t, w.App.Payouts.SendPayouts(ctx))
	hears(payouts.Name)

	id := uuid.NewString()
	_, err = w.App.Ledger.Append(ctx, store.Command{ID: uuid.New(), Actor: w.Member.User, Command: ledgertest.Raw{event.On(liquidation.Stream(id), &nairav1.LiquidationAskedV2{
		LiquidationId: id, GroupId: w.Group, SubAccountId: uuid.NewString(), RequestedBy: w.Member.User, AmountKobo: 5000_00, ExpiresAt: timestamppb.New(time.Now().Add(time.Hour)),
	})}})
	require.NoError(t, err)
	hears(requests.Name)
}
