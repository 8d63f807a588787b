package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"adashi.ng/ledger/base/durable"
	"adashi.ng/ledger/infra/archive"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/refusals"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
)

type ledgerExport struct {
	File string `arg:"" help:"The file to write, which must not exist, or - for the standard output."`
	From int64  `help:"The first position; 1 when absent."`
	To   int64  `help:"The last position; the head when absent."`
}

// Help implements kong.HelpProvider.
func (ledgerExport) Help() string {
	return `Writes the events with a running hash, their RFC 6962 root and the latest signed checkpoint, compressed. A ledger can
be restored from a file that begins at position 1. What the ledger remembers of refused commands is not in it.

  adashi ledger export ledger.adashi
  adashi ledger export --from 1000001 --to 2000000 second-million.adashi
  adashi ledger export - | ssh elsewhere 'cat > ledger.adashi'`
}

func (c ledgerExport) Run() error {
	return signed(func(ctx context.Context, v *boot.Visit) (err error) {
		out := os.Stdout
		if c.File != "-" {
			if out, err = os.OpenFile(c.File+".part", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600); err != nil {
				return err
			}
			defer func() { _ = os.Remove(c.File + ".part") }()
			if _, err := os.Stat(c.File); err == nil {
				return fmt.Errorf("%s exists already", c.File)
			}
		}
		progress := newBar("exporting")
		summary, err := archive.Export(ctx, v.Pool, v.Keys, archive.ExportOptions{From: c.From, To: c.To, Clock: v.Config.Now, Progress: progress.to}, out)
		progress.end()
		if err != nil {
			return err
		}
		if c.File != "-" {
			if err := durable.Replace(out, c.File); err != nil {
				return err
			}
		}
		fmt.Fprintf(os.Stderr, "%d events, positions %d to %d, root %s\n", summary.Count, summary.From, summary.To, summary.Root)
		return nil
	})
}

type ledgerImport struct {
	File     string   `arg:"" help:"The file to restore from, or - for the standard input."`
	Key      []string `help:"The public key of the ledger that the file is of, when it is not this one's."`
	Unsigned bool     `help:"Also take events that no signed checkpoint covers."`
	Check    bool     `help:"Only verify the file. Nothing is restored and no ledger is needed."`
}

// Help implements kong.HelpProvider.
func (ledgerImport) Help() string {
	return `Restores an empty ledger: every row to the byte, or nothing. The running hash, the root, the checkpoint's signature and
the rules of the ledger are verified before anything can be seen. A broken file is refused with the block and the
position where it broke. A data folder that does not exist is made. Refused commands are not in a file: their keys are
decided anew.

  adashi ledger import --check ledger.adashi --key adashi.ng/ledger+1f2e3d4c+AQ…
  ADASHI_DATA=restored adashi ledger import ledger.adashi --key adashi.ng/ledger+1f2e3d4c+AQ…
  adashi ledger verify`
}

func (c ledgerImport) Run() error {
	in := os.Stdin
	if c.File != "-" {
		file, err := os.Open(c.File)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		in = file
	}
	keys, err := parseKeys(c.Key)
	if err != nil {
		return err
	}
	opt := archive.ImportOptions{Keys: keys, Unsigned: c.Unsigned}
	if c.Check {
		if len(c.Key) == 0 {
			return errors.New("--check needs the public key of the ledger that the file is of: --key")
		}
		summary, err := archive.Check(in, opt)
		return c.said("whole", summary, err)
	}
	if err := makeLedger(); err != nil {
		return err
	}
	return visit(func(ctx context.Context, v *boot.Visit) error { return c.restore(ctx, v, opt, in) })
}

func (c ledgerImport) restore(ctx context.Context, v *boot.Visit, opt archive.ImportOptions, in io.Reader) error {
	if len(c.Key) == 0 {
		if err := v.Config.NeedsKey(false); err != nil {
			return err
		}
		opt.Keys = v.Keys
	}
	progress := newBar("importing")
	opt.Progress = progress.to
	summary, err := archive.Import(ctx, v.Pool, opt, in)
	progress.end()
	if err == nil {
		err = vouch(v, summary)
	}
	return c.said("restored", summary, err)
}

// vouch signs that the events which were imported are where this ledger's sealing begins. They are not new, and without
// that statement the sealer takes the ledger for one whose checkpoints were removed.
func vouch(v *boot.Visit, s archive.Summary) error {
	if !v.Keys.Current.CanSign() {
		fmt.Println("Nothing of it is sealed before an epoch begins, as the ledger's private key is not here: adashi ledger epoch raise")
		return nil
	}
	base := proofs.Baseline{Epoch: s.Epoch, Size: s.To, Root: s.Root, At: v.Config.Now().UTC().Truncate(time.Second)}
	base.Unsealed, base.Digest = refusals.NewDigest().Sum() // An archive holds no refusals.
	base, err := proofs.SignBaseline(v.Keys, base)
	if err != nil {
		return err
	}
	return proofs.AddBaseline(v.Config.CheckpointFile(), base, v.Keys.Verifiers())
}

func (ledgerImport) said(what string, s archive.Summary, err error) error {
	if err != nil {
		return err
	}
	fmt.Printf("%d events are %s, positions %d to %d, root %s; the signed checkpoint covers %d of them.\n", s.Count, what, s.From, s.To, s.Root, s.Signed)
	return nil
}

// makeLedger makes the tables of a data folder that has none yet.
func makeLedger() error {
	cfg, err := config.Load()
	if err != nil {
		return err
	}
	if cfg.DatabaseURL == "" {
		if _, err := os.Stat(filepath.Join(cfg.Data, "postgres")); err == nil {
			return nil
		}
	}
	_, stop, err := boot.Database(context.Background(), cfg)
	if err != nil {
		return err
	}
	stop()
	return nil
}

// parseKeys reads keys, the first of which is the current one; none when there is no text.
func parseKeys(texts []string) (proofs.Keys, error) {
	var all []proofs.Key
	for _, text := range texts {
		key, err := proofs.ParseKey(text)
		if err != nil {
			return proofs.Keys{}, fmt.Errorf("--key cannot be used: %w", err)
		}
		all = append(all, key)
	}
	if len(all) == 0 {
		return proofs.Keys{}, nil
	}
	return proofs.NewKeys(all[0], all[1:]...)
}
