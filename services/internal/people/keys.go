package people

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

// keys are made from the identity key, one for each use.
type keys struct {
	seal cipher.AEAD
	mac  []byte
}

func newKeys(identity []byte) (keys, error) {
	if len(identity) < keyBytesMin {
		return keys{}, fmt.Errorf("the identity key must have at least %d bytes", keyBytesMin)
	}
	sealing, err := hkdf.Key(sha256.New, identity, nil, "adashi people seal 1", 32)
	if err != nil {
		return keys{}, err
	}
	mac, err := hkdf.Key(sha256.New, identity, nil, "adashi people mac 1", 32)
	if err != nil {
		return keys{}, err
	}
	block, err := aes.NewCipher(sealing)
	if err != nil {
		return keys{}, err
	}
	seal, err := cipher.NewGCM(block)
	return keys{seal: seal, mac: mac}, err
}

// encrypt seals a secret for one user: moved to another's row it does not open.
func (k keys) encrypt(secret []byte, userID string) []byte {
	nonce := make([]byte, k.seal.NonceSize())
	_, _ = rand.Read(nonce) // It never fails.
	return k.seal.Seal(nonce, nonce, secret, []byte(userID))
}

func (k keys) decrypt(sealed []byte, userID string) ([]byte, error) {
	size := k.seal.NonceSize()
	if len(sealed) < size {
		return nil, errors.New("people: a sealed secret is cut short")
	}
	secret, err := k.seal.Open(nil, sealed[:size], sealed[size:], []byte(userID))
	if err != nil {
		return nil, errors.New("people: a sealed secret does not open: is ADASHI_IDENTITY_KEY the one it was sealed with?")
	}
	return secret, nil
}

// hash is of a text that somebody could guess, so that the stored hash does not tell them whether they did.
func (k keys) hash(kind, text string) []byte {
	mac := hmac.New(sha256.New, k.mac)
	mac.Write([]byte(kind + "\x00" + text))
	return mac.Sum(nil)
}
