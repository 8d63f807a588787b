package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"adashi.ng/ledger"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/boot"
)

type ledgerPartitions struct {
	List   ledgerPartitionsList   `cmd:"" default:"1" help:"List every partition there ever was."`
	Detach ledgerPartitionsDetach `cmd:"" help:"Take the oldest partition out of the events, to be kept elsewhere."`
	Attach ledgerPartitionsAttach `cmd:"" help:"Put a partition back, after holding every row against what was sealed."`
}

type ledgerPartitionsList struct {
	JSON bool `name:"json" help:"Print JSON."`
}

func (c ledgerPartitionsList) Run() error {
	return visit(func(ctx context.Context, v *boot.Visit) error {
		all, err := history.Partitions(ctx, v.Pool)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(all)
		}
		rows := [][]any{{"partition", "from", "to", "state"}}
		for _, p := range all {
			state := "attached"
			switch {
			case !p.Attached && p.Present:
				state = "detached, its table is here"
			case !p.Attached:
				state = "archived elsewhere"
			}
			rows = append(rows, []any{p.Name, p.From, p.To - 1, state})
		}
		table(os.Stdout, rows...)
		return nil
	})
}

type ledgerPartitionsDetach struct {
	Name string `arg:"" help:"The partition: the oldest that is attached."`
}

// Help implements kong.HelpProvider.
func (ledgerPartitionsDetach) Help() string {
	return `The partition must be sealed by a checkpoint, and the stream and every read model must be beyond it. Its table stays in
the database until you dump and drop it; what is decided from then on stands on snapshots of its streams. What every
account held at its end is signed, so that nobody can say later that it held more. Proofs of its events can still be made.

  adashi ledger partitions
  adashi ledger partitions detach events_000001
  pg_dump --table events_000001 … > events_000001.sql`
}

func (c ledgerPartitionsDetach) Run() error {
	return signed(func(ctx context.Context, v *boot.Visit) error {
		p, err := partition(ctx, v, c.Name)
		if err != nil {
			return err
		}
		if !p.Attached {
			return fmt.Errorf("%s is detached already", p.Name)
		}
		if err := c.mayGo(ctx, v, p); err != nil {
			return err
		}
		// What is detached as it was sealed can be attached again.
		progress := newBar("verifying " + p.Name)
		err = audit.Partition(ctx, v.Pool, v.Keys, p, progress.to)
		progress.end()
		if err != nil {
			return err
		}
		if err := audit.Close(ctx, v.Pool, v.Keys, v.Config.CheckpointFile(), p, v.Config.Now()); err != nil {
			return err
		}
		streams := newBar("writing down states")
		err = store.Detach(ctx, v.Pool, ledger.Aggregates(), p.Name, func(n int) { streams.to(int64(n), max(int64(n)+1, p.To-p.From)) })
		streams.end()
		if err != nil {
			return err
		}
		fmt.Printf("%s, positions %d to %d, is detached. Its table is still in the database.\n", p.Name, p.From, p.To-1)
		return nil
	})
}

// mayGo holds that nobody still needs to read the partition.
func (ledgerPartitionsDetach) mayGo(ctx context.Context, v *boot.Visit, p history.Partition) error {
	last := p.To - 1
	latest, err := proofs.NewReader(v.Pool, v.Keys).Latest(ctx)
	if err != nil && !errors.Is(err, proofs.ErrNone) {
		return err
	}
	if latest.Size < last {
		return fmt.Errorf("%s ends at position %d, and the ledger is sealed up to %d only", p.Name, last, latest.Size)
	}
	least, err := v.LeastModel(ctx)
	if err != nil {
		return err
	}
	if least.Position < last {
		return fmt.Errorf("%s ends at position %d, and the read model %s stands at %d only", p.Name, last, least.Model, least.Position)
	}
	v.OpenStream(ctx)
	streamed, err := v.Streamed(ctx)
	if err != nil {
		return fmt.Errorf("whether the stream is beyond %s cannot be told: %w", p.Name, err)
	}
	if streamed < last {
		return fmt.Errorf("%s ends at position %d, and the stream at %d only", p.Name, last, streamed)
	}
	return nil
}

type ledgerPartitionsAttach struct {
	Name string `arg:"" help:"The partition: the newest that is detached."`
}

// Help implements kong.HelpProvider.
func (ledgerPartitionsAttach) Help() string {
	return `Its table must be in the database: restore it from your dump first. Every row's leaf is recomputed and held against the
sealed tree; one that was changed is refused with its position.

  adashi ledger partitions attach events_000001`
}

func (c ledgerPartitionsAttach) Run() error {
	return signed(func(ctx context.Context, v *boot.Visit) error {
		p, err := partition(ctx, v, c.Name)
		if err != nil {
			return err
		}
		if p.Present && !p.Attached {
			progress := newBar("verifying " + p.Name)
			err := audit.Partition(ctx, v.Pool, v.Keys, p, progress.to)
			progress.end()
			if err != nil {
				return err
			}
		}
		if err := store.Attach(ctx, v.Pool, p.Name); err != nil {
			return err
		}
		fmt.Printf("%s, positions %d to %d, is attached: every row is what was sealed.\n", p.Name, p.From, p.To-1)
		return nil
	})
}

func partition(ctx context.Context, v *boot.Visit, name string) (history.Partition, error) {
	all, err := history.Partitions(ctx, v.Pool)
	for _, p := range all {
		if p.Name == name {
			return p, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("there is no partition %s: adashi ledger partitions lists them", name)
	}
	return history.Partition{}, err
}
