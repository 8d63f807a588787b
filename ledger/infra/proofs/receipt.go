package proofs

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	"google.golang.org/protobuf/encoding/protojson"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
)

// Receipt proves that an event is in the ledger. Encode writes it and VerifyReceipt checks it, offline.
type Receipt struct {
	Version    int       `json:"version"`    // 1.
	Origin     string    `json:"origin"`     // Of the checkpoint.
	Event      Described `json:"event"`      // The content of Record in readable form.
	Record     string    `json:"record"`     // Base64 of event.Record.Encode: the exact bytes that were sealed.
	Leaf       string    `json:"leaf"`       // Base64 of the record's RFC 6962 leaf hash.
	Position   int64     `json:"position"`   // The leaf's index is Position - 1.
	TreeSize   int64     `json:"treeSize"`   // Of the checkpoint.
	Inclusion  []string  `json:"inclusion"`  // Base64 of the RFC 6962 audit path, from the leaf up.
	Checkpoint string    `json:"checkpoint"` // The signed note.
	PublicKeys []string  `json:"publicKeys"` // The ledger's keys by its own account, the current first. Never trust them.
}

// Described is a recorded event in readable form. Amounts are kobo, times UTC.
type Described struct {
	ID          string          `json:"id"`
	Position    int64           `json:"position"`
	Stream      string          `json:"stream"`
	Version     int64           `json:"version"`
	Type        string          `json:"type"`
	Command     string          `json:"command"`
	Seq         int             `json:"seq"`
	CommandHash string          `json:"commandHash"` // Hex.
	Actor       string          `json:"actor"`
	Correlation string          `json:"correlation"`
	EffectiveAt string          `json:"effectiveAt"` // RFC 3339.
	RecordedAt  string          `json:"recordedAt"`  // RFC 3339.
	Message     jsontext.Value  `json:"message"`     // The protobuf message as it was recorded, in protobuf's JSON.
	Lines       []DescribedLine `json:"lines"`
}

// DescribedLine is one leg of the event's double entry: a credit when positive.
type DescribedLine struct {
	Account     string `json:"account"`
	AmountKobo  int64  `json:"amountKobo"`
	BalanceKobo int64  `json:"balanceKobo"` // After it.
}

// ErrReceipt is returned for a receipt whose proof fails.
var ErrReceipt = errors.New("the receipt proves nothing")

const (
	receiptVersion  = 1
	receiptBytesMax = 1 << 20
)

// Describe is a record in readable form.
func Describe(r *event.Record) (Described, error) {
	m, err := event.DecodeRecorded(r.Type, r.Body)
	if err != nil {
		return Described{}, err
	}
	message, err := protojson.Marshal(m)
	if err != nil {
		return Described{}, fmt.Errorf("proofs: describe position %d: %w", r.Pos, err)
	}
	d := Described{
		ID: r.ID().String(), Position: r.Pos, Stream: r.Stream, Version: r.Version, Type: r.Type, Command: r.Command.String(), Seq: r.Seq,
		CommandHash: hex.EncodeToString(r.CommandHash[:]), Actor: r.Actor, Correlation: r.Correlation,
		EffectiveAt: r.EffectiveAt.UTC().Format(time.RFC3339Nano), RecordedAt: r.RecordedAt.UTC().Format(time.RFC3339Nano),
		Message: message, Lines: make([]DescribedLine, len(r.Lines)),
	}
	for i, line := range r.Lines {
		d.Lines[i] = DescribedLine{line.Account, int64(line.Amount), int64(line.Balance)}
	}
	return d, nil
}

// canonical is JSON as RFC 8785 writes it, so that spacing, order and escapes do not matter.
func canonical(text jsontext.Value) (jsontext.Value, error) {
	text = text.Clone()
	err := text.Canonicalize()
	return text, err
}

// saysAs reports whether JSON has the same members as a value: none absent, null or added.
func saysAs(text jsontext.Value, value any) bool {
	ours, err := json.Marshal(value)
	if err != nil {
		return false
	}
	a, errA := canonical(text)
	b, errB := canonical(ours)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// Encode writes the receipt as indented JSON.
func (r Receipt) Encode() ([]byte, error) {
	return json.Marshal(r, jsontext.WithIndent("  "))
}

// Receipt makes the receipt of the event at a position, verified, under the latest checkpoint. An event that is not
// sealed yet is ErrNotSealed; an impossible position is ErrRange.
func (r *Reader) Receipt(ctx context.Context, pos int64) (Receipt, error) {
	if pos < 1 {
		return Receipt{}, fmt.Errorf("position %d is %w", pos, ErrRange)
	}
	latest, err := r.Latest(ctx)
	if errors.Is(err, ErrNone) || err == nil && latest.Size < pos {
		return Receipt{}, fmt.Errorf("position %d is %w", pos, ErrNotSealed)
	}
	if err != nil {
		return Receipt{}, err
	}
	records, err := history.Read(ctx, r.pool, pos-1, 1)
	if err != nil {
		return Receipt{}, err
	}
	if len(records) == 0 || records[0].Pos != pos {
		return Receipt{}, fmt.Errorf("%w: there is no event at position %d", ErrInconsistent, pos)
	}
	proof, err := tlog.ProveRecord(latest.Size, pos-1, hashes(ctx, r.pool, latest.Size, latest.Root))
	if err != nil {
		return Receipt{}, err
	}
	return r.receipt(&records[0], latest, proof)
}

func (r *Reader) receipt(record *event.Record, latest Checkpoint, proof tlog.RecordProof) (Receipt, error) {
	described, err := Describe(record)
	if err != nil {
		return Receipt{}, err
	}
	leaf := tlog.Hash(record.Leaf())
	receipt := Receipt{
		Version: receiptVersion, Origin: latest.Origin, Event: described, Record: base64.StdEncoding.EncodeToString(record.Encode()), Leaf: leaf.String(),
		Position: record.Pos, TreeSize: latest.Size, Inclusion: make([]string, len(proof)), Checkpoint: latest.Note, PublicKeys: r.keys.public(),
	}
	for i, hash := range proof {
		receipt.Inclusion[i] = hash.String()
	}
	if tlog.CheckRecord(proof, latest.Size, latest.Root, record.Pos-1, leaf) != nil {
		return Receipt{}, fmt.Errorf("%w: the event at position %d is not the one that was sealed", ErrInconsistent, record.Pos)
	}
	return receipt, nil
}

// VerifyReceipt reads a receipt and verifies it, trusting nothing but the keys that it is given: the record's bytes
// have the leaf, the leaf is in the tree by the inclusion proof, the tree is the checkpoint's, one of the keys signed
// the checkpoint, and the readable fields agree with the bytes. If any of this fails it returns ErrReceipt and a
// sentence.
func VerifyReceipt(raw []byte, verifiers []note.Verifier) (Receipt, error) {
	var r Receipt
	if len(raw) > receiptBytesMax {
		return r, fmt.Errorf("%w: it is longer than %d bytes", ErrReceipt, receiptBytesMax)
	}
	if err := json.Unmarshal(raw, &r, json.RejectUnknownMembers(true)); err != nil {
		return Receipt{}, fmt.Errorf("%w: it is not a receipt's JSON: %w", ErrReceipt, err)
	}
	if !saysAs(raw, r) {
		return Receipt{}, fmt.Errorf("%w: some of its fields are missing or null", ErrReceipt)
	}
	if err := r.verify(verifiers); err != nil {
		return Receipt{}, fmt.Errorf("%w: %w", ErrReceipt, err)
	}
	return r, nil
}

func (r Receipt) verify(verifiers []note.Verifier) error {
	if r.Version != receiptVersion {
		return fmt.Errorf("its version is %d and only %d is known", r.Version, receiptVersion)
	}
	checkpoint, err := ParseCheckpoint(r.Checkpoint, verifiers)
	if err != nil {
		return err
	}
	if checkpoint.Origin != r.Origin {
		return errors.New("its origin is not the checkpoint's")
	}
	if checkpoint.Size != r.TreeSize {
		return errors.New("its tree size is not the checkpoint's")
	}
	leaf, err := r.verifyRecord()
	if err != nil {
		return err
	}
	if err := r.verifyKeys(checkpoint); err != nil {
		return err
	}
	proof := make(tlog.RecordProof, len(r.Inclusion))
	for i, text := range r.Inclusion {
		hash, ok := canonicalBase64(text)
		if !ok || len(hash) != tlog.HashSize {
			return fmt.Errorf("hash %d of the inclusion proof is not the base64 of 32 bytes", i+1)
		}
		proof[i] = tlog.Hash(hash)
	}
	if err := tlog.CheckRecord(proof, r.TreeSize, checkpoint.Root, r.Position-1, leaf); err != nil {
		return errors.New("the inclusion proof does not lead from the record to the signed root")
	}
	return nil
}

// verifyRecord compares the fields that describe the record with its bytes and answers its leaf.
func (r Receipt) verifyRecord() (tlog.Hash, error) {
	encoded, ok := canonicalBase64(r.Record)
	if !ok {
		return tlog.Hash{}, errors.New("its record is not base64")
	}
	record, err := event.DecodeRecord(encoded)
	if err != nil || !bytes.Equal(record.Encode(), encoded) {
		return tlog.Hash{}, errors.New("its record is not a recorded event")
	}
	leaf := tlog.RecordHash(encoded)
	if r.Leaf != leaf.String() {
		return tlog.Hash{}, errors.New("its leaf is not the record's")
	}
	if r.Position != record.Pos {
		return tlog.Hash{}, errors.New("its position is not the record's")
	}
	described, err := Describe(&record)
	if err != nil {
		return tlog.Hash{}, err
	}
	if read, err := json.Marshal(r.Event); err != nil || !saysAs(read, described) {
		return tlog.Hash{}, errors.New("its readable event is not what the record says")
	}
	return leaf, nil
}

// verifyKeys checks that the public keys are well formed and name one that signed. They are not trusted, but wrong keys
// show that the receipt was tampered with.
func (r Receipt) verifyKeys(signed Checkpoint) error {
	found := false
	for _, text := range r.PublicKeys {
		key, err := ParseKey(text)
		if err != nil || key.CanSign() || strings.TrimSpace(text) != text {
			return errors.New("one of its public keys is not a note key")
		}
		found = found || slices.Contains(signed.SignedBy, key.ID())
	}
	if !found {
		return errors.New("none of its public keys signed the checkpoint")
	}
	return nil
}
