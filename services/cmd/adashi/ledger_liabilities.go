package main

import (
	"bytes"
	"fmt"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/proofs/liabilities"
)

type ledgerLiabilities struct {
	Verify ledgerLiabilitiesVerify `cmd:"" help:"Verify a member's file offline: no ledger and no configuration is needed."`
}

type ledgerLiabilitiesVerify struct {
	File string   `arg:"" help:"The file that a member downloaded."`
	Root string   `required:"" help:"The root, as everybody reads it: 64 hexadecimal digits."`
	Key  []string `help:"The ledger's public key, from somewhere that you trust: then the ledger's own statement of the root is verified too."`
	Keys string   `help:"A file of public keys, one a line."`
}

// Help implements kong.HelpProvider.
func (ledgerLiabilitiesVerify) Help() string {
	return `Every leaf in the file is led up to the given root and its sum; nothing else in the file is believed. It proves that these
accounts are counted. It does not prove that nobody else was left out: that, only they can find.

  adashi ledger liabilities verify adashi-counted-2026-11-25.json --root 3f0c…
  adashi ledger liabilities verify adashi-counted-2026-11-25.json --root 3f0c… --key adashi.ng/ledger+1f2e3d4c+AQ…`
}

func (c ledgerLiabilitiesVerify) Run() error {
	var root liabilities.Hex
	if err := root.UnmarshalText([]byte(c.Root)); err != nil {
		return fmt.Errorf("--root: %w", err)
	}
	raw, err := readPaper(c.File)
	if err != nil {
		return err
	}
	f, err := liabilities.Read(raw)
	if err != nil {
		return err
	}
	kobo, err := f.Verify(liabilities.Hash(root))
	if err != nil {
		return err
	}
	recorded := "Whether the ledger says this root was not looked at: give its --key."
	if len(c.Key) > 0 || c.Keys != "" {
		if recorded, err = c.recorded(f); err != nil {
			return err
		}
	}
	fmt.Printf("The file holds: ₦%s in %d accounts are parts of the ₦%s that Adashi said it owed.\n", naira(kobo), len(f.Accounts), naira(int64(f.Sum)))
	for _, a := range f.Accounts {
		fmt.Printf("  %s: ₦%s in %d parts\n", a.Account, naira(int64(a.Kobo)), len(a.Parts))
	}
	fmt.Println(recorded)
	return nil
}

// recorded verifies the receipt of the ledger's statement of the root, and says where it stands.
func (c ledgerLiabilitiesVerify) recorded(f liabilities.File) (string, error) {
	verifiers, err := ledgerReceiptVerify{Key: c.Key, Keys: c.Keys}.verifiers()
	if err != nil {
		return "", err
	}
	if len(f.Receipt) == 0 {
		return "", fmt.Errorf("%w: it has no receipt of the ledger's statement; download it again in a minute, or verify it without a key", liabilities.ErrFile)
	}
	slip, record, err := proofs.VerifySlip(f.Receipt, verifiers)
	if err != nil {
		return "", err
	}
	wrong := fmt.Errorf("%w: its receipt is not of the ledger's statement of this root", liabilities.ErrFile)
	if record == nil {
		return "", wrong
	}
	message, err := event.DecodeRecorded(record.Type, record.Body)
	if err != nil {
		return "", wrong
	}
	m, is := message.(*nairav1.LiabilitiesCommitted)
	if !is || !bytes.Equal(m.GetRoot(), f.Root[:]) || m.GetSumKobo() != int64(f.Sum) || m.GetLeaves() != f.Leaves || m.GetPosition() != f.Position || m.GetReconciliationId() != f.ID {
		return "", wrong
	}
	return fmt.Sprintf("The ledger says this root at position %d, of what was owed at position %d, and is signed up to %d.", record.Pos, f.Position, slip.Size), nil
}

func naira(kobo int64) string { return money.Kobo(kobo).Decimal().StringFixed(2) }
