package boot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/base/apart"
	"adashi.ng/ledger/base/durable"
	"adashi.ng/ledger/base/pgchild"
	"adashi.ng/ledger/infra/keyframes"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/relay"
	"adashi.ng/ledger/infra/roles"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/jobs"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/privatenats"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/vault"
)

// sayRecovering says why a start takes long.
func sayRecovering(so time.Duration) {
	slog.Warn("Postgres was not shut down the last time and recovers what it wrote; please wait", "for", so.Round(time.Second))
}

// sayRestart says what becomes of a private Postgres that ended while we ran.
func sayRestart(err error) {
	if err != nil {
		slog.Error("the database does not answer: Postgres is started again; nothing is taken meanwhile", "error", err)
		return
	}
	slog.Warn("Postgres was started again and answers; what was acknowledged is there")
}

// openPostgres connects to DATABASE_URL, or starts a private server in the data folder.
func (i *Instance) openPostgres(ctx context.Context) error {
	url := i.Config.DatabaseURL.Reveal()
	if url == "" {
		if err := i.claimFolder(); err != nil {
			return err
		}
		child, err := pgchild.Start(ctx, pgchild.Options{Dir: i.postgresDir(), Recovering: sayRecovering})
		if err != nil {
			return err
		}
		var keeping sync.WaitGroup
		i.onStop(func() { child.Stop(); keeping.Wait() })
		keeping.Go(func() { child.Keep(sayRestart) })
		if err := i.nameFolder(); err != nil {
			return err
		}
		url = child.URL("postgres")
	}
	pc, err := pgxpool.ParseConfig(url)
	if err != nil {
		return errors.New("DATABASE_URL cannot be read as a Postgres connection string")
	}
	tune(pc, 24)
	if i.Config.DialDatabase != nil {
		pc.ConnConfig.DialFunc = i.Config.DialDatabase
	}
	if i.Config.ByHand { // What Postgres leaves to chance is the same each time.
		pc.ConnConfig.RuntimeParams["seed"] = "0.5"
	}
	if i.Pool, err = pgxpool.NewWithConfig(ctx, pc); err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	i.onStop(i.Pool.Close)
	i.measure("shared", i.Pool)
	return mustBeDurable(ctx, i.Pool)
}

// tune gives a pool at least least connections, and sets on each connection what our statements need, whatever the
// server's own settings are. The other pools, and package apart, copy this configuration.
func tune(pc *pgxpool.Config, least int32) {
	pc.MaxConns = max(pc.MaxConns, least)
	// To hold the constraints of the events against a statement takes longer than to read a batch of them. Partitions
	// are left out without that.
	pc.ConnConfig.RuntimeParams["constraint_exclusion"] = "off"
	// Postgres would spend seconds on compiling a statement over many partitions that runs in milliseconds.
	pc.ConnConfig.RuntimeParams["jit"] = "off"
}

// mustBeDurable refuses a database that would lose what it acknowledged.
func mustBeDurable(ctx context.Context, pool *pgxpool.Pool) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for _, setting := range []string{"fsync", "full_page_writes", "synchronous_commit"} {
		var value string
		if err := pool.QueryRow(ctx, "SELECT current_setting($1)", setting).Scan(&value); err != nil {
			return errors.New("the database does not answer: " + strings.Join(strings.Fields(err.Error()), " ")) // pgx writes it over several lines.
		}
		if value == "off" {
			return fmt.Errorf("the database runs with %s off and could lose money that it acknowledged; turn it on", setting)
		}
	}
	return nil
}

// migrate brings every table to this build's version. Processes that start at once take turns.
func (i *Instance) migrate(ctx context.Context) error {
	conn, end, err := apart.Connect(ctx, i.Pool)
	if err != nil {
		return err
	}
	defer end()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(hashtext('adashi migrations'))"); err != nil {
		return err
	}
	for _, step := range []func(context.Context, *pgxpool.Pool) error{
		store.Migrate, proofs.Migrate, people.Migrate, mail.Migrate, sandbox.Migrate, items.Migrate, app.Migrate, jobs.Migrate, vault.Migrate, keyframes.Migrate,
	} {
		if err := step(ctx, i.Pool); err != nil {
			return err
		}
	}
	return GrantRoles(ctx, i.Pool)
}

// as opens a pool that works under one of the ledger's roles.
func (i *Instance) as(ctx context.Context, role string, most int32) (*pgxpool.Pool, error) {
	pool, err := roles.Pool(ctx, i.Pool, role, most)
	if err == nil {
		i.measure(strings.TrimPrefix(role, "adashi_"), pool)
		i.onStop(pool.Close)
	}
	return pool, err
}

// measure has the metrics tell of a pool.
func (i *Instance) measure(name string, pool *pgxpool.Pool) {
	if i.pools == nil {
		i.pools = map[string]*pgxpool.Pool{}
	}
	i.pools[name] = pool
}

// openNATS connects to NATS_URL, or starts a server inside this process that nobody else can reach.
func (i *Instance) openNATS(ctx context.Context) error {
	options := []nats.Option{nats.Name("adashi"), nats.MaxReconnects(-1), nats.RetryOnFailedConnect(true)}
	url := i.Config.NATSURL.Reveal()
	if url == "" {
		if err := durable.MakeFolder(i.natsDir(), 0o750); err != nil {
			return fmt.Errorf("embedded NATS: %w", err)
		}
		i.ownBus = &ownBus{dir: i.natsDir()}
		if err := i.ownBus.open(ctx); err != nil {
			return err
		}
		i.onStop(func() { privatenats.Stop(i.ownBus.present.Load()) })
		options = append(options, nats.InProcessServer(i.ownBus))
	}
	var err error
	if i.bus, err = nats.Connect(url, options...); err != nil {
		return fmt.Errorf("NATS_URL: %w", err)
	}
	i.onStop(i.bus.Close)
	if i.JS, err = jetstream.New(i.bus, jetstream.WithPublishAsyncTimeout(relay.AckMax)); err != nil || url != "" {
		return err
	}
	return privatenats.Mend(ctx, i.JS, i.natsDir())
}
