package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"text/tabwriter"
	"time"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
)

// ledgerCommands are what an operator can do with the ledger, also while it runs.
type ledgerCommands struct {
	Verify      ledgerVerify      `cmd:"" help:"Verify every event, balance, proof, message and read model."`
	Replay      ledgerReplay      `cmd:"" help:"Tell what the events of a member, a group, an ajo or an account come to at any moment, or rebuild a read model."`
	Show        ledgerShow        `cmd:"" help:"Show an event, or the events of a command."`
	Export      ledgerExport      `cmd:"" help:"Write the events into one file."`
	Import      ledgerImport      `cmd:"" help:"Restore an empty ledger from a file, whole or not at all."`
	Checkpoint  ledgerCheckpoint  `cmd:"" help:"Print a signed checkpoint."`
	Prove       ledgerProve       `cmd:"" help:"Prove that an event is in the ledger, or that the ledger only grew."`
	Receipt     ledgerReceipt     `cmd:"" help:"Make an event's receipt, or verify one offline."`
	Evidence    ledgerEvidence    `cmd:"" help:"Verify the evidence of a dispute offline, or compare what a watching device saved."`
	Liabilities ledgerLiabilities `cmd:"" help:"Verify offline that a member's money is in what Adashi says that it owes."`
	Keys        ledgerKeys        `cmd:"" help:"Make keys that sign checkpoints."`
	Partitions  ledgerPartitions  `cmd:"" help:"List, detach and attach the partitions that hold the events."`
	Epoch       ledgerEpoch       `cmd:"" help:"Begin an epoch after a restore, and sign what was lost."`
}

// visit opens the installation's ledger and runs a command in it. The context ends when the person interrupts it.
func visit(do func(ctx context.Context, v *boot.Visit) error) error {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	cfg, err := config.Load()
	if err != nil {
		return err
	}
	v, err := boot.OpenVisit(ctx, cfg)
	if err != nil {
		return err
	}
	defer v.Close()
	return do(ctx, v)
}

// signed is a visit by a command that needs the ledger's key.
func signed(do func(ctx context.Context, v *boot.Visit) error) error {
	return visit(func(ctx context.Context, v *boot.Visit) error {
		if err := v.Config.NeedsKey(false); err != nil {
			return err
		}
		return do(ctx, v)
	})
}

// printJSON writes a value for machines.
func printJSON(value any) error {
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(value)
}

// table writes rows in columns.
func table(out io.Writer, rows ...[]any) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, cell)
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush()
}

// bar shows how far something is, on a terminal only.
type bar struct {
	what  string
	shown clock.Watch
	on    bool
}

func newBar(what string) *bar {
	info, err := os.Stderr.Stat()
	return &bar{what: what, on: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

const (
	barEvery = 100 * time.Millisecond
	barWidth = 40
)

// to is a progress function.
func (b *bar) to(done, total int64) {
	if !b.on || total <= 0 || done < total && b.shown.Took() < barEvery {
		return
	}
	b.shown = clock.Start()
	full := int(min(done, total) * barWidth / total)
	fmt.Fprintf(os.Stderr, "\r%s [%-*s] %d of %d ", b.what, barWidth, "========================================"[:full], done, total)
}

// end clears the line.
func (b *bar) end() {
	if b.on {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
