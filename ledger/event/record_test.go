package event_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
)

func bytes16(t *rapid.T, label string) (b [16]byte) {
	copy(b[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, label))
	return b
}

func moment(t *rapid.T, label string) time.Time {
	return time.UnixMicro(rapid.Int64Range(-1<<50, 1<<52).Draw(t, label)).UTC()
}

// anyRecord draws any record that the encoding can hold, sensible or not.
func anyRecord(t *rapid.T) event.Record {
	r := event.Record{
		Pos: rapid.Int64().Draw(t, "pos"), Version: rapid.Int64().Draw(t, "version"), Seq: rapid.Int().Draw(t, "seq"),
		Command: uuid.UUID(bytes16(t, "command")), CommandHash: bytes16(t, "hash"),
		Stream: rapid.String().Draw(t, "stream"), Type: rapid.String().Draw(t, "type"),
		Actor: rapid.String().Draw(t, "actor"), Correlation: rapid.String().Draw(t, "correlation"),
		EffectiveAt: moment(t, "effective"), RecordedAt: moment(t, "recorded"),
		Body: append([]byte{}, rapid.SliceOf(rapid.Byte()).Draw(t, "body")...),
	}
	for range rapid.IntRange(0, 8).Draw(t, "lines") {
		r.Lines = append(r.Lines, event.Line{
			Account: rapid.String().Draw(t, "account"), Amount: money.Kobo(rapid.Int64().Draw(t, "amount")), Balance: money.Kobo(rapid.Int64().Draw(t, "balance")),
		})
	}
	return r
}

func TestARecordComesBackFromItsBytes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := anyRecord(t)
		back, err := event.DecodeRecord(r.Encode())
		require.NoError(t, err)
		require.Equal(t, r, back)
		require.Equal(t, r.Leaf(), back.Leaf())
		require.Len(t, r.Encode(), r.EncodedLen())
		pos, ours := event.PositionOf(r.Encode())
		require.True(t, ours)
		require.Equal(t, r.Pos, pos)
	})
}

func TestRecordsThatDifferHaveOtherLeaves(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyRecord(t), anyRecord(t)
		require.Equal(t, bytes.Equal(a.Encode(), b.Encode()), a.Leaf() == b.Leaf())
		changed := a
		changed.Actor += "x"
		require.NotEqual(t, a.Leaf(), changed.Leaf())
	})
}

func TestBytesThatWereCutOrLengthenedAreNoRecord(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := anyRecord(t)
		whole := r.Encode()
		_, err := event.DecodeRecord(whole[:rapid.IntRange(0, len(whole)-1).Draw(t, "cut")])
		require.ErrorIs(t, err, event.ErrEncoding)
		_, err = event.DecodeRecord(append(whole, 0))
		require.ErrorIs(t, err, event.ErrEncoding)
		_, ours := event.PositionOf(whole[1:])
		require.False(t, ours)
	})
}

// FuzzDecodeRecord checks that no bytes make decoding panic, and that decoded records encode to the same bytes.
func FuzzDecodeRecord(f *testing.F) {
	for _, mt := range ledgertest.EventTypes() {
		r := fixed(f, mt.Descriptor(), ledgertest.Filled(mt).Interface())
		f.Add(r.Encode())
	}
	f.Add([]byte("adashi event v1\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := event.DecodeRecord(raw)
		if err != nil {
			require.ErrorIs(t, err, event.ErrEncoding)
			return
		}
		require.Equal(t, raw, r.Encode())
		_, _ = r.Message()
	})
}

func TestArbitraryBytesNeverPanicTheDecoder(t *testing.T) {
	t.Parallel()
	head := []byte("adashi event v1\n")
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Byte(), 0, 400).Draw(t, "bytes")
		if rapid.Bool().Draw(t, "with the head") {
			raw = append(append([]byte{}, head...), raw...)
		}
		if r, err := event.DecodeRecord(raw); err == nil {
			require.Equal(t, raw, r.Encode())
		}
	})
}

var update = flag.Bool("update", false, "write the goldens of events that have none; one that is there is never written over")

// golden is an event as it was first shipped.
type golden struct {
	Message json.RawMessage `json:"message"`
	Encoded string          `json:"encoded"` // Hex of Record.Encode.
	Leaf    string          `json:"leaf"`
}

// fixed is the record of a message that the goldens hold: it depends on nothing but the message.
func fixed(t require.TestingT, of protoreflect.MessageDescriptor, m proto.Message) event.Record {
	body, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	require.NoError(t, err)
	command := uuid.MustParse("7f6c1a52-9d1e-8a43-b0a5-3c1f5d2e9b01")
	return event.Record{
		Pos: 42, Stream: "stream:" + string(of.Name()), Version: 3, Type: string(of.FullName()), Command: command, Seq: 1,
		CommandHash: [16]byte(command), Actor: "actor", Correlation: "correlation",
		EffectiveAt: time.Date(2026, 11, 2, 8, 0, 0, 123456000, time.UTC), RecordedAt: time.Date(2026, 11, 2, 8, 0, 1, 0, time.UTC),
		Body: body, Lines: []event.Line{{Account: "wallet:a", Amount: -500_000, Balance: 0}, {Account: "pool:b", Amount: 500_000, Balance: 1_500_000}},
	}
}

func TestEveryEventIsRecordedInTheBytesItWasFirstShippedIn(t *testing.T) {
	t.Parallel()
	for _, mt := range ledgertest.EventTypes() {
		name := string(mt.Descriptor().FullName())
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join("testdata", name+".json")
			if _, err := os.Stat(path); *update && os.IsNotExist(err) {
				writeGolden(t, path, mt)
			}
			raw, err := os.ReadFile(path)
			require.NoError(t, err, "a new event needs a golden: go test ./event -update")
			var g golden
			require.NoError(t, json.Unmarshal(raw, &g))
			m := mt.New().Interface()
			require.NoError(t, protojson.Unmarshal(g.Message, m), "a field of a shipped event was renamed or removed")
			r := fixed(t, mt.Descriptor(), m)
			require.Equal(t, g.Encoded, hex.EncodeToString(r.Encode()), "the encoding changed: recorded events would hash otherwise")
			leaf := r.Leaf()
			require.Equal(t, g.Leaf, hex.EncodeToString(leaf[:]))
			encoded, err := hex.DecodeString(g.Encoded)
			require.NoError(t, err)
			back, err := event.DecodeRecord(encoded)
			require.NoError(t, err)
			shipped, err := event.DecodeRecorded(back.Type, back.Body)
			require.NoError(t, err)
			require.True(t, proto.Equal(m, shipped), "%v\n%v", m, shipped)
		})
	}
}

func writeGolden(t *testing.T, path string, mt protoreflect.MessageType) {
	t.Helper()
	m := ledgertest.Filled(mt).Interface()
	text, err := protojson.Marshal(m)
	require.NoError(t, err)
	r := fixed(t, mt.Descriptor(), m)
	leaf := r.Leaf()
	raw, err := json.MarshalIndent(golden{text, hex.EncodeToString(r.Encode()), hex.EncodeToString(leaf[:])}, "", "  ")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, append(raw, '\n'), 0o644))
}

func TestNoGoldenIsOfAnEventThatIsGone(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, mt := range ledgertest.EventTypes() {
		known[string(mt.Descriptor().FullName())+".json"] = true
		known[string(mt.Descriptor().FullName())+".schema"] = true
	}
	files, err := os.ReadDir("testdata")
	require.NoError(t, err)
	for _, f := range files {
		require.True(t, f.IsDir() || known[f.Name()], "%s was shipped and must stay readable", f.Name())
	}
	require.GreaterOrEqual(t, len(files), 2*12)
}

func TestIdsDerivedFromACommandAreTheSameForARetryAndDifferByRole(t *testing.T) {
	t.Parallel()
	command := uuid.MustParse("7f6c1a52-9d1e-8a43-b0a5-3c1f5d2e9b01")
	require.Equal(t, event.DeriveID(command, "group"), event.DeriveID(command, "group"))
	require.NotEqual(t, event.DeriveID(command, "group"), event.DeriveID(command, "payment"))
	require.EqualValues(t, 8, event.DeriveID(command, "group").Version())
	require.Equal(t, uuid.RFC4122, event.DeriveID(command, "group").Variant())
}

func TestAnUnknownTypeIsAnErrorAndNotAPanic(t *testing.T) {
	t.Parallel()
	_, err := event.Decode("naira.v1.Nonsense", nil)
	require.ErrorContains(t, err, "naira.v1.Nonsense")
	_, err = event.Decode("naira.v1.GroupCreated", []byte{0xff})
	require.Error(t, err)
}
