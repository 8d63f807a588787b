package proofs

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Checkpoint is a tree that the ledger signed. ParseCheckpoint makes it from a signed note.
type Checkpoint struct {
	Origin   string    // The key's name and the epoch: adashi.ng/ledger/e1.
	Epoch    int       // Of the ledger.
	Size     int64     // Positions 1 to Size are in it.
	Root     tlog.Hash // RFC 6962.
	Note     string    // The signed note, exactly as it was signed.
	SignedBy []string  // The keys whose signatures were verified, by Key.ID.
	SealedAt time.Time // UTC; zero unless it was read from the database. Not signed.
}

// Ledger is the name of the checkpoint's ledger; all its epochs are one ledger.
func (c Checkpoint) Ledger() string { return c.Origin[:max(0, strings.LastIndex(c.Origin, "/e"))] }

// after reports whether a checkpoint is of a later epoch than another, or larger in the same.
func (c Checkpoint) after(other Checkpoint) bool {
	return c.Epoch > other.Epoch || c.Epoch == other.Epoch && c.Size > other.Size
}

func origin(name string, epoch int) string { return name + "/e" + strconv.Itoa(epoch) }

// body is a checkpoint's text before it is signed.
func body(origin string, size int64, root tlog.Hash) string {
	return fmt.Sprintf("%s\n%d\n%s\n", origin, size, root)
}

// sign makes a signed checkpoint.
func sign(keys Keys, before []string, epoch int, size int64, root tlog.Hash) (Checkpoint, error) {
	signed, err := note.Sign(&note.Note{Text: body(keys.Origin(epoch), size, root)}, keys.signers(before)...)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("proofs: sign the checkpoint of size %d: %w", size, err)
	}
	return ParseCheckpoint(string(signed), keys.Verifiers())
}

// ErrCheckpoint is returned for a text that is not a checkpoint signed by a given key.
var ErrCheckpoint = errors.New("not a checkpoint that a known key signed")

// noteBytesMax bounds a checkpoint with many co-signatures.
const noteBytesMax = 16 << 10

// ParseCheckpoint reads a signed checkpoint and verifies it with the keys, and with nothing else. At least one of them
// must have signed it, none of their signatures may be wrong, and the origin must be that key's name and an epoch.
// Signatures by other keys are ignored. If any of this fails the error is ErrCheckpoint.
func ParseCheckpoint(signed string, verifiers []note.Verifier) (Checkpoint, error) {
	if len(signed) > noteBytesMax {
		return Checkpoint{}, fmt.Errorf("%w: it is longer than %d bytes", ErrCheckpoint, noteBytesMax)
	}
	opened, err := note.Open([]byte(signed), note.VerifierList(verifiers...))
	if err != nil {
		return Checkpoint{}, fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	for _, signature := range slices.Concat(opened.Sigs, opened.UnverifiedSigs) {
		if _, ok := canonicalBase64(signature.Base64); !ok {
			return Checkpoint{}, fmt.Errorf("%w: a signature is not plain base64", ErrCheckpoint)
		}
	}
	c, err := ParseText(opened.Text)
	if err != nil {
		return Checkpoint{}, err
	}
	c.Note = signed
	for _, signature := range opened.Sigs {
		c.SignedBy = append(c.SignedBy, keyID(signature.Name, signature.Hash))
	}
	ours := slices.ContainsFunc(opened.Sigs, func(s note.Signature) bool { return origin(s.Name, c.Epoch) == c.Origin })
	if !ours {
		return Checkpoint{}, fmt.Errorf("%w: its origin %q is not that of the key that signed it", ErrCheckpoint, c.Origin)
	}
	return c, nil
}

// ParseText reads the signed text of a checkpoint: its origin, size and root, a line each. It verifies no signature.
// Any other text is ErrCheckpoint.
func ParseText(text string) (Checkpoint, error) {
	lines := strings.Split(text, "\n")
	if len(lines) != 4 {
		return Checkpoint{}, fmt.Errorf("%w: its text is not origin, size and root", ErrCheckpoint)
	}
	at := strings.LastIndex(lines[0], "/e")
	if at < 0 {
		return Checkpoint{}, fmt.Errorf("%w: its origin names no epoch", ErrCheckpoint)
	}
	c := Checkpoint{Origin: lines[0]}
	c.Epoch, _ = strconv.Atoi(lines[0][at+2:])
	c.Size, _ = strconv.ParseInt(lines[1], 10, 64)
	root, ok := canonicalBase64(lines[2])
	if !ok || len(root) != tlog.HashSize || c.Epoch < 0 || c.Size < 1 {
		return Checkpoint{}, fmt.Errorf("%w: its text is not origin, size and root", ErrCheckpoint)
	}
	c.Root = tlog.Hash(root)
	if body(origin(c.Ledger(), c.Epoch), c.Size, c.Root) != text {
		return Checkpoint{}, fmt.Errorf("%w: its text is not written as checkpoints are", ErrCheckpoint)
	}
	return c, nil
}
