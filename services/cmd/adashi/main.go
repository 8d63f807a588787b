// Command adashi runs Adashi: everything at once, or one role of it.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/demo"
)

// commands are what a person can type.
type commands struct {
	Up        up        `cmd:"" help:"Run everything in one process: a private Postgres and NATS unless DATABASE_URL and NATS_URL name others, the API, the web app, the sandbox bank, the relay, the read models and the jobs."`
	API       api       `cmd:"" help:"Run the HTTP API and the web app alone."`
	Relay     relay     `cmd:"" help:"Run the relay from Postgres to JetStream alone."`
	Projector projector `cmd:"" help:"Run the read models alone."`
	Jobs      jobs      `cmd:"" help:"Run the scheduled jobs alone."`
	Role      role      `cmd:"" help:"Say who may do what."`

	Clock clockCommand `cmd:"" help:"Say that the machine's clock is right."`

	Witness witnessCommand `cmd:"" help:"Be a witness of somebody else's ledger: sign what continues what you saw of it."`

	Ledger ledgerCommands `cmd:"" help:"Verify, replay, export, restore and prove the ledger, also while it runs."`
}

type (
	up struct {
		Demo bool `help:"Fill an empty ledger with three groups, a dozen members and six months of history, and print the logins."`
	}
	api       struct{}
	relay     struct{}
	projector struct{}
	jobs      struct{}
)

func (c up) Run() error {
	if !c.Demo {
		return run(boot.All, nil)
	}
	return run(demo.Roles, func(ctx context.Context, i *boot.Instance) error {
		logins, err := demo.Seed(ctx, i)
		for _, login := range logins {
			fmt.Println(login)
		}
		if err != nil {
			return err
		}
		return i.StartJobs(ctx)
	})
}

func (api) Run() error       { return run(boot.Roles{API: true}, nil) }
func (relay) Run() error     { return run(boot.Roles{Relay: true}, nil) }
func (projector) Run() error { return run(boot.Roles{Projector: true}, nil) }
func (jobs) Run() error      { return run(boot.Roles{Jobs: true}, nil) }

func main() {
	boot.Tune()
	var c commands
	k := kong.Parse(&c, kong.Name("adashi"), kong.Description("Group savings, ajo and wallets on an open ledger."), kong.UsageOnError())
	if err := k.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "adashi:", err)
		os.Exit(1)
	}
}

// run keeps a process going until it is told to stop or a part of it ends.
func run(roles boot.Roles, then func(context.Context, *boot.Instance) error) error {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, nil)))
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	cfg, err := config.Load()
	if err != nil {
		return err
	}
	if err := cfg.NeedsKey(roles.API || roles.Jobs); err != nil {
		return err
	}
	if err := cfg.NeedsVaultKey(); err != nil && (roles.API || roles.Jobs) {
		return err
	}
	instance, err := boot.Start(ctx, cfg, roles)
	if err != nil {
		return err
	}
	defer instance.Stop()
	if then != nil {
		if err := then(ctx, instance); err != nil {
			return err
		}
	}
	fmt.Println("Adashi is ready at", instance.Config.PublicURL)
	select {
	case <-ctx.Done():
		return nil
	case err := <-instance.Failed():
		return err
	}
}
