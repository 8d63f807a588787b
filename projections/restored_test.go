package projections_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/notifications"
)

// Members' marks on notifications are kept by position. After a restore other events take those positions.
func TestAMarkOfBeforeARestoreHidesNothingThatComesAfterIt(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	before, after, models := setup(t), setup(t), ledgertest.Pool(t)
	keep := func(h *house) *engine.Engine {
		return engine.New(engine.Options{
			Pool: models, Models: []engine.Model{notifications.Model(), groups.Model()}, Source: history.Source(h.pool), Head: history.Heads(h.pool), Clock: time.Now,
		})
	}
	funded := func() proto.Message {
		return &nairav1.PaymentConfirmedV2{PaymentId: uuid.NewString(), UserId: "bisi", AmountKobo: 100_00, Channel: nairav1.Channel_CHANNEL_CARD}
	}
	was, is := before.naively(), after.naively()
	for range 6 {
		before.happens(was, funded())
	}
	require.NoError(t, keep(before).Prepare(ctx))
	require.NoError(t, keep(before).CatchUp(ctx))
	require.NoError(t, notifications.Clear(ctx, models, "bisi", counted))
	after.happens(is, funded()) // The ledger after the restore.
	require.NoError(t, keep(after).CatchUp(ctx))
	after.happens(is, &nairav1.RecordsLost{UserId: "bisi", Records: 5})
	require.NoError(t, keep(after).CatchUp(ctx))
	page, err := notifications.Page(ctx, models, "bisi", 0, 10)
	require.NoError(t, err)
	require.NotEmpty(t, page, "bisi is not shown that records of theirs were lost")
	unread, err := notifications.Unread(ctx, models, "bisi")
	require.NoError(t, err)
	require.Positive(t, unread)
}
