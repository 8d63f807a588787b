package draw_test

import (
	"encoding/hex"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/draw"
)

func TestQuicknetIsTheChainThatItsHashNames(t *testing.T) {
	t.Parallel()
	v := readVectors(t)
	require.Equal(t, v.ChainHash, hex.EncodeToString(draw.Quicknet.Chain[:]))
	require.Equal(t, v.PublicKey, hex.EncodeToString(draw.Quicknet.PublicKey))
	require.Equal(t, v.Genesis, draw.Quicknet.Genesis)
	require.Equal(t, v.Period, draw.Quicknet.Period)
	// The group's hash as the chain's own info tells it.
	group := [32]byte(bytesOf(t, "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e"))
	require.Equal(t, draw.Quicknet.Chain, draw.Quicknet.ChainHash(group))
}

func TestARoundComesAtItsTime(t *testing.T) {
	t.Parallel()
	b := draw.Quicknet
	genesis := time.Unix(b.Genesis, 0)
	require.Equal(t, uint64(0), b.Round(genesis.Add(-time.Nanosecond)))
	require.Equal(t, uint64(0), b.Round(time.Unix(-1<<62, 0)))
	require.Equal(t, uint64(1), b.Round(genesis))
	require.Equal(t, uint64(1), b.Round(genesis.Add(3*time.Second-1)))
	require.Equal(t, uint64(2), b.Round(genesis.Add(3*time.Second)))
	require.Equal(t, uint64(27_946_612), b.Round(time.Date(2026, 4, 20, 0, 0, 0, 0, time.UTC)))
	for _, round := range []uint64{1, 2, 123, 27_946_612, 1 << 60} {
		require.Equal(t, round, b.Round(b.At(round)))
		require.Equal(t, round-1, b.Round(b.At(round).Add(-1)))
	}
	for _, round := range []uint64{0, 1 << 63, math.MaxUint64} {
		require.True(t, b.At(round).After(time.Now().AddDate(1000, 0, 0)))
	}
}

func TestOnlyTheSignatureOfTheRoundIsTaken(t *testing.T) {
	t.Parallel()
	v := readVectors(t)
	good := bytesOf(t, v.Signature)
	refused := func(b draw.Beacon, round uint64, signature []byte, sentence string) {
		t.Helper()
		err := b.Verify(round, signature)
		require.EqualError(t, err, sentence)
		require.True(t, fault.Is(err, fault.Invalid))
	}
	const sentence = "That is not the beacon of round 123."
	for at := range good {
		other := append([]byte(nil), good...)
		other[at] ^= 1
		refused(draw.Quicknet, v.Round, other, sentence)
	}
	refused(draw.Quicknet, v.Round, nil, sentence)
	refused(draw.Quicknet, v.Round, good[:47], sentence)
	refused(draw.Quicknet, v.Round, append(append([]byte(nil), good...), 0), sentence)
	refused(draw.Quicknet, v.Round, append([]byte{0xc0}, make([]byte, 47)...), sentence)
	refused(draw.Quicknet, v.Round, make([]byte, 96), sentence)
	refused(draw.Quicknet, 27_946_612, good, "That is not the beacon of round 27,946,612.")
	refused(draw.Quicknet, 0, good, "That is not the beacon of round 0.")
	refused(draw.Quicknet, 1_000, good, "That is not the beacon of round 1,000.")
	other := draw.Quicknet
	for _, key := range [][]byte{nil, make([]byte, 96), append([]byte{0xc0}, make([]byte, 95)...), other.PublicKey[:48]} {
		other.PublicKey = key
		refused(other, v.Round, good, sentence)
	}
}

// TestAPointIsWrittenInOneWay holds that the same point in its long form is refused: it would make another seed.
func TestAPointIsWrittenInOneWay(t *testing.T) {
	t.Parallel()
	v := readVectors(t)
	long := uncompressed(t, bytesOf(t, v.Signature))
	require.Len(t, long, 96)
	require.Error(t, draw.Quicknet.Verify(v.Round, long))
}

func FuzzNoBytesArePanickedAt(f *testing.F) {
	v := readVectors(f)
	good := bytesOf(f, v.Signature)
	f.Add(v.Round, good, draw.Quicknet.PublicKey)
	f.Add(uint64(math.MaxUint64), good[:20], []byte{0x80})
	f.Add(v.Round, append([]byte{0xc0}, make([]byte, 47)...), append([]byte{0xc0}, make([]byte, 95)...))
	f.Add(v.Round, append([]byte{0x9f}, make([]byte, 47)...), make([]byte, 192))
	f.Fuzz(func(t *testing.T, round uint64, signature, key []byte) {
		other := draw.Quicknet
		other.PublicKey = key
		_ = other.Verify(round, signature)
		err := draw.Quicknet.Verify(round, signature)
		if string(signature) == string(good) && round == v.Round {
			require.NoError(t, err)
		} else {
			require.True(t, fault.Is(err, fault.Invalid))
		}
		_ = draw.Quicknet.At(round)
	})
}
