package boot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/base/pgchild"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/refusals"
	beaconsandbox "adashi.ng/services/internal/beacon/sandbox"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/privatenats"
)

// Visit is the ledger of an installation, opened for a command that ends, beside whatever runs on it. Nothing is
// migrated, and nothing runs in it.
type Visit struct {
	Config   config.Config
	Pool     *pgxpool.Pool
	Keys     proofs.Keys
	beacons  []draw.Beacon       // What is drawn from beside quicknet: the sandbox's.
	identity []byte              // Proves where payments are to be paid, and seals refusals; nil when it is not given here.
	JS       jetstream.JetStream // Nil when NoStream says why.
	NoStream string
	running  bool // Another process runs the data folder.
	closers  []func()
}

// OpenVisit connects to DATABASE_URL, or to the private Postgres of the data folder: to the one that a running adashi
// has there, else to one that is started for the duration. It fails when the folder holds no ledger.
func OpenVisit(ctx context.Context, cfg config.Config) (*Visit, error) {
	v := &Visit{Config: cfg, NoStream: "this command does not look at it"}
	if err := v.open(ctx); err != nil {
		v.Close()
		return nil, err
	}
	return v, nil
}

func (v *Visit) open(ctx context.Context) error {
	url, err := v.database(ctx)
	if err != nil {
		return err
	}
	var generated config.Generated
	if v.Config.DatabaseURL == "" {
		if generated, err = v.Config.Secrets(); err != nil {
			return err
		}
	}
	if v.Keys, err = v.Config.LedgerKeys(generated); err != nil {
		return err
	}
	v.identity = v.Config.IdentityBytes(generated)
	if err := v.sandboxBeacon(generated); err != nil {
		return err
	}
	pool, err := pgxpool.ParseConfig(url)
	if err != nil {
		return errors.New("DATABASE_URL cannot be read as a Postgres connection string")
	}
	tune(pool, 8)
	if v.Pool, err = pgxpool.NewWithConfig(ctx, pool); err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	v.closers = append(v.closers, v.Pool.Close)
	return v.holdsLedger(ctx)
}

// sandboxBeacon notes what a sandbox draws from. Its key follows from a secret of the data folder: beside DATABASE_URL
// it is not known, and what it drew is taken as it is recorded.
func (v *Visit) sandboxBeacon(generated config.Generated) error {
	if v.Config.Rail != config.RailSandbox {
		return nil
	}
	b := draw.Beacon{Test: true}
	if generated.SandboxConsumerSecret != "" {
		server, err := beaconsandbox.New(generated.SandboxConsumerSecret, nil)
		if err != nil {
			return fmt.Errorf("the sandbox's beacon: %w", err)
		}
		b = server.Beacon()
	}
	v.beacons = []draw.Beacon{b}
	return nil
}

// database finds the database, or starts it.
func (v *Visit) database(ctx context.Context) (string, error) {
	if url := v.Config.DatabaseURL.Reveal(); url != "" {
		return url, nil
	}
	dir := filepath.Join(v.Config.Data, "postgres")
	if _, err := os.Stat(dir); err != nil {
		return "", fmt.Errorf("there is no ledger in %s: set ADASHI_DATA to the folder of one, or DATABASE_URL", v.Config.Data)
	}
	child, err := pgchild.Start(ctx, pgchild.Options{Dir: dir, Recovering: sayRecovering})
	if errors.Is(err, pgchild.ErrInUse) {
		v.running = true
		return pgchild.Running(dir, "postgres")
	}
	if err != nil {
		return "", err
	}
	v.closers = append(v.closers, child.Stop)
	return child.URL("postgres"), nil
}

func (v *Visit) holdsLedger(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	var there bool
	if err := v.Pool.QueryRow(ctx, "SELECT to_regclass('ledger_head') IS NOT NULL AND to_regclass('ledger_partitions') IS NOT NULL AND to_regclass('ledger_tiles') IS NOT NULL").Scan(&there); err != nil {
		return errors.New("the database does not answer: " + oneLine(err))
	}
	if !there {
		return errors.New("the database holds no ledger of this version: start adashi on it once")
	}
	return nil
}

// oneLine is an error without the line breaks that pgx writes.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// Sealing is the key that seals the refusals; nil when the identity key is not given here.
func (v *Visit) Sealing() refusals.Key { return refusals.KeyFrom(v.identity) }

// OpenStream connects to NATS_URL, or to the data folder's own JetStream when nobody runs it. When it cannot, NoStream
// says why: a ledger is worth looking at without its stream.
func (v *Visit) OpenStream(ctx context.Context) {
	url := v.Config.NATSURL.Reveal()
	options := []nats.Option{nats.Name("adashi ledger"), nats.Timeout(5 * time.Second)}
	if url == "" {
		dir := filepath.Join(v.Config.Data, "nats")
		switch _, err := os.Stat(dir); {
		case v.Config.DatabaseURL != "":
			v.NoStream = "NATS_URL is not set"
			return
		case v.running:
			v.NoStream = "the NATS inside the adashi that runs on " + v.Config.Data + " takes no visitors: stop it first, or use NATS_URL"
			return
		case err != nil:
			v.NoStream = "there is no stream in " + v.Config.Data
			return
		}
		embedded, err := privatenats.Start(ctx, dir)
		if err != nil {
			v.NoStream = oneLine(err)
			return
		}
		v.closers = append(v.closers, func() { privatenats.Stop(embedded) })
		options = append(options, nats.InProcessServer(embedded))
	}
	bus, err := nats.Connect(url, options...)
	if err != nil {
		v.NoStream = "NATS does not answer: " + oneLine(err)
		return
	}
	v.closers = append(v.closers, bus.Close)
	if v.JS, err = jetstream.New(bus); err != nil {
		v.NoStream = oneLine(err)
	}
}

// Close ends the visit and whatever was started for it.
func (v *Visit) Close() {
	for n := len(v.closers) - 1; n >= 0; n-- {
		v.closers[n]()
	}
}
