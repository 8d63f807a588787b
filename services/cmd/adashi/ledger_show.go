package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/encoding/protojson"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/services/internal/boot"
)

type ledgerShow struct {
	What string `arg:"" help:"A position, a command's id or an event's id."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// Help implements kong.HelpProvider.
func (ledgerShow) Help() string {
	return `Shows an event with its postings, its message and its leaf hash. An event's id is looked for from the first position
on, which takes a while in a long ledger; a position or a command's id is found at once.

  adashi ledger show 4711
  adashi ledger show 0190c2a4-… --json`
}

func (c ledgerShow) Run() error {
	return visit(func(ctx context.Context, v *boot.Visit) error {
		records, err := c.find(ctx, v)
		if err != nil {
			return err
		}
		var shown []shownEvent
		for i := range records {
			described, err := proofs.Describe(&records[i])
			if err != nil {
				return err
			}
			leaf := records[i].Leaf()
			shown = append(shown, shownEvent{described, hex.EncodeToString(leaf[:])})
			if !c.JSON {
				printEvent(&records[i], described, leaf)
			}
		}
		if c.JSON {
			return printJSON(shown)
		}
		return nil
	})
}

// shownEvent is an event with its leaf hash.
type shownEvent struct {
	proofs.Described
	Leaf string `json:"leaf"` // Hexadecimal.
}

func (c ledgerShow) find(ctx context.Context, v *boot.Visit) ([]event.Record, error) {
	if pos, err := strconv.ParseInt(c.What, 10, 64); err == nil {
		records, err := history.Read(ctx, v.Pool, pos-1, 1)
		if err == nil && (len(records) == 0 || records[0].Pos != pos) {
			err = fmt.Errorf("there is no event at position %d", pos)
		}
		return records, err
	}
	id, err := uuid.Parse(c.What)
	if err != nil {
		return nil, errors.New("name a position, a command's id or an event's id")
	}
	var pos int64
	var events int
	err = v.Pool.QueryRow(ctx, "SELECT pos, events FROM commands WHERE command = $1", id).Scan(&pos, &events)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return c.search(ctx, v, id)
	case err != nil:
		return nil, err
	case events == 0:
		var code, message string
		if err := v.Pool.QueryRow(ctx, "SELECT code, message FROM refusals WHERE command = $1", id).Scan(&code, &message); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("that command was refused (%s): %s", code, message)
	}
	return history.Read(ctx, v.Pool, pos-1, events)
}

// search looks for an event by its id, which is derived and stored nowhere.
func (c ledgerShow) search(ctx context.Context, v *boot.Visit, id uuid.UUID) (found []event.Record, err error) {
	_, head, err := history.Head(ctx, v.Pool)
	if err != nil {
		return nil, err
	}
	first, err := history.First(ctx, v.Pool)
	if err != nil {
		return nil, err
	}
	conn, err := v.Pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	enough := errors.New("enough")
	progress := newBar("looking")
	err = history.Scan(ctx, conn.Conn(), first, head, func(batch []event.Record) error {
		for i := range batch {
			if batch[i].ID() == id {
				found = batch[i : i+1]
				return enough
			}
		}
		progress.to(batch[len(batch)-1].Pos, head)
		return nil
	})
	progress.end()
	if err == nil {
		err = fmt.Errorf("there is no event and no command %s", id)
	}
	if errors.Is(err, enough) {
		err = nil
	}
	return found, err
}

func printEvent(r *event.Record, d proofs.Described, leaf [32]byte) {
	table(
		os.Stdout,
		[]any{"position", r.Pos}, []any{"type", r.Type}, []any{"id", d.ID}, []any{"stream", r.Stream}, []any{"version", r.Version},
		[]any{"command", d.Command + " number " + strconv.Itoa(r.Seq)}, []any{"command hash", d.CommandHash}, []any{"actor", r.Actor}, []any{"correlation", r.Correlation},
		[]any{"effective", r.EffectiveAt.Format(time.RFC3339Nano)}, []any{"recorded", r.RecordedAt.Format(time.RFC3339Nano)}, []any{"leaf", hex.EncodeToString(leaf[:])},
	)
	if m, err := event.DecodeRecorded(r.Type, r.Body); err == nil {
		fmt.Println(protojson.MarshalOptions{Multiline: true, Indent: "  "}.Format(m))
	}
	if len(r.Lines) > 0 {
		rows := [][]any{{"account", "amount", "balance after"}}
		for _, line := range r.Lines {
			rows = append(rows, []any{line.Account, line.Amount, line.Balance})
		}
		table(os.Stdout, rows...)
	}
	fmt.Println()
}
