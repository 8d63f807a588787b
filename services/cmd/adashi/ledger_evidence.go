package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/evidence/bundle"
	"adashi.ng/services/internal/witnesses"
)

type ledgerEvidence struct {
	Verify  ledgerEvidenceVerify  `cmd:"" help:"Verify the evidence of a dispute offline: no ledger and no configuration is needed."`
	Compare ledgerEvidenceCompare `cmd:"" help:"Hold what a device saved against this ledger: which of two histories it leads to."`
}

type ledgerEvidenceVerify struct {
	File    string   `arg:"" help:"The page that a member downloaded."`
	Key     []string `help:"The ledger's public key, from somewhere that you trust."`
	Keys    string   `help:"A file of public keys, one a line."`
	Witness []string `help:"A witness's public key, from somewhere that you trust, as they publish it or in hex. They must have signed."`
	JSON    bool     `name:"json" help:"Print what the page carries as JSON."`
}

// Help implements kong.HelpProvider.
func (ledgerEvidenceVerify) Help() string {
	return `The page's own script and the keys in it are not believed. Every record, path, stream and account is checked as the page
does it, under a checkpoint that one of the given keys signed, and so is who has seen the ledger. Whose key a witness
has is what the ledger says, except of those that are given.

  adashi ledger evidence verify adashi-evidence-d-1234.html --key adashi.ng/ledger+1f2e3d4c+AQ…
  adashi ledger evidence verify adashi-evidence-d-1234.html --key … --witness witness.example/w1+5a6b7c8d+BA…`
}

func (c ledgerEvidenceVerify) Run() error {
	verifiers, err := ledgerReceiptVerify{Key: c.Key, Keys: c.Keys}.verifiers()
	if err != nil {
		return err
	}
	given, err := c.witnesses()
	if err != nil {
		return err
	}
	page, err := readPaper(c.File)
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
		return errors.Join(printJSON(b), given.allSigned(checked))
	}
	first, last := checked.Records[0], checked.Records[len(checked.Records)-1]
	fmt.Printf("The evidence of dispute %s holds: %d events from position %d to %d are in the ledger %s of size %d.\n",
		b.Dispute.Number, len(checked.Records), first.Pos, last.Pos, checked.Checkpoint.Origin, checked.Checkpoint.Size)
	fmt.Printf("%d streams and %d accounts are told without a gap; %d events are hidden, and what is said of those is not proven.\n",
		len(b.Streams), len(b.Accounts), checked.Hidden)
	fmt.Printf("The dispute: %s. Its state, dates and %d steps follow from its events.\n", b.Dispute.Status, len(b.Dispute.Steps))
	if b.Anchor != nil {
		fmt.Printf("%d accounts held at position %d what the ledger said then that was owed: nothing before it that changed what they hold was left out.\n",
			checked.Anchored, b.Anchor.Owed.Position)
	}
	tellUnproven(b)
	tellSeen(b, checked, given)
	if whole, err := bundle.Page(b); err != nil || !bytes.Equal(whole, page) {
		fmt.Println("The page around it is not as this version of adashi writes it: believe this command, and not what the page shows.")
	}
	return given.allSigned(checked)
}

// readPaper reads a file that a member has from Adashi: evidence, a receipt, or what was counted. None is larger than
// evidence is.
func readPaper(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	paper, err := io.ReadAll(io.LimitReader(file, bundle.BytesMost+1))
	if err == nil && len(paper) > bundle.BytesMost {
		err = fmt.Errorf("the file is larger than %d MB: this is not a file that Adashi wrote", bundle.BytesMost>>20)
	}
	return paper, err
}

// tellUnproven prints what the page cannot prove.
func tellUnproven(b bundle.Bundle) {
	switch b.LeftOut() {
	case "FULL":
		fmt.Printf("Earlier events are not in it: a page has room for %d, and this one has the latest.\n", bundle.EventsMost)
	case "LOOKED":
		fmt.Printf("Earlier events are not in it: they were looked for among the latest %d that name the member, says the ledger.\n", bundle.LookedMost)
	}
	fmt.Println("Not proven: that lists end where they do, that no whole list was left out which moved no account and which no event here needs, " +
		"and that the dispute's correction had no other steps.")
	if b.Format != bundle.Format {
		fmt.Println("An older adashi made it: names, titles, steps of a correction and answers to a card's bank are said and not proven either.")
	}
}

// givenKeys are the keys of witnesses that somebody trusts, as they were given.
type givenKeys map[string]bool

// of is the key that was given of a witness; "" where none was. A key that was given with a name is of that name alone.
func (g givenKeys) of(w bundle.Witnessed) string {
	for _, key := range []string{w.Key, hex.EncodeToString(w.Verifier.Public())} {
		if g[key] {
			return key
		}
	}
	return ""
}

func (c ledgerEvidenceVerify) witnesses() (givenKeys, error) {
	all := givenKeys{}
	for _, text := range c.Witness {
		text = strings.TrimSpace(text)
		if _, err := bundle.NewWitness(text); err != nil {
			return nil, fmt.Errorf("the key of a witness cannot be used: %w, or a device's in 64 hex digits", err)
		}
		all[text] = true
	}
	return all, nil
}

// allSigned holds that each of them signed.
func (g givenKeys) allSigned(checked bundle.Checked) (err error) {
	left := maps.Clone(g)
	for _, w := range checked.Witnesses {
		delete(left, g.of(w))
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		err = errors.Join(err, fmt.Errorf("nothing in this file is signed by the witness that you gave, %s", key))
	}
	return err
}

var witnessWords = map[string]string{
	"OUTSIDER": "an outside witness", "MINE": "the member's own device", "VALIDATOR_OF_GROUP": "a validator of the group", "VALIDATOR": "a validator's device",
	bundle.ByDevice: "a member's device",
}

// tellSeen prints who has seen the ledger.
func tellSeen(b bundle.Bundle, checked bundle.Checked, given givenKeys) {
	if b.Seen == nil {
		fmt.Println("An older adashi made it: it does not say who has seen the ledger.")
		return
	}
	fmt.Printf("Witnesses whose signature is right, and what they signed continued: %d.\n", len(checked.Witnesses))
	for _, w := range checked.Witnesses {
		who := witnessWords[w.By] + ", says the ledger"
		if given.of(w) != "" {
			who = "you gave this key"
		}
		fmt.Printf("  %s (%s): size %d on %s, with %d of the %d events.\n", w.Key, who, w.Size, w.At.Format(time.RFC3339), w.Covers, len(b.Events)+len(b.Hidden))
	}
	switch p := checked.Phone; {
	case p == nil:
		fmt.Println("The member's device held nothing of the ledger from before.")
	case p.GivenUp != nil:
		fmt.Printf("The member's device saw first size %d of %s. The ledger's key signed that what came after %d is given up: %s\n", p.Size, p.Origin, p.GivenUp.From, p.GivenUp.Reason)
	case b.Seen.Phone.Withheld:
		fmt.Printf("The member's device saw first size %d of %s. That the ledger continues it is not proven: the proof could help to guess something hidden.\n", p.Size, p.Origin)
	default:
		fmt.Printf("The member's device saw first size %d of %s, and the ledger continues it.\n", p.Size, p.Origin)
	}
}

type ledgerEvidenceCompare struct {
	File string `arg:"" help:"The file that the device saved."`
}

// Help implements kong.HelpProvider.
func (ledgerEvidenceCompare) Help() string {
	return `A device that watches saves the checkpoint that it signed last and the one that it was shown then; a member's saves the
one that it saw first. Of each is told whether this ledger's key signed it, and whether the database leads to it. It
fails unless the database leads to both.

  adashi ledger evidence compare adashi-evidence.json`
}

func (c ledgerEvidenceCompare) Run() error {
	file, err := readPaper(c.File)
	if err != nil {
		return err
	}
	return signed(func(ctx context.Context, v *boot.Visit) error {
		compared, err := witnesses.Compare(ctx, v.Pool, v.Keys, file)
		if err != nil {
			return err
		}
		wrong, before := 0, "Seen first by a member's device"
		if compared.Device != "" {
			before = "Signed before by device " + compared.Device
		}
		for _, one := range []struct {
			name  string
			shown *witnesses.Shown
		}{{before, compared.Before}, {"Shown then", compared.Shown}} {
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
