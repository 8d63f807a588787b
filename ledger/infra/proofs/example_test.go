package proofs_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/proofs"
)

// A member's receipt is checked offline, with the ledger's public key alone: here in a ledger of two events.
func ExampleVerifySlip() {
	private, public, _ := proofs.GenerateKey("example.ng/ledger")
	signer, _ := note.NewSigner(private)
	verifier, _ := note.NewVerifier(public)
	paid := event.Record{
		Pos: 2, Stream: "dues:rent:bisi", Version: 1, Type: "naira.v1.ContributionReceived", Command: uuid.Max, Actor: "bisi",
		EffectiveAt: time.Unix(1_800_000_000, 0).UTC(), RecordedAt: time.Unix(1_800_000_001, 0).UTC(),
	}
	first, leaf := tlog.RecordHash([]byte("the event before")), tlog.Hash(paid.Leaf())
	root := tlog.NodeHash(first, leaf)
	checkpoint, _ := note.Sign(&note.Note{Text: "example.ng/ledger/e1\n2\n" + base64.StdEncoding.EncodeToString(root[:]) + "\n"}, signer)
	receipt, _ := json.Marshal(proofs.Slip{
		Position: 2, Size: 2, LeafHash: hex.EncodeToString(leaf[:]), Root: hex.EncodeToString(root[:]), Path: []string{hex.EncodeToString(first[:])},
		Record: base64.StdEncoding.EncodeToString(paid.Encode()), Checkpoint: string(checkpoint), Key: public,
	})

	_, record, err := proofs.VerifySlip(receipt, []note.Verifier{verifier})
	fmt.Println(record.Type, "by", record.Actor, err)
	_, _, err = proofs.VerifySlip([]byte(strings.Replace(string(receipt), `"position":2`, `"position":1`, 1)), []note.Verifier{verifier})
	fmt.Println(err)
	// Output:
	// naira.v1.ContributionReceived by bisi <nil>
	// the receipt proves nothing: its path does not lead from the leaf to the signed root
}
