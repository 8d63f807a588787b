package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/base/durable"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/services/internal/boot"
)

type ledgerCheckpoint struct {
	At   int64 `help:"The smallest checkpoint that covers this many positions; else the latest."`
	Seal bool  `help:"Seal everything that is recorded by now first. It needs the private key."`
	JSON bool  `name:"json" help:"Print JSON."`
}

// Help implements kong.HelpProvider.
func (ledgerCheckpoint) Help() string {
	return `Prints the signed note: origin, size and root, to keep where the database is not.

  adashi ledger checkpoint
  adashi ledger checkpoint --at 4711
  adashi ledger checkpoint --seal --json`
}

func (c ledgerCheckpoint) Run() error {
	return signed(func(ctx context.Context, v *boot.Visit) error {
		found, err := c.find(ctx, v)
		if err != nil {
			return err
		}
		if !c.JSON {
			fmt.Print(found.Note)
			return nil
		}
		return printJSON(map[string]any{
			"origin": found.Origin, "epoch": found.Epoch, "size": found.Size, "root": found.Root.String(),
			"note": found.Note, "signedBy": found.SignedBy, "sealedAt": found.SealedAt,
		})
	})
}

func (c ledgerCheckpoint) find(ctx context.Context, v *boot.Visit) (proofs.Checkpoint, error) {
	if c.Seal {
		sealer, err := proofs.NewSealer(v.Pool, v.Keys, proofs.SealerOptions{File: v.Config.CheckpointFile(), Clock: v.Config.Now})
		if err != nil {
			return proofs.Checkpoint{}, err
		}
		if latest, err := sealer.Seal(ctx); err != nil || c.At == 0 {
			return latest, err
		}
	}
	reader := proofs.NewReader(v.Pool, v.Keys)
	if c.At > 0 {
		return reader.Covering(ctx, c.At)
	}
	return reader.Latest(ctx)
}

type ledgerProve struct {
	Position int64 `arg:"" optional:"" help:"Prove that the event at this position is in the ledger."`
	From     int64 `help:"Prove that the ledger of a larger size continues the one of this size."`
	To       int64 `help:"The larger size; that of the latest checkpoint when absent."`
}

// Help implements kong.HelpProvider.
func (ledgerProve) Help() string {
	return `Prints an RFC 6962 proof as JSON, base64 hashes from the leaf up, after verifying it.

  adashi ledger prove 4711
  adashi ledger prove --from 1000 --to 2000`
}

func (c ledgerProve) Run() error {
	if (c.Position == 0) == (c.From == 0) {
		return errors.New("name a position, or --from a size")
	}
	return signed(func(ctx context.Context, v *boot.Visit) error {
		reader := proofs.NewReader(v.Pool, v.Keys)
		latest, err := reader.Latest(ctx)
		if err != nil {
			return err
		}
		if c.From > 0 {
			return c.consistency(ctx, reader, latest)
		}
		return c.inclusion(ctx, v, reader, latest)
	})
}

func (c ledgerProve) inclusion(ctx context.Context, v *boot.Visit, reader *proofs.Reader, latest proofs.Checkpoint) error {
	if c.Position < 1 || c.Position > latest.Size {
		return fmt.Errorf("position %d is %w: the latest checkpoint has size %d", c.Position, proofs.ErrNotSealed, latest.Size)
	}
	proof, err := reader.Inclusion(ctx, c.Position, latest.Size)
	if err != nil {
		return err
	}
	// The leaf is taken from the tree: the event itself may be archived.
	leaves, err := proofs.SealedLeaves(ctx, v.Pool, c.Position, c.Position)
	if err != nil {
		return err
	}
	if err := tlog.CheckRecord(proof, latest.Size, latest.Root, c.Position-1, leaves[0]); err != nil {
		return fmt.Errorf("the proof does not hold: %w", err)
	}
	return printJSON(map[string]any{"position": c.Position, "leaf": leaves[0].String(), "treeSize": latest.Size, "root": latest.Root.String(), "inclusion": encoded(proof), "checkpoint": latest.Note})
}

func (c ledgerProve) consistency(ctx context.Context, reader *proofs.Reader, latest proofs.Checkpoint) error {
	if c.To == 0 {
		c.To = latest.Size
	}
	proof, err := reader.Consistency(ctx, c.From, c.To)
	if err != nil {
		return err
	}
	older, err := reader.Root(ctx, c.From)
	if err != nil {
		return err
	}
	newer, err := reader.Root(ctx, c.To)
	if err != nil {
		return err
	}
	if err := tlog.CheckTree(proof, c.To, newer, c.From, older); err != nil {
		return fmt.Errorf("the proof does not hold: %w", err)
	}
	return printJSON(map[string]any{"from": c.From, "fromRoot": older.String(), "to": c.To, "toRoot": newer.String(), "consistency": encoded(proof), "checkpoint": latest.Note})
}

func encoded[P ~[]tlog.Hash](proof P) []string {
	out := make([]string, len(proof))
	for i, hash := range proof {
		out[i] = base64.StdEncoding.EncodeToString(hash[:])
	}
	return out
}

type ledgerReceipt struct {
	Make   ledgerReceiptMake   `cmd:"" default:"withargs" help:"Make the receipt of an event."`
	Verify ledgerReceiptVerify `cmd:"" help:"Verify a receipt offline: no ledger and no configuration is needed."`
}

type ledgerReceiptMake struct {
	Position int64  `arg:"" help:"The event's position."`
	Output   string `short:"o" help:"The file to write; else the standard output."`
}

// Help implements kong.HelpProvider.
func (ledgerReceiptMake) Help() string {
	return `  adashi ledger receipt 4711 -o receipt.json`
}

func (c ledgerReceiptMake) Run() error {
	return signed(func(ctx context.Context, v *boot.Visit) error {
		receipt, err := proofs.NewReader(v.Pool, v.Keys).Receipt(ctx, c.Position)
		if err != nil {
			return err
		}
		raw, err := receipt.Encode()
		if err != nil {
			return err
		}
		raw = append(raw, '\n')
		if c.Output != "" {
			return durable.WriteFile(c.Output, raw, 0o600)
		}
		_, err = os.Stdout.Write(raw)
		return err
	})
}

type ledgerReceiptVerify struct {
	File string   `arg:"" help:"The receipt."`
	Key  []string `help:"The ledger's public key, from somewhere that you trust."`
	Keys string   `help:"A file of public keys, one a line."`
	JSON bool     `name:"json" help:"Print the event as JSON."`
}

// Help implements kong.HelpProvider.
func (ledgerReceiptVerify) Help() string {
	return `Nothing in the receipt is believed but what the key signed. Receipts that members get from the app are read too.

  adashi ledger receipt verify receipt.json --key adashi.ng/ledger+1f2e3d4c+AQ…
  adashi ledger receipt verify receipt.json --keys keys.txt`
}

func (c ledgerReceiptVerify) Run() error {
	verifiers, err := c.verifiers()
	if err != nil {
		return err
	}
	raw, err := readPaper(c.File)
	if err != nil {
		return err
	}
	if proofs.IsSlip(raw) {
		return c.slip(raw, verifiers)
	}
	receipt, err := proofs.VerifyReceipt(raw, verifiers)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(receipt.Event)
	}
	fmt.Printf("The receipt holds: %s at position %d, recorded at %s, is in the ledger %s of size %d.\n",
		receipt.Event.Type, receipt.Position, receipt.Event.RecordedAt, receipt.Origin, receipt.TreeSize)
	return nil
}

// slip verifies what a member was given by the app.
func (c ledgerReceiptVerify) slip(raw []byte, verifiers []note.Verifier) error {
	slip, record, err := proofs.VerifySlip(raw, verifiers)
	if err != nil {
		return err
	}
	if record == nil {
		fmt.Printf("The receipt names position %d of the ledger of size %d, which is signed. What it is about is withheld: %s\n",
			slip.Position, slip.Size, slip.Withheld)
		return nil
	}
	if c.JSON {
		described, err := proofs.Describe(record)
		if err != nil {
			return err
		}
		return printJSON(described)
	}
	fmt.Printf("The receipt holds: %s at position %d, recorded at %s, is in the ledger of size %d.\n",
		record.Type, record.Pos, record.RecordedAt.Format("2006-01-02T15:04:05Z"), slip.Size)
	return nil
}

func (c ledgerReceiptVerify) verifiers() ([]note.Verifier, error) {
	texts := c.Key
	if c.Keys != "" {
		raw, err := os.ReadFile(c.Keys)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(raw)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				texts = append(texts, line)
			}
		}
	}
	if len(texts) == 0 {
		return nil, errors.New("a receipt is worth nothing without a key to verify it with: --key or --keys")
	}
	var all []note.Verifier
	for _, text := range texts {
		key, err := proofs.ParseKey(text)
		if err != nil {
			return nil, fmt.Errorf("a key cannot be used: %w", err)
		}
		all = append(all, key.Verifier())
	}
	return all, nil
}

type ledgerKeys struct {
	New ledgerKeysNew `cmd:"" help:"Make a new pair of keys."`
}

type ledgerKeysNew struct {
	Name string `default:"adashi.ng/ledger" help:"The key's name, with which the origin of its checkpoints begins."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// Help implements kong.HelpProvider.
func (ledgerKeysNew) Help() string {
	return `Prints a fresh private and public key and keeps neither. To rotate, the name must stay the same.

  adashi ledger keys new
  adashi ledger keys new --name example.ng/ledger --json`
}

func (c ledgerKeysNew) Run() error {
	private, public, err := proofs.GenerateKey(c.Name)
	if err != nil {
		return fmt.Errorf("%q cannot be a key's name", c.Name)
	}
	if _, err := proofs.ParseKey(private); err != nil {
		return fmt.Errorf("%q cannot be a key's name", c.Name)
	}
	if c.JSON {
		return printJSON(map[string]string{"private": private, "public": public})
	}
	fmt.Printf(`ADASHI_LEDGER_KEY=%s

That is the private key. Set it where the relay runs, keep a copy where secrets are kept, and show it to nobody: whoever
has it can sign another history.

%s

That is the public key. Publish it: with it alone anybody can verify checkpoints and receipts. Set it as
ADASHI_LEDGER_KEY for processes that only show them.

To take this key in place of another: set it as ADASHI_LEDGER_KEY and the old private one among
ADASHI_LEDGER_PREVIOUS_KEYS. Once a checkpoint was signed, replace the old one by its public half.
`, private, public)
	return nil
}
