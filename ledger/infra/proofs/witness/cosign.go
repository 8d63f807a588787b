// Package witness lets an independent party sign which tree of the ledger they saw: cosignatures of checkpoints (C2SP
// tlog-cosignature, Ed25519), the server of a witness (C2SP tlog-witness) and its client.
//
// A witness signs a checkpoint only when it continues the last one that it signed. So two people who are shown two
// histories cannot both find it signed by the same honest witness, and two witnesses who were shown two histories have
// the proof of it in their signatures.
package witness

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
)

const (
	algorithm     = 0x04 // Ed25519 cosignatures of checkpoints.
	blobBytes     = 8 + ed25519.SignatureSize
	privatePrefix = "PRIVATE+KEY+"
)

// ErrKey is returned for a text that is no key of a witness. Its message never repeats the text.
var ErrKey = errors.New("it must be a witness's key: name+hash+base64, of the kind of cosignatures (0x04)")

// Verifier verifies a witness's cosignatures. It is a note.Verifier, for the lines beneath a checkpoint.
type Verifier struct {
	name   string
	public ed25519.PublicKey
}

// NewVerifier makes the verifier of a named witness with a public key of 32 bytes.
func NewVerifier(name string, public []byte) (*Verifier, error) {
	if name == "" || strings.ContainsAny(name, "+ \n\t") || len(public) != ed25519.PublicKeySize {
		return nil, ErrKey
	}
	return &Verifier{name, ed25519.PublicKey(public)}, nil
}

// ParseVerifier reads a witness's public key as its operator publishes it: name+hash+base64.
func ParseVerifier(vkey string) (*Verifier, error) {
	parts := strings.SplitN(strings.TrimSpace(vkey), "+", 3)
	if len(parts) != 3 {
		return nil, ErrKey
	}
	raw, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(raw) == 0 || raw[0] != algorithm {
		return nil, ErrKey
	}
	v, err := NewVerifier(parts[0], raw[1:])
	if err != nil || v.String() != strings.TrimSpace(vkey) {
		return nil, ErrKey
	}
	return v, nil
}

// Name implements note.Verifier.
func (v *Verifier) Name() string { return v.name }

// Public is the key itself.
func (v *Verifier) Public() []byte { return v.public }

func (v *Verifier) typed() []byte { return append([]byte{algorithm}, v.public...) }

// KeyHash implements note.Verifier.
func (v *Verifier) KeyHash() uint32 {
	sum := sha256.Sum256(append([]byte(v.name+"\n"), v.typed()...))
	return binary.BigEndian.Uint32(sum[:])
}

// String is the public key as ParseVerifier reads it.
func (v *Verifier) String() string {
	return fmt.Sprintf("%s+%08x+%s", v.name, v.KeyHash(), base64.StdEncoding.EncodeToString(v.typed()))
}

// Verify implements note.Verifier: the signature is the time in 8 bytes and the signature of that and the text in 64.
func (v *Verifier) Verify(text, signature []byte) bool {
	if len(signature) != blobBytes {
		return false
	}
	at := binary.BigEndian.Uint64(signature)
	return at <= math.MaxInt64 && ed25519.Verify(v.public, message(string(text), int64(at)), signature[8:])
}

// message is the text that a cosignature signs.
func message(text string, at int64) []byte {
	return fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", at, text)
}

// TimeOf is a cosignature's own time; the zero time if it is no cosignature.
func TimeOf(signature []byte) time.Time {
	if len(signature) != blobBytes {
		return time.Time{}
	}
	at := binary.BigEndian.Uint64(signature)
	if at > 1<<40 { // Beyond the years that a date can show.
		return time.Time{}
	}
	return time.Unix(int64(at), 0).UTC()
}

// Signer is a witness's private key. It signs everything that it is given: Server decides when to sign.
type Signer struct {
	Verifier
	private ed25519.PrivateKey
}

// NewSigner makes a new key.
func NewSigner(name string) (*Signer, error) {
	seed := make([]byte, ed25519.SeedSize)
	_, _ = rand.Read(seed)
	return signerOf(name, seed)
}

func signerOf(name string, seed []byte) (*Signer, error) {
	private := ed25519.NewKeyFromSeed(seed)
	v, err := NewVerifier(name, private.Public().(ed25519.PublicKey))
	if err != nil {
		return nil, err
	}
	return &Signer{*v, private}, nil
}

// Secret is the private key as ParseSigner reads it.
func (s *Signer) Secret() string {
	return fmt.Sprintf("%s%s+%08x+%s", privatePrefix, s.name, s.KeyHash(), base64.StdEncoding.EncodeToString(append([]byte{algorithm}, s.private.Seed()...)))
}

// ParseSigner reads a private key.
func ParseSigner(text string) (*Signer, error) {
	text = strings.TrimSpace(text)
	rest, private := strings.CutPrefix(text, privatePrefix)
	parts := strings.SplitN(rest, "+", 3)
	if !private || len(parts) != 3 {
		return nil, ErrKey
	}
	raw, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(raw) != 1+ed25519.SeedSize || raw[0] != algorithm {
		return nil, ErrKey
	}
	s, err := signerOf(parts[0], raw[1:])
	if err != nil || s.Secret() != text {
		return nil, ErrKey
	}
	return s, nil
}

// Sign signs a checkpoint's text at a time.
func (s *Signer) Sign(text string, at time.Time) []byte {
	blob := binary.BigEndian.AppendUint64(nil, uint64(at.Unix()))
	return append(blob, ed25519.Sign(s.private, message(text, at.Unix()))...)
}

// Line is the signature's line beneath a checkpoint.
func (v *Verifier) Line(signature []byte) string {
	blob := binary.BigEndian.AppendUint32(nil, v.KeyHash())
	return "— " + v.name + " " + base64.StdEncoding.EncodeToString(append(blob, signature...)) + "\n"
}

// Find answers the witness's valid signature among the lines beneath a checkpoint's text; nil when there is none.
func (v *Verifier) Find(text, lines string) []byte {
	opened, err := note.Open([]byte(text+"\n"+lines), note.VerifierList(v))
	if err != nil {
		return nil
	}
	blob, err := base64.StdEncoding.DecodeString(opened.Sigs[0].Base64)
	if err != nil {
		return nil
	}
	return blob[4:]
}
