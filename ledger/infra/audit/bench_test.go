package audit_test

import (
	"context"
	"io"
	"runtime/debug"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
)

// large is a ledger of n payments, two events each.
func large(b *testing.B, n int) *book {
	b.Helper()
	l := empty(b)
	s := store.Open(store.Postgres(l.pool, 0), ledger.Aggregates(), store.Options{})
	b.Cleanup(s.Close)
	for range n / 500 {
		var bulk store.Bulk
		for range 500 {
			id := uuid.NewString()
			bulk = append(bulk,
				wallet.StartPayment{PaymentID: id, User: id[:3], Channel: nairav1.Channel_CHANNEL_CARD, Provider: event.Paystack, Tariff: wallet.CardTariff, Amount: 1000 * money.Naira, ExpiresAt: time.Now().Add(time.Hour)},
				wallet.ConfirmPayment{PaymentID: id, User: id[:3], Provider: event.Paystack, Gross: 1000*money.Naira + wallet.CardTariff.Charge(1000*money.Naira), Fee: 1500, ProviderRef: id, PaidAt: time.Now()})
		}
		_, err := s.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "bench", Command: bulk})
		require.NoError(b, err)
	}
	l.seal()
	return l
}

func BenchmarkVerify(b *testing.B) {
	l := large(b, 150_000)
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // As boot.Tune sets it.
	conn, err := l.pool.Acquire(context.Background())
	require.NoError(b, err)
	defer conn.Release()
	rate := func(b *testing.B) {
		b.ReportMetric(float64(l.head())*float64(b.N)/b.Elapsed().Seconds(), "events/s")
	}
	b.Run("raw", func(b *testing.B) {
		for b.Loop() {
			_, err := conn.Conn().PgConn().CopyTo(context.Background(), io.Discard, "COPY (SELECT body FROM events ORDER BY pos) TO STDOUT (FORMAT binary)")
			require.NoError(b, err)
		}
		rate(b)
	})
	b.Run("raw of all columns", func(b *testing.B) {
		for b.Loop() {
			_, err := conn.Conn().PgConn().CopyTo(context.Background(), io.Discard, "COPY (SELECT * FROM events ORDER BY pos) TO STDOUT (FORMAT binary)")
			require.NoError(b, err)
		}
		rate(b)
	})
	b.Run("scan", func(b *testing.B) {
		for b.Loop() {
			require.NoError(b, history.Scan(context.Background(), conn.Conn(), 1, l.head(), func([]event.Record) error { return nil }))
		}
		rate(b)
	})
	b.Run("verify", func(b *testing.B) {
		for b.Loop() {
			report, err := audit.Verify(context.Background(), l.options())
			require.NoError(b, err)
			require.Zero(b, report.Violations())
		}
		rate(b)
	})
}
