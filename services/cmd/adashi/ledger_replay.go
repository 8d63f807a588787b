package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/services/internal/boot"
)

type ledgerReplay struct {
	Member     string    `help:"A member, by user id." xor:"subject"`
	Group      string    `help:"A group, by id." xor:"subject"`
	Ajo        string    `help:"An ajo, by id." xor:"subject"`
	Account    string    `help:"An account, such as wallet:… or pool:…." xor:"subject"`
	Model      string    `help:"Rebuild this read model instead, beside the one that serves." xor:"subject"`
	AtPosition int64     `help:"Up to this position; else to the head." xor:"until"`
	At         time.Time `help:"As the ledger stood at this time, such as 2026-11-15T12:00:00Z." xor:"until"`
	Effective  time.Time `help:"By what counts from this time or before, whenever it was recorded." xor:"until"`
	Step       bool      `help:"Event by event, with the balances after each."`
	AllEvents  bool      `help:"Read every event, and neither the trail nor a keyframe."`
	JSON       bool      `name:"json" help:"Print JSON."`
}

// Help implements kong.HelpProvider.
func (ledgerReplay) Help() string {
	return `Folds events. Which of them name whom is read from the trail, a read model that only says where to look, and a
replay may begin at a keyframe, which adashi ledger verify holds against the events. --all-events reads neither: it
reads every event there is, and nothing else.

  adashi ledger replay --member 0190… --at-position 4711
  adashi ledger replay --group 0190… --at 2026-11-15T12:00:00Z --json
  adashi ledger replay --ajo 0190… --effective 2026-11-15T12:00:00Z
  adashi ledger replay --account wallet:0190… --step
  adashi ledger replay --model balances`
}

func (c ledgerReplay) Run() error {
	if c.Model != "" {
		return visit(c.rebuild)
	}
	return visit(c.replay)
}

func (c ledgerReplay) rebuild(ctx context.Context, v *boot.Visit) error {
	engine, stop, err := v.Models(ctx)
	if err != nil {
		return err
	}
	defer stop()
	progress := newBar("rebuilding " + c.Model)
	result, err := engine.Rebuild(ctx, c.Model, progress.to)
	progress.end()
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(result)
	}
	compared := "there was nothing of its version to compare it with"
	if result.Compared {
		compared = fmt.Sprintf("%d rows were compared with those that served, at position %d, and are equal", result.Rows, result.ComparedAt)
	}
	fmt.Printf("The read model %s was rebuilt up to position %d in %s; %s.\n", result.Model, result.Position, result.Took.Round(time.Millisecond), compared)
	return nil
}

// shownStep is an event with the balances after it, as JSON.
type shownStep struct {
	proofs.Described
	Balances map[string]int64 `json:"balancesKobo,omitempty"`
}

func (c ledgerReplay) replay(ctx context.Context, v *boot.Visit) error {
	var steps []shownStep
	opt := replay.Options{
		Subject:    replay.Subject{Member: c.Member, Group: c.Group, Ajo: c.Ajo, Account: c.Account},
		Until:      replay.Until{Position: c.AtPosition, Recorded: c.At, Effective: c.Effective},
		Aggregates: ledger.Aggregates(),
	}
	if c.Step {
		opt.Step = func(s replay.Step) error {
			if !c.JSON {
				fmt.Println(stepLine(s))
				return nil
			}
			described, err := proofs.Describe(s.Record)
			steps = append(steps, shownStep{described, kobo(s.Balances)})
			return err
		}
	}
	progress := newBar("replaying")
	if !c.Step {
		opt.Progress = progress.to
	}
	state, err := c.read(ctx, v, opt)
	progress.end()
	if errors.Is(err, replay.ErrUnknown) {
		return fmt.Errorf("no event up to there is about %s", c.Member+c.Group+c.Ajo+c.Account)
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(struct {
			Position   int64                    `json:"position"`
			RecordedAt time.Time                `json:"recordedAt"`
			Events     int64                    `json:"events"`
			Balances   map[string]int64         `json:"balancesKobo"`
			Streams    map[string]replay.Stream `json:"streams"`
			Steps      []shownStep              `json:"steps,omitempty"`
		}{state.Position, state.Recorded, state.Events, kobo(state.Balances), state.Streams, steps})
	}
	printState(state)
	return nil
}

// read replays by the trail, or by reading everything where that is asked for or is the only way, which it says.
func (c ledgerReplay) read(ctx context.Context, v *boot.Visit, opt replay.Options) (replay.State, error) {
	if c.AllEvents {
		return replay.Run(ctx, v.Pool, opt)
	}
	reader, err := v.Replays(ctx)
	if err != nil {
		return replay.State{}, err
	}
	state, err := reader.Run(ctx, opt)
	var none *replay.NoTrailError
	switch {
	case errors.As(err, &none):
		fmt.Fprintf(os.Stderr, "Every event is read, which takes longer: %s.\n", none.Why)
	case errors.Is(err, replay.ErrHouse):
		fmt.Fprintln(os.Stderr, "Every event is read, which takes longer: nobody's trail has the events of an account of the house.")
	default:
		if state.OnlyBalance {
			fmt.Fprintln(os.Stderr, "Of an account of the house the balance alone is told; --all-events tells the rest.")
		}
		return state, err
	}
	return replay.Run(ctx, v.Pool, opt)
}

func kobo(balances map[string]money.Kobo) map[string]int64 {
	out := make(map[string]int64, len(balances))
	for account, balance := range balances {
		out[account] = int64(balance)
	}
	return out
}

func stepLine(s replay.Step) string {
	line := fmt.Sprintf("%8d  %s  %-32s", s.Record.Pos, s.Record.RecordedAt.Format(time.RFC3339), s.Record.Type)
	for _, account := range slices.Sorted(maps.Keys(s.Balances)) {
		line += fmt.Sprintf("  %s %s", account, s.Balances[account])
	}
	return line
}

func printState(state replay.State) {
	fmt.Printf("\nAfter position %d, recorded at %s, %d events:\n\n", state.Position, state.Recorded.Format(time.RFC3339Nano), state.Events)
	rows := [][]any{{"account", "balance"}}
	for _, account := range slices.Sorted(maps.Keys(state.Balances)) {
		rows = append(rows, []any{account, state.Balances[account]})
	}
	table(os.Stdout, rows...)
	fmt.Println()
	rows = [][]any{{"stream", "version", "state"}}
	for _, name := range slices.Sorted(maps.Keys(state.Streams)) {
		rows = append(rows, []any{name, state.Streams[name].Version, string(state.Streams[name].State)})
	}
	table(os.Stdout, rows...)
}
