package draw

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"time"

	"github.com/cloudflare/circl/sign/bls"

	"adashi.ng/ledger/base/fault"
)

// SignatureBytes is the length of a round's signature: a compressed point of G1.
const SignatureBytes = 48

// Beacon is a chain of drand of the scheme bls-unchained-g1-rfc9380: each Period it signs the number of the round. Who
// holds the public key can check a signature, and nobody can make one before its time.
// https://docs.drand.love/docs/cryptography
type Beacon struct {
	Name      string
	Chain     [32]byte // The chain's hash, as ChainHash makes it.
	PublicKey []byte   // A compressed point of G2, 96 bytes.
	Genesis   int64    // When round 1 comes, in seconds since 1970.
	Period    int64    // Seconds from round to round.
	Test      bool     // Whether its key is in our own hands: such a draw proves nothing.
}

// Quicknet is the beacon of the League of Entropy, as https://api.drand.sh/v2/beacons/quicknet/info tells it.
var Quicknet = Beacon{
	Name:  "quicknet",
	Chain: [32]byte(unhex("52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971")),
	PublicKey: unhex("83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
		"0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"),
	Genesis: 1692803367,
	Period:  3,
}

func unhex(text string) []byte {
	raw, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return raw
}

// ChainHash is the hash by which drand names a chain that is not its default one:
// SHA256(period u32 ‖ genesis i64 ‖ public key ‖ group hash ‖ name), numbers big-endian.
func (b Beacon) ChainHash(group [32]byte) [32]byte {
	raw := binary.BigEndian.AppendUint32(nil, uint32(b.Period))
	raw = binary.BigEndian.AppendUint64(raw, uint64(b.Genesis))
	raw = append(raw, b.PublicKey...)
	raw = append(raw, group[:]...)
	return sha256.Sum256(append(raw, b.Name...))
}

// Round is the latest round that has come at a time: floor((at−genesis)/period)+1, and 0 before the first.
func (b Beacon) Round(at time.Time) uint64 {
	if at.Unix() < b.Genesis {
		return 0
	}
	return uint64((at.Unix()-b.Genesis)/b.Period) + 1
}

// At is when a round comes, to the second. A round that no clock will see, 0 among them, comes at the end of all times.
func (b Beacon) At(round uint64) time.Time {
	if round-1 > uint64(math.MaxInt64-b.Genesis)/uint64(b.Period) {
		return time.Unix(1<<62, 0).UTC()
	}
	return time.Unix(b.Genesis+int64(round-1)*b.Period, 0).UTC()
}

// Message is what a round's signature signs: SHA256(round u64, big-endian).
func Message(round uint64) []byte {
	message := sha256.Sum256(binary.BigEndian.AppendUint64(nil, round))
	return message[:]
}

// Verify refuses what is not this beacon's signature of the round. There is one only: whoever brings it has no choice.
func (b Beacon) Verify(round uint64, signature []byte) error {
	key := new(bls.PublicKey[bls.KeyG2SigG1])
	// A point can be written in 96 bytes too, which would make another seed: one way of writing it counts.
	if round == 0 || len(signature) != SignatureBytes || key.UnmarshalBinary(b.PublicKey) != nil || !bls.Verify(key, Message(round), signature) {
		return fault.Field("signature", "That is not the beacon of round %s.", grouped(round))
	}
	return nil
}

// grouped writes a number as 27,946,612.
func grouped(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
