package event

import (
	"crypto/sha256"
	"io"
)

const saltBytes = 8

// Salted is a command's hash as one of its events stores it: random bytes, and a hash of them and of the command's
// hash. The leaf hashes of events are public, since everybody may ask for consistency proofs. Without a secret in the
// event, a leaf would show whether a guess of all the rest is right: an amount, a balance. Each event has its own salt,
// so that a person who is shown one of a command's events cannot guess the others.
func Salted(hash [16]byte, random io.Reader) (out [16]byte, err error) {
	if _, err := io.ReadFull(random, out[:saltBytes]); err != nil {
		return out, err
	}
	return withSalt(hash, [saltBytes]byte(out[:])), nil
}

func withSalt(hash [16]byte, salt [saltBytes]byte) (out [16]byte) {
	copy(out[:], salt[:])
	sum := sha256.Sum256(append(append([]byte("adashi command v1\x00"), salt[:]...), hash[:]...))
	copy(out[saltBytes:], sum[:])
	return out
}

// SameWish reports whether an event's CommandHash is that of a command with this Hash. Events from before there were
// salts hold the Hash itself.
func SameWish(recorded, hash [16]byte) bool {
	return recorded == hash || recorded == withSalt(hash, [saltBytes]byte(recorded[:]))
}
