// Package boot puts a process together from its parts: everything at once (adashi up), or some roles against a
// Postgres and a NATS of their own. Its Instance is what the binary runs and what end-to-end tests open.
package boot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/durable"
	"adashi.ng/ledger/domain/incoming"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/refusals"
	"adashi.ng/ledger/infra/relay"
	"adashi.ng/ledger/infra/roles"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/engine/pacer"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/beacon"
	beaconsandbox "adashi.ng/services/internal/beacon/sandbox"
	"adashi.ng/services/internal/checks"
	"adashi.ng/services/internal/clocks"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/files"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/leaving"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/metrics"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/profile"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/vault"
)

// Roles say what a process does.
type Roles struct {
	API       bool // HTTP, and the appender behind it.
	Relay     bool
	Projector bool
	Jobs      bool
}

// All is every role: adashi up.
var All = Roles{API: true, Relay: true, Projector: true, Jobs: true}

// Instance is a running process. Stop ends it.
type Instance struct {
	Config  config.Config
	Pool    *pgxpool.Pool
	JS      jetstream.JetStream
	Engine  *engine.Engine
	App     *app.App
	People  *people.Service
	Vault   *vault.Vault
	Files   *files.Store
	Profile *profile.Service
	Leaving *leaving.Service
	Bank    *sandbox.Bank  // Nil on live rails.
	Beacon  *beacon.Client // What ajo are drawn from. Nil where neither the API nor jobs run.
	Address string         // http://127.0.0.1:port. Without the API role only its health is served there.

	// TestBeacon is the sandbox's own beacon; nil where the sandbox is not served.
	TestBeacon *beaconsandbox.Server

	roles    Roles
	adapters []rails.Adapter
	rails    *rails.Registry
	secrets  config.Generated
	keys     proofs.Keys
	bus      *nats.Conn
	ownBus   *ownBus // Nil where NATS_URL names another.
	ledger   *store.Store
	tracker  *engine.Tracker
	metrics  *metrics.Metrics
	pools    map[string]*pgxpool.Pool // Opened while starting, for the metrics.
	checks   *checks.Board
	taken    taken
	clocks   atomic.Pointer[clocks.Clocks] // Nil where a test moves the clock.
	agreement
	ready   atomic.Bool
	failed  chan error
	closers []func()
	stop    sync.Once
}

// Start starts a process and answers once it is ready. On an error nothing is left running. The adapters are those of
// further providers, which come before those of the configuration.
func Start(ctx context.Context, cfg config.Config, roles Roles, adapters ...rails.Adapter) (*Instance, error) {
	i := &Instance{Config: cfg, roles: roles, adapters: adapters, failed: make(chan error, 8)}
	i.checks = checks.New(i.Now)
	if err := i.start(ctx); err != nil {
		i.Stop()
		return nil, err
	}
	i.ready.Store(true)
	return i, nil
}

func (i *Instance) start(ctx context.Context) error {
	if err := enoughFiles(); err != nil {
		return err
	}
	if err := durable.MakeFolder(i.Config.Data, 0o755); err != nil {
		return fmt.Errorf("ADASHI_DATA: %w", err)
	}
	var err error
	if i.secrets, err = i.Config.Secrets(); err != nil {
		return err
	}
	if err := i.readKeys(); err != nil {
		return err
	}
	listener, err := i.listen()
	if err != nil {
		return err
	}
	i.onStop(func() { _ = listener.Close() })
	for _, step := range []func(context.Context) error{i.openPostgres, i.migrate, i.keepKind, i.keepIdentityKey, i.openNATS, i.agree, i.refillOwnStream, i.openClocks, i.openLedger} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	var relaying *pgxpool.Pool
	if i.roles.Relay { // Opened first, so that it is closed once nothing uses it any more.
		if relaying, err = i.as(ctx, roles.Relay, 4); err != nil {
			return err
		}
	}
	background, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	i.onStop(func() { cancel(); running.Wait() })
	if i.roles.Relay {
		if err := i.openRelay(background, &running, relaying); err != nil {
			return err
		}
	}
	if i.roles.Projector {
		running.Go(func() { i.Engine.Run(background, i.JS, i.streamName) })
	}
	if err := i.openServices(background, &running); err != nil {
		return err
	}
	if i.roles.API {
		// A version of a read model that our queries cannot read is rebuilt first, here or by another projector.
		if err := i.Engine.AwaitServing(ctx); err != nil {
			return err
		}
		return i.serve(ctx, listener)
	}
	i.open(httpapi.Server(httpapi.Health(i.Standing, i.metrics.Handler())), listener)
	return nil
}

// open serves until the process stops.
func (i *Instance) open(server *http.Server, listener net.Listener) {
	go func() {
		if err := server.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) {
			i.fail(err)
		}
	}()
	i.onStop(func() { shutdown(server) })
}

// onStop has something done when the process stops; last asked, first done.
func (i *Instance) onStop(f func()) { i.closers = append(i.closers, f) }

// Stop drains and ends everything.
func (i *Instance) Stop() {
	i.stop.Do(func() {
		i.ready.Store(false)
		for n := len(i.closers) - 1; n >= 0; n-- {
			i.closers[n]()
		}
	})
}

// Failed receives when a part that the process cannot do without has ended.
func (i *Instance) Failed() <-chan error { return i.failed }

func (i *Instance) fail(err error) {
	select {
	case i.failed <- err:
	default:
	}
}

// portsTried is how many ports after the default are tried when it is taken.
const portsTried = 50

// listen takes the port that was asked for; only the default moves on to the next free one.
func (i *Instance) listen() (net.Listener, error) {
	port := i.Config.Port
	listener, err := net.Listen("tcp", net.JoinHostPort(i.Config.Host, strconv.Itoa(port))) //nolint:noctx // It waits for nothing.
	for n := 1; err != nil && !i.Config.PortGiven && n <= portsTried; n++ {
		listener, err = net.Listen("tcp", net.JoinHostPort(i.Config.Host, strconv.Itoa(port+n))) //nolint:noctx // As above.
	}
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("ADASHI_PORT: port %d is taken; choose another, or 0 for any free one", port)
	}
	if err != nil {
		return nil, fmt.Errorf("ADASHI_HOST and ADASHI_PORT: cannot listen on %s port %d: %w", i.Config.Host, port, err)
	}
	got := listener.Addr().(*net.TCPAddr).Port
	if port != 0 && got != port {
		slog.Warn("the default port is taken; using the next free one", "port", got)
	}
	i.Address = "http://127.0.0.1:" + strconv.Itoa(got)
	if i.Config.PublicURL == "" {
		i.Config.PublicURL = i.Address
	}
	return listener, nil
}

// readKeys takes the ledger's keys from the environment or the generated secrets. Whoever seals needs the private one,
// and a checkpoint file that can be written.
func (i *Instance) readKeys() (err error) {
	if i.keys, err = i.Config.LedgerKeys(i.secrets); err != nil || !i.roles.Relay {
		return err
	}
	if !i.keys.Current.CanSign() {
		return errors.New("ADASHI_LEDGER_KEY must be the private key where the relay runs: it signs the ledger's checkpoints")
	}
	if err := durable.Touch(i.Config.CheckpointFile(), 0o644); err != nil {
		return fmt.Errorf("ADASHI_CHECKPOINTS: %w", err)
	}
	return nil
}

func (i *Instance) openLedger(ctx context.Context) error {
	projector, err := i.as(ctx, roles.Projector, 12)
	if err != nil {
		return err
	}
	i.Engine = engine.New(engine.Options{
		Pool: projector, Source: history.Source(projector), Bus: i.bus, Models: projections.All(), Clock: i.Now,
		Head:    history.Heads(projector),
		Observe: func(model string, events int, took time.Duration) { i.metrics.Fold(model, events, took) },
	})
	i.metrics = metrics.New(metrics.Options{
		Pools:  func() map[string]*pgxpool.Pool { return i.pools },
		Checks: i.Standing, Status: i.Engine.Status, RelaySequence: i.relaySequence, Token: i.Config.MetricsToken.Reveal(), Loopback: i.Config.Loopback(),
		Mail: func(ctx context.Context) (int, int, error) {
			counts, err := mail.Count(ctx, i.Pool)
			return counts.Queued, counts.GivenUp, err
		},
	})
	if err := i.Engine.Prepare(ctx); err != nil {
		return err
	}
	if i.tracker, err = engine.NewTracker(ctx, i.Pool, i.bus); err != nil {
		return err
	}
	if i.Config.ByHand {
		i.tracker.Fold = i.Engine.CatchUp
	}
	if i.roles.API || i.roles.Jobs {
		appender, err := i.as(ctx, roles.Appender, 6)
		if err != nil {
			return err
		}
		i.ledger = store.Open(store.Postgres(appender, 0), ledger.Aggregates(), store.Options{
			Clock: i.Now, Around: incoming.Around, Pace: pacer.New(i.tracker).Wait, Hold: i.hold, Sealing: refusals.KeyFrom(i.Config.IdentityBytes(i.secrets)),
		})
		i.onStop(i.ledger.Close)
	}
	i.addChecks()
	return nil
}

// openRelay starts the relay, and the sealer beside it.
func (i *Instance) openRelay(ctx context.Context, running *sync.WaitGroup, pool *pgxpool.Pool) error {
	sealer, err := proofs.NewSealer(pool, i.keys, proofs.SealerOptions{File: i.Config.CheckpointFile(), Clock: i.Now, Ahead: func(ctx context.Context, epoch int, why error) {
		if _, err := history.Part(ctx, pool, epoch, history.Parting{Why: why.Error(), At: i.Now().UTC()}); err != nil {
			slog.ErrorContext(ctx, "appends could not be stopped", "error", err)
		}
	}})
	if err != nil {
		return err
	}
	running.Go(func() { sealer.Run(ctx) })
	if i.ownBus != nil {
		running.Go(func() { i.keepOwnBus(ctx, i.ownBus) })
	}
	running.Go(func() { i.relay(ctx, pool) })
	return nil
}

func (i *Instance) relay(ctx context.Context, pool *pgxpool.Pool) {
	var wake <-chan struct{}
	if i.ledger != nil {
		wake = i.ledger.Committed()
	}
	if err := relay.Run(ctx, pool, i.JS, relay.Options{Wake: wake, Clock: i.Now, Replicas: i.Config.NATSReplicas}); err != nil {
		i.fail(fmt.Errorf("relay: %w", err))
	}
}

// streamName answers the stream of the ledger's epoch, made if it is missing.
func (i *Instance) streamName(ctx context.Context) (string, error) {
	stream, err := relay.CurrentStream(ctx, i.Pool, i.JS, i.Config.NATSReplicas)
	if err != nil {
		return "", err
	}
	return stream.CachedInfo().Config.Name, nil
}

// relaySequence answers the last sequence of the epoch's stream.
func (i *Instance) relaySequence(ctx context.Context) (uint64, error) {
	epoch, _, err := history.Head(ctx, i.Pool)
	if err != nil {
		return 0, err
	}
	stream, err := i.JS.Stream(ctx, relay.StreamName(epoch))
	if err != nil {
		return 0, err
	}
	return stream.CachedInfo().State.LastSeq, nil
}

func (i *Instance) postgresDir() string { return filepath.Join(i.Config.Data, "postgres") }
func (i *Instance) natsDir() string     { return filepath.Join(i.Config.Data, "nats") }

func overTLS(url string) bool { return strings.HasPrefix(url, "https://") }

// drainMax is how long requests in flight may take to end.
const drainMax = 10 * time.Second

func shutdown(server *http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), drainMax)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		_ = server.Close()
	}
}
