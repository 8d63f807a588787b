// Package sealing seals secrets for their owner alone, and hashes what somebody could guess, under keys that are made
// from one.
package sealing

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
)

const keyBytesMin = 32

// Keys are made from the identity key, one for each use.
type Keys struct {
	seal cipher.AEAD
	mac  []byte
}

// New makes the keys from an identity key, which must be long enough.
func New(identity []byte) (Keys, error) {
	if len(identity) < keyBytesMin {
		return Keys{}, fmt.Errorf("the identity key must have at least %d bytes", keyBytesMin)
	}
	sealing, err := hkdf.Key(sha256.New, identity, nil, "adashi people seal 1", 32)
	if err != nil {
		return Keys{}, err
	}
	mac, err := hkdf.Key(sha256.New, identity, nil, "adashi people mac 1", 32)
	if err != nil {
		return Keys{}, err
	}
	block, err := aes.NewCipher(sealing)
	if err != nil {
		return Keys{}, err
	}
	seal, err := cipher.NewGCM(block)
	return Keys{seal: seal, mac: mac}, err
}

// Encrypt seals a secret for one user: moved to another's row it does not open.
func (k Keys) Encrypt(secret []byte, userID string) []byte {
	nonce := make([]byte, k.seal.NonceSize())
	_, _ = rand.Read(nonce) // It never fails.
	return k.seal.Seal(nonce, nonce, secret, []byte(userID))
}

// Decrypt opens what Encrypt sealed for the same user.
func (k Keys) Decrypt(sealed []byte, userID string) ([]byte, error) {
	size := k.seal.NonceSize()
	if len(sealed) < size {
		return nil, errors.New("sealing: a sealed secret is cut short")
	}
	secret, err := k.seal.Open(nil, sealed[:size], sealed[size:], []byte(userID))
	if err != nil {
		return nil, errors.New("sealing: a sealed secret does not open: is ADASHI_IDENTITY_KEY the one it was sealed with?")
	}
	return secret, nil
}

// Hash is of a text that somebody could guess, so that the stored hash does not tell them whether they did.
func (k Keys) Hash(kind, text string) []byte {
	mac := hmac.New(sha256.New, k.mac)
	mac.Write([]byte(kind + "\x00" + text))
	return mac.Sum(nil)
}
