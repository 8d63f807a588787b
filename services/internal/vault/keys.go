package vault

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"

	"adashi.ng/services/internal/secret"
)

// KeyCharsMin is the minimum length of a master key.
const KeyCharsMin = 32

const keyBytes = 32

// Keys are the master key in use and the earlier ones, which still open what they locked.
type Keys struct {
	current  master
	previous []master
}

// master is a master key and its name, which tells which key locked something.
type master struct {
	name []byte
	aead cipher.AEAD
}

// NewKeys makes master keys of texts with at least KeyCharsMin characters.
func NewKeys(current secret.Text, previous ...secret.Text) (Keys, error) {
	var keys Keys
	for i, text := range append([]secret.Text{current}, previous...) {
		if len(text) < KeyCharsMin {
			return Keys{}, fmt.Errorf("a vault key must have at least %d characters", KeyCharsMin)
		}
		key := sha256.Sum256([]byte("adashi vault master key v1\x00" + text.Reveal()))
		name := sha256.Sum256(append([]byte("adashi vault master name v1\x00"), key[:]...))
		m := master{name[:8], newAEAD(key[:])}
		if i == 0 {
			keys.current = m
		} else {
			keys.previous = append(keys.previous, m)
		}
	}
	return keys, nil
}

func newAEAD(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // The key is always of keyBytes.
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return aead
}

// seal encrypts with a fresh nonce, which it puts in front. A key seals far fewer than 2^32 times.
func seal(aead cipher.AEAD, plain []byte, about string) []byte {
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(plain)+aead.Overhead())
	_, _ = rand.Read(nonce) // rand.Read never fails.
	return aead.Seal(nonce, nonce, plain, []byte(about))
}

// errSealed is sealed data that does not open: another key, another owner or field, or a changed byte.
var errSealed = errors.New("vault: this does not open with its key")

func open(aead cipher.AEAD, sealed []byte, about string) ([]byte, error) {
	if len(sealed) < aead.NonceSize() {
		return nil, errSealed
	}
	plain, err := aead.Open(nil, sealed[:aead.NonceSize()], sealed[aead.NonceSize():], []byte(about))
	if err != nil {
		return nil, errSealed
	}
	return plain, nil
}

// wrap locks a data key with the master key in use.
func (k Keys) wrap(key []byte, person string) (name, wrapped []byte) {
	return k.current.name, seal(k.current.aead, key, person+"\x00key")
}

// unwrap returns the data key that the named master key locked.
func (k Keys) unwrap(name, wrapped []byte, person string) ([]byte, error) {
	for _, m := range append([]master{k.current}, k.previous...) {
		if bytes.Equal(m.name, name) {
			return open(m.aead, wrapped, person+"\x00key")
		}
	}
	return nil, errNoMaster
}

// errNoMaster is the message when the server starts with the wrong key.
var errNoMaster = errors.New("ADASHI_VAULT_KEY is not the key that the vault was locked with: " +
	"set that one, or name it among ADASHI_VAULT_PREVIOUS_KEYS")
