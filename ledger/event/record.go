package event

import (
	"encoding/binary"
	"errors"
	"strconv"
	"time"
	"unsafe"

	"github.com/google/uuid"
	"golang.org/x/mod/sumdb/tlog"
	"google.golang.org/protobuf/proto"

	"adashi.ng/ledger/base/money"
)

// Line is one leg of an event's double entry: a credit when positive, a debit when negative, in kobo.
type Line struct {
	Account string
	Amount  money.Kobo
	Balance money.Kobo // The account's balance after this line.
}

// Record is an event as the ledger holds it. Positions run from 1 without a gap, in commit order.
type Record struct {
	Pos         int64
	Stream      string
	Version     int64 // 1, 2, 3 … within the stream.
	Type        string
	Command     uuid.UUID // The command that caused it; unique together with Seq.
	Seq         int       // 0, 1, 2 … within the command.
	CommandHash [16]byte  // A salted hash of the command's request: see SameWish.
	Actor       string    // The opaque id of the person who acted, or "system".
	Correlation string    // Shared by related events, such as a payment's id.
	EffectiveAt time.Time // UTC, microseconds.
	RecordedAt  time.Time // UTC, microseconds; never before the record at Pos-1.
	Body        []byte    // The exact bytes of the protobuf message.
	Lines       []Line    // They sum to zero.
}

// ID is the event's own id, derived from its command.
func (r *Record) ID() uuid.UUID { return DeriveID(r.Command, "event "+strconv.Itoa(r.Seq)) }

// Message decodes the body and upcasts it: see Decode.
func (r *Record) Message() (proto.Message, error) { return Decode(r.Type, r.Body) }

// Leaf is the RFC 6962 leaf hash over every column's exact bytes.
func (r *Record) Leaf() [32]byte { return LeafOf(r.Encode()) }

// LeafOf is the Leaf of an encoded record.
func LeafOf(encoded []byte) [32]byte { return tlog.RecordHash(encoded) }

// domain separates and versions the encoding: a new layout gets another one, and old ones stay readable.
const domain = "adashi event v1\n"

// Encode is the canonical form of the whole record: the bytes that are hashed and streamed.
//
// Layout: the domain line, then pos, version, seq, effective and recorded time (Unix microseconds) as big-endian
// 64-bit, command and command hash as 16 bytes each, then stream, type, actor, correlation, body and the number of
// lines, strings and bytes with a 32-bit length; each line is account, amount, balance.
func (r *Record) Encode() []byte { return r.AppendEncode(make([]byte, 0, r.EncodedLen())) }

// EncodedLen is how many bytes Encode answers.
func (r *Record) EncodedLen() int {
	n := len(domain) + 5*8 + len(r.Command) + len(r.CommandHash) + 6*4 + len(r.Stream) + len(r.Type) + len(r.Actor) + len(r.Correlation) + len(r.Body)
	for i := range r.Lines {
		n += 4 + len(r.Lines[i].Account) + 2*8
	}
	return n
}

// AppendEncode appends the bytes of Encode.
func (r *Record) AppendEncode(b []byte) []byte {
	b = append(b, domain...)
	for _, n := range [...]int64{r.Pos, r.Version, int64(r.Seq), r.EffectiveAt.UnixMicro(), r.RecordedAt.UnixMicro()} {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	b = append(b, r.Command[:]...)
	b = append(b, r.CommandHash[:]...)
	for _, s := range [...]string{r.Stream, r.Type, r.Actor, r.Correlation} {
		b = binary.BigEndian.AppendUint32(b, uint32(len(s)))
		b = append(b, s...)
	}
	b = binary.BigEndian.AppendUint32(b, uint32(len(r.Body)))
	b = append(b, r.Body...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(r.Lines)))
	for _, line := range r.Lines {
		b = binary.BigEndian.AppendUint32(b, uint32(len(line.Account)))
		b = append(b, line.Account...)
		b = binary.BigEndian.AppendUint64(b, uint64(line.Amount))
		b = binary.BigEndian.AppendUint64(b, uint64(line.Balance))
	}
	return b
}

// ErrEncoding is returned for bytes that Encode did not write.
var ErrEncoding = errors.New("event: not a recorded event")

// DecodeRecord reads the whole output of Encode, or fails with ErrEncoding. The record shares the bytes' memory, which
// must not change any more.
func DecodeRecord(b []byte) (Record, error) {
	if len(b) < len(domain) || string(b[:len(domain)]) != domain {
		return Record{}, ErrEncoding
	}
	d := reader{rest: b[len(domain):], text: unsafe.String(unsafe.SliceData(b), len(b))}
	r := Record{Pos: d.int(), Version: d.int(), Seq: int(d.int())}
	r.EffectiveAt, r.RecordedAt = time.UnixMicro(d.int()).UTC(), time.UnixMicro(d.int()).UTC()
	copy(r.Command[:], d.take(16))
	copy(r.CommandHash[:], d.take(16))
	r.Stream, r.Type, r.Actor, r.Correlation = d.string(), d.string(), d.string(), d.string()
	r.Body = d.take(int(d.count()))
	lines := d.count()
	if lines > 0 {
		r.Lines = make([]Line, 0, min(lines, 8)) // The most that the store takes.
	}
	for range lines {
		r.Lines = append(r.Lines, Line{d.string(), money.Kobo(d.int()), money.Kobo(d.int())})
		if d.short {
			break
		}
	}
	if d.short || len(d.rest) > 0 {
		return Record{}, ErrEncoding
	}
	return r, nil
}

// PositionOf is the position in an encoded record, read without the rest. It answers false for other bytes.
func PositionOf(b []byte) (pos int64, ok bool) {
	if len(b) < len(domain)+8 || string(b[:len(domain)]) != domain {
		return 0, false
	}
	return int64(binary.BigEndian.Uint64(b[len(domain):])), true
}

// reader takes fields off the front of a slice and remembers whether it ran short.
type reader struct {
	rest  []byte
	text  string // The whole input; the strings are parts of it.
	short bool
}

func (d *reader) take(n int) []byte {
	if d.short || n > len(d.rest) {
		d.short = true
		return make([]byte, min(n, 16))
	}
	taken := d.rest[:n:n]
	d.rest = d.rest[n:]
	return taken
}

func (d *reader) string() string {
	n := len(d.take(int(d.count())))
	if d.short {
		return ""
	}
	end := len(d.text) - len(d.rest)
	return d.text[end-n : end]
}

func (d *reader) int() int64    { return int64(binary.BigEndian.Uint64(d.take(8))) }
func (d *reader) count() uint32 { return binary.BigEndian.Uint32(d.take(4)) }
