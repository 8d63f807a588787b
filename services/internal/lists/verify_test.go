package lists_test

import (
	"context"
	"encoding/hex"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/sampling"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/lists"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

func TestAListThatWasRecordedAfterItsRoundHadComeIsFound(t *testing.T) {
	t.Parallel()
	ctx, pool, now := context.Background(), ledgertest.Pool(t), time.Now()
	require.NoError(t, store.Migrate(ctx, pool))
	book := store.Open(store.Postgres(pool, 0), ledger.Aggregates(), store.Options{})
	t.Cleanup(book.Close)
	records := func(from time.Time, stream string, m proto.Message) int64 {
		result, err := book.Append(ctx, store.Command{ID: uuid.New(), Actor: "system", EffectiveAt: from, Command: ledgertest.Raw{event.On(stream, m)}})
		require.NoError(t, err)
		return result.Position()
	}
	club := func(id string, round uint64, chain [32]byte, drawAt time.Time) (string, proto.Message) {
		return ajo.Stream(id), &nairav1.AjoListClosedV2{AjoId: id, Round: round, ChainHash: hex.EncodeToString(chain[:]), DrawAt: timestamppb.New(drawAt)}
	}
	month := func(id string, round uint64) (string, proto.Message) {
		return sampling.Place{Group: id}.Stream(), &nairav1.MonthSampleNamed{
			GroupId: id, Month: "2026-10", Round: round, ChainHash: hex.EncodeToString(draw.Quicknet.Chain[:]), DrawAt: timestamppb.New(now.AddDate(0, 0, 1)),
		}
	}
	hourAgo, inAnHour := draw.Quicknet.Round(now.Add(-time.Hour)), draw.Quicknet.Round(now.Add(time.Hour))
	var late []int64
	for _, from := range []time.Time{{}, now.Add(-2 * time.Hour)} { // Also dated back to before the round.
		stream, m := club(uuid.NewString(), hourAgo, draw.Quicknet.Chain, now.AddDate(0, 0, 1))
		late = append(late, records(from, stream, m))
		stream, m = month(uuid.NewString(), hourAgo)
		late = append(late, records(from, stream, m))
	}
	stream, m := club("in time", inAnHour, draw.Quicknet.Chain, now.Add(time.Hour))
	records(time.Time{}, stream, m)
	stream, m = month("in time", inAnHour)
	records(time.Time{}, stream, m)
	stream, m = club("no beacon", 0, [32]byte{}, now.Add(-time.Hour))
	records(time.Time{}, stream, m)
	stream, m = club("the demo's", 7, [32]byte{1}, now.Add(-time.Hour))
	records(now.Add(-2*time.Hour), stream, m)
	report, err := audit.Verify(ctx, audit.Options{Pool: pool, Aggregates: ledger.Aggregates(), NoStream: "not here", More: []audit.More{lists.Check(pool)}})
	require.NoError(t, err)
	var found []int64
	for _, v := range report.Find("sealed lists").Listed {
		found = append(found, v.Position)
	}
	require.Equal(t, late, found)
	require.EqualValues(t, 7, report.Find("sealed lists").Looked)
}
