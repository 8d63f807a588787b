package liabilities

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strconv"
)

// Secret is the source of all salts and splits of one commitment.
type Secret [HashSize]byte

// partsMost is the largest number of leaves for one account.
const partsMost = 16

// SecretOf is the secret of a commitment, by a key that is kept outside the database.
func SecretOf(key []byte, commitment string) Secret {
	return mac(key, "adashi liabilities secret v1", commitment)
}

// KeyID identifies a key without revealing it: eight bytes in hex.
func KeyID(key []byte) string {
	id := mac(key, "adashi liabilities key v1", "")
	return hex.EncodeToString(id[:8])
}

func mac(key []byte, purpose, about string) (out [HashSize]byte) {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(purpose + "\x00" + about))
	h.Sum(out[:0])
	return out
}

// Part is one leaf of an account.
type Part struct {
	Salt Hash
	Kobo int64
}

// parts are an account's leaves.
func (s Secret) parts(a Account) []Part {
	out := make([]Part, a.Parts)
	cuts := s.cuts(a)
	for i := range out {
		out[i] = Part{s.salt(a.Name, i), cuts[i+1] - cuts[i]}
	}
	return out
}

func (s Secret) salt(account string, part int) Hash {
	return mac(s[:], "salt", strconv.Itoa(part)+"\x00"+account)
}

// cuts are the amounts at which an account is cut, sorted, with 0 and the whole amount included.
func (s Secret) cuts(a Account) []int64 {
	cuts := make([]int64, a.Parts+1)
	cuts[a.Parts] = a.Kobo
	for i := 1; i < a.Parts; i++ {
		drawn := mac(s[:], "cut", strconv.Itoa(i)+"\x00"+a.Name)
		cuts[i] = int64(binary.BigEndian.Uint64(drawn[:8]) % (uint64(a.Kobo) + 1))
	}
	slices.Sort(cuts)
	return cuts
}
