package proofs

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// DefaultName is the name of a ledger's key unless another is chosen. The origin of its checkpoints begins with it.
const DefaultName = "adashi.ng/ledger"

// Key is a ledger key: the private one, which signs, or the public one, which only verifies. ParseKey makes it.
type Key struct {
	public   string
	verifier note.Verifier
	signer   note.Signer
}

// ErrKey is returned for a text that is no key. Its message never repeats the text.
var ErrKey = errors.New("it must be a note key: PRIVATE+KEY+name+hash+base64, or name+hash+base64 for a public one")

const privatePrefix = "PRIVATE+KEY+"

// ParseKey reads a private or a public key in the format of golang.org/x/mod/sumdb/note, or fails with ErrKey.
func ParseKey(text string) (Key, error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, privatePrefix) {
		return parsePrivate(text)
	}
	verifier, err := note.NewVerifier(text)
	if err != nil {
		return Key{}, ErrKey
	}
	key := Key{public: text, verifier: verifier}
	encoded, ok := strings.CutPrefix(text, key.ID()+"+")
	if !ok {
		return Key{}, ErrKey
	}
	if _, ok := canonicalBase64(encoded); !ok {
		return Key{}, ErrKey
	}
	return key, nil
}

// parsePrivate reads PRIVATE+KEY+name+hash+base64 of the algorithm's byte and the seed. note.NewSigner checks it, but
// does not give the public half.
func parsePrivate(text string) (Key, error) {
	signer, err := note.NewSigner(text)
	if err != nil {
		return Key{}, ErrKey
	}
	parts := strings.SplitN(text, "+", 5)
	raw, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil || len(raw) != 1+ed25519.SeedSize {
		return Key{}, ErrKey
	}
	private := ed25519.NewKeyFromSeed(raw[1:])
	public, err := note.NewEd25519VerifierKey(signer.Name(), private.Public().(ed25519.PublicKey))
	if err != nil {
		return Key{}, ErrKey
	}
	verifier, err := note.NewVerifier(public)
	if err != nil {
		return Key{}, ErrKey
	}
	return Key{public, verifier, signer}, nil
}

// GenerateKey makes a new key pair under a name such as DefaultName, in the format that ParseKey reads.
func GenerateKey(name string) (private, public string, err error) {
	return note.GenerateKey(rand.Reader, name)
}

// Name is the key's name.
func (k Key) Name() string { return k.verifier.Name() }

// ID is the name and the hash of the key, as a note's signature names it: adashi.ng/ledger+1f2e3d4c.
func (k Key) ID() string { return keyID(k.verifier.Name(), k.verifier.KeyHash()) }

// Public is the public key as text, which may be shown to anybody.
func (k Key) Public() string { return k.public }

// Verifier checks the key's signatures.
func (k Key) Verifier() note.Verifier { return k.verifier }

// CanSign reports whether it is a private key.
func (k Key) CanSign() bool { return k.signer != nil }

// String is Public: a Key never shows its secret.
func (k Key) String() string { return k.public }

// GoString is Public too.
func (k Key) GoString() string { return k.public }

func keyID(name string, hash uint32) string { return fmt.Sprintf("%s+%08x", name, hash) }

// Keys are a ledger's keys, the current one and the retired ones. All have one name.
//
// To rotate: make the new key the current one and keep the old one among the retired. While the old private key is
// given, the first checkpoint that the new key signs is signed by the old one too, so that followers can walk over;
// after it the public half is enough, and without that old checkpoints are no longer accepted.
type Keys struct {
	Current Key
	Retired []Key
}

// ErrKeyName is returned for keys that do not belong together.
var ErrKeyName = errors.New("a retired key must have the current key's name and be another one than the current and the other retired keys")

// NewKeys puts keys together, or fails with ErrKeyName.
func NewKeys(current Key, retired ...Key) (Keys, error) {
	seen := map[string]bool{current.ID(): true}
	for _, old := range retired {
		if old.Name() != current.Name() || seen[old.ID()] {
			return Keys{}, ErrKeyName
		}
		seen[old.ID()] = true
	}
	return Keys{Current: current, Retired: retired}, nil
}

// Verifiers check every checkpoint that the ledger ever signed.
func (k Keys) Verifiers() []note.Verifier {
	list := []note.Verifier{k.Current.verifier}
	for _, old := range k.Retired {
		list = append(list, old.verifier)
	}
	return list
}

// Origin is the first line of an epoch's checkpoints.
func (k Keys) Origin(epoch int) string { return origin(k.Current.Name(), epoch) }

// public are the public keys, the current first.
func (k Keys) public() []string {
	list := []string{k.Current.public}
	for _, old := range k.Retired {
		list = append(list, old.public)
	}
	return list
}

// signers are the keys that sign the next checkpoint after one that the given keys signed.
func (k Keys) signers(before []string) []note.Signer {
	list := []note.Signer{k.Current.signer}
	for _, id := range before {
		if id == k.Current.ID() {
			return list
		}
	}
	for _, old := range k.Retired {
		if len(before) > 0 && old.CanSign() {
			list = append(list, old.signer)
		}
	}
	return list
}

// canonicalBase64 decodes standard base64, and refuses text that differs from the encoding of its bytes.
func canonicalBase64(text string) ([]byte, bool) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || !bytes.Equal(base64.StdEncoding.AppendEncode(nil, raw), []byte(text)) {
		return nil, false
	}
	return raw, true
}
