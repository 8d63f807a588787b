package people

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// tokenChars is the length of 256 bits in base64url.
const tokenChars = 43

// newToken makes a random 256-bit token and the hash that is stored in its place.
func newToken() (token string, hash [32]byte) {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // It never fails.
	token = base64.RawURLEncoding.EncodeToString(raw[:])
	return token, hashToken(token)
}

func hashToken(token string) [32]byte { return sha256.Sum256([]byte(token)) }
