package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/evidence/bundle"
	"adashi.ng/services/internal/witnesses"
)

type ledgerEvidence struct {
	Verify  ledgerEvidenceVerify  `cmd:"" help:"Verify the evidence of a dispute offline: no ledger and no configuration is needed."`
	Compare ledgerEvidenceCompare `cmd:"" help:"Hold what a watching device saved against this ledger: which of two histories it leads to."`
}

type ledgerEvidenceVerify struct {
	File string   `arg:"" help:"The page that a member downloaded."`
	Key  []string `help:"The ledger's public key, from somewhere that you trust."`
	Keys string   `help:"A file of public keys, one a line."`
	JSON bool     `name:"json" help:"Print what the page carries as JSON."`
}

// Help implements kong.HelpProvider.
func (ledgerEvidenceVerify) Help() string {
	return `The page's own script and the keys in it are not believed. Every record, path, stream and account is checked as the page
does it, under a checkpoint that one of the given keys signed.

  adashi ledger evidence verify adashi-evidence-d-1234.html --key adashi.ng/ledger+1f2e3d4c+AQ…`
}

func (c ledgerEvidenceVerify) Run() error {
	verifiers, err := ledgerReceiptVerify{Key: c.Key, Keys: c.Keys}.verifiers()
	if err != nil {
		return err
	}
	page, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	b, err := bundle.Read(page)
	if err != nil {
		return err
	}
	checked, err := bundle.Check(b, verifiers)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(b)
	}
	first, last := checked.Records[0], checked.Records[len(checked.Records)-1]
	fmt.Printf("The evidence of dispute %s holds: %d events from position %d to %d are in the ledger %s of size %d.\n",
		b.Dispute.Number, len(checked.Records), first.Pos, last.Pos, checked.Checkpoint.Origin, checked.Checkpoint.Size)
	fmt.Printf("%d streams and %d accounts are told without a gap; %d events are hidden, and what is said of those is not proven.\n",
		len(b.Streams), len(b.Accounts), checked.Hidden)
	if b.Anchor != nil {
		fmt.Printf("%d accounts held at position %d what the ledger said then that was owed: nothing before it that changed what they hold was left out.\n",
			checked.Anchored, b.Anchor.Owed.Position)
	}
	if b.Earlier {
		fmt.Println("Earlier events are not in it: there are too many.")
	}
	if whole, err := bundle.Page(b); err != nil || !bytes.Equal(whole, page) {
		fmt.Println("The page around it is not as this version of adashi writes it: believe this command, and not what the page shows.")
	}
	return nil
}

type ledgerEvidenceCompare struct {
	File string `arg:"" help:"The file that the device saved when it stopped watching."`
}

// Help implements kong.HelpProvider.
func (ledgerEvidenceCompare) Help() string {
	return `A device that watches saves the checkpoint that it signed last and the one that it was shown then. Of each is told whether
this ledger's key signed it, and whether the database leads to it. It fails unless the database leads to both.

  adashi ledger evidence compare adashi-evidence.json`
}

func (c ledgerEvidenceCompare) Run() error {
	file, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	return signed(func(ctx context.Context, v *boot.Visit) error {
		compared, err := witnesses.Compare(ctx, v.Pool, v.Keys, file)
		if err != nil {
			return err
		}
		wrong := 0
		for _, one := range []struct {
			name  string
			shown *witnesses.Shown
		}{{"Signed before by device " + compared.Device, compared.Before}, {"Shown then", compared.Shown}} {
			if one.shown == nil {
				continue
			}
			if one.shown.Forged != nil || one.shown.Parted != "" {
				wrong++
			}
			fmt.Printf("%s: %s\n", one.name, told(*one.shown))
		}
		if wrong > 0 {
			return errors.New("this ledger does not lead to all that the device was shown: keep the file, and compare it on every copy of the database")
		}
		fmt.Println("This ledger leads to both. Ask the device for a newer file if it still stops.")
		return nil
	})
}

// told says what became of a checkpoint that a device was shown.
func told(s witnesses.Shown) string {
	switch {
	case s.Forged != nil:
		return "not signed by this ledger's key, so somebody else made it"
	case s.Parted != "":
		return fmt.Sprintf("size %d of %s, signed by this ledger's key. %s", s.Checkpoint.Size, s.Checkpoint.Origin, s.Parted)
	default:
		return fmt.Sprintf("size %d of %s, signed by this ledger's key, and this database leads to it.", s.Checkpoint.Size, s.Checkpoint.Origin)
	}
}
