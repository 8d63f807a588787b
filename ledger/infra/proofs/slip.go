package proofs

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/event"
)

// Slip is the receipt that a member gets for a movement; it proves the same as a Receipt. If the record would show the
// member what they may not know, the slip has only its position and the checkpoint: a leaf would let them try out
// guesses. VerifySlip checks it, offline.
type Slip struct {
	Position   int64    `json:"position"`
	LeafHash   string   `json:"leafHash,omitempty"` // Hex.
	Record     string   `json:"record,omitempty"`   // Base64 of event.Record.Encode.
	Withheld   string   `json:"withheld,omitempty"` // Why there is no record, leaf and path.
	Size       int64    `json:"size"`
	Root       string   `json:"root"`           // Hex.
	Path       []string `json:"path,omitempty"` // Hex, from the leaf up.
	Checkpoint string   `json:"checkpoint"`     // The signed note.
	Key        string   `json:"key"`            // The ledger's key by its own account. Never trust it.
}

// Slip makes the slip of the event at a position, verified, under the latest checkpoint. If withheld gives a reason,
// the slip leaves out the event. An event that is not sealed yet is ErrNotSealed; an impossible position is ErrRange.
func (r *Reader) Slip(ctx context.Context, pos int64, withheld string) (Slip, error) {
	receipt, err := r.Receipt(ctx, pos)
	if err != nil {
		return Slip{}, err
	}
	checkpoint, err := ParseCheckpoint(receipt.Checkpoint, r.keys.Verifiers())
	if err != nil {
		return Slip{}, err
	}
	s := Slip{
		Position: pos, Withheld: withheld, Size: receipt.TreeSize, Root: hex.EncodeToString(checkpoint.Root[:]), Checkpoint: receipt.Checkpoint,
	}
	if withheld == "" {
		s.Record, s.LeafHash = receipt.Record, toHex(receipt.Leaf)
		for _, hash := range receipt.Inclusion {
			s.Path = append(s.Path, toHex(hash))
		}
	}
	for _, text := range receipt.PublicKeys {
		if key, err := ParseKey(text); err == nil && slices.Contains(checkpoint.SignedBy, key.ID()) && s.Key == "" {
			s.Key = text
		}
	}
	return s, nil
}

// toHex rewrites our own base64.
func toHex(text string) string {
	raw, _ := base64.StdEncoding.DecodeString(text)
	return hex.EncodeToString(raw)
}

// IsSlip reports whether JSON is a slip rather than a Receipt.
func IsSlip(raw []byte) bool {
	var either struct {
		LeafHash string `json:"leafHash"`
		Withheld string `json:"withheld"`
	}
	return json.Unmarshal(raw, &either) == nil && (either.LeafHash != "" || either.Withheld != "")
}

// VerifySlip reads a slip and verifies it, trusting nothing but the keys that it is given: the leaf is in the tree by
// the path, the tree is the checkpoint's, one of the keys signed the checkpoint, and if the slip has the record, the
// leaf is its hash. It answers the record, nil when it is withheld: then only the checkpoint is verified. If any of
// this fails it returns ErrReceipt and a sentence.
func VerifySlip(raw []byte, verifiers []note.Verifier) (Slip, *event.Record, error) {
	var s Slip
	if len(raw) > receiptBytesMax {
		return s, nil, fmt.Errorf("%w: it is longer than %d bytes", ErrReceipt, receiptBytesMax)
	}
	if err := json.Unmarshal(raw, &s, json.RejectUnknownMembers(true)); err != nil {
		return Slip{}, nil, fmt.Errorf("%w: it is not a receipt's JSON: %w", ErrReceipt, err)
	}
	record, err := s.verify(verifiers)
	if err != nil {
		return Slip{}, nil, fmt.Errorf("%w: %w", ErrReceipt, err)
	}
	return s, record, nil
}

func (s Slip) verify(verifiers []note.Verifier) (*event.Record, error) {
	checkpoint, err := ParseCheckpoint(s.Checkpoint, verifiers)
	if err != nil {
		return nil, err
	}
	if s.Size != checkpoint.Size || s.Root != hex.EncodeToString(checkpoint.Root[:]) {
		return nil, errors.New("its size or root is not the checkpoint's")
	}
	if s.Withheld != "" {
		if s.Record != "" || s.LeafHash != "" || len(s.Path) > 0 || s.Position < 1 || s.Position > s.Size {
			return nil, errors.New("it withholds what it is about and does not")
		}
		return nil, nil
	}
	leaf, err := hash(s.LeafHash)
	if err != nil {
		return nil, err
	}
	proof := make(tlog.RecordProof, len(s.Path))
	for i, text := range s.Path {
		if proof[i], err = hash(text); err != nil {
			return nil, err
		}
	}
	if s.Position < 1 || tlog.CheckRecord(proof, s.Size, checkpoint.Root, s.Position-1, leaf) != nil {
		return nil, errors.New("its path does not lead from the leaf to the signed root")
	}
	if s.Record == "" {
		return nil, errors.New("it has no record and does not say why")
	}
	encoded, ok := canonicalBase64(s.Record)
	if !ok {
		return nil, errors.New("its record is not base64")
	}
	record, err := event.DecodeRecord(encoded)
	if err != nil || tlog.RecordHash(encoded) != leaf || record.Pos != s.Position {
		return nil, errors.New("its leaf is not the record's")
	}
	return &record, nil
}

func hash(text string) (tlog.Hash, error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != tlog.HashSize || hex.EncodeToString(raw) != text {
		return tlog.Hash{}, errors.New("one of its hashes is not the hex of 32 bytes")
	}
	return tlog.Hash(raw), nil
}
