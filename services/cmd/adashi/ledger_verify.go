package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"adashi.ng/ledger"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/services/internal/boot"
)

type ledgerVerify struct {
	JSON     bool `name:"json" help:"Print the report as JSON."`
	NoStream bool `help:"Do not look at the stream in JetStream."`
	Deep     bool `help:"Decide all events again by the rules, too."`
	NoModels bool `help:"Do not look at the read models."`
	List     int  `default:"20" help:"How many violations of each check are listed."`
}

// Help implements kong.HelpProvider.
func (ledgerVerify) Help() string {
	return `Reads every event once, recomputes what follows from it and holds that against what is stored: positions, leaf
hashes, Merkle tiles, signed checkpoints and the checkpoint file, versions, postings, balances, transitions, bank
references, commands, refusals, accounts, snapshots, epochs, the stream, the read models, what proofs of reserves committed to,
what disputes hold, months that are closed, when lists were sealed and what witnesses signed. It works beside a running ledger:
one snapshot, read-only, no locks. It needs about 100 MB for a million streams. With --deep the rules decide every event
again from what was there before it, so that one is found which they would not have allowed; events of which no command
is known are counted. That holds the state of every stream in memory.

It exits with 1 when it finds a violation, and lists each with its position.

  adashi ledger verify
  adashi ledger verify --deep
  adashi ledger verify --json --no-models > report.json
  DATABASE_URL=postgres://… ADASHI_LEDGER_KEY=… adashi ledger verify`
}

func (c ledgerVerify) Run() error {
	var report *audit.Report
	if err := signed(func(ctx context.Context, v *boot.Visit) (err error) {
		report, err = c.verify(ctx, v)
		return err
	}); err != nil {
		return err
	}
	if err := c.print(report); err != nil {
		return err
	}
	if n := report.Violations(); n > 0 {
		return fmt.Errorf("the ledger has %d violations", n)
	}
	return nil
}

func (c ledgerVerify) verify(ctx context.Context, v *boot.Visit) (*audit.Report, error) {
	if c.NoStream {
		v.NoStream = "it was not asked for"
	} else {
		v.OpenStream(ctx)
	}
	progress := newBar("verifying")
	defer progress.end()
	opt := audit.Options{
		Pool: v.Pool, Keys: v.Keys, Aggregates: ledger.Aggregates(), File: v.Config.CheckpointFile(), JS: v.JS, NoStream: v.NoStream,
		Listed: c.List, Progress: progress.to, Sealing: v.Sealing(), Clock: v.Config.Now,
	}
	if !c.NoModels {
		more, stop, err := v.ModelChecks(ctx)
		if err != nil {
			return nil, err
		}
		defer stop()
		check, err := v.KeyframeCheck(ctx)
		if err != nil {
			return nil, err
		}
		opt.More = append(more, check...)
	}
	opt.More = append(opt.More, v.InstructionCheck(), v.LiabilitiesCheck(), v.DisputesCheck(), v.MonthsCheck(), v.ListsCheck(), v.WitnessesCheck())
	if c.Deep {
		opt.More = append(opt.More, v.RulesCheck())
	}
	return audit.Verify(ctx, opt)
}

func (c ledgerVerify) print(r *audit.Report) error {
	if c.JSON {
		return printJSON(r)
	}
	fmt.Printf("Ledger of epoch %d with %d events, sealed up to %d, verified in %s.\n\n", r.Epoch, r.Head, r.Sealed, r.Took.Round(time.Millisecond))
	rows := [][]any{{"check", "looked at", "violations", "time", ""}}
	for _, check := range r.Checks {
		took := "with the above"
		if check.Took > 0 {
			took = max(time.Millisecond, check.Took.Round(time.Millisecond)).String()
		}
		said := check.Rule
		if check.Said != "" {
			said += " (" + check.Said + ")"
		}
		if check.Skipped != "" {
			said = "skipped: " + check.Skipped
		}
		rows = append(rows, []any{check.Name, check.Looked, check.Violations, took, said})
	}
	table(os.Stdout, rows...)
	for _, note := range r.Notes {
		fmt.Println("\n" + note)
	}
	for _, check := range r.Checks {
		if check.Violations == 0 {
			continue
		}
		fmt.Printf("\n%s: %d violations\n", check.Name, check.Violations)
		for _, violation := range check.Listed {
			fmt.Println("  " + violation.String())
		}
		if more := check.Violations - int64(len(check.Listed)); more > 0 {
			fmt.Printf("  … and %d more\n", more)
		}
	}
	return nil
}
