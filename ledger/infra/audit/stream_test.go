package audit_test

import (
	"context"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/relay"
	"adashi.ng/ledger/ledgertest"
)

// silent is a JetStream that does not list the messages that its streams lost, as after damage to its files.
type silent struct{ jetstream.JetStream }

func (s silent) Stream(ctx context.Context, name string) (jetstream.Stream, error) {
	stream, err := s.JetStream.Stream(ctx, name)
	return silentStream{stream}, err
}

type silentStream struct{ jetstream.Stream }

func (s silentStream) Info(ctx context.Context, _ ...jetstream.StreamInfoOpt) (*jetstream.StreamInfo, error) {
	return s.Stream.Info(ctx)
}

func TestAMessageThatTheStreamLacksWithoutSayingSoIsFound(t *testing.T) {
	t.Parallel()
	b := kept(t)
	ctx := context.Background()
	_, b.js = ledgertest.NATS(t)
	stream, err := b.js.CreateStream(ctx, jetstream.StreamConfig{Name: relay.StreamName(1), Subjects: []string{"ledger.e1.>"}, Storage: jetstream.MemoryStorage})
	require.NoError(t, err)
	records, err := history.Read(ctx, b.pool, 0, 1_000)
	require.NoError(t, err)
	for i := range records {
		_, err := b.js.Publish(ctx, relay.Subject(1, records[i].Stream), records[i].Encode())
		require.NoError(t, err)
	}
	for _, seq := range []uint64{20, 30, 31, uint64(b.head())} {
		require.NoError(t, stream.DeleteMsg(ctx, seq))
	}
	b.js = silent{b.js}
	report := b.verify()
	finds(t, report, "stream", 20, "The stream lacks the message.")
	finds(t, report, "stream", 30, "The stream lacks the messages from 30 to 31.")
	finds(t, report, "stream", b.head(), "The stream lacks the message.")
	require.EqualValues(t, 3, report.Find("stream").Violations)
}

func TestAStreamThatIsBehindTheLedgerSaysHowFarItIsCompared(t *testing.T) {
	t.Parallel()
	b := kept(t)
	b.relay()
	before := b.head()
	b.do(contribute("bisi", 1))
	report := b.verify()
	require.Empty(t, all(report))
	require.Equal(t, before, report.Find("stream").Looked)
	require.Equal(t, "the relay has not published 1 of the latest events yet", report.Find("stream").Said)
}
