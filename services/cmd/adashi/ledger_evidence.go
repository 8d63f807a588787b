package main

import (
	"bytes"
	"fmt"
	"os"

	"adashi.ng/services/internal/evidence/bundle"
)

type ledgerEvidence struct {
	Verify ledgerEvidenceVerify `cmd:"" help:"Verify the evidence of a dispute offline: no ledger and no configuration is needed."`
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
