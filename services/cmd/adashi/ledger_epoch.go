package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/epochs"
	"adashi.ng/ledger/infra/history"
	stream "adashi.ng/ledger/infra/relay"
	"adashi.ng/services/internal/boot"
)

type ledgerEpoch struct {
	List        ledgerEpochList        `cmd:"" default:"1" help:"List the epochs, and whether appends are stopped."`
	Raise       ledgerEpochRaise       `cmd:"" help:"Look where histories part, and begin an epoch there."`
	Acknowledge ledgerEpochAcknowledge `cmd:"" help:"Sign that an epoch began, and what was lost with that."`
}

type ledgerEpochList struct {
	JSON bool `name:"json" help:"Print JSON."`
}

func (c ledgerEpochList) Run() error {
	return visit(func(ctx context.Context, v *boot.Visit) error {
		all, err := history.Epochs(ctx, v.Pool)
		if err != nil {
			return err
		}
		seen, parted, err := history.Parted(ctx, v.Pool)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(map[string]any{"epochs": all, "stopped": parted, "why": seen.Why})
		}
		rows := [][]any{{"epoch", "began after", "raised", "", "reason"}}
		for _, e := range all {
			state := "signed"
			if e.Statement == "" {
				state = "NOT SIGNED"
			}
			rows = append(rows, []any{e.Number, e.From, e.RaisedAt.Format(time.RFC3339), state, e.Reason})
		}
		table(os.Stdout, rows...)
		if parted {
			fmt.Printf("\nNothing is appended since %s: %s. Look with: adashi ledger epoch raise\n", seen.At.Format(time.RFC3339), seen.Why)
		}
		return nil
	})
}

type ledgerEpochRaise struct {
	Reason string `help:"Why, in a sentence that members may read. Without it nothing is changed."`
	List   int    `default:"50" help:"How many of the lost events are listed."`
}

// Help implements kong.HelpProvider.
func (ledgerEpochRaise) Help() string {
	return `An epoch begins when the stream or the checkpoint file tells of positions that the database does not hold, as after a
restore to an earlier time. Nothing is appended then until it is raised: an account may hold more here than it did. Look
first, without --reason: what both have is found by comparing, and what was lost is listed where the stream still has it.
Settle payouts with the bank before money moves again. Raising lets payments go on; they are sealed once the epoch is
acknowledged.

  adashi ledger epoch raise
  adashi ledger epoch raise --reason "The disk failed on 23 November; the backup of 04:00 was restored."`
}

func (c ledgerEpochRaise) Run() error {
	return signed(func(ctx context.Context, v *boot.Visit) error {
		l := ledgerOf(ctx, v)
		p, err := l.Find(ctx)
		if err != nil {
			return err
		}
		fmt.Printf("The ledger, of epoch %d, ends at position %d. Positions up to %d are common to it and what was told of it.\n", p.Epoch, p.Head, p.From)
		if p.NoFile {
			fmt.Println("There is no checkpoint file: a new one begins with what the database has, and says so.")
		}
		if p.Lost.Size > p.From {
			fmt.Printf("The checkpoint file has signed positions up to %d.\n", p.Lost.Size)
		}
		if p.StreamLast > 0 {
			fmt.Printf("The stream told of positions up to %d.\n", p.StreamLast)
		}
		fmt.Printf("%d recorded positions would be given up.\n", p.GivesUp())
		c.list(ctx, v, p)
		if c.Reason == "" {
			fmt.Println("\nNothing was changed. To begin an epoch: adashi ledger epoch raise --reason TEXT")
			return nil
		}
		did, err := l.Raise(ctx, p, c.Reason)
		if err != nil {
			return err
		}
		if !did {
			return errors.New("another process raised the epoch just now: adashi ledger epoch list")
		}
		fmt.Printf("\nEpoch %d has begun and payments go on. Settle what was lost, then have it signed:\n  adashi ledger epoch acknowledge %d --gives-up %d --reason TEXT\n", p.Next, p.Next, p.GivesUp())
		return nil
	})
}

// list shows the lost events as far as the stream has them.
func (c ledgerEpochRaise) list(ctx context.Context, v *boot.Visit, p epochs.Parting) {
	if p.StreamLast == 0 || v.JS == nil {
		return
	}
	n := 0
	err := stream.Told(ctx, v.JS, p.Epoch, p.Next, p.From, p.StreamLast, func(r event.Record) error {
		if n++; n > c.List {
			return nil
		}
		fmt.Printf("  lost: position %d, %s, %s by %s", r.Pos, r.RecordedAt.Format(time.RFC3339), r.Type, r.Actor)
		for _, line := range r.Lines {
			fmt.Printf("  %s %s", line.Account, line.Amount)
		}
		fmt.Println()
		return nil
	})
	if n > c.List {
		fmt.Printf("  … and %d more: --list\n", n-c.List)
	}
	if err != nil {
		fmt.Println("  The stream could not be read to its end:", err)
	}
}

type ledgerEpochAcknowledge struct {
	Epoch   int    `arg:"" help:"The epoch's number."`
	Reason  string `required:"" help:"What happened and how it was settled, in a sentence that members may read."`
	GivesUp int64  `name:"gives-up" help:"How many recorded positions are given up, as raise said."`
}

// Help implements kong.HelpProvider.
func (ledgerEpochAcknowledge) Help() string {
	return `Signs, with the ledger's private key, that an epoch began, where, and what was lost with that: into the checkpoint file,
for ever. Only then is the ledger sealed again. Members whose payments were lost are told by the running adashi, and
everybody reads the statement under the ledger's proofs.

  adashi ledger epoch acknowledge 2 --gives-up 12 --reason "The backup of 04:00 was restored; 3 payments were repeated with the bank."`
}

func (c ledgerEpochAcknowledge) Run() error {
	return signed(func(ctx context.Context, v *boot.Visit) error {
		e, err := ledgerOf(ctx, v).Acknowledge(ctx, c.Epoch, c.Reason, c.GivesUp)
		switch {
		case errors.Is(err, history.ErrNoEpoch):
			return fmt.Errorf("epoch %d is not one that waits to be acknowledged: adashi ledger epoch list", c.Epoch)
		case err != nil:
			return err
		}
		fmt.Printf("Epoch %d is acknowledged:\n\n%s", c.Epoch, e.Note)
		return nil
	})
}

// ledgerOf is what the epochs look at, with the stream where it can be reached.
func ledgerOf(ctx context.Context, v *boot.Visit) epochs.Ledger {
	v.OpenStream(ctx)
	return epochs.Ledger{Pool: v.Pool, Keys: v.Keys, File: v.Config.CheckpointFile(), JS: v.JS, Clock: v.Config.Now}
}
