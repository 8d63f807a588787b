package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/relay"
)

const (
	backlog = 200_000 // Events to catch up on.
	lagRate = 1000    // Appends a second.
)

var relaying = benchmark{name: "relay", run: relayAll, rows: []spec{
	{"relay", "events/s", bar{ratio: 0.50}},
	{"relay-lag", "events/s", bar{p99: 20}},
}}

// relayAll measures the relay while it empties a backlog of real events into a stream, from its start until the
// stream's last sequence is the head, against asynchronous publishing of equal messages to another stream of the same
// kind on the same server. Then it measures the time from an append's start until a consumer has the event, at 1,000
// appends a second.
func relayAll(ctx context.Context, w *world) ([]row, error) {
	if err := w.populate(ctx, crowd); err != nil {
		return nil, err
	}
	head, err := w.grow(ctx, backlog)
	if err != nil {
		return nil, err
	}
	bus, stop, err := w.nats()
	if err != nil {
		return nil, err
	}
	defer stop()
	js, err := jetstream.New(bus)
	if err != nil {
		return nil, err
	}
	limit, err := w.published(ctx, js, int(head))
	if err != nil {
		return nil, err
	}
	relaying, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	defer func() { cancel(); <-ended }()
	forgetPeak()
	began := time.Now()
	go func() {
		ended <- relay.Run(relaying, w.pool, js, relay.Options{Wake: w.ledger.Committed(), Clock: time.Now})
	}()
	if err := reached(ctx, js, relay.StreamName(1), head); err != nil {
		return nil, err
	}
	ours := sample{rate: float64(head) / time.Since(began).Seconds(), rss: peakMB()}
	lag, err := w.lag(ctx, js, head)
	return []row{ours.row("relay", limit), lag.row("relay-lag", 0)}, err
}

// nats starts a server with JetStream as adashi up configures it, inside this process, and connects to it.
func (w *world) nats() (*nats.Conn, func(), error) {
	embedded, err := server.NewServer(&server.Options{ServerName: "bench", DontListen: true, JetStream: true, StoreDir: filepath.Join(w.dir, "nats"), NoSigs: true, NoLog: true})
	if err != nil {
		return nil, nil, err
	}
	go embedded.Start()
	stop := func() { embedded.Shutdown(); embedded.WaitForShutdown() }
	if !embedded.ReadyForConnections(10 * time.Second) {
		stop()
		return nil, nil, errors.New("the embedded NATS did not start")
	}
	bus, err := nats.Connect("", nats.InProcessServer(embedded))
	if err != nil {
		stop()
		return nil, nil, err
	}
	return bus, func() { bus.Close(); stop() }, nil
}

// published is the limit: so many messages, repeating the bytes of the ledger's last thousand events.
func (w *world) published(ctx context.Context, js jetstream.JetStream, n int) (float64, error) {
	records, err := history.Read(ctx, w.pool, int64(n)-1000, 1000)
	if err != nil {
		return 0, err
	}
	messages := make([][]byte, len(records))
	for i := range records {
		messages[i] = records[i].Encode()
	}
	if _, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "LIMIT", Subjects: []string{"limit.>"}, Storage: jetstream.FileStorage}); err != nil {
		return 0, err
	}
	began := time.Now()
	for i := range n {
		if _, err := js.PublishMsgAsync(&nats.Msg{Subject: "limit.dues", Data: messages[i%len(messages)]}); err != nil {
			return 0, err
		}
	}
	select {
	case <-js.PublishAsyncComplete():
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	if err := reached(ctx, js, "LIMIT", int64(n)); err != nil {
		return 0, err
	}
	rate := float64(n) / time.Since(began).Seconds()
	return rate, js.DeleteStream(ctx, "LIMIT")
}

// reached waits until a stream's last sequence is the given one.
func reached(ctx context.Context, js jetstream.JetStream, name string, sequence int64) error {
	for {
		stream, err := js.Stream(ctx, name)
		if err == nil && stream.CachedInfo().State.LastSeq >= uint64(sequence) {
			return nil
		}
		if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return err
		}
		if err := wait(ctx, 5*time.Millisecond); err != nil {
			return fmt.Errorf("%s did not reach %d: %w", name, sequence, err)
		}
	}
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// lag measures each event from when its append was due until a consumer of the stream has it.
func (w *world) lag(ctx context.Context, js jetstream.JetStream, head int64) (sample, error) {
	const lasting = 2 * measured
	total := int(lagRate * (warmUp + lasting).Seconds())
	arrived := make([]atomic.Int64, total) // Nanoseconds since the epoch, by position after the head.
	consumer, err := js.OrderedConsumer(ctx, relay.StreamName(1), jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverNewPolicy})
	if err != nil {
		return sample{}, err
	}
	consuming, err := consumer.Consume(func(m jetstream.Msg) {
		r, err := event.DecodeRecord(m.Data())
		if at := r.Pos - head - 1; err == nil && at >= 0 && at < int64(total) {
			arrived[at].Store(time.Now().UnixNano())
		}
	})
	if err != nil {
		return sample{}, err
	}
	defer consuming.Stop()
	due := make([]int64, total) // By position after the head.
	appended, err := paced(ctx, lagRate, lasting, func(n int) error {
		start := time.Now().UnixNano()
		result, err := w.ledger.Append(ctx, w.contribution(n))
		if err == nil {
			due[result.Position()-head-1] = start
		}
		return err
	})
	if err != nil {
		return sample{}, err
	}
	appended.latencies = nil
	for at := range total {
		for arrived[at].Load() == 0 {
			if err := wait(ctx, time.Millisecond); err != nil {
				return sample{}, fmt.Errorf("position %d did not arrive: %w", head+1+int64(at), err)
			}
		}
		if at >= lagRate*int(warmUp.Seconds()) {
			appended.latencies = append(appended.latencies, time.Duration(arrived[at].Load()-due[at]))
		}
	}
	slices.SortFunc(appended.latencies, cmp.Compare[time.Duration])
	return appended, nil
}
